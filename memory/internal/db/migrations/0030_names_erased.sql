-- names_erased: 1 if the message named somebody who was erased since. Their name is nowhere, but training data must still leave it out.
ALTER TABLE messages ADD COLUMN names_erased INTEGER NOT NULL DEFAULT 0;
