package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// toolServer starts a program with one tool that takes a bearer token.
func toolServer(t *testing.T, token string) string {
	t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "wiki", Version: "1"}, nil)
	type page struct {
		Page string `json:"page"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "read-Page", Description: "Reads a page."}, func(context.Context, *mcp.CallToolRequest, page) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "text"}}}, nil, nil
	})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestToolServersAreListedAndChecked(t *testing.T) {
	t.Parallel()
	const token = "canary-token-1"
	address := toolServer(t, token)
	home := configure(t, "tools:\n  gates: {wiki_read_page: allow, wiki_*: confirm}\n  servers: {wiki: {url: '"+address+"', token: env:TOKEN}}\n")
	r := familiar(t, home, []string{"TOKEN=" + token}, "", "tool", "servers")
	if r.code != 0 || !strings.Contains(r.out, "wiki") || !strings.Contains(r.out, "wiki_read_page") {
		t.Errorf("code %d\n%s%s", r.code, r.out, r.errs)
	}
	doctorFindings(t, home, token, 0, "servers\tok\t1 tool server is connected")
	doctorFindings(t, home, "wrong-canary", 1, "servers\tproblem\twiki: connect to the tool server wiki", "nauthorized")

	broken := configure(t, "tools:\n  servers: {gone: {command: [/nowhere/at/all], env: {API_KEY: env:TOKEN}}}\n")
	if r := familiar(t, broken, []string{"TOKEN=" + token}, "", "tool", "servers"); r.code != 1 || !strings.Contains(r.out, "cannot be run") || strings.Contains(r.out+r.errs, token) {
		t.Errorf("code %d\n%s%s", r.code, r.out, r.errs)
	}
	for text, want := range map[string]string{
		"{a: {}}": "needs either command", "{A: {url: 'https://a.test'}}": "is no name of a server",
		"{a: {command: [x], token: env:T}}":          "give it what it needs in env",
		"{a: {url: 'http://a.test', token: env:T}}":  "unencrypted",
		"{a: {command: [x], env: {MY_KEY: canary}}}": "takes a reference to the secret",
	} {
		r := familiar(t, configure(t, "tools:\n  servers: "+text+"\n"), nil, "", "config", "check")
		if r.code == 0 || !strings.Contains(r.out+r.errs, want) || strings.Contains(r.out+r.errs, "canary") {
			t.Errorf("%s: code %d\n%s%s", text, r.code, r.out, r.errs)
		}
	}
}
