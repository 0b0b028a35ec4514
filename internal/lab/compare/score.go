package compare

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"familiar/internal/strictyaml"
	"familiar/internal/text"
	"familiar/memory/belief"
	"familiar/persona/modelvoice"
)

// Fact is one thing that was told, with the wordings that identify it in a text.
type Fact struct {
	// Fact states it in a sentence, for readers.
	Fact string `yaml:"fact"`
	// Wordings lists the accepted wordings. One sentence, read together with its author and date, must hold all words
	// of one wording, in any order. Spaces separate the words of a wording, and | separates alternatives for a word.
	Wordings []string `yaml:"wordings"`
	// Stale lists wordings of what was once true, Wrong of what was never true. A sentence with one of them counts
	// unless the same message also holds the correct fact, as "Pavol, not Pavel" does, or marks the statement as past.
	Stale []string `yaml:"stale"`
	Wrong []string `yaml:"wrong"`
}

func (f Fact) check(doc *strictyaml.Document, path string) {
	if f.Fact == "" || len(f.Wordings) == 0 {
		doc.Problemf(path, "needs a fact and wordings to know it by")
	}
}

// Found reports what can be read of a fact.
type Found struct {
	Fact string `json:"fact"`
	// Present reports that the fact can be read as it is, Stale that a former state is shown as current, Wrong that
	// something that was never true is shown.
	Present bool `json:"present"`
	Stale   bool `json:"stale,omitempty"`
	Wrong   bool `json:"wrong,omitempty"`
}

// look searches lines for the fact.
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

// message is one message or one note: its sentences, each with the words of the head of its line.
type message struct {
	sentences [][]string
	// over reports whether the message is about the past, marked whether it marks something in it as past.
	over, marked bool
}

// holds reports whether one of the sentences holds one of the wordings.
func (m message) holds(wordings []string) bool {
	return slices.ContainsFunc(m.sentences, func(words []string) bool { return holdsAny(words, wordings) })
}

// former is the heading that a prompt gives a belief that no longer holds. lineBreak separates the messages of one line
// in a prompt.
const (
	former    = "was so, is not any more"
	lineBreak = "⏎"
)

// messagesOf splits lines of a prompt into their messages.
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

// marked reports whether a text marks something in it as replaced.
func marked(text string) bool {
	return slices.ContainsFunc([]string{belief.MarkChanged, belief.MarkCorrected, belief.MarkRetold, modelvoice.Retold}, func(mark string) bool {
		return strings.Contains(text, mark)
	})
}

// cutSentences splits a text after the marks that end a sentence.
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

// wordsOf returns the normalized words of a text without possessive endings. A hyphen joins letters and separates
// numbers, as in a date.
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

// joins reports whether the rune at i is inside a word.
func joins(runes []rune, i int) bool {
	within := i > 0 && i+1 < len(runes)
	return within && (runes[i] == '-' || runes[i] == '\'') && unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[i+1])
}

// holdsAny reports whether words hold one of the wordings.
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

// Score holds the figures on a mind's context.
type Score struct {
	// Facts is the number of facts that should be readable when the person returns, Present the number that are, Share
	// their quotient.
	Facts   int     `json:"facts"`
	Present int     `json:"present"`
	Share   float64 `json:"share"`
	// Stale, Wrong and Others count, at any time of the probe, facts shown in a former state, in a state that was never
	// true, and facts of other people.
	Stale  int `json:"stale"`
	Wrong  int `json:"wrong"`
	Others int `json:"foreign"`
	// Asked counts the questions, Answerable those with the answer in the mind's context.
	Asked      int `json:"asked"`
	Answerable int `json:"answerable"`
	// Tokens is the size of the context when the person returned.
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
