package session

import (
	"context"
	"errors"
	"time"

	"familiar/memory/jobrun"
	"familiar/memory/turns"
)

// foldRun is the name of these runs in the ledger.
const foldRun = "fold"

// foldPatience is how long compaction waits for the model. The room's next turn waits too.
const foldPatience = 15 * time.Second

// readBefore lets the model read a session's unread messages if they are about to be folded up to a message, so that what
// was said is known when its words leave the prompt. RefineOnce usually was there before. If the model fails, the talk is
// folded all the same: it stays on record, and a later run reads it.
func (k *Manager) readBefore(ctx context.Context, session, message int64) {
	if k.Model == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, foldPatience)
	defer cancel()
	s, err := k.Store.Turns.UnreadSession(ctx, session)
	if err == nil && s.Running() && s.ReadTo < message {
		err = k.readRun(ctx, s)
	}
	if err != nil {
		k.Log.Warn("talk is folded before a model has read it", "session", session, "error", err)
	}
}

// readRun lets the model read a session as a run in the ledger, so that what it files can be shown and reverted.
func (k *Manager) readRun(ctx context.Context, s turns.UnreadSession) error {
	run, err := k.Store.Jobs.BeginRun(ctx, k.Card.Key, foldRun, s.Last)
	if err != nil {
		return err
	}
	var done RefineResult
	err = k.refine(ctx, s, run, &done)
	status, result := jobrun.StatusOK, done.String()
	if err != nil {
		status, result = jobrun.StatusFailed, err.Error()
	}
	return errors.Join(err, k.Store.Jobs.FinishRun(context.WithoutCancel(ctx), run, status, result))
}
