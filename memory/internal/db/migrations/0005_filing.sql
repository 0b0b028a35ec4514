-- What a model read in a message is told apart from what the rules read in it. sentence: the fact in normal words, in the
-- person's language. by_model: only a model read it; neither the rules nor a second reading confirmed it. sensitive: the
-- fact is nothing to bring up unasked (health, grief, money, faith, love). sentence_run_id: the run that wrote the sentence of
-- evidence that the rules had found before, NULL if the evidence is the run's own (job_run_id).
ALTER TABLE belief_evidence ADD COLUMN sentence TEXT NOT NULL DEFAULT '';
ALTER TABLE belief_evidence ADD COLUMN sentence_run_id INTEGER;
ALTER TABLE belief_evidence ADD COLUMN by_model INTEGER NOT NULL DEFAULT 0;
ALTER TABLE belief_evidence ADD COLUMN sensitive INTEGER NOT NULL DEFAULT 0;

-- asked_at: when the persona asked the person whether what a model read is right.
ALTER TABLE beliefs ADD COLUMN asked_at INTEGER;

-- read_to: the last message of the session that a model has read. read_tries: how often in a row its answer was of no
-- use, the last time at read_tried_at.
ALTER TABLE sessions ADD COLUMN read_to INTEGER REFERENCES messages(id);
ALTER TABLE sessions ADD COLUMN read_tries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN read_tried_at INTEGER;
