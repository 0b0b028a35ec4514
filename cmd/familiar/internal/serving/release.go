package serving

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

// heap is memory that grows and can be returned to the operating system.
type heap struct {
	// allocated returns the bytes allocated since the process started.
	allocated func() uint64 // in bytes, since it began
	release   func()
}

// goHeap is the heap of this process.
var goHeap = heap{
	allocated: func() uint64 {
		s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	},
	release: debug.FreeOSMemory,
}

// releaseWhenIdle calls release whenever the process becomes idle. Otherwise the memory of a busy hour or of the
// nightly jobs would stay resident: the runtime keeps whatever the heap may grow to before the next collection, see
// gcPercent.
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
