package persona_test

// S4: a call that needs a yes is made after exactly that, once, and only for the person who was asked.

import (
	"context"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/llm/llmtest"
	"familiar/memory/memorytest"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
	"familiar/persona/tool"
)

// confirmed gives the persona a tool that needs a yes, which counts its calls.
func confirmed(t *testing.T, made *int) func(*persona.Parts) {
	t.Helper()
	return asking(t, changing{tallied{returning{"book", "Table 7 is booked.", tool.Deny}, made}})
}

func asking(t *testing.T, tools ...tool.Tool) func(*persona.Parts) {
	t.Helper()
	registry, err := tool.NewRegistry(tool.Rules{Everywhere: []tool.Rule{{Tool: "*", Gate: tool.Confirm}, {Tool: "recall", Gate: tool.Allow}}}, tool.DefaultLimits, tools...)
	if err != nil {
		t.Fatal(err)
	}
	return func(p *persona.Parts) {
		registry.Log, registry.Clock = p.Store.ToolCalls, p.Now
		p.Tools = registry
	}
}

var booking = []llmtest.Answer{llmtest.Calls("", "book", `{"query":"a table for *two*"}`), llmtest.Says("I can book that.")}

func TestS4AYesMakesTheCallOnce(t *testing.T) {
	made := 0
	s, provider := tooled(t, confirmed(t, &made), append(booking, llmtest.Says("It is table 7."), llmtest.Says("You are welcome."))...)
	asked := s.say("ann", "Book me a table for two.")
	if made != 0 || !strings.HasPrefix(asked, "I can book that.\n\nMay I use book for that?\nquery: \"a table for \\*two\\*\"\nSay yes or no") {
		t.Fatalf("%d calls, said %q", made, asked)
	}
	if told := s.say("ann", "Yes please!"); made != 1 || told != "It is table 7." {
		t.Errorf("%d calls, said %q", made, told)
	}
	if results := toolResults(last(provider)); len(results) != 1 || !strings.Contains(results[0], "Table 7 is booked.") || strings.Count(results[0], "quoted-7q") != 2 {
		t.Errorf("told %q", results)
	}
	if s.say("ann", "yes"); made != 1 {
		t.Errorf("a second yes made %d calls", made)
	}
	if got := strings.Join(s.calls(), "|"); got != "book done" {
		t.Errorf("recorded %s", got)
	}
}

func TestS4NothingElseMakesTheCall(t *testing.T) {
	for name, tt := range map[string]struct {
		then    func(s *stage)
		outcome string
	}{
		"a no": {func(s *stage) { s.say("ann", "no thanks") }, "book declined"},
		"something else, and then a yes": {func(s *stage) {
			s.say("ann", "What is the weather?")
			s.say("ann", "yes")
		}, "book dropped"},
		"a yes that comes too late": {func(s *stage) {
			s.clock.Advance(11 * time.Minute)
			s.say("ann", "yes")
		}, "book expired"},
		"somebody else's yes": {func(s *stage) { s.say("ben", "yes") }, "book waiting"},
		"a yes in another room": {func(s *stage) {
			s.answer(s.group("ann", "Tess, hello.", true))
			s.answer(s.group("ann", "yes", true))
		}, "book waiting"},
	} {
		t.Run(name, func(t *testing.T) {
			made := 0
			answers := append([]llmtest.Answer{}, booking...)
			s, _ := tooled(t, confirmed(t, &made), append(answers, llmtest.Says("Fine."))...)
			s.say("ann", "Book me a table for two.")
			tt.then(s)
			if got := strings.Join(s.calls(), "|"); made != 0 || got != tt.outcome {
				t.Errorf("%d calls, recorded %s, want %s", made, got, tt.outcome)
			}
		})
	}
}

func TestS4InAGroupOnlyTheAskerAnswers(t *testing.T) {
	made := 0
	s, _ := tooled(t, confirmed(t, &made), append(booking, llmtest.Says("Hm."), llmtest.Says("It is table 7."))...)
	s.answer(s.group("ann", "Tess, book me a table.", true))
	s.answer(s.group("ben", "yes", true))
	if made != 0 {
		t.Fatal("another's yes was taken")
	}
	if s.answer(s.group("ann", "Tess, yes", true)); made != 1 {
		t.Errorf("%d calls after the yes", made)
	}
}

// TestS4AQuestionSurvivesARestart answers it to another process.
func TestS4AQuestionSurvivesARestart(t *testing.T) {
	made := 0
	clock := &memorytest.Clock{}
	store := memorytest.OpenAt(t, clock)
	play := func(answers ...llmtest.Answer) *stage {
		s, _ := tooledOn(t, store, clock, confirmed(t, &made), answers...)
		return s
	}
	s := play(booking...)
	s.say("ann", "Book me a table for two.")
	n := s.n
	s.quit()
	s = play(llmtest.Says("It is table 7."))
	s.n = n
	if said := s.say("ann", "yes"); made != 1 || said != "It is table 7." {
		t.Errorf("%d calls, said %q", made, said)
	}
}

