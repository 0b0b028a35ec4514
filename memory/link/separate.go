package link

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"familiar/memory/belief"
	"familiar/memory/internal/db"
	"familiar/memory/internal/scope"
	"familiar/memory/lifecycle"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// Separated is how a person was divided.
type Separated struct {
	// Stays is the person who was one, Leaves the new person of the network that left.
	Stays, Leaves int64
	Channel       string
	// Dropped is how many conclusions rested on what both had said and went.
	Dropped int
}

// Separate gives the accounts of a person on one network what was said over that network, as a person of their own, and
// has a persona tell them what told returns, in the same transaction. Conclusions from what was said over several networks
// go; jobs draw them again from what each said. It fails with ErrNotLinked if the person has accounts on that network only,
// and with ErrNotFound if on none there.
func (s *Store) Separate(ctx context.Context, person int64, channel, persona string, told func(Separated) []Notice) (done Separated, err error) {
	err = s.db.Write(ctx, fmt.Sprintf("unlink person %d from their account on %s", person, channel), func(tx *db.Tx) error {
		if done, err = separate(tx, person, channel); err != nil {
			return err
		}
		return tell(tx, persona, fmt.Sprintf("unlink-%d-%d", done.Leaves, tx.NowMillis()), told(done))
	})
	return done, err
}

// SeparateAndAnswer is Separate with the answer to the command that asked for it, in one transaction.
func (s *Store) SeparateAndAnswer(ctx context.Context, person int64, channel string, told func(Separated) ([]Notice, log.CommandAnswer)) error {
	return s.db.Write(ctx, fmt.Sprintf("unlink person %d from their account on %s and answer", person, channel), func(tx *db.Tx) error {
		done, err := separate(tx, person, channel)
		if err != nil {
			return err
		}
		notices, answer := told(done)
		if err := tell(tx, answer.Persona, answer.Key, notices); err != nil {
			return err
		}
		return log.AnswerCommand(tx, answer)
	})
}

// Notice is what one account is told about a link of theirs.
type Notice struct {
	Room model.Room
	Text string
}

// tell queues notices under keys that begin with the key of what they tell of.
func tell(tx *db.Tx, persona, of string, notices []Notice) error {
	for _, n := range notices {
		if _, err := log.Enqueue(tx, persona, n.Room.ID, 0, model.Reply{Key: fmt.Sprintf("%s-notice-%d", of, n.Room.ID), Text: n.Text}); err != nil {
			return fmt.Errorf("queue what an account is told of a link: %w", err)
		}
	}
	return nil
}

func separate(tx *db.Tx, person int64, channel string) (Separated, error) {
	networks, err := channelsOf(tx, person)
	switch {
	case err != nil:
		return Separated{}, err
	case !slices.Contains(networks, channel):
		return Separated{}, fmt.Errorf("an account of person %d on %s: %w", person, channel, db.ErrNotFound)
	case len(networks) == 1:
		return Separated{}, ErrNotLinked
	}
	parts, err := partsOf(tx, person)
	if err != nil {
		return Separated{}, err
	}
	d := division{Tx: tx, stays: person, channel: channel, was: parts[channel]}
	if d.leaves, err = d.newPerson(); err != nil {
		return Separated{}, fmt.Errorf("create the person who leaves: %w", err)
	}
	for _, step := range []func() error{d.divideMemories, d.divideBeliefs, d.giveRows, d.divideLoops, d.divideRelationships, d.bumpScopes} {
		if err := step(); err != nil {
			return Separated{}, err
		}
	}
	return Separated{Stays: person, Leaves: d.leaves, Channel: channel, Dropped: d.dropped}, d.restoreLast(parts)
}

// division separates one network of a person within a transaction.
type division struct {
	*db.Tx
	stays, leaves int64
	channel       string
	was           before
	dropped       int
}

// rooms is a subquery that selects the rooms whose messages leave.
func (d division) rooms() string {
	ids := []string{"0"}
	for _, id := range d.was.OperatorRooms {
		ids = append(ids, fmt.Sprint(id))
	}
	return `(SELECT id FROM rooms WHERE channel = '` + strings.ReplaceAll(d.channel, "'", "''") + `' OR id IN (` + strings.Join(ids, ", ") + `))`
}

// messages is a subquery that selects the messages that leave.
func (d division) messages() string {
	return `(SELECT id FROM messages WHERE room_id IN ` + d.rooms() + `)`
}

