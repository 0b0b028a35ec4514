package recall

import (
	"cmp"
	"slices"

	"familiar/memory/belief"
	"familiar/memory/lexical"
	"familiar/memory/model"
)

// Limits of packing.
const (
	// surfacePart: standing instructions and pinned memories may take one surfacePart-th of the budget.
	surfacePart = 3
	// lineCap is how many tokens one line may take. A longer one is shown as an excerpt.
	lineCap = 160
	// minLineTokens is what the time stamp alone takes: with less left, no line fits.
	minLineTokens = 5
	// minExcerptTokens is the smallest useful excerpt, in tokens.
	minExcerptTokens = 24
	// maxPinned is how many pinned memories are considered.
	maxPinned = 64
	// contextHits is how many of the best hits bring the turns around them before further hits are packed. More context
	// leaves less room for answers: 0.83 of them fit with 1, 0.81 with 8 (share of annotated turns in 1,000 tokens).
	contextHits = 1
	// retractionHits is how many of the best hits are searched for retractions of the others. Searching all would take
	// longer than finding them.
	retractionHits = 8
	// packShare is the share of the query's terms that a memory with the turns around it must contain to be packed at
	// all.
	packShare = 0.15
)

// Why an item was packed.
const (
	whyMatches  = "matches"
	WhyStanding = "standing instruction"
	WhyPinned   = "pinned"
	WhyLinked   = "linked by "
)

// packer fills a token budget.
type packer struct {
	found  *rankState
	mark   belief.Marker
	budget int
	used   int
	// lines holds the packed lines by message, taken the packed memories.
	lines map[int64]*packedLine
	taken map[int64]bool
	items []Item
	// summed holds the memories that contain packed ones: a summary and its members are never shown together.
	summed map[int64]bool
	// chosen are the packed hits that came from messages, best first.
	chosen []*candidate
	// retracted holds what people took back in and around the matches.
	retracted retractions
}

// packedLine is a packed line with its tokens.
type packedLine struct {
	model.SnippetLine
	tokens int
	// shown reports that an item has it.
	shown bool
}

// pack fills the query's budget: first what surfaces for every query, in up to a third of it, then the best hit with
// the turns around it, then further hits, then the turns around those. Consecutive turns become one item.
func pack(f *rankState, mark belief.Marker, q Query) ([]Item, int) {
	p := &packer{
		found: f, mark: mark, budget: q.Budget / surfacePart,
		lines: map[int64]*packedLine{}, taken: map[int64]bool{}, summed: map[int64]bool{},
	}
	for i := range f.matches[:min(len(f.matches), retractionHits)] {
		p.retracted.add(p.lineOf(&f.matches[i]))
	}
	p.retracted.addAll(q.Talk)
	for i := range f.standing {
		if c := &f.standing[i]; !mark.WishWithdrawn(*p.lineOf(c)) {
			p.addAlone(c, WhyStanding)
		}
	}
	for i := range f.pinned {
		p.addAlone(&f.pinned[i], WhyPinned)
	}
	p.budget = q.Budget
	if f.bearing() >= knownBearing {
		p.addHits(f.matches)
	}
	p.buildItems()
	return p.items, p.used
}

// addHits packs the matches that are about the query.
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

// worthPacking reports whether the candidate or the talk around it has something to do with the query.
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

// addContext packs the turns before and after a hit, uncut or not at all.
func (p *packer) addContext(c *candidate) {
	p.addLine(c.before, false)
	p.addLine(c.after, false)
}

// addLine packs a message, as an excerpt when it is a hit and too long. It reports whether the message is packed.
func (p *packer) addLine(message int64, hit bool) bool {
	if l := p.lines[message]; l != nil {
		l.Hit = l.Hit || hit
		return true
	}
	said := p.found.lines[message]
	if said == nil {
		return false
	}
	l, ok := p.fit(said, hit)
	if ok {
		l.Hit = hit
		p.keep(message, l)
	}
	return ok
}

// keep adds a packed line.
func (p *packer) keep(message int64, l packedLine) { p.lines[message] = &l }

// marked returns the text of a clean line, cut from whole, with outdated values marked.
func (p *packer) marked(l *model.SnippetLine, whole string) string {
	text := p.mark.MarkPart(*l, whole)
	if p.found.restated[l.MessageID] && !isMarked(text) {
		text += " " + belief.MarkRetold
	}
	return p.retracted.mark(l, text)
}

