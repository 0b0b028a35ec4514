-- What a persona keeps on its notepad: one for each person, for their direct rooms, and one for each group. It goes when something
-- that was said there is forgotten.
CREATE TABLE notepads (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  persona         TEXT    NOT NULL,
  audience        TEXT    NOT NULL,
  audience_person INTEGER REFERENCES people(id),
  audience_room   INTEGER REFERENCES rooms(id),
  text            TEXT    NOT NULL,
  updated_at      INTEGER NOT NULL
);
CREATE UNIQUE INDEX notepads_by_person ON notepads(audience_person, persona);
CREATE UNIQUE INDEX notepads_by_room ON notepads(audience_room, persona);
