package plain

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"familiar/internal/lazyregexp"
	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/turns"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// quoter answers with quotes, with their authors and dates.
type quoter struct{ *composer }

// The shares of a question's topic words are project choices.
const (
	// quoteFrom is the minimum coverage of a quote. Below it a line shares a word by chance.
	quoteFrom = 0.3
	// othersFrom is the minimum coverage for quoting others to people who ask about themselves.
	othersFrom = 0.75
	// hedgeBelow is the coverage below which a quote is offered as the closest information and not as the answer.
	hedgeBelow = 0.5
	// neighbourShare is the weight of a word in a neighbouring line.
	neighbourShare = 0.5
	// apartShare is the weight of a word in a different sentence than most of the others.
	apartShare = 0.7
	// impersonal is the weight of a line that does not mention its author, if the question is about the author.
	impersonal = 0.7
	// wantedWeight is the weight of a line by the subject of the question. Their remark in passing does not hide what
	// someone else said outright.
	wantedWeight = 1.3
)

// stretches returns what a question can be answered from: the recalled lines, then the running session, which recall
// leaves out because the voice sees it anyway.
func (qu quoter) stretches() []stretch {
	if qu.talk == nil {
		qu.talk = qu.readStretches()
	}
	return qu.talk
}

func (qu quoter) readStretches() []stretch {
	var all []stretch
	if !qu.scene.Recall.Nothing {
		for _, item := range qu.scene.Recall.Items {
			if !qu.madeByJob(item.MemoryID) {
				all = append(all, stretch{item.Lines, item.MemoryID, item.Room != ""})
			}
		}
	}
	var running []model.SnippetLine
	for _, l := range qu.scene.Recent {
		line := snippet(l)
		switch {
		case l.Self:
			line.Author = qu.scene.Card.Name
		case qu.scene.Direct:
			line.PersonID = qu.scene.Person.ID
		case l.PersonID == 0:
			continue // the author must not be guessed from a name
		}
		running = append(running, line)
	}
	return append(all, stretch{lines: running})
}

// madeByJob reports whether a job wrote a memory. No one said it, and its sources are recalled themselves.
func (qu quoter) madeByJob(id int64) bool {
	return slices.ContainsFunc(qu.scene.Recall.Hits, func(h recall.Hit) bool { return h.Memory.ID == id && h.Memory.Kind != "" })
}

// quotesFor returns the lines relevant to a question, the best of each stretch, best first.
func (qu quoter) quotesFor(heard scene.Line, q understand.Question) []found {
	var all []found
	for _, f := range qu.linesFor(heard, q) {
		if !slices.ContainsFunc(all, func(better found) bool { return better.order == f.order }) {
			all = append(all, f)
		}
	}
	return all
}

// linesFor returns all lines relevant to a question, best first: by coverage, then lines by the subject of the question
// ("I" means the asker), then in recall order. The persona's own lines and outdated values are left out.
func (qu quoter) linesFor(heard scene.Line, q understand.Question) []found {
	topic, own := qu.topicOf(q), asksOfSelf(heard, q)
	untrue := qu.untrue(q)
	var all []found
	for i, p := range qu.stretches() {
		for j := range p.lines {
			f, ok := qu.candidate(p, j, topic)
			if !ok {
				continue
			}
			f.order = i
			switch {
			case own:
				f.wanted = f.asker || qu.loreOfAsker(f)
				f.coverage *= spokenOfSelf(f.line.Text, topic)
			case q.Subject != "":
				f.wanted = sameName(f.line.Author, q.Subject)
				if f.wanted && len(topic) == 0 { // what they say about others does not count
					f.coverage *= spokenOfSelf(f.line.Text, topic)
				}
			}
			bears := f.coverage >= quoteFrom && (f.wanted || !own || f.coverage >= othersFrom) && qu.namesSubject(f, q)
			if bears && !words.SameText(f.line.Text, heard.Text) && !untrue(f.line.Text) {
				all = append(all, f)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.weight(), a.weight()), cmp.Compare(a.order, b.order))
	})
	return all
}

// isLore reports whether the line is the operator's lore and not from a conversation.
func (f found) isLore() bool { return f.line.PersonID == 0 || f.line.Author == turns.OperatorName }

// loreOfAsker reports whether the line is the operator's lore about the person being answered.
func (qu quoter) loreOfAsker(f found) bool {
	return f.isLore() && (words.Holds(f.line.Text, qu.scene.Person.Name) || words.Holds(f.line.Text, qu.scene.Address))
}

// gathered reports whether a job compiled the line from what was said.
func (qu quoter) gathered(f found) bool {
	return slices.ContainsFunc(qu.scene.Recall.Hits, func(h recall.Hit) bool {
		return h.Memory.ID == f.memoryID && h.Memory.Origin == model.OriginJob
	})
}

