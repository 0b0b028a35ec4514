-- Accounts of several networks that are one person.

-- The one code of a person that joins an account of another network to them. hash: SHA-256 of the code. room_id: where it
-- was asked for, and where the person is told that it was used.
CREATE TABLE link_codes (
  person_id   INTEGER PRIMARY KEY REFERENCES people(id),
  persona     TEXT    NOT NULL,
  room_id     INTEGER NOT NULL REFERENCES rooms(id),
  hash        BLOB    NOT NULL UNIQUE,
  expires_at  INTEGER NOT NULL
);

-- Wrong codes of the last hour, by account.
CREATE TABLE link_guesses (
  id          INTEGER PRIMARY KEY,
  channel     TEXT    NOT NULL,
  handle      TEXT    NOT NULL,
  at          INTEGER NOT NULL
);
CREATE INDEX link_guesses_by_account ON link_guesses(channel, handle, at);
CREATE INDEX link_guesses_by_time ON link_guesses(at);

-- Until when no code is accepted, after too many wrong ones. No row: linking works.
CREATE TABLE link_lock (
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  since       INTEGER NOT NULL,
  until       INTEGER NOT NULL
);

-- The networks of a linked person, each with what cannot be told from its messages: the figures of the relationship and the
-- dates of beliefs before the link, as JSON of numbers and ids. It holds nothing that anybody said.
CREATE TABLE link_parts (
  person_id   INTEGER NOT NULL REFERENCES people(id),
  channel     TEXT    NOT NULL,
  linked_at   INTEGER NOT NULL,
  before      TEXT    NOT NULL DEFAULT '',
  PRIMARY KEY (person_id, channel)
) WITHOUT ROWID;
