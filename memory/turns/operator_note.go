package turns

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"familiar/channels"
	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/understand"
)

// NoteID returns an id made of text and time, so that writing the same note twice adds nothing.
func NoteID(text string, at time.Time) string {
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%d-%x", at.UnixMilli(), sum[:8])
}

// The operator is a person with an account: a note about somebody is stored as the operator's word, like anything one
// person says about another.
const (
	// OperatorChannel is the channel of the operator's account and of the rooms that hold the notes.
	OperatorChannel = "operator"
	// OperatorName is the operator's name where a source is shown.
	OperatorName = "the operator"
)

// RecordOperatorNote stores what the operator says about one person, to whom n must be private: n as a memory, and the
// claims of reading that are about a named person as beliefs on the operator's word. For that person these are hearsay
// and never replace what they said themselves. It refuses a note that is not private; lore for everybody goes through
// Remember.
func (s *Store) RecordOperatorNote(ctx context.Context, n entry.NewMemory, reading understand.Analysis) (m model.Memory, err error) {
	n.Origin = model.OriginOperator
	err = s.db.Write(ctx, "record a note for "+n.Persona, func(tx *db.Tx) error {
		if n.Audience.Kind != model.Private {
			return errors.New("a note about a person must be private to them")
		}
		id, err := recordOperatorNote(tx, n, reading)
		if err == nil {
			m, err = entry.Memory(tx, id)
		}
		return err
	})
	return m, err
}

func recordOperatorNote(tx *db.Tx, n entry.NewMemory, reading understand.Analysis) (int64, error) {
	id, err := entry.Remember(tx, n)
	if err != nil {
		return 0, err
	}
	operator, room, err := operatorRoom(tx, n.Audience.Ref)
	if err != nil {
		return 0, fmt.Errorf("find the operator's room for person %d: %w", n.Audience.Ref, err)
	}
	r := TurnWriter{Tx: tx, Turn: Turn{Persona: n.Persona, Room: room}, Audience: n.Audience, first: tx.Now, last: tx.Now}
	if err := r.openSession(); err != nil {
		return 0, err
	}
	message, fresh, err := r.appendMessage(operator, fmt.Sprintf("told-%d-%s", id, NoteID(n.Text, tx.Now)), "", n.Text, model.StoreAnalysis(reading), tx.Now, time.Time{})
	if err == nil && !fresh {
		err = errors.New("the same note was recorded at the same moment: try again")
	}
	if err != nil {
		return 0, err
	}
	if _, err := tx.Exec(`INSERT INTO memory_sources (memory_id, message_id) VALUES (?, ?)`, id, message); err != nil {
		return 0, err
	}
	if err := r.learnFromNote(operator, message, reading, tx.Now); err != nil {
		return 0, err
	}
	if err := r.noteSession(); err != nil {
		return 0, err
	}
	_, err = tx.Exec(`UPDATE sessions SET ended_at = ?, class = ? WHERE id = ?`, tx.NowMillis(), model.Routine, r.Done.SessionID)
	return id, err
}

// learnFromNote stores the claims that are not about the operator.
func (r *TurnWriter) learnFromNote(operator, message int64, reading understand.Analysis, at time.Time) error {
	reading.Claims = slices.DeleteFunc(slices.Clone(reading.Claims), func(c understand.Claim) bool { return c.Subject == "" })
	said := model.AnnotatedMessage{
		PersonID: operator, Message: channels.Message{Author: channels.Author{Name: OperatorName}}, Annotation: model.Annotation{Analysis: reading},
	}
	claims, err := r.attribute(said, message, at)
	if err != nil {
		return err
	}
	_, err = r.apply(claims)
	return err
}

// OperatorMessages returns the ids of the messages by which the operator wrote a memory.
func OperatorMessages(tx *db.Tx, memory int64) ([]int64, error) {
	return db.Collect[int64](tx.Query(`SELECT s.message_id FROM memory_sources s JOIN messages m ON m.id = s.message_id
		JOIN rooms r ON r.id = m.room_id WHERE s.memory_id = ? AND r.channel = ? ORDER BY s.message_id`, memory, OperatorChannel))(db.ScanID)
}

// operatorRoom returns the operator and the room for notes about a person. Only that person may hear the room, and they
// count as present in it, so that their name refers to them.
func operatorRoom(tx *db.Tx, person int64) (operator int64, room model.Room, err error) {
	handle := channels.Handle{Channel: OperatorChannel, ID: OperatorChannel}
	if err := log.CreatePerson(tx, handle, OperatorName, tx.NowMillis()); err != nil {
		return 0, model.Room{}, err
	}
	operator, err = db.One(tx.QueryRow(`SELECT person_id FROM handles WHERE channel = ? AND handle = ?`, handle.Channel, handle.ID), db.ScanID)
	if err != nil {
		return 0, model.Room{}, err
	}
	room, err = db.One(tx.QueryRow(log.SelectRooms+` WHERE channel = ? AND person_id = ? ORDER BY id`, OperatorChannel, person), log.ScanRoom)
	if !errors.Is(err, db.ErrNotFound) {
		return operator, room, err
	}
	// The name is unique, also after an import in which people have other ids.
	place := channels.Message{
		Room:      channels.Room{Channel: OperatorChannel, ID: fmt.Sprintf("%d-%d", person, tx.NowMillis())},
		RoomTitle: OperatorName, Direct: true, At: tx.Now,
	}
	if err := log.UpsertRoom(tx, place, person); err != nil {
		return 0, model.Room{}, err
	}
	if room, err = log.RoomByAddress(tx, place.Room); err == nil && room.PersonID != person {
		err = errors.New("its generated name is taken by another room: try again")
	}
	return operator, room, err
}