// weight returns a line's coverage, increased if the subject of the question said it.
func (f found) weight() float64 {
	if f.wanted {
		return f.coverage * wantedWeight
	}
	return f.coverage
}

// untrue returns a test whether a text is no answer to a question: it has an outdated value or is only imagined.
func (qu quoter) untrue(q understand.Question) func(text string) bool {
	named := func(b model.Belief) bool { return words.Holds(q.About, b.Value) } // a question for a thing by name wants what was said about it
	outdated := sync.OnceValue(func() []string {
		return scene.OutdatedValues(slices.DeleteFunc(slices.Clone(qu.scene.Beliefs), named))
	})
	return func(text string) bool {
		if len(q.Relations) > 0 && understand.Supposes(text) {
			return true
		}
		return !q.Before && slices.ContainsFunc(outdated(), func(value string) bool { return words.Holds(text, value) })
	}
}

// namesSubject reports whether a line can be about the subject of the question: they said it or are named in it.
func (qu quoter) namesSubject(f found, q understand.Question) bool {
	return len(f.topic) > 0 || q.Subject == "" || q.Subject == "you" || f.wanted || words.Holds(f.line.Text, firstWord(q.Subject))
}

// spokenOfSelf returns how well a text can answer what people ask about themselves. Good advice and praise for others
// share its words and are no answer to "what did I do?".
func spokenOfSelf(text string, topic words.Set) float64 {
	for _, s := range words.Sentences(words.Stated(text)) {
		if (len(topic) == 0 || words.SharedWith(topic, s) > 0) && slices.ContainsFunc(words.Tokens(s), words.OwnWords.Has) {
			return 1
		}
	}
	return impersonal
}

// candidate returns the line at j of a stretch as an answer about topic, false if it covers too little of it or is no
// source. A question without a topic is answered by what was recalled for it.
func (qu quoter) candidate(p stretch, j int, topic words.Set) (found, bool) {
	f := found{memoryID: p.memoryID, overheard: p.group, topic: topic, coverage: coverage(topic, p.lines, j)}
	if p.lines[j].Hit && len(topic) == 0 {
		f.coverage = 1
	}
	if f.coverage < quoteFrom {
		return f, false // most lines end here; the costly checks are only for relevant ones
	}
	source, ok := qu.source(p.lines, j)
	f.line, f.asker = source, source.PersonID != 0 && source.PersonID == qu.scene.Person.ID
	return f, ok
}

// topicOf returns the words that a line must share with a question: its content without the names of the asker and the
// subject.
func (qu quoter) topicOf(q understand.Question) words.Set {
	topic := words.Content(q.About)
	for w := range nameTalk {
		delete(topic, w)
	}
	for _, name := range []string{q.Subject, qu.scene.Person.Name, qu.scene.Address, qu.scene.Card.Name} {
		for w := range words.Content(name) {
			delete(topic, w)
		}
	}
	return topic
}

// nameTalk are words that ask for a name. Texts that share only these need not be about the same.
var nameTalk = words.Content("name names called nickname")

// coverage returns how much of a topic the line at i covers: words of one sentence in full, those of its other
// sentences and of neighbouring lines in part.
func coverage(topic words.Set, lines []model.SnippetLine, i int) float64 {
	if len(topic) == 0 {
		return 0
	}
	own := words.Stated(lines[i].Text)
	direct := words.SharedWith(topic, own)
	if direct == 0 {
		return 0 // a neighbour of a match is no match
	}
	around := make([]string, 0, 3)
	for j := max(0, i-1); j < min(len(lines), i+2); j++ {
		around = append(around, lines[j].Text)
	}
	together := direct
	if direct > 1 {
		together = 0
		for _, s := range words.Sentences(own) {
			together = max(together, words.SharedWith(topic, s))
		}
	}
	words := float64(together) + apartShare*float64(direct-together) + neighbourShare*float64(words.SharedWith(topic, around...)-direct)
	return words / float64(len(topic))
}

// source returns the line to quote for the one at i. A question is answered by the next line, if someone else wrote it.
// The persona's lines and unanswered questions are no source.
func (qu quoter) source(lines []model.SnippetLine, i int) (model.SnippetLine, bool) {
	line := lines[i]
	if allegedly.MatchString(strings.Join(words.Tokens(line.Text), " ")) {
		return line, false // a presupposition tells nothing
	}
	if words.AsksOnly(line.Text) || requests(words.Head(line.Text)) {
		if i+1 >= len(lines) || lines[i+1].PersonID == line.PersonID {
			return line, false
		}
		line = lines[i+1]
	}
	own := line.PersonID == 0 && line.Author != ""                                                                // lore has no author
	return line, !own && strings.TrimSpace(line.Text) != "" && !strings.Contains(line.Text, belief.MarkCorrected) // the rest says nothing
}

