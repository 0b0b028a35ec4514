package restapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/internal/memoryapi"
	"familiar/internal/restapi"
	"familiar/memory"
	"familiar/memory/access"
	"familiar/memory/memorytest"
)

// world is a store with some people, and the interface to it.
type world struct {
	clock   *memorytest.Clock
	store   *memory.Store
	handler http.Handler
	tokens  int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{clock: new(memorytest.Clock)}
	w.store = memorytest.OpenAt(t, w.clock)
	var err error
	w.handler, err = restapi.Handler(restapi.Options{
		API: &memoryapi.API{Store: w.store, Now: w.clock.Now, Zone: time.UTC}, Version: "test", Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) notebook(t *testing.T, person, group string) *memory.Notebook {
	t.Helper()
	n, err := w.store.Notebook(t.Context(), memory.Owner{Persona: "nell", Person: person, Group: group})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (w *world) tell(t *testing.T, n *memory.Notebook, text string) int64 {
	t.Helper()
	w.clock.Advance(time.Minute)
	m, err := n.Remember(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return m.ID
}

// token returns a token for a grant.
func (w *world) token(t *testing.T, g access.Grant) string {
	t.Helper()
	w.tokens++
	g.Client, g.Persona = fmt.Sprint("client", w.tokens), "nell"
	token, _, err := w.store.Access.Create(t.Context(), bytes.NewReader(bytes.Repeat([]byte{byte(w.tokens)}, 32)), g)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// answer is what a request got.
type answer struct {
	status int
	kind   string
	text   string
}

// ask sends a request; a body that is no text is sent as JSON.
func (w *world) ask(t *testing.T, token, method, path string, body any, header ...string) answer {
	t.Helper()
	var content io.Reader
	switch body := body.(type) {
	case nil:
	case string:
		content = strings.NewReader(body)
	default:
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		content = bytes.NewReader(text)
	}
	r := httptest.NewRequestWithContext(t.Context(), method, restapi.Prefix+path, content)
	r.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	got := httptest.NewRecorder()
	http.MaxBytesHandler(w.handler, restapi.MaxBody).ServeHTTP(got, r)
	return answer{got.Code, got.Header().Get("Content-Type"), got.Body.String()}
}

func (a answer) id(t *testing.T) int64 {
	t.Helper()
	var is struct{ ID int64 }
	if err := json.Unmarshal([]byte(a.text), &is); err != nil || is.ID == 0 {
		t.Fatalf("no number in %d %s: %v", a.status, a.text, err)
	}
	return is.ID
}

type object = map[string]any

func TestAMemoryLives(t *testing.T) {
	w := newWorld(t)
	token := w.token(t, access.Grant{Kind: access.Person, PersonID: w.notebook(t, "ann", "").Person().ID, FirstHand: true})
	made := w.ask(t, token, "POST", "/memories", object{"text": "My dog is called Rex.", "tags": []string{"pets"}})
	if made.status != http.StatusCreated || made.kind != "application/json" {
		t.Fatalf("remember: %+v", made)
	}
	w.clock.Advance(time.Minute)
	path := fmt.Sprintf("/memories/%d", made.id(t))
	for what, got := range map[string]answer{
		"get": w.ask(t, token, "GET", path, nil), "explain": w.ask(t, token, "GET", path+"/explanation", nil), "list": w.ask(t, token, "GET", "/memories", nil),
		"recall":  w.ask(t, token, "POST", "/recall", object{"query": "what is my dog called?"}),
		"context": w.ask(t, token, "POST", "/context", object{"query": "my dog", "tokens": 200}),
		"beliefs": w.ask(t, token, "GET", "/beliefs", nil), "session": w.ask(t, token, "GET", "/sessions/1", nil),
	} {
		if got.status != http.StatusOK || !strings.Contains(got.text, "Rex") {
			t.Errorf("%s: %+v", what, got)
		}
	}
	for _, path := range []string{"/access", "/people", "/sessions", "/dreams?limit=5", "/topics"} {
		if got := w.ask(t, token, "GET", path, nil); got.status != http.StatusOK {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if got := w.ask(t, token, "POST", "/memories/curate", object{"id": made.id(t), "action": "boost"}); got.status != http.StatusOK {
		t.Errorf("curate: %+v", got)
	}
	if got := w.ask(t, token, "DELETE", path, nil); got.status != http.StatusNoContent || got.text != "" {
		t.Errorf("forget: %+v", got)
	}
	if got := w.ask(t, token, "GET", path, nil); got.status != http.StatusNotFound || got.kind != "application/problem+json" {
		t.Errorf("forgotten: %+v", got)
	}
}

func TestACorrectionReplacesAFact(t *testing.T) {
	w := newWorld(t)
	book := w.notebook(t, "ann", "")
	w.tell(t, book, "I live in Cork.")
	w.clock.Advance(time.Hour)
	token := w.token(t, access.Grant{Kind: access.Person, PersonID: book.Person().ID, FirstHand: true})
	var known struct{ Items []memoryapi.Belief }
	if err := json.Unmarshal([]byte(w.ask(t, token, "GET", "/beliefs", nil).text), &known); err != nil || len(known.Items) != 1 {
		t.Fatalf("%+v, %v", known, err)
	}
	path := fmt.Sprintf("/beliefs/%d/correction", known.Items[0].ID)
	if got := w.ask(t, token, "POST", path, object{"value": "Riga"}); got.status != http.StatusOK {
		t.Fatalf("correct: %+v", got)
	}
	if got := w.ask(t, token, "GET", "/beliefs", nil); !strings.Contains(got.text, "Riga") || strings.Contains(got.text, "Cork") {
		t.Errorf("afterwards: %s", got.text)
	}
	if got := w.ask(t, token, "GET", "/beliefs?history=true", nil); !strings.Contains(got.text, "Cork") {
		t.Errorf("the history: %s", got.text)
	}
	hearsay := w.token(t, access.Grant{Kind: access.Person, PersonID: book.Person().ID})
	known.Items = nil
	if err := json.Unmarshal([]byte(w.ask(t, token, "GET", "/beliefs", nil).text), &known); err != nil || len(known.Items) != 1 {
		t.Fatalf("%+v, %v", known, err)
	}
	w.ask(t, hearsay, "POST", fmt.Sprintf("/beliefs/%d/correction", known.Items[0].ID), object{"value": "Oslo"})
	if got := w.ask(t, token, "GET", "/beliefs", nil); !strings.Contains(got.text, "Riga") {
		t.Errorf("hearsay replaced what Ann said: %s", got.text)
	}
}

// A repeat with the same key gets the first result, whatever happened in between.
func TestRepeatedWritesAreDoneOnce(t *testing.T) {
	w := newWorld(t)
	ann := w.notebook(t, "ann", "").Person()
	for name, g := range map[string]access.Grant{
		"first-hand": {Kind: access.Person, PersonID: ann.ID, FirstHand: true}, "hearsay": {Kind: access.Person, PersonID: ann.ID}, "lore": {Kind: access.Operator},
	} {
		token := w.token(t, g)
		first := w.ask(t, token, "POST", "/memories", object{"text": "The key is under the mat."}, "Idempotency-Key", "k1")
		w.clock.Advance(48 * time.Hour)
		again := w.ask(t, token, "POST", "/memories", object{"text": "The key is under the mat."}, "Idempotency-Key", "k1")
		if first.status != http.StatusCreated || again.status != http.StatusCreated || first.id(t) != again.id(t) {
			t.Errorf("%s: %+v, then %+v", name, first, again)
		}
		if other := w.ask(t, token, "POST", "/memories", object{"text": "The key is in the drawer."}, "Idempotency-Key", "k1"); other.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: another text under the same key: %+v", name, other)
		}
		if next := w.ask(t, token, "POST", "/memories", object{"text": "The key is in the drawer."}, "Idempotency-Key", "k2"); next.status != http.StatusCreated || next.id(t) == first.id(t) {
			t.Errorf("%s: another key: %+v", name, next)
		}
	}
}

func TestPagesMeet(t *testing.T) {
	w := newWorld(t)
	book := w.notebook(t, "ann", "")
	var want []int64
	for n := range 25 {
		want = append(want, w.tell(t, book, fmt.Sprintf("Crate %d holds lamps.", n)))
	}
	slices.Reverse(want)
	token := w.token(t, access.Grant{Kind: access.Person, PersonID: book.Person().ID})
	var got []int64
	for path := "/memories?limit=7"; path != ""; {
		var page struct {
			Items []memoryapi.Memory
			Next  int64
		}
		a := w.ask(t, token, "GET", path, nil)
		if err := json.Unmarshal([]byte(a.text), &page); err != nil {
			t.Fatal(a, err)
		}
		for _, m := range page.Items {
			got = append(got, m.ID)
		}
		if path = ""; page.Next != 0 {
			path = fmt.Sprintf("/memories?limit=7&before=%d", page.Next)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the pages have %v, want %v", got, want)
	}
}

func TestBadRequestsSayWhatToDo(t *testing.T) {
	w := newWorld(t)
	ann := w.notebook(t, "ann", "").Person()
	token, reader := w.token(t, access.Grant{Kind: access.Person, PersonID: ann.ID}), w.token(t, access.Grant{Kind: access.Person, PersonID: ann.ID, ReadOnly: true})
	for _, c := range []struct {
		token, method, path string
		body                any
		status              int
		says                string
	}{
		{"fam_wrong", "GET", "/access", nil, 401, "token"},
		{token, "GET", "/nowhere", nil, 404, "openapi.json"},
		{token, "PATCH", "/memories", nil, 405, "Method Not Allowed"},
		{token, "GET", "/memories/one", nil, 404, "number"},
		{token, "GET", "/memories/4242", nil, 404, "4242"},
		{token, "GET", "/memories?limit=1000", nil, 422, "1 to 100"},
		{token, "GET", "/memories?limit=many", nil, 422, "limit"},
		{token, "GET", "/memories?colour=red", nil, 422, "colour"},
		{token, "POST", "/recall", "{", 400, "body"},
		{token, "POST", "/recall", `{"query": "x"} {}`, 400, "more than one"},
		{token, "POST", "/recall", `{"question": "x"}`, 400, "question"},
		{token, "POST", "/recall", `{"query": ["x"]}`, 400, "body"},
		{token, "POST", "/recall", strings.Repeat("[", 100_000), 400, "body"},
		{token, "POST", "/recall", `{"query": "` + strings.Repeat("x", restapi.MaxBody) + `"}`, 413, "256 kB"},
		{token, "POST", "/memories", object{"text": " "}, 422, "empty"},
		{token, "POST", "/memories", object{"text": "x", "person": 1}, 403, "not allowed"},
		{reader, "POST", "/memories", object{"text": "x"}, 403, "only reads"},
	} {
		got := w.ask(t, c.token, c.method, c.path, c.body)
		if got.status != c.status || !strings.Contains(got.text, c.says) || c.says != "" && got.kind != "application/problem+json" {
			t.Errorf("%s %s: %+v, want %d that says %q", c.method, c.path, got, c.status, c.says)
		}
	}
}

// Requirement S1: no route tells of others, under any grant.
func TestS1NothingLeavesItsGrant(t *testing.T) {
	w := newWorld(t)
	ann, bob, chess := w.notebook(t, "ann", ""), w.notebook(t, "bob", ""), w.notebook(t, "bob", "chess")
	var ids []int64
	for n, animal := range map[*memory.Notebook]string{ann: "quokka", bob: "axolotl", chess: "pangolin"} {
		ids = append(ids, w.tell(t, n, "My "+animal+" is called Momo."), w.tell(t, n, "The "+animal+" eats at night."))
	}
	for name, c := range map[string]struct {
		grant access.Grant
		knows []string
	}{
		"ann": {access.Grant{Kind: access.Person, PersonID: ann.Person().ID}, []string{"quokka"}},
		"bob": {access.Grant{Kind: access.Person, PersonID: bob.Person().ID}, []string{"axolotl", "pangolin"}},
		"all": {access.Grant{Kind: access.Operator}, []string{"quokka", "axolotl", "pangolin"}},
	} {
		token := w.token(t, c.grant)
		var seen strings.Builder
		for _, path := range []string{"/memories?limit=100", "/beliefs?history=true", "/sessions", "/people", "/dreams", "/topics", "/access", "/sessions/1", "/sessions/2", "/sessions/3", "/sessions/4"} {
			seen.WriteString(w.ask(t, token, "GET", path, nil).text)
		}
		for _, id := range ids {
			for _, path := range []string{"/memories/%d", "/memories/%d/explanation"} {
				seen.WriteString(w.ask(t, token, "GET", fmt.Sprintf(path, id), nil).text)
			}
		}
		for _, query := range []string{"what is Momo?", "who eats at night?"} {
			seen.WriteString(w.ask(t, token, "POST", "/recall", object{"query": query, "weak": true, "limit": 100}).text)
			seen.WriteString(w.ask(t, token, "POST", "/context", object{"query": query, "tokens": 4000}).text)
		}
		for _, animal := range []string{"quokka", "axolotl", "pangolin"} {
			if known := slices.Contains(c.knows, animal); known != strings.Contains(seen.String(), animal) {
				t.Errorf("%s: %s is told: %v, want %v", name, animal, !known, known)
			}
		}
	}
}

func TestTheDocumentDescribesEveryRoute(t *testing.T) {
	w := newWorld(t)
	got := w.ask(t, "", "GET", "/openapi.json", nil)
	var is struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			Summary, OperationID string
			Responses            map[string]any
		}
	}
	if err := json.Unmarshal([]byte(got.text), &is); err != nil || got.status != http.StatusOK || is.OpenAPI != "3.1.0" {
		t.Fatalf("%d, %v, %s", got.status, err, is.OpenAPI)
	}
	names := map[string]bool{}
	for path, operations := range is.Paths {
		for method, o := range operations {
			if o.Summary == "" || o.OperationID == "" || names[o.OperationID] || len(o.Responses) != 2 {
				t.Errorf("%s %s is described as %+v", method, path, o)
			}
			names[o.OperationID] = true
			if a := w.ask(t, "", strings.ToUpper(method), strings.ReplaceAll(path, "{id}", "1"), nil); a.status != http.StatusUnauthorized {
				t.Errorf("%s %s answers %d without a token", method, path, a.status)
			}
		}
	}
	if len(names) < 16 {
		t.Errorf("%d operations", len(names))
	}
}
