package hosting

import (
	"context"

	"familiar/memory/model"
)

// Stats returns what was counted. It asks the database nothing.
func (s *Store) Stats() model.DatabaseStats { return s.db.Stats() }

// Server asks the server for its state. It returns nil for a file.
func (s *Store) Server(ctx context.Context) (*model.DatabaseServer, error) { return s.db.Server(ctx) }
