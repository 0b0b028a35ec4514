-- Schema version 2. What was read out of a message is stored with it.
-- analysis: the understand.Analysis of the text, as JSON, '' where nothing was found in it. It can hold words of the text and of
-- the persona's message before it: erasing either text erases the analysis in the same transaction.
-- analysis_version: the understand.Version it was made by, 0 where there is none: then it is made from the text when it is needed.
ALTER TABLE messages ADD COLUMN analysis TEXT NOT NULL DEFAULT '';
ALTER TABLE messages ADD COLUMN analysis_version INTEGER NOT NULL DEFAULT 0;
