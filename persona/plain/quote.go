package plain

import (
	"cmp"
	"maps"
	"slices"
	"strings"
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

// quoter answers with what was said, quoted with its author and day.
type quoter struct{ *composer }

// The shares of a question's topic words are project choices.
const (
	// quoteFrom is the least coverage worth quoting: below it a line shares a chance word with the question.
	quoteFrom = 0.3
	// othersFrom is the least coverage at which another person's words are told to who asks about themselves.
	othersFrom = 0.75
	// hedgeBelow is where a quote is offered as the nearest thing known, not as the answer.
	hedgeBelow = 0.5
	// neighbourShare is what a word counts that stands in the lines around.
	neighbourShare = 0.5
	// apartShare is what a word counts that stands in another sentence of the line than most of the others.
	apartShare = 0.7
	// impersonal is what a line counts that does not speak of its speaker where they are asked about.
	impersonal = 0.7
	// wantedWeight is what a line counts that was said by whom the question asks about: what they said in passing does
	// not hide what someone else told outright.
	wantedWeight = 1.3
)

// stretches returns what a question can be answered from: what was recalled, then the running session, which recall
// leaves out because it is shown to the voice already.
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
			continue // whose words these are must not be guessed from a name
		}
		running = append(running, line)
	}
	return append(all, stretch{lines: running})
}

// madeByJob reports whether a job put a memory into words: nobody said them, and what they were made from is recalled
// itself.
func (qu quoter) madeByJob(id int64) bool {
	return slices.ContainsFunc(qu.scene.Recall.Hits, func(h recall.Hit) bool { return h.Memory.ID == id && h.Memory.Kind != "" })
}

// quotesFor returns the lines that are relevant to a question, the best of each stretch, best first.
func (qu quoter) quotesFor(heard scene.Line, q understand.Question) []found {
	var all []found
	for _, f := range qu.linesFor(heard, q) {
		if !slices.ContainsFunc(all, func(better found) bool { return better.order == f.order }) {
			all = append(all, f)
		}
	}
	return all
}

// linesFor returns all lines that are relevant to a question, best first: by how much of the question they cover, those
// of whom the question asks about ("I" asks about the asker) before others of like coverage, then as recalled. The
// persona's own words are no source, nor is what tells a value that no longer holds.
func (qu quoter) linesFor(heard scene.Line, q understand.Question) []found {
	topic, own := qu.topicOf(q), asksOfSelf(heard, q)
	var all []found
	for i, p := range qu.stretches() {
		for j := range p.lines {
			f, ok := qu.candidate(p, j, topic)
			if !ok || f.coverage < quoteFrom {
				continue // most lines: the rest is only asked of those that are relevant to the question
			}
			f.order = i
			switch {
			case own:
				f.wanted = f.asker || qu.loreOfAsker(f)
				f.coverage *= spokenOfSelf(f.line.Text, topic)
			case q.Subject != "":
				f.wanted = sameName(f.line.Author, q.Subject)
				if f.wanted && len(topic) == 0 { // anything of them: what they say of others is not that
					f.coverage *= spokenOfSelf(f.line.Text, topic)
				}
			}
			bears := f.coverage >= quoteFrom && (f.wanted || !own || f.coverage >= othersFrom) && qu.namesSubject(f, q)
			if bears && !words.SameText(f.line.Text, heard.Text) && !qu.untrue(f.line.Text, q) {
				all = append(all, f)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.weight(), a.weight()), cmp.Compare(a.order, b.order))
	})
	return all
}

// isLore reports whether nobody in talk said the line: the operator told it.
func (f found) isLore() bool { return f.line.PersonID == 0 || f.line.Author == turns.OperatorName }

// loreOfAsker reports whether the operator told the line of the person spoken to.
func (qu quoter) loreOfAsker(f found) bool {
	return f.isLore() && (words.Holds(f.line.Text, qu.scene.Person.Name) || words.Holds(f.line.Text, qu.scene.Address))
}

// gathered reports whether the line is no word of anybody's: a job put it together from what was said.
func (qu quoter) gathered(f found) bool {
	return slices.ContainsFunc(qu.scene.Recall.Hits, func(h recall.Hit) bool {
		return h.Memory.ID == f.memoryID && h.Memory.Origin == model.OriginJob
	})
}

// weight returns a line's coverage, more for whom the question asks about.
func (f found) weight() float64 {
	if f.wanted {
		return f.coverage * wantedWeight
	}
	return f.coverage
}

// untrue reports whether a text answers nothing: it tells a value that no longer holds, or only imagines something.
func (qu quoter) untrue(text string, q understand.Question) bool {
	if len(q.Relations) > 0 && understand.Supposes(text) {
		return true
	}
	named := func(b model.Belief) bool { return words.Holds(q.About, b.Value) } // who asks for a thing by name wants what was said of it
	return !q.Before && scene.Outdated(slices.DeleteFunc(slices.Clone(qu.scene.Beliefs), named), text)
}

// namesSubject reports whether a line may tell of whom a question asks about and nothing else of: they said it, or are
// named in it.
func (qu quoter) namesSubject(f found, q understand.Question) bool {
	return len(f.topic) > 0 || q.Subject == "" || q.Subject == "you" || f.wanted || words.Holds(f.line.Text, firstWord(q.Subject))
}

