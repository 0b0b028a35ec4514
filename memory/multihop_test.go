package memory_test

import (
	"strings"
	"testing"
	"time"

	"familiar/memory/belief"
	"familiar/memory/recall"
	"familiar/memory/turns"
	"familiar/memory/understand"
)

// tell sends a message to mira, which is analyzed as in production.
func (w *town) tell(place, who, text string) turns.TurnResult {
	w.t.Helper()
	return w.say(place, who, text, understand.Analyze(understand.Utterance{Text: text, At: w.clock.Now()}).Claims...)
}

func (w *town) tellAll(place, who string, texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		w.tell(place, who, text)
	}
}

func TestRecallFollowsAQuestion(t *testing.T) {
	w := newTown(t)
	w.tellAll("club", "ann",
		"The author of Our Mutual Friend is Charles Dickens.", "Charles Dickens is a citizen of United Kingdom.",
		"Charles Dickens is married to Catherine Hogarth.", "Catherine Hogarth is a citizen of Belgium.",
		"The capital of United Kingdom is London.", "The capital of Belgium is Brussels.",
		"Catherine Hogarth died in the city of Ghent.", "Ghent is located in the continent of Europe.",
		"Steve Sax is associated with the sport of baseball.", "baseball was created in the country of Italy.",
		"My boss is Ada Miller.", "Ada Miller was born in the city of Leeds.", "Leeds is the twin of Lille.")
	w.smallTalk("club", "ann")
	for _, tt := range []struct{ question, answer, links string }{
		{"Who wrote Our Mutual Friend?", "Charles Dickens.", "1"},
		{"What is the country of citizenship of the author of Our Mutual Friend?", "United Kingdom", "2"},
		{"Where did the wife of the author of \"Our Mutual Friend\" breathe her last?", "Ghent", "3"},
		{"What is the capital of the country of which the spouse of the author of Our Mutual Friend is a national?", "Brussels", "4"},
		{"Which country is the birthplace of the sport associated with Steve Sax?", "Italy", "2"},
		{"Where was my boss born?", "Leeds", "2"},
	} {
		r := w.ask("club", "ann", tt.question, func(q *recall.Query) { q.Explain = true })
		if len(r.Hits) == 0 || !strings.Contains(r.Hits[0].Memory.Text, tt.answer) {
			t.Errorf("%s: want %s first, got %q", tt.question, tt.answer, hitTexts(r))
			continue
		}
		want := "hop " + tt.links + " of " + tt.links
		if r.Items[0].Why != want || r.Hits[0].Reasons[0].Feature != "answers: "+want || r.Nothing || r.Hits[0].Weak {
			t.Errorf("%s: packed for %q, first reason %q, nothing %v, weak %v", tt.question, r.Items[0].Why, r.Hits[0].Reasons[0].Feature, r.Nothing, r.Hits[0].Weak)
		}
	}
	links := packed(w.ask("club", "ann", "In which city did the wife of the author of Our Mutual Friend die?"))
	for _, want := range []string{"author of Our Mutual Friend", "married to Catherine", "died in the city of Ghent"} {
		if !strings.Contains(links, want) {
			t.Errorf("%q is not in\n%s", want, links)
		}
	}
}

// A word that a question repeats counts as answered by whichever occurrence the fact matches.
func TestARepeatedWordIsAnsweredOnce(t *testing.T) {
	w := newTown(t)
	w.tellAll("club", "ann", "The university where Mirella Voss was educated is Leeds College.", "The university where Mirella Voss was educated is Ghent College.")
	w.smallTalk("club", "ann")
	r := w.ask("club", "ann", "Which university was Mirella Voss educated at?")
	if !strings.Contains(r.Hits[0].Memory.Text, "Ghent") || r.Items[0].Why != "hop 1 of 1" {
		t.Errorf("packed for %q: %q", r.Items[0].Why, hitTexts(r))
	}
}

func TestHopsFollowCurrentBeliefs(t *testing.T) {
	w := newTown(t)
	w.tellAll("club", "ann",
		"Alta IF is associated with the sport of baseball.", "baseball was created in the country of Italy.",
		"cricket was created in the country of England.", "Alta IF is associated with the sport of cricket.",
		"cricket was created in the country of Japan.")
	r := w.ask("club", "ann", "Which country does the sport of Alta IF come from?")
	if !strings.Contains(r.Hits[0].Memory.Text, "Japan") {
		t.Errorf("got %q", hitTexts(r))
	}
	context := packed(r)
	for _, stale := range []string{"sport of baseball " + belief.MarkChanged, "country of England " + belief.MarkChanged} {
		if !strings.Contains(context, stale) {
			t.Errorf("want %q in\n%s", stale, context)
		}
	}
	if strings.Contains(context, "Italy "+belief.MarkChanged) {
		t.Errorf("what holds of baseball is marked in\n%s", context)
	}
}

// A persona without world facts answers no multi-hop questions with them.
func TestHopsNeedFacts(t *testing.T) {
	w := newTown(t)
	w.tellAll("club", "ann", "The author of Dune is Vera Stone.", "Vera Stone was born in the city of Riga.")
	r := w.ask("club", "ann", "In which city was the author of Dune born?", func(q *recall.Query) { q.WithoutFacts = true })
	if strings.HasPrefix(r.Items[0].Why, "hop") {
		t.Errorf("packed for %q", r.Items[0].Why)
	}
}

