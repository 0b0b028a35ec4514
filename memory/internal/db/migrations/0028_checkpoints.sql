-- Saved states of a persona. automatic: made before another was restored. format: how the values of the items are written.
-- last_memory: the highest id of a memory then; what was concluded later has a higher one. copied: how many memories were copied;
-- fewer are left once something of them was erased. files_due: 1 from when its rows were restored until its files are.
CREATE TABLE checkpoints (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  persona     TEXT    NOT NULL,
  name        TEXT    NOT NULL,
  note        TEXT    NOT NULL,
  automatic   INTEGER NOT NULL,
  format      INTEGER NOT NULL,
  last_memory INTEGER NOT NULL,
  copied      INTEGER NOT NULL,
  files_due   INTEGER NOT NULL DEFAULT 0,
  created_at  INTEGER NOT NULL,
  UNIQUE (persona, name)
);

-- What was copied, each by itself, so that what somebody said is erased from it as from everything else. value: JSON for rows, the
-- text of files. Of memories: memory_id is the memory as it is now, copied_id what it was when it was copied.
CREATE TABLE checkpoint_items (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  checkpoint_id   INTEGER NOT NULL REFERENCES checkpoints(id) ON DELETE CASCADE,
  kind            TEXT    NOT NULL,
  value           TEXT    NOT NULL,
  audience        TEXT    NOT NULL DEFAULT 'world',
  audience_person INTEGER REFERENCES people(id),
  audience_room   INTEGER REFERENCES rooms(id),
  session_id      INTEGER REFERENCES sessions(id),
  memory_id       INTEGER,
  copied_id       INTEGER
);
CREATE INDEX checkpoint_items_by_checkpoint ON checkpoint_items(checkpoint_id, kind);
CREATE INDEX checkpoint_items_by_person ON checkpoint_items(audience_person) WHERE audience_person IS NOT NULL;
CREATE INDEX checkpoint_items_by_room ON checkpoint_items(audience_room) WHERE audience_room IS NOT NULL;
CREATE INDEX checkpoint_items_by_session ON checkpoint_items(session_id) WHERE session_id IS NOT NULL;
CREATE INDEX checkpoint_items_by_memory ON checkpoint_items(memory_id) WHERE memory_id IS NOT NULL;
CREATE INDEX checkpoint_items_by_copied ON checkpoint_items(copied_id) WHERE copied_id IS NOT NULL;

-- The messages that a copied memory rests on, and whom it is about.
CREATE TABLE checkpoint_sources (
  item_id     INTEGER NOT NULL REFERENCES checkpoint_items(id) ON DELETE CASCADE,
  message_id  INTEGER NOT NULL REFERENCES messages(id),
  PRIMARY KEY (item_id, message_id)
) WITHOUT ROWID;
CREATE INDEX checkpoint_sources_by_message ON checkpoint_sources(message_id);

CREATE TABLE checkpoint_about (
  item_id     INTEGER NOT NULL REFERENCES checkpoint_items(id) ON DELETE CASCADE,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  PRIMARY KEY (item_id, person_id)
) WITHOUT ROWID;
CREATE INDEX checkpoint_about_by_person ON checkpoint_about(person_id);