// fromTalk answers with quotes, their authors and dates. It never presents another person's words as the asker's own.
func (qu quoter) fromTalk(heard scene.Line, q understand.Question) string {
	quotes, topic := qu.quotesFor(heard, q), qu.missing(q)
	if topic != "" { // a job's text covers much, but never proves a missing fact
		quotes = slices.DeleteFunc(quotes, qu.gathered)
	}
	if len(quotes) == 0 {
		return ""
	}
	best := quotes[0]
	if topic != "" && best.coverage < hedgeBelow {
		return ""
	} else if topic != "" && best.asker {
		qu.useLine(best)
		key := "near.topic"
		if topic == "your "+q.Relations[0] {
			key = "near.thing" // "your keys" is no answer to lack
		}
		return qu.put(key, append(qu.quoteFill(best), "topic", topic)...)
	}
	qu.useLine(best)
	said := qu.quote(best, asksOfSelf(heard, q))
	if len(quotes) == 1 || qu.brief() || q.When || q.Where || q.Who || q.HowMany || q.YesNo {
		return said
	}
	second := quotes[1]
	if utf8.RuneCountInString(words.ExcerptAbout(best.line.Text, best.topic)+words.ExcerptAbout(second.line.Text, second.topic)) > words.TwoQuotes {
		return said
	}
	if second.wanted == best.wanted && second.coverage >= max(hedgeBelow, best.coverage) && second.line.Text != best.line.Text {
		qu.useLine(second)
		also := "said.also"
		if second.isLore() {
			also = "lore.also"
		}
		return said + " " + qu.put(also, qu.quoteFill(second)...)
	}
	return said
}

// missing returns what a question asked for that no one told, in which case a quote is no answer. It is empty for
// questions without a relation.
func (qu quoter) missing(q understand.Question) string {
	if len(q.Relations) == 0 || q.Subject != "" || rel.Many(q.Relations[0]) || q.YesNo {
		return ""
	}
	return rel.Topic(q.Relations[0])
}

// quote words one quote by its author and coverage. own reports that askers asked about themselves.
func (qu quoter) quote(f found, own bool) string {
	key := "said.other"
	switch {
	case qu.gathered(f):
		return qu.put("gathered", qu.quoteFill(f)...)
	case qu.loreOfAsker(f):
		return qu.put("lore.you", qu.quoteFill(f)...)
	case f.isLore():
		key = "said.lore"
	case f.asker:
		key = "said.you"
	case own:
		key = "said.notyou"
	}
	if f.coverage < hedgeBelow && key != "said.notyou" {
		key = "near" + strings.TrimPrefix(key, "said")
	}
	return qu.put(f.wording(key), qu.quoteFill(f)...)
}

// wording returns the key of a quote's wording. What people said in a group they did not tell the persona.
func (f found) wording(key string) string {
	if heard := key + ".heard"; f.asker && f.overheard && len(wordings[heard]) > 0 {
		return heard
	}
	return key
}

// quoteFill returns the slots of a quote.
func (qu quoter) quoteFill(f found) []string {
	who := f.line.Author
	if f.asker {
		who = "you"
	}
	return []string{"who", who, "day", qu.dayOf(f.line.At), "quote", words.ExcerptAbout(f.line.Text, f.topic)}
}

// fresh is how many of the last lines of a session count as said just now.
const fresh = 6

// dayOf words the day something was said. Of the running session, only the last lines were said just now.
func (qu quoter) dayOf(at time.Time) string {
	day, recent := sayDay(at, qu.scene.Now), qu.scene.Recent
	if day == justNowWords && len(recent) > fresh && at.Before(recent[len(recent)-fresh].At) {
		return "earlier"
	}
	return day
}

// asksOfSelf reports whether askers ask about themselves: "I", "my", and no one else is named.
func asksOfSelf(heard scene.Line, q understand.Question) bool {
	said := strings.Join(words.Tokens(heard.Text), " ")
	return q.Subject == "" && slices.ContainsFunc(strings.Fields(toTell.ReplaceAllString(said, "")), firstPerson.Has)
}

// toTell asks to be told something. Its "me" is not the subject of the question.
var toTell = lazyregexp.New(`\b(?:tell|remind|show|give|teach|let) me\b`)

// firstPerson are the words by which people refer to themselves.
var firstPerson = words.Of("i me my mine myself i'm i've i'd i'll im ive")

// speakerNamed returns the author of a recalled line whom a text names, in any case: "when did caroline go?"
func (qu quoter) speakerNamed(text string) string {
	said := words.Tokens(text)
	for _, p := range qu.stretches() {
		for _, l := range p.lines {
			first := strings.ToLower(firstWord(l.Author))
			if l.PersonID != 0 && l.PersonID != qu.scene.Person.ID && len(first) > 2 && (slices.Contains(said, first) || slices.Contains(said, first+"'s")) {
				return l.Author
			}
		}
	}
	return ""
}
