package persona

import (
	"context"
	"errors"
	"fmt"
	"time"

	"familiar/channels"
	"familiar/internal/sleep"
	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/persona/command"
)

// askWith returns what makes buttons of the question that the reply of t puts, nil where the room has none or nothing is asked.
func (e *Engine) askWith(t *turn) *model.Ask {
	q := t.reply.Question
	if _, ok := e.channels[t.room.Channel].(channels.Asker); !ok || q == nil {
		return nil
	}
	return &model.Ask{Person: t.asker.ID, Language: command.LanguageOf(t.asker.Language, t.addressedText()), Expires: q.Expires}
}

// acceptPress accepts a pressed button if the question is open and its person pressed. It fails with a *channels.NotTaken otherwise.
// What was accepted before is no mistake: it came again.
func (c *Cast) acceptPress(ctx context.Context, m channels.Message) error {
	if !m.Addressed { // the gate lets the author say nothing to the persona
		return nil
	}
	a, err := c.store.Log.Ask(ctx, m.Press.Question)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	e := c.Engine(a.Persona)
	if e == nil || !e.Now().Before(a.Expires) {
		return c.pressedLate(ctx, m)
	}
	person, err := c.store.Log.PersonByHandle(ctx, m.Author.Handle)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return fmt.Errorf("find who pressed a button: %w", err)
	}
	if person.ID != a.Person || m.Room != a.Room.Room {
		return &channels.NotTaken{Notice: command.NotAsked(a.Language)}
	}
	m.Text = command.Button(a.Language, m.Press.Yes)
	return c.deliver(ctx, m, []log.Delivery{{Persona: a.Persona, Message: m}})
}

// pressedLate tells whoever pressed a button of a question that is over, unless the press came before.
func (c *Cast) pressedLate(ctx context.Context, m channels.Message) error {
	by, err := c.store.Log.ReceivedBy(ctx, c.keys, m.Room, m.ID)
	if err != nil || len(by) > 0 {
		return err
	}
	person, err := c.store.Log.PersonByHandle(ctx, m.Author.Handle)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return fmt.Errorf("find who pressed a button: %w", err)
	}
	if person.Language == "" {
		person.Language = c.Engine(c.keys[0]).Card.Language
	}
	return &channels.NotTaken{Notice: command.TooLate(person.Language)}
}

// takePress takes an accepted press as the answer to the question that it names. If another answer was faster, nothing is done.
func (e *Engine) takePress(ctx context.Context, l *lane, h log.InboxEntry) error {
	if taken, err := e.commands().Pressed(ctx, h); taken || err != nil {
		return err
	}
	q, err := e.openQuestion(ctx, h.Message)
	if err != nil {
		return err
	}
	if q == nil || q.Call.Turn != h.Message.Press.Question {
		if err := e.Store.Log.DismissCommand(ctx, h.ID); err != nil {
			return fmt.Errorf("ignore a pressed button: %w", err)
		}
		e.NoReply(h.Message)
		return nil
	}
	return e.takeTurn(ctx, l, []log.InboxEntry{h}, &toolAnswer{question: *q, yes: h.Message.Press.Yes})
}

// stands reports whether a question waits for its answer.
func (c *Cast) stands(ctx context.Context, a log.Ask) (bool, error) {
	e := c.Engine(a.Persona)
	if e == nil || !e.Now().Before(a.Expires) {
		return false, nil
	}
	if waits, err := e.Store.ToolCalls.Waits(ctx, a.Key); waits || err != nil {
		return waits, err
	}
	return e.commands().Waits(ctx, a.Room.ID, a.Person, a.Key)
}

const (
	// endRest is how long the buttons of an answered question stay, so that removing them does not hold up what is said next.
	endRest = 3 * time.Second
	// endAttempts is how often they are tried to be removed, endTimeout how long an attempt may take, and endPause the longest pause
	// between two.
	endAttempts = 3
	endTimeout  = 30 * time.Second
	endPause    = time.Minute
)

// shownAsk is a question whose buttons are shown. over is closed, once, when it is answered or dropped.
type shownAsk struct {
	log.Ask
	over chan struct{}
}

