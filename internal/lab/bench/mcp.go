package bench

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"familiar/channels"
	"familiar/internal/mcpserver"
	"familiar/internal/memoryapi"
	"familiar/memory"
	"familiar/memory/access"
)

// MCPParts set what the benchmark of the MCP server covers.
type MCPParts struct {
	RecallParts
	// Binary is the familiar to measure, Home its empty home and Database the store in it.
	Binary, Home, Database string
	// Memories is the size of the store, Calls the number of recalls that each client makes, Clients how many ask at once.
	Memories, Calls, Clients int
}

// MCPReport is what `bench mcp` prints.
type MCPReport struct {
	Memories int `json:"memories"`
	// StartMS is the time until the started program has answered the handshake, FirstMS that of the first recall, which
	// reads the index.
	StartMS float64 `json:"start_ms"`
	FirstMS float64 `json:"first_ms"`
	// RecallMS is the time of a recall over standard input and output, as the client waits for it.
	RecallMS Quantiles3 `json:"recall_ms"`
	// Clients asked at the same time over HTTP, each with its own session. ClientMS is the time of their calls, Errors counts
	// those that failed.
	Clients  int        `json:"clients"`
	Requests int        `json:"requests"`
	Errors   int        `json:"errors"`
	ClientMS Quantiles3 `json:"client_ms"`
	PerSec   float64    `json:"per_s"`
}

// MCP measures the MCP server on a store of one group: the time of a recall through the program itself, started as editors
// start it, and whether many clients are served at once.
func MCP(ctx context.Context, parts MCPParts) (r MCPReport, err error) {
	talk := newCorpus()
	messages := talk.next(parts.Memories)
	if _, err := fillStore(ctx, parts.RecallParts, parts.Database, messages); err != nil {
		return r, fmt.Errorf("bench mcp: %w", err)
	}
	questions := make([]string, parts.Calls)
	for i := range questions {
		questions[i] = talk.question(messages)
	}
	r.Memories, r.Clients = parts.Memories, parts.Clients
	room := messages[len(messages)-1].Room
	if err := r.overStdio(ctx, parts, room, questions); err != nil {
		return r, fmt.Errorf("bench mcp: over standard input and output: %w", err)
	}
	if err := r.overHTTP(ctx, parts, room, questions); err != nil {
		return r, fmt.Errorf("bench mcp: %d clients over HTTP: %w", parts.Clients, err)
	}
	return r, nil
}

// overStdio starts the program and asks it one question after the other.
func (r *MCPReport) overStdio(ctx context.Context, parts MCPParts, room channels.Room, questions []string) error {
	g, err := withRoom(ctx, parts, room, func(*memory.Store, access.Grant) error { return nil })
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, parts.Binary, "--home", parts.Home, "mcp", "--persona", g.Persona, "--room", fmt.Sprint(g.RoomID), "--read-only") //nolint:gosec // the caller names the program
	var said bytes.Buffer
	cmd.Stderr = &said
	started := time.Now()
	s, err := connectMCP(ctx, &mcp.CommandTransport{Command: cmd})
	if err != nil {
		return fmt.Errorf("start %s: %w: %s", parts.Binary, err, strings.TrimSpace(said.String()))
	}
	defer s.Close() //nolint:errcheck // the program ends with its input
	r.StartMS = milliseconds(time.Since(started))
	times := make([]time.Duration, len(questions))
	for i, q := range questions {
		if times[i], err = recallOver(ctx, s, q); err != nil {
			return err
		}
	}
	r.FirstMS, r.RecallMS = milliseconds(times[0]), quantiles(times[1:])
	return nil
}

// overHTTP serves the store and has many clients ask it at once, each in its own session.
func (r *MCPReport) overHTTP(ctx context.Context, parts MCPParts, room channels.Room, questions []string) error {
	_, err := withRoom(ctx, parts, room, func(store *memory.Store, g access.Grant) error {
		token, _, err := store.Access.Create(ctx, rand.Reader, g)
		if err != nil {
			return err
		}
		address, stop, err := serveMCP(store)
		if err != nil {
			return err
		}
		defer stop()
		return r.ask(ctx, "http://"+address, token, parts.Clients, questions)
	})
	return err
}

// ask has the clients ask all questions at once.
func (r *MCPReport) ask(ctx context.Context, address, token string, clients int, questions []string) error {
	var mu sync.Mutex
	var times []time.Duration
	var all sync.WaitGroup
	started := time.Now()
	for range clients {
		all.Go(func() {
			took, failed := askAll(ctx, address, token, questions)
			mu.Lock()
			defer mu.Unlock()
			times, r.Errors = append(times, took...), r.Errors+failed
		})
	}
	all.Wait()
	r.Requests, r.PerSec = clients*len(questions), float64(len(times))/time.Since(started).Seconds()
	r.ClientMS = quantiles(times)
	return ctx.Err()
}

// askAll is one client: it connects and asks its questions. A client that cannot connect has failed with each of them.
func askAll(ctx context.Context, address, token string, questions []string) (times []time.Duration, failed int) {
	s, err := connectMCP(ctx, &mcp.StreamableClientTransport{Endpoint: address, HTTPClient: &http.Client{Transport: withToken(token)}, DisableStandaloneSSE: true})
	if err != nil {
		return nil, len(questions)
	}
	defer s.Close() //nolint:errcheck // the server ends too
	for _, q := range questions {
		took, err := recallOver(ctx, s, q)
		if err != nil {
			failed++
			continue
		}
		times = append(times, took)
	}
	return times, failed
}

// withToken sends a token with each request.
type withToken string

// RoundTrip implements http.RoundTripper.
func (t withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(t))
	return http.DefaultTransport.RoundTrip(r)
}

// withRoom opens the store for do, with a grant for a room that only reads.
func withRoom(ctx context.Context, parts MCPParts, room channels.Room, do func(store *memory.Store, g access.Grant) error) (g access.Grant, err error) {
	store, err := memory.Open(ctx, parts.Database, memory.Options{Now: time.Now})
	if err != nil {
		return g, err
	}
	defer store.Close() //nolint:errcheck // the store is temporary
	asked, err := store.Log.RoomByAddress(ctx, room)
	if err != nil {
		return g, err
	}
	g = access.Grant{Client: "bench", Persona: parts.Card.Key, Kind: access.Room, RoomID: asked.ID, ReadOnly: true}
	return g, do(store, g)
}

// serveMCP serves a store on a free port of this machine until stop.
func serveMCP(store *memory.Store) (address string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	api := &memoryapi.API{Store: store, Now: time.Now, Zone: time.UTC}
	server := &http.Server{Handler: mcpserver.Handler(api, mcpserver.Options{Version: "bench", Log: discardLog}), ReadHeaderTimeout: time.Minute}
	go server.Serve(listener)                                       //nolint:errcheck // it ends with Close
	return listener.Addr().String(), func() { server.Close() }, nil //nolint:errcheck,gosec // the process ends soon
}

// connectMCP connects the SDK's own client.
func connectMCP(ctx context.Context, t mcp.Transport) (*mcp.ClientSession, error) {
	return mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(ctx, t, nil)
}

// recallOver calls the tool recall and returns how long that took.
func recallOver(ctx context.Context, s *mcp.ClientSession, question string) (time.Duration, error) {
	started := time.Now()
	result, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "recall", Arguments: map[string]any{"query": question}})
	took := time.Since(started)
	if err == nil && result.IsError {
		err = fmt.Errorf("recall %q: %w", question, result.GetError())
	}
	return took, err
}
