package memory

// Cold returns a store on the same file whose caches are empty. It must not be closed.
func Cold(s *Store) *Store { return newStore(s.db) }
