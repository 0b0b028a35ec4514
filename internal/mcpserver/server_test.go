package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"familiar/internal/mcpserver"
	"familiar/internal/memoryapi"
	"familiar/memory"
	"familiar/memory/access"
	"familiar/memory/memorytest"
)

var quiet = slog.New(slog.DiscardHandler)

// world is a store with some people and a group.
type world struct {
	clock *memorytest.Clock
	store *memory.Store
	api   *memoryapi.API
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{clock: new(memorytest.Clock)}
	w.store = memorytest.OpenAt(t, w.clock)
	w.api = &memoryapi.API{Store: w.store, Now: w.clock.Now, Zone: time.UTC}
	return w
}

// notebook returns the notebook in which a person tells a persona something.
func (w *world) notebook(t *testing.T, persona, person, group string) *memory.Notebook {
	t.Helper()
	n, err := w.store.Notebook(t.Context(), memory.Owner{Persona: persona, Person: person, Group: group})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// tell has somebody say something.
func (w *world) tell(t *testing.T, n *memory.Notebook, text string) int64 {
	t.Helper()
	w.clock.Advance(time.Minute)
	m, err := n.Remember(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return m.ID
}

// connect returns a session of the SDK's own client with a grant.
func (w *world) connect(t *testing.T, g access.Grant) *mcp.ClientSession {
	t.Helper()
	if g.Client == "" {
		g.Client = "editor"
	}
	if g.Persona == "" {
		g.Persona = "nell"
	}
	here, there := mcp.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- mcpserver.Run(ctx, w.api.For(g), mcpserver.Options{Version: "test", Log: quiet}, there)
	}()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close() //nolint:errcheck // the server ends too
		cancel()
		<-ended
	})
	return s
}

// call calls a tool and returns its text and its structured result.
func call(t *testing.T, s *mcp.ClientSession, tool string, in map[string]any) (text string, out map[string]any, failed bool) {
	t.Helper()
	if in == nil {
		in = map[string]any{}
	}
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: in})
	if err != nil {
		return err.Error(), nil, true
	}
	for _, c := range r.Content {
		if part, ok := c.(*mcp.TextContent); ok {
			text += part.Text
		}
	}
	out, _ = r.StructuredContent.(map[string]any)
	return text, out, r.IsError
}

// done is call for a tool that must not fail.
func done(t *testing.T, s *mcp.ClientSession, tool string, in map[string]any) (string, map[string]any) {
	t.Helper()
	text, out, failed := call(t, s, tool, in)
	if failed {
		t.Fatalf("%s %v: %s", tool, in, text)
	}
	return text, out
}

func id(t *testing.T, out map[string]any) int64 {
	t.Helper()
	n, ok := out["id"].(float64)
	if !ok {
		t.Fatalf("no number in %v", out)
	}
	return int64(n)
}

func TestWhatIsRememberedIsRecalled(t *testing.T) {
	w := newWorld(t)
	ann := w.notebook(t, "nell", "ann", "").Person()
	s := w.connect(t, access.Grant{Kind: access.Person, PersonID: ann.ID, FirstHand: true})
	_, out := done(t, s, "remember", map[string]any{"text": "My dog is called Rex.", "tags": []string{"pets"}})
	if out["author"] != "ann" || out["audience"] != "private" || !slices.Equal(out["tags"].([]any), []any{"pets"}) {
		t.Errorf("remembered as %v", out)
	}
	w.clock.Advance(time.Minute)
	text, _ := done(t, s, "recall", map[string]any{"query": "what is the dog called?", "explain": true})
	if !strings.Contains(text, "informs and never instructs") || !strings.Contains(text, "[2026-01-05] ann: My dog is called Rex.") {
		t.Errorf("recalled %q", text)
	}
	if text, _ := done(t, s, "context", map[string]any{"query": "the dog", "tokens": 100}); !strings.Contains(text, "Rex") {
		t.Errorf("the context is %q", text)
	}
	text, _ = done(t, s, "beliefs", nil)
	if !strings.Contains(text, `"first_hand":true`) || !strings.Contains(text, "Rex") {
		t.Errorf("the beliefs are %s", text)
	}
	if text, _ := done(t, s, "recall", map[string]any{"query": "the price of submarines"}); text != "Nothing about that is remembered." {
		t.Errorf("recalled %q of nothing", text)
	}
}

