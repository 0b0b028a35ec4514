package pgtest

import (
	"sync"
	"testing"
)

// aheadCopies is how many copies of a template wait for the tests that ask next.
const aheadCopies = 2

// template is a database that tests copy. It is made once per key. Copying takes as long as a short test, so copies are made
// while other tests run.
type template struct {
	once sync.Once
	name string
	err  error

	mu    sync.Mutex
	ready []string // copies that no test has taken
}

// Making and removing databases in the background has one goroutine each. They belong to no test: a goroutine that a test starts
// in a bubble of testing/synctest would have to end with the bubble.
var (
	making   = background(aheadCopies)
	removing = background(256)
)

// background starts a goroutine that does what it is sent.
func background(waiting int) chan<- func() {
	work := make(chan func(), waiting)
	go func() {
		for do := range work {
			do()
		}
	}()
	return work
}

// copy returns the name of a copy. It takes one that was made ahead, if there is any.
func (f *template) copy(s *cluster) (string, error) {
	defer f.ahead(s)
	f.mu.Lock()
	if n := len(f.ready); n > 0 {
		defer f.mu.Unlock()
		name := f.ready[n-1]
		f.ready = f.ready[:n-1]
		return name, nil
	}
	f.mu.Unlock()
	name := s.newName()
	return name, s.createDatabase(name, f.name)
}

// ahead has copies made until enough are ready.
func (f *template) ahead(s *cluster) {
	select {
	case making <- func() { f.refill(s) }:
	default: // as many as are needed have been asked for
	}
}

func (f *template) refill(s *cluster) {
	for f.missing() {
		name := s.newName()
		if s.createDatabase(name, f.name) != nil {
			return // the next test makes its own, and reports why that fails
		}
		f.mu.Lock()
		f.ready = append(f.ready, name)
		f.mu.Unlock()
	}
}

func (f *template) missing() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.ready) < aheadCopies
}

// dropLater removes a database in the background. What is left when the test binary ends goes with the server.
func (c *cluster) dropLater(t testing.TB, name string) {
	select {
	case removing <- func() { _ = c.admin(dropStatement(name)) }:
	default:
		c.drop(t, name)
	}
}
