package persona

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// inParallel calls do for every number below n, in chunks of the given size on all cores. A panic of do ends it with the
// same panic.
func inParallel(n, chunk int, do func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), (n+chunk-1)/chunk)
	if workers < 2 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var failed atomic.Pointer[any]
	work := func() {
		defer func() {
			if p := recover(); p != nil {
				failed.CompareAndSwap(nil, &p)
			}
		}()
		for failed.Load() == nil {
			from := int(next.Add(int64(chunk))) - chunk
			if from >= n {
				return
			}
			for i := from; i < min(n, from+chunk); i++ {
				do(i)
			}
		}
	}
	var others sync.WaitGroup
	for range workers - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	if p := failed.Load(); p != nil {
		panic(*p)
	}
}
