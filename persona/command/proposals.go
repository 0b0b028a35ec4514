package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/model"
)

// proposalLife is how long a yes may follow.
const proposalLife = 10 * time.Minute

// proposal is what waits for a person's yes.
type proposal struct {
	Memories []int64
	// Self is that everything of the person goes.
	Self  bool
	Until time.Time
	// Language is the tag of the language in which it was asked, which a short yes does not tell.
	Language string
	// Key is that of the answer that asks, which a pressed button names.
	Key string
}

func proposalKey(c call) string { return proposalKeyOf(c.room.ID, c.person.ID) }

func proposalKeyOf(room, person int64) string { return fmt.Sprintf("%d/%d", room, person) }

// waitForYes has p wait for the yes of the person, whom the answer asks: with buttons in their direct room, where its answer is read
// by nobody else.
func (r Runner) waitForYes(ctx context.Context, c call, p proposal, answer result) (result, error) {
	p.Until, p.Language, p.Key = r.Now().Add(proposalLife), c.tag, c.key
	waiting, err := json.Marshal(p)
	if err != nil {
		return result{}, fmt.Errorf("write down what would be forgotten: %w", err)
	}
	if _, ok := c.channel.(channels.Asker); ok && c.room.Direct {
		answer.ask = &model.Ask{Person: c.person.ID, Language: c.tag, Expires: p.Until}
	}
	return answer, r.Proposals.Put(ctx, proposalKey(c), string(waiting))
}

// Pressed answers a pressed button of what waits for a yes, and reports whether the press is about that.
func (r Runner) Pressed(ctx context.Context, h log.InboxEntry) (bool, error) {
	m := h.Message
	room, err := r.Store.Log.RoomByAddress(ctx, m.Room)
	if err == nil {
		var waits bool
		if waits, err = r.Waits(ctx, room.ID, room.PersonID, m.Press.Question); err == nil && !waits {
			return false, nil
		}
	}
	if errors.Is(err, memory.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("find what a button was pressed for: %w", err)
	}
	answer := "no"
	if m.Press.Yes {
		answer = "yes"
	}
	return true, r.answer(ctx, h, spoken{m.Text, "forget", answer})
}

// Waits reports whether the answer with a key asked for a yes of a person in a room that still waits.
func (r Runner) Waits(ctx context.Context, room, person int64, key string) (bool, error) {
	if none, err := r.Proposals.none(ctx); none || err != nil {
		return false, err
	}
	p, err := r.Proposals.of(ctx, proposalKeyOf(room, person))
	if errors.Is(err, channels.ErrNotFound) {
		return false, nil
	}
	return err == nil && p.Key == key, err
}

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

// of returns what waits under a key. It fails with channels.ErrNotFound if nothing does.
func (p *Proposals) of(ctx context.Context, key string) (waits proposal, err error) {
	text, err := p.Get(ctx, key)
	if err == nil {
		err = json.Unmarshal([]byte(text), &waits)
	}
	if err != nil && !errors.Is(err, channels.ErrNotFound) {
		err = fmt.Errorf("read what would be forgotten: %w", err)
	}
	return waits, err
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
