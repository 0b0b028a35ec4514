// Package bench measures the product through its public interfaces, so its ingestion, recall and answers match those of
// a user's installation. It is separate from the code that it measures.
package bench

import (
	"bytes"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"
)

// Quantiles3 holds the median and the tail of a set of times, in milliseconds.
type Quantiles3 struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
}

// quantiles sorts times and returns their nearest-rank quantiles.
func quantiles(times []time.Duration) Quantiles3 {
	if len(times) == 0 {
		return Quantiles3{}
	}
	slices.Sort(times)
	at := func(q float64) float64 {
		i := min(len(times)-1, int(q*float64(len(times))))
		return float64(times[i].Microseconds()) / 1000
	}
	return Quantiles3{P50: at(.50), P95: at(.95), P99: at(.99)}
}

// residentMB returns this process's resident memory in MB: the kernel's figure where it can be read, otherwise the Go
// runtime's.
func residentMB() float64 {
	if b, err := os.ReadFile("/proc/self/statm"); err == nil {
		if f := bytes.Fields(b); len(f) > 1 {
			if pages, err := strconv.ParseInt(string(f[1]), 10, 64); err == nil {
				return float64(pages) * float64(os.Getpagesize()) / (1 << 20)
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.Sys-m.HeapReleased) / (1 << 20)
}
