package lifecycle

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"familiar/memory/entry"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

// Outline selects a part of the tree of contains edges, for pages that show it piece by piece. It is for operators.
type Outline struct {
	Persona string
	// Within is the memory whose content is selected, 0 for the topics.
	Within int64
	// Person selects what somebody said or what only they may hear, 0 for everybody, and Sector a sector. A memory that contains
	// such memories is selected too.
	Person int64
	Sector model.Sector
}

// Branch is a memory in an Outline. Text is at most the beginning of its text.
type Branch struct {
	ID, Within int64
	// Children counts what it contains.
	Children int
	Author   int64
	Sector   model.Sector
	Kind     model.Kind
	Salience float64
	// Left is what is left of it now, 0–1.
	Left float64
	Text string
}

// branchText is how much of a text a Branch has, in characters.
const branchText = 240

// The conditions of an Outline on memories m, with its arguments ?1 to ?3 (where). What was replaced or has expired is no part of it.
const (
	there = `m.persona = ?1 AND m.superseded_by IS NULL AND (m.expires_at IS NULL OR m.expires_at > ?4)`
	meant = `(?2 = 0 OR m.author_id = ?2 OR m.audience_person = ?2) AND (?3 = '' OR m.sector = ?3)`
	// meantOrAbove also selects what contains such memories.
	meantOrAbove = `(?2 = 0 AND ?3 = '' OR ` + meant + ` OR EXISTS (SELECT 1 FROM memory_edges k JOIN memories c ON c.id = k.to_id
		WHERE k.from_id = m.id AND k.kind = 'contains' AND (?2 = 0 OR c.author_id = ?2) AND (?3 = '' OR c.sector = ?3)))`
)

func (o Outline) where(tx *db.Tx) []any {
	return []any{o.Persona, o.Person, string(o.Sector), tx.Now.UnixMilli()}
}

// Place is where a page of branches ends.
type Place struct {
	ID       int64
	Children int
}

// Branches returns the selected memories after a place, up to limit: topics with the most below them first, what a memory
// contains in the order of time.
func (s *Store) Branches(ctx context.Context, o Outline, after Place, limit int) (found []Branch, err error) {
	err = s.db.Read(ctx, "read the topics of "+o.Persona, func(tx *db.Tx) error {
		var ids []int64
		if o.Within == 0 {
			ids, err = o.topics(tx, after, limit)
		} else {
			ids, err = db.Collect[int64](tx.Query(`SELECT m.id FROM memory_edges e JOIN memories m ON m.id = e.to_id
				WHERE `+there+` AND `+meantOrAbove+` AND e.from_id = ?5 AND e.kind = 'contains' AND e.to_id > ?6 ORDER BY e.to_id LIMIT ?7 + 0`,
				append(o.where(tx), o.Within, after.ID, limit)...))(db.ScanID)
		}
		if err == nil {
			found, err = s.branches(tx, ids)
		}
		return err
	})
	return found, err
}

// topics returns memories that contain others and that nothing contains.
func (o Outline) topics(tx *db.Tx, after Place, limit int) ([]int64, error) {
	return db.Collect[int64](tx.Query(`SELECT m.id FROM
		(SELECT from_id AS id, count(*) AS n FROM memory_edges WHERE kind = 'contains' GROUP BY from_id) g JOIN memories m ON m.id = g.id
		WHERE `+there+` AND `+meantOrAbove+` AND (?5 = 0 OR g.n < ?6 OR g.n = ?6 AND g.id > ?5)
		AND NOT EXISTS (SELECT 1 FROM memory_edges w WHERE w.kind = 'contains' AND w.to_id = m.id)
		ORDER BY g.n DESC, g.id LIMIT ?7 + 0`, append(o.where(tx), after.ID, after.Children, limit)...))(db.ScanID)
}

