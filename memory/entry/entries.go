package entry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
)

// NewMemory is a memory that the operator or a job creates. Messages become memories in RecordTurn.
type NewMemory struct {
	Persona string
	// Audience is who may see the memory.
	Audience model.Audience
	// Origin is Told or Inferred.
	Origin model.Origin
	// SessionID is the session that the memory summarizes or belongs to, 0 for none.
	SessionID int64
	Sector    model.Sector
	// Kind is the kind of inferred memory, empty for what the operator tells.
	Kind        model.Kind
	Text        string
	Salience    float64 // 0–1
	Instruction bool
	Pinned      bool
	// EventFrom and EventUntil bound the time the text speaks of, zero when it names none.
	EventFrom, EventUntil time.Time
	// Entities are the names in the text, About the ids of the people it is about.
	Entities []string
	About    []int64
	// Tags label the memory. Expires is when it is removed, zero for never.
	Tags    []string
	Expires time.Time
	// Sources are the ids of the messages it was made from. An inferred memory needs at least one, and its audience
	// must be allowed to see all of them. A quotation of strangers (Kind.Foreign) that is for everybody has none.
	Sources []int64
	// Supersedes is the version that this one replaces, 0 for none.
	Supersedes int64
	// JobRun is the job run that made it, 0 for none.
	JobRun int64
}

// MemoryFilter narrows ListMemories. The zero value selects every memory of every persona, newest first.
type MemoryFilter struct {
	Persona string
	// PersonID selects what a person said or what is about them.
	PersonID int64
	// Room selects what was said in a room, by its stored id.
	Room int64
	// Session selects what was said in a session, or sums it up.
	Session int64
	Sector  model.Sector
	Origin  model.Origin
	// Kind selects one kind of inferred memory.
	Kind model.Kind
	// Tier and Tag select the memories in a tier and with a tag.
	Tier model.Tier
	Tag  string
	// Text selects memories that contain it, ignoring the case of ASCII letters.
	Text string
	// From and Until select what was said at or after one time and before another, zero for no bound.
	From, Until time.Time
	// Within selects what a memory contains.
	Within int64
	// IDs selects memories by number, all if nil.
	IDs []int64
	// Limit is how many to return, 100 when 0. Before selects ids below it, for the next page; After selects ids above it, those
	// nearest to it if they are more than Limit, for the page before.
	Limit         int
	Before, After int64
}

// MemoryColumns selects the columns that ScanMemory reads, from memories m. Append a WHERE clause.
const MemoryColumns = `SELECT m.id, m.persona, m.audience, m.audience_person, m.audience_room, m.origin, m.author_id,
	coalesce(p.name, ''), m.session_id, m.parent_id, m.sector, m.kind, m.text, m.salience, m.instruction, m.pinned, m.recalls,
	m.uses, m.recalled_at, m.event_from, m.event_until, m.supersedes, m.superseded_by, m.tier, m.strength, m.forget_at,
	m.expires_at, m.job_run_id, m.created_at, coalesce(r.title, '')
	FROM memories m LEFT JOIN people p ON p.id = m.author_id
	LEFT JOIN sessions s ON s.id = m.session_id LEFT JOIN rooms r ON r.id = s.room_id`

// ScanMemory reads a row of MemoryColumns. Sources and Entities stay empty.
func ScanMemory(row db.Scanner) (m model.Memory, err error) {
	var kind model.AudienceKind
	var person, room int64
	err = row.Scan(&m.ID, &m.Persona, &kind, db.IntoID(&person), db.IntoID(&room), &m.Origin, db.IntoID(&m.AuthorID),
		&m.Author, db.IntoID(&m.SessionID), db.IntoID(&m.ParentID), &m.Sector, &m.Kind, &m.Text, &m.Salience, &m.Instruction, &m.Pinned,
		&m.Recalls, &m.Uses, db.IntoTime(&m.RecalledAt), db.IntoTime(&m.EventFrom), db.IntoTime(&m.EventUntil),
		db.IntoID(&m.Supersedes), db.IntoID(&m.SupersededBy), &m.Tier, &m.Strength, db.IntoTime(&m.ForgetAt), db.IntoTime(&m.Expires),
		db.IntoID(&m.JobRun), db.IntoTime(&m.Created), &m.RoomTitle)
	m.Audience = scope.IntoAudience(kind, person, room)
	return m, err
}

// ListMemories lists memories across rooms and people, newest first, without their sources and entities. It is for
// operators and jobs; a reply must never be made from it, because it ignores audiences.
func (s *Store) ListMemories(ctx context.Context, f MemoryFilter) ([]model.Memory, error) {
	return s.list(ctx, "list memories", f, "", nil)
}

