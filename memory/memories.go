package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// NewMemory is a memory to be made by the operator or by a job; what people say becomes memories in RecordTurn.
type NewMemory struct {
	Persona string
	// Audience is who may hear of it.
	Audience Audience
	// Origin is Told or Inferred.
	Origin Origin
	// SessionID is the session it sums up or belongs to, 0 for none.
	SessionID int64
	Sector    Sector
	// Kind is what a job makes it for, empty for what is told.
	Kind        Kind
	Text        string
	Salience    float64 // 0–1
	Instruction bool
	Pinned      bool
	// EventFrom and EventUntil bound the time it speaks of, zero when it names none.
	EventFrom, EventUntil time.Time
	// Entities are its waypoints, About whom it is about.
	Entities []string
	About    []int64
	// Tags file it, Expires ends it; zero for never.
	Tags    []string
	Expires time.Time
	// Sources are the messages it was made from: required for what is Inferred, all of them such as its audience may
	// hear.
	Sources []int64
	// Supersedes is the version of it that it replaces, 0 for none.
	Supersedes int64
	// JobRun is the run of the job that made it, 0 for none.
	JobRun int64
}

// MemoryFilter narrows ListMemories. The zero value is everything of every persona, newest first.
type MemoryFilter struct {
	Persona string
	// PersonID keeps what a person said or what is about them.
	PersonID int64
	// Room keeps what was said in a room, by its stored id.
	Room   int64
	Sector Sector
	// Kind keeps what a job made for that.
	Kind Kind
	// Tier and Tag keep what stands in the tier and what has the tag.
	Tier Tier
	Tag  string
	// Text keeps what contains it, ASCII letters of either case.
	Text string
	// Limit is how many to return, 100 when 0. Before keeps ids below it, for the next page.
	Limit  int
	Before int64
}

const memoryColumns = `SELECT m.id, m.persona, m.audience, m.audience_person, m.audience_room, m.origin, m.author_id,
	coalesce(p.name, ''), m.session_id, m.parent_id, m.sector, m.kind, m.text, m.salience, m.instruction, m.pinned, m.recalls,
	m.uses, m.recalled_at, m.event_from, m.event_until, m.supersedes, m.superseded_by, m.tier, m.strength, m.forget_at,
	m.expires_at, m.job_run_id, m.created_at, coalesce(r.title, '')
	FROM memories m LEFT JOIN people p ON p.id = m.author_id
	LEFT JOIN sessions s ON s.id = m.session_id LEFT JOIN rooms r ON r.id = s.room_id`

func scanMemory(row scanner) (m Memory, err error) {
	var kind AudienceKind
	var person, room int64
	err = row.Scan(&m.ID, &m.Persona, &kind, intoID(&person), intoID(&room), &m.Origin, intoID(&m.AuthorID),
		&m.Author, intoID(&m.SessionID), intoID(&m.ParentID), &m.Sector, &m.Kind, &m.Text, &m.Salience, &m.Instruction, &m.Pinned,
		&m.Recalls, &m.Uses, intoTime(&m.RecalledAt), intoTime(&m.EventFrom), intoTime(&m.EventUntil),
		intoID(&m.Supersedes), intoID(&m.SupersededBy), &m.Tier, &m.Strength, intoTime(&m.ForgetAt), intoTime(&m.Expires),
		intoID(&m.JobRun), intoTime(&m.Created), &m.RoomTitle)
	m.Audience = intoAudience(kind, person, room)
	return m, err
}

// ListMemories lists memories across rooms and people, newest first, without their sources and entities: for operators
// and jobs, never for what is spoken in a room.
func (s *Store) ListMemories(ctx context.Context, f MemoryFilter) (memories []Memory, err error) {
	where, args := f.where()
	err = s.read(ctx, "list memories", func(tx *conn) error {
		memories, err = collect[Memory](tx.rows(memoryColumns+` WHERE `+where+` ORDER BY m.id DESC LIMIT ? + 0`,
			append(args, limitOr(f.Limit, 100))...))(scanMemory)
		return err
	})
	return memories, err
}

