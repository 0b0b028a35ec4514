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

// Pairing is an account that asked to talk and received a code.
type Pairing struct {
	Handle channels.Handle
	// Name is the account's display name. It never identifies the account.
	Name             string
	Code             string
	Created, Expires time.Time
}

// PairingRequest is a stranger's message that is answered with a code instead of a turn.
type PairingRequest struct {
	Persona string
	// Message is their message in a direct room. Its text is not kept.
	Message channels.Message
	// Code is the code for the operator, Text the message that tells it to the stranger.
	Code, Text string
	// TTL is how long the code is valid, MaxPending how many codes may be pending on one channel.
	TTL        time.Duration
	MaxPending int
}

// RequestPairing stores the code, queues the message that tells it, in one transaction, and returns the room of the
// message. It does nothing and returns the zero Room if the account already has a code, the event was answered before,
// or MaxPending codes are pending. A stranger gets no person, message or memory: only the account and its display name
// are kept until the code expires, and the address of the room for a week.
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

// needsCode reports whether the stranger should receive a code.
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

// insertPairing stores the code and queues the message. The stranger's room is stored as an address only: it belongs to
// nobody until a message of theirs is accepted.
func insertPairing(tx *db.Tx, r PairingRequest) (model.Room, error) {
	m := r.Message
	room, err := EnterStranger(tx, m.Room)
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

// EnterStranger stores the address of a stranger's direct room, which belongs to nobody, and returns it. Prune removes it after a
// week.
func EnterStranger(tx *db.Tx, address channels.Room) (model.Room, error) {
	if _, err := tx.Exec(`INSERT INTO rooms (channel, room, thread, direct, created_at) VALUES (?, ?, ?, 1, ?)
		ON CONFLICT (channel, room, thread) DO NOTHING`, address.Channel, address.ID, address.Thread, tx.NowMillis()); err != nil {
		return model.Room{}, err
	}
	return RoomByAddress(tx, address)
}

// pairingKey is the idempotency key of the message to a stranger. It is the same for every delivery of the event.
func pairingKey(r PairingRequest) string {
	m := r.Message
	event := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q", r.Persona, m.Room.Channel, m.Room.ID, m.Room.Thread, m.ID))
	return fmt.Sprintf("pairing-%x", event[:8])
}

// ExpirePairings deletes expired codes and pending messages that tell them.
func ExpirePairings(tx *db.Tx, now time.Time) error {
	if _, err := tx.Exec(`DELETE FROM outbox WHERE status = 'pending' AND message_id IS NULL AND key LIKE 'pairing-%'
		AND room_id IN (SELECT room_id FROM pairings WHERE expires_at <= ?)`, db.Millis(now)); err != nil {
		return err
	}
	_, err := tx.Exec(`DELETE FROM pairings WHERE expires_at <= ?`, db.Millis(now))
	return err
}

// Pairings returns the accounts that wait for approval, the longest-waiting first.
func (s *Store) Pairings(ctx context.Context) (waiting []Pairing, err error) {
	err = s.db.Read(ctx, "list pending pairings", func(tx *db.Tx) error {
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

// ApprovePairing approves the account that received the code. Case, spaces and dashes in the code do not matter.
// Approval does not admit the account to any group. It fails with ErrNotFound for an unknown or expired code.
func (s *Store) ApprovePairing(ctx context.Context, code string) (let AllowedAccount, err error) {
	code = strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(code))
	err = s.db.Write(ctx, "approve a pairing", func(tx *db.Tx) error {
		p, err := db.One(tx.QueryRow(selectPairings+` WHERE code = ? AND expires_at > ?`, code, tx.NowMillis()), scanPairing)
		if errors.Is(err, db.ErrNotFound) {
			return fmt.Errorf("%w: no account waits with this code; codes expire, and a new message to the bot gets a new one", db.ErrNotFound)
		}
		if err != nil {
			return err
		}
		let = AllowedAccount{Handle: p.Handle, Name: p.Name, Since: tx.Now}
		return allow(tx, let)
	})
	return let, err
}

// Statements that delete what is left of strangers who were not approved: the addresses of their rooms, and the
// messages that told them a code. Their arguments are a time in milliseconds and, for rooms, a limit.
const (
	DeleteUnclaimedRooms = `DELETE FROM rooms WHERE id IN (SELECT id FROM rooms r WHERE r.direct = 1 AND r.person_id IS NULL AND r.created_at < ?
		AND NOT EXISTS (SELECT 1 FROM pairings p WHERE p.room_id = r.id)
		AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.room_id = r.id) LIMIT ? + 0)`
	DeleteStrangerOutbox = `DELETE FROM outbox WHERE room_id IN (SELECT r.id FROM rooms r WHERE r.direct = 1 AND r.person_id IS NULL AND r.created_at < ?
		AND NOT EXISTS (SELECT 1 FROM pairings p WHERE p.room_id = r.id))`
)
