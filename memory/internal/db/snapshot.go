package db

import (
	"familiar/memory/model"
)

// stillScopes are scopes that cannot move, since the transaction that reads them sees one moment.
type ScopeCache struct {
	Persona   string
	Revisions []model.ScopeRevision
}
