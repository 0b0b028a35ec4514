-- Schema version 1. Times are Unix milliseconds, UTC. Booleans are 0 or 1.
-- Every row derived from what people said points back, directly or over one table, to the messages it came from.
-- Checks of what is written with every turn spell their words out with OR: for IN with more than two, SQLite fills a
-- table of its own at every insert.
-- AUTOINCREMENT: what reads on from the last number it saw must never meet a number again that was forgotten, and what is
-- under way, an answer or its sending, must not take somebody new for who became one with somebody else, or what they told
-- for what it was made from.
-- Tables whose key is not a number of their own are WITHOUT ROWID: one tree instead of a table and an index beside it.

-- timezone_set_at: since when the timezone is what they set themselves, NULL while it is what their words told.
-- unwelcome_at: since when a network has said that they want to hear nothing unasked, NULL once they have written again.
CREATE TABLE people (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  name        TEXT    NOT NULL,
  timezone    TEXT    NOT NULL DEFAULT '',
  timezone_set_at INTEGER,
  unwelcome_at INTEGER,
  created_at  INTEGER NOT NULL
);

-- One account on one network; a person owns one or more.
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

-- person_id is the one person of a direct room, NULL for groups, and for the direct room of a stranger who was told a
-- pairing code: nothing is heard or kept there, and the first message that is let in makes it its author's.
CREATE TABLE rooms (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  channel     TEXT    NOT NULL,
  room        TEXT    NOT NULL,
  thread      TEXT    NOT NULL DEFAULT '',
  direct      INTEGER NOT NULL,
  person_id   INTEGER REFERENCES people(id),
  title       TEXT    NOT NULL DEFAULT '',
  created_at  INTEGER NOT NULL,
  UNIQUE (channel, room, thread)
);
CREATE INDEX rooms_by_person ON rooms(person_id);

-- Ids that rooms had before their network gave them another: room is the old one, now the one it has.
CREATE TABLE room_moves (
  channel     TEXT    NOT NULL,
  room        TEXT    NOT NULL,
  now         TEXT    NOT NULL,
  PRIMARY KEY (channel, room)
) WITHOUT ROWID;

-- Who has spoken where: the audience rules read this.
CREATE TABLE room_people (
  room_id     INTEGER NOT NULL REFERENCES rooms(id),
  person_id   INTEGER NOT NULL REFERENCES people(id),
  first_spoke INTEGER NOT NULL,
  last_spoke  INTEGER NOT NULL,
  PRIMARY KEY (room_id, person_id)
) WITHOUT ROWID;
CREATE INDEX room_people_by_person ON room_people(person_id);

-- A session is one room's talk with one persona without a long gap; parent_id is the session before it. compacted_to:
-- up to which message its episodes are told in memories of kind 'episode', NULL before the first.
CREATE TABLE sessions (
  id           INTEGER PRIMARY KEY,
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
  compacted_to INTEGER REFERENCES messages(id)
);
CREATE INDEX sessions_by_room ON sessions(persona, room_id, id);
CREATE INDEX sessions_open ON sessions(last_at) WHERE ended_at IS NULL;
CREATE INDEX sessions_unrefined ON sessions(persona, ended_at) WHERE ended_at IS NOT NULL AND refined_at IS NULL;

-- Ground truth: added, and changed only as its author changes it on the network. person_id NULL: the persona itself spoke.
CREATE TABLE messages (
  id          INTEGER PRIMARY KEY,
  persona     TEXT    NOT NULL,
  room_id     INTEGER NOT NULL REFERENCES rooms(id),
  session_id  INTEGER NOT NULL REFERENCES sessions(id),
  person_id   INTEGER REFERENCES people(id),
  external_id TEXT    NOT NULL,
  reply_to    TEXT    NOT NULL DEFAULT '',
  text        TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  vanishes_at INTEGER,
  UNIQUE (persona, room_id, external_id)
);
CREATE INDEX messages_vanishing ON messages(vanishes_at) WHERE vanishes_at IS NOT NULL;
CREATE INDEX messages_by_room ON messages(persona, room_id, id);
CREATE INDEX messages_by_session ON messages(session_id, id);

