-- copied_from: the message that this one repeats in another room, because its author shared it there or made it private.
-- Both are forgotten together.
ALTER TABLE messages ADD COLUMN copied_from INTEGER REFERENCES messages(id);
CREATE INDEX messages_copied ON messages(copied_from) WHERE copied_from IS NOT NULL;
