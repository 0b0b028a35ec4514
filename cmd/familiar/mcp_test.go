package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"familiar/internal/npmtest"
)

// mcpClient connects the SDK's own client over a transport.
func mcpClient(t *testing.T, over mcp.Transport) (*mcp.ClientSession, error) {
	t.Helper()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), over, nil)
	if err == nil {
		t.Cleanup(func() { s.Close() }) //nolint:errcheck // the test is over
	}
	return s, err
}

// startMCP starts `familiar mcp` as programs do.
func startMCP(t *testing.T, home string, args ...string) *mcp.ClientSession {
	t.Helper()
	s, err := mcpClient(t, &mcp.CommandTransport{Command: command(home, nil, append([]string{"mcp"}, args...)...)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// callTool returns the text of a tool's result.
func callTool(t *testing.T, s *mcp.ClientSession, tool string, in map[string]any) string {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: in})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	var text strings.Builder
	for _, c := range r.Content {
		if part, ok := c.(*mcp.TextContent); ok {
			text.WriteString(part.Text)
		}
	}
	return text.String()
}

// A program that starts `familiar mcp` shares the memory with the chat and with other programs, also while the home is served.
func TestMCPOverStandardInput(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	writer := startMCP(t, home, "--as", "Ann", "--client", "writer", "--first-hand")
	callTool(t, writer, "remember", map[string]any{"text": "My dog is called Rex."})
	serving := start(t, home, nil, "run")
	serving.reports("serving")
	reader := startMCP(t, home, "--as", "Ann", "--client", "reader", "--read-only")
	if text := callTool(t, reader, "recall", map[string]any{"query": "what is my dog called?"}); !strings.Contains(text, "Rex") {
		t.Errorf("recalled %q", text)
	}
	callTool(t, writer, "remember", map[string]any{"text": "My cat is called Mia."})
	if text := callTool(t, reader, "recall", map[string]any{"query": "what is my cat called?"}); !strings.Contains(text, "Mia") {
		t.Errorf("another process does not see what was written: %q", text)
	}
	stranger := startMCP(t, home, "--as", "Bob")
	if text := callTool(t, stranger, "recall", map[string]any{"query": "what is the dog called?"}); strings.Contains(text, "Rex") {
		t.Errorf("somebody else is told: %q", text)
	}
}

// bearer adds a token to each request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// newToken creates a token in a home.
func newToken(t *testing.T, home string, args ...string) string {
	t.Helper()
	out, err := command(home, nil, append([]string{"token", "create"}, args...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestMCPOverHTTP(t *testing.T) {
	t.Parallel()
	home, address := t.TempDir(), freeAddress(t)
	ann, bob := newToken(t, home, "--client", "a", "--as", "Ann", "--first-hand"), newToken(t, home, "--client", "b", "--as", "Bob")
	serving := start(t, home, nil, "run", "--http", address)
	serving.reports("serving")
	connect := func(token string) (*mcp.ClientSession, error) {
		return mcpClient(t, &mcp.StreamableClientTransport{Endpoint: "http://" + address + "/mcp", HTTPClient: &http.Client{Transport: bearer(token)}})
	}
	s, err := connect(ann)
	if err != nil {
		t.Fatal(err)
	}
	callTool(t, s, "remember", map[string]any{"text": "My dog is called Rex."})
	if text := callTool(t, s, "recall", map[string]any{"query": "what is my dog called?"}); !strings.Contains(text, "Rex") {
		t.Errorf("recalled %q", text)
	}
	other, err := connect(bob)
	if err != nil {
		t.Fatal(err)
	}
	if text := callTool(t, other, "recall", map[string]any{"query": "what is my dog called?"}); strings.Contains(text, "Rex") {
		t.Errorf("somebody else is told: %q", text)
	}
	for _, token := range []string{"", "fam_wrong"} {
		if _, err := connect(token); err == nil {
			t.Errorf("token %q is accepted", token)
		}
	}
	// A session belongs to the token that began it.
	ask := func(token string) int {
		body := `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"recall","arguments":{"query":"what is my dog called?"}}}`
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for key, value := range map[string]string{"Authorization": "Bearer " + token, "Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Session-Id": s.ID()} {
			r.Header.Set(key, value)
		}
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close() //nolint:errcheck // only the status counts
		return got.StatusCode
	}
	if status := ask(ann); status != http.StatusOK {
		t.Errorf("its own session: %d", status)
	}
	if status := ask(bob); status == http.StatusOK {
		t.Error("a token uses the session of another")
	}
	// A revoked token ends its sessions.
	if out, err := command(home, nil, "token", "revoke", "1").CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	if status := ask(ann); status != http.StatusUnauthorized {
		t.Errorf("a revoked token: %d", status)
	}
}

// 50 programs at once write and read without an error.
func TestManyMCPClients(t *testing.T) {
	t.Parallel()
	home, address := t.TempDir(), freeAddress(t)
	token := newToken(t, home, "--client", "swarm", "--as", "Ann", "--first-hand")
	serving := start(t, home, nil, "run", "--http", address)
	serving.reports("serving")
	var all sync.WaitGroup
	for n := range 50 {
		all.Go(func() {
			over := &mcp.StreamableClientTransport{Endpoint: "http://" + address + "/mcp", HTTPClient: &http.Client{Transport: bearer(token)}}
			s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), over, nil)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close() //nolint:errcheck // the test is over
			for tool, in := range map[string]map[string]any{
				"remember": {"text": fmt.Sprintf("Crate %d holds lamp %d.", n, n)}, "recall": {"query": fmt.Sprintf("what does crate %d hold?", n)},
			} {
				if r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: in}); err != nil || r.IsError {
					t.Errorf("client %d: %s: %v", n, tool, err)
				}
			}
		})
	}
	all.Wait()
	s := startMCP(t, home, "--as", "Ann")
	if text := callTool(t, s, "list_memories", map[string]any{"limit": 100}); strings.Count(text, "holds lamp") != 50 {
		t.Errorf("%d of 50 were stored", strings.Count(text, "holds lamp"))
	}
}

