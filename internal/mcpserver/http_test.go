package mcpserver_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"familiar/internal/mcpserver"
	"familiar/internal/torture"
	"familiar/memory/access"
)

const (
	hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	ask   = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_memories","arguments":{}}}`
)

// listen serves the world over HTTP.
func (w *world) listen(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(mcpserver.Handler(w.api, mcpserver.Options{Version: "test", Log: quiet}))
	t.Cleanup(s.Close)
	return s
}

// token returns a token for a person; secret makes it differ from others.
func (w *world) token(t *testing.T, secret string, person int64) string {
	t.Helper()
	token, _, err := w.store.Access.Create(t.Context(), strings.NewReader(strings.Repeat(secret, 32)),
		access.Grant{Client: "editor", Persona: "nell", Kind: access.Person, PersonID: person})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// post sends one message as a client would and returns the status, the session and the answer.
func post(ctx context.Context, address, token, session, body string) (status int, began, answer string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return 0, "", "", err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+token)
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", "", err
	}
	defer got.Body.Close() //nolint:errcheck // only read
	content, err := io.ReadAll(got.Body)
	return got.StatusCode, got.Header.Get("Mcp-Session-Id"), string(content), err
}

// A session belongs to the token that began it: another token, a revoked one or none cannot use it (S1).
func TestS1ASessionBelongsToItsToken(t *testing.T) {
	w := newWorld(t)
	ann, bob := w.notebook(t, "nell", "ann", ""), w.notebook(t, "nell", "bob", "")
	w.tell(t, ann, "My quokka is called Momo.")
	hers, his := w.token(t, "a", ann.Person().ID), w.token(t, "b", bob.Person().ID)
	server := w.listen(t)
	status, session, _, err := post(t.Context(), server.URL, hers, "", hello)
	if err != nil || status != http.StatusOK || session == "" {
		t.Fatalf("began session %q with status %d, %v", session, status, err)
	}
	if _, _, answer, err := post(t.Context(), server.URL, hers, session, ask); err != nil || !strings.Contains(answer, "quokka") {
		t.Fatalf("in her session: %q, %v", answer, err)
	}
	for name, token := range map[string]string{"another's": his, "no": "", "an unknown": "fam_x"} {
		status, _, answer, err := post(t.Context(), server.URL, token, session, ask)
		if err != nil || status < 400 || strings.Contains(answer, "quokka") {
			t.Errorf("%s token in her session: status %d, %q, %v", name, status, answer, err)
		}
	}
	all, err := w.store.Access.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range all {
		if _, err := w.store.Access.Revoke(t.Context(), g.ID); err != nil {
			t.Fatal(err)
		}
	}
	if status, _, answer, err := post(t.Context(), server.URL, hers, session, ask); err != nil || status != http.StatusUnauthorized {
		t.Errorf("a revoked token in its session: status %d, %q, %v", status, answer, err)
	}
}

// Many requests at once, half of whose clients do not wait for the answer, leave a server that goes on.
func TestManyRequestsInFlight(t *testing.T) {
	const clients = 50
	each := torture.Rounds(20, 200)
	w := newWorld(t)
	ann := w.notebook(t, "nell", "ann", "")
	w.tell(t, ann, "My quokka is called Momo.")
	token := w.token(t, "a", ann.Person().ID)
	server := w.listen(t)
	_, session, _, err := post(t.Context(), server.URL, token, "", hello)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for n := range clients {
		all.Go(func() {
			for i := range each {
				ctx, vanish := context.WithCancel(t.Context())
				if (n+i)%2 == 0 {
					go vanish()
				}
				post(ctx, server.URL, token, session, strings.Replace(ask, `"id":2`, `"id":"`+strings.Repeat("i", n+1)+strings.Repeat("j", i)+`"`, 1)) //nolint:errcheck // half of them vanish
				vanish()
			}
		})
	}
	all.Wait()
	if _, _, answer, err := post(t.Context(), server.URL, token, session, ask); err != nil || !strings.Contains(answer, "quokka") {
		t.Errorf("afterwards: %q, %v", answer, err)
	}
}

// What is no message of the protocol is refused at a bounded cost, and the next one is answered.
func TestHostileBodies(t *testing.T) {
	w := newWorld(t)
	ann := w.notebook(t, "nell", "ann", "")
	w.tell(t, ann, "My quokka is called Momo.")
	token := w.token(t, "a", ann.Person().ID)
	server := w.listen(t)
	_, session, _, err := post(t.Context(), server.URL, token, "", hello)
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{
		"nothing":   "",
		"no JSON":   "hello",
		"deep JSON": strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000),
		"huge":      `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"recall","arguments":{"query":"` + strings.Repeat("x", 8<<20) + `"}}}`,
		"unknown":   `{"jsonrpc":"2.0","id":2,"method":"tools/steal"}`,
		"an answer": `{"jsonrpc":"2.0","id":9,"result":{}}`,
	} {
		if _, _, answer, err := post(t.Context(), server.URL, token, session, body); err == nil && strings.Contains(answer, "quokka") {
			t.Errorf("%s: %.200q", name, answer)
		}
		if _, _, answer, err := post(t.Context(), server.URL, token, session, ask); err != nil || !strings.Contains(answer, "quokka") {
			t.Errorf("after %s: %.200q, %v", name, answer, err)
		}
	}
}

// A program that begins sessions without end costs no more than maxSessions of them: the oldest ends, and others go on.
func TestSessionsAreBounded(t *testing.T) {
	const maxSessions = 256
	w := newWorld(t)
	ann, bob := w.notebook(t, "nell", "ann", ""), w.notebook(t, "nell", "bob", "")
	hers, his := w.token(t, "a", ann.Person().ID), w.token(t, "b", bob.Person().ID)
	server := w.listen(t)
	_, other, _, err := post(t.Context(), server.URL, his, "", hello)
	if err != nil {
		t.Fatal(err)
	}
	var began []string
	for range maxSessions + 5 {
		_, session, _, err := post(t.Context(), server.URL, hers, "", hello)
		if err != nil {
			t.Fatal(err)
		}
		began = append(began, session)
	}
	for i, session := range began {
		status, _, _, err := post(t.Context(), server.URL, hers, session, ask)
		if want := map[bool]int{true: http.StatusNotFound, false: http.StatusOK}[i < 5]; err != nil || status != want {
			t.Fatalf("session %d of %d: status %d, %v, want %d", i, len(began), status, err, want)
		}
	}
	if status, _, _, err := post(t.Context(), server.URL, his, other, ask); err != nil || status != http.StatusOK {
		t.Errorf("the session of another token: status %d, %v", status, err)
	}
}
