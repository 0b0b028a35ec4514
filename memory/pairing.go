package memory

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"familiar/channels"
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
	// Life is how long the code is good for, Most how many may be pending on one channel.
	Life time.Duration
	Most int
}

// RequestPairing keeps the code and queues the words that tell it, in one transaction, and returns the room they are to
// be said in. It does nothing and returns the zero Room where the account has a code already, the event was answered
// before, or Most are pending. No person, message or memory is made of a stranger: what is kept is the account, the name
// it gives itself until the code expires, and the address of the room for a week.
func (s *Store) RequestPairing(ctx context.Context, r PairingRequest) (room Room, err error) {
	what := "answer a stranger on " + r.Message.Room.Channel
	var free bool
	err = s.read(ctx, what, func(tx *conn) (err error) {
		free, err = tx.mayPair(r)
		return err
	})
	if err != nil || !free {
		return Room{}, err
	}
	err = s.write(ctx, what, func(tx *conn) error {
		room = Room{}
		if err := tx.expirePairings(tx.now); err != nil {
			return err
		}
		if free, err := tx.mayPair(r); err != nil || !free {
			return err
		}
		room, err = tx.pair(r)
		return err
	})
	if err != nil {
		return Room{}, err
	}
	return room, nil
}

// mayPair says that the stranger is to be told a code.
func (c *conn) mayPair(r PairingRequest) (bool, error) {
	h := r.Message.Author.Handle
	var pending, theirs, told int
	if err := c.row(`SELECT count(*), count(CASE WHEN handle = ? THEN 1 END) FROM pairings WHERE channel = ? AND expires_at > ?`,
		h.ID, h.Channel, c.nowMS()).Scan(&pending, &theirs); err != nil {
		return false, err
	}
	if pending >= r.Most || theirs > 0 {
		return false, nil
	}
	err := c.row(`SELECT count(*) FROM outbox WHERE key = ?`, pairingKey(r)).Scan(&told)
	return told == 0, err
}

// pair keeps the code and queues the words. What stands in the room for the stranger is its address alone: it belongs to
// nobody until a message of theirs is let in.
func (c *conn) pair(r PairingRequest) (Room, error) {
	m := r.Message
	if _, err := c.exec(`INSERT INTO rooms (channel, room, thread, direct, created_at) VALUES (?, ?, ?, 1, ?)
		ON CONFLICT (channel, room, thread) DO NOTHING`, m.Room.Channel, m.Room.ID, m.Room.Thread, c.nowMS()); err != nil {
		return Room{}, err
	}
	room, err := c.roomOf(m.Room)
	if err != nil {
		return Room{}, err
	}
	if !room.Direct {
		return Room{}, fmt.Errorf("room %s is known as a group: have the channel name it differently", m.Room.Channel)
	}
	if _, err := c.exec(`INSERT INTO pairings (channel, handle, display, room_id, code, created_at, expires_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, m.Author.Handle.Channel, m.Author.Handle.ID, displayName(m.Author), room.ID, r.Code,
		c.nowMS(), ms(c.now.Add(r.Life))); err != nil {
		return Room{}, err
	}
	_, err = c.enqueue(r.Persona, room.ID, 0, Reply{Key: pairingKey(r), Text: r.Text, ReplyTo: m.ID, Via: m.ReplyData})
	return room, err
}

// pairingKey is the idempotency key of what a stranger is told, the same however often their message is delivered.
func pairingKey(r PairingRequest) string {
	m := r.Message
	event := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q", r.Persona, m.Room.Channel, m.Room.ID, m.Room.Thread, m.ID))
	return fmt.Sprintf("pairing-%x", event[:8])
}

// expirePairings forgets the codes that are no longer good, and does not tell them any more.
func (c *conn) expirePairings(now time.Time) error {
	if _, err := c.exec(`DELETE FROM outbox WHERE status = 'pending' AND message_id IS NULL AND key LIKE 'pairing-%'
		AND room_id IN (SELECT room_id FROM pairings WHERE expires_at <= ?)`, ms(now)); err != nil {
		return err
	}
	_, err := c.exec(`DELETE FROM pairings WHERE expires_at <= ?`, ms(now))
	return err
}

// Pairings are the accounts that wait for the operator, the one that has waited longest first.
func (s *Store) Pairings(ctx context.Context) (waiting []Pairing, err error) {
	err = s.read(ctx, "list who asked to talk", func(tx *conn) error {
		waiting, err = collect[Pairing](tx.rows(pairingColumns+` WHERE expires_at > ? ORDER BY created_at, code`, tx.nowMS()))(scanPairing)
		return err
	})
	return waiting, err
}

const pairingColumns = `SELECT channel, handle, display, code, created_at, expires_at FROM pairings`

func scanPairing(row scanner) (p Pairing, err error) {
	err = row.Scan(&p.Handle.Channel, &p.Handle.ID, &p.Name, &p.Code, intoTime(&p.Created), intoTime(&p.Expires))
	return p, err
}

// ApprovePairing lets in who was told the code, as people write codes: in either case, with spaces or dashes. It lets them
// into no group. It fails with ErrNotFound for a code that nobody was told or that has expired.
func (s *Store) ApprovePairing(ctx context.Context, code string) (let Allowed, err error) {
	code = strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(code))
	err = s.write(ctx, "approve a pairing", func(tx *conn) error {
		p, err := one(tx.row(pairingColumns+` WHERE code = ? AND expires_at > ?`, code, tx.nowMS()), scanPairing)
		if errors.Is(err, ErrNotFound) {
			return fmt.Errorf("%w: nobody waits with this code; codes expire, and a new message gets a new one", ErrNotFound)
		}
		if err != nil {
			return err
		}
		let = Allowed{Handle: p.Handle, Name: p.Name, Since: tx.now}
		return tx.allow(let)
	})
	return let, err
}

// What is left of strangers who were not let in: the addresses of their rooms, and that they were told a code there.
const (
	unclaimedRooms = `DELETE FROM rooms WHERE id IN (SELECT id FROM rooms r WHERE r.direct = 1 AND r.person_id IS NULL AND r.created_at < ?
		AND NOT EXISTS (SELECT 1 FROM pairings p WHERE p.room_id = r.id)
		AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.room_id = r.id) LIMIT ? + 0)`
	toldStrangers = `DELETE FROM outbox WHERE room_id IN (SELECT r.id FROM rooms r WHERE r.direct = 1 AND r.person_id IS NULL AND r.created_at < ?
		AND NOT EXISTS (SELECT 1 FROM pairings p WHERE p.room_id = r.id))`
)

// pruneStrangers removes what is left of those who asked before and were not let in.
func (c *conn) pruneStrangers(before int64) (int64, error) {
	if err := c.expirePairings(c.now); err != nil {
		return 0, err
	}
	if _, err := c.exec(toldStrangers, before); err != nil {
		return 0, err
	}
	return c.affect(unclaimedRooms, before, pruneAtOnce)
}
