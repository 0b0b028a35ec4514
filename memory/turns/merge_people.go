package turns

import (
	"context"
	"errors"
	"fmt"

	"familiar/channels"
	"familiar/memory/belief"
	"familiar/memory/internal/db"
	"familiar/memory/log"
	"familiar/memory/model"
)

// MoveDirect is MoveRoom for a direct room when the network gives its person a new id with the room: account is the
// person's old handle, from the old room, to the new id of both. Both ids are theirs afterwards. Anybody met under the
// new id meanwhile is the same person, and everything heard, learned and kept of the two is merged, all in one
// transaction.
func (s *Store) MoveDirect(ctx context.Context, account channels.Handle, from channels.Room, to string) (moved []model.Room, err error) {
	if to == "" || to == from.ID {
		return nil, fmt.Errorf("move a direct room of %s: the new id must differ from the old one", from.Channel)
	}
	err = s.db.Write(ctx, "move a direct room of "+from.Channel, func(tx *db.Tx) error {
		if err := moveHandle(tx, account, channels.Handle{Channel: account.Channel, ID: to}); err != nil {
			return fmt.Errorf("add the new id to its person: %w", err)
		}
		moved, err = log.MoveRoom(tx, from, to)
		return err
	})
	return moved, err
}

// moveHandle adds the handle now to the owner of was. It does nothing when was has no owner.
func moveHandle(tx *db.Tx, was, now channels.Handle) error {
	owner, err := db.One(tx.QueryRow(OwnerOf, was.Channel, was.ID), db.ScanID)
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	met, err := db.One(tx.QueryRow(OwnerOf, now.Channel, now.ID), db.ScanID)
	switch {
	case errors.Is(err, db.ErrNotFound):
		_, err = tx.Exec(`INSERT INTO handles (channel, handle, person_id, display, first_seen, last_seen)
			SELECT channel, ?, person_id, display, first_seen, last_seen FROM handles WHERE channel = ? AND handle = ?`,
			now.ID, was.Channel, was.ID)
		return err
	case err != nil || met == owner:
		return err
	}
	return MergePeople(tx, owner, met)
}

// joinAlias merges anybody met under the author's alias with the author.
func joinAlias(tx *db.Tx, a channels.Author) error {
	two, err := aliasIsOther(tx, a)
	if err != nil || !two {
		return err
	}
	return moveHandle(tx, channels.Handle{Channel: a.Handle.Channel, ID: a.Alias}, a.Handle)
}

