package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"familiar/memory"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/persona/card"
	"familiar/persona/mind"
	"familiar/persona/modelvoice"
)

// Manager manages the sessions of a persona: it finds the running session of a room, ends idle ones, compacts long ones
// into episodes and, with a model, reads ended ones again.
type Manager struct {
	Card  *card.Card
	Store *memory.Store
	// Model reads ended sessions again. Its calls are already charged to its caps. It is nil without a model.
	Model    modelvoice.Model
	Settings Settings
	Log      *slog.Logger
}

// Settings are the operator's settings for sessions.
type Settings struct {
	// Gap is the silence after which a new session starts.
	Gap time.Duration
	// RecentMessages is how many messages of the running session a voice sees at most.
	RecentMessages int
	// PromptBudget is the size of a reply prompt in tokens, FilingBudget that of a prompt about an ended session; 0 is
	// the default of package prompts.
	PromptBudget, FilingBudget int
	// Room, if set, returns both as they are now.
	Room func() (prompt, filing int)
	// Zone is used for people whose timezone is unknown.
	Zone *time.Location
}

// Budgets returns the sizes of a reply prompt and of a prompt about an ended session, in tokens.
func (s Settings) Budgets() (prompt, filing int) {
	if s.Room != nil {
		return s.Room()
	}
	return s.PromptBudget, s.FilingBudget
}

// Thread is the running session of a room.
type Thread struct {
	Session  int64 // 0 if the next message starts one
	Since    time.Time
	Recent   []model.Message
	Episodes []turns.EpisodeView // the compacted part before Recent
}

// Running returns the session that a message at that time in the room continues. It returns the zero Thread if the room
// was silent for too long. CloseIdleOnce ends the idle session, so that no turn waits for it.
func (k *Manager) Running(ctx context.Context, hearing memory.Visibility, room int64, at time.Time) (t Thread, err error) {
	last, err := k.Store.Turns.LatestSession(ctx, k.Card.Key, room)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return t, err
	}
	if !continues(last, at, k.Settings.Gap) {
		return t, nil
	}
	t.Session, t.Since = last.ID, last.Started
	compacted := last.Messages > mind.KeptMessages
	if compacted {
		err := k.Store.Prefetch(ctx, func(ctx context.Context) error {
			_, err := k.Store.Turns.Episodes(ctx, hearing, t.Session)
			return err
		})
		if err != nil {
			return t, err
		}
	}
	if t.Recent, err = k.Store.Recall.Recent(ctx, hearing, k.Settings.RecentMessages); err != nil {
		return t, err
	}
	t.Recent = since(t.Recent, last.Started)
	if compacted {
		t.Episodes, err = k.Store.Turns.Episodes(ctx, hearing, t.Session)
	}
	return t, err
}

// since returns the messages from a time on; the others are of an earlier session.
func since(messages []model.Message, at time.Time) []model.Message {
	first := slices.IndexFunc(messages, func(m model.Message) bool { return !m.At.Before(at) })
	if first < 0 {
		return nil
	}
	return messages[first:]
}

// continues reports whether a message at that time belongs to session s.
func continues(s model.Session, at time.Time, gap time.Duration) bool {
	return s.ID != 0 && s.Ended.IsZero() && at.Sub(s.Last).Abs() <= gap
}

// CloseResult is the result of a run of CloseIdleOnce.
type CloseResult struct {
	Sessions int `json:"sessions"`
	// Words counts the summaries and moments kept.
	Words lifecycle.InferResult `json:"words"`
}

func (r *CloseResult) add(more CloseResult) {
	r.Sessions += more.Sessions
	r.Words.Add(more.Words)
}

// String describes the result for the ledger.
func (r CloseResult) String() string {
	if r.Words.Memories == 0 && len(r.Words.Rejected) == 0 {
		return fmt.Sprintf("closed %d sessions", r.Sessions)
	}
	return fmt.Sprintf("closed %d sessions: %s", r.Sessions, r.Words)
}

// closeBatch bounds how many sessions are read and ended at a time.
const closeBatch = 25

// CloseIdleOnce ends every session whose room was silent for longer than the session gap at now, longest idle first.
// The texts it stores carry run, the job's run in the ledger, 0 for none. It uses no model; RefineOnce does.
func (k *Manager) CloseIdleOnce(ctx context.Context, run int64, now time.Time) (done CloseResult, err error) {
	for {
		idle, err := k.Store.Turns.IdleSessions(ctx, k.Card.Key, now.Add(-k.Settings.Gap), closeBatch)
		if err != nil || len(idle) == 0 {
			return done, err
		}
		more, err := k.endSessions(ctx, idle, run)
		done.add(more)
		if err != nil {
			return done, err
		}
	}
}
