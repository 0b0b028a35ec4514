package erase

import (
	"context"
	"errors"
	"fmt"

	"familiar/memory/entry"
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
		changes, err = edit(tx, persona, m, room, h, read)
		return err
	})
	return changes, err
}

// CorrectAndAnswer is Correct of the message that a memory was made of, asked for by a command of its author, and the answer to the
// command, in one transaction. It fails with ErrNotFound unless the memory is what the author of h said in one message.
func (s *Store) CorrectAndAnswer(ctx context.Context, persona string, memory int64, h model.AnnotatedMessage, read turns.Reanalysis, answer log.CommandAnswer) error {
	return s.db.Write(ctx, fmt.Sprintf("correct memory %d", memory), func(tx *db.Tx) error {
		said, err := entry.Memory(tx, memory)
		if err != nil {
			return err
		}
		if said.Origin != model.OriginMessage || len(said.Sources) != 1 {
			return db.ErrNotFound
		}
		if _, err := correct(tx, persona, said.Sources[0], h, read); err != nil {
			return err
		}
		return log.AnswerCommand(tx, answer)
	})
}

// Correct gives a message of the person of h the text of h, as an edit on their network would, and returns the text it had: what was
// derived from the old text is retracted, and the new text is read as if it had been said so. It fails with ErrNotFound unless the
// person said it to persona and it was not forgotten.
func (s *Store) Correct(ctx context.Context, persona string, message int64, h model.AnnotatedMessage, read turns.Reanalysis) (was string, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("correct message %d", message), func(tx *db.Tx) error {
		was, err = correct(tx, persona, message, h, read)
		return err
	})
	return was, err
}

func correct(tx *db.Tx, persona string, message int64, h model.AnnotatedMessage, read turns.Reanalysis) (was string, err error) {
	m, err := db.One(tx.QueryRow(log.SelectMessages+` WHERE m.id = ? AND m.persona = ?`, message, persona), log.ScanMessage)
	if err != nil {
		return "", err
	}
	if m.PersonID == 0 || m.PersonID != h.PersonID || m.Text == "" {
		return "", db.ErrNotFound
	}
	room, err := log.RoomByID(tx, m.RoomID)
	if err != nil || m.Text == h.Message.FullText() {
		return m.Text, err
	}
	_, err = edit(tx, persona, m, room, h, read)
	return m.Text, err
}

// edit gives a message the text of h.
func edit(tx *db.Tx, persona string, m model.Message, room model.Room, h model.AnnotatedMessage, read turns.Reanalysis) ([]model.BeliefChange, error) {
	text := h.Message.FullText()
	copies := Erasure{At: tx.Now, Kind: KindDelete}
	if _, err := forgetCopies(tx, persona, m.ID, &copies); err != nil { // nobody agreed to share the new text
		return nil, err
	}
	if err := copies.record(tx); err != nil {
		return nil, err
	}
	if err := retract(tx, persona, m, room); err != nil {
		return nil, fmt.Errorf("retract the old text: %w", err)
	}
	if _, err := tx.Exec(`UPDATE messages SET text = ?, analysis = '', analysis_version = 0, danger = '', edited_at = ? WHERE id = ?`, text, tx.NowMillis(), m.ID); err != nil {
		return nil, err
	}
	if len(log.AttachmentFiles(tx, h.Message)) > 0 { // it came with other files
		if err := errors.Join(log.UnlinkFiles(tx, []int64{m.ID}), log.LinkFiles(tx, m.ID, h.Message)); err != nil {
			return nil, err
		}
	}
	r := turns.TurnWriter{Tx: tx, Turn: turns.Turn{Persona: persona, Room: room}, Audience: room.Audience(), Done: turns.TurnResult{SessionID: m.SessionID}}
	if err := r.Reanalyze(h, m, text, read); err != nil {
		return nil, fmt.Errorf("read the new text: %w", err)
	}
	if err := tx.MarkErased(); err != nil {
		return nil, err
	}
	return r.Done.Changes, scope.Advance(tx, persona, model.ScopeRevision{Audience: r.Audience, Revision: 1, Epoch: 1, Unclustered: 1})
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
		e := Erasure{At: tx.Now, Kind: KindDelete}
		if gone, err = deleteMessage(tx, persona, m, room, &e); err != nil {
			return err
		}
		copies, err := forgetCopies(tx, persona, m.ID, &e)
		gone.add(copies)
		return errors.Join(err, e.record(tx))
	})
	return gone, err
}

// deleteMessage forgets a message with everything derived from it, and adds it to e. A message of the persona loses only its text.
func deleteMessage(tx *db.Tx, persona string, m model.Message, room model.Room, e *Erasure) (ForgetResult, error) {
	return deleteMessageWith(tx, persona, m, room, e, nil)
}

// deleteMessageWith is deleteMessage with an index that several of its calls share, nil for none.
func deleteMessageWith(tx *db.Tx, persona string, m model.Message, room model.Room, e *Erasure, index *replyIndex) (ForgetResult, error) {
	if m.Text == "" {
		return ForgetResult{}, nil
	}
	f, err := messageEraser(tx, persona, m, room)
	if err != nil {
		return ForgetResult{}, err
	}
	f.index = index
	if m.PersonID == 0 {
		err = errors.Join(f.removeReply(m), scope.Advance(tx, persona, model.ScopeRevision{Audience: room.Audience(), Epoch: 1}))
	} else {
		err = f.run()
	}
	e.add(f.erasure())
	return f.gone, errors.Join(err, tx.MarkErased())
}
