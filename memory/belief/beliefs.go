package belief

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// Filter narrows Beliefs and ListBeliefs. The zero value selects every active belief.
type Filter struct {
	// Persona is used only by ListBeliefs: a Visibility has its own.
	Persona string
	// SubjectPerson selects beliefs about a person. Subject selects beliefs about a name: of a thing, or of the one
	// visible person with that name.
	SubjectPerson int64
	Subject       string
	// AuthorID selects the beliefs that rest on one person's word, 0 for everybody's.
	AuthorID int64
	// Relations selects these relations, all if empty.
	Relations []string
	// Status selects one status. If empty, it selects Active, or all with IncludeHistory.
	Status         model.BeliefStatus
	IncludeHistory bool
	// Before selects ids below it, for the next page of ListBeliefs. Ended selects those that do not hold any more there.
	Before int64
	Ended  bool
	// Limit is the maximum number of beliefs, 200 when 0.
	Limit int
}

// SelectBeliefs selects the columns that ScanBelief reads, from beliefs b.
const SelectBeliefs = `SELECT b.id, b.persona, b.audience, b.audience_person, b.audience_room, b.author_id, coalesce(a.name, ''),
	b.subject_person, coalesce(p.name, b.subject), b.relation, b.value, b.domain, b.status, b.valid_from, b.valid_to,
	b.superseded_by, b.replaced_why, b.created_at, b.updated_at
	FROM beliefs b LEFT JOIN people a ON a.id = b.author_id LEFT JOIN people p ON p.id = b.subject_person`

// ScanBelief scans a row of SelectBeliefs.
func ScanBelief(row db.Scanner) (b model.Belief, err error) {
	var kind model.AudienceKind
	var person, room int64
	err = row.Scan(&b.ID, &b.Persona, &kind, db.IntoID(&person), db.IntoID(&room), db.IntoID(&b.AuthorID), &b.Author,
		db.IntoID(&b.SubjectPerson), &b.Subject, &b.Relation, &b.Value, &b.Domain, &b.Status, db.IntoTime(&b.ValidFrom), db.IntoTime(&b.ValidTo),
		db.IntoID(&b.SupersededBy), &b.ReplacedWhy, db.IntoTime(&b.Created), db.IntoTime(&b.Updated))
	b.Audience = scope.IntoAudience(kind, person, room)
	return b, err
}

// Beliefs returns what persona believes and may repeat in a room, the latest first, with evidence. If two audiences
// heard different things, the newest first-hand claim is the active one. The evidence is shared; do not change it.
func (s *Store) Beliefs(ctx context.Context, h scope.Visibility, f Filter) (beliefs []model.Belief, err error) {
	err = s.db.Read(ctx, "read beliefs", func(tx *db.Tx) error {
		at, err := scope.Revisions(tx, h.Persona(), h.Audiences())
		if err != nil {
			return err
		}
		heard, err := s.Visible(tx, h, at)
		if err != nil {
			return err
		}
		subjects, err := f.subjects(tx, h)
		if err != nil {
			return err
		}
		beliefs = heard.matching(f, subjects)
		return heard.AddEvidence(tx, beliefs)
	})
	return beliefs, err
}

// subjects returns the subject keys of the filter, none for everything.
func (f Filter) subjects(tx *db.Tx, h scope.Visibility) ([]string, error) {
	key := model.SubjectKey(f.SubjectPerson, f.Subject)
	if key == "" {
		return nil, nil
	}
	if f.SubjectPerson != 0 {
		return []string{key}, nil
	}
	names, err := ReadRoster(tx, h)
	if err != nil {
		return nil, err
	}
	if person := names.Resolve(f.Subject); person != 0 {
		return []string{key, model.SubjectKey(person, "")}, nil
	}
	return []string{key}, nil
}

// withRelated adds the relations whose beliefs a claim of these may end too.
func withRelated(relations []string) []string {
	out := slices.Clone(relations)
	for _, r := range relations {
		for _, o := range slices.Concat(rel.Partners(r), []string{Opposites[r]}) {
			if o != "" && !slices.Contains(out, o) {
				out = append(out, o)
			}
		}
	}
	return out
}

// matches reports whether the filter selects a resolved belief, its subject aside.
func (f Filter) matches(b *model.Belief) bool {
	status := f.Status
	if status == "" && !f.IncludeHistory {
		status = model.Active
	}
	return (status == "" || b.Status == status) && (f.AuthorID == 0 || b.AuthorID == f.AuthorID) && (len(f.Relations) == 0 || slices.Contains(f.Relations, b.Relation))
}

