-- 35
CREATE TABLE people (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  name        TEXT    NOT NULL,
  timezone    TEXT    NOT NULL DEFAULT '',
  timezone_set_at INTEGER,
  unwelcome_at INTEGER,
  created_at  INTEGER NOT NULL
, language TEXT NOT NULL DEFAULT '');
CREATE TABLE handles (
  channel     TEXT    NOT NULL,
  handle      TEXT    NOT NULL,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  display     TEXT    NOT NULL,
  first_seen  INTEGER NOT NULL,
  last_seen   INTEGER NOT NULL,
  PRIMARY KEY (channel, handle)
) WITHOUT ROWID;
CREATE INDEX handles_by_person ON handles(person_id, first_seen);
CREATE TABLE rooms (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  channel     TEXT    NOT NULL,
  room        TEXT    NOT NULL,
  thread      TEXT    NOT NULL DEFAULT '',
  direct      INTEGER NOT NULL,
  person_id   INTEGER REFERENCES people(id),
  title       TEXT    NOT NULL DEFAULT '',
  created_at  INTEGER NOT NULL, persona TEXT NOT NULL DEFAULT '',
  UNIQUE (channel, room, thread)
);
CREATE INDEX rooms_by_person ON rooms(person_id);
CREATE TABLE room_moves (
  channel     TEXT    NOT NULL,
  room        TEXT    NOT NULL,
  now         TEXT    NOT NULL,
  PRIMARY KEY (channel, room)
) WITHOUT ROWID;
CREATE TABLE room_people (
  room_id     INTEGER NOT NULL REFERENCES rooms(id),
  person_id   INTEGER NOT NULL REFERENCES people(id),
  first_spoke INTEGER NOT NULL,
  last_spoke  INTEGER NOT NULL,
  PRIMARY KEY (room_id, person_id)
) WITHOUT ROWID;
CREATE INDEX room_people_by_person ON room_people(person_id);
CREATE TABLE message_files (
  message_id  INTEGER NOT NULL REFERENCES messages(id),
  file        TEXT    NOT NULL,
  PRIMARY KEY (message_id, file)
) WITHOUT ROWID;
CREATE INDEX message_files_by_file ON message_files(file);
CREATE TABLE sent_as (
  message_id  INTEGER NOT NULL REFERENCES messages(id),
  external_id TEXT    NOT NULL,
  chunk       INTEGER NOT NULL,
  PRIMARY KEY (message_id, external_id)
) WITHOUT ROWID;
CREATE INDEX sent_as_by_id ON sent_as(external_id);
CREATE TABLE reactions (
  message_id  INTEGER NOT NULL REFERENCES messages(id),
  person_id   INTEGER NOT NULL REFERENCES people(id),
  emoji       TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  PRIMARY KEY (message_id, person_id)
) WITHOUT ROWID;
CREATE INDEX reactions_by_person ON reactions(person_id);
CREATE TABLE memories (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  persona         TEXT    NOT NULL,
  audience        TEXT    NOT NULL CHECK (audience = 'private' OR audience = 'room' OR audience = 'world'),
  audience_person INTEGER REFERENCES people(id),
  audience_room   INTEGER REFERENCES rooms(id),
  origin          TEXT    NOT NULL CHECK (origin = 'said' OR origin = 'told' OR origin = 'inferred'),
  author_id       INTEGER REFERENCES people(id),
  session_id      INTEGER REFERENCES sessions(id),
  parent_id       INTEGER REFERENCES memories(id),
  sector          TEXT    NOT NULL CHECK (sector = 'episodic' OR sector = 'semantic' OR sector = 'procedural'
                    OR sector = 'emotional' OR sector = 'reflective'),
  kind            TEXT    NOT NULL DEFAULT '',
  text            TEXT    NOT NULL,
  salience        REAL    NOT NULL CHECK (salience BETWEEN 0 AND 1),
  instruction     INTEGER NOT NULL DEFAULT 0,
  pinned          INTEGER NOT NULL DEFAULT 0,
  recalls         INTEGER NOT NULL DEFAULT 0,
  uses            INTEGER NOT NULL DEFAULT 0,
  recalled_at     INTEGER,
  event_from      INTEGER,
  event_until     INTEGER,
  supersedes      INTEGER REFERENCES memories(id),
  superseded_by   INTEGER REFERENCES memories(id),
  job_run_id      INTEGER,
  tier            TEXT    NOT NULL DEFAULT 'short' CHECK (tier IN ('sensory', 'short', 'long', 'dormant')),
  strength        REAL    NOT NULL DEFAULT 1,
  lasts           INTEGER,
  forget_at       INTEGER,
  kept_for        INTEGER REFERENCES open_loops(id) ON DELETE SET NULL,
  expires_at      INTEGER,
  apart           INTEGER NOT NULL DEFAULT 0,
  created_at      INTEGER NOT NULL, told INTEGER NOT NULL DEFAULT 0, stored_at INTEGER,
  CHECK (audience <> 'private' OR audience_person IS NOT NULL),
  CHECK (audience <> 'room' OR audience_room IS NOT NULL)
);
CREATE INDEX memories_private ON memories(persona, audience_person, id, created_at) WHERE audience = 'private';
CREATE INDEX memories_room ON memories(persona, audience_room, id, created_at) WHERE audience = 'room';
CREATE INDEX memories_world ON memories(persona, id) WHERE audience = 'world';
CREATE INDEX memories_by_session ON memories(session_id, id);
CREATE INDEX memories_by_older ON memories(supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX memories_by_newer ON memories(superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_by_parent ON memories(parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX memories_by_run ON memories(job_run_id) WHERE job_run_id IS NOT NULL;
CREATE INDEX memories_of_kind ON memories(persona, kind, id) WHERE kind <> '';
CREATE INDEX memories_of_session ON memories(session_id, kind, id) WHERE kind <> '';
CREATE INDEX memories_inferred ON memories(persona, kind, coalesce(audience_person, 0), coalesce(audience_room, 0), id) WHERE kind <> '';
CREATE INDEX memories_due ON memories(forget_at) WHERE forget_at IS NOT NULL AND kept_for IS NULL;
CREATE INDEX memories_kept ON memories(kept_for) WHERE kept_for IS NOT NULL;
CREATE INDEX memories_used ON memories(tier, uses, created_at, salience);
CREATE INDEX memories_recalled ON memories(recalls);
CREATE INDEX memories_expiring ON memories(expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE memory_sources (
  memory_id   INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  message_id  INTEGER NOT NULL REFERENCES messages(id),
  PRIMARY KEY (memory_id, message_id)
) WITHOUT ROWID;
CREATE INDEX memory_sources_by_message ON memory_sources(message_id);
CREATE TABLE memory_about (
  memory_id   INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  PRIMARY KEY (memory_id, person_id)
) WITHOUT ROWID;
CREATE INDEX memory_about_by_person ON memory_about(person_id);
CREATE TABLE memory_entities (
  memory_id   INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  entity      TEXT    NOT NULL,
  PRIMARY KEY (memory_id, entity)
) WITHOUT ROWID;
CREATE INDEX memory_entities_by_entity ON memory_entities(entity);
CREATE TABLE beliefs (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  persona         TEXT    NOT NULL,
  audience        TEXT    NOT NULL CHECK (audience = 'private' OR audience = 'room' OR audience = 'world'),
  audience_person INTEGER REFERENCES people(id),
  audience_room   INTEGER REFERENCES rooms(id),
  author_id       INTEGER REFERENCES people(id),
  subject_person  INTEGER REFERENCES people(id),
  subject         TEXT    NOT NULL,
  subject_key     TEXT    NOT NULL DEFAULT '',
  relation        TEXT    NOT NULL,
  value           TEXT    NOT NULL,
  domain          TEXT    NOT NULL,
  status          TEXT    NOT NULL CHECK (status = 'active' OR status = 'superseded' OR status = 'retracted'),
  valid_from      INTEGER,
  valid_to        INTEGER,
  superseded_by   INTEGER REFERENCES beliefs(id),
  replaced_why    TEXT    NOT NULL DEFAULT ''
                    CHECK (replaced_why = '' OR replaced_why = 'corrected' OR replaced_why = 'changed'),
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL, asked_at INTEGER, stored_at INTEGER, ended_at INTEGER,
  CHECK (audience <> 'private' OR audience_person IS NOT NULL),
  CHECK (audience <> 'room' OR audience_room IS NOT NULL)
);
CREATE INDEX beliefs_private ON beliefs(persona, audience_person, relation, subject_key) WHERE audience = 'private';
CREATE INDEX beliefs_room ON beliefs(persona, audience_room, relation, subject_key) WHERE audience = 'room';
CREATE INDEX beliefs_world ON beliefs(persona, relation, subject_key) WHERE audience = 'world';
CREATE INDEX beliefs_by_subject ON beliefs(subject_person);
CREATE INDEX beliefs_by_author ON beliefs(author_id);
CREATE INDEX beliefs_corrected ON beliefs(persona, audience_person, audience_room) WHERE replaced_why = 'corrected';
CREATE INDEX beliefs_by_newer ON beliefs(superseded_by) WHERE superseded_by IS NOT NULL;
CREATE TABLE belief_evidence (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  belief_id   INTEGER NOT NULL REFERENCES beliefs(id) ON DELETE CASCADE,
  message_id  INTEGER NOT NULL REFERENCES messages(id),
  author_id   INTEGER NOT NULL REFERENCES people(id),
  quote       TEXT    NOT NULL,
  stance      INTEGER NOT NULL CHECK (stance IN (-1, 1)),
  hearsay     INTEGER NOT NULL,
  at          INTEGER NOT NULL,
  job_run_id  INTEGER, sentence TEXT NOT NULL DEFAULT '', sentence_run_id INTEGER, by_model INTEGER NOT NULL DEFAULT 0, sensitive INTEGER NOT NULL DEFAULT 0, stored_at INTEGER,
  UNIQUE (belief_id, message_id, stance)
);
CREATE INDEX belief_evidence_by_message ON belief_evidence(message_id);
CREATE INDEX belief_evidence_by_run ON belief_evidence(job_run_id) WHERE job_run_id IS NOT NULL;
CREATE TABLE open_loops (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  persona         TEXT    NOT NULL,
  audience        TEXT    NOT NULL CHECK (audience = 'private' OR audience = 'room' OR audience = 'world'),
  audience_person INTEGER REFERENCES people(id),
  audience_room   INTEGER REFERENCES rooms(id),
  person_id       INTEGER NOT NULL REFERENCES people(id),
  message_id      INTEGER NOT NULL REFERENCES messages(id),
  kind            TEXT    NOT NULL CHECK (kind = 'plan' OR kind = 'promise' OR kind = 'question'
                    OR kind = 'goal' OR kind = 'curiosity'),
  text            TEXT    NOT NULL,
  due_from        INTEGER,
  due_until       INTEGER,
  status          TEXT    NOT NULL CHECK (status = 'open' OR status = 'asked' OR status = 'closed'),
  asked_at        INTEGER,
  closed_at       INTEGER,
  evolved_into    INTEGER REFERENCES open_loops(id) ON DELETE SET NULL,
  created_at      INTEGER NOT NULL
);
CREATE INDEX open_loops_by_newer ON open_loops(evolved_into) WHERE evolved_into IS NOT NULL;
CREATE INDEX open_loops_by_person ON open_loops(persona, person_id, status, kind, created_at);
CREATE INDEX open_loops_by_message ON open_loops(message_id);
CREATE INDEX open_loops_due ON open_loops(persona, coalesce(due_until, due_from)) WHERE due_from IS NOT NULL AND status IN ('open', 'asked');
CREATE TABLE open_loop_sources (
  loop_id     INTEGER NOT NULL REFERENCES open_loops(id) ON DELETE CASCADE,
  message_id  INTEGER NOT NULL REFERENCES messages(id),
  kind        TEXT    NOT NULL CHECK (kind = 'new' OR kind = 'moved' OR kind = 'closed'
                OR kind = 'again' OR kind = 'milestone'),
  due_from    INTEGER,
  due_until   INTEGER,
  job_run_id  INTEGER,
  PRIMARY KEY (loop_id, message_id, kind)
) WITHOUT ROWID;
CREATE INDEX open_loop_sources_by_message ON open_loop_sources(message_id);
CREATE INDEX open_loop_sources_by_run ON open_loop_sources(job_run_id) WHERE job_run_id IS NOT NULL;
CREATE TABLE relationships (
  persona      TEXT    NOT NULL,
  person_id    INTEGER NOT NULL REFERENCES people(id),
  first_met    INTEGER NOT NULL,
  last_seen    INTEGER NOT NULL,
  sessions     INTEGER NOT NULL DEFAULT 0,
  messages     INTEGER NOT NULL DEFAULT 0,
  days         INTEGER NOT NULL DEFAULT 0,
  last_day     TEXT    NOT NULL DEFAULT '',
  trust        REAL    NOT NULL DEFAULT 0,
  trust_day    TEXT    NOT NULL DEFAULT '',
  trust_moved  REAL    NOT NULL DEFAULT 0,
  notes        INTEGER NOT NULL DEFAULT 0,
  history      INTEGER NOT NULL DEFAULT 0,
  words        INTEGER NOT NULL DEFAULT 0,
  questions    INTEGER NOT NULL DEFAULT 0,
  mornings     INTEGER NOT NULL DEFAULT 0,
  afternoons   INTEGER NOT NULL DEFAULT 0,
  evenings     INTEGER NOT NULL DEFAULT 0,
  nights       INTEGER NOT NULL DEFAULT 0,
  quiet_since  INTEGER,
  PRIMARY KEY (persona, person_id)
) WITHOUT ROWID;
CREATE TABLE milestones (
  persona     TEXT    NOT NULL,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  kind        TEXT    NOT NULL,
  session_id  INTEGER REFERENCES sessions(id),
  at          INTEGER NOT NULL,
  PRIMARY KEY (persona, person_id, kind)
) WITHOUT ROWID;
CREATE TABLE moods (
  persona     TEXT    NOT NULL,
  session_id  INTEGER NOT NULL REFERENCES sessions(id),
  at          INTEGER NOT NULL,
  valence     REAL    NOT NULL,
  energy      REAL    NOT NULL,
  PRIMARY KEY (persona, session_id)
) WITHOUT ROWID;
CREATE INDEX moods_by_time ON moods(persona, at);
CREATE TABLE practice (
  persona     TEXT    NOT NULL,
  skill       TEXT    NOT NULL,
  session_id  INTEGER NOT NULL REFERENCES sessions(id),
  at          INTEGER NOT NULL,
  successes   INTEGER NOT NULL,
  failures    INTEGER NOT NULL,
  PRIMARY KEY (persona, skill, session_id)
) WITHOUT ROWID;
CREATE INDEX practice_by_time ON practice(persona, at);
CREATE TABLE growth (
  persona     TEXT    NOT NULL,
  version     INTEGER NOT NULL,
  at          INTEGER NOT NULL,
  job_run_id  INTEGER,
  state       TEXT    NOT NULL,
  PRIMARY KEY (persona, version)
) WITHOUT ROWID;
CREATE TABLE greeted (
  persona     TEXT    NOT NULL,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  subject     TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  PRIMARY KEY (persona, person_id, subject)
) WITHOUT ROWID;
CREATE INDEX greeted_by_subject ON greeted(persona, subject);
CREATE TABLE taken_back (
  persona     TEXT    NOT NULL,
  channel     TEXT    NOT NULL,
  room        TEXT    NOT NULL,
  thread      TEXT    NOT NULL,
  event_id    TEXT    NOT NULL,
  handle      TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  PRIMARY KEY (persona, channel, room, thread, event_id, handle)
) WITHOUT ROWID;
CREATE INDEX taken_back_by_age ON taken_back(at);
CREATE TABLE outbox (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  persona      TEXT    NOT NULL,
  room_id      INTEGER NOT NULL REFERENCES rooms(id),
  message_id   INTEGER REFERENCES messages(id),
  key          TEXT    NOT NULL UNIQUE,
  text         TEXT    NOT NULL,
  reply_to     TEXT    NOT NULL DEFAULT '',
  via          TEXT    NOT NULL DEFAULT '',
  chunks_sent  INTEGER NOT NULL DEFAULT 0,
  status       TEXT    NOT NULL CHECK (status = 'pending' OR status = 'sent' OR status = 'dead'),
  attempts     INTEGER NOT NULL DEFAULT 0,
  not_before   INTEGER NOT NULL DEFAULT 0,
  last_error   TEXT    NOT NULL DEFAULT '',
  created_at   INTEGER NOT NULL,
  sent_at      INTEGER
, died_at INTEGER, dropped_at INTEGER, to_tell INTEGER NOT NULL DEFAULT 0, spoken INTEGER NOT NULL DEFAULT 0, asks INTEGER NOT NULL DEFAULT 0);
CREATE INDEX outbox_pending ON outbox(room_id, id) WHERE status = 'pending';
CREATE INDEX outbox_sent ON outbox(sent_at) WHERE status = 'sent';
CREATE INDEX outbox_by_message ON outbox(message_id) WHERE message_id IS NOT NULL;
CREATE INDEX outbox_texts ON outbox(sent_at) WHERE status = 'sent' AND text <> '';
CREATE TABLE outbox_sources (
  outbox_id   INTEGER NOT NULL REFERENCES outbox(id) ON DELETE CASCADE,
  memory_id   INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  PRIMARY KEY (outbox_id, memory_id)
) WITHOUT ROWID;
CREATE INDEX outbox_sources_by_memory ON outbox_sources(memory_id);
CREATE TABLE channel_shelf (
  channel     TEXT    NOT NULL,
  key         TEXT    NOT NULL,
  value       TEXT    NOT NULL,
  PRIMARY KEY (channel, key)
) WITHOUT ROWID;
CREATE TABLE channel_states (
  channel     TEXT    PRIMARY KEY,
  phase       TEXT    NOT NULL,
  says        TEXT    NOT NULL,
  todo        TEXT    NOT NULL,
  account     TEXT    NOT NULL,
  since       INTEGER NOT NULL,
  at          INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE turn_heard (
  turn_id     INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  message_id  INTEGER NOT NULL REFERENCES messages(id),
  PRIMARY KEY (turn_id, message_id)
) WITHOUT ROWID;
CREATE INDEX turn_heard_by_message ON turn_heard(message_id);
CREATE TABLE turn_items (
  turn_id     INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  ord         INTEGER NOT NULL,
  memory_id   INTEGER REFERENCES memories(id) ON DELETE CASCADE,
  belief_id   INTEGER REFERENCES beliefs(id) ON DELETE CASCADE,
  loop_id     INTEGER REFERENCES open_loops(id) ON DELETE CASCADE,
  score       REAL    NOT NULL,
  reason      TEXT    NOT NULL,
  used        INTEGER NOT NULL,
  PRIMARY KEY (turn_id, ord)
) WITHOUT ROWID;
CREATE INDEX turn_items_by_memory ON turn_items(memory_id) WHERE memory_id IS NOT NULL;
CREATE INDEX turn_items_by_belief ON turn_items(belief_id) WHERE belief_id IS NOT NULL;
CREATE INDEX turn_items_by_loop ON turn_items(loop_id) WHERE loop_id IS NOT NULL;
CREATE TABLE turn_item_lines (
  turn_id     INTEGER NOT NULL,
  ord         INTEGER NOT NULL,
  message_id  INTEGER NOT NULL REFERENCES messages(id),
  PRIMARY KEY (turn_id, ord, message_id),
  FOREIGN KEY (turn_id, ord) REFERENCES turn_items(turn_id, ord) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX turn_item_lines_by_message ON turn_item_lines(message_id);
CREATE TABLE job_runs (
  id          INTEGER PRIMARY KEY,
  persona     TEXT    NOT NULL DEFAULT '',
  job         TEXT    NOT NULL,
  due_at      INTEGER NOT NULL,
  started_at  INTEGER NOT NULL,
  alive_until INTEGER NOT NULL DEFAULT 0,
  finished_at INTEGER,
  status      TEXT    NOT NULL CHECK (status IN ('running', 'ok', 'failed', 'abandoned')),
  result      TEXT    NOT NULL DEFAULT ''
);
CREATE INDEX job_runs_by_job ON job_runs(persona, job, id);
CREATE INDEX job_runs_by_due ON job_runs(due_at);
CREATE INDEX job_runs_running ON job_runs(alive_until) WHERE status = 'running';
CREATE TABLE job_claims (
  persona     TEXT    NOT NULL,
  person_id   INTEGER NOT NULL,
  job_run_id  INTEGER NOT NULL,
  PRIMARY KEY (persona, person_id)
) WITHOUT ROWID;
CREATE INDEX job_claims_by_run ON job_claims(job_run_id);
CREATE TABLE scopes (
  persona     TEXT    NOT NULL,
  audience    TEXT    NOT NULL,
  ref         INTEGER NOT NULL,
  revision    INTEGER NOT NULL DEFAULT 0,
  epoch       INTEGER NOT NULL DEFAULT 0,
  beliefs     INTEGER NOT NULL DEFAULT 0,
  names       INTEGER NOT NULL DEFAULT 0,
  edges       INTEGER NOT NULL DEFAULT 0,
  loose       INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (persona, audience, ref)
) WITHOUT ROWID;
CREATE TABLE scope_changes (
  persona     TEXT    NOT NULL,
  audience    TEXT    NOT NULL,
  ref         INTEGER NOT NULL,
  epoch       INTEGER NOT NULL,
  memory_id   INTEGER NOT NULL,
  PRIMARY KEY (persona, audience, ref, epoch, memory_id)
) WITHOUT ROWID;
CREATE TABLE memory_edges (
  from_id     INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  to_id       INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  kind        TEXT    NOT NULL CHECK (kind IN ('relates_to', 'contradicts', 'refines', 'depends_on', 'contains', 'implies',
    'caused_by', 'prevents', 'merged_into')),
  weight      REAL    NOT NULL CHECK (weight BETWEEN 0 AND 1),
  uses        INTEGER NOT NULL DEFAULT 0,
  touched_at  INTEGER NOT NULL,
  job_run_id  INTEGER,
  PRIMARY KEY (from_id, to_id, kind),
  CHECK (from_id <> to_id)
) WITHOUT ROWID;
CREATE INDEX memory_edges_to ON memory_edges(to_id);
CREATE INDEX memory_edges_idle ON memory_edges(touched_at) WHERE kind NOT IN ('contains', 'merged_into', 'contradicts');
CREATE INDEX memory_edges_by_run ON memory_edges(job_run_id) WHERE job_run_id IS NOT NULL;
CREATE UNIQUE INDEX memory_edges_within ON memory_edges(to_id) WHERE kind = 'contains';
CREATE TABLE memory_tags (
  memory_id   INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  tag         TEXT    NOT NULL,
  PRIMARY KEY (memory_id, tag)
) WITHOUT ROWID;
CREATE INDEX memory_tags_by_tag ON memory_tags(tag);
CREATE TABLE memory_rules (
  id          INTEGER PRIMARY KEY,
  persona     TEXT    NOT NULL,
  rule        TEXT    NOT NULL,
  created_at  INTEGER NOT NULL,
  UNIQUE (persona, rule)
);
CREATE TABLE linked (
  persona     TEXT    PRIMARY KEY,
  memory_id   INTEGER NOT NULL,
  turn_id     INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE job_marks (
  persona     TEXT    NOT NULL,
  job         TEXT    NOT NULL,
  audience    TEXT    NOT NULL,
  ref         INTEGER NOT NULL,
  memory_id   INTEGER NOT NULL,
  before_id   INTEGER NOT NULL,
  job_run_id  INTEGER NOT NULL,
  PRIMARY KEY (persona, job, audience, ref)
) WITHOUT ROWID;
CREATE INDEX job_marks_by_run ON job_marks(job_run_id);
CREATE TABLE rehearsals (
  memory_id   INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  job_run_id  INTEGER NOT NULL,
  gain        REAL    NOT NULL,
  PRIMARY KEY (memory_id, job_run_id)
) WITHOUT ROWID;
CREATE INDEX rehearsals_by_run ON rehearsals(job_run_id);
CREATE TABLE "rewrites_due" (
  at          INTEGER PRIMARY KEY
);
CREATE TABLE passages (
  memory_id   INTEGER NOT NULL PRIMARY KEY REFERENCES memories(id) ON DELETE CASCADE,
  document    TEXT    NOT NULL,
  heading     TEXT    NOT NULL
);
CREATE INDEX passages_by_document ON passages(document);
CREATE TABLE embedder (
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  model       TEXT    NOT NULL,
  dim         INTEGER NOT NULL DEFAULT 0,
  mark        INTEGER NOT NULL DEFAULT 0,
  revision    INTEGER NOT NULL DEFAULT 0,
  since       INTEGER NOT NULL DEFAULT 0,
  worth       REAL    NOT NULL DEFAULT 0,
  judged      INTEGER NOT NULL DEFAULT 0,
  fault       TEXT    NOT NULL DEFAULT '',
  fault_at    INTEGER
, form INTEGER NOT NULL DEFAULT 1);
CREATE TABLE memory_vectors (
  memory_id   INTEGER PRIMARY KEY REFERENCES memories(id) ON DELETE CASCADE,
  revision    INTEGER NOT NULL,
  vector      BLOB    NOT NULL
);
CREATE INDEX memory_vectors_by_revision ON memory_vectors(revision);
CREATE TABLE embedding_failures (
  memory_id   INTEGER PRIMARY KEY REFERENCES memories(id) ON DELETE CASCADE,
  attempts    INTEGER NOT NULL,
  not_before  INTEGER,
  error       TEXT    NOT NULL
);
CREATE INDEX embedding_failures_due ON embedding_failures(not_before) WHERE not_before IS NOT NULL;
CREATE TABLE pairings (
  channel     TEXT    NOT NULL,
  handle      TEXT    NOT NULL,
  display     TEXT    NOT NULL,
  room_id     INTEGER NOT NULL REFERENCES rooms(id),
  code        TEXT    NOT NULL UNIQUE,
  created_at  INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL,
  PRIMARY KEY (channel, handle)
) WITHOUT ROWID;
CREATE TABLE allowed (
  channel     TEXT    NOT NULL,
  handle      TEXT    NOT NULL,
  display     TEXT    NOT NULL,
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (channel, handle)
) WITHOUT ROWID;
CREATE TABLE unheard_rooms (
  channel     TEXT    NOT NULL,
  room        TEXT    NOT NULL,
  title       TEXT    NOT NULL,
  times       INTEGER NOT NULL,
  last_at     INTEGER NOT NULL,
  PRIMARY KEY (channel, room)
) WITHOUT ROWID;
CREATE INDEX unheard_rooms_by_age ON unheard_rooms(last_at);
CREATE TABLE unasked (
  persona     TEXT    NOT NULL,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  day         TEXT    NOT NULL,
  times       INTEGER NOT NULL,
  PRIMARY KEY (persona, person_id, day)
) WITHOUT ROWID;
CREATE TABLE unasked_decisions (
  persona     TEXT    NOT NULL,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  subject     TEXT    NOT NULL,
  reason      TEXT    NOT NULL,
  sent        INTEGER NOT NULL,
  message_id  INTEGER REFERENCES messages(id),
  job_run_id  INTEGER,
  first_at    INTEGER NOT NULL,
  at          INTEGER NOT NULL,
  times       INTEGER NOT NULL,
  PRIMARY KEY (persona, person_id, subject, reason)
) WITHOUT ROWID;
CREATE INDEX unasked_decisions_by_subject ON unasked_decisions(persona, subject);
CREATE INDEX unasked_decisions_by_time ON unasked_decisions(at);
CREATE INDEX unasked_decisions_by_message ON unasked_decisions(message_id) WHERE message_id IS NOT NULL;
CREATE INDEX unasked_decisions_by_run ON unasked_decisions(job_run_id) WHERE job_run_id IS NOT NULL;
CREATE TABLE usage_notices (
  person_id   INTEGER NOT NULL REFERENCES people(id),
  kind        TEXT    NOT NULL,
  period      TEXT    NOT NULL,
  PRIMARY KEY (person_id, kind)
) WITHOUT ROWID;
CREATE INDEX outbox_to_tell ON outbox(room_id) WHERE to_tell = 1;
CREATE TABLE erasures (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  at          INTEGER NOT NULL,
  kind        TEXT    NOT NULL,
  people      TEXT    NOT NULL DEFAULT '[]',
  messages    TEXT    NOT NULL DEFAULT '[]',
  memories    TEXT    NOT NULL DEFAULT '[]'
, withdrawn TEXT NOT NULL DEFAULT '[]');
CREATE INDEX erasures_by_time ON erasures(at);
CREATE TABLE erased_handles (
  hash        TEXT    PRIMARY KEY,
  at          INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE "messages" (
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
  danger      TEXT    NOT NULL DEFAULT '', copied_from INTEGER REFERENCES messages(id), stored_at INTEGER, names_erased INTEGER NOT NULL DEFAULT 0, edited_at INTEGER,
  UNIQUE (persona, room_id, external_id)
);
CREATE INDEX messages_vanishing ON messages(vanishes_at) WHERE vanishes_at IS NOT NULL;
CREATE INDEX messages_by_room ON messages(room_id, persona, id);
CREATE INDEX messages_by_session ON messages(session_id, id);
CREATE INDEX messages_in_danger ON messages(persona, person_id, at) WHERE danger <> '';
CREATE TABLE "sessions" (
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
CREATE INDEX sessions_by_room ON sessions(room_id, persona, id);
CREATE INDEX sessions_by_parent ON sessions(parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX sessions_compacted ON sessions(compacted_to) WHERE compacted_to IS NOT NULL;
CREATE INDEX sessions_read ON sessions(read_to) WHERE read_to IS NOT NULL;
CREATE INDEX sessions_open ON sessions(last_at) WHERE ended_at IS NULL;
CREATE INDEX sessions_unrefined ON sessions(persona, ended_at) WHERE ended_at IS NOT NULL AND refined_at IS NULL;
CREATE TABLE "inbox" (
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
CREATE INDEX inbox_pending ON inbox(persona, channel, room, thread, id) WHERE status = 'pending';
CREATE INDEX inbox_done ON inbox(done_at) WHERE status = 'done';
CREATE INDEX inbox_dead ON inbox(author_channel, author_handle) WHERE status = 'dead';
CREATE TABLE "turns" (
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
CREATE INDEX turns_by_room ON turns(room_id, persona, id, reply_id, recent_from, exact);
CREATE INDEX turns_by_session ON turns(session_id);
CREATE INDEX turns_by_person ON turns(person_id) WHERE person_id IS NOT NULL;
CREATE INDEX turns_by_reply ON turns(reply_id) WHERE reply_id IS NOT NULL;
CREATE INDEX turns_by_recent ON turns(recent_from) WHERE recent_from IS NOT NULL;
CREATE INDEX turns_whole ON turns(ended_at) WHERE thinned = 0;
CREATE INDEX memories_by_author ON memories(author_id) WHERE author_id IS NOT NULL;
CREATE INDEX memories_by_person ON memories(audience_person) WHERE audience_person IS NOT NULL;
CREATE INDEX memories_by_room ON memories(audience_room) WHERE audience_room IS NOT NULL;
CREATE INDEX beliefs_by_person ON beliefs(audience_person) WHERE audience_person IS NOT NULL;
CREATE INDEX beliefs_by_room ON beliefs(audience_room) WHERE audience_room IS NOT NULL;
CREATE INDEX belief_evidence_by_author ON belief_evidence(author_id);
CREATE INDEX moods_by_session ON moods(session_id);
CREATE INDEX practice_by_session ON practice(session_id);
CREATE INDEX messages_copied ON messages(copied_from) WHERE copied_from IS NOT NULL;
CREATE TABLE link_codes (
  person_id   INTEGER PRIMARY KEY REFERENCES people(id),
  persona     TEXT    NOT NULL,
  room_id     INTEGER NOT NULL REFERENCES rooms(id),
  hash        BLOB    NOT NULL UNIQUE,
  expires_at  INTEGER NOT NULL
);
CREATE TABLE link_guesses (
  id          INTEGER PRIMARY KEY,
  channel     TEXT    NOT NULL,
  handle      TEXT    NOT NULL,
  at          INTEGER NOT NULL
);
CREATE INDEX link_guesses_by_account ON link_guesses(channel, handle, at);
CREATE INDEX link_guesses_by_time ON link_guesses(at);
CREATE TABLE link_lock (
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  since       INTEGER NOT NULL,
  until       INTEGER NOT NULL
);
CREATE TABLE link_parts (
  person_id   INTEGER NOT NULL REFERENCES people(id),
  channel     TEXT    NOT NULL,
  linked_at   INTEGER NOT NULL,
  before      TEXT    NOT NULL DEFAULT '',
  PRIMARY KEY (person_id, channel)
) WITHOUT ROWID;
CREATE TABLE paused (
  id          INTEGER PRIMARY KEY,
  persona     TEXT    NOT NULL,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  room_id     INTEGER REFERENCES rooms(id),
  since       INTEGER NOT NULL
);
CREATE UNIQUE INDEX paused_by_person ON paused(persona, person_id, coalesce(room_id, 0));
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
CREATE TABLE "usage" (
  day           TEXT    NOT NULL,
  persona       TEXT    NOT NULL,
  person_id     INTEGER NOT NULL,
  room_id       INTEGER NOT NULL DEFAULT 0,
  job           TEXT    NOT NULL,
  model         TEXT    NOT NULL,
  requests      INTEGER NOT NULL DEFAULT 0,
  tokens_in     INTEGER NOT NULL DEFAULT 0,
  tokens_out    INTEGER NOT NULL DEFAULT 0,
  cost          INTEGER NOT NULL DEFAULT 0,
  reserved      INTEGER NOT NULL DEFAULT 0,
  reserved_cost INTEGER NOT NULL DEFAULT 0,
  failed_in     INTEGER NOT NULL DEFAULT 0,
  failed_out    INTEGER NOT NULL DEFAULT 0,
  failed_cost   INTEGER NOT NULL DEFAULT 0,
  cache_read    INTEGER NOT NULL DEFAULT 0,
  cache_written INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (day, persona, person_id, room_id, job, model)
) WITHOUT ROWID;
CREATE INDEX usage_by_person ON usage(person_id, day);
CREATE INDEX usage_by_room ON usage(room_id, day) WHERE room_id <> 0;
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
CREATE TABLE watches (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  persona    TEXT    NOT NULL,
  person_id  INTEGER NOT NULL REFERENCES people(id),
  channel    TEXT    NOT NULL,
  handle     TEXT    NOT NULL,
  dir        TEXT    NOT NULL,
  format     TEXT    NOT NULL,
  pattern    TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (persona, channel, handle, dir, format, pattern)
);
CREATE TABLE watermarks (
  id           TEXT    PRIMARY KEY,
  person_id    INTEGER REFERENCES people(id),
  channel      TEXT    NOT NULL,
  path         TEXT    NOT NULL,
  file         TEXT    NOT NULL,
  size         INTEGER NOT NULL,
  modified_at  INTEGER NOT NULL,
  head         TEXT    NOT NULL,
  tail         TEXT    NOT NULL,
  progress     TEXT    NOT NULL,
  read_to      INTEGER NOT NULL,
  messages     INTEGER NOT NULL,
  problem      TEXT    NOT NULL,
  read_at      INTEGER NOT NULL,
  erased_bytes INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX watermarks_by_person ON watermarks(person_id);
CREATE INDEX watermarks_by_file ON watermarks(file);
CREATE TABLE tool_calls (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  persona     TEXT    NOT NULL,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  room_id     INTEGER NOT NULL REFERENCES rooms(id),
  message_id  INTEGER REFERENCES messages(id),
  turn        TEXT    NOT NULL,
  tool        TEXT    NOT NULL,
  arguments   TEXT    NOT NULL,
  digest      TEXT    NOT NULL,
  gate        TEXT    NOT NULL,
  outcome     TEXT    NOT NULL,
  reason      TEXT    NOT NULL DEFAULT '',
  free        INTEGER NOT NULL DEFAULT 0,
  day         TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  took_ms     INTEGER NOT NULL DEFAULT 0,
  tokens      INTEGER NOT NULL DEFAULT 0
, parent_id INTEGER REFERENCES tool_calls(id) ON DELETE SET NULL);
CREATE INDEX tool_calls_by_person ON tool_calls(person_id, day);
CREATE INDEX tool_calls_by_room ON tool_calls(room_id, day);
CREATE INDEX tool_calls_by_turn ON tool_calls(turn);
CREATE INDEX tool_calls_by_message ON tool_calls(message_id) WHERE message_id IS NOT NULL;
CREATE INDEX tool_calls_by_time ON tool_calls(at);
CREATE TABLE memory_events (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  memory_id   INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  at          INTEGER NOT NULL,
  kind        TEXT    NOT NULL CHECK (kind = 'tier' OR kind = 'pinned' OR kind = 'expires'),
  was         TEXT    NOT NULL
);
CREATE INDEX memory_events_by_memory ON memory_events(memory_id, kind, at);
CREATE INDEX memory_events_by_time ON memory_events(at);
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
CREATE TABLE history_start (
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  at          INTEGER NOT NULL
);
CREATE TABLE voice_choices (
  id        INTEGER PRIMARY KEY,
  person_id INTEGER NOT NULL REFERENCES people(id),
  room_id   INTEGER NOT NULL REFERENCES rooms(id),
  mode      TEXT    NOT NULL,
  at        INTEGER NOT NULL
);
CREATE UNIQUE INDEX voice_choices_by_person ON voice_choices(person_id, room_id);
CREATE TABLE tool_questions (
  call_id    INTEGER PRIMARY KEY REFERENCES tool_calls(id) ON DELETE CASCADE,
  input      TEXT    NOT NULL,
  expires_at INTEGER NOT NULL,
  turn       TEXT    NOT NULL DEFAULT '',
  result     TEXT    NOT NULL DEFAULT ''
);
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
CREATE TABLE asks (
  outbox_id  INTEGER PRIMARY KEY REFERENCES outbox(id) ON DELETE CASCADE,
  person_id  INTEGER NOT NULL REFERENCES people(id),
  language   TEXT    NOT NULL,
  expires_at INTEGER NOT NULL,
  shown_as   TEXT    NOT NULL DEFAULT ''
);
CREATE TABLE lore_signers (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  key      TEXT    NOT NULL UNIQUE,
  name     TEXT    NOT NULL UNIQUE,
  added_at INTEGER NOT NULL
);
CREATE TABLE lore_imports (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  persona     TEXT    NOT NULL,
  key         TEXT    NOT NULL,
  signer      TEXT    NOT NULL,
  source      TEXT    NOT NULL,
  source_name TEXT    NOT NULL,
  digest      TEXT    NOT NULL,
  content     TEXT    NOT NULL DEFAULT '',
  signed_at   INTEGER NOT NULL,
  imported_at INTEGER NOT NULL,
  reverted_at INTEGER
);
CREATE INDEX lore_imports_by_source ON lore_imports(persona, key, source);
CREATE TABLE lore_items (
  import_id INTEGER NOT NULL REFERENCES lore_imports(id),
  entry     TEXT    NOT NULL,
  digest    TEXT    NOT NULL,
  memory_id INTEGER REFERENCES memories(id) ON DELETE SET NULL,
  PRIMARY KEY (import_id, entry)
) WITHOUT ROWID;
CREATE UNIQUE INDEX lore_items_by_memory ON lore_items(memory_id) WHERE memory_id IS NOT NULL;
CREATE INDEX tool_calls_by_parent ON tool_calls(parent_id) WHERE parent_id IS NOT NULL;
CREATE TABLE training_consents (
  id          INTEGER PRIMARY KEY,
  persona     TEXT    NOT NULL,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  room_id     INTEGER NOT NULL REFERENCES rooms(id),
  given       INTEGER NOT NULL,
  at          INTEGER NOT NULL
);
CREATE UNIQUE INDEX training_consents_by_person ON training_consents(persona, person_id);
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
CREATE TABLE login_links (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  hash        BLOB    NOT NULL UNIQUE,
  role        TEXT    NOT NULL CHECK (role IN ('operator', 'viewer', 'person')),
  persona     TEXT    NOT NULL,
  person_id   INTEGER REFERENCES people(id),
  expires_at  INTEGER NOT NULL
);
CREATE INDEX login_links_by_person ON login_links(person_id) WHERE person_id IS NOT NULL;
CREATE TABLE login_sessions (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  hash        BLOB    NOT NULL UNIQUE,
  role        TEXT    NOT NULL CHECK (role IN ('operator', 'viewer', 'person')),
  persona     TEXT    NOT NULL,
  person_id   INTEGER REFERENCES people(id),
  browser     TEXT    NOT NULL,
  created_at  INTEGER NOT NULL,
  used_at     INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL
);
CREATE INDEX login_sessions_by_person ON login_sessions(person_id) WHERE person_id IS NOT NULL;
CREATE INDEX memories_listed ON memories(persona, id, sector, tier, origin, author_id, session_id, audience, audience_person,
  audience_room, created_at) WHERE persona <> '';
CREATE TABLE turn_usage (
  turn_id       INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  job           TEXT    NOT NULL,
  model         TEXT    NOT NULL,
  requests      INTEGER NOT NULL,
  tokens_in     INTEGER NOT NULL,
  tokens_out    INTEGER NOT NULL,
  cache_read    INTEGER NOT NULL,
  cache_written INTEGER NOT NULL,
  cost          INTEGER NOT NULL,
  took_ms       INTEGER NOT NULL,
  PRIMARY KEY (turn_id, job, model)
) WITHOUT ROWID;
CREATE INDEX outbox_dead ON outbox(persona, room_id) WHERE status = 'dead';
CREATE INDEX inbox_dead_by_room ON inbox(persona, channel, room, thread) WHERE status = 'dead';
CREATE INDEX messages_by_person ON messages(person_id, id, session_id) WHERE person_id IS NOT NULL;