// newPerson creates the person who leaves, as they were before the link.
func (d division) newPerson() (int64, error) {
	p, err := log.Person(d.Tx, d.stays)
	if err != nil {
		return 0, err
	}
	if !d.was.Created.IsZero() {
		p.Timezone, p.TimezoneSetAt, p.BlockedAt, p.Created = d.was.Timezone, d.was.TimezoneSet, d.was.Blocked, d.was.Created
	}
	return d.Insert(`INSERT INTO people (name, timezone, timezone_set_at, unwelcome_at, created_at)
		SELECT display, ?, ?, ?, ? FROM handles WHERE person_id = ? AND channel = ? ORDER BY last_seen DESC LIMIT 1`,
		p.Timezone, db.NullMillis(p.TimezoneSetAt), db.NullMillis(p.BlockedAt), db.Millis(p.Created), d.stays, d.channel)
}

// side says on which side the sources of a memory are.
type side struct {
	scope.MemoryRef
	leaves, stays int
}

// divideMemories gives memories to the person whose messages they rest on, and drops what rests on both.
func (d *division) divideMemories() error {
	sides, err := db.Collect[side](d.Query(`SELECT m.id, m.persona, m.tier, m.audience, coalesce(m.audience_person, m.audience_room, 0),
			(SELECT count(*) FROM memory_sources s WHERE s.memory_id = m.id AND s.message_id IN `+d.messages()+`),
			(SELECT count(*) FROM memory_sources s WHERE s.memory_id = m.id AND s.message_id NOT IN `+d.messages()+`)
		FROM memories m WHERE m.audience_person = ?1 OR m.author_id = ?1 OR m.id IN (SELECT memory_id FROM memory_about WHERE person_id = ?1)
		ORDER BY m.id`, d.stays))(scanSide)
	if err != nil {
		return fmt.Errorf("find the memories of both: %w", err)
	}
	var mixed []scope.MemoryRef
	for _, m := range sides {
		switch {
		case m.leaves > 0 && m.stays > 0 && m.Kind == model.Private:
			mixed = append(mixed, m.MemoryRef)
		case m.leaves > 0, m.stays == 0 && slices.Contains(d.was.WithoutSources, m.MemoryID):
			if err := d.giveMemory(m.MemoryID); err != nil {
				return err
			}
		}
	}
	return d.dropMixed(mixed)
}

func scanSide(row db.Scanner) (s side, err error) {
	err = row.Scan(&s.MemoryID, &s.Persona, &s.Tier, &s.Kind, &s.Ref, &s.leaves, &s.stays)
	return s, err
}

// giveMemory makes what names the person who stays in a memory name the one who leaves.
func (d division) giveMemory(id int64) error {
	return d.exec([]string{
		`UPDATE memories SET audience_person = ?2 WHERE id = ?3 AND audience_person = ?1`,
		`UPDATE memories SET author_id = ?2 WHERE id = ?3 AND author_id = ?1`,
		`UPDATE memory_about SET person_id = ?2 WHERE memory_id = ?3 AND person_id = ?1`,
	}, d.stays, d.leaves, id)
}

// dropMixed drops conclusions from what both said. Older versions that rest on one side are current again.
func (d *division) dropMixed(mixed []scope.MemoryRef) error {
	if len(mixed) == 0 {
		return nil
	}
	in, args := db.Placeholders(scope.MemoryIDs(mixed))
	for _, q := range []string{
		`UPDATE memories SET superseded_by = NULL WHERE superseded_by IN ` + in + ` AND id NOT IN ` + in,
		`DELETE FROM memory_edges WHERE kind = 'contains' AND to_id IN ` + in + ` AND from_id NOT IN ` + in,
	} {
		if _, err := d.Exec(q, slices.Concat(args, args)...); err != nil {
			return fmt.Errorf("separate conclusions from what they replaced: %w", err)
		}
	}
	gone, err := lifecycle.Drop(d.Tx, mixed)
	if err != nil {
		return fmt.Errorf("drop conclusions from what both said: %w", err)
	}
	d.dropped = len(gone)
	_, err = d.Exec(`DELETE FROM job_marks WHERE audience = 'private' AND ref = ?`, d.stays)
	return err
}

func (d division) divideBeliefs() error {
	parts, err := partsOf(d.Tx, d.stays)
	if err != nil {
		return err
	}
	split := belief.Split{From: d.stays, To: d.leaves, Rooms: d.rooms()}
	for _, channel := range slices.Sorted(maps.Keys(parts)) {
		split.Dates = append(split.Dates, parts[channel].Dates...)
	}
	if err := belief.SplitBeliefs(d.Tx, split); err != nil {
		return fmt.Errorf("divide the beliefs of person %d: %w", d.stays, err)
	}
	return nil
}

