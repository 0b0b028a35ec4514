-- Who wants a persona to hear and keep nothing of what they say: in room_id, everywhere if that is NULL.
CREATE TABLE paused (
  id          INTEGER PRIMARY KEY,
  persona     TEXT    NOT NULL,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  room_id     INTEGER REFERENCES rooms(id),
  since       INTEGER NOT NULL
);
CREATE UNIQUE INDEX paused_by_person ON paused(persona, person_id, coalesce(room_id, 0));
-- language: the BCP 47 tag of the language that they want to be answered in, '' for the one they write in.
ALTER TABLE people ADD COLUMN language TEXT NOT NULL DEFAULT '';
