package db

import (
	"familiar/memory/model"
)

// stillScopes are scopes that cannot move, since the transaction that reads them sees one moment.
type StillScopes struct {
	Persona string
	At      []model.ScopeRevision
}