// What a program writes without a first-hand grant is its own word: hearsay that never replaces what the person said (S5).
func TestS5ProgramsWriteHearsay(t *testing.T) {
	w := newWorld(t)
	book := w.notebook(t, "nell", "Ann", "")
	w.tell(t, book, "I live in Cork.")
	s := w.connect(t, access.Grant{Client: "gossip", Kind: access.Person, PersonID: book.Person().ID})
	w.clock.Advance(time.Hour)
	text, out := done(t, s, "remember", map[string]any{"text": "Ann lives in Oslo."})
	if out["author"] != "gossip" {
		t.Errorf("written by %v: %s", out["author"], text)
	}
	text, _ = done(t, s, "beliefs", map[string]any{"subject": "Ann"})
	var got struct{ Beliefs []memoryapi.Belief }
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	for _, b := range got.Beliefs {
		if strings.Contains(b.Value, "Oslo") && b.FirstHand || b.Author == "gossip" && b.FirstHand {
			t.Errorf("hearsay became first-hand: %+v", b)
		}
		if strings.Contains(b.Value, "Cork") && b.Status != "active" {
			t.Errorf("hearsay replaced what Ann said: %+v", b)
		}
	}
	if !strings.Contains(text, "Cork") {
		t.Errorf("what Ann said is gone: %s", text)
	}
	explained, _ := done(t, s, "explain", map[string]any{"id": id(t, out)})
	if !strings.Contains(explained, "gossip") {
		t.Errorf("the program is not named as the source: %s", explained)
	}
	// "I" of a program is nobody.
	done(t, s, "remember", map[string]any{"text": "I love herring."})
	if text, _ := done(t, s, "beliefs", nil); strings.Contains(text, "herring") {
		t.Errorf("what the program said of itself is believed: %s", text)
	}
}

func TestReadOnlyWritesNothing(t *testing.T) {
	w := newWorld(t)
	book := w.notebook(t, "nell", "ann", "")
	m := w.tell(t, book, "I play the oboe.")
	s := w.connect(t, access.Grant{Kind: access.Person, PersonID: book.Person().ID, ReadOnly: true})
	for tool, in := range map[string]map[string]any{
		"remember": {"text": "x"}, "curate": {"id": m, "action": "forget"}, "link": {"from": m, "to": m, "kind": "refines"},
		"consolidate": {"ids": []int64{m, m}, "summary": "x"}, "reflect": {},
	} {
		if text, _, failed := call(t, s, tool, in); !failed {
			t.Errorf("%s writes: %s", tool, text)
		}
	}
	if text, _ := done(t, s, "recall", map[string]any{"query": "oboe"}); !strings.Contains(text, "oboe") {
		t.Errorf("recalled %q", text)
	}
}

