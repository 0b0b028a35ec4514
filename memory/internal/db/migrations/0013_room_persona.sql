-- Which persona the person of a direct room chose to talk with, '' for none: then the configuration says.
ALTER TABLE rooms ADD COLUMN persona TEXT NOT NULL DEFAULT '';