// Belief returns one belief as it is stored, with evidence: for operators. It fails with ErrNotFound when there is none.
func (s *Store) Belief(ctx context.Context, id int64) (b model.Belief, err error) {
	err = s.db.Read(ctx, fmt.Sprintf("read belief %d", id), func(tx *db.Tx) error {
		one, err := db.One(tx.QueryRow(SelectBeliefs+` WHERE b.id = ?`, id), ScanBelief)
		if err != nil {
			return err
		}
		all := []model.Belief{one}
		err = LoadEvidence(tx, all)
		b = all[0]
		return err
	})
	return b, err
}

// LoadEvidence adds to each belief the quotes for and against it, oldest first. Evidence has the belief's audience, so
// anyone who may hear the belief may hear it.
func LoadEvidence(tx *db.Tx, beliefs []model.Belief) error {
	at := make(map[int64]int, len(beliefs))
	ids := make([]int64, len(beliefs))
	for i, b := range beliefs {
		at[b.ID], ids[i] = i, b.ID
	}
	for chunk := range slices.Chunk(ids, db.MaxArgs) {
		in, args := db.Placeholders(chunk)
		err := eachEvidence(tx, `e.belief_id IN `+in+` ORDER BY e.id`, args, func(belief int64, e model.Evidence) {
			beliefs[at[belief]].Evidence = append(beliefs[at[belief]].Evidence, e)
		})
		if err != nil {
			return err
		}
	}
	for i := range beliefs {
		beliefs[i].SetEvidence(beliefs[i].Evidence)
	}
	return nil
}

// eachEvidence passes the evidence that meets a condition to take.
func eachEvidence(tx *db.Tx, condition string, args []any, take func(belief int64, e model.Evidence)) error {
	_, err := db.Collect[int64](tx.Query(`SELECT e.belief_id, e.message_id, e.author_id, p.name, e.quote, e.stance, e.hearsay, e.at,
		e.job_run_id, e.sentence, e.by_model, e.sensitive FROM belief_evidence e JOIN people p ON p.id = e.author_id WHERE `+condition, args...))(
		func(row db.Scanner) (id int64, err error) {
			var e model.Evidence
			if err = row.Scan(&id, &e.MessageID, &e.AuthorID, &e.Author, &e.Quote, &e.Stance, &e.Hearsay, db.IntoTime(&e.At),
				db.IntoID(&e.JobRun), &e.Sentence, &e.ByModel, &e.Sensitive); err == nil {
				take(id, e)
			}
			return id, err
		})
	return err
}

// ListBeliefs lists beliefs across rooms as they are stored, newest first, with evidence. It is for operators and jobs,
// never for what is said in a room.
func (s *Store) ListBeliefs(ctx context.Context, f Filter) (beliefs []model.Belief, err error) {
	conditions, args := []string{"1 = 1"}, []any(nil)
	and := func(condition string, values ...any) {
		conditions, args = append(conditions, condition), append(args, values...)
	}
	if f.Persona != "" {
		and("b.persona = ?", f.Persona)
	}
	if f.SubjectPerson != 0 {
		and("b.subject_person = ?", f.SubjectPerson)
	} else if key := model.SubjectKey(0, f.Subject); key != "" {
		and("b.subject_key = ?", key)
	}
	if f.Before != 0 {
		and("b.id < ?", f.Before)
	}
	if len(f.Relations) > 0 {
		in, relations := db.Placeholders(f.Relations)
		and("b.relation IN "+in, relations...)
	}
	if f.Status != "" {
		and("b.status = ?", f.Status)
	} else if f.Ended {
		and("b.status <> 'active'")
	} else if !f.IncludeHistory {
		and("b.status = 'active'")
	}
	err = s.db.Read(ctx, "list beliefs", func(tx *db.Tx) error {
		beliefs, err = db.Collect[model.Belief](tx.Query(SelectBeliefs+` WHERE `+strings.Join(conditions, " AND ")+
			` ORDER BY b.id DESC LIMIT ? + 0`, append(args, db.LimitOr(f.Limit, 200))...))(ScanBelief)
		if err != nil {
			return err
		}
		return LoadEvidence(tx, beliefs)
	})
	return beliefs, err
}

