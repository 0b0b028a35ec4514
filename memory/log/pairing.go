package log

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Pairing is an account that asked to talk and was told a code.
type Pairing struct {
	Handle channels.Handle
	// Name is what the account calls itself: for showing, never for identity.
	Name             string
	Code             string
	Created, Expires time.Time
}

// PairingRequest is a stranger's message that is answered with a code instead of a turn.
type PairingRequest struct {
	Persona string
	// Message is what they wrote, in their direct room. Nothing of its text is kept.
	Message channels.Message
	// Code is what the operator has to be told, Text how it is said to the stranger.
	Code, Text string
	// TTL is how long the code is good for, Most how many may be pending on one channel.
	TTL        time.Duration
	MaxPending int
}

// RequestPairing keeps the code and queues the words that tell it, in one transaction, and returns the room they are to
// be said in. It does nothing and returns the zero Room where the account has a code already, the event was answered
// before, or Most are pending. No person, message or memory is made of a stranger: what is kept is the account, the name
// it gives itself until the code expires, and the address of the room for a week.
func (s *Store) RequestPairing(ctx context.Context, r PairingRequest) (room model.Room, err error) {
	what := "answer a stranger on " + r.Message.Room.Channel
	var free bool
	err = s.db.Read(ctx, what, func(tx *db.Tx) (err error) {
		free, err = needsCode(tx, r)
		return err
	})
	if err != nil || !free {
		return model.Room{}, err
	}
	err = s.db.Write(ctx, what, func(tx *db.Tx) error {
		room = model.Room{}
		if err := ExpirePairings(tx, tx.Now); err != nil {
			return err
		}
		if free, err := needsCode(tx, r); err != nil || !free {
			return err
		}
		room, err = insertPairing(tx, r)
		return err
	})
	if err != nil {
		return model.Room{}, err
	}
	return room, nil
}

// needsCode says that the stranger is to be told a code.
func needsCode(tx *db.Tx, r PairingRequest) (bool, error) {
	h := r.Message.Author.Handle
	var pending, theirs, told int
	if err := tx.QueryRow(`SELECT count(*), count(CASE WHEN handle = ? THEN 1 END) FROM pairings WHERE channel = ? AND expires_at > ?`,
		h.ID, h.Channel, tx.NowMillis()).Scan(&pending, &theirs); err != nil {
		return false, err
	}
	if pending >= r.MaxPending || theirs > 0 {
		return false, nil
	}
	err := tx.QueryRow(`SELECT count(*) FROM outbox WHERE key = ?`, pairingKey(r)).Scan(&told)
	return told == 0, err
}

// insertPairing keeps the code and queues the words. What stands in the room for the stranger is its address alone: it belongs to
// nobody until a message of theirs is let in.
func insertPairing(tx *db.Tx, r PairingRequest) (model.Room, error) {
	m := r.Message
	if _, err := tx.Exec(`INSERT INTO rooms (channel, room, thread, direct, created_at) VALUES (?, ?, ?, 1, ?)
		ON CONFLICT (channel, room, thread) DO NOTHING`, m.Room.Channel, m.Room.ID, m.Room.Thread, tx.NowMillis()); err != nil {
		return model.Room{}, err
	}
	room, err := RoomByAddress(tx, m.Room)
	if err != nil {
		return model.Room{}, err
	}
	if !room.Direct {
		return model.Room{}, fmt.Errorf("room %s is known as a group: have the channel name it differently", m.Room.Channel)
	}
	if _, err := tx.Exec(`INSERT INTO pairings (channel, handle, display, room_id, code, created_at, expires_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, m.Author.Handle.Channel, m.Author.Handle.ID, DisplayName(m.Author), room.ID, r.Code,
		tx.NowMillis(), db.Millis(tx.Now.Add(r.TTL))); err != nil {
		return model.Room{}, err
	}
	_, err = Enqueue(tx, r.Persona, room.ID, 0, model.Reply{Key: pairingKey(r), Text: r.Text, ReplyTo: m.ID, ReplyData: m.ReplyData})
	return room, err
}

// pairingKey is the idempotency key of what a stranger is told, the same however often their message is delivered.
func pairingKey(r PairingRequest) string {
	m := r.Message
	event := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q", r.Persona, m.Room.Channel, m.Room.ID, m.Room.Thread, m.ID))
	return fmt.Sprintf("pairing-%x", event[:8])
}

// expirePairings forgets the codes that are no longer good, and does not tell them any more.
func ExpirePairings(tx *db.Tx, now time.Time) error {
	if _, err := tx.Exec(`DELETE FROM outbox WHERE status = 'pending' AND message_id IS NULL AND key LIKE 'pairing-%'
		AND room_id IN (SELECT room_id FROM pairings WHERE expires_at <= ?)`, db.Millis(now)); err != nil {
		return err
	}
	_, err := tx.Exec(`DELETE FROM pairings WHERE expires_at <= ?`, db.Millis(now))
	return err
}

// Pairings are the accounts that wait for the operator, the one that has waited longest first.
func (s *Store) Pairings(ctx context.Context) (waiting []Pairing, err error) {
	err = s.db.Read(ctx, "list who asked to talk", func(tx *db.Tx) error {
		waiting, err = db.Collect[Pairing](tx.Query(selectPairings+` WHERE expires_at > ? ORDER BY created_at, code`, tx.NowMillis()))(scanPairing)
		return err
	})
	return waiting, err
}

const selectPairings = `SELECT channel, handle, display, code, created_at, expires_at FROM pairings`

func scanPairing(row db.Scanner) (p Pairing, err error) {
	err = row.Scan(&p.Handle.Channel, &p.Handle.ID, &p.Name, &p.Code, db.IntoTime(&p.Created), db.IntoTime(&p.Expires))
	return p, err
}

// ApprovePairing lets in who was told the code, as people write codes: in either case, with spaces or dashes. It lets them
// into no group. It fails with ErrNotFound for a code that nobody was told or that has expired.
func (s *Store) ApprovePairing(ctx context.Context, code string) (let AllowedAccount, err error) {
	code = strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(code))
	err = s.db.Write(ctx, "approve a pairing", func(tx *db.Tx) error {
		p, err := db.One(tx.QueryRow(selectPairings+` WHERE code = ? AND expires_at > ?`, code, tx.NowMillis()), scanPairing)
		if errors.Is(err, db.ErrNotFound) {
			return fmt.Errorf("%w: nobody waits with this code; codes expire, and a new message gets a new one", db.ErrNotFound)
		}
		if err != nil {
			return err
		}
		let = AllowedAccount{Handle: p.Handle, Name: p.Name, Since: tx.Now}
		return allow(tx, let)
	})
	return let, err
}

// What is left of strangers who were not let in: the addresses of their rooms, and that they were told a code there.
const (
	DeleteUnclaimedRooms = `DELETE FROM rooms WHERE id IN (SELECT id FROM rooms r WHERE r.direct = 1 AND r.person_id IS NULL AND r.created_at < ?
		AND NOT EXISTS (SELECT 1 FROM pairings p WHERE p.room_id = r.id)
		AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.room_id = r.id) LIMIT ? + 0)`
	DeleteStrangerOutbox = `DELETE FROM outbox WHERE room_id IN (SELECT r.id FROM rooms r WHERE r.direct = 1 AND r.person_id IS NULL AND r.created_at < ?
		AND NOT EXISTS (SELECT 1 FROM pairings p WHERE p.room_id = r.id))`
)
