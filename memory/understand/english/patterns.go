package english

// Patterns are wordings that are tried in order. Those that begin with a word of their own are found by it, so that
// only a few are tried at each word.
type Patterns struct {
	all   []Pattern
	needs []Needs // of each of them
	// starting holds the patterns that may begin with a word, by that word, others those that may begin with any other
	// word: their places in all, in order.
	starting map[string][]int
	others   []int
}

// CompileAll parses the notations of wordings.
func CompileAll(notations ...string) Patterns {
	p := Patterns{starting: map[string][]int{}}
	for k, n := range notations {
		one := Compile(n)
		p.all, p.needs = append(p.all, one), append(p.needs, one.Needs())
		if one.first == 0 {
			for w := range p.starting {
				p.starting[w] = append(p.starting[w], k)
			}
			p.others = append(p.others, k)
			continue
		}
		for _, w := range one.Elements[0].Words {
			places, known := p.starting[w]
			if !known {
				places = append(places, p.others...)
			}
			if n := len(places); n == 0 || places[n-1] != k {
				p.starting[w] = append(places, k)
			}
		}
	}
	return p
}

// Find returns the match of the first pattern that matches at word i.
func (p *Patterns) Find(c Clause, i int) (Match, bool) {
	places, known := p.starting[c.Low(i)]
	if !known {
		places = p.others
	}
	for _, k := range places {
		if !c.Meets(p.needs[k]) {
			continue
		}
		if m, ok := p.all[k].Find(c, i); ok {
			return m, true
		}
	}
	return Match{}, false
}
