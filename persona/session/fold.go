package session

import (
	"context"
	"time"
)

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
		err = k.refine(ctx, s, 0, new(RefineResult))
	}
	if err != nil {
		k.Log.Warn("talk is folded before a model has read it", "session", session, "error", err)
	}
}
