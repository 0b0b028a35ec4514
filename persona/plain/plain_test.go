package plain

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
	"familiar/persona/card"
	"familiar/persona/scene"
)

// May is the time of the plain voice's tests: a Wednesday afternoon.
var May = time.Date(2026, 5, 20, 15, 0, 0, 0, time.UTC)

const (
	annID     = 1
	melanieID = 2
)

var nova = &card.Card{
	Key: "nova", Name: "Nova", Description: "A retired lighthouse keeper who collects stories. She writes them down.",
	Traits: []card.Trait{{Name: "Curious", Strength: 0.9}, {Name: "Patient", Strength: 0.7}}, Values: []string{"Honesty", "Attention"},
}

// annScene returns a direct scene in which Ann says the lines.
func annScene(lines ...scene.Line) scene.Scene {
	for i := range lines {
		lines[i].Name, lines[i].At = "Ann", May
	}
	return scene.Scene{
		Card: nova, Now: May, Direct: true, Person: model.Person{ID: annID, Name: "Ann"}, Address: "Ann",
		Stage: "friend", Style: "balanced", Incoming: lines,
	}
}

// english is a composer of English words, at the time May.
var english = newComposer(annScene())

func asking(text string, q understand.Question) scene.Line {
	return scene.Line{Text: text, Parsed: understand.Analysis{Question: &q}}
}

func telling(text string, claims ...understand.Claim) scene.Line {
	return scene.Line{Text: text, Parsed: understand.Analysis{Claims: claims}}
}

// told returns a belief about Ann from her own statement.
func told(relation, value string) model.Belief {
	return model.Belief{
		AuthorID: annID, Author: "Ann", SubjectPerson: annID, Relation: relation, Value: value, Status: model.Active,
		Evidence: []model.Evidence{{MessageID: 7, AuthorID: annID, Author: "Ann", Stance: 1, At: May.AddDate(0, 0, -3)}},
	}
}

// said returns a recalled item: one line with its author and time.
func said(id int64, personID int64, author, text string, at time.Time) recall.Item {
	return recall.Item{MemoryID: id, Score: 1, Why: "matches", Lines: []model.SnippetLine{
		{MessageID: id, PersonID: personID, Author: author, At: at, Text: text, Hit: true},
	}}
}

func speakPlainly(t *testing.T, s scene.Scene) scene.Reply {
	t.Helper()
	speech, err := New().Reply(context.Background(), s, nil)
	if err != nil {
		t.Fatalf("speak: %v", err)
	}
	if strings.ContainsAny(speech.Text, "{}") || strings.Contains(speech.Text, "  ") || strings.Contains(speech.Text, " ,") {
		t.Errorf("ragged words: %q", speech.Text)
	}
	return speech
}

// expect answers the scene and checks the text, ignoring case. A part that begins with "!" must be absent.
func expect(t *testing.T, s scene.Scene, parts ...string) scene.Reply {
	t.Helper()
	speech := speakPlainly(t, s)
	t.Log(speech.Text)
	low := strings.ToLower(speech.Text)
	for _, p := range parts {
		absent, isAbsent := strings.CutPrefix(p, "!")
		if has := strings.Contains(low, strings.ToLower(strings.TrimPrefix(p, "!"))); has == isAbsent {
			if isAbsent {
				t.Errorf("%q must not contain %q", speech.Text, absent)
			} else {
				t.Errorf("%q does not contain %q", speech.Text, p)
			}
		}
	}
	return speech
}

// expectAny is expect where "a|b" asks for either.
func expectAny(t *testing.T, s scene.Scene, parts ...string) {
	t.Helper()
	text := strings.ToLower(expect(t, s).Text)
	for _, p := range parts {
		if absent, ok := strings.CutPrefix(p, "!"); ok {
			if strings.Contains(text, strings.ToLower(absent)) {
				t.Errorf("%q must not contain %q", text, absent)
			}
			continue
		}
		if !slices.ContainsFunc(strings.Split(strings.ToLower(p), "|"), func(alt string) bool { return strings.Contains(text, alt) }) {
			t.Errorf("%q does not contain %q", text, p)
		}
	}
}

func TestPlainCallsCaptainCaptain(t *testing.T) {
	s := annScene(telling("not Rex, Milo"))
	s.Address = "Captain"
	s.Beliefs = []model.Belief{told("call_me", "Captain")}
	s.Changes = []model.BeliefChange{{Kind: "corrected", Belief: told("pet_name:dog", "Milo"), Old: "Rex"}}
	expect(t, s, "Captain", "Milo", "not Rex", "!Ann")
	for _, line := range []scene.Line{
		asking("what's my cat called?", understand.Question{Relations: []string{"pet_name:cat"}}), telling("the weather turned"),
		{Text: "thanks", Parsed: understand.Analysis{Phatic: true, Warmth: 0.5}},
		{Text: "bye", Parsed: understand.Analysis{Phatic: true, Farewell: true}},
	} {
		s := annScene(line)
		s.Address, s.Beliefs = "Captain", []model.Belief{told("call_me", "Captain")}
		if text := expect(t, s, "Captain").Text; strings.Count(text, "Captain") != 1 {
			t.Errorf("%q says the name more than once", text)
		}
	}
}

