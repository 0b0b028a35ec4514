-- withdrawn: the people who took back their consent to training, for whom a restored older copy takes it back, too.
ALTER TABLE erasures ADD COLUMN withdrawn TEXT NOT NULL DEFAULT '[]';
