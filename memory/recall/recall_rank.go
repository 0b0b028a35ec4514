package recall

import (
	"cmp"
	"slices"

	"familiar/memory/belief"
	"familiar/memory/lexical"
	"familiar/memory/model"
)

// How much what a memory is, beside its words, may move its score: decay takes at most fadeShare of it, salience moves
// it by half of salienceShare either way. Both are slight, since what is asked for must be found however old and small
// it is: a fadeShare of 0.1 already loses 1 in 100 of what questions ask for months later, one of 0.03 still 1 in 300.
const (
	fadeShare     = 0.01
	salienceShare = 0.02
)

// temper is what the score of a memory is multiplied with for what it is: its sector's weight for the persona, its
// salience and how far it has faded.
func adjustScore(m model.Memory, decay, weight float64) float64 {
	return weight * (1 + salienceShare*(m.Salience-0.5)) * (1 - fadeShare*(1-decay))
}

// rank tempers the scores, puts the best first, newer first among equals and then by id, and lets the newer of two
// alike statements lead.
func (f *rankState) rank(q Query) {
	for i := range f.matches {
		c := &f.matches[i]
		c.decay = f.fade.Retention(c.memory, q.Now)
		c.score *= adjustScore(c.memory, c.decay, sectorWeight(q, c.memory.Sector))
	}
	slices.SortStableFunc(f.matches, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), b.at.Compare(a.at), cmp.Compare(a.id, b.id))
	})
	f.matches = summariesFirst(f.matches)
	gist := lexical.GistOf(q.Text)
	f.language = preferNewer(f.matches[:min(q.Limit, len(f.matches))], gist, func(c *candidate) []string {
		return f.kept[c.scope].termsOf(c.memory, gist)
	})
	f.promoteLinks()
}

// promoteLinks puts the links of an answer before what was found by its words, above the best of it.
func (f *rankState) promoteLinks() {
	if len(f.chain) == 0 {
		return
	}
	top := 0.0
	for i := range f.chain {
		c := &f.chain[i]
		if at := slices.IndexFunc(f.matches, func(m candidate) bool { return m.id == c.id }); at >= 0 {
			c.values, c.decay, top = f.matches[at].values, f.matches[at].decay, max(top, f.matches[at].score)
			f.matches = slices.Delete(f.matches, at, at+1)
		}
	}
	if len(f.matches) > 0 {
		top = max(top, f.matches[0].score)
	}
	for i := range f.chain {
		f.chain[i].score = top + belief.HopDiscount*float64(len(f.chain)-i)
	}
	f.matches = slices.Concat(f.chain, f.matches)
}

// minSummaryMembers is how many of its members must match for a summary to be lifted.
const minSummaryMembers = 2

// summariesFirst puts a summary that was found with several of its members in front of the best of them, with that one's
// score: together they are what it says.
func summariesFirst(ranked []candidate) []candidate {
	members := map[int64]int{}
	for _, c := range ranked {
		if c.within != 0 {
			members[c.within]++
		}
	}
	for summary := len(ranked) - 1; summary > 0; summary-- {
		c := ranked[summary]
		if members[c.id] < minSummaryMembers {
			continue
		}
		best := slices.IndexFunc(ranked, func(m candidate) bool { return m.within == c.id })
		if best < summary {
			c.score = ranked[best].score
			ranked = slices.Insert(slices.Delete(ranked, summary, summary+1), best, c)
			summary++ // what stood before it has moved here
			members[c.id] = 0
		}
	}
	return ranked
}

func sectorWeight(q Query, sector model.Sector) float64 {
	if w, given := q.Weights[sector]; given {
		return w
	}
	return 1
}

const (
	// rivalShare is how near the scores of two statements must be for the newer to lead.
	rivalShare = 0.75
	// minStatementOverlap is which share of the longer one's terms both must hold to be about the same thing, minOpeningTerms how
	// many terms in a row both may begin with instead: "my sister's favourite dish is …" twice.
	minStatementOverlap = 0.6
	minOpeningTerms     = 3
	// maxStatementTerms is how many terms a statement has at most: what is longer tells of much and shares most of it with
	// nothing, and two pages compared word for word would take longer than finding them.
	maxStatementTerms = 256
)

