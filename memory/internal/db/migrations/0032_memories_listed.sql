-- A persona's memories, newest first, with everything that lists of them are filtered by: what does not match is passed over without
-- its row being read. The condition always holds; only queries that state it use the index, so that it is no choice for others.
CREATE INDEX memories_listed ON memories(persona, id, sector, tier, origin, author_id, session_id, audience, audience_person,
  audience_room, created_at) WHERE persona <> '';
