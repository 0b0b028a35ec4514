-- What lists of a large store look for. Few texts and messages are given up, so these indexes cost almost nothing.
CREATE INDEX outbox_dead ON outbox(persona, room_id) WHERE status = 'dead';
CREATE INDEX inbox_dead_by_room ON inbox(persona, channel, room, thread) WHERE status = 'dead';
-- The sessions in which a person said something, read from the index alone.
DROP INDEX messages_by_person;
CREATE INDEX messages_by_person ON messages(person_id, id, session_id) WHERE person_id IS NOT NULL;
