package db

import "strings"

// Conditions and values of the views. Times that were not recorded follow from others: a row without stored_at counts as stored
// when it was said.
const (
	messageStored = `coalesce(x.stored_at, x.at) <= $T`
	memoryStored  = `coalesce(x.stored_at, x.created_at) <= $T`
	memoryThere   = `EXISTS (SELECT 1 FROM main.memories m WHERE m.id = x.memory_id AND coalesce(m.stored_at, m.created_at) <= $T)`
	bothThere     = `EXISTS (SELECT 1 FROM main.memories m WHERE m.id = x.from_id AND coalesce(m.stored_at, m.created_at) <= $T)
		AND EXISTS (SELECT 1 FROM main.memories m WHERE m.id = x.to_id AND coalesce(m.stored_at, m.created_at) <= $T)`
	messageThere = `EXISTS (SELECT 1 FROM main.messages m WHERE m.id = x.message_id AND coalesce(m.stored_at, m.at) <= $T)`
	personThere  = `EXISTS (SELECT 1 FROM main.people p WHERE p.id = x.person_id AND (p.created_at <= $T
		OR EXISTS (SELECT 1 FROM main.messages m WHERE m.person_id = p.id AND coalesce(m.stored_at, m.at) <= $T)))`
	// roomStored and roomThere: a room of an imported talk counts as stored with its first message, like people.
	roomStored = `(x.created_at <= $T OR EXISTS (SELECT 1 FROM main.messages m WHERE m.room_id = x.id AND coalesce(m.stored_at, m.at) <= $T))`
	roomThere  = `EXISTS (SELECT 1 FROM main.rooms r WHERE r.id = x.room_id AND (r.created_at <= $T
		OR EXISTS (SELECT 1 FROM main.messages m WHERE m.room_id = r.id AND coalesce(m.stored_at, m.at) <= $T)))`
	// sessionStored and sessionThere: a session is stored with its first message; one that began earlier was replayed.
	sessionStored = `x.started_at <= $T AND coalesce((SELECT coalesce(m.stored_at, m.at) FROM main.messages m
		WHERE m.session_id = x.id ORDER BY m.id LIMIT 1), x.started_at) <= $T`
	sessionThere = `coalesce((SELECT coalesce(m.stored_at, m.at) FROM main.messages m
		WHERE m.session_id = x.session_id ORDER BY m.id LIMIT 1), 0) <= $T`
	evidenceStored = `coalesce(x.stored_at, x.at) <= $T`
	beliefStored   = `coalesce(x.stored_at, x.created_at) <= $T`

	// laterUses counts the replies made from a memory after then.
	laterUses = `(SELECT count(DISTINCT t.id) FROM main.turn_items i JOIN main.turns t ON t.id = i.turn_id
		WHERE i.memory_id = x.id AND i.used = 1 AND t.ended_at > $T)`
	// usedLater reports that a memory was used after then.
	usedLater = `coalesce(x.recalled_at, 0) > $T`
	// lastUse is when a memory was last used by then, NULL for never.
	lastUse = `CASE WHEN ` + usedLater + ` THEN (SELECT max(t.ended_at) FROM main.turn_items i JOIN main.turns t ON t.id = i.turn_id
		WHERE i.memory_id = x.id AND i.used = 1 AND t.ended_at <= $T) ELSE x.recalled_at END`
	// laterGains is the strength that uses after then gave a memory, by the rule of entry.MarkUsed.
	laterGains = `coalesce((SELECT sum(u.gain) FROM (
		SELECT t.at, min(1.0, max(0.0, (t.at - lag(t.at, 1, x.created_at) OVER (ORDER BY t.at, t.id)) / 86400000.0))
			/ row_number() OVER (ORDER BY t.at, t.id) AS gain
		FROM (SELECT DISTINCT t.id, t.ended_at AS at FROM main.turn_items i JOIN main.turns t ON t.id = i.turn_id
			WHERE i.memory_id = x.id AND i.used = 1) t) u WHERE u.at > $T), 0)`
	// laterRehearsals is the strength that jobs gave it after then.
	laterRehearsals = `coalesce((SELECT sum(r.gain) FROM main.rehearsals r JOIN main.job_runs j ON j.id = r.job_run_id
		WHERE r.memory_id = x.id AND j.started_at > $T), 0)`
	strengthThen = `max(1.0, x.strength - CASE WHEN ` + usedLater + ` THEN ` + laterGains + ` ELSE 0 END - ` + laterRehearsals + `)`
	// tierThen, pinnedThen and expiresThen are the values before the first change after then.
	tierThen    = `coalesce((SELECT e.was FROM main.memory_events e WHERE e.memory_id = x.id AND e.kind = 'tier' AND e.at > $T ORDER BY e.at, e.id LIMIT 1), x.tier)`
	pinnedThen  = `coalesce((SELECT CAST(coalesce(nullif(e.was, ''), '0') AS BIGINT) FROM main.memory_events e WHERE e.memory_id = x.id AND e.kind = 'pinned' AND e.at > $T ORDER BY e.at, e.id LIMIT 1), x.pinned)`
	expiresThen = `nullif(coalesce((SELECT CAST(coalesce(nullif(e.was, ''), '0') AS BIGINT) FROM main.memory_events e WHERE e.memory_id = x.id AND e.kind = 'expires' AND e.at > $T
		ORDER BY e.at, e.id LIMIT 1), x.expires_at), 0)`
	// forgetThen is when it was going to be forgotten: its lifetime after the last use or move.
	forgetThen = `CASE WHEN ` + pinnedThen + ` = 1 THEN NULL ELSE CAST(x.lasts * ` + strengthThen + ` AS INTEGER) + max(x.created_at,
		coalesce(x.stored_at, 0), coalesce(` + lastUse + `, 0), coalesce((SELECT max(e.at) FROM main.memory_events e
		WHERE e.memory_id = x.id AND e.kind <> 'expires' AND e.at <= $T), 0)) END`
	newerThen = `CASE WHEN x.superseded_by IS NULL THEN NULL WHEN (SELECT coalesce(n.stored_at, n.created_at) FROM main.memories n
		WHERE n.id = x.superseded_by) <= $T THEN x.superseded_by END`

	// beliefEnd is the SQL of when the store took note that a belief no longer holds, NULL while it does.
	beliefEnd = `(CASE WHEN x.status = 'active' THEN NULL ELSE coalesce(x.ended_at,
		(SELECT max(n.created_at, x.updated_at) FROM main.beliefs n WHERE n.id = x.superseded_by),
		(SELECT max(e.at) FROM main.belief_evidence e WHERE e.belief_id = x.id AND e.stance < 0), x.valid_to, x.updated_at) END)`
	heldThen = `coalesce(` + beliefEnd + `, 0) > $T`

	closedLater = `x.status = 'closed' AND coalesce(x.closed_at, 0) > $T`
	askedThen   = `CASE WHEN x.asked_at <= $T THEN x.asked_at END`
)

