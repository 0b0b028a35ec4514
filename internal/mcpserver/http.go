package mcpserver

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"familiar/internal/memoryapi"
	"familiar/memory/access"
)

// The limits of sessions over HTTP.
const (
	// sessionTimeout is how long a session without requests is kept.
	sessionTimeout = 30 * time.Minute
	// maxSessions is how many sessions a token may have. Another one ends the oldest: its client begins anew.
	maxSessions = 256
	// tokenValid is what the SDK is told of a token that never expires: it asks again with each request, and wants a time.
	tokenValid = 24 * 365 * time.Hour
)

// sessionHeader names the session of a request. A request without one may begin a session.
const sessionHeader = "Mcp-Session-Id"

// grantKey is where the grant of a request's token stands.
const grantKey = "grant"

// Handler answers the streamable HTTP transport. Each request needs a token, and a session belongs to the token that began it.
func Handler(api *memoryapi.API, o Options) http.Handler {
	of := servers{api: api, options: o}
	streams := mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		g, ok := auth.TokenInfoFromContext(r.Context()).Extra[grantKey].(access.Grant)
		if !ok {
			return nil
		}
		server := of.grant(g)
		if r.Header.Get(sessionHeader) == "" {
			of.makeRoom(server)
		}
		return server
	}, &mcp.StreamableHTTPOptions{SessionTimeout: sessionTimeout, Logger: o.Log, DisableLocalhostProtection: true}) // the web server checks host names
	verify := func(ctx context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		g, err := api.Store.Access.Authenticate(ctx, token)
		if errors.Is(err, access.ErrRefused) {
			return nil, auth.ErrInvalidToken
		}
		if err != nil {
			return nil, err
		}
		expires := g.Expires
		if expires.IsZero() {
			expires = api.Now().Add(tokenValid)
		}
		return &auth.TokenInfo{UserID: strconv.FormatInt(g.ID, 10), Expiration: expires, Extra: map[string]any{grantKey: g}}, nil
	}
	return auth.RequireBearerToken(verify, nil)(streams)
}

// servers keeps one server for each grant that asked: clients that begin no session cause one for each request, and making one
// costs far more than a recall.
type servers struct {
	api     *memoryapi.API
	options Options
	byGrant sync.Map // of *mcp.Server by grantName
}

// grantName tells grants apart: the number of a revoked one may be used again.
type grantName struct{ id, created int64 }

// grant returns the server of a grant.
func (s *servers) grant(g access.Grant) *mcp.Server {
	name := grantName{g.ID, g.Created.UnixMilli()}
	if known, ok := s.byGrant.Load(name); ok {
		return known.(*mcp.Server)
	}
	server, _ := s.byGrant.LoadOrStore(name, New(s.api.For(g), s.options))
	return server.(*mcp.Server)
}

// makeRoom ends the oldest sessions of a server that has too many.
func (s *servers) makeRoom(server *mcp.Server) {
	all := slices.Collect(server.Sessions()) // oldest first
	for i := range len(all) - maxSessions + 1 {
		if err := all[i].Close(); err != nil {
			s.options.Log.Debug("end the oldest session of a program", "error", err)
		}
	}
}
