// Package visitor says who looks at a page of the dashboard.
package visitor

import "context"

// Role decides which pages somebody sees and what they may change there.
type Role string

// The roles.
const (
	// Operator sees and changes everything.
	Operator Role = "operator"
	// Viewer sees what an operator sees and changes nothing.
	Viewer Role = "viewer"
	// Person sees and changes only what one persona knows about them.
	Person Role = "person"
)

// Visitor is who makes a request.
type Visitor struct {
	Role Role
	// Persona and PersonID say whose page a Person sees. They are empty for the others.
	Persona  string
	PersonID int64
	// CSRF is the token that forms send back, empty where no form may be.
	CSRF string
}

// MayChange reports whether the visitor may change what an operator may change.
func (v Visitor) MayChange() bool { return v.Role == Operator }

type key struct{}

// With returns ctx with the visitor of a request.
func With(ctx context.Context, v Visitor) context.Context { return context.WithValue(ctx, key{}, v) }

// From returns the visitor of a request, one without a role if nobody signed in.
func From(ctx context.Context) Visitor {
	v, _ := ctx.Value(key{}).(Visitor)
	return v
}
