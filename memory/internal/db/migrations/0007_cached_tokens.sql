-- Of tokens_in, what providers read from their caches and wrote there: both have a price of their own.
ALTER TABLE usage ADD COLUMN cache_read    INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage ADD COLUMN cache_written INTEGER NOT NULL DEFAULT 0;
