package modelvoice_test

// The requirements that these tests name:
//
//	O1: JSON is asked for once more when it cannot be read; work is asked for at temperature 0, with a schema.
//	O2: reasoning is neither said nor shown, in whatever form a provider sends it.
//	O3: only the persona's own words are said; the names of the others are stop texts.
//	O4: refusals, recitals, withheld, empty and broken answers: one more try in character, then whole sentences that stand,
//	    then the plain voice; what was shown is never replaced by something unrelated.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/persona/card"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
	"familiar/persona/scene"
	"familiar/prompts"
	"familiar/prompts/answer"
)

// given is one answer of the provider.
type given struct {
	text string
	// finish is the stop reason, "stop" if empty. cut ends the response in the middle.
	finish string
	cut    bool
}

// answers sends the answer in pieces of two characters, or at once.
func (g given) answers(w http.ResponseWriter, r *llmtest.Request) {
	if g.finish == "" {
		g.finish = "stop"
	}
	if !r.Stream {
		body := strings.Replace(llmtest.Whole(g.text), `"finish_reason":"stop"`, fmt.Sprintf("%q:%q", "finish_reason", g.finish), 1)
		if g.cut {
			body = body[:len(body)/2]
		}
		llmtest.Sends(http.StatusOK, body)(w, r)
		return
	}
	var events []string
	for piece := range slices.Chunk([]rune(g.text), 2) {
		events = append(events, llmtest.Delta(string(piece), ""))
	}
	if !g.cut {
		events = append(events, llmtest.Delta("", g.finish), llmtest.Usage, llmtest.Done)
	}
	llmtest.Streams(events...)(w, r)
}

