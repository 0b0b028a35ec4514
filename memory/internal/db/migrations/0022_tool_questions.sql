-- Calls of tools that wait for a person's yes. input: the arguments, exactly. turn: the key of the turn that takes the answer, ''
-- while nobody answered. result: what the call brought, until that turn is recorded.
CREATE TABLE tool_questions (
  call_id    INTEGER PRIMARY KEY REFERENCES tool_calls(id) ON DELETE CASCADE,
  input      TEXT    NOT NULL,
  expires_at INTEGER NOT NULL,
  turn       TEXT    NOT NULL DEFAULT '',
  result     TEXT    NOT NULL DEFAULT ''
);
