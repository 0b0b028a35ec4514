package command

import (
	"context"
	"sync"

	"familiar/channels"
	"familiar/memory/log"
)

// Proposals is what waits for a person's yes in any room, without a word of what it is about. It remembers that nothing waits,
// so that the messages between two commands do not ask the store.
type Proposals struct {
	channels.StateStore

	mu sync.Mutex
	// puts counts what was proposed since the start.
	puts int
	// emptyAt is what puts was when the store was last found empty, -1 if it never was: an earlier start may have left something.
	emptyAt int
}

// NewProposals returns what waits in the store of the conversation log. All personas of a process share it.
func NewProposals(store *log.Store) *Proposals {
	return &Proposals{StateStore: store.KeyValue(log.ProposalState), emptyAt: -1}
}

// Put stores what waits under a key.
func (p *Proposals) Put(ctx context.Context, key, value string) error {
	defer func() { // whatever the error: it may be stored nevertheless
		p.mu.Lock()
		defer p.mu.Unlock()
		p.puts++
	}()
	return p.StateStore.Put(ctx, key, value)
}

// none reports whether nothing waits in any room.
func (p *Proposals) none(ctx context.Context) (bool, error) {
	p.mu.Lock()
	puts, empty := p.puts, p.emptyAt == p.puts
	p.mu.Unlock()
	if empty {
		return true, nil
	}
	keys, err := p.Keys(ctx, "")
	if err != nil || len(keys) > 0 {
		return false, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.emptyAt = max(p.emptyAt, puts) // if something was proposed meanwhile, puts is ahead of it
	return true, nil
}