-- The files that channels keep of what came with messages, below the directory of attachments. A file may have come twice.
CREATE TABLE message_files (
  message_id  INTEGER NOT NULL REFERENCES messages(id),
  file        TEXT    NOT NULL,
  PRIMARY KEY (message_id, file)
) WITHOUT ROWID;
CREATE INDEX message_files_by_file ON message_files(file);

-- What the network calls the persona's messages, one id per chunk that was sent.
CREATE TABLE sent_as (
  message_id  INTEGER NOT NULL REFERENCES messages(id),
  external_id TEXT    NOT NULL,
  chunk       INTEGER NOT NULL,
  PRIMARY KEY (message_id, external_id)
) WITHOUT ROWID;
CREATE INDEX sent_as_by_id ON sent_as(external_id);

-- The emoji a person has put to a message, the persona's own among them.
CREATE TABLE reactions (
  message_id  INTEGER NOT NULL REFERENCES messages(id),
  person_id   INTEGER NOT NULL REFERENCES people(id),
  emoji       TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  PRIMARY KEY (message_id, person_id)
) WITHOUT ROWID;
CREATE INDEX reactions_by_person ON reactions(person_id);

-- What is remembered. One memory per thing said, more from the operator and from jobs.
--   audience 'private': audience_person's direct rooms; 'room': audience_room; 'world': every room of the persona.
--   origin 'said': somebody said it; 'told': the operator added it; 'inferred': a job made it.
--   lasts: how many milliseconds it lasts at strength 1 without being recalled, NULL for what never fades; forget_at: when it
--   goes dormant, of what is dormant when it goes for good; NULL also while it is pinned. kept_for: what is open with somebody,
--   for which it stays though that is over: noted once by decay, so that nobody looks at it again until it is closed.
--   apart: what a job made of it was forgotten on purpose, and is not made again.
--   kind: what a job made it for, '' for what was said or told and for what sums up what is alike.
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
  created_at      INTEGER NOT NULL,
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

-- Whom a memory is about, beside its author.
CREATE TABLE memory_about (
  memory_id   INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  PRIMARY KEY (memory_id, person_id)
) WITHOUT ROWID;
CREATE INDEX memory_about_by_person ON memory_about(person_id);

-- Waypoints: people, places, topics, quoted and bracketed names, folded to lower case.
CREATE TABLE memory_entities (
  memory_id   INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  entity      TEXT    NOT NULL,
  PRIMARY KEY (memory_id, entity)
) WITHOUT ROWID;
CREATE INDEX memory_entities_by_entity ON memory_entities(entity);

-- subject_person NULL: the subject is not a person we know; subject then names it. subject_key is what beliefs about the
-- same subject share: '#' and the person's id, or the name folded.
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
  updated_at      INTEGER NOT NULL,
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

-- stance +1 for, -1 against. hearsay: the author is not the subject. job_run_id: the run of a job that found it when it
-- read the message again, NULL for what was found when it was heard.
CREATE TABLE belief_evidence (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  belief_id   INTEGER NOT NULL REFERENCES beliefs(id) ON DELETE CASCADE,
  message_id  INTEGER NOT NULL REFERENCES messages(id),
  author_id   INTEGER NOT NULL REFERENCES people(id),
  quote       TEXT    NOT NULL,
  stance      INTEGER NOT NULL CHECK (stance IN (-1, 1)),
  hearsay     INTEGER NOT NULL,
  at          INTEGER NOT NULL,
  job_run_id  INTEGER,
  UNIQUE (belief_id, message_id, stance)
);
CREATE INDEX belief_evidence_by_message ON belief_evidence(message_id);
CREATE INDEX belief_evidence_by_run ON belief_evidence(job_run_id) WHERE job_run_id IS NOT NULL;

-- Plans with dates, promises and questions left: what a person may be asked about later; goals they pursue, and what the
-- persona would like to know of them ('curiosity': text is the term nobody explained). message_id, the dates, the status
-- and closed_at follow from open_loop_sources and are kept here to be read at once. evolved_into: the goal it has become.
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

-- What made, moved or closed a loop, with the date each of them named; what spoke of it again without naming it, and a step
-- on the way to a goal ('milestone'). A goal told once more, and every use of a term, is 'new' as well.
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

