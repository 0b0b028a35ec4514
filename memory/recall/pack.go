package recall

import (
	"cmp"
	"slices"

	"familiar/internal/tokens"
	"familiar/memory/belief"
	"familiar/memory/lexical"
	"familiar/memory/model"
)

// The shares of a packing budget.
const (
	// surfacePart is which part of the budget what surfaces whatever is asked may take.
	surfacePart = 3
	// lineCap is how many tokens one line may take; what is longer is shown as an excerpt.
	lineCap = 160
	// minLineTokens is what the time alone takes of a line: with less left, no line is worth looking at.
	minLineTokens = 5
	// minExcerptTokens is below how many tokens an excerpt tells nothing.
	minExcerptTokens = 24
	// maxPinned bounds how many pinned memories are looked at.
	maxPinned = 64
	// contextHits is how many of the best hits bring the turns around them before further hits are packed. The more,
	// the less of what answers a question fits: 0.83 of it with 1, 0.81 with 8 (share of annotated turns in 1,000
	// tokens).
	contextHits = 1
	// retractionHits is how many of the best hits are read for what they take back of the others: reading all would take
	// longer than finding them.
	retractionHits = 8
	// packShare is which share of the query's terms a memory and the turns around it must hold to be packed at all.
	packShare = 0.15
)

// Why an item was packed.
const (
	whyMatches  = "matches"
	WhyStanding = "standing instruction"
	WhyPinned   = "pinned"
	WhyLinked   = "linked by "
)

// packer is a budget being filled.
type packer struct {
	found  *rankState
	mark   belief.Marker
	query  lexical.Gist
	budget int
	used   int
	// lines are those taken, by message; taken the memories.
	lines map[int64]*model.SnippetLine
	taken map[int64]bool
	items []Item
	// summed are the memories whose members are in: neither a summary nor what it sums up is shown beside the other.
	summed map[int64]bool
	// chosen are the hits taken that came from messages, best first.
	chosen []*candidate
	// withdrawn is what people took back in what was said in and around the matches.
	withdrawn retractions
}

// pack fills the query's budget: what surfaces whatever is asked in up to a third of it, then the best hit with the
// turns around it, then further hits, then turns around those. Turns that follow each other become one item.
func pack(f *rankState, mark belief.Marker, q Query) ([]Item, int) {
	p := &packer{
		found: f, mark: mark, query: lexical.GistOf(q.Text), budget: q.Budget / surfacePart,
		lines: map[int64]*model.SnippetLine{}, taken: map[int64]bool{}, summed: map[int64]bool{},
	}
	for i := range f.matches[:min(len(f.matches), retractionHits)] {
		p.withdrawn.add(p.lineOf(&f.matches[i]))
	}
	p.withdrawn.addAll(q.Talk)
	for i := range f.standing {
		if c := &f.standing[i]; !mark.WishWithdrawn(p.lineOf(c)) {
			p.addAlone(c, WhyStanding)
		}
	}
	for i := range f.pinned {
		p.addAlone(&f.pinned[i], WhyPinned)
	}
	p.budget = q.Budget
	if f.known() {
		p.addHits(f.matches)
	}
	p.buildItems()
	return p.items, p.used
}

// addHits takes the matches that are about the query.
func (p *packer) addHits(matches []candidate) {
	for i := range matches {
		c := &matches[i]
		if !c.worthPacking() || p.taken[c.id] {
			continue
		}
		if p.taken[c.within] || p.summed[c.id] {
			continue
		}
		if c.message == 0 {
			p.addAlone(c, c.why())
			continue
		}
		if p.addLine(c.message, true) {
			p.taken[c.id], p.summed[c.within] = true, true
			p.chosen = append(p.chosen, c)
			if i < contextHits {
				p.addContext(c)
			}
		}
	}
	for _, c := range p.chosen {
		p.addContext(c)
	}
}

// worthPacking says that the candidate, or the talk around it, has something to do with the query.
func (c *candidate) worthPacking() bool {
	return c.linked != "" || c.hop.Of > 0 || c.values[lexical.Window] >= packShare || c.values[lexical.Dated] > 0 || c.means()
}

func (c *candidate) why() string {
	switch {
	case c.hop.Of > 0:
		return c.hop.String()
	case c.linked != "":
		return WhyLinked + c.linked
	}
	return whyMatches
}

