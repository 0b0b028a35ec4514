package plain

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"familiar/memory/when"
	"familiar/persona/evidence"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// quotable returns the sources that may answer a question, as the evidence sees them: the persona's own words if it is asked for
// them, else those of everybody else. Lines with outdated values answer only questions about the past, and what jobs put
// together counts only if gathered is set.
func (an answerer) quotable(gathered bool) (from []scene.Source, lines []evidence.Line) {
	outdated := scene.OutdatedValues(an.scene.Beliefs)
	ofPersona := evidence.AsksPersona(an.line.Text)
	for _, s := range an.sources() {
		stale := !an.q.Before && slices.ContainsFunc(outdated, func(v string) bool { return words.Holds(s.Text, v) && !words.Holds(an.line.Text, v) })
		repeated := words.SameText(s.Text, an.line.Text) || evidence.Recalls(s.Text)
		if s.Self == ofPersona && (gathered || !s.Gathered) && !stale && !repeated && !an.refused(s.Text, an.line.Text) {
			from = append(from, s)
			lines = append(lines, evidence.Line{Text: s.Text, At: s.At, Author: s.Author, Own: s.Own || s.Self || s.Lore && an.names(s.Text)})
		}
	}
	return from, lines
}

// names reports whether a text of the operator's names the person.
func (an answerer) names(text string) bool {
	return words.Holds(text, an.scene.Person.Name) || an.scene.Address != "" && words.Holds(text, an.scene.Address)
}

const (
	// sureOf is how likely the lines must answer for the best to be quoted. Of questions by authors that nothing was fitted to,
	// more than half then get the right line, and about one answer in fifteen is a wrong one.
	sureOf = 0.6
	// coveredSure is that if a line of the asker's has every word of the question, which is then quoted.
	coveredSure = 0.15
	// loreShare is how much of what is asked for the operator's lore must have to be quoted: it was written to answer.
	loreShare = 0.6
	// ownShare is how likely a line of the asker's must answer, as a share of the best line, to be preferred to another's.
	ownShare = 0.5
	// neighborReach is how many lines apart two may be that belong together, as others may answer in between, neighborTime how
	// far apart in time.
	neighborReach = 2
	neighborTime  = 10 * time.Minute
	// pieceTime is how far apart in time the pieces of one sentence may be.
	pieceTime = 90 * time.Second
	// quoteRunes is the longest text quoted as a whole, shortRunes the longest that hardly says anything by itself, in
	// characters.
	quoteRunes, shortRunes = 160, 40
)

// fromQuotes answers with the words of somebody, with their author and date, "" if no line is likely to answer. What a job put
// together counts only where nobody's own words answer.
func (an answerer) fromQuotes() string {
	everything := evidence.AsksEverything(an.line.Text)
	for _, gathered := range []bool{false, true} {
		from, lines := an.quotable(gathered)
		if gathered && !slices.ContainsFunc(from, func(s scene.Source) bool { return s.Gathered }) {
			return "" // the same lines again
		}
		ranked := evidence.Rank(an.line.Text, an.tongue.tag, lines)
		if !an.line.Parsed.Supposes { // what was only imagined answers nothing that is asked in earnest
			ranked = slices.DeleteFunc(ranked, evidence.Answer.Supposed)
		}
		sure := 0.0
		for _, a := range ranked {
			sure += a.Probability
		}
		covers := func(a evidence.Answer) bool {
			s := from[a.Line]
			return s.Lore && (a.SharesWords() && a.Shares() >= loreShare || a.Shares() == 1 && !an.asksOfSelf()) || s.Own && !a.Asks() && (a.Covers() && sure >= coveredSure || everything && a.Shares() == 1 && a.AddsWords())
		}
		switch i := slices.IndexFunc(ranked, covers); {
		case sure >= sureOf:
			return an.quoted(ranked, from, everything)
		case i >= 0:
			return an.quoted(slices.Insert(ranked, 0, ranked[i]), from, everything)
		}
	}
	return ""
}

