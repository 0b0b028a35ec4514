-- What models were used for in which room, so that caps bound rooms too. room_id is 0 for what no room asked for, and for
-- what was used before.
CREATE TABLE usage_now (
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
INSERT INTO usage_now (day, persona, person_id, job, model, requests, tokens_in, tokens_out, cost, reserved, reserved_cost,
    failed_in, failed_out, failed_cost, cache_read, cache_written)
  SELECT day, persona, person_id, job, model, requests, tokens_in, tokens_out, cost, reserved, reserved_cost,
    failed_in, failed_out, failed_cost, cache_read, cache_written FROM usage;
DROP TABLE usage;
ALTER TABLE usage_now RENAME TO usage;
CREATE INDEX usage_by_person ON usage(person_id, day);
CREATE INDEX usage_by_room ON usage(room_id, day) WHERE room_id <> 0;