// addContext takes the turns before and after a hit, whole or not at all.
func (p *packer) addContext(c *candidate) {
	p.addLine(c.before, false)
	p.addLine(c.after, false)
}

// addLine takes a message, as an excerpt when it is a hit and too long. It says whether the message is in.
func (p *packer) addLine(message int64, hit bool) bool {
	if l := p.lines[message]; l != nil {
		l.Hit = l.Hit || hit
		return true
	}
	l, said := p.found.lines[message]
	if !said {
		return false
	}
	l.Hit = hit
	if !p.fit(&l, hit) {
		return false
	}
	p.lines[message] = &l
	return true
}

// marked is the text of a clean line, cut from whole, as shown.
func (p *packer) marked(l model.SnippetLine, whole string) string {
	text := p.mark.MarkPart(l, whole)
	if p.found.language[l.MessageID] && !isMarked(text) {
		text += " " + belief.MarkRetold
	}
	return p.withdrawn.mark(l, text)
}

// fit marks the line and spends the budget on it, cut to an excerpt where it must and may be. What is cut is marked
// afterwards, so that no mark is cut off.
func (p *packer) fit(l *model.SnippetLine, cut bool) bool {
	left := min(lineCap, p.budget-p.used)
	if left < minLineTokens {
		return false
	}
	whole := *l
	l.Text = p.marked(whole, whole.Text)
	need := tokens.Estimate(l.String())
	for limit := left; need > left; limit -= need - left {
		if !cut || left < minExcerptTokens || limit <= 0 {
			return false
		}
		part := whole
		part.Text = excerpt(whole.Text, limit, p.query)
		l.Text = p.marked(part, whole.Text)
		need = tokens.Estimate(l.String())
	}
	p.used += need
	return true
}

// lineOf is a candidate as one line: what was said, else what is remembered.
func (p *packer) lineOf(c *candidate) model.SnippetLine {
	if l, said := p.found.lines[c.message]; said {
		return l
	}
	return belief.CleanLine(model.SnippetLine{PersonID: c.memory.AuthorID, Author: c.memory.Author, At: c.at, Text: c.memory.Text})
}

// addAlone packs a candidate as an item of one line.
func (p *packer) addAlone(c *candidate, why string) {
	l := p.lineOf(c)
	if p.taken[c.id] || p.lines[c.message] != nil {
		return
	}
	l.Hit = true
	before := p.used
	if !p.fit(&l, true) {
		return
	}
	p.taken[c.id], p.summed[c.within] = true, true
	if c.message != 0 {
		p.lines[c.message] = &l
	}
	p.items = append(p.items, Item{
		MemoryID: c.id, Score: c.score, Why: why, Lines: []model.SnippetLine{l}, Room: model.CleanName(c.memory.RoomTitle),
		Tokens: p.used - before,
	})
}

// buildItems makes items of the chosen hits and the turns around them: turns that follow each other stand together under the
// best of their hits.
func (p *packer) buildItems() {
	shown := map[int64]bool{}
	for _, it := range p.items {
		for _, l := range it.Lines {
			shown[l.MessageID] = true
		}
	}
	after := map[int64][]int64{} // neighbours both ways
	for _, c := range p.chosen {
		for _, n := range []int64{c.before, c.after} {
			if p.lines[n] != nil && !shown[n] {
				after[c.message] = append(after[c.message], n)
				after[n] = append(after[n], c.message)
			}
		}
	}
	for _, c := range p.chosen {
		if shown[c.message] {
			continue
		}
		it := Item{MemoryID: c.id, Score: c.score, Why: c.why(), Room: model.CleanName(c.memory.RoomTitle)}
		for reach := []int64{c.message}; len(reach) > 0; {
			id := reach[len(reach)-1]
			reach = reach[:len(reach)-1]
			if shown[id] {
				continue
			}
			shown[id] = true
			l := *p.lines[id]
			it.Lines = append(it.Lines, l)
			it.Tokens += tokens.Estimate(l.String())
			reach = append(reach, after[id]...)
		}
		slices.SortFunc(it.Lines, func(a, b model.SnippetLine) int { return cmp.Compare(a.MessageID, b.MessageID) })
		p.items = append(p.items, it)
	}
}
