-- Questions that are put with buttons. language: that of the buttons. shown_as: what the network calls the message with them, ''
-- before it is sent. A row goes once the question is over and its buttons are gone.
CREATE TABLE asks (
  outbox_id  INTEGER PRIMARY KEY REFERENCES outbox(id) ON DELETE CASCADE,
  person_id  INTEGER NOT NULL REFERENCES people(id),
  language   TEXT    NOT NULL,
  expires_at INTEGER NOT NULL,
  shown_as   TEXT    NOT NULL DEFAULT ''
);
-- 1 for a text that puts a question of the table asks.
ALTER TABLE outbox ADD COLUMN asks INTEGER NOT NULL DEFAULT 0;
