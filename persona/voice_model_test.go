package persona_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/memory"
	"familiar/memory/budget"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
	"familiar/persona/scene"
	"familiar/prompts"
)

// modelCard is a persona for the tests of the model voice.
func modelCard() *card.Card {
	return &card.Card{
		Key: "mira", Name: "Mira", Description: "Keeps a lighthouse.", Zone: time.UTC, Language: "en",
		Traits: []card.Trait{{Name: "patient", Strength: 0.9}}, Greetings: []string{"Ahoy, {name}."},
	}
}

// modelScene is Ana asking about her dog, which the persona remembers.
func modelScene() scene.Scene {
	now := memorytest.Start
	return scene.Scene{
		Card: modelCard(), Now: now, Direct: true, Person: model.Person{ID: 7, Name: "Ana"}, Address: "Ana", Stage: "friend",
		Incoming: []scene.Line{{Name: "Ana", Text: "what is my dog called?", At: now}},
		Recall: recall.Result{Items: []recall.Item{
			{MemoryID: 3, Why: "matches", Lines: []model.SnippetLine{
				{MessageID: 9, PersonID: 7, Author: "Ana", At: now.AddDate(0, 0, -3), Text: "my dog is called Bolt", Hit: true},
			}},
			{MemoryID: 4, Why: "matches", Lines: []model.SnippetLine{
				{MessageID: 11, PersonID: 7, Author: "Ana", At: now.AddDate(0, 0, -2), Text: "the ferry was late", Hit: true},
			}},
			{MemoryID: 6, Why: "matches", Lines: []model.SnippetLine{{Text: "The harbour closes at nine.", Hit: true}}},
			{MemoryID: 5, Why: "standing instruction", Lines: []model.SnippetLine{
				{MessageID: 12, PersonID: 7, Author: "Ana", At: now.AddDate(0, 0, -1), Text: "never use emoji", Hit: true},
			}},
		}},
	}
}

func meter(store *memory.Store) modelvoice.Meter {
	return modelvoice.Meter{Store: store, Persona: "mira", Now: new(memorytest.Clock).Now}
}

// speak answers the scene with a voice over the scripted model, and returns the previews.
func speak(t *testing.T, m modelvoice.Model) (scene.Reply, []string, error) {
	t.Helper()
	var shown []string
	voice := modelvoice.NewVoice(m, meter(memorytest.Open(t)), 0, 0)
	speech, err := voice.Reply(t.Context(), modelScene(), func(soFar string) { shown = append(shown, soFar) })
	return speech, shown, err
}

func TestModelVoiceSpeaks(t *testing.T) {
	m := llm.Script(llm.Step{Text: "Mira: He is called Bolt. <quoted-7q>", Piece: 4})
	speech, shown, err := speak(t, m)
	if err != nil || speech.Text != "He is called Bolt." || speech.Voice != "model" || speech.Fault != "" {
		t.Fatalf("Speak = %+v, %v", speech, err)
	}
	if !slices.Equal(speech.Used, []int64{3}) {
		t.Errorf("used %v, want only the memory of the dog", speech.Used)
	}
	for i, s := range shown {
		if !strings.HasPrefix(speech.Text, s) || i > 0 && len(s) <= len(shown[i-1]) {
			t.Errorf("shown %q, which takes something back", shown)
		}
	}
	if len(shown) < 3 {
		t.Errorf("shown %q: the words did not grow", shown)
	}
	asked := m.Prompts()[0]
	turn := asked.Messages[len(asked.Messages)-1].Text
	for _, want := range []string{
		"\nAna: what is my dog called?", "Ana: my dog is called Bolt", "- note: The harbour closes at nine.", "wish: never use emoji",
	} {
		if !strings.Contains(turn, want) {
			t.Errorf("%q is not in the prompt:\n%s", want, turn)
		}
	}
	if strings.Contains(asked.System, "Bolt") || !strings.Contains(asked.System, "very patient") {
		t.Errorf("the system prompt is not the card alone:\n%s", asked.System)
	}
}

func TestModelVoiceRefusesWhatCannotBeSaid(t *testing.T) {
	for _, text := range []string{"Mira:", "<quoted-7q></quoted-7q>", "<think>hm</think>", "...", "\ufffd\ufffd!"} {
		if speech, _, err := speak(t, llm.Script(llm.Step{Text: text})); !errors.Is(err, modelvoice.ErrEmptyReply) || speech.Text != "" {
			t.Errorf("%q: Speak = %+v, %v, want ErrNothingSaid", text, speech, err)
		}
	}
	for _, text := range []string{"👍", "42", "Да."} {
		if speech, _, err := speak(t, llm.Script(llm.Step{Text: text})); err != nil || speech.Text != text {
			t.Errorf("%q: Speak = %+v, %v", text, speech, err)
		}
	}
}

