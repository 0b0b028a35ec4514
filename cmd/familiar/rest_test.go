package main

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestMemoryIsGivenBackOnceItIsQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		began := time.Now()
		var taken atomic.Uint64
		var gave []time.Duration
		go rest(ctx, giver{
			taken: taken.Load,
			give:  func() { gave = append(gave, time.Since(began)); taken.Add(quietBytes) },
		})
		time.Sleep(restAfter / 2) // between two looks
		for range 4 {             // two minutes of work
			taken.Add(10 * quietBytes)
			time.Sleep(restAfter)
		}
		time.Sleep(10 * restAfter) // a rest: given back once
		taken.Add(10 * quietBytes) // some work
		time.Sleep(10 * restAfter)
		stop()
		synctest.Wait()
		if want := []time.Duration{5 * restAfter, 16 * restAfter}; !slices.Equal(gave, want) {
			t.Errorf("given back after %v, want %v", gave, want)
		}
	})
}

func TestTheHeapIsWhatIsGivenBack(t *testing.T) {
	before := goHeap.taken()
	kept := make([]byte, 8<<20)
	if took := goHeap.taken() - before; took < uint64(len(kept)) {
		t.Errorf("%d bytes were taken of %d", took, len(kept))
	}
	runtime.KeepAlive(kept)
}
