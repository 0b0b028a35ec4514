-- parent_id: the call of the tool delegate within which a helper made this one, NULL for calls of the persona's own model.
ALTER TABLE tool_calls ADD COLUMN parent_id INTEGER REFERENCES tool_calls(id) ON DELETE SET NULL;
CREATE INDEX tool_calls_by_parent ON tool_calls(parent_id) WHERE parent_id IS NOT NULL;
