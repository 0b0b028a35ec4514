-- What the store needs to answer as of an earlier time (memory/internal/db/as_of.go).

-- stored_at: when the row was stored; NULL in rows of earlier versions and in imported ones, which count as stored when they were said.
ALTER TABLE messages ADD COLUMN stored_at INTEGER;
ALTER TABLE memories ADD COLUMN stored_at INTEGER;
ALTER TABLE beliefs ADD COLUMN stored_at INTEGER;
ALTER TABLE belief_evidence ADD COLUMN stored_at INTEGER;

-- ended_at: when the store took note that the belief no longer holds.
ALTER TABLE beliefs ADD COLUMN ended_at INTEGER;

-- What jobs and the operator changed in memories: kind says which column, was is its value before, '' for NULL. Uses of memories
-- are in turn_items.
CREATE TABLE memory_events (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  memory_id   INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  at          INTEGER NOT NULL,
  kind        TEXT    NOT NULL CHECK (kind = 'tier' OR kind = 'pinned' OR kind = 'expires'),
  was         TEXT    NOT NULL
);
CREATE INDEX memory_events_by_memory ON memory_events(memory_id, kind, at);
CREATE INDEX memory_events_by_time ON memory_events(at);

-- The relationships at the end of each earlier day on which the person wrote (last_day).
CREATE TABLE relationship_days (
  persona      TEXT    NOT NULL,
  person_id    INTEGER NOT NULL REFERENCES people(id),
  first_met    INTEGER NOT NULL,
  last_seen    INTEGER NOT NULL,
  sessions     INTEGER NOT NULL,
  messages     INTEGER NOT NULL,
  days         INTEGER NOT NULL,
  last_day     TEXT    NOT NULL,
  trust        REAL    NOT NULL,
  trust_day    TEXT    NOT NULL,
  trust_moved  REAL    NOT NULL,
  notes        INTEGER NOT NULL,
  history      INTEGER NOT NULL,
  words        INTEGER NOT NULL,
  questions    INTEGER NOT NULL,
  mornings     INTEGER NOT NULL,
  afternoons   INTEGER NOT NULL,
  evenings     INTEGER NOT NULL,
  nights       INTEGER NOT NULL,
  quiet_since  INTEGER,
  PRIMARY KEY (persona, person_id, last_day)
) WITHOUT ROWID;
CREATE INDEX relationship_days_by_person ON relationship_days(person_id);
CREATE INDEX relationship_days_by_time ON relationship_days(last_seen);

-- Since when all of this is on record; no row: from the beginning.
CREATE TABLE history_start (
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  at          INTEGER NOT NULL
);
INSERT INTO history_start (id, at) SELECT 1, CAST(strftime('%s', 'now') AS INTEGER) * 1000 WHERE EXISTS (SELECT 1 FROM messages);
