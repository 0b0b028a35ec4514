-- form: which form of a memory the vectors of the embedder in use were made from (entry.EmbeddingForm),
-- 1 for the bare text, which all vectors so far were made from. Another form makes all vectors anew, as another model does.
ALTER TABLE embedder ADD COLUMN form INTEGER NOT NULL DEFAULT 1;
