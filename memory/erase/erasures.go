package erase

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"familiar/memory/checkpoint"
	"familiar/memory/internal/db"
	"familiar/memory/log"
)

// Kinds of erasures.
const (
	// KindForget is that a memory was forgotten.
	KindForget = "forget"
	// KindPerson is that a person was erased.
	KindPerson = log.KindPersonErased
	// KindDelete is that a message was deleted.
	KindDelete = "delete"
	// KindExpire is that the time of a message was up.
	KindExpire = "expire"
	// KindDrop is that the operator dropped a message unsent.
	KindDrop = "drop"
	// KindWithdraw is that people took back their consent to training.
	KindWithdraw = "withdraw"
	// KindHighest erases nothing: it names the highest id of each kind that was ever given.
	KindHighest = "highest"
)

// Erasure is what was erased at once, without a word of it. It is stored in the same transaction.
type Erasure struct {
	ID   int64     `json:"id"`
	At   time.Time `json:"at"`
	Kind string    `json:"kind"`
	// People, Messages and Memories are ids. Messages includes replies of the persona.
	People   []int64 `json:"people,omitempty"`
	Messages []int64 `json:"messages,omitempty"`
	Memories []int64 `json:"memories,omitempty"`
	// Withdrawn are the ids of the people who took back their consent to training.
	Withdrawn []int64 `json:"withdrawn,omitempty"`
}

// Erasures returns what was erased at or after since, in the order of time, and at the end one erasure of KindHighest. A
// restored older copy takes the whole list: see ApplyErasures.
func (s *Store) Erasures(ctx context.Context, since time.Time) (all []Erasure, err error) {
	err = s.db.Read(ctx, "list the erasures", func(tx *db.Tx) error {
		all, err = db.Collect[Erasure](tx.Query(`SELECT id, at, kind, people, messages, memories, withdrawn FROM erasures WHERE at >= ? ORDER BY at, id`,
			db.Millis(since)))(scanErasure)
		if err != nil {
			return err
		}
		highest := Erasure{At: s.db.Now(), Kind: KindHighest}
		for _, list := range highest.lists() {
			id, err := tx.LastID(list.table)
			if err != nil {
				return err
			}
			*list.ids = []int64{id}
		}
		all = append(all, highest)
		return nil
	})
	return all, err
}

func scanErasure(row db.Scanner) (e Erasure, err error) {
	texts := make([]string, 4)
	if err := row.Scan(&e.ID, db.IntoTime(&e.At), &e.Kind, &texts[0], &texts[1], &texts[2], &texts[3]); err != nil {
		return e, err
	}
	for i, list := range e.lists() {
		if err := json.Unmarshal([]byte(texts[i]), list.ids); err != nil {
			return e, fmt.Errorf("erasure %d: the ids in %s: %w", e.ID, list.table, err)
		}
	}
	return e, nil
}

// idList is the ids of an erasure that are of rows in table.
type idList struct {
	table string
	ids   *[]int64
}

func (e *Erasure) lists() []idList {
	return []idList{{"people", &e.People}, {"messages", &e.Messages}, {"memories", &e.Memories}, {"people", &e.Withdrawn}}
}

// add adds the ids of another erasure.
func (e *Erasure) add(more Erasure) {
	theirs := more.lists()
	for i, list := range e.lists() {
		*list.ids = append(*list.ids, *theirs[i].ids...)
	}
}

// record stores the erasure, once. It does nothing if nothing was erased.
func (e *Erasure) record(tx *db.Tx) error {
	args, empty := []any{db.Millis(e.At), e.Kind}, true
	for _, list := range e.lists() {
		ids := append([]int64{}, db.Distinct(*list.ids)...) // never null in JSON
		text, err := json.Marshal(ids)
		if err != nil {
			return err
		}
		args, empty = append(args, string(text)), empty && len(ids) == 0
	}
	if empty {
		return nil
	}
	_, err := tx.Exec(`INSERT INTO erasures (at, kind, people, messages, memories, withdrawn) SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE NOT EXISTS
		(SELECT 1 FROM erasures WHERE at = ?1 AND kind = ?2 AND people = ?3 AND messages = ?4 AND memories = ?5 AND withdrawn = ?6)`, args...)
	return err
}