// sendChunk sends a chunk of row, with the buttons of its question if it is the last one and the channel has any. asked is that
// question, nil for none.
func (s *sender) sendChunk(ctx context.Context, row log.OutboxEntry, text string, last bool) (id string, asked *log.Ask, err error) {
	channel, out := s.channels[row.Room.Channel], chunk(row, text)
	asker, ok := channel.(channels.Asker)
	if !ok || !last || !row.Asks {
		id, err = send(ctx, channel, out)
		return id, nil, err
	}
	a, err := s.store.Log.Ask(ctx, row.Key)
	stands := false
	if err == nil {
		stands, err = s.stands(ctx, a)
	}
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return "", nil, err
	}
	if stands {
		err = recoverAs(channels.Ambiguous, func() error {
			receipt, err := asker.Ask(ctx, channels.Question{Outgoing: out, ID: a.Key, Yes: command.Button(a.Language, true), No: command.Button(a.Language, false)})
			a.ShownAs = receipt.ID
			return err
		})
		if err == nil || channels.Kind(err) != channels.Permanent || row.MaybeShown {
			return a.ShownAs, &a, err
		}
		s.log.Info("a question is put without buttons, since the room takes none", "outbox", row.ID, "room", row.Room.ID, "error", err)
	}
	id, err = send(ctx, channel, out)
	return id, nil, err
}

// watchShown watches the questions whose buttons an earlier process left.
func (s *sender) watchShown(ctx context.Context) error {
	all, err := s.store.Log.ShownAsks(ctx)
	if err != nil {
		return fmt.Errorf("find the questions with buttons: %w", err)
	}
	for _, a := range all {
		if !s.sendsIn(a.Room.Room) || s.watches(a) {
			continue
		}
		s.watchAsk(ctx, a)
		s.endAsks(ctx, a.Room.Room)
	}
	return nil
}

// watches reports whether a question is watched.
func (s *sender) watches(a log.Ask) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.asks[a.OutboxID]
	return ok
}

// watchAsk removes the buttons of a question when it is over, or when it expires.
func (s *sender) watchAsk(ctx context.Context, a log.Ask) {
	asker, ok := s.channels[a.Room.Channel].(channels.Asker)
	if !ok {
		return
	}
	shown := &shownAsk{a, make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runCtx == nil {
		return
	}
	s.asks[a.OutboxID] = shown
	s.wg.Go(func() {
		select {
		case <-shown.over:
			sleep.For(ctx, endRest)
		case <-time.After(s.untilDue(a.Expires)):
		case <-ctx.Done():
		}
		s.mu.Lock()
		delete(s.asks, a.OutboxID)
		s.mu.Unlock()
		s.removeButtons(ctx, asker, a)
	})
}

// endAsks notices which questions in a room are over. It costs nothing where none is shown.
func (s *sender) endAsks(ctx context.Context, room channels.Room) {
	s.mu.Lock()
	var here []*shownAsk
	for _, shown := range s.asks {
		if shown.Room.Room == room {
			here = append(here, shown)
		}
	}
	s.mu.Unlock()
	for _, shown := range here {
		stands, err := s.stands(ctx, shown.Ask)
		if err != nil {
			s.log.Warn("look whether a question is over", "outbox", shown.OutboxID, "error", err) // then it is when it expires
		}
		if stands || err != nil {
			continue
		}
		s.mu.Lock()
		if s.asks[shown.OutboxID] == shown {
			delete(s.asks, shown.OutboxID)
			close(shown.over)
		}
		s.mu.Unlock()
	}
}

// removeButtons removes the buttons of a question that is over, as well as it can: a press of what is left does not count. After a
// stop the next process does it.
func (s *sender) removeButtons(ctx context.Context, asker channels.Asker, a log.Ask) {
	for attempt := range endAttempts {
		if ctx.Err() != nil {
			return
		}
		limited, cancel := context.WithTimeout(ctx, endTimeout)
		err := recoverAs(channels.Permanent, func() error { return asker.EndQuestion(limited, a.Room.Room, a.ShownAs) })
		cancel()
		kind := channels.Kind(err)
		if err == nil || kind == channels.Permanent || kind == channels.Blocked || kind == channels.Moved {
			break
		}
		s.log.Debug("remove the buttons of a question", "outbox", a.OutboxID, "error", err)
		sleep.For(ctx, min(s.backoff(attempt, channels.RetryAfter(err)), endPause))
	}
	if err := s.store.Log.DropAsk(ctx, a.OutboxID); err != nil && ctx.Err() == nil {
		s.log.Warn("drop a question that is over", "outbox", a.OutboxID, "error", err)
	}
}
