package serving

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestIdleProcessReleasesMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		began := time.Now()
		var taken atomic.Uint64
		var gave []time.Duration
		go releaseWhenIdle(ctx, heap{
			allocated: taken.Load,
			release:   func() { gave = append(gave, time.Since(began)); taken.Add(idleBytes) },
		})
		time.Sleep(idleAfter / 2) // between two checks
		for range 4 {             // two minutes of work
			taken.Add(10 * idleBytes)
			time.Sleep(idleAfter)
		}
		time.Sleep(10 * idleAfter) // idle: released once
		taken.Add(10 * idleBytes)  // some work
		time.Sleep(10 * idleAfter)
		stop()
		synctest.Wait()
		if want := []time.Duration{5 * idleAfter, 16 * idleAfter}; !slices.Equal(gave, want) {
			t.Errorf("given back after %v, want %v", gave, want)
		}
	})
}

func TestHeapReleasesMemory(t *testing.T) {
	before := goHeap.allocated()
	kept := make([]byte, 8<<20)
	if took := goHeap.allocated() - before; took < uint64(len(kept)) {
		t.Errorf("%d bytes were taken of %d", took, len(kept))
	}
	runtime.KeepAlive(kept)
}
