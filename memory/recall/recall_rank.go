package recall

import (
	"cmp"
	"slices"

	"familiar/memory/belief"
	"familiar/memory/lexical"
	"familiar/memory/model"
)

// How much a memory's state may change its score: decay takes at most fadeShare of it, salience moves it by half of
// salienceShare either way. Both are small, because old and minor memories must still be found: a fadeShare of 0.1
// loses 1 in 100 of the answers to questions asked months later, 0.03 still 1 in 300.
const (
	fadeShare     = 0.01
	salienceShare = 0.02
)

// adjustScore returns the multiplier for the sector's weight, salience and decay.
func adjustScore(salience, decay, weight float64) float64 {
	return weight * (1 + salienceShare*(salience-0.5)) * (1 - fadeShare*(1-decay))
}

// rank adjusts the scores, sorts best first, then newer first, then by id, and puts the newer of two similar statements
// first.
func (f *rankState) rank(q Query) {
	for i := range f.matches {
		c := &f.matches[i]
		c.decay = f.fade.Retention(c.present(), q.Now)
		c.score *= adjustScore(c.memory.Salience, c.decay, sectorWeight(q, c.memory.Sector))
	}
	slices.SortStableFunc(f.matches, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), b.at.Compare(a.at), cmp.Compare(a.id, b.id))
	})
	f.matches = summariesFirst(f.matches)
	f.restated = preferNewer(f.matches[:min(q.Limit, len(f.matches))], f.gist, func(c *candidate) []string {
		return f.kept[c.scope].termsOf(c.id, c.memory, f.gist)
	})
	f.promoteLinks()
	keepTelling(f.matches, q.Limit)
}

// promoteLinks puts the path of a multi-hop answer before the word matches, scored above the best of them.
func (f *rankState) promoteLinks() {
	if len(f.chain) == 0 {
		return
	}
	top := 0.0
	for i := range f.chain {
		c := &f.chain[i]
		if at := indexOf(f.matches, c.id); at >= 0 {
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

// minSummaryMembers is how many members of a summary must match for it to be promoted.
const minSummaryMembers = 2

// summariesFirst puts a summary that matched together with several of its members before the best of them, at that
// member's score: together they say what it says.
func summariesFirst(ranked []candidate) []candidate {
	members := map[int64]int{}
	for i := range ranked {
		if within := ranked[i].within; within != 0 {
			members[within]++
		}
	}
	if len(members) == 0 {
		return ranked
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
			summary++ // the candidates before it moved here
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
	// rivalShare is how close the scores of two statements must be for the newer to go first.
	rivalShare = 0.75
	// minStatementOverlap is the share of the longer statement's terms that both must contain to be about the same
	// thing. minOpeningTerms is how many terms they may begin with in common instead, as in "my sister's favourite dish
	// is …".
	minStatementOverlap = 0.6
	minOpeningTerms     = 3
	// maxStatementTerms is the longest statement compared, in terms. A longer text covers many subjects, and comparing
	// two pages term by term would take longer than finding them.
	maxStatementTerms = 256
)

// preferNewer gives the newer of two statements about the same thing the older one's place, because the last word
// counts. The newer must contain every query term that the older one contains, so that it answers as well. It returns
// the messages whose author began the same statement again later and continued differently.
func preferNewer(ranked []candidate, query lexical.Gist, termsOf func(*candidate) []string) (retold map[int64]bool) {
	terms := make([][]string, len(ranked))
	for i := range ranked {
		terms[i] = termsOf(&ranked[i])
	}
	for i := range ranked {
		best := i
		for j := i + 1; j < len(ranked) && ranked[j].score >= rivalShare*ranked[i].score; j++ {
			told := ranked[j].memory.Origin != model.OriginJob // a summary is no statement
			told = told && ranked[j].own() == ranked[i].own()  // and an echo no correction
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

// similarStatements reports whether two statements share most of their terms, at least two, or begin with the same
// ones.
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

// answers reports whether newer contains every term of the query that older contains.
func answers(newer, older []string, query lexical.Gist) bool {
	for _, t := range older {
		if query.Has(t) && !slices.Contains(newer, t) {
			return false
		}
	}
	return true
}

// reasons returns the parts of a candidate's score, largest first, then its multipliers.
func (c *candidate) reasons(q Query, weights *lexical.Weights) []Reason {
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
			all = append(all, Reason{f.String(), f.Why(), float64(v), float64(weights[f])})
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
