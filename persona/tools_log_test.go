package persona_test

// S16: every call of a tool is recorded before it is made and counts towards the caps of its person and room; nothing that
// changes something is done twice.

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/llm/llmtest"
	"familiar/memory/toolcall"
	"familiar/persona"
	"familiar/persona/tool"
)

// logged gives the persona tools whose calls are recorded, within caps.
func logged(t *testing.T, caps toolcall.Caps, tools ...tool.Tool) func(*persona.Parts) {
	t.Helper()
	limits := tool.DefaultLimits
	limits.Day = caps
	registry, err := tool.NewRegistry(tool.Rules{Everywhere: []tool.Rule{{Tool: "*", Gate: tool.Allow}}}, limits, tools...)
	if err != nil {
		t.Fatal(err)
	}
	return func(p *persona.Parts) {
		registry.Log, registry.Clock = p.Store.ToolCalls, p.Now
		p.Tools = registry
	}
}

// calls returns the recorded calls as "tool outcome reason", the first first.
func (s *stage) calls() (all []string) {
	s.t.Helper()
	calls, err := s.store.ToolCalls.List(s.t.Context(), toolcall.Filter{})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, c := range calls {
		all = append([]string{strings.TrimSpace(fmt.Sprint(c.Tool, " ", c.Outcome, " ", c.Reason))}, all...)
	}
	return all
}

func TestS16EveryCallIsRecorded(t *testing.T) {
	s, _ := tooled(t, logged(t, toolcall.Caps{}, returning{"web", "Rain.", tool.Deny}),
		llmtest.Calls("", "web", `{"query":"sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"}`, "recall", `{"query":"x"}`, "fly", `{}`), llmtest.Calls("", "web", `{}`), llmtest.Says("Rain."))
	s.say("ann", "what is the weather?")
	want := []string{"web done", "recall done", `refused there is no tool "fly"`, `web refused web needs "query" as a text`}
	if got := s.calls(); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("recorded %q, want %q", got, want)
	}
	all, err := s.store.ToolCalls.List(t.Context(), toolcall.Filter{Tool: "web"})
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	if c := all[1]; strings.Contains(c.Arguments, "abcdefghijkl") || c.Gate != "allow" || c.Tokens == 0 || c.Person == 0 || c.Room == 0 || c.Persona != "tess" {
		t.Errorf("recorded %+v", c)
	}
}

func TestS16CapsHoldBeforeTheCall(t *testing.T) {
	for _, tt := range []struct {
		name string
		caps toolcall.Caps
		ben  string
	}{
		{"calls of a person", toolcall.Caps{Person: toolcall.Cap{Calls: 1}}, "web done"},
		{"calls of a room", toolcall.Caps{Room: toolcall.Cap{Calls: 1}}, "web done"},
		{"tokens", toolcall.Caps{Person: toolcall.Cap{Tokens: 610}}, "web done"},
		{"seconds", toolcall.Caps{Person: toolcall.Cap{Seconds: 1}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			made := 0
			counted := tallied{returning{"web", strings.Repeat("rain ", 40), tool.Deny}, &made}
			s, provider := tooled(t, logged(t, tt.caps, counted),
				llmtest.Calls("", "web", `{"query":"1"}`, "web", `{"query":"2"}`), llmtest.Says("Rain."),
				llmtest.Calls("", "web", `{"query":"3"}`), llmtest.Says("Rain."))
			s.say("ann", "weather?")
			results := toolResults(last(provider))
			if !strings.Contains(results[1], "the limit of the day is reached") {
				t.Errorf("told %q", results)
			}
			before := made
			s.clock.Advance(24 * time.Hour)
			s.say("ann", "and today?")
			if tt.name != "seconds" && made != before+1 {
				t.Errorf("%d calls, then %d on the next day", before, made)
			}
		})
	}
}

// tallied counts the calls of a tool.
type tallied struct {
	returning
	made *int
}

func (c tallied) Call(ctx context.Context, u tool.Use) (tool.Result, error) {
	*c.made++
	return c.returning.Call(ctx, u)
}

// changing is a tool that changes something.
type changing struct{ tallied }

func (c changing) Spec() tool.Spec {
	s := c.tallied.Spec()
	s.Changes = true
	return s
}

// TestS16NothingIsDoneTwice takes a turn again whose model made the same call.
func TestS16NothingIsDoneTwice(t *testing.T) {
	made := 0
	change := changing{tallied{returning{"book", "Booked.", tool.Deny}, &made}}
	var s *stage
	var provider *llmtest.Server
	var asked channels.Message
	again := false
	call := func(context.Context, tool.Use) (tool.Result, error) {
		made++
		if !again { // the person changes the message meanwhile, so that the turn is taken again
			again = true
			s.hear(s.does("ann", channels.Edit, asked.ID, "Book me a table, please."))
		}
		return tool.Result{Text: "Booked."}, nil
	}
	s, provider = tooled(t, logged(t, toolcall.Caps{}, doing{change, call}),
		llmtest.Calls("", "book", `{"query":"table"}`), llmtest.Calls("", "book", `{"query":"table"}`), llmtest.Says("It is booked."))
	asked = s.message("ann", "Book me a table.")
	s.hear(asked)
	s.rest()
	if made != 1 {
		t.Errorf("booked %d times; %q; told %q", made, s.calls(), toolResults(last(provider)))
	}
}

// doing is a tool that does something else.
type doing struct {
	tool.Tool
	call func(context.Context, tool.Use) (tool.Result, error)
}

func (d doing) Call(ctx context.Context, u tool.Use) (tool.Result, error) { return d.call(ctx, u) }

// TestS12CallsGoWithTheirPerson erases a person, and forgets a message, after calls that name what they said.
func TestS12CallsGoWithTheirPerson(t *testing.T) {
	s, _ := tooled(t, logged(t, toolcall.Caps{}, returning{"web", "Rain.", tool.Deny}),
		llmtest.Calls("", "web", `{"query":"zinfandel"}`), llmtest.Says("Rain."), llmtest.Calls("", "web", `{"query":"riesling"}`), llmtest.Says("Sun."))
	m, _ := s.told("ann", "What do you know of zinfandel?")
	s.say("ben", "What do you know of riesling?")
	s.hear(s.does("ann", channels.Delete, m.ID, ""))
	s.rest()
	all, err := s.store.ToolCalls.List(t.Context(), toolcall.Filter{})
	if err != nil || len(all) != 2 || all[1].Arguments != "" || !strings.Contains(all[0].Arguments, "riesling") {
		t.Fatalf("left %+v, %v", all, err)
	}
	ben := all[0].Person
	if _, err := s.store.Eraser.ErasePerson(t.Context(), ben); err != nil {
		t.Fatal(err)
	}
	all, err = s.store.ToolCalls.List(t.Context(), toolcall.Filter{})
	if err != nil || len(all) != 1 || all[0].Person == ben {
		t.Errorf("left %+v, %v", all, err)
	}
}
