package modelvoice_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/card"
	"familiar/persona/modelvoice"
	"familiar/persona/scene"
	"familiar/prompts"
)

// The requirements of the reply prompt.
//
// P1: "you were never told" stands only in answer to a question that nothing in the prompt bears on.
// P2: what may harm somebody, whom they belong to and what they wished for is never cut for what they like.
// P3: a fact is a sentence: the one it was filed with, else its author's words.
// P4: nothing is written into what somebody said; what no longer holds is left out.
// P5: each thing stands once.
// P9: a silence is labelled.
// P11: a greeting does not overrule what was asked.
// P13: successive prompts of a talk begin alike.

var noon = time.Date(2026, time.May, 4, 12, 0, 0, 0, time.UTC)

const ana = 7

// evidence returns evidence that Ana said something some days before noon. With a sentence, a model filed it and a second
// reading confirmed it.
func evidence(message int64, days int, quote, sentence string) []model.Evidence {
	return []model.Evidence{{
		MessageID: message, AuthorID: ana, Author: "Ana", Quote: quote, Stance: 1, At: noon.AddDate(0, 0, -days), Sentence: sentence, JobRun: int64(len(sentence)),
	}}
}

func believed(id int64, relation, value, sentence string) model.Belief {
	b := model.Belief{
		ID: id, AuthorID: ana, Author: "Ana", SubjectPerson: ana, Relation: relation, Value: value, Status: model.Active,
		Created: noon.AddDate(0, 0, -9), Updated: noon.AddDate(0, 0, -9),
	}
	b.SetEvidence(evidence(id, 9, value, sentence))
	return b
}

func ask(text string, beliefs ...model.Belief) scene.Scene {
	return scene.Scene{
		Card: &card.Card{Key: "mira", Name: "Mira", Language: "en"}, Now: noon, Direct: true, Person: model.Person{ID: ana, Name: "Ana"},
		Incoming: []scene.Line{{PersonID: ana, Name: "Ana", Text: text, At: noon, Parsed: understand.Analyze(understand.Utterance{Text: text, At: noon})}},
		Beliefs:  beliefs,
	}
}

func shown(s scene.Scene) string {
	p := modelvoice.ReplyPrompt(s)
	text := p.System
	for _, m := range p.Messages {
		text += "\n--- " + string(m.Role) + "\n" + m.Text
	}
	return text
}