// branches returns memories by id, in the order of the ids.
func (s *Store) branches(tx *db.Tx, ids []int64) (found []Branch, err error) {
	decay := s.db.Decay()
	for chunk := range slices.Chunk(ids, db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		read, err := db.Collect[Branch](tx.Query(`SELECT m.id, m.persona, coalesce((SELECT w.from_id FROM memory_edges w WHERE w.kind = 'contains' AND w.to_id = m.id), 0),
			(SELECT count(*) FROM memory_edges k WHERE k.from_id = m.id AND k.kind = 'contains'), coalesce(m.author_id, 0), m.sector, m.kind, m.salience,
			m.pinned, m.strength, m.created_at, m.recalled_at, substr(m.text, 1, `+strconv.Itoa(branchText+1)+`) FROM memories m WHERE m.id IN `+in, args...))(
			func(row db.Scanner) (b Branch, err error) {
				var m model.Memory
				err = row.Scan(&b.ID, &m.Persona, &b.Within, &b.Children, &b.Author, &b.Sector, &b.Kind, &b.Salience,
					&m.Pinned, &m.Strength, db.IntoTime(&m.Created), db.IntoTime(&m.RecalledAt), &b.Text)
				m.Sector, m.Salience = b.Sector, b.Salience
				b.Left = decay.Retention(m, tx.Now)
				b.Text = cutText(b.Text)
				return b, err
			})
		if err != nil {
			return nil, err
		}
		found = append(found, read...)
	}
	at := make(map[int64]int, len(ids))
	for i, id := range ids {
		at[id] = i
	}
	slices.SortFunc(found, func(a, b Branch) int { return at[a.ID] - at[b.ID] })
	return found, nil
}

// cutText shortens a text to branchText, and shows that it did.
func cutText(text string) string {
	if runes := []rune(text); len(runes) > branchText {
		return string(runes[:branchText]) + "…"
	}
	return text
}

// Map is the part of an Outline that fits on a map, each memory after what contains it.
type Map struct {
	Branches []Branch
	// Edges connect them, beside the containing.
	Edges []model.Edge
	// More reports that not everything fit.
	More bool
}

// recentLoose is among how many of the newest memories a Map looks for the most salient without a topic.
const recentLoose = 20_000

// Map returns at most limit memories: the topics with the most below them, what they contain, and the most salient of the newest
// memories without a topic.
func (s *Store) Map(ctx context.Context, o Outline, limit int) (m Map, err error) {
	err = s.db.Read(ctx, "draw the map of "+o.Persona, func(tx *db.Tx) error {
		m = Map{}
		ids, err := o.tree(tx, limit, &m.More)
		if err != nil {
			return err
		}
		if o.Within == 0 {
			loose, err := o.loose(tx, limit-len(ids)+1)
			if err != nil {
				return err
			}
			ids = append(ids, loose...)
		}
		if len(ids) > limit {
			ids, m.More = ids[:limit], true
		}
		if m.Branches, err = s.branches(tx, ids); err != nil {
			return err
		}
		m.Edges, err = edgesBetween(tx, ids, limit)
		return err
	})
	return m, err
}

