-- Whether people want what they and a persona said to be training data: given is 1 for yes, 0 for a yes that was taken back. No row is a
-- no. room_id: the direct room in which they said so.
CREATE TABLE training_consents (
  id          INTEGER PRIMARY KEY,
  persona     TEXT    NOT NULL,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  room_id     INTEGER NOT NULL REFERENCES rooms(id),
  given       INTEGER NOT NULL,
  at          INTEGER NOT NULL
);
CREATE UNIQUE INDEX training_consents_by_person ON training_consents(persona, person_id);
