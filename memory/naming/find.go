package naming

import (
	"slices"
	"strings"

	"familiar/internal/text"
)

// Mention is a place in a text that names somebody: its bytes [Start, End).
type Mention struct {
	Start, End int
	// People have that name, the closest first. There is at least one.
	People []int64
}

// Find returns the places where a text names somebody, in order.
func (n *Names) Find(said string) (all []Mention) {
	var tokens []text.Token
	for start, end := range text.Words(said, nil) {
		tokens = append(tokens, text.Token{Norm: text.Plain(said[start:end]), Start: start, End: end})
	}
	for i := 0; i < len(tokens); {
		m, length := n.at(said, tokens[i:])
		if length == 0 {
			i++
			continue
		}
		all = append(all, m)
		i += length
	}
	for _, p := range n.unspaced {
		for from := 0; ; {
			at := strings.Index(said[from:], p.written)
			if at < 0 {
				break
			}
			from += at + len(p.written)
			m := Mention{from - len(p.written), from, []int64{p.person}}
			i := slices.IndexFunc(all, func(o Mention) bool { return o.Start < m.End && m.Start < o.End })
			if i < 0 {
				all = append(all, m)
			} else {
				all[i].People = append(all[i].People, p.person)
			}
		}
	}
	slices.SortFunc(all, func(a, b Mention) int { return a.Start - b.Start })
	return all
}

// Any reports whether a text names somebody.
func (n *Names) Any(said string) bool { return len(n.Find(said)) > 0 }

// at returns the longest name at the beginning of some tokens, with how many it takes, 0 for none. A possessive "s" belongs to it.
func (n *Names) at(said string, tokens []text.Token) (m Mention, length int) {
	first := tokens[0].Norm
	for _, first := range []string{first, strings.TrimSuffix(first, "s")} {
		for _, p := range n.phrases[first] {
			if len(p.words) < length || len(p.words) > len(tokens) || !p.matches(said, tokens) {
				continue
			}
			if len(p.words) > length {
				m.Start, m.End, length = tokens[0].Start, tokens[len(p.words)-1].End, len(p.words)
			}
			m.People = append(m.People, p.person)
		}
	}
	return m, length
}

func (p phrase) matches(said string, tokens []text.Token) bool {
	for i, w := range p.words {
		if norm := tokens[i].Norm; norm != w && (i < len(p.words)-1 || strings.TrimSuffix(norm, "s") != w) {
			return false
		}
	}
	start, end := tokens[0].Start, tokens[len(p.words)-1].End
	switch p.form {
	case capital:
		return !startsSmall(said[start:]) || mentioned(said, start) || possessive(said[end:])
	case mention:
		return mentioned(said, start)
	}
	return true
}

// mentioned reports whether a mention begins before a place, as networks write it: "@ann", "<@!12>".
func mentioned(said string, start int) bool {
	return strings.HasSuffix(strings.TrimRight(said[:start], "!&~"), "@")
}

func possessive(behind string) bool {
	return strings.HasPrefix(behind, "'s") || strings.HasPrefix(behind, "’s")
}
