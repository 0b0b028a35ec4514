-- Which messages speak of danger: danger is 'self' (their author may harm themselves), 'harm' (somebody harms them), 'need'
-- (nothing to eat, nowhere to stay), 'other' (somebody else is in danger), '' for none. It is read from the text and goes with it.
ALTER TABLE messages ADD COLUMN danger TEXT NOT NULL DEFAULT '';
CREATE INDEX messages_in_danger ON messages(persona, person_id, at) WHERE danger <> '';
