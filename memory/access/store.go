package access

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/internal/secret"
	"familiar/memory/log"
	"familiar/memory/model"
)

// Store keeps grants.
type Store struct{ db *db.DB }

// New returns the grants in d.
func New(d *db.DB) *Store { return &Store{db: d} }

// Create stores a grant and returns its token, which is not stored and cannot be shown again. random gives its secret. It
// fails with db.ErrNotFound if there is no such person or room.
func (s *Store) Create(ctx context.Context, random io.Reader, g Grant) (token string, _ Grant, err error) {
	if token, err = secret.New(random); err != nil {
		return "", Grant{}, err
	}
	err = s.db.Write(ctx, "create an access for "+g.Client, func(tx *db.Tx) error {
		if err := g.Validate(tx.Now); err != nil {
			return err
		}
		if g.Kind == Person {
			if _, err := log.Person(tx, g.PersonID); err != nil {
				return err
			}
		}
		if g.Kind == Room {
			if _, err := log.RoomByID(tx, g.RoomID); err != nil {
				return err
			}
		}
		g.Created = tx.Now
		g.ID, err = db.One(tx.QueryRow(`INSERT INTO grants (hash, client, persona, kind, person_id, room_id, first_hand, read_only, created_at, expires_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`, secret.Fingerprint(token), g.Client, g.Persona, g.Kind, db.NullID(g.PersonID), db.NullID(g.RoomID),
			g.FirstHand, g.ReadOnly, tx.NowMillis(), db.NullMillis(g.Expires)), db.ScanID)
		return err
	})
	return token, g, err
}

// usedEvery is how exactly the last use is kept: no read becomes a write more often.
const usedEvery = time.Hour

// Authenticate returns the grant of a token. It fails with ErrRefused if there is none or it has expired.
func (s *Store) Authenticate(ctx context.Context, token string) (g Grant, err error) {
	err = s.db.ReadOne(ctx, "look up a token", func(tx *db.Tx) error {
		g, err = db.One(tx.QueryRow(`SELECT `+columns+` FROM grants WHERE hash = ? AND (expires_at IS NULL OR expires_at > ?)`, secret.Fingerprint(token), tx.NowMillis()), scan)
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return Grant{}, ErrRefused
	}
	if err != nil {
		return Grant{}, err
	}
	if now := s.db.Now(); now.Sub(g.LastUsed) >= usedEvery {
		err = s.db.Write(ctx, "record the use of a token", func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE grants SET used_at = ? WHERE id = ?`, tx.NowMillis(), g.ID)
			return err
		})
	}
	return g, err
}

// List returns all grants, oldest first, also those that have expired.
func (s *Store) List(ctx context.Context) (all []Grant, err error) {
	err = s.db.Read(ctx, "list the accesses of programs", func(tx *db.Tx) error {
		all, err = db.Collect[Grant](tx.Query(`SELECT ` + columns + ` FROM grants ORDER BY id`))(scan)
		return err
	})
	return all, err
}

// Revoke makes a token invalid. It fails with db.ErrNotFound if there is no such grant.
func (s *Store) Revoke(ctx context.Context, id int64) (g Grant, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("revoke access %d", id), func(tx *db.Tx) error {
		g, err = db.One(tx.QueryRow(`DELETE FROM grants WHERE id = ? RETURNING `+columns, id), scan)
		return err
	})
	return g, err
}

// Visibility returns what the grant may see: for a person what a direct room with them sees, for a room what it sees, for the
// operator everything of the persona.
func (s *Store) Visibility(ctx context.Context, g Grant) (v scope.Visibility, err error) {
	err = s.db.Read(ctx, "find what "+g.Client+" may see", func(tx *db.Tx) error {
		switch g.Kind {
		case Person:
			room, found := directRoom(tx, g.PersonID)
			if found != nil {
				return found
			}
			v, err = scope.ReadVisibility(tx, g.Persona, room)
		case Room:
			room, found := log.RoomByID(tx, g.RoomID)
			if found != nil {
				return found
			}
			v, err = scope.ReadVisibility(tx, g.Persona, room)
		case Operator:
			audiences, found := db.Collect[model.Audience](tx.Query(`SELECT audience, ref FROM scopes WHERE persona = ? ORDER BY audience, ref`, g.Persona))(
				func(row db.Scanner) (a model.Audience, err error) { return a, row.Scan(&a.Kind, &a.Ref) })
			if found != nil {
				return found
			}
			v = scope.NewVisibility(g.Persona, audiences...)
		default:
			return fmt.Errorf("an access of kind %q sees nothing", g.Kind)
		}
		return err
	})
	return v, err
}

// directRoom returns the direct room in which a person spoke last, one without a number if there is none.
func directRoom(tx *db.Tx, person int64) (model.Room, error) {
	room, err := db.One(tx.QueryRow(log.SelectRooms+` WHERE direct = 1 AND person_id = ?1
		ORDER BY (SELECT p.last_spoke FROM room_people p WHERE p.room_id = rooms.id AND p.person_id = ?1) DESC NULLS LAST, id LIMIT 1`, person), log.ScanRoom)
	if errors.Is(err, db.ErrNotFound) {
		return model.Room{Direct: true, PersonID: person}, nil
	}
	return room, err
}

const columns = `id, client, persona, kind, person_id, room_id, first_hand, read_only, created_at, expires_at, used_at`

func scan(row db.Scanner) (g Grant, err error) {
	err = row.Scan(&g.ID, &g.Client, &g.Persona, &g.Kind, db.IntoID(&g.PersonID), db.IntoID(&g.RoomID), &g.FirstHand, &g.ReadOnly,
		db.IntoTime(&g.Created), db.IntoTime(&g.Expires), db.IntoTime(&g.LastUsed))
	return g, err
}
