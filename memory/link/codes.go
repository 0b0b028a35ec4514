package link

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/model"
)

// fingerprint is what the store keeps of a code. Case, spaces and dashes do not matter.
func fingerprint(code string) []byte {
	sum := sha256.Sum256([]byte(strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(code))))
	return sum[:]
}

// Offer replaces the person's code by a new one, asked for in the answer's room, and queues the answer, which tells it.
func (s *Store) Offer(ctx context.Context, person int64, code string, answer log.CommandAnswer) error {
	return s.db.Write(ctx, fmt.Sprintf("offer a link code to person %d", person), func(tx *db.Tx) error {
		if _, err := tx.Exec(`DELETE FROM link_codes WHERE person_id = ? OR expires_at <= ?`, person, tx.NowMillis()); err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO link_codes (person_id, persona, room_id, hash, expires_at) VALUES (?, ?, ?, ?, ?)`,
			person, answer.Persona, answer.Room.ID, fingerprint(code), db.Millis(tx.Now.Add(CodeLifetime))); err != nil {
			return err
		}
		return log.AnswerCommand(tx, answer)
	})
}

// Burn makes those of some codes that exist invalid. It reports whether there was one.
func (s *Store) Burn(ctx context.Context, codes ...string) (burnt bool, err error) {
	var live int
	err = s.db.ReadOne(ctx, "look for link codes", func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT count(*) FROM link_codes`).Scan(&live)
	})
	if err != nil || live == 0 || len(codes) == 0 {
		return false, err
	}
	err = s.db.Write(ctx, "burn a link code", func(tx *db.Tx) error {
		for _, code := range codes {
			n, err := tx.Affect(`DELETE FROM link_codes WHERE hash = ?`, fingerprint(code))
			if err != nil {
				return err
			}
			burnt = burnt || n > 0
		}
		return nil
	})
	return burnt, err
}

// Request is a code that somebody sent in their direct room.
type Request struct {
	Person  int64
	Account channels.Handle
	Code    string
	// Answer is the answer to the person who sent it. Its text is set to what Told returns.
	Answer log.CommandAnswer
	// Told returns the texts about the result: answer for the person who sent the code, notice for the one who was given
	// it, in the room where it was asked for.
	Told func(Result) (answer, notice string)
}

// Result is who became one person.
type Result struct {
	// Person is who both are now.
	Person int64
	// Room is where the code was asked for.
	Room model.Room
}

// Redeem joins the account that sent a code with the person who was given it: both are one person afterwards. The code is
// used up, and both are told, all in one transaction. It fails with ErrWrongCode, ErrSameNetwork, ErrOwnCode or ErrTooMany; then the
// command is not answered yet, and what was counted is kept.
func (s *Store) Redeem(ctx context.Context, r Request) (done Result, err error) {
	var refused error
	err = s.db.Write(ctx, "redeem a link code", func(tx *db.Tx) error {
		done, refused = Result{}, nil
		free, err := mayGuess(tx, r.Account)
		if err != nil {
			return err
		}
		if !free {
			refused = ErrTooMany
			return nil
		}
		done, err = redeem(tx, r)
		switch {
		case errors.Is(err, ErrOwnCode):
			refused = err
			return nil
		case errors.Is(err, ErrWrongCode), errors.Is(err, ErrSameNetwork): // a code that was found so is used up
			refused = err
			return countGuess(tx, r.Account)
		}
		return err
	})
	return done, errors.Join(err, refused)
}

func redeem(tx *db.Tx, r Request) (done Result, err error) {
	var persona string
	owner, err := db.One(tx.QueryRow(`SELECT person_id, persona, room_id FROM link_codes WHERE hash = ? AND expires_at > ?`,
		fingerprint(r.Code), tx.NowMillis()), func(row db.Scanner) (owner int64, err error) {
		err = row.Scan(&owner, &persona, &done.Room.ID)
		return owner, err
	})
	if errors.Is(err, db.ErrNotFound) {
		return Result{}, ErrWrongCode
	}
	if err != nil {
		return Result{}, err
	}
	if owner == r.Person {
		return Result{}, ErrOwnCode
	}
	if _, err := tx.Exec(`DELETE FROM link_codes WHERE person_id IN (?, ?)`, owner, r.Person); err != nil {
		return Result{}, err
	}
	if done.Room, err = log.RoomByID(tx, done.Room.ID); err != nil {
		return Result{}, err
	}
	err = Join(tx, owner, r.Person)
	if err != nil {
		return Result{}, err
	}
	done.Person = owner
	answer, notice := r.Told(done)
	r.Answer.Text = answer
	if err := log.AnswerCommand(tx, r.Answer); err != nil {
		return Result{}, err
	}
	_, err = log.Enqueue(tx, persona, done.Room.ID, 0, model.Reply{Key: r.Answer.Key + "-notice", Text: notice})
	return done, err
}

// mayGuess reports whether a code of the account is looked at.
func mayGuess(tx *db.Tx, h channels.Handle) (bool, error) {
	var wrong, locked int
	err := tx.QueryRow(`SELECT (SELECT count(*) FROM link_guesses WHERE channel = ?1 AND handle = ?2 AND at > ?3),
		(SELECT count(*) FROM link_lock WHERE until > ?4)`, h.Channel, h.ID, db.Millis(tx.Now.Add(-GuessWindow)), tx.NowMillis()).Scan(&wrong, &locked)
	return wrong < GuessesPerAccount && locked == 0, err
}

// countGuess counts a wrong code and locks linking after too many.
func countGuess(tx *db.Tx, h channels.Handle) error {
	if _, err := tx.Exec(`DELETE FROM link_guesses WHERE at <= ?`, db.Millis(tx.Now.Add(-GuessWindow))); err != nil {
		return err
	}
	if _, err := tx.Exec(`INSERT INTO link_guesses (channel, handle, at) VALUES (?, ?, ?)`, h.Channel, h.ID, tx.NowMillis()); err != nil {
		return err
	}
	var wrong int
	if err := tx.QueryRow(`SELECT count(*) FROM link_guesses WHERE at > ?`, db.Millis(tx.Now.Add(-CodeLifetime))).Scan(&wrong); err != nil || wrong < GuessesOverall {
		return err
	}
	_, err := tx.Exec(`INSERT INTO link_lock (id, since, until) VALUES (1, ?1, ?2) ON CONFLICT (id) DO UPDATE SET since = ?1, until = ?2`,
		tx.NowMillis(), db.Millis(tx.Now.Add(LockTime)))
	return err
}

// Guesses is how many wrong codes were sent.
type Guesses struct {
	// Wrong are those of the last hour, by Accounts accounts.
	Wrong, Accounts int
	// LockedUntil is until when no code is accepted, zero if linking is not locked.
	LockedUntil time.Time
}

// Guesses returns how many wrong codes were sent in the last hour.
func (s *Store) Guesses(ctx context.Context) (g Guesses, err error) {
	err = s.db.ReadOne(ctx, "count wrong link codes", func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT count(*), count(DISTINCT channel || ':' || handle), (SELECT max(until) FROM link_lock WHERE until > ?2)
			FROM link_guesses WHERE at > ?1`, db.Millis(tx.Now.Add(-GuessWindow)), tx.NowMillis()).Scan(&g.Wrong, &g.Accounts, db.IntoTime(&g.LockedUntil))
	})
	return g, err
}
