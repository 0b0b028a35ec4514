package cli

import (
	"runtime"
	"sync"
)

// ExpectServer prepares the process for a memory on a database server, for which every step of a turn waits: Go runs twice as many
// goroutines at a time as there are processors, unless GOMAXPROCS is set. Go's scheduler lets those that compute finish before the one
// whose answer has arrived, and with it all that wait for the writer; the kernel lets the one run first that has waited.
func (inv *Invocation) ExpectServer() {
	if !inv.Env.Has("GOMAXPROCS") {
		doubleThreads()
	}
}

var doubleThreads = sync.OnceFunc(func() { runtime.GOMAXPROCS(2 * runtime.GOMAXPROCS(0)) })