func (f MemoryFilter) where() (string, []any) {
	var where conditions
	if f.Persona != "" {
		where.and("m.persona = ?", f.Persona)
	}
	if f.PersonID != 0 {
		where.and("(m.author_id = ? OR m.id IN (SELECT memory_id FROM memory_about WHERE person_id = ?))", f.PersonID, f.PersonID)
	}
	if f.Room != 0 {
		where.and("(s.room_id = ? OR m.audience_room = ?)", f.Room, f.Room)
	}
	if f.Sector != "" {
		where.and("m.sector = ?", f.Sector)
	}
	if f.Kind != "" {
		where.and("m.kind = ?", f.Kind)
	}
	if f.Tier != "" {
		where.and("m.tier = ?", f.Tier)
	}
	if f.Tag != "" {
		where.and("m.id IN (SELECT memory_id FROM memory_tags WHERE tag = ?)", foldTag(f.Tag))
	}
	if f.Text != "" {
		where.and(`m.text LIKE ? ESCAPE '\'`, containing(f.Text))
	}
	if f.Before != 0 {
		where.and("m.id < ?", f.Before)
	}
	return where.String(), where.args
}

// MemoriesFor lists what may be heard in a place, the salient before the rest and the newest first within both; 20 when
// limit is 0. Replaced versions are left out, and what is never recalled.
func (s *Store) MemoriesFor(ctx context.Context, h Hearing, limit int) (memories []Memory, err error) {
	err = s.read(ctx, "list what is remembered here", func(tx *conn) error {
		memories, err = tx.foremost(h, recalledKinds, nil, limitOr(limit, 20))
		return err
	})
	return memories, err
}

// Memory is one memory with its sources and entities, wherever it was said: for operators. ErrNotFound when there is
// none.
func (s *Store) Memory(ctx context.Context, id int64) (m Memory, err error) {
	err = s.read(ctx, fmt.Sprintf("read memory %d", id), func(tx *conn) error {
		m, err = tx.memory(id)
		return err
	})
	return m, err
}

func (c *conn) memory(id int64) (Memory, error) {
	m, err := one(c.row(memoryColumns+` WHERE m.id = ?`, id), scanMemory)
	if err != nil {
		return Memory{}, err
	}
	if m.Sources, err = c.sourcesOf(id); err != nil {
		return Memory{}, err
	}
	if m.Tags, err = c.tagsOf(id); err != nil {
		return Memory{}, err
	}
	m.Entities, err = collect[string](c.rows(`SELECT entity FROM memory_entities WHERE memory_id = ? ORDER BY entity`, id))(scanText)
	return m, err
}

func (c *conn) sourcesOf(memory int64) ([]int64, error) {
	return collect[int64](c.rows(`SELECT message_id FROM memory_sources WHERE memory_id = ? ORDER BY message_id`, memory))(scanID)
}

// Remember stores what the operator tells or a job infers, and returns it. It refuses an inference without sources, or
// with sources its audience may not hear: a job must not carry what was said in private into a group.
func (s *Store) Remember(ctx context.Context, n NewMemory) (m Memory, err error) {
	err = s.write(ctx, "remember for "+n.Persona, func(tx *conn) error {
		id, err := tx.remember(n)
		if err == nil {
			m, err = tx.memory(id)
		}
		return err
	})
	return m, err
}

func (c *conn) remember(n NewMemory) (int64, error) {
	if err := c.checkNew(n); err != nil {
		return 0, err
	}
	id, err := c.insertMemory(memoryRow{
		Memory: Memory{
			Persona: n.Persona, Audience: n.Audience, Origin: n.Origin, SessionID: n.SessionID, Sector: n.Sector,
			Kind: n.Kind, Text: n.Text, Salience: n.Salience, Instruction: n.Instruction, Pinned: n.Pinned,
			EventFrom: n.EventFrom, EventUntil: n.EventUntil, Supersedes: n.Supersedes, Created: c.now,
			Sources: n.Sources, Entities: n.Entities, Expires: n.Expires, JobRun: n.JobRun,
		},
		about: n.About,
	})
	if err != nil {
		return 0, err
	}
	if err := c.addTags(id, n.Tags); err != nil {
		return 0, err
	}
	if n.Supersedes != 0 {
		changed, err := c.affect(`UPDATE memories SET superseded_by = ?
			WHERE id = ? AND persona = ? AND origin <> 'said' AND superseded_by IS NULL`, id, n.Supersedes, n.Persona)
		if err != nil {
			return 0, err
		}
		if changed == 0 {
			return 0, fmt.Errorf("supersede memory %d: it is not there, was said by somebody, or has a newer version", n.Supersedes)
		}
		old, err := c.placedMemory(n.Supersedes)
		if err != nil {
			return 0, err
		}
		// The older version may have been heard by others than the newer. Nothing comes loose: what is told is not summed
		// up, and a summary's newer version is new.
		if err := c.moved([]placed{old, {id: id, persona: n.Persona, Audience: n.Audience}}, ScopeRevision{Epoch: 1}); err != nil {
			return 0, err
		}
	}
	return id, c.advance(n.Persona, ScopeRevision{Audience: n.Audience, Revision: 1})
}

