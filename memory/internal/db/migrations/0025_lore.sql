-- Whose signed lore is taken in, by their public keys.
CREATE TABLE lore_signers (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  key      TEXT    NOT NULL UNIQUE,
  name     TEXT    NOT NULL UNIQUE,
  added_at INTEGER NOT NULL
);
-- Files of signed lore that were taken in for a persona. source is the persona they are of, at home with the signer. digest
-- identifies the file, content is the file itself: when the next one is reverted, it holds again.
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
-- The entries that hold: entry is the signer's id, memory_id what it became, NULL once that was forgotten here. import_id is the file
-- that brought its present text, whose hash is digest.
CREATE TABLE lore_items (
  import_id INTEGER NOT NULL REFERENCES lore_imports(id),
  entry     TEXT    NOT NULL,
  digest    TEXT    NOT NULL,
  memory_id INTEGER REFERENCES memories(id) ON DELETE SET NULL,
  PRIMARY KEY (import_id, entry)
) WITHOUT ROWID;
CREATE UNIQUE INDEX lore_items_by_memory ON lore_items(memory_id) WHERE memory_id IS NOT NULL;
