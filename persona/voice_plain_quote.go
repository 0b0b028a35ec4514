package persona

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"familiar/memory"
	"familiar/memory/claim"
)

// found is a recalled line that bears on a question.
type found struct {
	line     memory.SnippetLine
	memoryID int64
	// coverage is the share of the question's topic words found in the line, 0–1; words of the lines around it count
	// half.
	coverage float64
	// asker says that the person spoken to said it, wanted that whom the question asks about did.
	asker, wanted bool
	// topic are the words asked for.
	topic wordSet
	order int
}

// The shares of a question's topic words are choices of this project.
const (
	// quoteFrom is the least coverage worth quoting: below it a line shares a chance word with the question.
	quoteFrom = 0.3
	// hedgeBelow is where a quote is offered as the nearest thing known, not as the answer.
	hedgeBelow = 0.5
	// neighbourShare is what a word counts that stands in the lines around.
	neighbourShare = 0.5
)

// stretch is some lines of talk: what recall brought of one memory, or the running talk itself.
type stretch struct {
	lines    []memory.SnippetLine
	memoryID int64
}

// stretches are what a question can be answered from: what was recalled, then the running talk, which recall leaves out
// because it is in front of the voice already.
func (sp *speaking) stretches() []stretch {
	var all []stretch
	if !sp.scene.Recall.Nothing {
		for _, item := range sp.scene.Recall.Items {
			all = append(all, stretch{item.Lines, item.MemoryID})
		}
	}
	var running []memory.SnippetLine
	for _, l := range sp.scene.Recent {
		line := memory.SnippetLine{PersonID: l.PersonID, Author: l.Name, At: l.At, Text: l.Text}
		switch {
		case l.Self:
			line.Author = sp.scene.Card.Name
		case sp.scene.Direct:
			line.PersonID = sp.scene.Person.ID
		case l.PersonID == 0:
			continue // whose words these are must not be guessed from a name
		}
		running = append(running, line)
	}
	return append(all, stretch{lines: running})
}

// quotesFor are the lines that bear on a question, the best of each stretch, best first: what was said by whom the
// question asks about ("I" asks about the asker), then by how much of the question they cover, then as recalled. The
// persona's own words are no source, nor is what tells a value that no longer holds.
func (sp *speaking) quotesFor(heard Line, q claim.Question) []found {
	topic, own := sp.topicOf(q), asksOfSelf(heard, q)
	var all []found
	for i, p := range sp.stretches() {
		best := found{coverage: -1}
		for j := range p.lines {
			f, ok := sp.candidate(p, j, topic)
			if !ok || sameText(f.line.Text, heard.Text) || !q.Before && outdated(sp.scene.Beliefs, f.line.Text) {
				continue
			}
			f.order = i
			switch {
			case own:
				f.wanted = f.asker
			case q.Subject != "":
				f.wanted = sameName(f.line.Author, q.Subject)
			}
			if better(f, best) {
				best = f
			}
		}
		if best.coverage >= quoteFrom {
			all = append(all, best)
		}
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(rank(b.wanted), rank(a.wanted)), cmp.Compare(b.coverage, a.coverage), cmp.Compare(a.order, b.order))
	})
	return all
}

// candidate is the line at j of a stretch as an answer to a question about topic, false when it is no source. A
// question that names no topic is answered by what was recalled for it.
func (sp *speaking) candidate(p stretch, j int, topic wordSet) (found, bool) {
	source, ok := sp.source(p.lines, j)
	f := found{line: source, memoryID: p.memoryID, topic: topic, coverage: coverage(topic, p.lines, j)}
	if p.lines[j].Hit && len(topic) == 0 {
		f.coverage = 1
	}
	f.asker = source.PersonID != 0 && source.PersonID == sp.scene.Person.ID
	return f, ok
}

// sameText says that two texts are the same but for case and the space around them.
func sameText(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) }

// better says that a is the line to take of an item rather than b.
func better(a, b found) bool {
	if enough := a.coverage >= quoteFrom; enough != (b.coverage >= quoteFrom) {
		return enough
	}
	if a.wanted != b.wanted {
		return a.wanted
	}
	return a.coverage > b.coverage
}

// topicOf are the words a line must share with a question: its content without the names of who asks and who is
// asked about.
func (sp *speaking) topicOf(q claim.Question) wordSet {
	topic := contentOf(q.About)
	for _, name := range []string{q.Subject, sp.scene.Person.Name, sp.scene.Address, sp.scene.Card.Name} {
		for w := range contentOf(name) {
			delete(topic, w)
		}
	}
	return topic
}