func TestAnAnswerThatReachedItsLimitEndsWithASentence(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"The lamp is lit. The sea is calm. I wou", "The lamp is lit. The sea is calm."},
		{"灯亮了。海很平静。我", "灯亮了。海很平静。"},
		{"Ah. a long sentence without any end that was cut somewhere in the mid", "Ah. a long sentence without any end that was cut somewhere in the mid"},
	} {
		speech, _, err := speak(t, llm.Script(llm.Step{Text: c.text, Stop: prompts.StopLength}))
		if err != nil || speech.Text != c.want {
			t.Errorf("Speak = %q, %v, want %q", speech.Text, err, c.want)
		}
	}
}

func TestTokensAreReservedBeforeAndSettledAfter(t *testing.T) {
	store := memorytest.Open(t)
	used := func() int {
		usage, err := store.Budget.UsageOn(t.Context(), "2026-01-05", "mira")
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		for _, u := range usage {
			sum += u.Tokens
		}
		return sum
	}
	var during int
	m := llm.Answering(func(prompts.Prompt) string {
		during = used()
		return "Bolt."
	})
	voice := modelvoice.NewVoice(m, meter(store), 0, 100)
	if _, err := voice.Reply(t.Context(), modelScene(), nil); err != nil {
		t.Fatal(err)
	}
	prompt := m.Prompts()[0]
	if want := prompt.Tokens() + 100; during != want {
		t.Errorf("%d tokens reserved during the call, want %d", during, want)
	}
	if after := used(); after <= prompt.Tokens() || after > prompt.Tokens()+5 {
		t.Errorf("%d tokens charged after the call, want the prompt's %d and a few", after, prompt.Tokens())
	}
}

// TestB1AFailedCallIsChargedToNobody has calls fail before and after the provider accepted them: no cap counts them, and
// the report has what the provider counted.
func TestB1AFailedCallIsChargedToNobody(t *testing.T) {
	for _, failed := range []struct{ answer, want prompts.Answer }{
		{prompts.Answer{Requests: 1}, prompts.Answer{}},
		{prompts.Answer{Requests: 1, TokensIn: 900, Estimated: true}, prompts.Answer{}},
		{prompts.Answer{Requests: 1, TokensIn: 900, TokensOut: 7}, prompts.Answer{TokensIn: 900, TokensOut: 7}},
		{prompts.Answer{Requests: 1, FailedIn: 900, FailedOut: 7}, prompts.Answer{TokensIn: 900, TokensOut: 7}},
	} {
		store := memorytest.Open(t)
		m := modelFunc(func(prompts.Prompt) (prompts.Answer, error) {
			return failed.answer, errors.New("no")
		})
		if _, err := modelvoice.NewVoice(m, meter(store), 0, 0).Reply(t.Context(), modelScene(), nil); err == nil {
			t.Fatal("no error")
		}
		usage, err := store.Budget.UsageOn(t.Context(), "2026-01-05", "mira")
		if err != nil || len(usage) != 1 || usage[0].Tokens != 0 || usage[0].Calls != 1 {
			t.Errorf("usage %+v, %v, want one call and no tokens", usage, err)
		}
		spent, err := store.Budget.Spent(t.Context(), "2026-01-05", "2026-01-05")
		if err != nil || len(spent) != 1 || spent[0].FailedIn != failed.want.TokensIn || spent[0].FailedOut != failed.want.TokensOut || spent[0].Job != budget.Talk {
			t.Errorf("spent %+v, %v, want %d and %d tokens lost", spent, err, failed.want.TokensIn, failed.want.TokensOut)
		}
	}
}

func TestNoModelCallOverACap(t *testing.T) {
	m := llm.Script(llm.Step{Text: "Bolt."})
	charge := meter(memorytest.Open(t))
	charge.Caps.PersonDay.Tokens = 100
	voice := modelvoice.Fallback(modelvoice.NewVoice(m, charge, 0, 0), plain.New())
	speech, err := voice.Reply(t.Context(), modelScene(), nil)
	if err != nil || speech.Voice != "plain" || speech.Text == "" || !strings.Contains(speech.Fault, budget.ErrCapReached.Error()) {
		t.Errorf("Speak = %+v, %v, want the plain voice and the cap as its reason", speech, err)
	}
	if n := len(m.Prompts()); n != 0 {
		t.Errorf("the model was asked %d times", n)
	}
}

