package erase

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"familiar/channels"
	"familiar/internal/text"
	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/model"
)

// ErasePerson removes a person and everything of them, in one transaction: what they said and what the persona answered them,
// memories, beliefs, open items, the relationship, what is queued, their accounts and their rooms. What jobs made of them and of
// others together goes too, so that it is made again of what is left; what others said stays. Their accounts are strangers
// afterwards, and what they sent before is not received again. A turn or a job that is running cannot store what it read of them:
// it fails with log.ErrErased. It fails with ErrNotFound for an unknown person.
//
// When ErasePerson returns, the file holds no erased text as far as Forget says. In a file of more than 64 MB, which would keep
// turns waiting for more than a second, SecureDelete or the next Prune removes what is left in unused pages.
func (s *Store) ErasePerson(ctx context.Context, person int64) (gone ForgetResult, err error) {
	err = s.erasePerson(ctx, person, func(tx *db.Tx, done ForgetResult) error {
		gone = done
		return nil
	})
	return gone, err
}

// CountPerson returns what ErasePerson would remove now. It changes nothing.
func (s *Store) CountPerson(ctx context.Context, person int64) (gone ForgetResult, err error) {
	undo := errors.New("only counted")
	err = s.db.Write(ctx, fmt.Sprintf("count what is known of person %d", person), func(tx *db.Tx) error {
		f := personEraser{erased: &Erasure{}, counting: true}
		if err := f.erase(tx, person); err != nil {
			return err
		}
		gone = f.gone
		return undo
	})
	if errors.Is(err, undo) {
		err = nil
	}
	return gone, err
}

// Receipt is what an erased person is told.
type Receipt struct {
	Persona string
	// Room is where they asked: its address alone is kept until the receipt is sent, as for a stranger.
	Room channels.Room
	// Key is the answer's idempotency key. ReplyData is as for log.CommandAnswer.
	Key, ReplyData string
	Text           func(ForgetResult) string
}

// ErasePersonAndTell is ErasePerson, asked for by a command of the person, and the receipt, in one transaction. It returns the room
// that the receipt waits in.
func (s *Store) ErasePersonAndTell(ctx context.Context, person int64, r Receipt) (room model.Room, err error) {
	err = s.erasePerson(ctx, person, func(tx *db.Tx, gone ForgetResult) error {
		room, err = log.EnterStranger(tx, r.Room)
		if err != nil {
			return err
		}
		_, err = log.Enqueue(tx, r.Persona, room.ID, 0, model.Reply{Key: r.Key, Text: r.Text(gone), ReplyData: r.ReplyData})
		return err
	})
	return room, err
}

// SecureDelete rewrites the file, whatever its size, if data was erased since the last time.
func (s *Store) SecureDelete(ctx context.Context) error { return s.db.SecureDelete(ctx) }

func (s *Store) erasePerson(ctx context.Context, person int64, then func(*db.Tx, ForgetResult) error) error {
	return s.db.Write(ctx, fmt.Sprintf("erase person %d", person), func(tx *db.Tx) error {
		e := Erasure{At: tx.Now, Kind: KindPerson}
		f := personEraser{erased: &e}
		if err := f.erase(tx, person); err != nil {
			return err
		}
		if err := e.record(tx); err != nil {
			return err
		}
		return then(tx, f.gone)
	})
}

// personEraser erases one person within a transaction.
type personEraser struct {
	*db.Tx
	person model.Person
	erased *Erasure
	gone   ForgetResult
	// counting reports that nothing will stay erased: what takes long and counts nothing is left out.
	counting bool
	// inGroups finds replies to what was said in groups, everywhere those to the rest.
	inGroups, everywhere replyIndex
}

// erase erases a person and adds what goes to f.erased.
func (f *personEraser) erase(tx *db.Tx, person int64) (err error) {
	f.Tx, f.inGroups.groupsOf = tx, person
	if f.person, err = log.Person(tx, person); err != nil {
		return err
	}
	for _, step := range []func() error{f.shared, f.count, f.releaseFiles, f.removeStates, f.markNamed, f.leaveTombstone, f.remove} {
		if err := step(); err != nil {
			return err
		}
	}
	return tx.MarkPersonErased()
}

