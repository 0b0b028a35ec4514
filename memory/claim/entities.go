package claim

import "strings"

// entityLimit is how many names one utterance may file under.
const entityLimit = 24

// entities are the names in a text: capitalised runs, quoted and bracketed names, and the names its claims give.
func entities(text string, sentences []sentence, claims []Claim) []string {
	e := collector{seen: map[string]bool{}}
	for _, c := range claims {
		e.add(c.Subject)
		if c.Kind == Fact && namesSomething(c.Relation) {
			e.add(c.Value)
			e.add(c.Corrects)
		}
	}
	for _, s := range sentences {
		e.capitalised(clause{text: text, words: s.words})
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
	key := fold(name)
	if name == "" || len(name) > 80 || e.seen[key] || len(e.list) >= entityLimit {
		return
	}
	e.seen[key] = true
	e.list = append(e.list, name)
}

// capitalised adds the runs of capitalised words. The first word of a sentence is capitalised anyway: it counts only
// when another word of the name, a possessive or a verb for he and she follows.
func (e *collector) capitalised(c clause) {
	shouted := allCapitals(c)
	for i := 0; i < len(c.words); {
		n := nameRun(c, i, 4)
		if n == 0 || c.words[i].quoted {
			i++
			continue
		}
		next := c.low(i + n)
		if i > 0 && !shouted || n > 1 || next == "'s" || next == "is" || next == "and" || shared[next] {
			if !introduces(c, i) {
				e.add(c.span(i, i+n))
			}
		}
		i += n
	}
}

// introduces says that the name at i is the speaker's own.
func introduces(c clause, i int) bool {
	return (c.low(i-1) == "am" && c.low(i-2) == "i") || (c.low(i-1) == "is" && c.low(i-2) == "name" && c.low(i-3) == "my")
}

// allCapitals says that the sentence is shouted, so that capitals say nothing.
func allCapitals(c clause) bool {
	capitals := 0
	for _, w := range c.words {
		if w.capital {
			capitals++
		}
	}
	return len(c.words) > 3 && capitals*10 > len(c.words)*8
}

// quoted adds short quotations.
func (e *collector) quoted(text string, s sentence) {
	for i := 0; i < len(s.words); {
		if !s.words[i].quoted {
			i++
			continue
		}
		c := clause{text: text, words: s.words}
		n := quotedRun(c, i)
		if n > 0 {
			e.add(c.span(i, i+n))
			i += n
			continue
		}
		for i < len(s.words) && s.words[i].quoted {
			i++
		}
	}
}

// bracketed adds [names] in square brackets, with which people mark what matters.
func (e *collector) bracketed(text string) {
	text = text[:min(len(text), readLimit)]
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