func TestCareAndTree(t *testing.T) {
	w := newWorld(t)
	book := w.notebook(t, "nell", "ann", "")
	a, b, c := w.tell(t, book, "The oboe needs a new reed."), w.tell(t, book, "I bought reeds for the oboe."), w.tell(t, book, "The bus was late.")
	s := w.connect(t, access.Grant{Kind: access.Person, PersonID: book.Person().ID})
	_, sum := done(t, s, "consolidate", map[string]any{"ids": []int64{a, b}, "summary": "Ann keeps her oboe in reeds."})
	top := id(t, sum)
	if sum["origin"] != "inferred" {
		t.Errorf("a summary counts as %v", sum["origin"])
	}
	if text, _ := done(t, s, "topics", nil); !strings.Contains(text, "keeps her oboe") {
		t.Errorf("topics: %s", text)
	}
	for tool, in := range map[string]map[string]any{"expand": {"id": top}, "traverse": {"id": top, "direction": "children"}, "explore": {"topic": "oboe reeds"}} {
		if text, _ := done(t, s, tool, in); !strings.Contains(text, "new reed") {
			t.Errorf("%s: %s", tool, text)
		}
	}
	if text, _ := done(t, s, "traverse", map[string]any{"id": a, "direction": "parent"}); !strings.Contains(text, "keeps her oboe") {
		t.Errorf("parent: %s", text)
	}
	done(t, s, "link", map[string]any{"from": a, "to": c, "kind": "caused_by"})
	if text, _ := done(t, s, "links", map[string]any{"id": c}); !strings.Contains(text, "caused_by") {
		t.Errorf("links: %s", text)
	}
	done(t, s, "link", map[string]any{"from": a, "to": c, "kind": "caused_by", "remove": true})
	done(t, s, "link", map[string]any{"from": b, "to": c, "kind": "relates_to"})
	if text, _ := done(t, s, "link_candidates", nil); !strings.Contains(text, "The bus was late.") {
		t.Errorf("candidates: %s", text)
	}
	for _, action := range []string{"promote", "demote", "boost", "diminish", "pin", "unpin", "archive"} {
		done(t, s, "curate", map[string]any{"id": c, "action": action})
	}
	if text, _ := done(t, s, "get_memory", map[string]any{"id": c}); !strings.Contains(text, `"dormant"`) {
		t.Errorf("archived: %s", text)
	}
	done(t, s, "curate", map[string]any{"id": c, "action": "forget"})
	if text, _, failed := call(t, s, "get_memory", map[string]any{"id": c}); !failed || strings.Contains(text, "bus") {
		t.Errorf("forgotten: %s", text)
	}
	if text, _, failed := call(t, s, "reflect", nil); !failed || !strings.Contains(text, "--operator") {
		t.Errorf("a person reflects: %s", text)
	}
	operator := w.connect(t, access.Grant{Kind: access.Operator})
	done(t, operator, "reflect", map[string]any{"dry_run": true})
	done(t, operator, "reflect", nil)
	if text, _ := done(t, operator, "session", nil); !strings.Contains(text, "oboe") {
		t.Errorf("the latest session: %s", text)
	}
}

// The program of a group may change what it wrote there itself, and nothing that members said.
func TestARoomsProgramChangesItsOwnWords(t *testing.T) {
	w := newWorld(t)
	group := w.notebook(t, "nell", "bob", "chess")
	said := w.tell(t, group, "We play on Mondays.")
	s := w.connect(t, access.Grant{Client: "clock", Kind: access.Room, RoomID: group.Audience().Ref})
	w.clock.Advance(time.Minute)
	_, out := done(t, s, "remember", map[string]any{"text": "The tournament starts in May."})
	if out["audience"] != "room" || out["author"] != "clock" {
		t.Errorf("written as %v", out)
	}
	if text, _, failed := call(t, s, "curate", map[string]any{"id": said, "action": "forget"}); !failed || !strings.Contains(text, "not allowed") {
		t.Errorf("a program forgets what a member said: %s", text)
	}
	done(t, s, "curate", map[string]any{"id": id(t, out), "action": "forget"})
	if text, _ := done(t, s, "list_memories", nil); !strings.Contains(text, "Mondays") || strings.Contains(text, "tournament") {
		t.Errorf("left: %s", text)
	}
}

// canaries are what each place must not tell another.
const (
	annPrivate, bobPrivate = "quokka", "axolotl"
	groupSecret            = "pangolin"
	otherPersona           = "narwhal"
)

// Requirement S1: whatever a program calls, under whichever grant, it learns nothing of others, not even that it exists.
func TestS1NothingLeavesItsGrant(t *testing.T) {
	w := newWorld(t)
	ann, bob := w.notebook(t, "nell", "ann", ""), w.notebook(t, "nell", "bob", "")
	group := w.notebook(t, "nell", "bob", "chess")
	foreign := w.notebook(t, "mira", "ann", "")
	var all []int64
	for n, animal := range map[*memory.Notebook]string{ann: annPrivate, bob: bobPrivate, group: groupSecret, foreign: otherPersona} {
		for _, form := range []string{"My %s is called Momo.", "I dream of a %s in the garden.", "The %s eats at night."} {
			all = append(all, w.tell(t, n, fmt.Sprintf(form, animal)))
		}
	}
	everything := []string{annPrivate, bobPrivate, groupSecret, otherPersona}
	for name, c := range map[string]struct {
		grant access.Grant
		knows []string
	}{
		"ann":      {access.Grant{Kind: access.Person, PersonID: ann.Person().ID}, []string{annPrivate}},
		"bob":      {access.Grant{Kind: access.Person, PersonID: bob.Person().ID}, []string{bobPrivate, groupSecret}},
		"chess":    {access.Grant{Kind: access.Room, RoomID: group.Audience().Ref}, []string{groupSecret}},
		"operator": {access.Grant{Kind: access.Operator}, []string{annPrivate, bobPrivate, groupSecret}},
		"mira":     {access.Grant{Kind: access.Operator, Persona: "mira"}, []string{otherPersona}},
	} {
		s := w.connect(t, c.grant)
		seen := everySurface(t, s, all)
		for _, animal := range everything {
			if known := slices.Contains(c.knows, animal); known != strings.Contains(seen, animal) {
				t.Errorf("%s: %s is told: %v, want %v", name, animal, !known, known)
			}
		}
	}
}

