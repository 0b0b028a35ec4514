package login

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/secret"
	"familiar/memory/log"
)

// Store keeps login links and sessions.
type Store struct{ db *db.DB }

// New returns the links and sessions in d.
func New(d *db.DB) *Store { return &Store{db: d} }

// CreateLink stores a one-time link and returns its token, which is not stored and cannot be shown again. random gives its
// secret. A person has one link per persona: a new one replaces it. It fails with db.ErrNotFound if there is no such person.
func (s *Store) CreateLink(ctx context.Context, random io.Reader, l Link) (token string, err error) {
	if token, err = secret.New(random); err != nil {
		return "", err
	}
	return token, s.db.Write(ctx, "create a login link", func(tx *db.Tx) error { return createLink(tx, token, l) })
}

// LinkAndAnswer is CreateLink with the answer to the command that asked for it, in one transaction. answer gets the token.
func (s *Store) LinkAndAnswer(ctx context.Context, random io.Reader, l Link, answer func(token string) log.CommandAnswer) error {
	token, err := secret.New(random)
	if err != nil {
		return err
	}
	return s.db.Write(ctx, "create a login link and answer", func(tx *db.Tx) error {
		if err := createLink(tx, token, l); err != nil {
			return err
		}
		return log.AnswerCommand(tx, answer(token))
	})
}