// Visible is ListMemories of what may be seen in v.
func (s *Store) Visible(ctx context.Context, v scope.Visibility, f MemoryFilter) ([]model.Memory, error) {
	f.Persona = v.Persona()
	seen, args := v.Where("m")
	return s.list(ctx, "list visible memories", f, " AND "+seen, args)
}

// list lists the memories that fit a filter and a further condition.
func (s *Store) list(ctx context.Context, what string, f MemoryFilter, also string, more []any) (memories []model.Memory, err error) {
	where, args := f.where()
	order := "DESC"
	if f.After != 0 {
		order = "ASC"
	}
	err = s.db.Read(ctx, what, func(tx *db.Tx) error {
		memories, err = db.Collect[model.Memory](tx.Query(MemoryColumns+` WHERE `+where+also+` ORDER BY m.id `+order+` LIMIT ? + 0`,
			slices.Concat(args, more, []any{db.LimitOr(f.Limit, 100)})...))(ScanMemory)
		return err
	})
	if f.After != 0 {
		slices.Reverse(memories)
	}
	return memories, err
}

func (f MemoryFilter) where() (string, []any) {
	where := Conditions(f)
	if f.Text != "" {
		where.And(`m.text LIKE ? ESCAPE '\'`, db.LikePattern(f.Text))
	}
	if f.Before != 0 {
		where.And("m.id < ?", f.Before)
	}
	if f.After != 0 {
		where.And("m.id > ?", f.After)
	}
	return where.String(), where.Args
}

// Conditions returns what a filter demands of a memory m beside its text and its page. That the persona and the kind are not empty
// lets SQLite use the indexes for lists; a plus sign keeps it from one that is not in the order of the list.
func Conditions(f MemoryFilter) (where db.Conditions) {
	switch {
	case f.Session != 0: // its own index is best
		where.And("m.session_id = ? AND (? = '' OR +m.persona = ?)", f.Session, f.Persona, f.Persona)
	case f.Persona != "":
		where.And("m.persona = ? AND m.persona <> ''", f.Persona)
	}
	if f.PersonID != 0 {
		where.And("(+m.author_id = ? OR +m.id IN (SELECT memory_id FROM memory_about WHERE person_id = ?))", f.PersonID, f.PersonID)
	}
	if f.Room != 0 {
		where.And("(+m.session_id IN (SELECT id FROM sessions WHERE room_id = ?) OR +m.audience_room = ?)", f.Room, f.Room)
	}
	if f.Sector != "" {
		where.And("m.sector = ?", f.Sector)
	}
	if f.Origin != "" {
		where.And("m.origin = ?", f.Origin)
	}
	if f.Kind != "" {
		where.And("m.kind = ? AND m.kind <> ''", f.Kind)
	}
	if f.Tier != "" {
		where.And("+m.tier = ?", f.Tier)
	}
	if f.Tag != "" {
		where.And("m.id IN (SELECT memory_id FROM memory_tags WHERE tag = ?)", NormalizeTag(f.Tag))
	}
	if !f.From.IsZero() {
		where.And("m.created_at >= ?", db.Millis(f.From))
	}
	if !f.Until.IsZero() {
		where.And("m.created_at < ?", db.Millis(f.Until))
	}
	if f.Within != 0 {
		where.And("m.id IN (SELECT to_id FROM memory_edges WHERE from_id = ? AND kind = 'contains')", f.Within)
	}
	if f.IDs != nil {
		in, args := db.Placeholders(f.IDs)
		where.And("m.id IN "+in, args...)
	}
	return where
}

// Memory returns one memory with its sources and entities, whatever its audience: for operators. It fails with
// ErrNotFound when there is none.
func (s *Store) Memory(ctx context.Context, id int64) (m model.Memory, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read memory %d", id), func(tx *db.Tx) error {
		m, err = Memory(tx, id)
		return err
	})
	return m, err
}

// Memory is Store.Memory within a transaction.
func Memory(tx *db.Tx, id int64) (model.Memory, error) {
	m, err := db.One(tx.QueryRow(MemoryColumns+` WHERE m.id = ?`, id), ScanMemory)
	if err != nil {
		return model.Memory{}, err
	}
	if m.Sources, err = SourcesOf(tx, id); err != nil {
		return model.Memory{}, err
	}
	if m.Tags, err = tagsOf(tx, id); err != nil {
		return model.Memory{}, err
	}
	m.Entities, err = db.Collect[string](tx.Query(`SELECT entity FROM memory_entities WHERE memory_id = ? ORDER BY entity`, id))(db.ScanText)
	return m, err
}

// SourcesOf returns the ids of the messages a memory was made from, ascending.
func SourcesOf(tx *db.Tx, memory int64) ([]int64, error) {
	return db.Collect[int64](tx.Query(`SELECT message_id FROM memory_sources WHERE memory_id = ? ORDER BY message_id`, memory))(db.ScanID)
}

