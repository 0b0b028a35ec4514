package erase

import "familiar/memory/log"

// theirRooms are the direct rooms of person ?1, theirMessages all messages in them and theirs in groups.
const (
	theirRooms    = `(SELECT id FROM rooms WHERE person_id = ?1)`
	theirMessages = `(SELECT id FROM messages WHERE person_id = ?1 UNION ALL
		SELECT m.id FROM rooms r JOIN messages m ON m.room_id = r.id WHERE r.person_id = ?1)`
	theirSessions = `(SELECT s.id FROM rooms r JOIN sessions s ON s.room_id = r.id WHERE r.person_id = ?1)`
	theirMemories = `(SELECT id FROM memories WHERE audience_person = ?1 UNION SELECT id FROM memories WHERE author_id = ?1
		UNION SELECT m.id FROM rooms r JOIN memories m ON m.audience_room = r.id WHERE r.person_id = ?1)`
	theirBeliefs = `(SELECT id FROM beliefs WHERE audience_person = ?1 UNION SELECT id FROM beliefs WHERE author_id = ?1
		UNION SELECT id FROM beliefs WHERE subject_person = ?1
		UNION SELECT b.id FROM rooms r JOIN beliefs b ON b.audience_room = r.id WHERE r.person_id = ?1)`
	theirLoops = `(SELECT id FROM open_loops WHERE person_id = ?1 UNION SELECT id FROM open_loops WHERE audience_person = ?1
		UNION SELECT l.id FROM rooms r JOIN open_loops l ON l.audience_room = r.id WHERE r.person_id = ?1)`
	// hearing are the personas that received anything, found by a step per persona: the index of the inbox begins with them.
	hearing = `(WITH RECURSIVE h(persona) AS (SELECT min(persona) FROM inbox UNION ALL
		SELECT (SELECT min(i.persona) FROM inbox i WHERE i.persona > h.persona) FROM h WHERE h.persona IS NOT NULL)
		SELECT persona FROM h WHERE persona IS NOT NULL) p`
	sentByThem = `EXISTS (SELECT 1 FROM handles h WHERE h.person_id = ?1 AND h.channel = inbox.author_channel AND h.handle = inbox.author_handle)`
)