func createLink(tx *db.Tx, token string, l Link) error {
	if err := l.validate(tx.Now); err != nil {
		return err
	}
	if l.Role == Person {
		if _, err := log.Person(tx, l.PersonID); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(`DELETE FROM login_links WHERE expires_at <= ?1 OR (person_id = ?2 AND persona = ?3)`, tx.NowMillis(), l.PersonID, l.Persona); err != nil {
		return err
	}
	_, err := tx.Exec(`INSERT INTO login_links (hash, role, persona, person_id, expires_at) VALUES (?, ?, ?, ?, ?)`,
		secret.Fingerprint(token), l.Role, l.Persona, db.NullID(l.PersonID), db.Millis(l.Expires))
	return err
}

// Redeem uses up a link and begins the session of a browser, which describes itself as browser. It returns the token of the
// session, which is not stored. However many ask at a time, one of them gets a session; the others fail with ErrLink, as do
// those with a token of no link.
func (s *Store) Redeem(ctx context.Context, random io.Reader, token, browser string) (sessionToken string, session Session, err error) {
	if sessionToken, err = secret.New(random); err != nil {
		return "", Session{}, err
	}
	if err := s.exists(ctx, token); err != nil {
		return "", Session{}, err
	}
	err = s.db.Write(ctx, "log a browser in", func(tx *db.Tx) error {
		l, err := db.One(tx.QueryRow(`DELETE FROM login_links WHERE hash = ? AND expires_at > ? RETURNING role, persona, person_id`,
			secret.Fingerprint(token), tx.NowMillis()), scanLink)
		if errors.Is(err, db.ErrNotFound) {
			return ErrLink
		}
		if err != nil {
			return err
		}
		session = Session{
			Role: l.Role, Persona: l.Persona, PersonID: l.PersonID, Browser: cleanBrowser(browser),
			Created: tx.Now, LastUsed: tx.Now, Expires: tx.Now.Add(l.Role.lifetime()),
		}
		if err := deleteExpired(tx); err != nil {
			return err
		}
		session.ID, err = tx.Insert(`INSERT INTO login_sessions (hash, role, persona, person_id, browser, created_at, used_at, expires_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, secret.Fingerprint(sessionToken), session.Role, session.Persona, db.NullID(session.PersonID), session.Browser,
			db.Millis(session.Created), db.Millis(session.LastUsed), db.Millis(session.Expires))
		return err
	})
	if err != nil {
		return "", Session{}, err
	}
	return sessionToken, session, nil
}

// exists fails with ErrLink if a token is of no link. Whoever guesses keeps no writer waiting.
func (s *Store) exists(ctx context.Context, token string) error {
	err := s.db.ReadOne(ctx, "look up a login link", func(tx *db.Tx) error {
		_, err := db.One(tx.QueryRow(`SELECT id FROM login_links WHERE hash = ?`, secret.Fingerprint(token)), db.ScanID)
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return ErrLink
	}
	return err
}

// usedEvery is how exactly the last use is kept: no read becomes a write more often.
const usedEvery = time.Hour

// Session returns the session of a token. It fails with ErrSession if there is none or it is over.
func (s *Store) Session(ctx context.Context, token string) (found Session, err error) {
	err = s.db.ReadOne(ctx, "look up the session of a browser", func(tx *db.Tx) error {
		found, err = db.One(tx.QueryRow(selectSessions+` WHERE hash = ? AND expires_at > ?`, secret.Fingerprint(token), tx.NowMillis()), scanSession)
		return err
	})
	now := s.db.Now()
	if errors.Is(err, db.ErrNotFound) || err == nil && !now.Before(found.endsUnused()) {
		return Session{}, ErrSession
	}
	if err != nil {
		return Session{}, err
	}
	if now.Sub(found.LastUsed) < usedEvery {
		return found, nil
	}
	err = s.db.Write(ctx, "record the use of a session", func(tx *db.Tx) error {
		n, err := tx.Affect(`UPDATE login_sessions SET used_at = ? WHERE id = ?`, tx.NowMillis(), found.ID)
		if err == nil && n == 0 {
			return ErrSession // it was ended meanwhile
		}
		return err
	})
	if err != nil {
		return Session{}, err
	}
	found.LastUsed = now
	return found, nil
}

// List returns the sessions that are not over, oldest first.
func (s *Store) List(ctx context.Context) (all []Session, err error) {
	err = s.db.Read(ctx, "list the sessions of browsers", func(tx *db.Tx) error {
		all, err = db.Collect[Session](tx.Query(selectSessions+` WHERE expires_at > ?1 AND used_at > ?1 - ?2 ORDER BY id`, tx.NowMillis(), idleLifetime.Milliseconds()))(scanSession)
		return err
	})
	return all, err
}

// End ends a session. It fails with db.ErrNotFound if there is no such session.
func (s *Store) End(ctx context.Context, id int64) (ended Session, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("end session %d of a browser", id), func(tx *db.Tx) error {
		ended, err = db.One(tx.QueryRow(`DELETE FROM login_sessions WHERE id = ? RETURNING `+sessionColumns, id), scanSession)
		return err
	})
	return ended, err
}

// EndAll ends every session and makes every link invalid. It returns the number of sessions that were not over.
func (s *Store) EndAll(ctx context.Context) (ended int, err error) {
	err = s.db.Write(ctx, "end the sessions of all browsers", func(tx *db.Tx) error {
		if err := deleteExpired(tx); err != nil {
			return err
		}
		n, err := tx.Affect(`DELETE FROM login_sessions`)
		if err != nil {
			return err
		}
		ended = int(n)
		_, err = tx.Exec(`DELETE FROM login_links`)
		return err
	})
	return ended, err
}

// deleteExpired deletes the sessions that are over.
func deleteExpired(tx *db.Tx) error {
	_, err := tx.Exec(`DELETE FROM login_sessions WHERE expires_at <= ?1 OR used_at <= ?1 - ?2`, tx.NowMillis(), idleLifetime.Milliseconds())
	return err
}

const (
	sessionColumns = `id, role, persona, person_id, browser, created_at, used_at, expires_at`
	selectSessions = `SELECT ` + sessionColumns + ` FROM login_sessions`
)

func scanSession(row db.Scanner) (s Session, err error) {
	err = row.Scan(&s.ID, &s.Role, &s.Persona, db.IntoID(&s.PersonID), &s.Browser, db.IntoTime(&s.Created), db.IntoTime(&s.LastUsed), db.IntoTime(&s.Expires))
	return s, err
}

func scanLink(row db.Scanner) (l Link, err error) {
	err = row.Scan(&l.Role, &l.Persona, db.IntoID(&l.PersonID))
	return l, err
}