// TestR1ACallThatBrokeOffIsReported takes the turn of a yes again while its call is under way.
func TestR1ACallThatBrokeOffIsReported(t *testing.T) {
	made := 0
	var s *stage
	var provider *llmtest.Server
	var yes channels.Message
	call := func(ctx context.Context, _ tool.Use) (tool.Result, error) {
		if made++; made == 1 {
			s.hear(s.does("ann", channels.Edit, yes.ID, "yes!"))
			<-ctx.Done()
		}
		return tool.Result{Text: "Booked."}, ctx.Err()
	}
	s, provider = tooled(t, asking(t, doing{changing{tallied{returning{"book", "", tool.Deny}, new(int)}}, call}), append(booking, llmtest.Says("I am not sure."))...)
	s.say("ann", "Book me a table for two.")
	yes = s.message("ann", "yes")
	s.hear(yes)
	s.rest()
	results := toolResults(last(provider))
	if got := strings.Join(s.calls(), "|"); made != 1 || !strings.HasPrefix(got, "book unknown") || len(results) != 1 || !strings.Contains(results[0], "it is not known whether it was done") {
		t.Errorf("%d calls, recorded %s, told %q", made, got, results)
	}
}

// TestR10AResultIsToldWithoutAModel loses the model after the yes: the program tells what the call brought.
func TestR10AResultIsToldWithoutAModel(t *testing.T) {
	made := 0
	s, _ := tooled(t, func(p *persona.Parts) {
		confirmed(t, &made)(p)
		p.Voice = modelvoice.Fallback(p.Voice, plain.New())
	}, append(booking, llmtest.Sends(500, `{"error":{"message":"down"}}`))...)
	s.say("ann", "Book me a table for two.")
	if said := s.say("ann", "yes"); made != 1 || !strings.Contains(said, "Table 7 is booked.") {
		t.Errorf("%d calls, said %q", made, said)
	}
}

// TestR10WhatIsNotKnownIsToldWithoutAModel loses the model too after a call that does not end.
func TestR10WhatIsNotKnownIsToldWithoutAModel(t *testing.T) {
	for answer, want := range map[string]string{"yes": "I do not know whether it was done.", "no": "book was not used."} {
		hangs := func(ctx context.Context, _ tool.Use) (tool.Result, error) {
			<-ctx.Done()
			return tool.Result{}, ctx.Err()
		}
		book := quick{doing{changing{tallied{returning{"book", "", tool.Deny}, new(int)}}, hangs}}
		s, _ := tooled(t, func(p *persona.Parts) {
			asking(t, book)(p)
			p.Voice = modelvoice.Fallback(p.Voice, plain.New())
		}, append(booking[:2:2], llmtest.Sends(500, `{"error":{"message":"down"}}`))...)
		s.say("ann", "Book me a table for two.")
		if said := s.say("ann", answer); !strings.Contains(said, want) || strings.Contains(said, "They said") {
			t.Errorf("%s: said %q, want %q", answer, said, want)
		}
	}
}

// quick is a tool that has hardly any time.
type quick struct{ tool.Tool }

func (q quick) Spec() tool.Spec {
	s := q.Tool.Spec()
	s.Timeout = time.Millisecond
	return s
}

// TestS4AYesAfterTheGateIsClosedDoesNothing closes the gate, or takes the tool away, between the question and the yes.
func TestS4AYesAfterTheGateIsClosedDoesNothing(t *testing.T) {
	for name, then := range map[string]func(*tool.Registry){
		"the gate is closed":   func(r *tool.Registry) { r.Rules = tool.Rules{Everywhere: []tool.Rule{{Tool: "*", Gate: tool.Deny}}} },
		"the program has gone": func(r *tool.Registry) { r.Serve("tables") },
	} {
		t.Run(name, func(t *testing.T) {
			made := 0
			registry, err := tool.NewRegistry(tool.Rules{}, tool.DefaultLimits)
			if err != nil {
				t.Fatal(err)
			}
			registry.Programs = true
			registry.Serve("tables", changing{tallied{returning{"book", "Booked.", tool.Confirm}, &made}})
			s, provider := tooled(t, func(p *persona.Parts) {
				registry.Log, registry.Clock = p.Store.ToolCalls, p.Now
				p.Tools = registry
			}, append(booking[:2:2], llmtest.Says("I could not."))...)
			s.say("ann", "Book me a table for two.")
			then(registry)
			s.say("ann", "yes")
			if got := strings.Join(s.calls(), "|"); made != 0 || !strings.HasPrefix(got, "book refused it is not at hand any more") {
				t.Errorf("%d calls, recorded %s", made, got)
			}
			if prompt := last(provider).Prompt(); !strings.Contains(prompt, "it is not at hand any more, and was not done") {
				t.Error("the model was not told")
			}
		})
	}
}