// ApplyClaims revises the stored beliefs by claims made in the room of h and stores the result.
func ApplyClaims(tx *db.Tx, h scope.Visibility, claims []AttributedClaim) ([]model.BeliefChange, error) {
	persona, room := h.Persona(), h.Room()
	for i := range claims {
		claims[i].Audience = room.Audience()
	}
	current, err := Concerned(tx, h, claims)
	if err != nil {
		return nil, err
	}
	r := revised(current, claims)
	changes := r.changes
	stored, err := saveBeliefs(tx, persona, current, r.beliefs)
	if err != nil {
		return nil, err
	}
	if err := saveWordings(tx, persona, room.Audience(), r.worded); err != nil {
		return nil, err
	}
	if err := scope.Advance(tx, persona, model.ScopeRevision{Audience: room.Audience(), Beliefs: 1}); err != nil {
		return nil, err
	}
	for i := range changes {
		changes[i].Belief = stored[changes[i].Belief.ID]
	}
	return changes, nil
}

// Concerned reads the beliefs that claims made in the room of h may affect, with evidence. A correction may refer to anything its
// author said or that is about them.
func Concerned(tx *db.Tx, h scope.Visibility, claims []AttributedClaim) ([]model.Belief, error) {
	var subjects, relations, named []string
	var correcting, own []int64 // authors of corrections; authors of news about their own relatives
	for _, cl := range claims {
		if cl.AuthorID != 0 && cl.Corrects != "" {
			correcting = append(correcting, cl.AuthorID)
		}
		switch {
		case cl.AuthorID == 0 || cl.Relation == "":
		case understand.Death(cl.Relation): // it may end the relation of the deceased to the author
			own = append(own, cl.AuthorID)
			subjects, relations = append(subjects, model.SubjectKey(cl.SubjectPerson, cl.Subject)), append(relations, cl.Relation)
		case cl.Subject == "":
			subjects, relations = append(subjects, model.SubjectKey(cl.AuthorID, "")), append(relations, cl.Relation)
			if kin, of := rel.Of(cl.Relation); kin != "" { // it may be stored under their name
				own, named = append(own, cl.AuthorID), append(named, of)
			}
		default:
			subjects, relations = append(subjects, model.SubjectKey(cl.SubjectPerson, cl.Subject)), append(relations, cl.Relation)
			if cl.SubjectPerson == 0 { // it may be stored under their relation to the author
				own = append(own, cl.AuthorID)
			}
		}
	}
	heard, args := h.Where("b")
	inSubjects, subjectArgs := db.Placeholders(subjects)
	inRelations, relationArgs := db.Placeholders(withRelated(relations))
	concerning := "b.subject_key IN " + inSubjects + " AND b.relation IN " + inRelations
	args = slices.Concat(args, subjectArgs, relationArgs)
	if len(correcting) > 0 {
		inAuthors, authorArgs := db.Placeholders(correcting)
		concerning += " OR b.author_id IN " + inAuthors + " OR b.subject_person IN " + inAuthors
		args = slices.Concat(args, authorArgs, authorArgs)
	}
	if len(own) > 0 {
		inOwn, ownArgs := db.Placeholders(own)
		inNamed, namedArgs := db.Placeholders(named)
		concerning += " OR b.subject_person IN " + inOwn + " OR b.subject_person IS NULL AND b.author_id IN " + inOwn + " AND b.relation IN " + inNamed
		args = slices.Concat(args, ownArgs, ownArgs, namedArgs)
	}
	beliefs, err := db.Collect[model.Belief](tx.Query(SelectBeliefs+` WHERE `+heard+` AND (`+concerning+`) ORDER BY b.id`, args...))(ScanBelief)
	if err != nil {
		return nil, err
	}
	return beliefs, LoadEvidence(tx, beliefs)
}

// saveBeliefs stores what revise changed and returns the changed beliefs as stored, by the ID they had from revise.
func saveBeliefs(tx *db.Tx, persona string, current, next []model.Belief) (map[int64]model.Belief, error) {
	ids := map[int64]int64{}
	stored := make(map[int64]model.Belief, len(next))
	for i := len(current); i < len(next); i++ {
		next[i].Persona = persona
		id, err := insertBelief(tx, next[i])
		if err != nil {
			return nil, err
		}
		ids[next[i].ID] = id
	}
	for i, b := range next {
		was := b.ID
		known := 0 // number of evidence rows already stored
		if i < len(current) {
			known = len(current[i].Evidence)
		} else {
			b.ID = ids[b.ID]
		}
		if b.SupersededBy < 0 {
			b.SupersededBy = ids[b.SupersededBy]
		}
		if i < len(current) && rowChanged(current[i], b) || i >= len(current) && b.SupersededBy != 0 {
			if err := updateBelief(tx, b); err != nil {
				return nil, err
			}
		}
		if err := insertEvidence(tx, b.ID, b.Evidence[known:]); err != nil {
			return nil, err
		}
		stored[was] = b
	}
	return stored, nil
}

