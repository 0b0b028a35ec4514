package mcpserver

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"familiar/internal/memoryapi"
	"familiar/memory/access"
)

// The times of sessions over HTTP.
const (
	// sessionTimeout is how long a session without requests is kept.
	sessionTimeout = 30 * time.Minute
	// tokenValid is what the SDK is told of a token that never expires: it asks again with each request, and wants a time.
	tokenValid = 24 * 365 * time.Hour
)

// grantKey is where the grant of a request's token stands.
const grantKey = "grant"

// Handler answers the streamable HTTP transport. Each request needs a token, and a session belongs to the token that began it.
func Handler(api *memoryapi.API, o Options) http.Handler {
	streams := mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		g, ok := auth.TokenInfoFromContext(r.Context()).Extra[grantKey].(access.Grant)
		if !ok {
			return nil
		}
		return New(api.For(g), o)
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
