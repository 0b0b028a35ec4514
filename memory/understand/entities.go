package understand

import (
	"strings"

	"familiar/memory/understand/english"
	"familiar/memory/understand/rel"
)

// entityLimit is the maximum number of entities of an utterance.
const entityLimit = 24

// entities returns the names in a text: capitalised runs, quoted and bracketed names, and the names in its claims.
func entities(text string, sentences []english.Sentence, claims []Claim) []string {
	e := collector{seen: map[string]bool{}}
	for _, c := range claims {
		e.add(c.Subject)
		if c.Kind == rel.Fact && rel.NamesSomething(c.Relation) {
			e.add(c.Value)
			e.add(c.Corrects)
		}
	}
	for _, s := range sentences {
		e.capitalised(english.Clause{Text: text, Words: s.Words})
		e.quoted(text, s)
	}
	e.bracketed(text)
	return e.list
}

type collector struct {
	list []string
	seen map[string]bool
}

func (e *collector) add(name string) {
	name = strings.TrimSpace(name)
	key := english.Normalize(name)
	if name == "" || len(name) > 80 || e.seen[key] || len(e.list) >= entityLimit {
		return
	}
	e.seen[key] = true
	e.list = append(e.list, name)
}

// capitalised adds the runs of capitalised words. The first word of a sentence always has a capital: it counts only
// when another word of the name, a possessive or a verb in the third person follows.
func (e *collector) capitalised(c english.Clause) {
	shouted := allCapitals(c)
	for i := 0; i < len(c.Words); {
		n := english.NameRun(c, i, 4)
		if n == 0 || c.Words[i].Quoted {
			i++
			continue
		}
		next := c.Low(i + n)
		if i > 0 && !shouted || n > 1 || next == "'s" || next == "is" || next == "and" || english.Shared[next] {
			if !introduces(c, i) {
				e.add(c.Span(i, i+n))
			}
		}
		i += n
	}
}

// introduces reports whether the name at i is the speaker's own.
func introduces(c english.Clause, i int) bool {
	return (c.Low(i-1) == "am" && c.Low(i-2) == "i") || (c.Low(i-1) == "is" && c.Low(i-2) == "name" && c.Low(i-3) == "my")
}

// allCapitals reports whether the sentence is written in capitals, so that capitals do not mark names.
func allCapitals(c english.Clause) bool {
	capitals := 0
	for _, w := range c.Words {
		if w.Capital {
			capitals++
		}
	}
	return len(c.Words) > 3 && capitals*10 > len(c.Words)*8
}

// quoted adds short quotations.
func (e *collector) quoted(text string, s english.Sentence) {
	for i := 0; i < len(s.Words); {
		if !s.Words[i].Quoted {
			i++
			continue
		}
		c := english.Clause{Text: text, Words: s.Words}
		n := english.QuotedRun(c, i)
		if n > 0 {
			e.add(c.Span(i, i+n))
			i += n
			continue
		}
		for i < len(s.Words) && s.Words[i].Quoted {
			i++
		}
	}
}

// bracketed adds [names] in square brackets, which people use to mark what matters.
func (e *collector) bracketed(text string) {
	text = text[:min(len(text), english.ReadLimit)]
	for len(e.list) < entityLimit {
		_, after, ok := strings.Cut(text, "[")
		if !ok {
			return
		}
		name, rest, ok := strings.Cut(after, "]")
		if !ok {
			return
		}
		if len(name) <= 60 && !strings.ContainsAny(name, "[\n") {
			e.add(name)
		}
		text = rest
	}
}
