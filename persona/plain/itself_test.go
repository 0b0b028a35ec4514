package plain

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"familiar/persona/card"
	"familiar/persona/lore"
)

// askedItself is a question to a persona, with what the answer must hold.
type askedItself struct {
	card       *card.Card
	text, want string
}

// readItself reads testdata/itself.txt.
func readItself(t *testing.T) (all []askedItself) {
	t.Helper()
	data, err := os.ReadFile("testdata/itself.txt")
	if err != nil {
		t.Fatal(err)
	}
	type entry struct {
		Keys    []string `json:"keys"`
		Content string   `json:"content"`
	}
	var c *card.Card
	var entries []entry
	for line := range strings.Lines(string(data)) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch kind {
		case "name":
			c, entries = &card.Card{Key: "someone", Name: rest}, nil
		case "description":
			c.Description += rest + "\n"
		case "personality":
			c.Sheet.Personality = rest
		case "lore":
			keys, content, _ := strings.Cut(rest, ": ")
			entries = append(entries, entry{strings.Split(keys, ", "), content})
			text, err := json.Marshal(map[string]any{"entries": entries})
			if err != nil {
				t.Fatal(err)
			}
			book, err := lore.Read(text)
			if err != nil {
				t.Fatal(err)
			}
			c.Sheet.Lore = lore.Compile(book)
		case "ask":
			asked, want, _ := strings.Cut(rest, " = ")
			all = append(all, askedItself{c, asked, want})
		}
	}
	return all
}

// TestThePersonaAnswersAboutItself asks two personas what people ask them. The misses that are known are bounded; what a persona
// does not know it must not make up.
func TestThePersonaAnswersAboutItself(t *testing.T) {
	const missesKnown = 2
	missed := 0
	for _, a := range readItself(t) {
		s := annScene(heardLine(a.text))
		c := *a.card
		s.Card = &c
		said := strings.ToLower(speakPlainly(t, s).Text)
		holds := func(list string) bool {
			for part := range strings.SplitSeq(list, "|") {
				if strings.Contains(said, strings.ToLower(strings.TrimSpace(part))) {
					return true
				}
			}
			return false
		}
		if absent, isAbsent := strings.CutPrefix(a.want, "!"); isAbsent {
			if holds(absent) {
				t.Errorf("%q: %s makes up %q", a.text, c.Name, said)
			}
		} else if !holds(a.want) {
			missed++
			t.Logf("%q: %s says %q, not %q", a.text, c.Name, said, a.want)
		}
	}
	if missed > missesKnown {
		t.Errorf("missed %d, of which %d are known", missed, missesKnown)
	}
}

// TestNarratorTurnsSentences checks who a sentence of a card is about.
func TestNarratorTurnsSentences(t *testing.T) {
	own := []string{
		"Dex Moreno lives above a bakery.", "He has a parrot.", "His brother is Luis.", "He is 50.", "Dex is 29.", "His bike is red.", "He carries letters.", "The town is old.", "She is tall.",
	}
	n := newNarrator("Dex Moreno", own, []string{"Dex's boss is Ann.", "He is 60.", "Dex watches her."})
	want := []string{
		"I live above a bakery.", "I have a parrot.", "My brother is Luis.", "He is 50.", "I am 29.", "My bike is red.", "I carry letters.", "The town is old.", "She is tall.",
		"My boss is Ann.", "He is 60.", "I watch her.",
	}
	for i, got := range n.firstPerson {
		if got != want[i] {
			t.Errorf("%q becomes %q, want %q", n.sentences[i], got, want[i])
		}
	}
}

func TestAskedOfOneself(t *testing.T) {
	for text, want := range map[string]string{
		"Do you have any pets?": "do I have any pets?", "What's your job?": "what's my job?", "How old are you?": "how old am I?",
		"do you know my dog's name?": "", "do you remember Ann's birthday?": "", "who is Ann?": "",
	} {
		got, ok := askedOfOneself(text)
		if !ok {
			got = ""
		}
		if got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