// quoted quotes the likeliest line, and what the same person said right before or after if it belongs to it: a correction, what
// is likely too, or the other pieces of a sentence that was sent in pieces. If everything is asked for, it quotes a second line.
func (an answerer) quoted(ranked []evidence.Answer, from []scene.Source, everything bool) string {
	best := ranked[0]
	for _, a := range ranked {
		if an.asksOfSelf() && from[a.Line].Own && !from[best.Line].Own && a.Probability >= ownShare*best.Probability {
			best = a
		}
	}
	s := from[best.Line]
	parts := []string{an.quote(s, best)}
	for _, a := range ranked {
		o := from[a.Line]
		near := max(a.Line-best.Line, best.Line-a.Line) <= neighborReach && o.At.Sub(s.At).Abs() <= neighborTime
		also := a.Shares() == 1 && best.Shares() == 1 && everything
		if a.Line == best.Line || !near && !also || len(parts) > neighborReach || o.Own != s.Own || o.PersonID != s.PersonID || utf8.RuneCountInString(o.Text) > quoteRunes {
			continue
		}
		piece := utf8.RuneCountInString(s.Text) <= shortRunes && utf8.RuneCountInString(o.Text) <= shortRunes && o.At.Sub(s.At).Abs() <= pieceTime && !a.Chats()
		likely := len(parts) == 1 && a.Probability >= evidence.CompanionShare*best.Probability
		if a.Line > best.Line && a.Corrects() || !an.brief() && (piece || likely) {
			an.use(o.Memory, o.MessageID)
			key := "said.also"
			if near {
				key = "said.then"
			}
			parts = append(parts, an.put(key, "quote", excerpt(o.Text, a.Start, a.End)))
		}
	}
	return strings.Join(parts, " ")
}

// excerpt returns a text for quoting: all of it if it is short, else from the sentence on that has bytes [start, end).
func excerpt(text string, start, end int) string {
	if utf8.RuneCountInString(text) <= quoteRunes {
		return words.Excerpt(text)
	}
	if i := strings.IndexAny(text[end:], ".!?\n"); i >= 0 {
		text = text[:end+i]
	}
	from := strings.LastIndexAny(text[:start], ".!?\n") + 1
	if utf8.RuneCountInString(text[from:end]) > quoteRunes { // the clause ends a long sentence
		return "…" + words.Excerpt(text[start:])
	}
	return words.Excerpt(text[from:])
}

// quote words one line by its author and, if the question asks for a time and the line names one, with its date.
func (an answerer) quote(s scene.Source, a evidence.Answer) string {
	an.use(s.Memory, s.MessageID)
	quote := excerpt(s.Text, a.Start, a.End)
	key := "said.you"
	switch {
	case s.Gathered:
		return an.put("said.gathered", "quote", quote)
	case s.Lore && an.names(s.Text):
		return an.put("said.lore.you", "quote", quote)
	case s.Lore:
		return an.put("said.lore", "quote", quote)
	case s.Self:
		key = "said.self"
	case !s.Own && an.asksOfSelf():
		key = "said.notyou"
	case !s.Own:
		key = "said.other"
	}
	fill := []string{"who", s.Author, "day", an.day(s.At), "quote", quote}
	said := s.At.In(an.scene.Now.Location())
	spans := append(when.Find(s.Text[a.Start:a.End], said), when.Find(quote, said)...)
	i := slices.IndexFunc(spans, func(span when.Span) bool { return !span.Clock })
	if dated := key + ".when"; i >= 0 && an.q.When && an.tongue.has(dated) {
		key, fill = dated, append(fill, "when", an.time(spans[i].From, spans[i].Until))
	}
	if heard := key + ".heard"; s.Group && s.Own && an.tongue.has(heard) {
		key = heard // what people said in a group they did not tell the persona
	}
	return an.put(key, fill...)
}

// asksOfSelf reports whether askers ask about themselves: "I", "my", and no one else is named.
func (an answerer) asksOfSelf() bool {
	return an.q.Subject == "" && slices.ContainsFunc(words.Tokens(an.line.Text), firstPerson.Has)
}

// firstPerson are the words by which people refer to themselves.
var firstPerson = words.Of("i my mine myself i'm i've i'd i'll im ive ich mein meine yo mi mis je mon ma mes")
