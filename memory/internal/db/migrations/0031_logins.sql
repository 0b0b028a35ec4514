-- One-time links that log a browser in, and the browsers that are logged in. hash: SHA-256 of the token. role: operator, viewer (sees
-- what the operator sees and changes nothing) or person (the page of person_id at persona).
CREATE TABLE login_links (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  hash        BLOB    NOT NULL UNIQUE,
  role        TEXT    NOT NULL CHECK (role IN ('operator', 'viewer', 'person')),
  persona     TEXT    NOT NULL,
  person_id   INTEGER REFERENCES people(id),
  expires_at  INTEGER NOT NULL
);
CREATE INDEX login_links_by_person ON login_links(person_id) WHERE person_id IS NOT NULL;

-- browser: what the browser said it is. used_at: the last use, to the hour. expires_at: the end, however much it is used.
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
