-- Directories whose session files are followed, for a persona and the account of a person who talks in them.
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
-- How far a session file was read. id is a hash of who it is read for and of its path. When the person is erased, only it and
-- erased_bytes stay: what begins before that and has no time is not read again. file is the file's number on its disk, head and
-- tail are hashes of what is around the read part. progress is the reader's, problem why the file cannot be read.
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
