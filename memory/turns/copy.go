package turns

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// CopyMessage stores what a person said in another room, with its memory, as said in room: its author wants it heard
// there. What it tells is learned for the audience of room; plans are not asked about twice. The copy vanishes when the
// message does.
func CopyMessage(tx *db.Tx, persona string, m model.Message, of model.Memory, room model.Room) error {
	r := TurnWriter{Tx: tx, Turn: Turn{Persona: persona, Room: room}, Audience: room.Audience(), first: m.At, last: m.At}
	if err := r.latestSession(); err != nil {
		return fmt.Errorf("find a session in room %d: %w", room.ID, err)
	}
	id, _, err := r.appendMessage(m.PersonID, fmt.Sprintf("copy-%d-%d", m.ID, tx.NowMillis()), "", m.Text, m.Stored, m.At, r.expiresAt(m.At))
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE messages SET (copied_from, vanishes_at, names_erased) = (SELECT id, vanishes_at, names_erased FROM messages WHERE id = ?1) WHERE id = ?2`, m.ID, id); err != nil {
		return err
	}
	said := model.AnnotatedMessage{PersonID: m.PersonID, Annotation: model.Annotation{
		Analysis: m.Stored.Or(understand.Utterance{Text: m.Text, At: m.At}), Stored: m.Stored, Sector: of.Sector, Salience: of.Salience,
		Instruction: of.Instruction, EventFrom: of.EventFrom, EventUntil: of.EventUntil,
	}}
	said.Message.Author.Name, said.Message.Room, said.Message.Direct = m.Name, room.Room, room.Direct
	said.Annotation.Analysis.Claims = slices.DeleteFunc(slices.Clone(said.Annotation.Analysis.Claims), func(c understand.Claim) bool {
		return !room.Direct && (c.Kind == rel.Plan || c.Kind == rel.Promise)
	})
	if err := errors.Join(r.understand(said, id, m.Text, m.At), r.remember()); err != nil {
		return fmt.Errorf("remember the copy: %w", err)
	}
	if err := r.learn(); err != nil {
		return fmt.Errorf("learn from the copy: %w", err)
	}
	return scope.Advance(tx, persona, model.ScopeRevision{Audience: r.Audience, Revision: 1, Epoch: 1, Unclustered: 1})
}

// latestSession continues the room's latest session, ended or not, so that a copy neither ends a talk nor starts one.
func (r *TurnWriter) latestSession() error {
	id, err := db.One(r.QueryRow(`SELECT coalesce(max(id), 0) FROM sessions WHERE persona = ? AND room_id = ?`, r.Turn.Persona, r.Turn.Room.ID), db.ScanID)
	if err != nil || id != 0 {
		r.Done.SessionID = cmp.Or(id, r.Done.SessionID)
		return err
	}
	if err := r.openSession(); err != nil {
		return err
	}
	_, err = r.Exec(`UPDATE sessions SET ended_at = ?, refined_at = ?, class = ? WHERE id = ?`, r.NowMillis(), r.NowMillis(), model.Routine, r.Done.SessionID)
	return err
}
