-- Every call of a tool that a model asked for, whether it was made or not. arguments: redacted and cut, emptied when a message of
-- the turn is forgotten. free: 1 for tools that no cap counts. turn: the turn's key, and digest a checksum of the arguments, so
-- that a turn that is taken again repeats nothing. took_ms and tokens are reserved while the call runs. message_id: a message
-- that the turn answers, NULL until it is recorded.
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
);
CREATE INDEX tool_calls_by_person ON tool_calls(person_id, day);
CREATE INDEX tool_calls_by_room ON tool_calls(room_id, day);
CREATE INDEX tool_calls_by_turn ON tool_calls(turn);
CREATE INDEX tool_calls_by_message ON tool_calls(message_id) WHERE message_id IS NOT NULL;
CREATE INDEX tool_calls_by_time ON tool_calls(at);
