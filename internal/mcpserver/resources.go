package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"familiar/internal/memoryapi"
)

// scheme is how the addresses of resources begin.
const scheme = "familiar://"

// addResources adds what a program can read without a tool.
func (b binding) addResources() {
	c := b.client
	for _, r := range []struct {
		name, description string
		read              func(ctx context.Context) (any, error)
	}{
		{"persona", "Whose memory this is, and whose view of it you have.", func(ctx context.Context) (any, error) { return c.Describe(ctx) }},
		{"people", "Whom the persona knows, as far as you may know it.", func(ctx context.Context) (any, error) { return c.People(ctx) }},
		{"sessions", "The latest conversations.", func(ctx context.Context) (any, error) {
			return c.Sessions(ctx, memoryapi.SessionsInput{Limit: resourceLimit})
		}},
		{"dreams", "The latest nights of the persona's journal.", func(ctx context.Context) (any, error) { return c.Dreams(ctx, resourceLimit) }},
		{"topics", "The topics of the memory.", func(ctx context.Context) (any, error) { return c.Topics(ctx, resourceLimit) }},
	} {
		uri := scheme + r.name
		b.server.AddResource(&mcp.Resource{Name: r.name, Description: r.description, MIMEType: jsonType, URI: uri},
			func(ctx context.Context, _ *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				value, err := r.read(ctx)
				return b.resource(uri, value, err)
			})
	}
	for _, r := range []struct {
		name, description string
		read              func(ctx context.Context, id int64) (any, error)
	}{
		{"memory", "One memory, why it is known and how it fades.", func(ctx context.Context, id int64) (any, error) { return c.Explain(ctx, id) }},
		{"session", "One conversation.", func(ctx context.Context, id int64) (any, error) { return c.Session(ctx, id) }},
	} {
		b.server.AddResourceTemplate(&mcp.ResourceTemplate{Name: r.name, Description: r.description, MIMEType: jsonType, URITemplate: scheme + r.name + "/{id}"},
			func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				id, err := strconv.ParseInt(strings.TrimPrefix(req.Params.URI, scheme+r.name+"/"), 10, 64)
				if err != nil || id < 1 {
					return nil, mcp.ResourceNotFoundError(req.Params.URI)
				}
				value, err := r.read(ctx, id)
				return b.resource(req.Params.URI, value, err)
			})
	}
}

const (
	jsonType      = "application/json"
	resourceLimit = 50
)

// resource returns a value as the content of a resource.
func (b binding) resource(uri string, value any, err error) (*mcp.ReadResourceResult, error) {
	if errors.Is(err, memoryapi.ErrNotFound) {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	if err != nil {
		return nil, b.told("resource", err)
	}
	content, err := json.Marshal(value)
	if err != nil {
		return nil, b.told("resource", err)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: jsonType, Text: string(content)}}}, nil
}
