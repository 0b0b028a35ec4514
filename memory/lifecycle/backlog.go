package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/jobrun"
	"familiar/memory/model"
	"familiar/memory/recall"
)

// BacklogEntry summarizes what one author said in a scope since a job last read it.
type BacklogEntry struct {
	Audience model.Audience
	Author   int64
	// Memories counts the new memories, Last is the newest.
	Memories int
	Last     int64
}

const backlogQuery = `SELECT m.audience, m.audience_person, m.audience_room, m.author_id, count(*), max(m.id)
	FROM memories m LEFT JOIN job_marks k ON k.persona = m.persona AND k.job = ? AND k.audience = m.audience
		AND k.ref = coalesce(m.audience_person, m.audience_room)
	WHERE m.persona = ? AND m.id > ? AND m.id > coalesce(k.memory_id, 0) AND m.origin = 'said' AND m.audience <> 'world'
		AND m.author_id IS NOT NULL
	GROUP BY m.audience, m.audience_person, m.audience_room, m.author_id
	ORDER BY m.audience, m.audience_person, m.audience_room, m.author_id`

// Backlog lists what was said since a job last read it, by scope and author, the authors of a scope consecutively. last
// is the newest memory in the store: the cursor of a job that has read everything. Without news this reads almost
// nothing.
func (s *Store) Backlog(ctx context.Context, persona, job string) (news []BacklogEntry, last int64, err error) {
	err = s.db.Read(ctx, "read the backlog of "+job, func(tx *db.Tx) error {
		all, err := jobrun.ReadCursor(tx, persona, job, model.Audience{Kind: model.World})
		if err != nil {
			return err
		}
		if err := tx.QueryRow(`SELECT coalesce(max(id), 0) FROM memories`).Scan(&last); err != nil || last <= all {
			return err
		}
		news, err = db.Collect[BacklogEntry](tx.Query(backlogQuery, job, persona, all))(scanBacklogEntry)
		return err
	})
	return news, last, err
}

func scanBacklogEntry(row db.Scanner) (u BacklogEntry, err error) {
	var kind model.AudienceKind
	var person, room int64
	err = row.Scan(&kind, db.IntoID(&person), db.IntoID(&room), &u.Author, &u.Memories, &u.Last)
	u.Audience = scope.IntoAudience(kind, person, room)
	return u, err
}

// Cursors returns how far a job has read each scope. Scopes it never read are missing.
func (s *Store) Cursors(ctx context.Context, persona, job string) (map[model.Audience]int64, error) {
	marks := map[model.Audience]int64{}
	err := s.db.ReadOne(ctx, "read the cursors of "+job, func(tx *db.Tx) error {
		_, err := db.Collect[jobrun.Cursor](tx.Query(`SELECT audience, ref, memory_id FROM job_marks WHERE persona = ? AND job = ?`, persona, job))(
			func(row db.Scanner) (m jobrun.Cursor, err error) {
				if err = row.Scan(&m.Audience.Kind, &m.Audience.Ref, &m.Memory); err == nil {
					marks[m.Audience] = m.Memory
				}
				return m, err
			})
		return err
	})
	return marks, err
}

// SaidSince returns the newest things somebody said in a scope since a moment, oldest first, each with its message and
// entities; author 0 is everybody. It leaves out inferences, superseded and dormant memories, and those to be left
// alone. It is for jobs; a reply must never be made from it.
func (s *Store) SaidSince(ctx context.Context, persona string, a model.Audience, author int64, since time.Time, limit int) (said []model.Memory, err error) {
	clause, args := scope.MemoryCondition(a)
	if author != 0 {
		clause, args = clause+` AND m.author_id = ?`, append(args, author)
	}
	err = s.db.Read(ctx, fmt.Sprintf("read what was said in %s %d", a.Kind, a.Ref), func(tx *db.Tx) error {
		said, err = db.Collect[model.Memory](tx.Query(saidSinceQuery+clause+` ORDER BY m.id DESC LIMIT ? + 0`,
			append(append([]any{persona, db.Millis(since)}, args...), limit)...))(scanSaid)
		return err
	})
	slices.Reverse(said)
	return said, err
}

// entitySeparator separates the entities of one row. No name contains it.
const entitySeparator = "\x1f"

const saidSinceQuery = `SELECT m.id, m.audience, m.audience_person, m.audience_room, m.author_id, p.name, m.session_id, m.sector, m.text,
	m.salience, m.created_at, s.message_id,
	(SELECT coalesce(group_concat(e.entity, '` + entitySeparator + `'), '') FROM memory_entities e WHERE e.memory_id = m.id)
	FROM memories m JOIN people p ON p.id = m.author_id JOIN memory_sources s ON s.memory_id = m.id
	WHERE m.persona = ? AND m.created_at >= ? AND m.origin = 'said' AND m.superseded_by IS NULL AND m.tier <> 'dormant'
		AND m.apart = 0 AND `

