package persona_test

// B4: while it answers, a model may recall what the room may hear, note what it was told, and open a reminder. What it
// files is stored with the turn, below what people state; the calls are bounded, repaired once, and never said.

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/memory"
	"familiar/memory/budget"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// tooled plays with a model at a loopback provider that gives these answers. The session model is another that says nothing.
func tooled(t *testing.T, tweak func(*persona.Parts), answers ...llmtest.Answer) (*stage, *llmtest.Server) {
	t.Helper()
	clock := &memorytest.Clock{}
	return tooledOn(t, memorytest.OpenAt(t, clock), clock, tweak, answers...)
}

func tooledOn(t *testing.T, store *memory.Store, clock *memorytest.Clock, tweak func(*persona.Parts), answers ...llmtest.Answer) (*stage, *llmtest.Server) {
	t.Helper()
	provider := llmtest.Serve(t, answers...)
	client, err := llm.New(llm.Settings{
		Provider: "openai", Model: "m", BaseURL: provider.URL + "/v1", Timeout: 10 * time.Second, MaxTokens: 300,
		Now: time.Now, Rand: func() float64 { return 0.5 }, Sleep: func(context.Context, time.Duration) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	s := playOn(t, store, clock, func(p *persona.Parts) {
		p.Model = llm.Answering(func(prompts.Prompt) string { return `{"claims": []}` })
		p.Voice = modelvoice.NewVoice(modelvoice.Chain{{Model: client}}, modelvoice.Meter{Store: p.Store, Persona: "tess", Now: p.Now}, 0, 0)
		if tweak != nil {
			tweak(p)
		}
	})
	return s, provider
}

// toolResults returns the results of calls that a request carries.
func toolResults(r *llmtest.Request) (results []string) {
	for _, m := range r.Messages {
		if m.Role == "tool" {
			results = append(results, fmt.Sprint(m.Content))
		}
	}
	return results
}

// last returns the last request that a provider got.
func last(p *llmtest.Server) *llmtest.Request {
	all := p.Requests()
	return all[len(all)-1]
}

// chatter is talk about other things, so that what was told before is not in the prompt by itself.
func (s *stage) chatter(who string) {
	for i := range 40 {
		s.say(who, fmt.Sprintf("On day %d the weather was %s and the tram came late again.", i+1, []string{"mild", "wet", "grey"}[i%3]))
	}
	s.clock.Advance(30 * 24 * time.Hour)
}

func TestB4RecallLooksUpWhatTheRoomMayHear(t *testing.T) {
	var answers []llmtest.Answer
	for range 42 {
		answers = append(answers, llmtest.Says("All right."))
	}
	s, provider := tooled(t, nil, append(answers,
		llmtest.Calls("Let me think.", "recall", `{"query":"the boat"}`),
		llmtest.Says("It is the Esperanza."))...)
	s.say("ann", "My boat is called Esperanza.")
	s.say("ben", "Between us, my boat is called Nemesis.")
	s.chatter("ann")
	if said := s.say("ann", "what was that thing called that floats in the harbour?"); said != "It is the Esperanza." {
		t.Errorf("said %q", said)
	}
	request := last(provider)
	results := toolResults(request)
	if len(results) != 1 || !strings.Contains(results[0], "ann: My boat is called Esperanza.") || !strings.Contains(results[0], "2026-01-05") || strings.Count(results[0], "quoted-7q") != 2 {
		t.Errorf("the model was told %q", results)
	}
	if strings.Contains(request.Prompt(), "Nemesis") {
		t.Error("it was told another's secret")
	}
	why := s.say("ann", "/why")
	if !strings.Contains(why, "Esperanza") {
		t.Errorf("/why does not name what was looked up: %s", why)
	}
}

// TestB4RecallInAGroupIsTheGroups looks up in a group what was told in a direct room.
func TestB4RecallInAGroupIsTheGroups(t *testing.T) {
	s, provider := tooled(t, nil, llmtest.Says("All right."), llmtest.Says("All right."), llmtest.Calls("", "recall", `{"query":"boat"}`), llmtest.Says("I do not know."))
	s.say("ann", "Between us, my boat is called Nemesis.")
	s.answer(s.group("ann", "Tess, the harbour has a new boat called Heron.", true))
	s.clock.Advance(30 * 24 * time.Hour)
	s.answer(s.group("ann", "Tess, which boat is it?", true))
	results := toolResults(last(provider))
	if len(results) != 1 || strings.Contains(last(provider).Prompt(), "Nemesis") || !strings.Contains(last(provider).Prompt(), "Heron") {
		t.Errorf("the model was told %q", results)
	}
}

// TestB4WhatWasLookedUpIsForgotten forgets a line that an answer was made from: the answer goes with it.
func TestB4WhatWasLookedUpIsForgotten(t *testing.T) {
	s, _ := tooled(t, nil, llmtest.Says("All right."), llmtest.Calls("", "recall", `{"query":"boat"}`), llmtest.Says("The Esperanza, of course."))
	m, _ := s.told("ann", "My boat is called Esperanza.")
	s.clock.Advance(30 * 24 * time.Hour)
	s.say("ann", "tell me about the harbour")
	s.has(s.recorded(), "The Esperanza, of course.")
	s.hear(s.does("ann", channels.Delete, m.ID, ""))
	s.rest()
	s.hasNot(s.recorded(), "Esperanza")
}

func TestB4NotesStandBelowWhatIsStated(t *testing.T) {
	s, provider := tooled(t, nil,
		llmtest.Calls("", "note", `{"text":"Ann keeps the spare key under the third flowerpot"}`), llmtest.Says("I will keep that in mind."))
	if said := s.say("ann", "so the spare key, i keep it under the third flowerpot, just so you know"); said != "I will keep that in mind." {
		t.Errorf("said %q", said)
	}
	if results := toolResults(last(provider)); len(results) != 1 || results[0] != "Noted." {
		t.Errorf("told %q", results)
	}
	var noted []model.Belief
	for _, b := range s.believed() {
		if b.Relation == "remember" {
			noted = append(noted, b)
		}
	}
	if len(noted) != 1 || !noted[0].ByModel || len(noted[0].Evidence) != 1 || noted[0].Evidence[0].MessageID == 0 || noted[0].AuthorID == 0 {
		t.Fatalf("noted %+v", noted)
	}
	if noted[0].Audience.Kind != model.Private {
		t.Errorf("heard by %v", noted[0].Audience)
	}
}

func TestB4NothingIsNotedThatNobodySaid(t *testing.T) {
	s, provider := tooled(t, nil,
		llmtest.Calls("", "note", `{"text":"Ann's brother Kurt is in prison"}`, "note", `{"text":"Ann is allergic to penicillin and must never get it"}`),
		llmtest.Says("Good morning."))
	s.say("ann", "good morning, a fine day for a walk in the park")
	for _, result := range toolResults(last(provider)) {
		if !strings.HasPrefix(result, "That did not work: they did not say ") {
			t.Errorf("told %q", result)
		}
	}
	for _, b := range s.believed() {
		if b.Relation == "remember" {
			t.Errorf("noted %+v", b)
		}
	}
}

func TestB4RemindersAreOpenItemsWithADate(t *testing.T) {
	s, provider := tooled(t, nil,
		llmtest.Calls("", "remind", `{"text":"water the orchids","when":"2026-01-09T18:00"}`), llmtest.Says("I will."))
	m, _ := s.told("ann", "please remind me that i have to water the orchids friday evening")
	if results := toolResults(last(provider)); len(results) != 1 || results[0] != "You will bring it up on Friday, 9 January 2026, 18:00." {
		t.Errorf("told %q", results)
	}
	open := s.open(m.Room)
	due := time.Date(2026, 1, 9, 18, 0, 0, 0, time.UTC)
	found := 0
	for _, l := range open {
		if strings.Contains(l.Text, "orchids") && l.DueFrom.Equal(due) {
			found++
		}
	}
	if found != 1 || len(open) != 1 {
		t.Errorf("open %+v", open)
	}
	if list := s.say("ann", "/remind"); !strings.Contains(list, "Friday, 9 January 2026, 18:00  water the orchids") {
		t.Errorf("/remind lists %q", list)
	}
	s.say("ann", "/forget orchids")
	s.say("ann", "/forget yes")
	if list := s.say("ann", "/remind"); strings.Contains(list, "orchids") {
		t.Errorf("after the message was forgotten /remind lists %q", list)
	}
}

func TestB4DatesOfReminders(t *testing.T) {
	for when, want := range map[string]string{
		"tomorrow at 9am": "You will bring it up on Tuesday, 6 January 2026, 09:00.", "2026-02-01": "You will bring it up on Sunday, 1 February 2026.",
		"2025-01-01": "That did not work: that time is over.", "whenever": "That did not work: the time is none that could be read: write it as 2026-05-01 or 2026-05-01T09:00.",
		"2050-01-01": "That did not work: that is more than 5 years ahead.",
	} {
		s, provider := tooled(t, nil, llmtest.Calls("", "remind", fmt.Sprintf(`{"text":"water the orchids","when":%q}`, when)), llmtest.Says("All right."))
		s.say("ann", "remind me to water the orchids")
		if results := toolResults(last(provider)); len(results) != 1 || results[0] != want {
			t.Errorf("%s: told %q, want %q", when, results, want)
		}
	}
}

// TestB4ARepeatedTurnNotesOnce has the store fail when a turn is recorded: the turn is taken again, and its note stands once.
func TestB4ARepeatedTurnNotesOnce(t *testing.T) {
	t.Parallel()
	note := llmtest.Calls("", "note", `{"text":"Ann keeps the spare key under the flowerpot"}`)
	s, provider := tooled(t, nil, note, llmtest.Says("Noted."), note, llmtest.Says("Noted."))
	free := s.stuck("BEFORE INSERT ON outbox")
	s.hear(s.message("ann", "my spare key, i keep it under the flowerpot"))
	for range 6000 {
		if len(provider.Requests()) >= 2 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if n := len(s.noted()); n != 0 {
		t.Errorf("%d notes of a turn that was not recorded", n)
	}
	free()
	s.clock.Advance(time.Minute)
	s.rest()
	if n := len(s.noted()); n != 1 {
		t.Errorf("%d notes", n)
	}
}

// recorded returns all messages and memories, one a line.
func (s *stage) recorded() string {
	s.t.Helper()
	db := memorytest.SQL(s.t, s.store.Path())
	defer db.Close()
	var all string
	if err := db.QueryRow(`SELECT coalesce(group_concat(text, ?), '') FROM (SELECT text FROM messages UNION ALL SELECT text FROM memories) everything`, "\n").Scan(&all); err != nil {
		s.t.Fatal(err)
	}
	return all
}

// noted returns what was noted.
func (s *stage) noted() (all []model.Belief) {
	for _, b := range s.believed() {
		if b.Relation == "remember" {
			all = append(all, b)
		}
	}
	return all
}

func TestB4CallsAreBounded(t *testing.T) {
	for _, tt := range []struct {
		name     string
		call     llmtest.Answer
		requests int
	}{
		{"new ones each time", func() llmtest.Answer {
			n := 0
			return func(w http.ResponseWriter, r *llmtest.Request) {
				n++
				llmtest.Calls("", "recall", fmt.Sprintf(`{"query":"thing %d"}`, n))(w, r)
			}
		}(), 4},
		{"wrong ones", llmtest.Calls("", "recall", `{"query": {"a": 7}}`), 3},
		{"unknown ones", llmtest.Calls("", "search_web", `{"query":"x"}`), 3},
		{"no JSON", llmtest.Calls("", "recall", `query {`), 3},
		{"many at once", llmtest.Calls("", strings.Split(strings.Repeat("recall|{\"query\":\"x\"}|", 20), "|")[:40]...), 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			answer := func(w http.ResponseWriter, r *llmtest.Request) {
				if r.Fields["tool_choice"] == "none" {
					llmtest.Says("So be it.")(w, r)
					return
				}
				tt.call(w, r)
			}
			s, provider := tooled(t, nil, answer)
			if said := s.say("ann", "what do you know of me?"); said != "So be it." || len(provider.Requests()) != tt.requests {
				t.Errorf("said %q after %d requests, want %d; told %q", said, len(provider.Requests()), tt.requests, toolResults(last(provider)))
			}
		})
	}
}

// TestB4AMistakeIsRepaired tells the model what was wrong with a call.
func TestB4AMistakeIsRepaired(t *testing.T) {
	s, provider := tooled(t, nil, llmtest.Says("Fine."), llmtest.Calls("", "recall", `{"question":"boat"}`), llmtest.Calls("", "recall", `{"query":"boat"}`), llmtest.Says("Esperanza."))
	s.say("ann", "My boat is called Esperanza.")
	if said := s.say("ann", "which boat?"); said != "Esperanza." {
		t.Errorf("said %q", said)
	}
	results := toolResults(last(provider))
	if len(results) != 2 || results[0] != `That did not work: recall needs "query" as a text.` || strings.Contains(results[1], "did not work") {
		t.Errorf("told %q", results)
	}
}

// TestB4CallsInWordsAreMade has a model write its call as text: it is made and never shown or said.
func TestB4CallsInWordsAreMade(t *testing.T) {
	s, provider := tooled(t, nil,
		llmtest.Says("Hm. <tool_call>{\"name\": \"recall\", \"arguments\": {\"query\": \"boat\"}}</tool_call>"), llmtest.Says("I do not know any boat."))
	if said := s.say("ann", "which boat?"); said != "I do not know any boat." || len(toolResults(last(provider))) != 1 {
		t.Errorf("said %q, told %q", said, toolResults(last(provider)))
	}
	s, _ = tooled(t, nil, llmtest.Says("Hello. <tool_call>{\"name\": \"recall\" oops</tool_call>"))
	if said := s.say("ann", "hi"); said != "Hello." {
		t.Errorf("said %q", said)
	}
}

// TestB4WordsBesideACall checks what becomes of what the model wrote beside a call: it is shown, and replaced by the answer;
// if no answer follows, it stands where it was no promise to look.
func TestB4WordsBesideACall(t *testing.T) {
	var w *window
	shows := func(p *persona.Parts) {
		w = &window{desk: p.Channels[0].(*desk)}
		p.Channels = []channels.Channel{w}
	}
	s, _ := tooled(t, shows, llmtest.Calls("One moment please.", "recall", `{"query":"boat"}`), llmtest.Says("No boat."))
	if said := s.say("ann", "which boat?"); said != "No boat." || w.orphans() != 0 {
		t.Errorf("said %q, %d previews stay", said, w.orphans())
	}
	s, _ = tooled(t, nil, llmtest.Calls("Kept, under the flowerpot it is.", "note", `{"text":"Ann keeps the key under the flowerpot"}`), llmtest.Says(""))
	if said := s.say("ann", "i keep the key under the flowerpot"); said != "Kept, under the flowerpot it is." || len(s.noted()) != 1 {
		t.Errorf("said %q, noted %v", said, s.noted())
	}
}

// TestB4AStopEndsARound stops the persona while its model answers after a call: what it would have noted is not.
func TestB4AStopEndsARound(t *testing.T) {
	s, provider := tooled(t, nil, llmtest.Calls("", "note", `{"text":"Ann keeps the key under the flowerpot"}`), llmtest.Hangs(), llmtest.Says("Hm."))
	s.hear(s.message("ann", "i keep the key under the flowerpot"))
	for len(provider.Requests()) < 2 {
		time.Sleep(5 * time.Millisecond)
	}
	s.hear(s.message("ann", "stop"))
	s.rest()
	if n := len(s.noted()); n != 0 {
		t.Errorf("%d notes", n)
	}
}

// TestB4EveryRoundIsCharged has a model call once: both requests are in the ledger.
func TestB4EveryRoundIsCharged(t *testing.T) {
	s, provider := tooled(t, nil, llmtest.Calls("", "recall", `{"query":"boat"}`), llmtest.Says("No."))
	s.say("ann", "which boat?")
	uses, err := s.store.Budget.Standing(t.Context(), budget.Caps{PersonDay: budget.Amount{Tokens: 100_000}}, "2026-01-05", 1, 0)
	if err != nil || len(uses) != 1 {
		t.Fatal(uses, err)
	}
	if spent := uses[0].Cap - uses[0].Left(); len(provider.Requests()) != 2 || spent != 2*(llmtest.TokensIn+llmtest.TokensOut) {
		t.Errorf("%d requests cost %d", len(provider.Requests()), spent)
	}
}

// TestB4PromptsWithoutToolsStay checks that tools change nothing else in a prompt.
func TestB4PromptsWithoutToolsStay(t *testing.T) {
	refuses := llmtest.Rejects("tools", llmtest.Says400(`{"error":{"message":"this model does not support tools"}}`), llmtest.Says("Hello."))
	s, provider := tooled(t, nil, refuses)
	s.say("ann", "hello there")
	asked := provider.Requests()
	if len(asked) != 2 || asked[0].Prompt() != asked[1].Prompt() || !asked[0].Has("tools") || asked[1].Has("tools") {
		t.Fatalf("%d requests", len(asked))
	}
	s.say("ann", "again")
	if last(provider).Has("tools") || len(provider.Requests()) != 3 {
		t.Error("tools were offered again")
	}
}

// TestB4ToolsNeedRoom gives the voice prompts of several sizes: in a small one there are no tools, and with them a prompt is
// no larger.
func TestB4ToolsNeedRoom(t *testing.T) {
	for size, offered := range map[int]bool{2000: false, 3500: false, 4500: true, 7392: true} {
		provider := llmtest.Serve(t, llmtest.Says("Hello."))
		voice := modelvoice.NewVoice(providerClient(t, provider, new(memorytest.Clock)), meter(memorytest.Open(t)), size, 0)
		prompt := voice.Prompt(longScene())
		if got := len(prompt.Tools) > 0; got != offered || prompt.Tokens() > size {
			t.Errorf("a prompt of %d tokens has tools: %v, and takes %d", size, got, prompt.Tokens())
		}
	}
}
