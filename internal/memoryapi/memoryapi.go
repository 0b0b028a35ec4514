// Package memoryapi is what another program may do with the memory of a persona, within its grant. The MCP server and the REST
// interface are made of it. Whatever a program asks for, it sees what its person, its room or the operator may see; what is
// outside looks like what does not exist.
package memoryapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/access"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/turns"
)

// API opens the memory for programs. It is safe for concurrent use.
type API struct {
	Store *memory.Store
	Now   func() time.Time
	// Zone is the timezone of people whose own is unknown.
	Zone *time.Location
	// EmbedQuery computes the vector of a query, nil without an embedder.
	EmbedQuery func(ctx context.Context, text string) *recall.QueryEmbedding
	// PersonaName returns the display name of a persona.
	PersonaName func(key string) string
}

// For returns the memory as a program with this grant may use it.
func (a *API) For(g access.Grant) *Client { return &Client{api: a, grant: g} }

// Client is the memory of one persona as one program sees it. It is safe for concurrent use.
type Client struct {
	api   *API
	grant access.Grant
}

// Grant returns what the program may do.
func (c *Client) Grant() access.Grant { return c.grant }

// Errors that callers check with errors.Is.
var (
	// ErrInvalid reports input that cannot be right; the error says what to do.
	ErrInvalid = errors.New("invalid")
	// ErrNotAllowed reports what this grant never allows.
	ErrNotAllowed = errors.New("not allowed")
	// ErrNotFound reports what does not exist or is outside the grant.
	ErrNotFound = memory.ErrNotFound
)

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, args...))
}

// noMemory is the error for a memory that is not there, or not for this program.
func noMemory(id int64) error {
	return fmt.Errorf("memory %d: %w: recall or list memories to see their numbers", id, ErrNotFound)
}

// DefaultLimit is how many results a request gets that names no limit.
const DefaultLimit = 10

// The limits of one request.
const (
	maxLimit                   = 100
	defaultTokens, maxTokens   = 1000, 16_000
	maxText, maxQuery, maxTags = 20_000, 2_000, 20 // characters, characters, tags
)

// limit returns how many results a request gets.
func limit(asked int) (int, error) {
	if asked < 0 || asked > maxLimit {
		return 0, invalid("limit is %d: use 1 to %d", asked, maxLimit)
	}
	return cmp.Or(asked, DefaultLimit), nil
}

// visibility returns what the program may see now.
func (c *Client) visibility(ctx context.Context) (memory.Visibility, error) {
	return c.api.Store.Access.Visibility(ctx, c.grant)
}

// mayWrite fails for a grant that only reads.
func (c *Client) mayWrite() error {
	if c.grant.ReadOnly {
		return access.ErrReadOnly
	}
	return nil
}

// mayOperate fails for a grant that does not see everything of the persona.
func (c *Client) mayOperate(what string) error {
	if c.grant.Kind != access.Operator {
		return fmt.Errorf("%w: to %s takes access to everything of the persona: `familiar token create --operator`", ErrNotAllowed, what)
	}
	return c.mayWrite()
}

// zone returns the timezone in which the program's person lives.
func (c *Client) zone(ctx context.Context) (*time.Location, error) {
	fallback := cmp.Or(c.api.Zone, time.UTC)
	if c.grant.PersonID == 0 {
		return fallback, nil
	}
	p, err := c.api.Store.Log.Person(ctx, c.grant.PersonID)
	return p.Location(fallback), err
}

// visible returns a memory within the grant.
func (c *Client) visible(ctx context.Context, v memory.Visibility, id int64) (model.Memory, error) {
	m, err := c.api.Store.Turns.MemoryFor(ctx, v, id)
	if errors.Is(err, ErrNotFound) {
		return m, noMemory(id)
	}
	return m, err
}

// changeable returns a memory that the program may change: for the operator's everything, for a person's what is private to the
// person, for that of a room what it wrote there itself. The rest of a group's memory belongs to its members.
func (c *Client) changeable(ctx context.Context, id int64) (model.Memory, error) {
	if err := c.mayWrite(); err != nil {
		return model.Memory{}, err
	}
	v, err := c.visibility(ctx)
	if err != nil {
		return model.Memory{}, err
	}
	m, err := c.visible(ctx, v, id)
	if err != nil {
		return m, err
	}
	own := c.grant.Kind == access.Operator || c.grant.Kind == access.Person && m.Audience == (model.Audience{Kind: model.Private, Ref: c.grant.PersonID})
	if c.grant.Kind == access.Room && m.Audience == (model.Audience{Kind: model.InRoom, Ref: c.grant.RoomID}) {
		if own, err = c.wrote(ctx, m); err != nil {
			return m, err
		}
	}
	if !own {
		return m, fmt.Errorf("%w: memory %d belongs to others: only the operator may change it", ErrNotAllowed, id)
	}
	return m, nil
}

// wrote reports whether the program wrote a memory.
func (c *Client) wrote(ctx context.Context, m model.Memory) (bool, error) {
	if m.AuthorID == 0 {
		return false, nil
	}
	by, err := c.api.Store.Log.Person(ctx, m.AuthorID)
	return slices.ContainsFunc(by.Handles, func(h channels.Handle) bool { return h == turns.ClientHandle(c.grant.Client) }), err
}