func (c *conn) checkNew(n NewMemory) error {
	switch {
	case n.Persona == "":
		return errors.New("a memory needs a persona")
	case strings.TrimSpace(n.Text) == "":
		return errors.New("a memory needs a text")
	case n.Origin != Told && n.Origin != Inferred:
		return fmt.Errorf("origin %q is only made by recording a turn: use %q or %q", n.Origin, Told, Inferred)
	case n.Origin == Inferred && len(n.Sources) == 0:
		return errors.New("an inferred memory needs the messages it was made from")
	case n.Kind != "" && n.Origin != Inferred:
		return fmt.Errorf("a memory of kind %q is made by jobs alone, and its origin is %q", n.Kind, n.Origin)
	case n.Kind != "" && !slices.Contains(Kinds, n.Kind):
		return fmt.Errorf("kind %q is none that is known", n.Kind)
	case n.Origin == Inferred && n.Audience.Kind == World:
		return errors.New("an inferred memory cannot be for the world: only the operator tells everybody")
	}
	return c.checkSources(n)
}

// memoryRow is a memory with the columns only the store knows.
type memoryRow struct {
	Memory
	about []int64
	// follows makes the latest memory of the session its parent.
	follows bool
}

const insertMemory = `INSERT INTO memories (persona, audience, audience_person, audience_room, origin, author_id, session_id,
	parent_id, sector, kind, text, salience, instruction, pinned, event_from, event_until, supersedes, job_run_id, tier, lasts,
	forget_at, expires_at, created_at)
	VALUES (?, ?, ?, ?, ?, ?, ?, CASE WHEN ? THEN (SELECT max(id) FROM memories WHERE session_id = ?) END,
	?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

func (c *conn) insertMemory(m memoryRow) (int64, error) {
	lasts, forgetAt := c.fading.of(m.Memory, c.now)
	id, err := c.insert(insertMemory, m.Persona, m.Audience.Kind, m.Audience.person(), m.Audience.room(), m.Origin,
		nullID(m.AuthorID), nullID(m.SessionID), m.follows, nullID(m.SessionID), m.Sector, m.Kind, m.Text, m.Salience,
		m.Instruction, m.Pinned, nullMS(m.EventFrom), nullMS(m.EventUntil), nullID(m.Supersedes), nullID(m.JobRun),
		firstTier(m.Memory), lasts, forgetAt, nullMS(m.Expires), ms(m.Created))
	if err != nil {
		return 0, err
	}
	for _, message := range m.Sources {
		if _, err := c.exec(`INSERT INTO memory_sources (memory_id, message_id) VALUES (?, ?) ON CONFLICT DO NOTHING`, id, message); err != nil {
			return 0, err
		}
	}
	var entities [][]any
	for _, entity := range waypoints(m.Entities) {
		entities = append(entities, []any{id, entity})
	}
	if err := c.insertRows("memory_entities (memory_id, entity)", entities); err != nil {
		return 0, err
	}
	for _, person := range m.about {
		if _, err := c.exec(`INSERT INTO memory_about (memory_id, person_id) VALUES (?, ?) ON CONFLICT DO NOTHING`, id, person); err != nil {
			return 0, err
		}
	}
	return id, nil
}

// maxWaypoints bounds the entities kept of one memory: a pasted list of names links it to everything, which is nothing.
const maxWaypoints = 12

// waypoints are entities as stored: folded, each once, in the order they were named.
func waypoints(entities []string) []string {
	var out []string
	for _, e := range entities {
		if e = foldValue(CleanName(e)); e != "" && !slices.Contains(out, e) && len(out) < maxWaypoints {
			out = append(out, e)
		}
	}
	return out
}