// preferNewer lets the newer of two statements about the same thing take the older one's place: told again, the last
// word counts. It must hold every term of the query that the older one holds, so that it answers as well. It returns
// the messages whose author began the same statement again later and went on differently.
func preferNewer(ranked []candidate, query lexical.Gist, termsOf func(*candidate) []string) (retold map[int64]bool) {
	terms := make([][]string, len(ranked))
	for i := range ranked {
		terms[i] = termsOf(&ranked[i])
	}
	for i := range ranked {
		best := i
		for j := i + 1; j < len(ranked) && ranked[j].score >= rivalShare*ranked[i].score; j++ {
			told := ranked[j].memory.Origin != model.OriginJob // a summary is no statement
			if told && ranked[j].at.After(ranked[best].at) && similarStatements(terms[i], terms[j]) && answers(terms[j], terms[i], query) {
				best = j
			}
		}
		if best == i {
			continue
		}
		ranked[i], ranked[best] = ranked[best], ranked[i]
		ranked[i].score, ranked[best].score = ranked[best].score, ranked[i].score // scores stay with the places
		terms[i], terms[best] = terms[best], terms[i]
	}
	retold = map[int64]bool{}
	for i := range ranked {
		for j := range ranked {
			a, b := &ranked[i], &ranked[j]
			if a.message != 0 && a.at.Before(b.at) && a.memory.AuthorID == b.memory.AuthorID && sameOpening(terms[i], terms[j]) &&
				!slices.Equal(terms[i], terms[j]) {
				retold[a.message] = true
			}
		}
	}
	return retold
}

// similarStatements says that two statements share most of their terms, at least two, or begin with the same ones.
func similarStatements(a, b []string) bool {
	if sameOpening(a, b) {
		return true
	}
	if max(len(a), len(b)) > maxStatementTerms {
		return false
	}
	shared := 0
	for _, t := range a {
		if slices.Contains(b, t) {
			shared++
		}
	}
	return shared >= 2 && float64(shared) >= minStatementOverlap*float64(max(len(a), len(b)))
}

func sameOpening(a, b []string) bool {
	return len(a) >= minOpeningTerms && len(b) >= minOpeningTerms && slices.Equal(a[:minOpeningTerms], b[:minOpeningTerms])
}

// answers says that newer holds every term of the query that older holds.
func answers(newer, older []string, query lexical.Gist) bool {
	for _, t := range older {
		if query.Has(t) && !slices.Contains(newer, t) {
			return false
		}
	}
	return true
}

// reasons are the parts of a candidate's score, largest first, then what it was multiplied with.
func (c *candidate) reasons(q Query) []Reason {
	var all []Reason
	if c.linked != "" {
		all = append(all, Reason{"linked by " + c.linked, "shares a name with one of the best matches", 1, hopDamping})
	}
	if c.hop.Of > 0 {
		all = append(all, Reason{"answers: " + c.hop.String(), "a link of the chain of facts the question asks for", 1, 1})
	}
	for f, v := range c.values {
		if v != 0 {
			f := lexical.Feature(f)
			all = append(all, Reason{f.String(), f.Why(), float64(v), float64(lexical.Standard[f])})
		}
	}
	slices.SortStableFunc(all, func(a, b Reason) int { return cmp.Compare(abs(b.Value*b.Weight), abs(a.Value*a.Weight)) })
	return append(all,
		Reason{"times sector " + string(c.memory.Sector), "the persona's weight for the kind of memory", 1, sectorWeight(q, c.memory.Sector)},
		Reason{"times salience", "how much it mattered moves the score by half of this share either way", c.memory.Salience, salienceShare},
		Reason{"times freshness", "what has faded takes at most this share", c.decay, fadeShare},
	)
}

func abs(v float64) float64 { return max(v, -v) }