// personStatements remove what is left of person ?1 once what others share with them is undone (personEraser.shared), in an order
// in which nothing is removed that another row still refers to. TestNothingRefersToAnErasedPerson reports a table that is missing.
var personStatements = []string{
	// What is under way.
	`DELETE FROM outbox WHERE room_id IN ` + theirRooms,
	`DELETE FROM taken_back WHERE EXISTS (SELECT 1 FROM rooms r WHERE r.person_id = ?1 AND r.channel = taken_back.channel
		AND r.room = taken_back.room AND r.thread = taken_back.thread)
		OR EXISTS (SELECT 1 FROM handles h WHERE h.person_id = ?1 AND h.channel = taken_back.channel AND h.handle = taken_back.handle)`,
	`DELETE FROM inbox WHERE id IN (SELECT i.id FROM ` + hearing + ` CROSS JOIN rooms r CROSS JOIN inbox i WHERE i.persona = p.persona
		AND i.channel = r.channel AND i.room = r.room AND i.thread = r.thread AND r.person_id = ?1)`,
	`DELETE FROM inbox WHERE status = 'pending' AND ` + sentByThem, // whoever sent what is done is not kept
	`DELETE FROM inbox WHERE status = 'dead' AND ` + sentByThem,
	// What is known of them.
	`UPDATE beliefs SET superseded_by = NULL WHERE superseded_by IN ` + theirBeliefs,
	`DELETE FROM beliefs WHERE id IN ` + theirBeliefs,
	`DELETE FROM belief_evidence WHERE author_id = ?1 OR message_id IN ` + theirMessages,
	`DELETE FROM open_loop_sources WHERE message_id IN ` + theirMessages,
	`DELETE FROM open_loops WHERE id IN ` + theirLoops,
	`UPDATE memories SET supersedes = NULL WHERE supersedes IN ` + theirMemories,
	`UPDATE memories SET superseded_by = NULL WHERE superseded_by IN ` + theirMemories,
	`UPDATE memories SET parent_id = NULL WHERE parent_id IN ` + theirMemories,
	`DELETE FROM memories WHERE id IN ` + theirMemories,
	`DELETE FROM memory_sources WHERE message_id IN ` + theirMessages,
	`DELETE FROM memory_about WHERE person_id = ?1`,
	`DELETE FROM unasked_decisions WHERE person_id = ?1`,
	`DELETE FROM unasked WHERE person_id = ?1`,
	`DELETE FROM link_codes WHERE person_id = ?1 OR room_id IN ` + theirRooms,
	`DELETE FROM link_parts WHERE person_id = ?1`,
	`DELETE FROM link_guesses WHERE EXISTS (SELECT 1 FROM handles h WHERE h.person_id = ?1 AND h.channel = link_guesses.channel AND h.handle = link_guesses.handle)`,
	`DELETE FROM paused WHERE person_id = ?1 OR room_id IN ` + theirRooms,
	`DELETE FROM voice_choices WHERE person_id = ?1 OR room_id IN ` + theirRooms,
	`DELETE FROM asks WHERE person_id = ?1`,
	`DELETE FROM training_consents WHERE person_id = ?1 OR room_id IN ` + theirRooms,
	`DELETE FROM watches WHERE person_id = ?1`,
	// What a file said up to now is not read again, and nothing else tells of the file.
	`UPDATE watermarks SET erased_bytes = max(erased_bytes, read_to), person_id = NULL, path = '', file = '', size = 0, head = '', tail = '',
		progress = '', read_to = 0, messages = 0, problem = '' WHERE person_id = ?1`,
	`DELETE FROM greeted WHERE person_id = ?1`,
	`DELETE FROM milestones WHERE person_id = ?1 OR session_id IN ` + theirSessions,
	`DELETE FROM relationships WHERE person_id = ?1`,
	`DELETE FROM relationship_days WHERE person_id = ?1`,
	`DELETE FROM reactions WHERE person_id = ?1 OR message_id IN ` + theirMessages,
	// The talk itself. What the others' turns could see begins after the message that goes.
	`DELETE FROM turns WHERE person_id = ?1 OR room_id IN ` + theirRooms,
	`DELETE FROM turn_heard WHERE message_id IN ` + theirMessages,
	`DELETE FROM turn_item_lines WHERE message_id IN ` + theirMessages,
	`UPDATE turns SET reply_id = NULL WHERE reply_id IN ` + theirMessages,
	`UPDATE turns SET recent_from = (SELECT min(n.id) FROM messages n WHERE n.persona = turns.persona AND n.room_id = turns.room_id
		AND n.id > turns.recent_from AND n.person_id IS DISTINCT FROM ?1) WHERE recent_from IN ` + theirMessages,
	`UPDATE sessions SET compacted_to = (SELECT max(n.id) FROM messages n WHERE n.session_id = sessions.id
		AND n.id < sessions.compacted_to AND n.person_id IS DISTINCT FROM ?1) WHERE compacted_to IN ` + theirMessages,
	`UPDATE sessions SET read_to = (SELECT max(n.id) FROM messages n WHERE n.session_id = sessions.id
		AND n.id < sessions.read_to AND n.person_id IS DISTINCT FROM ?1) WHERE read_to IN ` + theirMessages,
	`DELETE FROM outbox WHERE message_id IN ` + theirMessages,
	`DELETE FROM unasked_decisions WHERE message_id IN ` + theirMessages,
	`DELETE FROM sent_as WHERE message_id IN ` + theirMessages,
	`DELETE FROM message_files WHERE message_id IN ` + theirMessages,
	`DELETE FROM checkpoint_items WHERE id IN (SELECT item_id FROM checkpoint_sources WHERE message_id IN ` + theirMessages + `)`,
	`DELETE FROM checkpoint_items WHERE id IN (SELECT item_id FROM checkpoint_about WHERE person_id = ?1)`,
	`DELETE FROM checkpoint_items WHERE audience_person = ?1`,
	`DELETE FROM checkpoint_items WHERE audience_room IN ` + theirRooms,
	`DELETE FROM checkpoint_items WHERE session_id IN ` + theirSessions,
	`DELETE FROM moods WHERE session_id IN ` + theirSessions,
	`DELETE FROM practice WHERE session_id IN ` + theirSessions,
	`UPDATE sessions SET compacted_to = NULL, read_to = NULL WHERE id IN ` + theirSessions,
	`UPDATE messages SET copied_from = NULL WHERE copied_from IN ` + theirMessages,
	// A group's notepad may have what they said.
	`DELETE FROM notepads WHERE audience_person = ?1 OR audience_room IN ` + theirRooms + ` OR audience_room IN (SELECT room_id FROM room_people WHERE person_id = ?1)`,
	`DELETE FROM tool_calls WHERE person_id = ?1 OR room_id IN ` + theirRooms,
	`UPDATE tool_calls SET arguments = '', digest = '', reason = '', message_id = NULL WHERE message_id IN ` + theirMessages,
	`DELETE FROM reminders WHERE person_id = ?1 OR room_id IN ` + theirRooms + ` OR message_id IN ` + theirMessages,
	`DELETE FROM messages WHERE id IN ` + theirMessages,
	`DELETE FROM sessions WHERE id IN ` + theirSessions,
	// What was used stays on the operator's account, as nobody's.
	log.AddUsage(`day, persona, 0, CASE WHEN room_id IN `+theirRooms+` THEN 0 ELSE room_id END, job, model`, `person_id = ?1`),
	`DELETE FROM usage WHERE person_id = ?1`,
	`DELETE FROM grants WHERE person_id = ?1 OR room_id IN ` + theirRooms,
	`DELETE FROM login_links WHERE person_id = ?1`,
	`DELETE FROM login_sessions WHERE person_id = ?1`,
	`DELETE FROM link_codes WHERE person_id = ?1 OR room_id IN ` + theirRooms,
	`DELETE FROM link_parts WHERE person_id = ?1`,
	`DELETE FROM link_guesses WHERE EXISTS (SELECT 1 FROM handles h WHERE h.person_id = ?1 AND h.channel = link_guesses.channel AND h.handle = link_guesses.handle)`,
	`DELETE FROM usage_notices WHERE person_id = ?1`,
	`DELETE FROM job_claims WHERE person_id = ?1`,
	`DELETE FROM job_marks WHERE audience = 'private' AND ref = ?1 OR audience = 'room' AND ref IN ` + theirRooms,
	`DELETE FROM scope_changes WHERE audience = 'private' AND ref = ?1 OR audience = 'room' AND ref IN ` + theirRooms,
	`DELETE FROM scopes WHERE audience = 'private' AND ref = ?1 OR audience = 'room' AND ref IN ` + theirRooms,
	// Who they are: the accounts, who let them in, and their rooms.
	`DELETE FROM pairings WHERE room_id IN ` + theirRooms + ` OR EXISTS
		(SELECT 1 FROM handles h WHERE h.person_id = ?1 AND h.channel = pairings.channel AND h.handle = pairings.handle)`,
	`DELETE FROM allowed WHERE EXISTS (SELECT 1 FROM handles h WHERE h.person_id = ?1 AND h.channel = allowed.channel AND h.handle = allowed.handle)`,
	`DELETE FROM room_moves WHERE EXISTS (SELECT 1 FROM rooms r WHERE r.person_id = ?1 AND r.channel = room_moves.channel
		AND r.room IN (room_moves.room, room_moves.now))`,
	`DELETE FROM room_people WHERE person_id = ?1 OR room_id IN ` + theirRooms,
	`DELETE FROM rooms WHERE person_id = ?1`,
	`DELETE FROM handles WHERE person_id = ?1`,
	`DELETE FROM people WHERE id = ?1`,
	// Any scope may have mentioned them.
	`UPDATE scopes SET epoch = epoch + 1, beliefs = beliefs + 1, names = names + 1, loose = loose + 1 WHERE ?1 > 0`,
}