// giveRows gives the one who leaves what happened on their network.
func (d division) giveRows() error {
	rooms, messages := d.rooms(), d.messages()
	return d.exec([]string{
		`UPDATE handles SET person_id = ?2 WHERE person_id = ?1 AND channel = ?3`,
		`UPDATE room_people SET person_id = ?2 WHERE person_id = ?1 AND room_id IN ` + rooms,
		`UPDATE reminders SET person_id = ?2 WHERE person_id = ?1 AND room_id IN ` + rooms,
		`UPDATE training_consents SET person_id = ?2 WHERE person_id = ?1 AND room_id IN ` + rooms, // who agreed there
		`UPDATE watches SET person_id = ?2 WHERE person_id = ?1 AND channel = ?3`,
		`UPDATE watermarks SET person_id = ?2 WHERE person_id = ?1 AND channel = ?3`,
		`DELETE FROM notepads WHERE audience_person = ?1`, // it may have what either said
		`DELETE FROM checkpoint_items WHERE audience_person = ?1
			AND EXISTS (SELECT 1 FROM checkpoint_sources s WHERE s.item_id = checkpoint_items.id AND s.message_id IN ` + messages + `)
			AND EXISTS (SELECT 1 FROM checkpoint_sources s WHERE s.item_id = checkpoint_items.id AND s.message_id NOT IN ` + messages + `)`,
		`UPDATE checkpoint_items SET audience_person = ?2 WHERE audience_person = ?1
			AND EXISTS (SELECT 1 FROM checkpoint_sources s WHERE s.item_id = checkpoint_items.id AND s.message_id IN ` + messages + `)`,
		`UPDATE checkpoint_about SET person_id = ?2 WHERE person_id = ?1
			AND EXISTS (SELECT 1 FROM checkpoint_sources s WHERE s.item_id = checkpoint_about.item_id AND s.message_id IN ` + messages + `)`,
		`UPDATE tool_calls SET person_id = ?2 WHERE person_id = ?1 AND room_id IN ` + rooms,
		`UPDATE asks SET person_id = ?2 WHERE person_id = ?1 AND outbox_id IN (SELECT id FROM outbox WHERE room_id IN ` + rooms + `)`,
		`UPDATE messages SET person_id = ?2 WHERE person_id = ?1 AND room_id IN ` + rooms,
		`UPDATE turns SET person_id = ?2 WHERE person_id = ?1 AND room_id IN ` + rooms,
		`UPDATE belief_evidence SET author_id = ?2 WHERE author_id = ?1 AND message_id IN ` + messages,
		`UPDATE usage SET person_id = ?2 WHERE person_id = ?1 AND room_id IN ` + rooms,
		`UPDATE reactions SET person_id = ?2 WHERE person_id = ?1 AND message_id IN ` + messages,
		`UPDATE milestones SET person_id = ?2 WHERE person_id = ?1 AND session_id IN (SELECT id FROM sessions WHERE room_id IN ` + rooms + `)`,
		`UPDATE rooms SET person_id = ?2 WHERE person_id = ?1 AND id IN ` + rooms,
		// What was said or brought up counts for both: neither is told twice.
		`INSERT INTO greeted (persona, person_id, subject, at) SELECT persona, ?2, subject, at FROM greeted WHERE person_id = ?1`,
		`INSERT INTO unasked (persona, person_id, day, times) SELECT persona, ?2, day, times FROM unasked WHERE person_id = ?1`,
		`INSERT INTO unasked_decisions (persona, person_id, subject, reason, sent, message_id, job_run_id, first_at, at, times)
			SELECT persona, ?2, subject, reason, sent, message_id, job_run_id, first_at, at, times FROM unasked_decisions WHERE person_id = ?1`,
		`INSERT INTO usage_notices (person_id, kind, period) SELECT ?2, kind, period FROM usage_notices WHERE person_id = ?1`,
		`DELETE FROM link_codes WHERE person_id IN (?1, ?2)`,
		`DELETE FROM login_links WHERE person_id = ?1`, // whoever leaves may have asked for it
		`DELETE FROM login_sessions WHERE person_id = ?1`,
		// Memories of different people neither relate nor replace each other.
		`UPDATE memories SET superseded_by = NULL WHERE audience = 'private' AND audience_person IN (?1, ?2)
			AND superseded_by IN (SELECT o.id FROM memories o WHERE o.audience = 'private' AND o.audience_person <> memories.audience_person)`,
		`UPDATE memories SET supersedes = NULL WHERE audience = 'private' AND audience_person IN (?1, ?2)
			AND supersedes IN (SELECT o.id FROM memories o WHERE o.audience = 'private' AND o.audience_person <> memories.audience_person)`,
		`DELETE FROM memory_edges WHERE from_id IN (SELECT id FROM memories WHERE audience = 'private' AND audience_person IN (?1, ?2))
			AND to_id IN (SELECT o.id FROM memories o JOIN memories m ON m.id = memory_edges.from_id
				WHERE o.audience = 'private' AND o.audience_person <> m.audience_person)`,
		`DELETE FROM link_parts WHERE person_id = ?1 AND channel = ?3`,
	}, d.stays, d.leaves, d.channel)
}

