-- What was erased, and numbers that are never given again.
-- The table that said since when the file is to be rewritten gets a name of its own.
ALTER TABLE erasures RENAME TO rewrites_due;

-- What was erased, without a word of it: the ids of people, messages and memories, each as a JSON list. Whoever restores an older
-- copy of this file erases the same there.
CREATE TABLE erasures (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  at          INTEGER NOT NULL,
  kind        TEXT    NOT NULL,
  people      TEXT    NOT NULL DEFAULT '[]',
  messages    TEXT    NOT NULL DEFAULT '[]',
  memories    TEXT    NOT NULL DEFAULT '[]'
);
CREATE INDEX erasures_by_time ON erasures(at);

-- Accounts of people who were erased, as hashes (log.HashHandle): what they sent up to then is not received again.
CREATE TABLE erased_handles (
  hash        TEXT    PRIMARY KEY,
  at          INTEGER NOT NULL
) WITHOUT ROWID;

-- Rows of these tables are removed with a person, and what still names their number must not meet another row under it:
-- AUTOINCREMENT.
CREATE TABLE messages_now (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  persona     TEXT    NOT NULL,
  room_id     INTEGER NOT NULL REFERENCES rooms(id),
  session_id  INTEGER NOT NULL REFERENCES sessions(id),
  person_id   INTEGER REFERENCES people(id),
  external_id TEXT    NOT NULL,
  reply_to    TEXT    NOT NULL DEFAULT '',
  text        TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  vanishes_at INTEGER,
  analysis    TEXT    NOT NULL DEFAULT '',
  analysis_version INTEGER NOT NULL DEFAULT 0,
  danger      TEXT    NOT NULL DEFAULT '',
  UNIQUE (persona, room_id, external_id)
);
INSERT INTO messages_now SELECT id, persona, room_id, session_id, person_id, external_id, reply_to, text, at, vanishes_at,
  analysis, analysis_version, danger FROM messages;
DROP TABLE messages;
ALTER TABLE messages_now RENAME TO messages;
CREATE INDEX messages_vanishing ON messages(vanishes_at) WHERE vanishes_at IS NOT NULL;
CREATE INDEX messages_by_room ON messages(persona, room_id, id);
CREATE INDEX messages_by_session ON messages(session_id, id);
CREATE INDEX messages_in_danger ON messages(persona, person_id, at) WHERE danger <> '';

CREATE TABLE sessions_now (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  persona      TEXT    NOT NULL,
  room_id      INTEGER NOT NULL REFERENCES rooms(id),
  parent_id    INTEGER REFERENCES sessions(id),
  started_at   INTEGER NOT NULL,
  last_at      INTEGER NOT NULL,
  ended_at     INTEGER,
  messages     INTEGER NOT NULL DEFAULT 0,
  significance REAL,
  class        TEXT    NOT NULL DEFAULT '',
  refined_at   INTEGER,
  compacted_to INTEGER REFERENCES messages(id),
  read_to      INTEGER REFERENCES messages(id),
  read_tries   INTEGER NOT NULL DEFAULT 0,
  read_tried_at INTEGER
);
INSERT INTO sessions_now SELECT id, persona, room_id, parent_id, started_at, last_at, ended_at, messages, significance, class,
  refined_at, compacted_to, read_to, read_tries, read_tried_at FROM sessions;
DROP TABLE sessions;
ALTER TABLE sessions_now RENAME TO sessions;
CREATE INDEX sessions_by_room ON sessions(persona, room_id, id);
CREATE INDEX sessions_open ON sessions(last_at) WHERE ended_at IS NULL;
CREATE INDEX sessions_unrefined ON sessions(persona, ended_at) WHERE ended_at IS NOT NULL AND refined_at IS NULL;

CREATE TABLE inbox_now (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  persona     TEXT    NOT NULL,
  channel     TEXT    NOT NULL,
  room        TEXT    NOT NULL,
  thread      TEXT    NOT NULL,
  event_id    TEXT    NOT NULL,
  payload     TEXT    NOT NULL,
  author_channel TEXT NOT NULL DEFAULT '',
  author_handle  TEXT NOT NULL DEFAULT '',
  job_run_id  INTEGER,
  status      TEXT    NOT NULL CHECK (status = 'pending' OR status = 'done' OR status = 'dead'),
  attempts    INTEGER NOT NULL DEFAULT 0,
  last_error  TEXT    NOT NULL DEFAULT '',
  received_at INTEGER NOT NULL,
  done_at     INTEGER,
  UNIQUE (persona, channel, room, thread, event_id)
);
INSERT INTO inbox_now SELECT id, persona, channel, room, thread, event_id, payload, author_channel, author_handle, job_run_id,
  status, attempts, last_error, received_at, done_at FROM inbox;
DROP TABLE inbox;
ALTER TABLE inbox_now RENAME TO inbox;
CREATE INDEX inbox_pending ON inbox(persona, channel, room, thread, id) WHERE status = 'pending';
CREATE INDEX inbox_done ON inbox(done_at) WHERE status = 'done';
CREATE INDEX inbox_dead ON inbox(author_channel, author_handle) WHERE status = 'dead';

CREATE TABLE turns_now (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  persona      TEXT    NOT NULL,
  room_id      INTEGER NOT NULL REFERENCES rooms(id),
  session_id   INTEGER NOT NULL REFERENCES sessions(id),
  person_id    INTEGER REFERENCES people(id),
  reply_id     INTEGER REFERENCES messages(id),
  recent_from  INTEGER REFERENCES messages(id),
  exact        INTEGER NOT NULL DEFAULT 0,
  unused       TEXT    NOT NULL DEFAULT '',
  voice        TEXT    NOT NULL,
  fault        TEXT    NOT NULL DEFAULT '',
  started_at   INTEGER NOT NULL,
  ended_at     INTEGER NOT NULL,
  thinned      INTEGER NOT NULL DEFAULT 0
);
INSERT INTO turns_now SELECT id, persona, room_id, session_id, person_id, reply_id, recent_from, exact, unused, voice, fault,
  started_at, ended_at, thinned FROM turns;
DROP TABLE turns;
ALTER TABLE turns_now RENAME TO turns;
CREATE INDEX turns_by_room ON turns(persona, room_id, id) WHERE recent_from IS NOT NULL;
CREATE INDEX turns_by_reply ON turns(reply_id) WHERE reply_id IS NOT NULL;
CREATE INDEX turns_by_recent ON turns(recent_from) WHERE recent_from IS NOT NULL;
CREATE INDEX turns_whole ON turns(ended_at) WHERE thinned = 0;