// coverage is how much of a topic the line at i covers, with the lines around it at half.
func coverage(topic wordSet, lines []memory.SnippetLine, i int) float64 {
	if len(topic) == 0 {
		return 0
	}
	own := contentOf(lines[i].Text)
	around := make(wordSet)
	for j := max(0, i-1); j < min(len(lines), i+2); j++ {
		for w := range contentOf(lines[j].Text) {
			around[w] = true
		}
	}
	direct := shared(topic, own)
	if direct == 0 {
		return 0 // what stands beside a match is not one
	}
	return (float64(direct) + neighbourShare*float64(shared(topic, around)-direct)) / float64(len(topic))
}

// source is the line to quote for the one at i: a question is answered by the line after it, when somebody else said
// that. The persona's words and questions nobody answered are no source.
func (sp *speaking) source(lines []memory.SnippetLine, i int) (memory.SnippetLine, bool) {
	line := lines[i]
	if strings.HasSuffix(strings.TrimSpace(line.Text), "?") {
		if i+1 >= len(lines) || lines[i+1].PersonID == line.PersonID {
			return line, false
		}
		line = lines[i+1]
	}
	own := line.PersonID == 0 && strings.EqualFold(line.Author, sp.scene.Card.Name)
	return line, !own && strings.TrimSpace(line.Text) != ""
}

// fromTalk answers with what was said, quoted with who said it and when. What only somebody else said is never given
// as the asker's own.
func (sp *speaking) fromTalk(heard Line, q claim.Question) string {
	quotes := sp.quotesFor(heard, q)
	if len(quotes) == 0 {
		return ""
	}
	best := quotes[0]
	sp.use(best.memoryID)
	if topic := sp.missing(q); topic != "" && best.asker {
		return sp.put("near.topic", append(sp.quoteFill(best), "topic", topic)...)
	}
	said := sp.quote(best, asksOfSelf(heard, q))
	if len(quotes) == 1 || sp.brief() || q.When || q.Where || q.Who || q.HowMany || q.YesNo {
		return said
	}
	second := quotes[1]
	if second.wanted == best.wanted && second.coverage >= max(hedgeBelow, best.coverage) && second.line.Text != best.line.Text {
		sp.use(second.memoryID)
		return said + " " + sp.put("said.also", sp.quoteFill(second)...)
	}
	return said
}

// missing names what a question asked for that nobody told: a quote about it is then not the answer. It is empty for
// questions that no relation answers.
func (sp *speaking) missing(q claim.Question) string {
	if len(q.Relations) == 0 || q.Subject != "" || claim.Many(q.Relations[0]) || q.YesNo {
		return ""
	}
	return claim.Topic(q.Relations[0])
}

// quote words one quote by whose it is and how well it fits; own says that the asker asked about themselves.
func (sp *speaking) quote(f found, own bool) string {
	key := "said.other"
	switch {
	case f.line.PersonID == 0:
		key = "said.lore"
	case f.asker:
		key = "said.you"
	case own:
		key = "said.notyou"
	}
	if f.coverage < hedgeBelow && key != "said.notyou" {
		key = "near" + strings.TrimPrefix(key, "said")
	}
	return sp.put(key, sp.quoteFill(f)...)
}

// quoteFill are the slots of a quote.
func (sp *speaking) quoteFill(f found) []string {
	who := f.line.Author
	if f.asker {
		who = "you"
	}
	return []string{"who", who, "day", sayDay(f.line.At, sp.scene.Now), "quote", excerptAbout(f.line.Text, f.topic)}
}

// asksOfSelf says that the asker asks about themselves: "I", "my", and nobody else named.
func asksOfSelf(heard Line, q claim.Question) bool {
	return q.Subject == "" && slices.ContainsFunc(tokens(heard.Text), firstPerson.has)
}

// firstPerson are the words by which somebody speaks of themselves.
var firstPerson = words("i me my mine myself i'm i've i'd i'll im ive")

// quoteLimit is the longest quote, in characters: two lines of a chat.
const quoteLimit = 220

// excerptAbout is an excerpt that, of a long text, begins with the sentence nearest to a topic.
func excerptAbout(text string, topic wordSet) string {
	text = head(text)
	if utf8.RuneCountInString(text) <= quoteLimit {
		return excerpt(text)
	}
	parts := sentences(text)
	best, most := 0, 0
	for i, s := range parts {
		if n := shared(topic, contentOf(s)); n > most {
			best, most = i, n
		}
	}
	return excerpt(strings.Join(parts[best:], " "))
}

// excerpt is a text as it is quoted: on one line, cut at a word when it is long, without quotation marks of its own.
func excerpt(text string) string {
	text = strings.NewReplacer("“", "", "”", "", "\"", "").Replace(strings.Join(strings.Fields(head(text)), " "))
	if utf8.RuneCountInString(text) <= quoteLimit {
		return strings.TrimRight(text, ".")
	}
	text = cut(text, quoteLimit)
	if i := strings.LastIndexByte(text, ' '); i > 0 {
		text = text[:i]
	}
	return strings.TrimRight(text, " .,;:") + "…"
}