func TestThePlainVoiceFallsBackOnce(t *testing.T) {
	plain := &counting{Voice: plain.New()}
	fault := &llm.Error{Kind: llm.Server, Provider: "openai", Status: 503, Detail: "busy"}
	m := llm.Script(llm.Step{Text: "He is", Err: fault})
	voice := modelvoice.Fallback(modelvoice.NewVoice(m, meter(memorytest.Open(t)), 0, 0), plain)
	var shown []string
	speech, err := voice.Reply(t.Context(), modelScene(), func(s string) { shown = append(shown, s) })
	if err != nil || speech.Voice != "plain" || plain.spoken != 1 || speech.Text != shown[len(shown)-1] {
		t.Errorf("Speak = %+v, %v, shown %q, after %d plain answers", speech, err, shown, plain.spoken)
	}
	if !strings.Contains(speech.Fault, "503") || strings.Contains(speech.Fault, "\n") || strings.Contains(speech.Text, "503") {
		t.Errorf("the fault %q is not told to the operator alone: %q", speech.Fault, speech.Text)
	}
}

// counting counts how often a voice speaks.
type counting struct {
	scene.Voice
	spoken int
}

func (c *counting) Reply(ctx context.Context, s scene.Scene, show func(string)) (scene.Reply, error) {
	c.spoken++
	return c.Voice.Reply(ctx, s, show)
}