// fit marks a line and takes its tokens from the budget, as an excerpt where cut allows and it must. It marks after
// cutting, so that no mark is cut off. It reports whether the line fits.
func (p *packer) fit(whole *model.SnippetLine, cut bool) (l packedLine, ok bool) {
	left := min(lineCap, p.budget-p.used)
	if left < minLineTokens {
		return l, false
	}
	l.SnippetLine = *whole
	l.Text = p.marked(whole, whole.Text)
	l.tokens = l.Tokens()
	for limit := left; l.tokens > left; limit -= l.tokens - left {
		if !cut || left < minExcerptTokens || limit <= 0 {
			return l, false
		}
		part := *whole
		part.Text = excerpt(whole.Text, limit, p.found.gist)
		l.Text = p.marked(&part, whole.Text)
		l.tokens = l.Tokens()
	}
	p.used += l.tokens
	return l, true
}

// lineOf returns a candidate as one line: the message, else the memory.
func (p *packer) lineOf(c *candidate) *model.SnippetLine {
	if l := p.found.lines[c.message]; l != nil {
		return l
	}
	l := belief.CleanLine(model.SnippetLine{PersonID: c.memory.AuthorID, Author: c.memory.Author, At: c.at, Text: c.memory.Text})
	return &l
}

// addAlone packs a candidate as an item of one line.
func (p *packer) addAlone(c *candidate, why string) {
	if p.taken[c.id] || p.lines[c.message] != nil {
		return
	}
	l, ok := p.fit(p.lineOf(c), true)
	if !ok {
		return
	}
	l.Hit = true
	p.taken[c.id], p.summed[c.within] = true, true
	if c.message != 0 {
		l.shown = true
		p.keep(c.message, l)
	}
	p.items = append(p.items, Item{
		MemoryID: c.memoryID(), Own: c.own(), Score: c.score, Why: why, Lines: []model.SnippetLine{l.SnippetLine}, Room: model.CleanName(c.memory.RoomTitle),
		Tokens: l.tokens, Summary: c.memory.Kind == model.Summary,
	})
}

// turnLink joins a hit with a packed turn around it, in either direction.
type turnLink struct{ from, to int64 }

// buildItems makes items of the chosen hits and the turns around them. Consecutive turns form one item under the best
// of their hits.
func (p *packer) buildItems() {
	links := p.links()
	p.items = slices.Grow(p.items, len(p.chosen))
	var reach []int64
	for _, c := range p.chosen {
		if p.lines[c.message].shown {
			continue
		}
		it := Item{MemoryID: c.memoryID(), Own: c.own(), Score: c.score, Why: c.why(), Room: model.CleanName(c.memory.RoomTitle)}
		reach = p.show(reach[:0], c.message)
		for i := 0; i < len(reach); i++ {
			at, _ := slices.BinarySearchFunc(links, reach[i], func(l turnLink, id int64) int { return cmp.Compare(l.from, id) })
			for ; at < len(links) && links[at].from == reach[i]; at++ {
				reach = p.show(reach, links[at].to)
			}
		}
		slices.Sort(reach)
		it.Lines = make([]model.SnippetLine, len(reach))
		for i, id := range reach {
			l := p.lines[id]
			it.Lines[i] = l.SnippetLine
			it.Tokens += l.tokens
		}
		p.items = append(p.items, it)
	}
}

// links returns the links between the chosen hits and the packed turns around them that no item has, sorted.
func (p *packer) links() []turnLink {
	links := make([]turnLink, 0, 4*len(p.chosen))
	for _, c := range p.chosen {
		for _, n := range [...]int64{c.before, c.after} {
			if l := p.lines[n]; l != nil && !l.shown {
				links = append(links, turnLink{c.message, n}, turnLink{n, c.message})
			}
		}
	}
	slices.SortFunc(links, func(a, b turnLink) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	return links
}

// show adds a packed message to reach unless an item has it already.
func (p *packer) show(reach []int64, message int64) []int64 {
	if l := p.lines[message]; !l.shown {
		l.shown = true
		reach = append(reach, message)
	}
	return reach
}
