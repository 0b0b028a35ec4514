-- What the models used that a turn asked, in the attempt that was recorded; no row if it asked none. job: talk for the reply itself, else
-- what the call was for. tokens_in and tokens_out count attempts without an answer too; cache_read and cache_written are parts of
-- tokens_in. cost: in nanodollars, 0 if no price was known.
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
