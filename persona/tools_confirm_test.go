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
	box, err := tool.NewBox(tool.Rules{Everywhere: []tool.Rule{{Tool: "*", Gate: tool.Confirm}, {Tool: "recall", Gate: tool.Allow}}}, tool.DefaultLimits, tools...)
	if err != nil {
		t.Fatal(err)
	}
	return func(p *persona.Parts) {
		box.Log, box.Clock = p.Store.ToolCalls, p.Now
		p.Tools = box
	}
}

var booking = []llmtest.Answer{llmtest.Calls("", "book", `{"query":"a table for *two*"}`), llmtest.Says("I can book that.")}

func TestS4AYesMakesTheCallOnce(t *testing.T) {
	made := 0
	s, provider := tooled(t, confirmed(t, &made), append(booking, llmtest.Says("It is table 7."), llmtest.Says("You are welcome."))...)
	asked := s.say("ann", "Book me a table for two.")
	if made != 0 || !strings.HasPrefix(asked, "I can book that.\n\nMay I use book for that?\nquery: a table for \\*two\\*\nSay yes or no") {
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