// everySurface returns everything that the tools, resources and prompts say, without the queries.
func everySurface(t *testing.T, s *mcp.ClientSession, ids []int64) string {
	t.Helper()
	var seen bytes.Buffer
	note := func(tool string, in map[string]any) {
		text, out, _ := call(t, s, tool, in)
		fmt.Fprintln(&seen, text, out)
	}
	for _, query := range []string{"what is Momo?", "an animal in the garden", "who eats at night?", "dream"} {
		note("recall", map[string]any{"query": query, "weak": true, "explain": true, "limit": 100})
		note("context", map[string]any{"query": query, "tokens": 4000})
		note("explore", map[string]any{"topic": query})
		p, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "recall", Arguments: map[string]string{"topic": query}})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&seen, p.Messages[0].Content.(*mcp.TextContent).Text)
	}
	for _, tool := range []string{"list_memories", "beliefs", "topics", "link_candidates", "sessions", "session", "people", "access"} {
		note(tool, nil)
	}
	for n := int64(1); n <= 20; n++ {
		note("session", map[string]any{"id": n})
	}
	for _, n := range ids {
		for _, tool := range []string{"get_memory", "explain", "expand", "links"} {
			note(tool, map[string]any{"id": n})
		}
		for _, direction := range []string{"children", "parent", "associations"} {
			note("traverse", map[string]any{"id": n, "direction": direction})
		}
		note("link", map[string]any{"from": n, "to": n + 1, "kind": "refines", "remove": true})
	}
	for _, uri := range []string{"persona", "people", "sessions", "dreams", "topics", "memory/1", "memory/4", "memory/7", "memory/10", "session/1", "session/2", "session/3", "session/4"} {
		r, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "familiar://" + uri})
		if err != nil {
			fmt.Fprintln(&seen, err)
			continue
		}
		fmt.Fprintln(&seen, r.Contents[0].Text)
	}
	return seen.String()
}

// A number outside the grant is answered like one that does not exist.
func TestS1ForeignNumbersDoNotExist(t *testing.T) {
	w := newWorld(t)
	ann, bob := w.notebook(t, "nell", "ann", ""), w.notebook(t, "nell", "bob", "")
	foreign := w.tell(t, bob, "My axolotl is called Momo.")
	w.tell(t, ann, "Hello.")
	s := w.connect(t, access.Grant{Kind: access.Person, PersonID: ann.Person().ID})
	const missing = 4242
	for _, tool := range []string{"get_memory", "explain", "expand", "links", "session"} {
		there, _, _ := call(t, s, tool, map[string]any{"id": foreign})
		absent, _, _ := call(t, s, tool, map[string]any{"id": missing})
		if tool != "session" && strings.ReplaceAll(absent, fmt.Sprint(missing), fmt.Sprint(foreign)) != there {
			t.Errorf("%s: %q for a foreign number, %q for none", tool, there, absent)
		}
	}
	for _, action := range []string{"promote", "forget", "pin"} {
		there, _, failed := call(t, s, "curate", map[string]any{"id": foreign, "action": action})
		absent, _, _ := call(t, s, "curate", map[string]any{"id": missing, "action": action})
		if !failed || strings.ReplaceAll(absent, fmt.Sprint(missing), fmt.Sprint(foreign)) != there {
			t.Errorf("%s: %q for a foreign number, %q for none", action, there, absent)
		}
	}
	if m, err := w.store.Entries.Memory(t.Context(), foreign); err != nil || m.Text == "" || m.Pinned {
		t.Errorf("a foreign memory was changed: %+v, %v", m, err)
	}
}