// Hostile clients get an error or are cut off, and others are served on.
func TestHostileMCPClients(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	first := startMCP(t, home, "--as", "Ann", "--first-hand")
	callTool(t, first, "remember", map[string]any{"text": "My dog is called Rex."})
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	for name, input := range map[string]string{
		"nothing":          "",
		"no JSON":          "hello\n",
		"a huge frame":     hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"remember","arguments":{"text":"` + strings.Repeat("x", 4<<20) + `"}}}` + "\n",
		"deep JSON":        hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"recall","arguments":{"query":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}}}` + "\n",
		"unknown method":   hello + `{"jsonrpc":"2.0","id":2,"method":"tools/steal"}` + "\n",
		"cancelled":        hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"recall","arguments":{"query":"dog"}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}` + "\n",
		"half a frame":     hello + `{"jsonrpc":"2.0","id":2,"method":"tools/ca`,
		"without greeting": `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_memories","arguments":{}}}` + "\n",
	} {
		cmd := command(home, nil, "mcp", "--as", "Bob")
		var out, errs bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &errs
		_ = cmd.Run() // it may fail, but must end
		if strings.Contains(out.String()+errs.String(), "Rex") || strings.Contains(errs.String(), "panic") {
			t.Errorf("%s: %.300s %.300s", name, out.String(), errs.String())
		}
	}
	if text := callTool(t, first, "recall", map[string]any{"query": "what is my dog called?"}); !strings.Contains(text, "Rex") {
		t.Errorf("afterwards: %q", text)
	}
}

// The protocol's official inspector lists the tools and calls one.
func TestMCPInspector(t *testing.T) {
	t.Parallel()
	const inspector = "@modelcontextprotocol/inspector"
	run := npmtest.Need(t, inspector)
	home := t.TempDir()
	familiar := command(home, nil, "mcp", "--as", "Ann", "--first-hand")
	wrapper := filepath.Join(t.TempDir(), "familiar.sh")
	script := "#!/bin/sh\nexec env"
	for _, v := range familiar.Env {
		script += fmt.Sprintf(" %q", v)
	}
	for _, a := range familiar.Args {
		script += fmt.Sprintf(" %q", a)
	}
	if err := os.WriteFile(wrapper, []byte(script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	inspect := func(args ...string) string {
		out, err := run("npx", append([]string{"--yes", inspector, "--cli", wrapper}, args...)...)
		if err != nil {
			t.Fatalf("inspector %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	if out := inspect("--method", "tools/list"); !strings.Contains(out, `"recall"`) {
		t.Errorf("the tools: %s", out)
	}
	inspect("--method", "tools/call", "--tool-name", "remember", "--tool-arg", "text=My dog is called Rex.")
	if out := inspect("--method", "tools/call", "--tool-name", "recall", "--tool-arg", "query=what is my dog called?"); !strings.Contains(out, "Rex") {
		t.Errorf("recalled: %s", out)
	}
	for _, method := range []string{"resources/list", "resources/templates/list", "prompts/list"} {
		if out := inspect("--method", method); !strings.Contains(out, "name") {
			t.Errorf("%s: %s", method, out)
		}
	}
}