func TestPlainAnswersEveryBatchedMessage(t *testing.T) {
	s := annScene(
		telling("my dog is called Milo"),
		asking("where do I live?", understand.Question{Relations: []string{"lives_in"}, Where: true}),
		asking("who are you?", understand.Question{Subject: "you"}),
	)
	s.Beliefs = []model.Belief{told("lives_in", "Oslo"), told("pet_name:dog", "Milo")}
	s.Changes = []model.BeliefChange{{Kind: "new", Belief: told("pet_name:dog", "Milo")}}
	expect(t, s, "Milo", "Oslo", "Nova")
}

func TestPlainNeverRepeatsItselfDirectly(t *testing.T) {
	lines := []scene.Line{
		telling("the bus was late"), asking("what's my cat called?", understand.Question{Relations: []string{"pet_name:cat"}}),
		asking("where do I live?", understand.Question{Relations: []string{"lives_in"}}),
		{Text: "thanks", Parsed: understand.Analysis{Phatic: true}},
		asking("what do I like?", understand.Question{Relations: []string{"likes"}}),
	}
	for _, line := range lines {
		s := annScene(line)
		s.Beliefs = []model.Belief{told("lives_in", "Oslo")}
		first := speakPlainly(t, s).Text
		s.Recent = []scene.Line{line, {Self: true, Name: "Nova", Text: first}}
		if again := speakPlainly(t, s).Text; again == first {
			t.Errorf("%q is answered twice with %q", line.Text, first)
		}
	}
}

func TestPlainIsDeterministic(t *testing.T) {
	s := annScene(telling("my garden is in bloom"))
	first := speakPlainly(t, s)
	for range 20 {
		if again := speakPlainly(t, s); again.Text != first.Text {
			t.Fatalf("%q, then %q", first.Text, again.Text)
		}
	}
}

func TestPlainIsShorterWithDirectPeople(t *testing.T) {
	s := annScene(asking("what have I told you about boats?", understand.Question{About: "boats"}))
	s.Recall.Items = []recall.Item{
		said(1, annID, "Ann", "I love old boats", May.AddDate(0, 0, -4)), said(2, annID, "Ann", "Boats calm me down", May.AddDate(0, 0, -3)),
	}
	long := expect(t, s, "old boats", "calm")
	s.Style = "direct"
	short := speakPlainly(t, s)
	if one, other := strings.Contains(short.Text, "old boats"), strings.Contains(short.Text, "calm"); one == other {
		t.Errorf("direct: %q, want one of the quotes; else: %q", short.Text, long.Text)
	}
}

func TestPlainFollowsInstructions(t *testing.T) {
	wish := func(text string) scene.Scene {
		s := annScene(telling("the sea is calm"))
		s.Beliefs = []model.Belief{told("instruction", text)}
		return s
	}
	if text := expect(t, wish("start every answer with “Aye”"), "Aye").Text; !strings.HasPrefix(text, "Aye") {
		t.Errorf("%q", text)
	}
	if text := expect(t, wish("end every message with over and out"), "over and out").Text; !strings.HasSuffix(text, "over and out") {
		t.Errorf("%q", text)
	}
}

func TestPlainStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := New().Reply(ctx, annScene(telling("hello")), nil); err == nil {
		t.Error("a cancelled voice spoke on")
	}
	if _, err := New().Reply(context.Background(), scene.Scene{Card: nova, Now: May}, nil); err == nil {
		t.Error("a voice spoke to nobody")
	}
}

func TestPlainShowsWhatItSays(t *testing.T) {
	var shown string
	speech, err := New().Reply(context.Background(), annScene(telling("hello")), func(soFar string) { shown = soFar })
	if err != nil || shown != speech.Text || speech.Voice != "plain" {
		t.Errorf("shown %q, said %q by %q, %v", shown, speech.Text, speech.Voice, err)
	}
}

var claimLivesIn = understand.Question{Relations: []string{"lives_in"}, Where: true, About: "live"}

func TestPlainVariesItsGreetingByDay(t *testing.T) {
	said := make(map[string]bool)
	for day := range 12 {
		s := annScene()
		s.Now, s.Greeting = May.AddDate(0, 0, day), &scene.Greeting{Since: 24 * time.Hour, Opening: day}
		said[speakPlainly(t, s).Text] = true
	}
	if len(said) < 3 {
		t.Errorf("twelve days, %d greetings: %v", len(said), said)
	}
}

func TestMannerShows(t *testing.T) {
	for _, tt := range []struct {
		card card.Card
		want string
	}{
		{card.Card{Traits: []card.Trait{{Name: "Curious", Strength: 0.9}, {Name: "Witty", Strength: 0.6}, {Name: "Kind", Strength: 0.8}}}, "warm"},
		{card.Card{Voice: "speaks like a formal butler"}, "formal"},
		{card.Card{Traits: []card.Trait{{Name: "Curious", Strength: 1}}}, ""},
	} {
		if got := mannerOf(&tt.card); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.card, got, tt.want)
		}
	}
}