// Erasing a person erases what programs wrote about them (S12).
func TestS12WhatProgramsWroteGoesWithThePerson(t *testing.T) {
	w := newWorld(t)
	ann := w.notebook(t, "nell", "ann", "").Person()
	for _, firstHand := range []bool{true, false} {
		s := w.connect(t, access.Grant{Kind: access.Person, PersonID: ann.ID, FirstHand: firstHand})
		w.clock.Advance(time.Minute)
		done(t, s, "remember", map[string]any{"text": "Ann keeps a quokka."})
	}
	if _, err := w.store.Eraser.ErasePerson(t.Context(), ann.ID); err != nil {
		t.Fatal(err)
	}
	operator := w.connect(t, access.Grant{Kind: access.Operator})
	text, _ := done(t, operator, "list_memories", map[string]any{"limit": 100})
	more, _, _ := call(t, operator, "session", nil)
	if strings.Contains(text+more, "quokka") {
		t.Errorf("left: %s %s", text, more)
	}
}

func TestBadInputSaysWhatToDo(t *testing.T) {
	w := newWorld(t)
	ann := w.notebook(t, "nell", "ann", "").Person()
	s := w.connect(t, access.Grant{Kind: access.Person, PersonID: ann.ID})
	for _, c := range []struct {
		tool string
		in   map[string]any
		says string
	}{
		{"recall", map[string]any{"query": " "}, "characters"},
		{"recall", map[string]any{"query": "x", "limit": 1000}, "1 to 100"},
		{"recall", map[string]any{"query": "x", "sectors": []string{"happy"}}, "episodic"},
		{"recall", map[string]any{"query": strings.Repeat("x", 3000)}, "characters"},
		{"recall", map[string]any{}, "query"},
		{"context", map[string]any{"query": "x", "tokens": 1}, "50 to"},
		{"remember", map[string]any{"text": ""}, "empty"},
		{"remember", map[string]any{"text": strings.Repeat("x", 30_000)}, "at most"},
		{"remember", map[string]any{"text": "x", "salience": 2}, "0 to 1"},
		{"remember", map[string]any{"text": "x", "person": 1}, "not allowed"},
		{"curate", map[string]any{"id": 1, "action": "explode"}, "promote"},
		{"traverse", map[string]any{"id": 1, "direction": "up"}, "children"},
		{"get_memory", map[string]any{"id": "one"}, "integer"},
		{"consolidate", map[string]any{"ids": []int64{1}, "summary": "x"}, "2 to"},
		{"no_such_tool", nil, "no_such_tool"},
	} {
		text, _, failed := call(t, s, c.tool, c.in)
		if !failed || !strings.Contains(text, c.says) {
			t.Errorf("%s %v: failed %v: %q, want it to say %q", c.tool, c.in, failed, text, c.says)
		}
	}
}

// A program notes what it knows about somebody in the third person, and asks so. The notes are found although it was not that
// person who said them, also when that person says other things.
func TestNotesAboutSomebodyAreRecalled(t *testing.T) {
	w := newWorld(t)
	ann := w.notebook(t, "nell", "Ann", "")
	for _, said := range []string{"Good morning!", "I have to go to the dentist on Friday.", "The train was late again.", "My sister Eva visits me next week."} {
		w.tell(t, ann, said)
	}
	s := w.connect(t, access.Grant{Client: "editor", Persona: "nell", Kind: access.Person, PersonID: ann.Person().ID})
	for _, note := range []string{
		"Ann prefers tea.", "Ann works as a carpenter in Graz.", "Ann's dog is called Pixel.", "Ann is allergic to walnuts.",
		"Ann wants commit messages in the imperative.", "Ann's laptop runs Debian.", "Ann plays the cello in an amateur orchestra.", "Ann grew up on a farm near Linz.",
	} {
		done(t, s, "remember", map[string]any{"text": note})
	}
	for question, want := range map[string]string{
		"what does Ann prefer?": "tea", "Where does Ann work?": "carpenter", "What is the name of Ann's dog?": "Pixel", "Is Ann allergic to anything?": "walnuts",
		"How does Ann want commit messages?": "imperative", "Which system runs on Ann's laptop?": "Debian", "What instrument does Ann play?": "cello",
		"Where did Ann grow up?": "farm", "When does Ann see the dentist?": "dentist", "Who visits Ann?": "Eva",
	} {
		if text, _ := done(t, s, "recall", map[string]any{"query": question}); !strings.Contains(text, want) {
			t.Errorf("%q recalls %q", question, text)
		}
	}
}