-- What two have reached together, each once: 'friend', 'year' and the like (persona/mind names them).
CREATE TABLE milestones (
  persona     TEXT    NOT NULL,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  kind        TEXT    NOT NULL,
  session_id  INTEGER REFERENCES sessions(id),
  at          INTEGER NOT NULL,
  PRIMARY KEY (persona, person_id, kind)
) WITHOUT ROWID;

-- The persona's mood after a session, valence -1 to 1 and energy 0 to 1: numbers alone, for they show in every room.
CREATE TABLE moods (
  persona     TEXT    NOT NULL,
  session_id  INTEGER NOT NULL REFERENCES sessions(id),
  at          INTEGER NOT NULL,
  valence     REAL    NOT NULL,
  energy      REAL    NOT NULL,
  PRIMARY KEY (persona, session_id)
) WITHOUT ROWID;
CREATE INDEX moods_by_time ON moods(persona, at);

-- How often a skill of the persona's went well or not in a session. Skills are a closed list (persona/mind): their names
-- say nothing of anybody.
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

-- What the persona grew above its card, version by version, as JSON of figures and of names from closed lists: nothing
-- anybody said. The latest holds; to reset is to write an empty one.
CREATE TABLE growth (
  persona     TEXT    NOT NULL,
  version     INTEGER NOT NULL,
  at          INTEGER NOT NULL,
  job_run_id  INTEGER,
  state       TEXT    NOT NULL,
  PRIMARY KEY (persona, version)
) WITHOUT ROWID;

-- What a person was already greeted about, so that it is never brought up twice.
CREATE TABLE greeted (
  persona     TEXT    NOT NULL,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  subject     TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  PRIMARY KEY (persona, person_id, subject)
) WITHOUT ROWID;
CREATE INDEX greeted_by_subject ON greeted(persona, subject);

-- Heard, durable, not necessarily answered yet. The payload and whose it is are dropped once the turn is recorded; the
-- key stays for a while so that the same event is never heard twice. 'dead': given up, kept for the operator. job_run_id is
-- the run that wants something brought up, NULL for what came over a channel.
CREATE TABLE inbox (
  id          INTEGER PRIMARY KEY,
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

-- Messages that were taken back before they came, and by which account: '' is the network itself. They are not heard when
-- they come and are that account's. Kept for as long as the keys of what was heard.
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

-- What is to be said. The text of a reply is that of its message; only what is no message, the answer to a command, has
-- a text here, until it is given up or two weeks after it was sent: a network may ask for it again until then. via is
-- what the channel wants back with it.
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
);
CREATE INDEX outbox_pending ON outbox(room_id, id) WHERE status = 'pending';
CREATE INDEX outbox_sent ON outbox(sent_at) WHERE status = 'sent';
CREATE INDEX outbox_by_message ON outbox(message_id) WHERE message_id IS NOT NULL;
CREATE INDEX outbox_texts ON outbox(sent_at) WHERE status = 'sent' AND text <> '';

-- The memories an answer to a command shows.
CREATE TABLE outbox_sources (
  outbox_id   INTEGER NOT NULL REFERENCES outbox(id) ON DELETE CASCADE,
  memory_id   INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  PRIMARY KEY (outbox_id, memory_id)
) WITHOUT ROWID;
CREATE INDEX outbox_sources_by_memory ON outbox_sources(memory_id);

-- Cursors and the like that a channel must find again after a restart.
CREATE TABLE channel_shelf (
  channel     TEXT    NOT NULL,
  key         TEXT    NOT NULL,
  value       TEXT    NOT NULL,
  PRIMARY KEY (channel, key)
) WITHOUT ROWID;

-- How each channel stood when it last said so, and since when.
CREATE TABLE channel_states (
  channel     TEXT    PRIMARY KEY,
  phase       TEXT    NOT NULL,
  says        TEXT    NOT NULL,
  todo        TEXT    NOT NULL,
  account     TEXT    NOT NULL,
  since       INTEGER NOT NULL,
  at          INTEGER NOT NULL
) WITHOUT ROWID;

