package compare

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"familiar/internal/strictyaml"
	"familiar/internal/text"
	"familiar/memory/belief"
)

// Fact is one thing that was told, and how to tell whether it can be read somewhere.
type Fact struct {
	// Fact says it in a sentence, for people.
	Fact string `yaml:"fact"`
	// Wordings are accepted: one of them must stand whole, whatever the order, in one sentence, read together with who
	// said it and when. A wording is words between spaces, each of which may be several with | between them.
	Wordings []string `yaml:"wordings"`
	// Stale are wordings of what was so once, Wrong of what never was. A sentence with one of them counts unless the same
	// message also holds the fact as it is, as "Pavol, not Pavel" does, or marks what is over.
	Stale []string `yaml:"stale"`
	Wrong []string `yaml:"wrong"`
}

func (f Fact) check(doc *strictyaml.Document, path string) {
	if f.Fact == "" || len(f.Wordings) == 0 {
		doc.Problemf(path, "needs a fact and wordings to know it by")
	}
}

// Found is what of a fact can be read.
type Found struct {
	Fact string `json:"fact"`
	// Present says that it can be read as it is; Stale that what was so once is shown as if it still were, Wrong that
	// what never was is.
	Present bool `json:"present"`
	Stale   bool `json:"stale,omitempty"`
	Wrong   bool `json:"wrong,omitempty"`
}

// look reads lines for the fact.
func (f Fact) look(lines []string) Found {
	found := Found{Fact: f.Fact}
	for _, m := range messagesOf(lines) {
		current := m.holds(f.Wordings) && !m.over
		found.Present = found.Present || current
		if !current {
			found.Stale = found.Stale || m.holds(f.Stale) && !m.marked
			found.Wrong = found.Wrong || m.holds(f.Wrong) && !m.marked
		}
	}
	return found
}

// message is one thing said, or one note: its sentences, each with the words of the head of its line.
type message struct {
	sentences [][]string
	// over says that it is of what is no more, marked that something in it is.
	over, marked bool
}

// holds says that one of the wordings stands in one of the sentences.
func (m message) holds(wordings []string) bool {
	return slices.ContainsFunc(m.sentences, func(words []string) bool { return holdsAny(words, wordings) })
}

// former is how a prompt heads a belief that no longer holds, lineBreak what it puts between the messages of one line.
const (
	former    = "was so, is not any more"
	lineBreak = "⏎"
)

// messagesOf parts lines of a prompt into the messages in them.
func messagesOf(lines []string) (out []message) {
	for _, line := range lines {
		head, text, found := strings.Cut(line, ": ")
		if !found {
			head, text = "", line
		}
		said, over := wordsOf(head), strings.Contains(head, former)
		for part := range strings.SplitSeq(text, lineBreak) {
			m := message{over: over, marked: over || marked(part)}
			for _, sentence := range cutSentences(part) {
				m.sentences = append(m.sentences, slices.Concat(said, wordsOf(sentence)))
			}
			out = append(out, m)
		}
	}
	return out
}

// marked says that a text marks something in it as replaced.
func marked(text string) bool {
	return slices.ContainsFunc([]string{belief.MarkChanged, belief.MarkCorrected, belief.MarkRetold}, func(mark string) bool {
		return strings.Contains(text, mark)
	})
}

// cutSentences parts a text after the marks that end a sentence.
func cutSentences(text string) (parts []string) {
	from := 0
	for i, r := range text {
		next := text[i+len(string(r)):]
		if strings.ContainsRune(".!?…", r) && (next == "" || next[0] == ' ') {
			parts = append(parts, text[from:i])
			from = len(text) - len(next)
		}
	}
	return append(parts, text[from:])
}

// sessionTexts are the words of a text, folded, without possessive endings. A hyphen joins letters and parts numbers, as
// those of a date.
func wordsOf(said string) (words []string) {
	runes := []rune(text.Normalize(said))
	from := 0
	for i := 0; i <= len(runes); i++ {
		if i < len(runes) && (text.IsWord(runes[i]) || joins(runes, i)) {
			continue
		}
		if from < i {
			words = append(words, strings.TrimSuffix(string(runes[from:i]), "'s"))
		}
		from = i + 1
	}
	return words
}

// joins says that the rune at i stands within a word.
func joins(runes []rune, i int) bool {
	within := i > 0 && i+1 < len(runes)
	return within && (runes[i] == '-' || runes[i] == '\'') && unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[i+1])
}

// holdsAny says that words hold one of the wordings.
func holdsAny(words, wordings []string) bool {
	return slices.ContainsFunc(wordings, func(wording string) bool { return holds(words, wording) })
}

func holds(words []string, wording string) bool {
	for _, wanted := range strings.Fields(text.Normalize(wording)) {
		if !slices.ContainsFunc(strings.Split(wanted, "|"), func(one string) bool {
			return slices.Contains(words, strings.TrimSuffix(one, "'s"))
		}) {
			return false
		}
	}
	return true
}

// Score is what a mind had in front of it, in figures.
type Score struct {
	// Facts is how many should be readable when the person comes back, Present how many are, Share the quotient.
	Facts   int     `json:"facts"`
	Present int     `json:"present"`
	Share   float64 `json:"share"`
	// Stale, Wrong and Others count facts shown as they no longer are, as they never were, and somebody else's, at any
	// time of the probe.
	Stale  int `json:"stale"`
	Wrong  int `json:"wrong"`
	Others int `json:"foreign"`
	// Asked counts the questions, Answerable those whose answer was in front of the mind.
	Asked      int `json:"asked"`
	Answerable int `json:"answerable"`
	// Tokens is what was in front of it when the person came back.
	Tokens int `json:"tokens"`
}

// score counts what can be read in the steps.
func (m *ModeReport) score(s Scenario) {
	m.Score = Score{Facts: len(s.Facts), Asked: len(s.Probe.Asks), Tokens: m.Steps[0].Tokens}
	for _, f := range s.Facts {
		found := f.look(m.Steps[0].Context)
		for i, step := range m.Steps[1:] {
			later := f.look(step.Context)
			found.Stale, found.Wrong = found.Stale || later.Stale, found.Wrong || later.Wrong
			if later.Present && s.Probe.Asks[i].Fact == f.Fact {
				m.Answerable++
			}
		}
		m.Found = append(m.Found, found)
		m.Present += count(found.Present)
		m.Stale += count(found.Stale)
		m.Wrong += count(found.Wrong)
	}
	m.Share = math.Round(1000*float64(m.Present)/float64(max(len(s.Facts), 1))) / 1000
	for _, f := range s.Foreign {
		if slices.ContainsFunc(m.Steps, func(step Step) bool { return f.look(step.Context).Present }) {
			m.Foreign = append(m.Foreign, f.Fact)
		}
	}
	m.Others = len(m.Foreign)
}

func count(so bool) int {
	if so {
		return 1
	}
	return 0
}