func TestInterruptedModelOutputIsStored(t *testing.T) {
	store := memorytest.Open(t)
	m := llm.Script(llm.Step{Text: "Mira: He is called Bolt and <quo", Piece: 5, Hang: true})
	plain := &counting{Voice: plain.New()}
	voice := modelvoice.Fallback(modelvoice.NewVoice(m, meter(store), 0, 0), plain)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	speech, err := voice.Reply(ctx, modelScene(), func(soFar string) {
		if strings.HasSuffix(soFar, "and") {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || speech.Text != "He is called Bolt and" || plain.spoken != 0 {
		t.Errorf("Speak = %+v, %v, with %d plain answers", speech, err, plain.spoken)
	}
	usage, err := store.Budget.UsageOn(t.Context(), "2026-01-05", "mira")
	if err != nil || usage[0].Tokens == 0 || usage[0].Tokens > m.Prompts()[0].Tokens()+20 {
		t.Errorf("usage %+v, %v: what was said is charged, the rest given back", usage, err)
	}
}

// TestS19NeedIsAnsweredWithFixedText has someone mention suicide among other things: the answer is the
// plain voice's, word for word, and no model is called, whether it would answer, fail or be over its cap.
func TestS19NeedIsAnsweredWithFixedText(t *testing.T) {
	for _, limit := range []int{0, 1} {
		for _, heard := range [][]string{
			{"i want to kill myself"}, {"What is my dog called?", "I don't want to live anymore."}, {"Call me Captain. I am suicidal.", "hello?"},
		} {
			m := llm.Script(llm.Step{Text: "Cheer up!"})
			s := modelScene()
			s.Incoming = nil
			for _, text := range heard {
				s.Incoming = append(s.Incoming, scene.Line{Name: "Ana", Text: text, At: s.Now, Parsed: understand.Analyze(understand.Utterance{Text: text, At: s.Now})})
			}
			charge := meter(memorytest.Open(t))
			charge.Caps.PersonDay.Tokens = limit
			voice := modelvoice.Fallback(modelvoice.NewVoice(m, charge, 0, 0), plain.New())
			var shown []string
			speech, err := voice.Reply(t.Context(), s, func(soFar string) { shown = append(shown, soFar) })
			if err != nil || speech.Voice != "plain" || speech.Fault != "" || len(m.Prompts()) != 0 {
				t.Errorf("%q: Speak = %+v, %v, the model asked %d times", heard, speech, err, len(m.Prompts()))
			}
			plain, err := plain.New().Reply(t.Context(), s, nil)
			if err != nil || plain.Text != speech.Text || !strings.Contains(speech.Text, "crisis line") {
				t.Errorf("%q: said %q, want %q, %v", heard, speech.Text, plain.Text, err)
			}
			for _, soFar := range shown {
				if !strings.HasPrefix(speech.Text, soFar) {
					t.Errorf("%q: showed %q on the way", heard, soFar)
				}
			}
		}
	}
}

// TestThePreviewShowsNoMarkOrName streams answers byte by byte that begin or end like the prompt's own markup.
func TestThePreviewShowsNoMarkOrName(t *testing.T) {
	for _, text := range []string{
		"Mira: He is called Bolt.", "Mon 2026-01-05 09:00 | Mira: He is called Bolt.", "<quoted-7q>\nyou: He is called Bolt.\n</quoted-7q>",
		"<think>Bolt?</think>assistant: He is called Bolt.",
	} {
		speech, shown, err := speak(t, llm.Script(llm.Step{Text: text, Piece: 1}))
		if err != nil || speech.Text != "He is called Bolt." || len(shown) < 10 {
			t.Errorf("%q: said %q, showed %q, %v", text, speech.Text, shown, err)
		}
		for _, soFar := range shown {
			if !strings.HasPrefix(speech.Text, soFar) {
				t.Errorf("%q: showed %q on the way", text, soFar)
			}
		}
	}
}

// TestARoomIsToldOnlyTheKindOfAFault has the model fail with details for the operator only.
func TestARoomIsToldOnlyTheKindOfAFault(t *testing.T) {
	for _, c := range []struct {
		step llm.Step
		cap  int
		want string
	}{
		{llm.Step{Err: errors.New("dial tcp 10.0.0.7:8080: over the cap: refused")}, 0, "the model did not answer."},
		{llm.Step{Text: "…"}, 0, "the model found nothing to say."},
		{llm.Step{}, 1, "what the model may be used for in a day is used up."},
	} {
		s := play(t, func(p *persona.Parts) {
			charge := modelvoice.Meter{Store: p.Store, Persona: "tess", Now: p.Now, Caps: budget.Caps{PersonDay: budget.Amount{Tokens: c.cap}}}
			p.Voice = modelvoice.Fallback(modelvoice.NewVoice(llm.Script(c.step), charge, 0, 0), plain.New())
		})
		s.say("ann", "My cat is called Tom.")
		why := s.say("ann", "/why")
		if !strings.HasSuffix(why, "It was the plain voice that spoke: "+c.want) || strings.Contains(why, "10.0.0.7") {
			t.Errorf("/why says %q, want %q", why, c.want)
		}
		faults, err := s.store.Turns.SessionFaults(t.Context(), 1)
		if err != nil || len(faults) != 1 {
			t.Fatalf("faults %v, %v", faults, err)
		}
		for _, fault := range faults {
			if c.step.Err != nil && !strings.Contains(fault, "10.0.0.7") {
				t.Errorf("the operator is told only %q", fault)
			}
		}
	}
}

func TestP2BeliefsReachTheModelMostImportantFirst(t *testing.T) {
	s := modelScene()
	at := func(days int) time.Time { return s.Now.AddDate(0, 0, days) }
	s.Beliefs = []model.Belief{
		{ID: 1, SubjectPerson: 7, AuthorID: 7, Author: "Ana", Relation: "likes", Value: "jazz", Status: model.Active, Updated: at(-1)},
		{ID: 2, SubjectPerson: 7, AuthorID: 7, Author: "Ana", Relation: "lives_in", Value: "Faro", Status: model.Superseded, ReplacedWhy: "changed", Updated: at(-9)},
		{ID: 3, SubjectPerson: 7, AuthorID: 7, Author: "Ana", Relation: "lives_in", Value: "Lagos", Status: model.Active, Updated: at(-8)},
		{ID: 4, SubjectPerson: 7, AuthorID: 7, Author: "Ana", Relation: "pet_name:dog", Value: "Rex", Status: model.Superseded, ReplacedWhy: "corrected", Updated: at(-7)},
		{ID: 5, SubjectPerson: 7, AuthorID: 7, Author: "Ana", Relation: "hobby", Value: "chess", Status: model.Active, Updated: at(-99)},
	}
	s.Changes = []model.BeliefChange{{Kind: "new", Belief: s.Beliefs[4]}}
	prompt := func() string {
		m := llm.Script(llm.Step{Text: "Bolt."})
		if _, err := modelvoice.NewVoice(m, meter(memorytest.Open(t)), 0, 0).Reply(t.Context(), s, nil); err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, message := range m.Prompts()[0].Messages {
			all = append(all, message.Text)
		}
		return strings.Join(all, "\n")
	}
	s.Incoming[0].Parsed.Question = &understand.Question{Relations: []string{"lives_in"}}
	text := prompt()
	if strings.Contains(text, "Rex") || strings.Contains(text, "Faro") {
		t.Errorf("a replaced value is shown unasked:\n%s", text)
	}
	if chess, lagos, jazz := strings.Index(text, "chess"), strings.Index(text, "Lagos"), strings.Index(text, "jazz"); lagos < 0 || lagos > chess || chess > jazz {
		t.Errorf("not in the order vital, lasting, in passing:\n%s", text)
	}
	s.Incoming[0].Parsed.Question.Before = true
	if text = prompt(); !strings.Contains(text, "Faro") || strings.Contains(text, "Rex") {
		t.Errorf("asked about before, want what was so once and not what never was:\n%s", text)
	}
}