// client returns a client of a loopback provider with these answers; the last one repeats.
func client(t *testing.T, all ...given) (*llm.Client, *llmtest.Server) {
	t.Helper()
	var answers []llmtest.Answer
	for _, g := range all {
		answers = append(answers, g.answers)
	}
	server := llmtest.Serve(t, answers...)
	c, err := llm.New(llm.Settings{
		Provider: "openai", Model: "test-model", BaseURL: server.URL + "/v1", APIKey: "key", Timeout: 10 * time.Second, MaxTokens: 300, Temperature: 0.7,
		Now: time.Now, Rand: func() float64 { return 0.5 }, Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	if err != nil {
		t.Fatal(err)
	}
	return c, server
}

// asked is Ana asking for the name of her dog.
func asked() scene.Scene {
	now := memorytest.Start
	return scene.Scene{
		Card: &card.Card{
			Key: "mira", Name: "Mira Vale", Description: "Keeps a lighthouse.", Zone: time.UTC, Language: "en", Greetings: []string{"Ahoy, {name}."},
		},
		Now: now, Direct: true, Person: model.Person{ID: 7, Name: "Ana Duarte"}, Address: "Ana", Stage: "friend",
		Incoming: []scene.Line{{Name: "Ana Duarte", Text: "what is my dog called?", At: now}},
		Recent:   []scene.Line{{Name: "Rui", Text: "evening all", At: now}},
	}
}

// said is an answer that may be said.
const said = "He is called Bolt."

// cases are what a model returns, and what is said of it.
var cases = []struct {
	id, name string
	given    []given
	// want is what the model voice says, "" if the plain voice answers. requests is how often the model is asked.
	want     string
	requests int
	// kept is said instead where a stream was shown in part. It is not asked again then.
	kept string
}{
	{"O2", "marks", []given{{text: "<think>She asks for her dog.</think>" + said}}, said, 1, ""},
	{"O2", "marks in capitals with attributes", []given{{text: "<THINKING depth=\"2\">She asks.</THINKING>\n\n" + said}}, said, 1, ""},
	{"O2", "nested marks", []given{{text: "<reasoning>a <think>b</think> c</reasoning>" + said}}, said, 1, ""},
	{"O2", "a lone closing mark", []given{{text: "The user asks for the dog. Keep it short.\n</think>\n" + said}}, said, 1, ""},
	{"O2", "an open mark", []given{{text: "<think>She asks for her dog."}, {text: said}}, said, 2, ""},
	{"O2", "harmony", []given{{text: "<|channel|>analysis<|message|>She asks.<|end|><|start|>assistant<|channel|>final<|message|>" + said}}, said, 1, ""},
	{"O2", "harmony without its marks", []given{{text: "analysisThe user asks for the dog.assistantfinal" + said}}, said, 1, ""},
	{"O2", "reasoning without a mark", []given{{text: "Okay, the user is asking about a dog. I should respond in character."}, {text: said}}, said, 2, ""},
	{"O2", "reasoning alone, cut by the limit", []given{{text: "<think>She asks and", finish: "length"}, {text: said}}, said, 2, ""},
	{"O3", "the name", []given{{text: "**Mira Vale:** " + said}}, said, 1, ""},
	{"O3", "the first name and a dash", []given{{text: "Mira — " + said}}, said, 1, ""},
	{"O3", "an entry", []given{{text: "Fri 2026-05-01 14:03 | Mira: " + said}}, said, 1, ""},
	{"O3", "lines for others", []given{{text: said + "\nAna: thanks!\nMira: welcome"}}, said, 1, ""},
	{"O3", "the whole talk", []given{{text: "Ana: what is my dog called?\nMira: " + said + "\nRui: mine is Rex"}}, said, 1, ""},
	{"O3", "quotation marks", []given{{text: "\"" + said + "\""}}, said, 1, ""},
	{"O3", "a stage direction", []given{{text: "(staying in character, as instructed) " + said}}, said, 1, ""},
	{"O3", "the fence", []given{{text: "<quoted-7q>\n" + said + "\n</quoted-7q>"}}, said, 1, ""},
	{"O3", "a limit", []given{{text: said + " He is a good d", finish: "length"}}, said, 1, ""},
	{"O4", "a refusal", []given{{text: "I'm sorry, but I can't help with that."}, {text: said}}, said, 2, ""},
	{"O4", "two refusals", []given{{text: "I'm sorry, but I can't assist with that request."}}, "", 2, ""},
	{"O4", "an assistant", []given{{text: "As an AI language model, I don't have personal memories."}, {text: said}}, said, 2, ""},
	{"O4", "words, then an assistant", []given{{text: said + " But as an AI, I cannot know more."}, {text: "Bolt, of course."}}, "Bolt, of course.", 2, said},
	{"O4", "the rules", []given{{text: "Bring up what you know where it helps. Never make up a shared past: what is not in front of you, you do not know."}, {text: said}}, said, 2, ""},
	{"O4", "withheld", []given{{finish: "content_filter"}, {text: said}}, said, 2, ""},
	{"O4", "withheld in part", []given{{text: said + " And you", finish: "content_filter"}, {text: "Bolt, of course."}}, "Bolt, of course.", 2, said},
	{"O4", "empty", []given{{}, {text: said}}, said, 2, ""},
	{"O4", "always empty", []given{{}}, "", 2, ""},
	{"O4", "marks only", []given{{text: "Mira: <quoted-7q></quoted-7q>"}, {text: said}}, said, 2, ""},
}

// TestO2O3O4NothingUnfitIsSaidOrShown plays every case against a provider, streamed and not, through both voices. What is
// shown is a beginning of what is said. It may have the first words of a sentence that was left out, and a whole answer may
// replace three words.
func TestO2O3O4NothingUnfitIsSaidOrShown(t *testing.T) {
	for _, c := range cases {
		for _, streamed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %s, streamed %v", c.id, c.name, streamed), func(t *testing.T) {
				m, server := client(t, c.given...)
				reply, shown := speak(t, m, streamed)
				want, requests := c.want, c.requests
				if streamed && c.kept != "" {
					want, requests = c.kept, 1
				}
				if want == "" && (reply.Voice != "plain" || reply.Fault == "") || want != "" && (reply.Text != want || reply.Voice != "model" || reply.Fault != "") {
					t.Errorf("the reply is %+v, want %q", reply, want)
				}
				if n := len(server.Requests()); n != requests {
					t.Errorf("the model was asked %d times, want %d", n, requests)
				}
				for _, s := range shown {
					more, cut := strings.CutPrefix(s, reply.Text)
					if cut = cut && answer.Sentences(more) == ""; !cut && !strings.HasPrefix(reply.Text, s) && len(strings.Fields(s)) > 3 {
						t.Errorf("it showed %q, and said %q", s, reply.Text)
					}
				}
			})
		}
	}
}

