package mcpserver_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"familiar/internal/mcpserver"
	"familiar/memory/access"
)

// Over standard input, each request is a line that gets a line.
func TestLinesAreAnswered(t *testing.T) {
	w := newWorld(t)
	ann := w.notebook(t, "nell", "ann", "").Person()
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan error, 1)
	c := w.api.For(access.Grant{Client: "lines", Persona: "nell", Kind: access.Person, PersonID: ann.ID})
	go func() {
		ended <- mcpserver.Run(t.Context(), c, mcpserver.Options{Log: quiet}, mcpserver.Stdio(in, out))
		out.Close() //nolint:errcheck // a pipe in memory
	}()
	lines := bufio.NewScanner(answers)
	lines.Buffer(nil, 1<<20)
	ask := func(request string) string {
		t.Helper()
		fmt.Fprintln(requests, request)
		if !lines.Scan() {
			t.Fatalf("no answer to %s", request)
		}
		return lines.Text()
	}
	ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	fmt.Fprintln(requests, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for request, says := range map[string]string{
		`{"jsonrpc":"2.0","id":2,"method":"tools/steal"}`:                                                       `"error"`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"recall"}}`:                             "query",
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"recall","arguments":{"query":"dog"}}}`: "Nothing about that",
		`{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"familiar://memory/999"}}`:           `"error"`,
		`{"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}`:              `"error"`,
		`{"jsonrpc":"2.0","id":8,"method":`:                                                                     "-32700",
		`{"id":9}`:                                                                                              "-32600",
		`[7]`:                                                                                                   "-32600",
		`[]`:                                                                                                    "-32600",
		`7`:                                                                                                     "-32600",
		`{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"steal"}}`: `"error"`,
	} {
		if answer := ask(request); !strings.Contains(answer, says) || !json.Valid([]byte(answer)) {
			t.Errorf("%s: %s, want it to say %s", request, answer, says)
		}
	}
	go fmt.Fprintln(requests, strings.Repeat("x", 2<<20)) // too long: it ends the connection
	for lines.Scan() {
	}
	if err := <-ended; err == nil {
		t.Error("a frame without end is read")
	}
}