// tree returns topics and what they contain, level by level. A quarter of the map is for topics at most.
func (o Outline) tree(tx *db.Tx, limit int, more *bool) (ids []int64, err error) {
	level := []int64{o.Within}
	if o.Within == 0 {
		most := max(1, limit/4)
		if level, err = o.topics(tx, Place{}, most+1); err != nil {
			return nil, err
		}
		if len(level) > most {
			level, *more = level[:most], true
		}
	}
	for len(level) > 0 {
		ids = append(ids, level...)
		if len(ids) > limit {
			return ids, nil
		}
		if level, err = o.below(tx, level, limit-len(ids)+1); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// below returns what memories contain, the most salient first.
func (o Outline) below(tx *db.Tx, level []int64, limit int) (ids []int64, err error) {
	for chunk := range slices.Chunk(level, db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		found, err := db.Collect[int64](tx.Query(`SELECT m.id FROM memory_edges e JOIN memories m ON m.id = e.to_id
			WHERE `+there+` AND `+meantOrAbove+` AND e.kind = 'contains' AND e.from_id IN `+in+` ORDER BY m.salience DESC, m.id LIMIT ? + 0`,
			slices.Concat(o.where(tx), args, []any{limit - len(ids)})...))(db.ScanID)
		if err != nil {
			return nil, err
		}
		if ids = append(ids, found...); len(ids) >= limit {
			break
		}
	}
	return ids, nil
}

// apart selects memories that neither contain nor are contained.
const apart = there + ` AND ` + meant + `
	AND NOT EXISTS (SELECT 1 FROM memory_edges e WHERE e.to_id = m.id AND e.kind = 'contains')
	AND NOT EXISTS (SELECT 1 FROM memory_edges e WHERE e.from_id = m.id AND e.kind = 'contains')`

// loose returns the most salient of the newest memories without a topic.
func (o Outline) loose(tx *db.Tx, limit int) ([]int64, error) {
	if limit <= 0 {
		return nil, nil
	}
	return db.Collect[int64](tx.Query(`SELECT n.id FROM (SELECT m.id, m.salience FROM memories m WHERE `+apart+`
		ORDER BY m.id DESC LIMIT ?5 + 0) n ORDER BY n.salience DESC, n.id DESC LIMIT ?6 + 0`, append(o.where(tx), recentLoose, limit)...))(db.ScanID)
}

// Loose returns the memories without a topic below an id, 0 for all, newest first, up to limit.
func (s *Store) Loose(ctx context.Context, o Outline, before int64, limit int) (found []Branch, err error) {
	err = s.db.Read(ctx, "read what has no topic in the memory of "+o.Persona, func(tx *db.Tx) error {
		ids, err := db.Collect[int64](tx.Query(`SELECT m.id FROM memories m WHERE `+apart+` AND (?5 = 0 OR m.id < ?5)
			ORDER BY m.id DESC LIMIT ?6 + 0`, append(o.where(tx), before, limit)...))(db.ScanID)
		if err == nil {
			found, err = s.branches(tx, ids)
		}
		return err
	})
	return found, err
}

// edgesBetween returns the strongest edges between memories.
func edgesBetween(tx *db.Tx, ids []int64, limit int) (edges []model.Edge, err error) {
	shown := make(map[int64]bool, len(ids))
	for _, id := range ids {
		shown[id] = true
	}
	for chunk := range slices.Chunk(ids, db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		found, err := db.Collect[model.Edge](tx.Query(`SELECT from_id, to_id, kind, weight FROM memory_edges
			WHERE from_id IN `+in+` AND kind <> 'contains' AND kind <> 'merged_into' ORDER BY weight DESC LIMIT ? + 0`, append(args, 4*limit)...))(
			func(row db.Scanner) (e model.Edge, err error) {
				err = row.Scan(&e.From, &e.To, &e.Kind, &e.Weight)
				return e, err
			})
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			if shown[e.To] {
				edges = append(edges, e)
			}
		}
	}
	slices.SortFunc(edges, func(a, b model.Edge) int { return cmp.Compare(b.Weight, a.Weight) })
	return edges[:min(len(edges), limit)], nil
}

// Heard returns the people whose private memories persona has, by name, up to limit.
func (s *Store) Heard(ctx context.Context, persona string, limit int) (people []model.Person, err error) {
	err = s.db.ReadOne(ctx, "list the people of "+persona, func(tx *db.Tx) error {
		people, err = db.Collect[model.Person](tx.Query(`WITH RECURSIVE heard(id) AS (
			SELECT min(audience_person) FROM memories WHERE persona = ?1 AND audience = 'private'
			UNION ALL SELECT (SELECT min(audience_person) FROM memories WHERE persona = ?1 AND audience = 'private' AND audience_person > heard.id)
				FROM heard WHERE heard.id IS NOT NULL)
			SELECT p.id, p.name FROM heard JOIN people p ON p.id = heard.id ORDER BY p.name, p.id LIMIT ?2 + 0`, persona, limit))(
			func(row db.Scanner) (p model.Person, err error) {
				err = row.Scan(&p.ID, &p.Name)
				return p, err
			})
		return err
	})
	return people, err
}

// maxDepth bounds how far PathTo climbs.
const maxDepth = 100

// PathTo returns a memory of persona after what contains it, from its topic on; nothing for 0. It fails with ErrNotFound if persona
// has no such memory.
func (s *Store) PathTo(ctx context.Context, persona string, id int64) (path []Branch, err error) {
	if id == 0 {
		return nil, nil
	}
	err = s.db.Read(ctx, fmt.Sprintf("find what contains memory %d", id), func(tx *db.Tx) error {
		if ref, err := entry.Locate(tx, id); err != nil || ref.Persona != persona {
			return cmp.Or(err, db.ErrNotFound)
		}
		ids := []int64{id}
		for at := id; len(ids) < maxDepth; ids = append(ids, at) {
			if at, err = containerOf(tx, at); err != nil || at == 0 {
				break
			}
		}
		if err == nil {
			slices.Reverse(ids)
			path, err = s.branches(tx, ids)
		}
		return err
	})
	return path, err
}