// speak answers the scene with the model voice over the plain voice. It returns what was shown.
func speak(t *testing.T, m modelvoice.Model, streamed bool) (scene.Reply, []string) {
	t.Helper()
	meter := modelvoice.Meter{Store: memorytest.Open(t), Persona: "mira", Now: new(memorytest.Clock).Now}
	voice := modelvoice.Fallback(modelvoice.NewVoice(m, meter, 0, 0), plain.New())
	var shown []string
	show := func(soFar string) { shown = append(shown, soFar) }
	if !streamed {
		show = nil
	}
	reply, err := voice.Reply(t.Context(), asked(), show)
	if err != nil {
		t.Fatal(err)
	}
	return reply, shown
}

// TestO4WhatWasShownOfABrokenStreamStands ends streams in the middle.
func TestO4WhatWasShownOfABrokenStreamStands(t *testing.T) {
	for _, c := range []struct {
		given    []given
		want     string
		requests int
	}{
		{[]given{{text: said + " He is a good dog. And he", cut: true}}, said + " He is a good dog.", 1},
		{[]given{{text: "He is", cut: true}, {text: said}}, said, 2},
		{[]given{{text: "He is", cut: true}}, "", 2},
		{[]given{{text: "<think>She asks. The dog is Bolt. I", cut: true}, {text: said}}, said, 2},
		{[]given{{text: "The user asks. The dog is Bolt, it says. I", cut: true}, {text: said}}, said, 2},
		{[]given{{cut: true}, {text: "not asked"}}, "", 1},
	} {
		m, server := client(t, c.given...)
		reply, shown := speak(t, m, true)
		if want := c.want; reply.Text != want && want != "" || want == "" && reply.Voice != "plain" {
			t.Errorf("%+v: the reply is %+v, want %q", c.given, reply, want)
		}
		if n := len(server.Requests()); n != c.requests {
			t.Errorf("%+v: the model was asked %d times, want %d", c.given, n, c.requests)
		}
		for _, s := range shown {
			if strings.Contains(s, "asks") {
				t.Errorf("%+v: it showed %q", c.given, s)
			}
		}
	}
}

// TestO2AModelThatReasonsUnannouncedIsNotShownEarly has reasoning that sounds like words: once it was seen, later answers
// are shown when they are complete.
func TestO2AModelThatReasonsUnannouncedIsNotShownEarly(t *testing.T) {
	m, _ := client(t, given{text: "The dog is Bolt, says a note. Short.</think>" + said})
	voice := modelvoice.NewVoice(m, modelvoice.Meter{Store: memorytest.Open(t), Persona: "mira", Now: new(memorytest.Clock).Now}, 0, 0)
	for turn := range 3 {
		reply, err := voice.Reply(t.Context(), asked(), func(soFar string) {
			if turn > 0 && !strings.HasPrefix(said, soFar) {
				t.Errorf("turn %d shows %q", turn, soFar)
			}
		})
		if err != nil || reply.Text != said {
			t.Errorf("turn %d: %+v, %v", turn, reply, err)
		}
	}
}

func TestO3StopTextsAndO1TemperatureAreSent(t *testing.T) {
	m, server := client(t, given{text: said})
	speak(t, m, false)
	sent := server.Requests()[0].Fields
	stops, _ := sent["stop"].([]any)
	if len(stops) == 0 || len(stops) > 4 || !slices.Contains(stops, any("\nAna:")) || slices.Contains(stops, any("\nMira:")) || sent["temperature"] != 0.7 {
		t.Errorf("sent stop %v, temperature %v", sent["stop"], sent["temperature"])
	}
	if _, err := m.Generate(t.Context(), prompts.Extract(prompts.ExtractInput{Name: "Mira"}), nil); err != nil {
		t.Fatal(err)
	}
	if sent = server.Requests()[1].Fields; sent["temperature"] != 0.0 || sent["stop"] != nil {
		t.Errorf("work is sent with %v", sent)
	}
}