// shared forgets, one by one, what others have a part in: their messages in groups with what was derived from them, what jobs made
// of them for others, and what the operator told of them.
func (f *personEraser) shared() error {
	if err := f.remakeSummaries(); err != nil {
		return err
	}
	said, err := db.Collect[int64](f.Query(`SELECT m.id FROM messages m JOIN rooms r ON r.id = m.room_id
		WHERE m.person_id = ? AND r.person_id IS DISTINCT FROM m.person_id ORDER BY m.id`, f.person.ID))(db.ScanID)
	if err != nil {
		return err
	}
	for _, id := range said {
		if err := f.forgetMessage(id); err != nil {
			return fmt.Errorf("forget message %d: %w", id, err)
		}
	}
	about, err := db.Collect[int64](f.Query(`SELECT m.id FROM memory_about a JOIN memories m ON m.id = a.memory_id
		WHERE a.person_id = ?1 AND m.origin <> 'said' AND m.audience_person IS DISTINCT FROM ?1
		UNION SELECT id FROM memories WHERE audience_person = ?1 AND origin = 'told' ORDER BY 1`, f.person.ID))(db.ScanID)
	if err != nil {
		return err
	}
	for _, id := range about {
		gone, err := forgetWith(f.Tx, id, f.erased, &f.everywhere)
		if err != nil && !errors.Is(err, db.ErrNotFound) { // with an earlier one of these
			return fmt.Errorf("forget memory %d: %w", id, err)
		}
		f.gone.add(gone)
	}
	return nil
}

// forgetMessage forgets a message in a group.
func (f *personEraser) forgetMessage(id int64) error {
	m, err := db.One(f.QueryRow(log.SelectMessages+` WHERE m.id = ?`, id), log.ScanMessage)
	if err != nil || m.Text == "" {
		return err
	}
	room, err := log.RoomByID(f.Tx, m.RoomID)
	if err != nil {
		return err
	}
	persona, err := db.One(f.QueryRow(`SELECT persona FROM messages WHERE id = ?`, id), db.ScanText)
	if err != nil {
		return err
	}
	gone, err := deleteMessageWith(f.Tx, persona, m, room, f.erased, &f.inGroups)
	f.gone.add(gone)
	return err
}

// remakeSummaries makes jobs sum up again what others said in the sessions of groups of which a summary goes.
func (f *personEraser) remakeSummaries() error {
	_, err := f.Exec(`UPDATE sessions SET refined_at = NULL WHERE refined_at IS NOT NULL AND id IN
		(SELECT i.session_id FROM messages m JOIN memory_sources s ON s.message_id = m.id JOIN memories i ON i.id = s.memory_id
			JOIN rooms r ON r.id = m.room_id WHERE m.person_id = ?1 AND r.person_id IS DISTINCT FROM ?1 AND i.origin = 'inferred')`, f.person.ID)
	return err
}

// count notes what the statements remove: for the receipt, and for the record of erasures.
func (f *personEraser) count() error {
	f.erased.People = append(f.erased.People, f.person.ID)
	f.gone.People++
	f.gone.Accounts += len(f.person.Handles)
	for _, c := range []struct {
		query string
		ids   *[]int64
		n     *int
	}{
		{`SELECT id FROM messages WHERE text <> '' AND person_id IS NOT NULL AND id IN ` + theirMessages, &f.erased.Messages, &f.gone.Messages},
		{`SELECT id FROM messages WHERE text <> '' AND person_id IS NULL AND id IN ` + theirMessages, &f.erased.Messages, &f.gone.Replies},
		{`SELECT id FROM memories WHERE id IN ` + theirMemories, &f.erased.Memories, &f.gone.Memories},
		{`SELECT id FROM beliefs WHERE id IN ` + theirBeliefs, nil, &f.gone.Beliefs},
		{`SELECT id FROM open_loops WHERE id IN ` + theirLoops, nil, &f.gone.Loops},
		{`SELECT id FROM rooms WHERE person_id = ?1`, nil, &f.gone.Rooms},
		{`SELECT id FROM outbox WHERE status = 'pending' AND room_id IN ` + theirRooms, nil, &f.gone.Unsent},
	} {
		ids, err := db.Collect[int64](f.Query(c.query, f.person.ID))(db.ScanID)
		if err != nil {
			return err
		}
		*c.n += len(ids)
		if c.ids != nil {
			*c.ids = append(*c.ids, ids...)
		}
	}
	return nil
}

