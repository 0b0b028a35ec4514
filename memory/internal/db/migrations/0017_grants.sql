-- Tokens with which other programs use a persona's memory. hash: SHA-256 of the token. kind: whose view it has: person (what a
-- direct room with person_id sees), room (what room_id sees) or operator (all of the persona). first_hand: what the program
-- writes are the person's own words. expires_at: NULL for never. used_at: the last use, to the hour.
CREATE TABLE grants (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  hash        BLOB    NOT NULL UNIQUE,
  client      TEXT    NOT NULL,
  persona     TEXT    NOT NULL,
  kind        TEXT    NOT NULL CHECK (kind IN ('person', 'room', 'operator')),
  person_id   INTEGER REFERENCES people(id),
  room_id     INTEGER REFERENCES rooms(id),
  first_hand  INTEGER NOT NULL,
  read_only   INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  expires_at  INTEGER,
  used_at     INTEGER
);
CREATE INDEX grants_by_person ON grants(person_id) WHERE person_id IS NOT NULL;
CREATE INDEX grants_by_room ON grants(room_id) WHERE room_id IS NOT NULL;