// Remember stores what the operator tells or a job infers, and returns it. It refuses an inference without sources, or
// with sources that its audience may not see: a job must not carry private talk into a group.
func (s *Store) Remember(ctx context.Context, n NewMemory) (m model.Memory, err error) {
	err = s.db.Write(ctx, "remember for "+n.Persona, func(tx *db.Tx) error {
		id, err := Remember(tx, n)
		if err == nil {
			m, err = Memory(tx, id)
		}
		return err
	})
	return m, err
}

// Remember is Store.Remember within a transaction. It returns the new memory's id.
func Remember(tx *db.Tx, n NewMemory) (int64, error) {
	if err := Check(tx, n); err != nil {
		return 0, err
	}
	id, err := InsertMemory(tx, NewRow{
		Memory: model.Memory{
			Persona: n.Persona, Audience: n.Audience, Origin: n.Origin, SessionID: n.SessionID, Sector: n.Sector,
			Kind: n.Kind, Text: n.Text, Salience: n.Salience, Instruction: n.Instruction, Pinned: n.Pinned,
			EventFrom: n.EventFrom, EventUntil: n.EventUntil, Supersedes: n.Supersedes, Created: tx.Now,
			Sources: n.Sources, Entities: n.Entities, Expires: n.Expires, JobRun: n.JobRun,
		},
		About: n.About,
	})
	if err != nil {
		return 0, err
	}
	if err := AddTags(tx, id, n.Tags); err != nil {
		return 0, err
	}
	if n.Supersedes != 0 {
		changed, err := tx.Affect(`UPDATE memories SET superseded_by = ?
			WHERE id = ? AND persona = ? AND origin <> 'said' AND superseded_by IS NULL`, id, n.Supersedes, n.Persona)
		if err != nil {
			return 0, err
		}
		if changed == 0 {
			return 0, fmt.Errorf("supersede memory %d: it does not exist, is a message's own memory, or already has a newer version", n.Supersedes)
		}
		old, err := Locate(tx, n.Supersedes)
		if err != nil {
			return 0, err
		}
		// The older version may have had another audience than the newer. Nothing comes loose: what is told is not summed
		// up, and a summary's newer version is new.
		if err := scope.AdvanceMemories(tx, []scope.MemoryRef{old, {MemoryID: id, Persona: n.Persona, Audience: n.Audience}}, model.ScopeRevision{Epoch: 1}); err != nil {
			return 0, err
		}
	}
	return id, scope.Advance(tx, n.Persona, model.ScopeRevision{Audience: n.Audience, Revision: 1})
}

// Check fails if n cannot become a memory: what an inference needs is missing, or its sources must not be known to its audience, or are
// gone.
func Check(tx *db.Tx, n NewMemory) error {
	switch {
	case n.Persona == "":
		return errors.New("a memory needs a persona")
	case strings.TrimSpace(n.Text) == "":
		return errors.New("a memory needs a text")
	case n.Origin != model.OriginOperator && n.Origin != model.OriginJob:
		return fmt.Errorf("origin %q comes only from recording a turn: use %q or %q", n.Origin, model.OriginOperator, model.OriginJob)
	case n.Origin == model.OriginJob && len(n.Sources) == 0 && !(n.Kind.Foreign() && n.Audience.Kind == model.World):
		return errors.New("an inferred memory needs source messages")
	case n.Kind != "" && n.Origin != model.OriginJob:
		return fmt.Errorf("a memory of kind %q must be inferred by a job, but its origin is %q", n.Kind, n.Origin)
	case n.Kind != "" && !slices.Contains(model.Kinds, n.Kind):
		return fmt.Errorf("unknown kind %q", n.Kind)
	case n.Origin == model.OriginJob && n.Audience.Kind == model.World && (!n.Kind.Foreign() || len(n.Sources) > 0):
		return errors.New("an inferred memory cannot have the audience world: only the operator writes for everybody")
	}
	return checkSources(tx, n)
}

// NewRow is a memory row to insert, with the columns that model.Memory does not show. About are the ids of the people
// it is about, Told the kinds of facts that it tells.
type NewRow struct {
	model.Memory
	About []int64
	Told  uint64
	// Follows makes the latest memory of the session its parent.
	Follows bool
}

