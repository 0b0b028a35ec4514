package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// idleAfter is how long a process must be idle before it returns memory. idleBytes is what an idle process may
	// allocate in that time: three open networks allocate less than 100 kB.
	idleAfter = 30 * time.Second
	idleBytes = 512 << 10
)

// heap is a process that takes memory and can give it back to the system.
type heap struct {
	allocated func() uint64 // in bytes, since it began
	release   func()
}

// goHeap is this process.
var goHeap = heap{
	allocated: func() uint64 {
		s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	},
	release: debug.FreeOSMemory,
}

// releaseWhenIdle has g give memory back whenever it comes to have nothing to do. What a busy hour or a night's jobs took would
// otherwise stay: by itself the runtime keeps what the heap may grow to until it is collected again, see garbagePercent.
func releaseWhenIdle(ctx context.Context, g heap) {
	tick := time.NewTicker(idleAfter)
	defer tick.Stop()
	quiet, before := false, g.allocated()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		busy := g.allocated()-before > idleBytes
		if !busy && !quiet {
			g.release()
		}
		quiet, before = !busy, g.allocated()
	}
}