// releaseFiles releases the attachments of their messages, also of those that wait or were given up.
func (f *personEraser) releaseFiles() error {
	files, err := db.Collect[string](f.Query(`SELECT DISTINCT file FROM message_files WHERE message_id IN `+theirMessages, f.person.ID))(db.ScanText)
	if err != nil {
		return err
	}
	waiting, err := db.Collect[log.InboxEntry](f.Query(log.SelectInbox+` WHERE status <> 'done' AND EXISTS
		(SELECT 1 FROM handles h WHERE h.person_id = ? AND h.channel = inbox.author_channel AND h.handle = inbox.author_handle)`, f.person.ID))(log.ScanInboxEntry)
	for _, w := range waiting {
		files = append(files, log.AttachmentFiles(f.Tx, w.Message)...)
	}
	f.OrphanedFiles = append(f.OrphanedFiles, files...)
	f.gone.Files += len(files)
	return err
}

// removeStates removes what channels and commands keep of them: every key or value that names one of their accounts or direct rooms.
func (f *personEraser) removeStates() error {
	names := map[string][]string{} // by channel
	for _, h := range f.person.Handles {
		names[h.Channel] = append(names[h.Channel], h.ID)
	}
	rooms, err := db.Collect[model.Room](f.Query(log.SelectRooms+` WHERE person_id = ?`, f.person.ID))(log.ScanRoom)
	if err != nil {
		return err
	}
	for _, r := range rooms {
		names[r.Channel] = append(names[r.Channel], r.Room.ID)
		if _, err := f.Exec(`DELETE FROM channel_shelf WHERE channel = ? AND key LIKE ?`, log.ProposalState, fmt.Sprintf("%d/%%", r.ID)); err != nil {
			return err
		}
	}
	type state struct{ channel, key, value string }
	states, err := db.Collect[state](f.Query(`SELECT channel, key, value FROM channel_shelf`))(func(row db.Scanner) (s state, err error) {
		err = row.Scan(&s.channel, &s.key, &s.value)
		return s, err
	})
	if err != nil {
		return err
	}
	for _, s := range states {
		if !slices.ContainsFunc(names[s.channel], func(id string) bool {
			return text.HasToken(s.key, id) || json.Valid([]byte(s.value)) && text.HasToken(s.value, id)
		}) {
			continue
		}
		if _, err := f.Exec(`DELETE FROM channel_shelf WHERE channel = ? AND key = ?`, s.channel, s.key); err != nil {
			return err
		}
	}
	return nil
}

// leaveTombstone keeps what they sent up to now from being received again.
func (f *personEraser) leaveTombstone() error {
	for _, h := range f.person.Handles {
		if _, err := f.Exec(`INSERT INTO erased_handles (hash, at) VALUES (?, ?) ON CONFLICT (hash) DO UPDATE SET at = max(erased_handles.at, excluded.at)`,
			log.HashHandle(h), db.Millis(f.erased.At)); err != nil {
			return err
		}
	}
	return nil
}

// remove runs the statements.
func (f *personEraser) remove() error {
	for _, q := range personStatements {
		if _, err := f.Exec(q, f.person.ID); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(strings.Fields(q), " "), err)
		}
	}
	return nil
}