// rowChanged reports whether revise changed the belief's own row.
func rowChanged(was, is model.Belief) bool {
	return was.Status != is.Status || was.SupersededBy != is.SupersededBy || was.ReplacedWhy != is.ReplacedWhy ||
		was.AuthorID != is.AuthorID || !was.ValidFrom.Equal(is.ValidFrom) || !was.ValidTo.Equal(is.ValidTo) ||
		!was.Updated.Equal(is.Updated)
}

func insertBelief(tx *db.Tx, b model.Belief) (int64, error) {
	return tx.Insert(`INSERT INTO beliefs (persona, audience, audience_person, audience_room, author_id, subject_person, subject,
		subject_key, relation, value, domain, status, valid_from, valid_to, replaced_why, created_at, updated_at, stored_at, ended_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		b.Persona, b.Audience.Kind, b.Audience.Person(), b.Audience.Room(), db.NullID(b.AuthorID), db.NullID(b.SubjectPerson), b.Subject,
		model.SubjectKey(b.SubjectPerson, b.Subject), b.Relation, b.Value, b.Domain, b.Status, db.NullMillis(b.ValidFrom), db.NullMillis(b.ValidTo),
		b.ReplacedWhy, db.Millis(b.Created), db.Millis(b.Updated), tx.NowMillis(), endedNow(tx, b))
}

// endedNow is ended_at of a belief whose end the store takes note of now, NULL while the belief holds.
func endedNow(tx *db.Tx, b model.Belief) any {
	if b.Status == model.Active {
		return nil
	}
	return tx.NowMillis()
}

func updateBelief(tx *db.Tx, b model.Belief) error {
	return tx.Expect(1, fmt.Errorf("belief %d: %w", b.ID, db.ErrNotFound), `UPDATE beliefs SET author_id = ?, status = ?, valid_from = ?, valid_to = ?, superseded_by = ?,
		replaced_why = ?, updated_at = ?, ended_at = coalesce(ended_at, ?) WHERE id = ?`,
		db.NullID(b.AuthorID), b.Status, db.NullMillis(b.ValidFrom), db.NullMillis(b.ValidTo), db.NullID(b.SupersededBy), b.ReplacedWhy, db.Millis(b.Updated),
		endedNow(tx, b), b.ID)
}

func insertEvidence(tx *db.Tx, belief int64, evidence []model.Evidence) error {
	for _, e := range evidence {
		if _, err := tx.Exec(`INSERT INTO belief_evidence (belief_id, message_id, author_id, quote, stance, hearsay, at, job_run_id,
			sentence, by_model, sensitive, stored_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			belief, e.MessageID, e.AuthorID, e.Quote, e.Stance, e.Hearsay, db.Millis(e.At), db.NullID(e.JobRun),
			e.Sentence, e.ByModel, e.Sensitive, tx.NowMillis()); err != nil {
			return err
		}
	}
	return nil
}

// explains tests whether a person has explained a term: by a belief about it, as the name of something of theirs, or as
// the name of a person they meet in a group. Liking it or planning something with it does not count.
const explains = `SELECT EXISTS (SELECT 1 FROM beliefs WHERE persona = ?1 AND author_id = ?2 AND status = 'active' AND (lower(subject) = ?3
		OR lower(value) = ?3 AND relation NOT IN ('likes', 'dislikes', 'plan', 'promise')))
	OR EXISTS (SELECT 1 FROM room_people a JOIN rooms r ON r.id = a.room_id AND r.direct = 0 JOIN room_people b ON b.room_id = a.room_id
		JOIN people p ON p.id = b.person_id WHERE a.person_id = ?2 AND lower(p.name) = ?3)`

// IsExplained reports whether a person has explained a term of theirs in any room. It is for jobs, which then do not
// ask.
func (s *Store) IsExplained(ctx context.Context, persona string, person int64, term string) (told bool, err error) {
	err = s.db.ReadOne(ctx, fmt.Sprintf("check whether person %d explained a term", person), func(tx *db.Tx) error {
		return tx.QueryRow(explains, persona, person, strings.ToLower(term)).Scan(&told)
	})
	return told, err
}