func scanSaid(row db.Scanner) (m model.Memory, err error) {
	var kind model.AudienceKind
	var person, room, message int64
	var entities string
	err = row.Scan(&m.ID, &kind, db.IntoID(&person), db.IntoID(&room), &m.AuthorID, &m.Author, db.IntoID(&m.SessionID), &m.Sector, &m.Text,
		&m.Salience, db.IntoTime(&m.Created), &message, &entities)
	m.Audience, m.Origin, m.Sources = scope.IntoAudience(kind, person, room), model.OriginMessage, []int64{message}
	if entities != "" {
		m.Entities = strings.Split(entities, entitySeparator)
		slices.Sort(m.Entities)
	}
	return m, err
}

// Correction is a message that corrected a belief.
type Correction struct {
	// Author is who corrected it. SubjectPerson is whom the belief is about, 0 when Subject names something else.
	Author, SubjectPerson int64
	Subject, Relation     string
	MessageID             int64
}

// Corrections returns the messages of a scope that corrected a belief, oldest first: for jobs.
func (s *Store) Corrections(ctx context.Context, persona string, a model.Audience) (found []Correction, err error) {
	clause, args := scope.MemoryCondition(a)
	err = s.db.Read(ctx, fmt.Sprintf("read the corrections in %s %d", a.Kind, a.Ref), func(tx *db.Tx) error {
		found, err = db.Collect[Correction](tx.Query(`SELECT e.author_id, coalesce(m.subject_person, 0), m.subject, m.relation, e.message_id
			FROM beliefs m JOIN belief_evidence e ON e.belief_id = m.superseded_by AND e.stance = 1 AND e.message_id =
				(SELECT min(f.message_id) FROM belief_evidence f WHERE f.belief_id = m.superseded_by AND f.stance = 1)
			WHERE m.persona = ? AND m.replaced_why = 'corrected' AND `+clause+` ORDER BY e.message_id, m.id`,
			append([]any{persona}, args...)...))(func(row db.Scanner) (c Correction, err error) {
			err = row.Scan(&c.Author, &c.SubjectPerson, &c.Subject, &c.Relation, &c.MessageID)
			return c, err
		})
		return err
	})
	return found, err
}

// InferencesAbout returns the newest inferences of a kind about a person that may be spoken of in h, newest first; 5
// when limit is 0. Present them as inferences, not as facts.
func (s *Store) InferencesAbout(ctx context.Context, h scope.Visibility, person int64, kind model.Kind, limit int) (made []model.Memory, err error) {
	limit = db.LimitOr(limit, 5)
	err = s.db.Read(ctx, fmt.Sprintf("read each %s of person %d", kind, person), func(tx *db.Tx) error {
		for _, a := range h.Audiences() {
			some, err := db.Collect[model.Memory](tx.Query(inferencesAboutQuery, h.Persona(), kind, audienceRef(a, model.Private), audienceRef(a, model.InRoom), person, limit))(entry.ScanMemory)
			if err != nil {
				return err
			}
			made = append(made, some...)
		}
		return nil
	})
	return recall.Newest(made, limit), err
}

// InferenceOf returns the id of the newest inference of a kind about a person in one scope, 0 for none: for jobs.
func (s *Store) InferenceOf(ctx context.Context, persona string, a model.Audience, person int64, kind model.Kind) (id int64, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read the %s of person %d", kind, person), func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT coalesce(max(m.id), 0) FROM memories m JOIN memory_about o ON o.memory_id = m.id AND o.person_id = ?
			WHERE m.persona = ? AND m.kind = ? AND m.audience = ? AND coalesce(m.audience_person, m.audience_room, 0) = ? AND m.superseded_by IS NULL`,
			person, persona, kind, a.Kind, a.Ref).Scan(&id)
	})
	return id, err
}

// inferencesAboutQuery selects the inferences of one scope about a person, the newest of the kind first.
const inferencesAboutQuery = entry.MemoryColumns + ` WHERE m.persona = ? AND m.kind = ? AND coalesce(m.audience_person, 0) = ?
	AND coalesce(m.audience_room, 0) = ? AND m.kind <> '' AND m.superseded_by IS NULL AND m.tier <> 'dormant'
	AND EXISTS (SELECT 1 FROM memory_about o WHERE o.memory_id = m.id AND o.person_id = ?) ORDER BY m.id DESC LIMIT ? + 0`