func expect(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if not, found := strings.CutPrefix(want, "!"); found == strings.Contains(text, not) && found {
			t.Errorf("%q is in\n%s", not, text)
		} else if !found && !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestP1UnknownIsSaidOnlyOfWhatNothingBearsOn(t *testing.T) {
	const never = "What they ask for is in nothing you were told"
	dog := believed(1, "has_pet", "my dog is called Bolt", "Ana's dog is called Bolt.")
	for _, c := range []struct {
		text string
		want bool
		of   []model.Belief
	}{
		{"What is my dog called?", false, []model.Belief{dog}},
		{"Where does my boat lie?", true, []model.Belief{dog}},
		{"I went for a walk.", false, nil},
		{"So?", false, nil},
		{"What should I order?", false, nil}, // in a first talk, all that was said is in front of the model
	} {
		s := ask(c.text, c.of...)
		s.Recall = recall.Result{Nothing: true}
		if got := strings.Contains(shown(s), never); got != c.want {
			t.Errorf("%q: unknown is said: %v, want %v\n%s", c.text, got, c.want, shown(s))
		}
	}
}

func TestP2AnAllergyIsNotCutForLikes(t *testing.T) {
	var all []model.Belief
	for i := range 150 {
		all = append(all, believed(int64(i+10), "likes", fmt.Sprintf("thing %d", i), fmt.Sprintf("Ana likes thing number %d very much, as she said one evening.", i)))
	}
	all = append(all, believed(1, "allergic_to", "peanuts", "Ana is allergic to peanuts."), believed(2, rel.Wish, "no jokes", "Ana wants no jokes in the morning."))
	s := ask("I'm at the new Thai place.", all...)
	text := shown(s)
	expect(t, text, "- Ana is allergic to peanuts.", "wish: Ana wants no jokes in the morning.")
	if allergy, like := strings.Index(text, "peanuts"), strings.Index(text, "thing number"); like >= 0 && like < allergy {
		t.Errorf("what she likes comes before what may harm her")
	}
	few := shown(ask("hello", all[:40]...))
	expect(t, few, "thing number 39") // half of the window is empty
}

func TestP3AFactIsASentence(t *testing.T) {
	rules := shown(ask("hello", believed(1, "works_as", "run the whole dialysis unit's supply chain", "")))
	expect(t, rules, "- Ana: “run the whole dialysis unit's supply chain”", "!works as")
	expect(t, shown(ask("hello", believed(2, "hobby", "Segeln", "Ana segelt gern."))), "- Ana segelt gern.", "!hobby")
}

func TestP4NothingIsWrittenIntoAQuote(t *testing.T) {
	s := ask("How is my job?")
	s.Recall.Items = []recall.Item{{Lines: []model.SnippetLine{
		{MessageID: 5, PersonID: ana, Author: "Ana", At: noon.AddDate(0, -1, 0), Text: "I'm a nurse [no longer current]. The canteen is awful.", Hit: true},
	}}}
	expect(t, shown(s), "The canteen is awful.", "!nurse", "![no longer")
}

func TestP5EachThingStandsOnce(t *testing.T) {
	pet := believed(1, "has_pet", "my dog is called Bolt", "Ana's dog is called Bolt.")
	s := ask("Do you remember my dog?", pet)
	s.Recall.Items = []recall.Item{{Lines: []model.SnippetLine{
		{MessageID: 1, PersonID: ana, Author: "Ana", At: noon.AddDate(0, 0, -9), Text: "my dog is called Bolt! He stole a whole ham from the table.", Hit: true},
	}}}
	text := shown(s)
	if n := strings.Count(text, "Bolt"); n != 1 {
		t.Errorf("Bolt is named %d times:\n%s", n, text)
	}
}

func TestP9ASilenceIsLabelled(t *testing.T) {
	s := ask("Are you there?")
	s.Recent = []scene.Line{{Name: "Ana", PersonID: ana, Text: "See you.", At: noon.AddDate(0, 0, -9)}, {Self: true, Text: "Good night.", At: noon.AddDate(0, 0, -9)}}
	expect(t, shown(s), "(9 days later)")
	s.Recent[0].At, s.Recent[1].At = noon.Add(-time.Minute), noon.Add(-time.Minute)
	expect(t, shown(s), "!later)")
}

func TestP11AGreetingDoesNotOverruleAQuestion(t *testing.T) {
	s := ask("When is my appointment?")
	s.Greeting = &scene.Greeting{Since: 9 * 24 * time.Hour}
	expect(t, shown(s), "Answer what they say", "!Greet them in a sentence")
	s.Incoming = nil
	expect(t, shown(s), "Greet them in a sentence")
}

func TestP13SuccessivePromptsBeginAlike(t *testing.T) {
	pet := believed(1, "has_pet", "my dog is called Bolt", "Ana's dog is called Bolt.")
	first := ask("Good morning! The ferry was late again and I had to wait in the rain.", pet)
	second := ask("Well. And now the rain has stopped.", pet)
	second.Recent = []scene.Line{
		{MessageID: 20, Name: "Ana", PersonID: ana, Text: first.Incoming[0].Text, At: noon}, {MessageID: 21, Self: true, Text: "You are soaked, then.", At: noon},
	}
	a, b := joined(modelvoice.ReplyPrompt(first)), joined(modelvoice.ReplyPrompt(second))
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if share := float64(n) / float64(min(len(a), len(b))); share < 0.85 {
		t.Errorf("the prompts share %.2f of the shorter:\n%s\n=====\n%s", share, a, b)
	}
}

func joined(p prompts.Prompt) string {
	text := p.System
	for _, m := range p.Messages {
		text += m.Text
	}
	return text
}
