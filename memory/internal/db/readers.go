package db

import "sync"

// readerPool has the idle readers. It hands out the one that was used last, whose statements are prepared already: a reader
// that is never needed prepares none.
type readerPool struct {
	free chan struct{} // one for each idle reader

	mu   sync.Mutex
	idle []*Tx
}

func newReaderPool(readers int) *readerPool { return &readerPool{free: make(chan struct{}, readers)} }

// size is how many readers there may be.
func (p *readerPool) size() int { return cap(p.free) }

// put adds a reader.
func (p *readerPool) put(c *Tx) {
	p.mu.Lock()
	p.idle = append(p.idle, c)
	p.mu.Unlock()
	p.free <- struct{}{}
}

// take removes a reader. The caller has received from free before.
func (p *readerPool) take() *Tx {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	c := p.idle[last]
	p.idle = p.idle[:last]
	return c
}

// takeAll waits until all readers are idle, and removes them.
func (p *readerPool) takeAll() []*Tx {
	all := make([]*Tx, p.size())
	for i := range all {
		<-p.free
		all[i] = p.take()
	}
	return all
}
