-- In what form people want answers in a room: 'on' aloud, 'off' in writing, 'auto' as they asked. None for what the operator set.
CREATE TABLE voice_choices (
  id        INTEGER PRIMARY KEY,
  person_id INTEGER NOT NULL REFERENCES people(id),
  room_id   INTEGER NOT NULL REFERENCES rooms(id),
  mode      TEXT    NOT NULL,
  at        INTEGER NOT NULL
);
CREATE UNIQUE INDEX voice_choices_by_person ON voice_choices(person_id, room_id);
-- 1 for a text that is to be sent as a voice message.
ALTER TABLE outbox ADD COLUMN spoken INTEGER NOT NULL DEFAULT 0;