// TestO4TheSecondTryIsInCharacter looks at what the model is asked after a refusal, and at what both calls are charged.
func TestO4TheSecondTryIsInCharacter(t *testing.T) {
	m, server := client(t, given{text: "I can't help with that."}, given{text: said})
	store := memorytest.Open(t)
	voice := modelvoice.NewVoice(m, modelvoice.Meter{Store: store, Persona: "mira", Now: new(memorytest.Clock).Now}, 0, 0)
	if _, err := voice.Reply(t.Context(), asked(), nil); err != nil {
		t.Fatal(err)
	}
	again := server.Requests()[1]
	if text := again.Prompt(); !strings.Contains(text, "Say it as Mira Vale") || strings.Contains(text, "can't help with that") {
		t.Errorf("asked again with\n%s", text)
	}
	usage, err := store.Budget.UsageOn(t.Context(), "2026-01-05", "mira")
	if err != nil || len(usage) != 1 || usage[0].Calls != 2 || usage[0].Tokens != 2*(llmtest.TokensIn+llmtest.TokensOut) {
		t.Errorf("usage %+v, %v", usage, err)
	}
}

func TestO1JSONIsAskedForOnceMore(t *testing.T) {
	const good = `{"claims":[{"message":"1","kind":"fact","relation":"lives_in","value":"Lagos","quote":"moved to Lagos",},]}`
	for _, c := range []struct {
		given    []given
		requests int
		fails    bool
	}{
		{[]given{{text: "<think>{}</think>Here:\n```JSON\n" + good + "\n```"}}, 1, false},
		{[]given{{text: "I found a claim."}, {text: good}}, 2, false},
		{[]given{{text: "I found a claim."}}, 2, true},
		{[]given{{text: good[:30], finish: "length"}}, 1, true},
	} {
		m, server := client(t, c.given...)
		var filed []prompts.Extracted
		got, err := modelvoice.Ask(t.Context(), m, prompts.Extract(prompts.ExtractInput{Name: "Mira"}), func(text string) (err error) {
			filed, err = prompts.ParseExtract(text)
			return err
		})
		if n := len(server.Requests()); n != c.requests || (err != nil) != c.fails || c.fails != (len(filed) == 0) {
			t.Errorf("%+v: %+v, %v after %d requests", c.given, filed, err, n)
		}
		if c.fails && !errors.Is(err, prompts.ErrInvalidExtraction) {
			t.Errorf("%+v: %v", c.given, err)
		}
		if got.TokensIn != c.requests*llmtest.TokensIn || got.TokensOut != c.requests*llmtest.TokensOut {
			t.Errorf("%+v: charged %d and %d tokens", c.given, got.TokensIn, got.TokensOut)
		}
		if c.requests == 2 && !strings.Contains(server.Requests()[1].Prompt(), "could not be used: the model's answer is not") {
			t.Errorf("asked again with\n%s", server.Requests()[1].Prompt())
		}
	}
}

// TestO4AMachineMaySpeakOfIt has a persona that is an AI by its card.
func TestO4AMachineMaySpeakOfIt(t *testing.T) {
	const own = "As an AI, I don't sleep, so write whenever you like."
	for description, want := range map[string]error{"An AI in an old radio.": nil, "Keeps a lighthouse.": answer.ErrRefused} {
		m, _ := client(t, given{text: own})
		s := asked()
		s.Card.Description = description
		voice := modelvoice.NewVoice(m, modelvoice.Meter{Store: memorytest.Open(t), Persona: "mira", Now: new(memorytest.Clock).Now}, 0, 0)
		if reply, err := voice.Reply(t.Context(), s, nil); !errors.Is(err, want) || want == nil && reply.Text != own {
			t.Errorf("%s: %+v, %v", description, reply, err)
		}
	}
}
