package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// restAfter is how long a process has nothing to do before it gives memory back, and quietBytes what it may allocate
	// meanwhile: three networks kept open take under a hundred kilobytes.
	restAfter  = 30 * time.Second
	quietBytes = 512 << 10
)

// giver is a process that takes memory and can give it back to the system.
type giver struct {
	taken func() uint64 // in bytes, since it began
	give  func()
}

// goHeap is this process.
var goHeap = giver{
	taken: func() uint64 {
		s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	},
	give: debug.FreeOSMemory,
}

// rest has g give memory back whenever it comes to have nothing to do. What a busy hour or a night's jobs took would
// otherwise stay: by itself the runtime keeps what the heap may grow to until it is collected again, see garbagePercent.
func rest(ctx context.Context, g giver) {
	tick := time.NewTicker(restAfter)
	defer tick.Stop()
	quiet, before := false, g.taken()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		busy := g.taken()-before > quietBytes
		if !busy && !quiet {
			g.give()
		}
		quiet, before = !busy, g.taken()
	}
}
