-- edited_at: when the text was last changed, NULL if never. Earlier texts are kept nowhere.
ALTER TABLE messages ADD COLUMN edited_at INTEGER;
