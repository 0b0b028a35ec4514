-- What people asked to be reminded of. A row goes when it was said or dropped. room_id: where it is said, a direct room of the
-- person. message_id: the message that asked for it, NULL for a command. wall: 1 if a date or a time of day was named, which
-- follows the person's timezone once that is known.
CREATE TABLE reminders (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  persona     TEXT    NOT NULL,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  room_id     INTEGER NOT NULL REFERENCES rooms(id),
  message_id  INTEGER REFERENCES messages(id),
  text        TEXT    NOT NULL,
  due_at      INTEGER NOT NULL,
  wall        INTEGER NOT NULL,
  created_at  INTEGER NOT NULL
);
CREATE INDEX reminders_due ON reminders(persona, due_at);
CREATE INDEX reminders_by_person ON reminders(person_id, due_at);
CREATE INDEX reminders_by_message ON reminders(message_id) WHERE message_id IS NOT NULL;