// spokenOfSelf returns how far a text can answer what someone asks about themselves: good advice and praise for others
// share its words and are no answer to "what did I do?".
func spokenOfSelf(text string, topic words.Set) float64 {
	for _, s := range words.Sentences(words.Stated(text)) {
		if (len(topic) == 0 || words.SharedWith(topic, s) > 0) && slices.ContainsFunc(words.Tokens(s), words.OwnWords.Has) {
			return 1
		}
	}
	return impersonal
}

// candidate returns the line at j of a stretch as an answer to a question about topic, false when it is no source. A
// question that names no topic is answered by what was recalled for it.
func (qu quoter) candidate(p stretch, j int, topic words.Set) (found, bool) {
	source, ok := qu.source(p.lines, j)
	f := found{line: source, memoryID: p.memoryID, overheard: p.group, topic: topic, coverage: coverage(topic, p.lines, j)}
	if p.lines[j].Hit && len(topic) == 0 {
		f.coverage = 1
	}
	f.asker = source.PersonID != 0 && source.PersonID == qu.scene.Person.ID
	return f, ok
}

// topicOf returns the words a line must share with a question: its content without the names of who asks and who is
// asked about.
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

// nameTalk are the words that ask for a name: two texts that share them need not speak of the same.
var nameTalk = words.Content("name names called nickname")

// coverage returns how much of a topic the line at i covers: the words of one sentence whole, those of its others and
// of the lines around it in part.
func coverage(topic words.Set, lines []model.SnippetLine, i int) float64 {
	if len(topic) == 0 {
		return 0
	}
	own := words.Stated(lines[i].Text)
	direct := words.SharedWith(topic, own)
	if direct == 0 {
		return 0 // what stands beside a match is not one
	}
	around := make(words.Set)
	for j := max(0, i-1); j < min(len(lines), i+2); j++ {
		maps.Copy(around, words.Content(lines[j].Text))
	}
	together := direct
	if direct > 1 {
		together = 0
		for _, s := range words.Sentences(own) {
			together = max(together, words.SharedWith(topic, s))
		}
	}
	words := float64(together) + apartShare*float64(direct-together) + neighbourShare*float64(words.Shared(topic, around)-direct)
	return words / float64(len(topic))
}

// source returns the line to quote for the one at i: a question is answered by the line after it, when someone else
// said that. The persona's words and questions nobody answered are no source.
func (qu quoter) source(lines []model.SnippetLine, i int) (model.SnippetLine, bool) {
	line := lines[i]
	if allegedly.MatchString(strings.Join(words.Tokens(line.Text), " ")) {
		return line, false // what someone takes for said tells nothing
	}
	if words.AsksOnly(line.Text) || requests(words.Head(line.Text)) {
		if i+1 >= len(lines) || lines[i+1].PersonID == line.PersonID {
			return line, false
		}
		line = lines[i+1]
	}
	own := line.PersonID == 0 && line.Author != ""                                                                // what the operator told has no author
	return line, !own && strings.TrimSpace(line.Text) != "" && !strings.Contains(line.Text, belief.MarkCorrected) // what is left of that says nothing
}

// fromTalk answers with what was said, quoted with who said it and when. What only someone else said is never given as
// the asker's own.
func (qu quoter) fromTalk(heard scene.Line, q understand.Question) string {
	quotes, topic := qu.quotesFor(heard, q), qu.missing(q)
	if topic != "" { // what a job put together says a lot, and never what nobody told
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

// missing names what a question asked for that nobody told: a quote about it is then not the answer. It is empty for
// questions that no relation answers.
func (qu quoter) missing(q understand.Question) string {
	if len(q.Relations) == 0 || q.Subject != "" || rel.Many(q.Relations[0]) || q.YesNo {
		return ""
	}
	return rel.Topic(q.Relations[0])
}

// quote words one quote by whose it is and how well it fits; own says that the asker asked about themselves.
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

// wording returns the key of how a quote is worded: what the person said in a group they did not tell the persona.
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

// fresh is how many of the last lines of a talk were said just now.
const fresh = 6

// dayOf words the day something was said; of the running session, only its last lines were said just now.
func (qu quoter) dayOf(at time.Time) string {
	day, recent := sayDay(at, qu.scene.Now), qu.scene.Recent
	if day == justNowWords && len(recent) > fresh && at.Before(recent[len(recent)-fresh].At) {
		return "earlier"
	}
	return day
}

// asksOfSelf reports whether the asker asks about themselves: "I", "my", and nobody else named.
func asksOfSelf(heard scene.Line, q understand.Question) bool {
	said := strings.Join(words.Tokens(heard.Text), " ")
	return q.Subject == "" && slices.ContainsFunc(strings.Fields(toTell.ReplaceAllString(said, "")), firstPerson.Has)
}

// toTell asks to be told: the "me" in it is not who is asked about.
var toTell = lazyregexp.New(`\b(?:tell|remind|show|give|teach|let) me\b`)

// firstPerson are the words by which someone speaks of themselves.
var firstPerson = words.Of("i me my mine myself i'm i've i'd i'll im ive")

// speakerNamed returns whoever said something recalled and is named in a text, in capitals or not: "when did caroline
// go?"
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