const insertMemory = `INSERT INTO memories (persona, audience, audience_person, audience_room, origin, author_id, session_id,
	parent_id, sector, kind, text, salience, instruction, pinned, event_from, event_until, supersedes, job_run_id, tier, lasts,
	forget_at, expires_at, created_at, told, stored_at)
	VALUES (?, ?, ?, ?, ?, ?, ?, CASE WHEN ? = 1 THEN (SELECT max(id) FROM memories WHERE session_id = ?) END,
	?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

// InsertMemory inserts a memory with its sources, entities and people, and returns its id. It does not check them and
// does not advance the scope: the caller does both.
func InsertMemory(tx *db.Tx, m NewRow) (int64, error) {
	var links memoryLinks
	id, err := links.insert(tx, m)
	if err != nil {
		return 0, err
	}
	return id, links.store(tx)
}

// InsertMemories is InsertMemory for several memories, in order.
func InsertMemories(tx *db.Tx, memories []NewRow) error {
	var links memoryLinks
	for _, m := range memories {
		if _, err := links.insert(tx, m); err != nil {
			return err
		}
	}
	return links.store(tx)
}

// memoryLinks are rows that refer to new memories.
type memoryLinks struct{ sources, entities [][]any }

// insert inserts the row of a memory and collects what refers to it.
func (l *memoryLinks) insert(tx *db.Tx, m NewRow) (int64, error) {
	lasts, forgetAt := fadeColumns(tx.Decay, m.Memory, tx.Now)
	id, err := tx.Insert(insertMemory, m.Persona, m.Audience.Kind, m.Audience.Person(), m.Audience.Room(), m.Origin,
		db.NullID(m.AuthorID), db.NullID(m.SessionID), m.Follows, db.NullID(m.SessionID), m.Sector, m.Kind, m.Text, m.Salience,
		m.Instruction, m.Pinned, db.NullMillis(m.EventFrom), db.NullMillis(m.EventUntil), db.NullID(m.Supersedes), db.NullID(m.JobRun),
		initialTier(m.Memory), lasts, forgetAt, db.NullMillis(m.Expires), db.Millis(m.Created), int64(m.Told), tx.NowMillis())
	if err != nil {
		return 0, err
	}
	for _, message := range slices.Compact(slices.Sorted(slices.Values(m.Sources))) {
		l.sources = append(l.sources, []any{id, message})
	}
	for _, entity := range NormalizeEntities(m.Entities) {
		l.entities = append(l.entities, []any{id, entity})
	}
	for _, person := range m.About {
		if _, err := tx.Exec(`INSERT INTO memory_about (memory_id, person_id) VALUES (?, ?) ON CONFLICT DO NOTHING`, id, person); err != nil {
			return 0, err
		}
	}
	return id, nil
}

// store inserts what was collected.
func (l *memoryLinks) store(tx *db.Tx) error {
	if err := tx.InsertRows("memory_sources (memory_id, message_id)", l.sources); err != nil {
		return err
	}
	return tx.InsertRows("memory_entities (memory_id, entity)", l.entities)
}

// MaxEntities is how many entities of one memory are kept: a pasted list of names would link it to everything.
const MaxEntities = 12

// NormalizeEntities returns entities as stored: normalized, without duplicates, in the order they were named,
// MaxEntities at most.
func NormalizeEntities(entities []string) []string {
	var out []string
	for _, e := range entities {
		if e = model.NormalizeValue(model.CleanName(e)); e != "" && !slices.Contains(out, e) && len(out) < MaxEntities {
			out = append(out, e)
		}
	}
	return out
}

// OperatorMemory is a memory of what the operator tells, annotated like a message. A private one is about the person of
// its audience.
func OperatorMemory(persona string, a model.Audience, text string, f model.Annotation, pinned bool) NewMemory {
	told := NewMemory{
		Persona: persona, Audience: a, Origin: model.OriginOperator, Sector: f.Sector, Text: text, Salience: f.Salience, Instruction: f.Instruction,
		Pinned: pinned, EventFrom: f.EventFrom, EventUntil: f.EventUntil, Entities: f.Analysis.Entities,
	}
	if a.Kind == model.Private {
		told.About = []int64{a.Ref}
	}
	return told
}

// initialTier returns the tier in which a memory starts.
func initialTier(m model.Memory) model.Tier {
	switch {
	case m.Origin == model.OriginOperator:
		return model.Long
	case m.Salience < salienceQuestion && !m.Pinned && !m.Instruction:
		return model.Sensory
	}
	return model.Short
}

// WorldNotes returns what the operator told any persona of the world, oldest first.
func (s *Store) WorldNotes(ctx context.Context) (notes []model.Memory, err error) {
	err = s.db.Read(ctx, "list what the operator told of the world", func(tx *db.Tx) error {
		notes, err = db.Collect[model.Memory](tx.Query(MemoryColumns+` WHERE m.audience = ? AND m.origin = ? ORDER BY m.id`,
			model.World, model.OriginOperator))(ScanMemory)
		return err
	})
	return notes, err
}