// The last statement about something replaces the one before, in any wording, and the history keeps both with
// their times.
func TestTheLatestStatementHoldsInAnyWording(t *testing.T) {
	for _, tt := range []struct{ first, then, old string }{
		{"The author of Dune is Ann Archer.", "Dune was written by Bo Baker.", "Ann Archer"},
		{"The founder of Acme is Ann Archer.", "Acme was founded by Bo Baker.", "Ann Archer"},
		{"The capital of Ruritania is Strelsau.", "Zenda is the capital of Ruritania.", "Strelsau"},
		{"Hines Ward plays the position of wide receiver.", "Hines Ward played the position of cornerback.", "wide receiver"},
		{"The spouse of Ann Archer is Bo Baker.", "Ann Archer is married to Cy Cole.", "Bo Baker"},
		{"Ann Archer is employed by Acme.", "Ann Archer works at Globex.", "Acme"},
		{"The birthplace of Ann Archer is Rome.", "Ann Archer was born in the city of Oslo.", "Rome"},
		{"Ann Archer's child is Dee Archer.", "Ann Archer's child is Eve Archer.", "Dee Archer"},
	} {
		w := newTown(t)
		w.tellAll("club", "zoe", tt.first, tt.then)
		values, err := w.ReplacedValues(t.Context(), w.visibility("club", "zoe"))
		if err != nil || len(values) != 1 || values[0].Value != tt.old {
			t.Errorf("%s %s: replaced are %+v, %v", tt.first, tt.then, values, err)
			continue
		}
		history, err := w.Beliefs.ListBeliefs(t.Context(), belief.Filter{Persona: "mira", IncludeHistory: true})
		if err != nil || len(history) != 2 || history[0].ValidFrom.IsZero() || values[0].Why == belief.ChangeChanged && history[1].ValidTo.IsZero() {
			t.Errorf("%s %s: history %+v, %v", tt.first, tt.then, history, err)
		}
	}
}

// Private messages answer only their author's questions, even as a step of a multi-hop answer.
func TestHopsKeepToTheirVisibility(t *testing.T) {
	w := newTown(t)
	w.tell("", "ann", "The author of The Grey Book is Vera Stone.")
	w.tell("club", "bob", "Vera Stone was born in the city of Riga.")
	w.tell("club", "ann", "hello all")
	question := "In which city was the author of The Grey Book born?"
	for _, h := range w.ask("club", "bob", question).Hits {
		if strings.Contains(h.Memory.Text, "Grey Book") {
			t.Errorf("bob is told %q", h.Memory.Text)
		}
	}
	for _, item := range w.ask("club", "bob", question).Items {
		if strings.HasPrefix(item.Why, "hop") {
			t.Errorf("the club follows what ann told in private: %+v", item)
		}
	}
	if r := w.ask("", "ann", question); !strings.Contains(r.Hits[0].Memory.Text, "Riga") || r.Items[0].Why != "hop 2 of 2" {
		t.Errorf("ann hears both: %q", hitTexts(r))
	}
}

func TestForgottenBeliefsLeadNowhere(t *testing.T) {
	w := newTown(t)
	w.tellAll("club", "ann", "The author of Dune is Vera Stone.", "Vera Stone was born in the city of Riga.")
	question := "In which city was the author of Dune born?"
	if r := w.ask("club", "ann", question); r.Items[0].Why != "hop 2 of 2" {
		t.Fatalf("packed for %q", r.Items[0].Why)
	}
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("author of Dune").ID); err != nil {
		t.Fatal(err)
	}
	for _, item := range w.ask("club", "ann", question).Items {
		if strings.HasPrefix(item.Why, "hop") {
			t.Errorf("still followed: %+v", item)
		}
	}
}

// People's talk about each other is found by its words: a fact about somebody does not push aside what was asked.
func TestMessagesOutrankBareFacts(t *testing.T) {
	w := newTown(t)
	w.tellAll("club", "ann", "My sister is called Eva.", "Eva was born in Leeds.", "We painted my sister's kitchen green on Sunday")
	r := w.ask("club", "ann", "What colour did we paint my sister's kitchen?")
	if !strings.Contains(r.Hits[0].Memory.Text, "green") {
		t.Errorf("got %q", hitTexts(r))
	}
}

// A memory already in the prompt is not recalled again, not even as the answer.
func TestLinksToPackedMemoriesAreLeftOut(t *testing.T) {
	w := newTown(t)
	w.tell("club", "ann", "The author of Dune is Vera Stone.")
	born := w.tell("club", "ann", "Vera Stone was born in the city of Riga.")
	r := w.ask("club", "ann", "In which city was the author of Dune born?", func(q *recall.Query) { q.Recent = born.MessageIDs })
	if strings.Contains(packed(r), "Riga") || r.Items[0].Why != "hop 1 of 2" {
		t.Errorf("packed for %q:\n%s", r.Items[0].Why, packed(r))
	}
}

func BenchmarkRecallFollows(b *testing.B) {
	w := newTown(b)
	names := strings.Fields("Abel Bruno Cleo Dora Emil Fay Gus Hana Ivo Jana Karl Lena Milo Nora Otto Pia")
	for i, a := range names {
		for j, c := range names {
			w.tell("club", "ann", "The author of "+a+" "+c+" is "+c+" "+names[(i+j)%len(names)]+".")
		}
	}
	h := w.visibility("club", "ann")
	q := recall.Query{Text: "Who is the author of the author of Abel Bruno?", Now: time.Now(), Budget: 1000}
	for b.Loop() {
		if _, err := w.Recall.Find(b.Context(), h, q); err != nil {
			b.Fatal(err)
		}
	}
}