// divideRelationships gives the one who leaves the relationship from before the link. What grew since stays.
func (d division) divideRelationships() error {
	if len(d.was.Relationships) == 0 {
		_, err := d.Exec(`INSERT INTO relationships (persona, person_id, first_met, last_seen)
			SELECT m.persona, ?2, min(m.at), max(m.at) FROM messages m WHERE m.person_id = ?2 GROUP BY m.persona`, d.stays, d.leaves)
		return err
	}
	now, err := turns.Relationships(d.Tx, d.stays)
	if err != nil {
		return err
	}
	for _, r := range d.was.Relationships {
		r.PersonID = d.leaves
		if err := turns.SaveRelationship(d.Tx, r); err != nil {
			return err
		}
		for _, n := range now {
			if n.Persona != r.Persona {
				continue
			}
			if err := turns.SaveRelationship(d.Tx, without(n, r)); err != nil {
				return err
			}
		}
	}
	return nil
}

// without takes the figures of one part out of a relationship.
func without(all, part model.Relationship) model.Relationship {
	for _, f := range []struct {
		n *int
		m int
	}{
		{&all.Sessions, part.Sessions},
		{&all.Messages, part.Messages},
		{&all.Days, part.Days},
		{&all.Notes, part.Notes},
		{&all.History, part.History},
		{&all.Words, part.Words},
		{&all.Questions, part.Questions},
		{&all.Mornings, part.Mornings},
		{&all.Afternoons, part.Afternoons},
		{&all.Evenings, part.Evenings},
		{&all.Nights, part.Nights},
	} {
		*f.n = max(0, *f.n-f.m)
	}
	return all
}

// bumpScopes makes every cache read again: any scope may mention either person.
func (d division) bumpScopes() error {
	return d.exec([]string{
		`INSERT INTO scopes (persona, audience, ref) SELECT persona, 'private', ?2 FROM scopes WHERE audience = 'private' AND ref = ?1 ON CONFLICT DO NOTHING`,
		`INSERT INTO job_marks (persona, job, audience, ref, memory_id, before_id, job_run_id)
			SELECT persona, job, 'private', ?2, memory_id, before_id, job_run_id FROM job_marks WHERE audience = 'private' AND ref = ?1`,
		`UPDATE scopes SET epoch = epoch + 1, beliefs = beliefs + 1, names = names + 1, loose = loose + 1`,
	}, d.stays, d.leaves)
}

// restoreLast gives the last network of a person who is linked no more what it had before.
func (d division) restoreLast(parts map[string]before) error {
	delete(parts, d.channel)
	networks, err := channelsOf(d.Tx, d.stays)
	if err != nil || len(networks) > 1 || len(parts) != 1 {
		return err
	}
	was := parts[networks[0]]
	if err := d.restoreRelationships(was); err != nil {
		return err
	}
	if was.Timezone != "" && d.was.TimezoneSet.After(was.TimezoneSet) {
		_, err = d.Exec(`UPDATE people SET timezone = ?, timezone_set_at = ? WHERE id = ? AND timezone = ?`,
			was.Timezone, db.NullMillis(was.TimezoneSet), d.stays, d.was.Timezone)
	}
	if err == nil {
		_, err = d.Exec(`DELETE FROM link_parts WHERE person_id = ?`, d.stays)
	}
	return err
}

// restoreRelationships takes back what the link changed in the figures that do not add up, unless they changed since.
func (d division) restoreRelationships(was before) error {
	now, err := turns.Relationships(d.Tx, d.stays)
	if err != nil {
		return err
	}
	for _, n := range now {
		i := slices.IndexFunc(was.Relationships, func(r model.Relationship) bool { return r.Persona == n.Persona })
		other := slices.IndexFunc(d.was.Relationships, func(r model.Relationship) bool { return r.Persona == n.Persona })
		if i < 0 || other < 0 {
			continue
		}
		own, left := was.Relationships[i], d.was.Relationships[other]
		n.FirstMet = own.FirstMet
		n.LastSeen = unlessNewer(n.LastSeen, own.LastSeen, left.LastSeen)
		if n.LastDay == max(own.LastDay, left.LastDay) {
			n.LastDay = own.LastDay
		}
		n.Trust = own.Trust + n.Trust - max(own.Trust, left.Trust)
		if own.QuietSince.IsZero() && n.QuietSince.Equal(left.QuietSince) {
			n.QuietSince = time.Time{}
		}
		if err := turns.SaveRelationship(d.Tx, n); err != nil {
			return err
		}
	}
	return nil
}

// unlessNewer returns own, or now if it is later than both were.
func unlessNewer(now, own, left time.Time) time.Time {
	if now.After(own) && now.After(left) {
		return now
	}
	return own
}

func (d division) exec(statements []string, args ...any) error {
	if err := d.ExecAll(statements, args...); err != nil {
		return fmt.Errorf("separate person %d from person %d: %w", d.leaves, d.stays, err)
	}
	return nil
}