// ApplyErasures erases in a restored copy what was erased after the copy was made, and keeps the record of it, so that a backup
// of the restored copy passes it on. It may be applied again: ids that are absent are ignored. New rows get none of the listed
// ids, so that a later restore of yet another copy erases nobody else's. Each erasure is a transaction of its own.
func (s *Store) ApplyErasures(ctx context.Context, list []Erasure) (all ForgetResult, err error) {
	for _, e := range list {
		err := s.db.Write(ctx, fmt.Sprintf("apply erasure %d", e.ID), func(tx *db.Tx) error {
			gone, err := applyErasure(tx, e)
			if err == nil {
				all.add(gone)
			}
			return err
		})
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// applyErasure erases what is left of an erasure's rows.
func applyErasure(tx *db.Tx, e Erasure) (all ForgetResult, err error) {
	if err := reserveIDs(tx, e); err != nil || e.Kind == KindHighest {
		return all, err
	}
	done := Erasure{At: e.At, Kind: e.Kind}
	done.add(e)
	// A checkpoint may hold what is no longer remembered otherwise.
	copied, err := checkpoint.ForgetWith(tx, e.Messages, e.Memories)
	if err != nil {
		return all, err
	}
	done.add(Erasure{Memories: copied})
	if err := applyWithdrawals(tx, e); err != nil {
		return all, err
	}
	for _, id := range e.People {
		f := personEraser{erased: &done}
		err := f.erase(tx, id)
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return all, fmt.Errorf("erase person %d: %w", id, err)
		}
		all.add(f.gone)
	}
	for _, id := range e.Memories {
		gone, err := forget(tx, id, &done)
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return all, fmt.Errorf("forget memory %d: %w", id, err)
		}
		all.add(gone)
	}
	for _, id := range e.Messages {
		gone, err := deleteMessageByID(tx, id, &done)
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return all, fmt.Errorf("delete message %d: %w", id, err)
		}
		all.add(gone)
	}
	return all, e.record(tx)
}

// NoteWithdrawal puts on record that a person took back their consent to training.
func NoteWithdrawal(tx *db.Tx, person int64) error {
	note := Erasure{At: tx.Now, Kind: KindWithdraw, Withdrawn: []int64{person}}
	return note.record(tx)
}

// applyWithdrawals takes back the consents that were given before they were taken back.
func applyWithdrawals(tx *db.Tx, e Erasure) error {
	for _, id := range e.Withdrawn {
		if _, err := tx.Exec(`UPDATE training_consents SET given = 0, at = ?2 WHERE person_id = ?1 AND given = 1 AND at <= ?2`, id, db.Millis(e.At)); err != nil {
			return fmt.Errorf("take back the consent of person %d: %w", id, err)
		}
	}
	return nil
}

// reserveIDs keeps the ids of an erasure from being given to new rows.
func reserveIDs(tx *db.Tx, e Erasure) error {
	for _, list := range e.lists() {
		if len(*list.ids) == 0 {
			continue
		}
		highest := slices.Max(*list.ids)
		if err := tx.ReserveIDs(list.table, highest); err != nil {
			return fmt.Errorf("reserve the ids of %s: %w", list.table, err)
		}
	}
	return nil
}

// deleteMessageByID is deleteMessage for a message of any persona. It fails with ErrNotFound if there is no such message.
func deleteMessageByID(tx *db.Tx, id int64, e *Erasure) (ForgetResult, error) {
	m, err := db.One(tx.QueryRow(log.SelectMessages+` WHERE m.id = ?`, id), log.ScanMessage)
	if err != nil {
		return ForgetResult{}, err
	}
	room, err := log.RoomByID(tx, m.RoomID)
	if err != nil {
		return ForgetResult{}, err
	}
	persona, err := db.One(tx.QueryRow(`SELECT persona FROM messages WHERE id = ?`, id), db.ScanText)
	if err != nil {
		return ForgetResult{}, err
	}
	return deleteMessage(tx, persona, m, room, e)
}
