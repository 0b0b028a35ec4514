package scope

import (
	"slices"
	"strings"

	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Key identifies a scope: one persona and one audience.
type Key struct {
	Persona  string
	Audience model.Audience
}

// MemoryCondition returns the condition that a memory m belongs to an audience, with its arguments.
func MemoryCondition(a model.Audience) (string, []any) {
	switch a.Kind {
	case model.Private:
		return `m.audience = 'private' AND m.audience_person = ?`, []any{a.Ref}
	case model.InRoom:
		return `m.audience = 'room' AND m.audience_room = ?`, []any{a.Ref}
	default:
		return `m.audience = 'world'`, nil
	}
}

// MessageCondition returns the condition that a message m was said in the rooms of an audience, with its arguments. No
// message has the world audience.
func MessageCondition(a model.Audience) (string, []any) {
	switch a.Kind {
	case model.Private:
		return `m.room_id IN (SELECT id FROM rooms WHERE direct = 1 AND person_id = ?)`, []any{a.Ref}
	case model.InRoom:
		return `m.room_id = ?`, []any{a.Ref}
	default:
		return `1 = 0`, nil
	}
}

// Advance adds by's counters to those of by's scope of persona, in the running transaction.
func Advance(tx *db.Tx, persona string, by model.ScopeRevision) error {
	_, err := tx.Exec(`INSERT INTO scopes (persona, audience, ref, revision, epoch, beliefs, names, edges, loose)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (persona, audience, ref) DO UPDATE SET revision = scopes.revision + excluded.revision,
			epoch = scopes.epoch + excluded.epoch, beliefs = scopes.beliefs + excluded.beliefs,
			names = scopes.names + excluded.names, edges = scopes.edges + excluded.edges, loose = scopes.loose + excluded.loose`,
		persona, by.Audience.Kind, by.Audience.Ref, by.Revision, by.Epoch, by.Beliefs, by.Names, by.Edges, by.Unclustered)
	return err
}

// AdvanceNames records that a person or a room was renamed. It affects every scope, since any may mention the name;
// renames are rare.
func AdvanceNames(tx *db.Tx) error {
	_, err := tx.Exec(`UPDATE scopes SET names = names + 1, loose = loose + 1`)
	return err
}

// Revisions returns the counters of persona's scopes in the order of audiences. It uses the transaction's cache, since
// a turn asks for the same scopes repeatedly.
func Revisions(tx *db.Tx, persona string, audiences []model.Audience) ([]model.ScopeRevision, error) {
	if at := tx.Scopes.Lookup(persona, audiences); at != nil {
		return at, nil
	}
	at, err := readRevisions(tx, persona, audiences)
	if err == nil && tx.Scopes != nil {
		*tx.Scopes = db.ScopeCache{Persona: persona, Revisions: slices.Clone(at)}
	}
	return at, err
}

// selectRevision reads one scope. An IN would make SQLite build a table of its values, which takes longer than the reading.
const selectRevision = `SELECT audience, ref, revision, epoch, beliefs, names, edges FROM scopes WHERE persona = ? AND audience = ? AND ref = ?`

// revisionsTogether is how many scopes one statement reads at most: a turn asks for two or three.
const revisionsTogether = 8

func readRevisions(tx *db.Tx, persona string, audiences []model.Audience) ([]model.ScopeRevision, error) {
	at := make([]model.ScopeRevision, 0, len(audiences))
	for some := range slices.Chunk(audiences, revisionsTogether) {
		var args []any
		for _, a := range some {
			args = append(args, persona, a.Kind, a.Ref)
		}
		query := selectRevision + strings.Repeat(" UNION ALL "+selectRevision, len(some)-1)
		found, err := db.Collect[model.ScopeRevision](tx.Query(query, args...))(scanRevision)
		if err != nil {
			return nil, err
		}
		for _, a := range some {
			r := model.ScopeRevision{Audience: a}
			if i := slices.IndexFunc(found, func(f model.ScopeRevision) bool { return f.Audience == a }); i >= 0 {
				r = found[i]
			}
			at = append(at, r)
		}
	}
	return at, nil
}

func scanRevision(row db.Scanner) (r model.ScopeRevision, err error) {
	err = row.Scan(&r.Audience.Kind, &r.Audience.Ref, &r.Revision, &r.Epoch, &r.Beliefs, &r.Names, &r.Edges)
	return r, err
}