-- One answered (or only heard) turn. exact: the voice named all it made the reply from; otherwise all that was in front
-- of it counts. recent_from is the oldest message of the running talk that was, NULL for none: from there on to the
-- reply, the room's messages were. unused: of an exact turn, what was in front of the voice and not used, as JSON of ids
-- alone, for showing. thinned: only what the reply was made from is left.
CREATE TABLE turns (
  id           INTEGER PRIMARY KEY,
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
CREATE INDEX turns_by_room ON turns(persona, room_id, id) WHERE recent_from IS NOT NULL;
CREATE INDEX turns_by_reply ON turns(reply_id) WHERE reply_id IS NOT NULL;
CREATE INDEX turns_by_recent ON turns(recent_from) WHERE recent_from IS NOT NULL;
CREATE INDEX turns_whole ON turns(ended_at) WHERE thinned = 0;

-- What was heard in a turn, and so what its reply answers.
CREATE TABLE turn_heard (
  turn_id     INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  message_id  INTEGER NOT NULL REFERENCES messages(id),
  PRIMARY KEY (turn_id, message_id)
) WITHOUT ROWID;
CREATE INDEX turn_heard_by_message ON turn_heard(message_id);

-- What shaped the reply: a memory, a belief or an open loop.
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

-- The talk an item was shown with, itself included: its text is that of the messages.
CREATE TABLE turn_item_lines (
  turn_id     INTEGER NOT NULL,
  ord         INTEGER NOT NULL,
  message_id  INTEGER NOT NULL REFERENCES messages(id),
  PRIMARY KEY (turn_id, ord, message_id),
  FOREIGN KEY (turn_id, ord) REFERENCES turn_items(turn_id, ord) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX turn_item_lines_by_message ON turn_item_lines(message_id);

-- Tokens reserved before and settled after each model call; person_id 0 is the persona's own work (jobs).
CREATE TABLE usage (
  day         TEXT    NOT NULL,
  persona     TEXT    NOT NULL,
  person_id   INTEGER NOT NULL,
  tokens      INTEGER NOT NULL,
  calls       INTEGER NOT NULL,
  PRIMARY KEY (day, persona, person_id)
) WITHOUT ROWID;

-- alive_until: while it runs, until when it is taken to be at work without saying so again.
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

-- Whom a run of a job works on: nobody else's run does meanwhile. A claim counts while its run is at work.
CREATE TABLE job_claims (
  persona     TEXT    NOT NULL,
  person_id   INTEGER NOT NULL,
  job_run_id  INTEGER NOT NULL,
  PRIMARY KEY (persona, person_id)
) WITHOUT ROWID;
CREATE INDEX job_claims_by_run ON job_claims(job_run_id);

-- revision grows when rows were added to a scope, epoch when rows in it were changed or removed, beliefs when what is
-- believed in it was, names when a person or a room got another name, edges when memories in it were joined or parted:
-- what is kept in memory for a scope catches up on the first and is mended or read again on the others. loose counts what
-- may have left something to be summed up among its old memories, since all of them were looked at.
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

-- Which memories each of the last steps of a scope's epoch was about: what is kept of the scope is mended there. A step
-- that stands not here was about anything.
CREATE TABLE scope_changes (
  persona     TEXT    NOT NULL,
  audience    TEXT    NOT NULL,
  ref         INTEGER NOT NULL,
  epoch       INTEGER NOT NULL,
  memory_id   INTEGER NOT NULL,
  PRIMARY KEY (persona, audience, ref, epoch, memory_id)
) WITHOUT ROWID;

-- What two memories of one persona and audience have to do with each other. touched_at: when the edge was made, last
-- strengthened or last weakened. A memory is contained in one other at most.
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

-- The operator's own rules for moving memories between tiers, in the words they were given in.
CREATE TABLE memory_rules (
  id          INTEGER PRIMARY KEY,
  persona     TEXT    NOT NULL,
  rule        TEXT    NOT NULL,
  created_at  INTEGER NOT NULL,
  UNIQUE (persona, rule)
);

-- How far linking has read: up to which memory and which turn.
CREATE TABLE linked (
  persona     TEXT    PRIMARY KEY,
  memory_id   INTEGER NOT NULL,
  turn_id     INTEGER NOT NULL
) WITHOUT ROWID;

-- How far a job has read each scope: up to which memory, in which run, and how far it had read before that, so that a run
-- that is taken back can be done again. Audience 'world': up to where it has read all of them.
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

-- What a run of a job made stronger, and by how much, until the run itself is no more on record.
CREATE TABLE rehearsals (
  memory_id   INTEGER NOT NULL REFERENCES memories(id) ON DELETE CASCADE,
  job_run_id  INTEGER NOT NULL,
  gain        REAL    NOT NULL,
  PRIMARY KEY (memory_id, job_run_id)
) WITHOUT ROWID;
CREATE INDEX rehearsals_by_run ON rehearsals(job_run_id);

-- Since when something that was erased may be left in unused parts of the file: no row once it was written anew.
CREATE TABLE erasures (
  at          INTEGER PRIMARY KEY
);

-- The parts of documents an operator has given: which file a memory stands in and under which heading, its path joined
-- by " › ". A part that a newer reading of the file no longer has is superseded like any other version.
CREATE TABLE passages (
  memory_id   INTEGER NOT NULL PRIMARY KEY REFERENCES memories(id) ON DELETE CASCADE,
  document    TEXT    NOT NULL,
  heading     TEXT    NOT NULL
);
CREATE INDEX passages_by_document ON passages(document);

-- What memories mean as numbers, while an embedder is configured. The one row of embedder says of the model in use how
-- many numbers its vectors have (0 before the first), up to which memory all have a vector or stand among the failures,
-- how much its vectors tell beyond the words (0-1) and from how many that was judged. revision counts the writes of
-- vectors; those up to since are of a model used before, and go once all memories have one of the new.
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
);

-- vector is of length 1, as little-endian IEEE 754 singles. A memory has one at most: another model's takes its place.
CREATE TABLE memory_vectors (
  memory_id   INTEGER PRIMARY KEY REFERENCES memories(id) ON DELETE CASCADE,
  revision    INTEGER NOT NULL,
  vector      BLOB    NOT NULL
);
CREATE INDEX memory_vectors_by_revision ON memory_vectors(revision);

-- Memories the model gave no usable vector for, to be tried again from not_before on, NULL when given up.
CREATE TABLE embedding_failures (
  memory_id   INTEGER PRIMARY KEY REFERENCES memories(id) ON DELETE CASCADE,
  attempts    INTEGER NOT NULL,
  not_before  INTEGER,
  error       TEXT    NOT NULL
);
CREATE INDEX embedding_failures_due ON embedding_failures(not_before) WHERE not_before IS NOT NULL;

-- Accounts that asked to talk and were told a code, until the operator lets them in or the code expires. Nothing else is
-- kept of a stranger.
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

-- Accounts the operator let in by their code, beside those the configuration lists.
CREATE TABLE allowed (
  channel     TEXT    NOT NULL,
  handle      TEXT    NOT NULL,
  display     TEXT    NOT NULL,
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (channel, handle)
) WITHOUT ROWID;

-- Groups in which nothing is heard and something was said: how often and when last, for the operator to find their ids.
-- Nothing of what was said or by whom is kept.
CREATE TABLE unheard_rooms (
  channel     TEXT    NOT NULL,
  room        TEXT    NOT NULL,
  title       TEXT    NOT NULL,
  times       INTEGER NOT NULL,
  last_at     INTEGER NOT NULL,
  PRIMARY KEY (channel, room)
) WITHOUT ROWID;
CREATE INDEX unheard_rooms_by_age ON unheard_rooms(last_at);

-- How often the persona has spoken to somebody unasked in a day, by the person's own calendar.
CREATE TABLE unasked (
  persona     TEXT    NOT NULL,
  person_id   INTEGER NOT NULL REFERENCES people(id),
  day         TEXT    NOT NULL,
  times       INTEGER NOT NULL,
  PRIMARY KEY (persona, person_id, day)
) WITHOUT ROWID;

-- What the persona had to say to somebody unasked and why it did or did not: the last time each reason applied to each
-- subject ('loop:12:after'), and how often it has. message_id is what it said then.
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
