-- What becomes of a text that was given up (a dead letter: status is 'dead').
-- died_at: when it was first given up. dropped_at: when the operator dropped it; its text is gone then.
-- to_tell: 1 while the person is still to be told that this answer may not have reached them.
ALTER TABLE outbox ADD COLUMN died_at INTEGER;
ALTER TABLE outbox ADD COLUMN dropped_at INTEGER;
ALTER TABLE outbox ADD COLUMN to_tell INTEGER NOT NULL DEFAULT 0;
-- Nobody is told of what was given up before: it may be long ago.
UPDATE outbox SET died_at = created_at WHERE status = 'dead';
CREATE INDEX outbox_to_tell ON outbox(room_id) WHERE to_tell = 1;
