package persona

import (
	"context"
	"errors"
	"fmt"

	"familiar/channels"
	"familiar/memory/log"
	"familiar/memory/turns"
)

// Recorded is a message of a conversation that took place before, here or in another program.
type Recorded struct {
	channels.Message
	// Own says that the persona, or whoever the persona continues, wrote it. Author is then the person it was written to.
	Own bool
}

// RecordConversation stores messages of one room, oldest first, at the times when they were written: what people said is
// learned from as if the persona had heard it then. Nobody is answered, and no command in it is run. Messages that the room
// has are left out, so that recording them again stores nothing. It returns how many were new; on an error, those before it
// are stored. Secrets are redacted as in log.Redact.
func (e *Engine) RecordConversation(ctx context.Context, lines []Recorded) (fresh int, err error) {
	unknown, err := e.unrecorded(ctx, lines)
	if err != nil {
		return 0, err
	}
	for len(unknown) > 0 {
		if err := ctx.Err(); err != nil {
			return fresh, err
		}
		batch := e.recordedBatch(unknown)
		if err := e.recordBatch(ctx, batch); err != nil && !errors.Is(err, turns.ErrAlreadyDone) {
			return fresh, fmt.Errorf("record message %s in %s: %w", batch[0].ID, batch[0].Room, err)
		}
		fresh += len(batch)
		unknown = unknown[len(batch):]
	}
	return fresh, nil
}

// unrecorded returns the messages that their room does not have, with clean texts.
func (e *Engine) unrecorded(ctx context.Context, lines []Recorded) ([]Recorded, error) {
	if len(lines) == 0 {
		return nil, nil
	}
	ids := make([]string, len(lines))
	for i, l := range lines {
		ids[i] = l.ID
	}
	known, err := e.Store.Log.Known(ctx, e.Card.Key, lines[0].Room, ids)
	if err != nil {
		return nil, err
	}
	var fresh []Recorded
	for _, l := range lines {
		if known[l.ID] {
			continue
		}
		if l.Message, err = log.Clean(l.Message); err != nil {
			return nil, fmt.Errorf("message %q: %w", l.ID, err)
		}
		fresh = append(fresh, l)
	}
	return fresh, nil
}

// recordBatch stores the messages of one turn.
func (e *Engine) recordBatch(ctx context.Context, lines []Recorded) error {
	t := &turn{started: e.Now(), pending: entriesOf(lines)}
	err := e.Store.Snapshot(ctx, func(ctx context.Context) error {
		if err := e.identifyRecorded(ctx, t, lines, e.Store.Turns.Participants); err != nil {
			return err
		}
		return e.prepareRecorded(ctx, t)
	})
	if errors.Is(err, turns.ErrOutdated) { // something about the people or the room has to be stored first
		if err := e.identifyRecorded(ctx, t, lines, e.Store.Turns.UpsertParticipants); err != nil {
			return err
		}
		err = e.Store.Snapshot(ctx, func(ctx context.Context) error { return e.prepareRecorded(ctx, t) })
	}
	if err != nil {
		return err
	}
	_, err = e.Store.Turns.RecordTurn(ctx, e.turnRecord(t))
	return err
}

// identifyRecorded is identify for messages some of which the persona wrote.
func (e *Engine) identifyRecorded(ctx context.Context, t *turn, lines []Recorded, find findParticipants) error {
	if err := e.identify(ctx, t, find); err != nil {
		return err
	}
	for i, l := range lines {
		if l.Own {
			t.authors[i] = 0
		}
	}
	t.now = t.started.In(t.asker.Location(e.Settings.Zone))
	return nil
}

// prepareRecorded is prepare for messages that nobody answers.
func (e *Engine) prepareRecorded(ctx context.Context, t *turn) (err error) {
	if t.visibility, err = e.Store.Log.VisibilityIn(ctx, e.Card.Key, t.room); err != nil {
		return fmt.Errorf("find the audience of a room: %w", err)
	}
	t.sessionStart = t.now
	running, err := e.sessions.Running(ctx, t.visibility, t.room.ID, t.pending[0].Message.At)
	if err != nil {
		return fmt.Errorf("find the running session: %w", err)
	}
	if running.Session != 0 {
		t.sessionID, t.sessionStart, t.recent = running.Session, running.Since, running.Recent
	}
	e.annotate(t)
	if err := e.closeLoops(ctx, t); err != nil {
		return fmt.Errorf("match open loops: %w", err)
	}
	return nil
}

// entriesOf returns the messages as a turn takes them.
func entriesOf(lines []Recorded) []log.InboxEntry {
	entries := make([]log.InboxEntry, len(lines))
	for i, l := range lines {
		entries[i] = log.InboxEntry{Message: l.Message, Received: l.At}
	}
	return entries
}

// recordedLimit is how many recorded messages are stored in one transaction: more save syncs to disk, fewer let turns through sooner.
const recordedLimit = 128

// recordedBatch returns the first messages of lines that belong into one turn: at most recordedLimit, and none after
// a gap that starts a session.
func (e *Engine) recordedBatch(lines []Recorded) []Recorded {
	for i := range lines {
		if i == recordedLimit || i > 0 && lines[i].At.Sub(lines[i-1].At).Abs() > e.Settings.SessionGap {
			return lines[:i]
		}
	}
	return lines
}