// aliasIsOther reports whether the person met under the author's alias is somebody else than the author. A person who
// already has another account on the channel counts as somebody else, because a phone number passes from one person to
// the next.
func aliasIsOther(tx *db.Tx, a channels.Author) (two bool, err error) {
	if a.Alias == "" || a.Alias == a.Handle.ID {
		return false, nil
	}
	err = tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM handles WHERE channel = ?1 AND handle = ?3)
		AND NOT EXISTS (SELECT 1 FROM handles h JOIN handles o ON o.person_id = h.person_id
			WHERE h.channel = ?1 AND h.handle IN (?2, ?3) AND o.channel = ?1 AND o.handle <> h.handle)`,
		a.Handle.Channel, a.Handle.ID, a.Alias).Scan(&two)
	return two, err
}

// OwnerOf selects the id of the person who owns a handle, by channel and handle id.
const OwnerOf = `SELECT person_id FROM handles WHERE channel = ? AND handle = ?`

// MergePeople gives everything of person from to person into, in the running transaction. Where the two said different
// things about themselves, the newer holds.
func MergePeople(tx *db.Tx, into, from int64) error {
	one, other, err := belief.BeliefsToMerge(tx, into, from)
	if err != nil {
		return err
	}
	if err := tx.ExecAll(mergeStatements, into, from); err != nil {
		return fmt.Errorf("merge person %[2]d into %[1]d: %[3]w", into, from, err)
	}
	if err := belief.MergeBeliefs(tx, one, other); err != nil {
		return fmt.Errorf("merge the beliefs of person %[2]d into %[1]d: %[3]w", into, from, err)
	}
	// Any scope may mention either person.
	_, err = tx.Exec(`UPDATE scopes SET epoch = epoch + 1, beliefs = beliefs + 1, names = names + 1, loose = loose + 1`)
	return err
}

// mergeStatements give what is person ?2's to person ?1, and remove ?2 last.
var mergeStatements = []string{
	`UPDATE handles SET person_id = ?1 WHERE person_id = ?2`,
	`UPDATE rooms SET person_id = ?1 WHERE person_id = ?2`,
	`INSERT INTO room_people (room_id, person_id, first_spoke, last_spoke)
		SELECT room_id, ?1, first_spoke, last_spoke FROM room_people WHERE person_id = ?2
		ON CONFLICT (room_id, person_id) DO UPDATE SET first_spoke = min(room_people.first_spoke, excluded.first_spoke),
			last_spoke = max(room_people.last_spoke, excluded.last_spoke)`,
	`DELETE FROM room_people WHERE person_id = ?2`,
	`UPDATE messages SET person_id = ?1 WHERE person_id = ?2`,
	`UPDATE turns SET person_id = ?1 WHERE person_id = ?2`,
	`INSERT INTO reactions (message_id, person_id, emoji, at)
		SELECT message_id, ?1, emoji, at FROM reactions WHERE person_id = ?2
		ON CONFLICT (message_id, person_id) DO UPDATE SET emoji = excluded.emoji, at = excluded.at WHERE excluded.at > reactions.at`,
	`DELETE FROM reactions WHERE person_id = ?2`,
	`UPDATE memories SET audience_person = ?1 WHERE audience_person = ?2`,
	`UPDATE memories SET author_id = ?1 WHERE author_id = ?2`,
	`INSERT INTO memory_about (memory_id, person_id) SELECT memory_id, ?1 FROM memory_about WHERE person_id = ?2 ON CONFLICT DO NOTHING`,
	`DELETE FROM memory_about WHERE person_id = ?2`,
	`UPDATE checkpoint_items SET audience_person = ?1 WHERE audience_person = ?2`,
	`INSERT INTO checkpoint_about (item_id, person_id) SELECT item_id, ?1 FROM checkpoint_about WHERE person_id = ?2 ON CONFLICT DO NOTHING`,
	`DELETE FROM checkpoint_about WHERE person_id = ?2`,
	`UPDATE beliefs SET audience_person = ?1 WHERE audience_person = ?2`,
	`UPDATE beliefs SET author_id = ?1 WHERE author_id = ?2`,
	`UPDATE beliefs SET subject_person = ?1, subject_key = '#' || ?1 WHERE subject_person = ?2`,
	`UPDATE belief_evidence SET author_id = ?1 WHERE author_id = ?2`,
	`UPDATE open_loops SET audience_person = ?1 WHERE audience_person = ?2`,
	`UPDATE open_loops SET person_id = ?1 WHERE person_id = ?2`,
	`INSERT INTO relationships (persona, person_id, first_met, last_seen, sessions, messages, days, last_day, trust, trust_day, trust_moved,
			notes, history, words, questions, mornings, afternoons, evenings, nights, quiet_since)
		SELECT persona, ?1, first_met, last_seen, sessions, messages, days, last_day, trust, trust_day, trust_moved, notes, history, words, questions,
			mornings, afternoons, evenings, nights, quiet_since
		FROM relationships WHERE person_id = ?2
		ON CONFLICT (persona, person_id) DO UPDATE SET first_met = min(relationships.first_met, excluded.first_met),
			last_seen = max(relationships.last_seen, excluded.last_seen), sessions = relationships.sessions + excluded.sessions,
			messages = relationships.messages + excluded.messages, days = relationships.days + excluded.days,
			last_day = CASE WHEN excluded.last_day > relationships.last_day THEN excluded.last_day ELSE relationships.last_day END,
			trust = max(relationships.trust, excluded.trust), notes = relationships.notes + excluded.notes,
			history = relationships.history + excluded.history, words = relationships.words + excluded.words,
			questions = relationships.questions + excluded.questions, mornings = relationships.mornings + excluded.mornings,
			afternoons = relationships.afternoons + excluded.afternoons, evenings = relationships.evenings + excluded.evenings,
			nights = relationships.nights + excluded.nights, quiet_since = coalesce(relationships.quiet_since, excluded.quiet_since)`,
	`DELETE FROM relationships WHERE person_id = ?2`,
	`UPDATE relationship_days SET person_id = ?1 WHERE person_id = ?2 AND NOT EXISTS (SELECT 1 FROM relationship_days d
		WHERE d.persona = relationship_days.persona AND d.person_id = ?1 AND d.last_day = relationship_days.last_day)`,
	`DELETE FROM relationship_days WHERE person_id = ?2`,
	`INSERT INTO milestones (persona, person_id, kind, session_id, at) SELECT persona, ?1, kind, session_id, at FROM milestones WHERE person_id = ?2
		ON CONFLICT (persona, person_id, kind) DO UPDATE SET session_id = excluded.session_id, at = excluded.at WHERE excluded.at < milestones.at`,
	`DELETE FROM milestones WHERE person_id = ?2`,
	`INSERT INTO unasked_decisions (persona, person_id, subject, reason, sent, message_id, job_run_id, first_at, at, times)
		SELECT persona, ?1, subject, reason, sent, message_id, job_run_id, first_at, at, times FROM unasked_decisions WHERE person_id = ?2
		ON CONFLICT DO NOTHING`,
	`DELETE FROM unasked_decisions WHERE person_id = ?2`,
	`INSERT INTO greeted (persona, person_id, subject, at) SELECT persona, ?1, subject, at FROM greeted WHERE person_id = ?2 ON CONFLICT DO NOTHING`,
	`DELETE FROM greeted WHERE person_id = ?2`,
	`INSERT INTO unasked (persona, person_id, day, times) SELECT persona, ?1, day, times FROM unasked WHERE person_id = ?2
		ON CONFLICT (persona, person_id, day) DO UPDATE SET times = unasked.times + excluded.times`,
	`DELETE FROM unasked WHERE person_id = ?2`,
	log.AddUsage(`day, persona, ?1, room_id, job, model`, `person_id = ?2`),
	`DELETE FROM usage WHERE person_id = ?2`,
	`INSERT INTO usage_notices (person_id, kind, period) SELECT ?1, kind, period FROM usage_notices WHERE person_id = ?2
		ON CONFLICT (person_id, kind) DO UPDATE SET period = excluded.period WHERE excluded.period > usage_notices.period`,
	`DELETE FROM usage_notices WHERE person_id = ?2`,
	`UPDATE job_marks SET memory_id = min(memory_id, other.read), before_id = min(before_id, other.read)
		FROM (SELECT k.persona, k.job, max(CASE WHEN k.audience = 'world' OR k.audience = 'private' AND k.ref = ?2 THEN k.memory_id ELSE 0 END) AS read
			FROM job_marks k GROUP BY k.persona, k.job) other
		WHERE other.persona = job_marks.persona AND other.job = job_marks.job AND job_marks.audience = 'private' AND job_marks.ref = ?1`,
	`DELETE FROM job_marks WHERE audience = 'private' AND ref = ?2`,
	`INSERT INTO job_claims (persona, person_id, job_run_id) SELECT persona, ?1, job_run_id FROM job_claims WHERE person_id = ?2
		ON CONFLICT DO NOTHING`,
	`DELETE FROM job_claims WHERE person_id = ?2`,
	`INSERT INTO link_parts (person_id, channel, linked_at, before) SELECT ?1, channel, linked_at, before FROM link_parts WHERE person_id = ?2
		ON CONFLICT DO NOTHING`,
	`DELETE FROM link_parts WHERE person_id = ?2`,
	`UPDATE reminders SET person_id = ?1 WHERE person_id = ?2`,
	`UPDATE watches SET person_id = ?1 WHERE person_id = ?2`,
	`UPDATE watermarks SET person_id = ?1 WHERE person_id = ?2`,
	`DELETE FROM notepads WHERE audience_person = ?2 AND EXISTS (SELECT 1 FROM notepads n WHERE n.persona = notepads.persona AND n.audience_person = ?1)`,
	`UPDATE notepads SET audience_person = ?1 WHERE audience_person = ?2`,
	`UPDATE tool_calls SET person_id = ?1 WHERE person_id = ?2`,
	`UPDATE asks SET person_id = ?1 WHERE person_id = ?2`,
	`DELETE FROM link_codes WHERE person_id = ?2`,
	`DELETE FROM login_links WHERE person_id IN (?1, ?2)`, // they were asked for to see less
	`DELETE FROM login_sessions WHERE person_id IN (?1, ?2)`,
	`UPDATE grants SET person_id = ?1 WHERE person_id = ?2`,
	`INSERT INTO scopes (persona, audience, ref) SELECT persona, 'private', ?1 FROM scopes WHERE audience = 'private' AND ref = ?2
		ON CONFLICT DO NOTHING`,
	`UPDATE people SET (timezone, timezone_set_at) = (SELECT timezone, timezone_set_at FROM people WHERE id = ?2)
		WHERE id = ?1 AND (timezone = '' OR timezone_set_at IS NULL AND (SELECT timezone_set_at FROM people WHERE id = ?2) IS NOT NULL)`,
	`UPDATE people SET language = (SELECT language FROM people WHERE id = ?2) WHERE id = ?1 AND language = ''`,
	`INSERT INTO paused (persona, person_id, room_id, since) SELECT persona, ?1, room_id, since FROM paused WHERE person_id = ?2
		ON CONFLICT DO NOTHING`,
	`DELETE FROM paused WHERE person_id = ?2`,
	`INSERT INTO voice_choices (person_id, room_id, mode, at) SELECT ?1, room_id, mode, at FROM voice_choices WHERE person_id = ?2
		ON CONFLICT (person_id, room_id) DO UPDATE SET mode = excluded.mode, at = excluded.at WHERE excluded.at > voice_choices.at`,
	`DELETE FROM voice_choices WHERE person_id = ?2`,
	// Both must have agreed. What one of them took back stays on record, so that no older export brings it back.
	`UPDATE training_consents SET (given, at) = (SELECT CASE WHEN training_consents.given = 1 AND max(o.given) = 1 THEN 1 ELSE 0 END,
			max(training_consents.at, coalesce(max(o.at), 0))
		FROM training_consents o WHERE o.persona = training_consents.persona AND o.person_id = ?2) WHERE person_id = ?1`,
	`INSERT INTO training_consents (persona, person_id, room_id, given, at) SELECT persona, ?1, room_id, 0, at FROM training_consents WHERE person_id = ?2
		ON CONFLICT DO NOTHING`,
	`DELETE FROM training_consents WHERE person_id = ?2`,
	`DELETE FROM people WHERE id = ?2`,
}
