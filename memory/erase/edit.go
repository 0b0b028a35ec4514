package erase

import (
	"context"
	"errors"
	"fmt"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// EditMessage gives a message the text its author changed it to. What was derived from the old text is retracted, and
// the new text is read as if it had been said so; the persona's answers stay. h is the message with its new text and
// the edit's inbox row; its Annotation is what read returns for it. An edit by somebody else, or of a forgotten
// message, changes nothing.
func (s *Store) EditMessage(ctx context.Context, persona string, message int64, h model.AnnotatedMessage, read turns.Reanalysis) (changes []model.BeliefChange, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("edit message %d", message), func(tx *db.Tx) error {
		changes = nil
		m, room, err := log.ResolveAction(tx, h.InboxID, message)
		text := h.Message.FullText()
		if err != nil || m.PersonID != h.PersonID || m.Text == "" || m.Text == text {
			return err
		}
		if err := retract(tx, persona, m, room); err != nil {
			return fmt.Errorf("retract the old text: %w", err)
		}
		if _, err := tx.Exec(`UPDATE messages SET text = ?, analysis = '', analysis_version = 0, danger = '' WHERE id = ?`, text, m.ID); err != nil {
			return err
		}
		if len(log.AttachmentFiles(tx, h.Message)) > 0 { // it came with other files
			if err := errors.Join(log.UnlinkFiles(tx, []int64{m.ID}), log.LinkFiles(tx, m.ID, h.Message)); err != nil {
				return err
			}
		}
		r := turns.TurnWriter{Tx: tx, Turn: turns.Turn{Persona: persona, Room: room}, Audience: room.Audience(), Done: turns.TurnResult{SessionID: m.SessionID}}
		if err := r.Reanalyze(h, m, text, read); err != nil {
			return fmt.Errorf("read the new text: %w", err)
		}
		changes = r.Done.Changes
		if err := tx.MarkErased(); err != nil {
			return err
		}
		return scope.Advance(tx, persona, model.ScopeRevision{Audience: r.Audience, Revision: 1, Epoch: 1, Unclustered: 1})
	})
	return changes, err
}

// DeleteMessage forgets a message as Forget does, because its author or the network deleted it; inbox is the deletion's
// inbox row. The message's row stays, without its text, as its place in the talk.
func (s *Store) DeleteMessage(ctx context.Context, persona string, inbox, message int64) (gone ForgetResult, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("delete message %d", message), func(tx *db.Tx) error {
		gone = ForgetResult{}
		m, room, err := log.ResolveAction(tx, inbox, message)
		if err != nil {
			return err
		}
		gone, err = deleteMessage(tx, persona, m, room)
		return err
	})
	return gone, err
}

// deleteMessage forgets a message with everything derived from it. A message of the persona loses only its text.
func deleteMessage(tx *db.Tx, persona string, m model.Message, room model.Room) (ForgetResult, error) {
	if m.Text == "" {
		return ForgetResult{}, nil
	}
	f, err := messageEraser(tx, persona, m, room)
	if err != nil {
		return ForgetResult{}, err
	}
	if m.PersonID == 0 {
		err = errors.Join(f.removeReply(m), scope.Advance(tx, persona, model.ScopeRevision{Audience: room.Audience(), Epoch: 1}))
	} else {
		err = f.run()
	}
	return f.gone, errors.Join(err, tx.MarkErased())
}