// BeliefEnd is the SQL of when the store took note that a belief x no longer holds, NULL while it does.
var BeliefEnd = strings.ReplaceAll(beliefEnd, "main.", "")

// pastViews are the views of the tables that have a history. What has none, such as names, tags and counters of the installation,
// is seen as it is now.
var pastViews = []pastView{
	{table: "people", where: `x.created_at <= $T OR EXISTS (SELECT 1 FROM main.messages m WHERE m.person_id = x.id AND coalesce(m.stored_at, m.at) <= $T)`},
	{table: "handles", where: `x.first_seen <= $T AND ` + personThere, then: map[string]string{"last_seen": `min(x.last_seen, $T)`}},
	{table: "rooms", where: roomStored},
	{table: "room_people", where: `x.first_spoke <= $T AND ` + personThere + ` AND ` + roomThere, then: map[string]string{"last_spoke": `min(x.last_spoke, $T)`}},
	{table: "messages", where: messageStored},
	{table: "reactions", where: `x.at <= $T AND ` + messageThere},
	{table: "sent_as", where: messageThere},
	{table: "sessions", where: sessionStored, then: map[string]string{
		"ended_at":     `CASE WHEN x.ended_at <= $T THEN x.ended_at END`,
		"significance": `CASE WHEN x.ended_at <= $T THEN x.significance END`,
		"refined_at":   `CASE WHEN x.refined_at <= $T THEN x.refined_at END`,
		"class":        `CASE WHEN x.ended_at <= $T THEN x.class ELSE '' END`,
		"last_at":      `min(x.last_at, $T)`,
		"messages":     `(SELECT count(*) FROM main.messages m WHERE m.session_id = x.id AND coalesce(m.stored_at, m.at) <= $T)`,
	}},
	{table: "memories", where: memoryStored, then: map[string]string{
		"recalls":       `x.recalls - CASE WHEN ` + usedLater + ` THEN ` + laterUses + ` ELSE 0 END`,
		"uses":          `x.uses - CASE WHEN ` + usedLater + ` THEN ` + laterUses + ` ELSE 0 END`,
		"recalled_at":   lastUse,
		"strength":      strengthThen,
		"tier":          tierThen,
		"pinned":        pinnedThen,
		"expires_at":    expiresThen,
		"forget_at":     forgetThen,
		"superseded_by": newerThen,
	}},
	{table: "memory_sources", where: memoryThere},
	{table: "memory_about", where: memoryThere},
	{table: "memory_entities", where: memoryThere},
	{table: "memory_tags", where: memoryThere},
	{table: "memory_edges", where: bothThere},
	{table: "memory_rules", where: `x.created_at <= $T`},
	{table: "memory_events", where: `x.at <= $T`},
	{table: "passages", where: memoryThere},
	{table: "beliefs", where: beliefStored, then: map[string]string{
		"status":        `CASE WHEN ` + heldThen + ` THEN 'active' ELSE x.status END`,
		"superseded_by": `CASE WHEN ` + heldThen + ` THEN NULL ELSE x.superseded_by END`,
		"replaced_why":  `CASE WHEN ` + heldThen + ` THEN '' ELSE x.replaced_why END`,
		"valid_to":      `CASE WHEN ` + heldThen + ` THEN NULL ELSE x.valid_to END`,
		"ended_at":      `CASE WHEN ` + heldThen + ` THEN NULL ELSE x.ended_at END`,
		"asked_at":      askedThen,
		"updated_at": `CASE WHEN x.updated_at <= $T THEN x.updated_at ELSE coalesce((SELECT max(e.at) FROM main.belief_evidence e
			WHERE e.belief_id = x.id AND e.stance > 0 AND coalesce(e.stored_at, e.at) <= $T), x.created_at) END`,
	}},
	{table: "belief_evidence", where: evidenceStored},
	{table: "open_loops", where: messageThere, then: map[string]string{
		"status": `CASE WHEN NOT (` + closedLater + `) AND (x.status <> 'asked' OR coalesce(x.asked_at, 0) <= $T) THEN x.status
			WHEN x.asked_at <= $T THEN 'asked' ELSE 'open' END`,
		"closed_at":    `CASE WHEN x.closed_at <= $T THEN x.closed_at END`,
		"asked_at":     askedThen,
		"evolved_into": `CASE WHEN (SELECT n.created_at FROM main.open_loops n WHERE n.id = x.evolved_into) <= $T THEN x.evolved_into END`,
	}},
	{table: "open_loop_sources", where: messageThere},
	{
		table: "relationships",
		where: `x.last_seen <= $T AND ` + personThere + ` AND NOT EXISTS (SELECT 1 FROM main.relationship_days d
			WHERE d.persona = x.persona AND d.person_id = x.person_id AND d.last_seen <= $T AND d.last_day > x.last_day)`,
		from: `(SELECT ` + relationshipColumns + ` FROM main.relationships UNION ALL SELECT ` + relationshipColumns + ` FROM main.relationship_days)`,
	},
	{table: "milestones", where: `x.at <= $T AND ` + personThere},
	{table: "moods", where: `x.at <= $T AND ` + sessionThere},
	{table: "practice", where: `x.at <= $T AND ` + sessionThere},
	{table: "growth", where: `x.at <= $T`},
	{table: "greeted", where: `x.at <= $T AND ` + personThere},
	{table: "reminders", where: `x.created_at <= $T`},
	{table: "turns", where: `x.ended_at <= $T AND ` + sessionThere},
	{table: "turn_heard", where: turnThere},
	{table: "turn_items", where: turnThere},
	{table: "turn_item_lines", where: turnThere},
	{table: "turn_usage", where: turnThere},
	{table: "inbox", where: `1 = 0`},
	{table: "outbox", where: `x.sent_at <= $T`},
}

const turnThere = `EXISTS (SELECT 1 FROM main.turns t WHERE t.id = x.turn_id AND t.ended_at <= $T)`

const relationshipColumns = `persona, person_id, first_met, last_seen, sessions, messages, days, last_day, trust, trust_day, trust_moved,
	notes, history, words, questions, mornings, afternoons, evenings, nights, quiet_since`
