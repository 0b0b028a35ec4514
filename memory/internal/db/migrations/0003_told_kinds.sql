-- What memories tell.
-- told: which kinds of facts the text of a message's memory tells: bit n stands for the kind n of sentences.Relations. 0 where it
-- tells none. It goes with the memory.
ALTER TABLE memories ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
-- What was said before is read again: the job reread fills the column with the analysis.
UPDATE messages SET analysis_version = 1 WHERE analysis_version > 1;
