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
		if s.Self != ofPersona || s.Gathered && !gathered {
			continue
		}
		stale := !an.q.Before && slices.ContainsFunc(outdated, func(v string) bool { return words.Holds(s.Text, v) && !words.Holds(an.line.Text, v) })
		repeated := words.SameText(s.Text, an.line.Text) || evidence.Recalls(s.Text)
		if !stale && !repeated && !an.refused(s.Text, an.line.Text) {
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
	sureOf = 0.65
	// coveredSure is that if a line has every word of the question, which is then quoted: one of the asker's, if they ask about themselves.
	coveredSure = 0.1
	// loreShare is how much of what is asked for the operator's lore must have to be quoted: it was written to answer.
	loreShare = 0.6
	// ownShare is how likely a line of the asker's must answer, as a share of the best line, to be preferred to another's.
	ownShare = 0.5
	// correctionShare is how likely a correction that was not said right after a line must answer, as a share of it.
	correctionShare = 0.05
	// pieceShare is how likely another piece of a sentence must answer that was sent in pieces.
	pieceShare = 0.05
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

// finding is what was said, the likeliest answer to a question first.
type finding struct {
	ranked []evidence.Answer
	from   []scene.Source
	// everything reports that all that was told about something is asked for.
	everything bool
}

func (t finding) best() scene.Source { return t.from[t.ranked[0].Line] }

// fromQuotes answers with the words of somebody, with their author and date, "" if no line is likely to answer.
func (an answerer) fromQuotes() string {
	if t, ok := an.find(); ok {
		return an.quoted(t)
	}
	return ""
}

// find returns what answers, and whether a line surely does. What a job put together counts only where nobody's own words answer.
func (an answerer) find() (t finding, ok bool) {
	t.everything = evidence.AsksEverything(an.line.Text)
	for _, gathered := range []bool{false, true} {
		var lines []evidence.Line
		t.from, lines = an.quotable(gathered)
		if gathered && !slices.ContainsFunc(t.from, func(s scene.Source) bool { return s.Gathered }) {
			return t, false // the same lines again
		}
		t.ranked = evidence.Rank(an.line.Text, an.tongue.tag, lines)
		if !an.line.Parsed.Supposes { // what was only imagined answers nothing that is asked in earnest
			t.ranked = slices.DeleteFunc(t.ranked, evidence.Answer.Supposed)
		}
		if !an.q.YesNo && !an.q.Before { // "I don't like jazz" does not answer what is liked
			t.ranked = slices.DeleteFunc(t.ranked, evidence.Answer.Denies)
		}
		sure := 0.0
		for _, a := range t.ranked {
			sure += a.Probability
		}
		covers := func(a evidence.Answer) bool { return an.covers(t.from[a.Line], a, sure, t.everything) }
		switch i := slices.IndexFunc(t.ranked, covers); {
		case sure >= sureOf && len(t.ranked) > 0:
			return t, true
		case i >= 0:
			t.ranked = slices.Insert(t.ranked, 0, t.ranked[i])
			return t, true
		}
	}
	return t, false
}

// covers reports whether a line has all words of the question, or most if it is the operator's lore.
func (an answerer) covers(s scene.Source, a evidence.Answer, sure float64, everything bool) bool {
	if s.Lore {
		return a.SharesWords() && a.Shares() >= loreShare || a.Shares() == 1 && !an.asksOfSelf()
	}
	return (s.Own || !s.Self && !an.asksOfSelf()) && !a.Asks() && (a.Covers() && sure >= coveredSure || everything && a.Shares() == 1 && a.AddsWords())
}

// quoted quotes the likeliest line and what the same person said that belongs to it, in the order it was said.
func (an answerer) quoted(t finding) string {
	best := t.ranked[0]
	for _, a := range t.ranked {
		if an.asksOfSelf() && t.from[a.Line].Own && !t.from[best.Line].Own && a.Probability >= ownShare*best.Probability {
			best = a
		}
	}
	beside := an.beside(t, best)
	corrected := slices.ContainsFunc(beside, func(a evidence.Answer) bool {
		return a.Line > best.Line && a.Corrects() && a.Probability >= correctionShare*best.Probability
	})
	parts := []string{an.quote(t.from[best.Line], best, corrected)}
	for _, a := range beside {
		o := t.from[a.Line]
		an.use(o.Memory, o.MessageID)
		key := "said.also"
		switch {
		case a.Line > best.Line && near(t, a, best):
			key = "said.then"
		case a.Line > best.Line && a.Corrects():
			key = "said.later"
		}
		parts = append(parts, an.put(key, "quote", excerpt(o.Text, a.Start, a.End)))
	}
	return strings.Join(parts, " ")
}

// near reports whether two lines were said close to each other.
func near(t finding, a, b evidence.Answer) bool {
	return max(a.Line-b.Line, b.Line-a.Line) <= neighborReach && t.from[a.Line].At.Sub(t.from[b.Line].At).Abs() <= neighborTime
}

// beside returns the lines to quote with the best one, in the order they were said: later ones that correct or change it, what is
// likely too, the other pieces of a sentence that was sent in pieces, and a second one if everything is asked for.
func (an answerer) beside(t finding, best evidence.Answer) (found []evidence.Answer) {
	s := t.from[best.Line]
	likelyOnes := 0
	for _, a := range t.ranked {
		o := t.from[a.Line]
		if a.Line == best.Line || len(found) == neighborReach || o.Own != s.Own || o.PersonID != s.PersonID || utf8.RuneCountInString(o.Text) > quoteRunes {
			continue
		}
		near, all := near(t, a, best), t.everything && a.Shares() == 1 && best.Shares() == 1 && a.AddsWords()
		piece := utf8.RuneCountInString(s.Text) <= shortRunes && utf8.RuneCountInString(o.Text) <= shortRunes && o.At.Sub(s.At).Abs() <= pieceTime && a.Probability >= pieceShare
		likely := likelyOnes == 0 && a.Probability >= evidence.CompanionShare*best.Probability
		corrects := a.Line > best.Line && a.Corrects() && (near || a.Probability >= correctionShare*best.Probability)
		if corrects || near && likely || !an.brief() && (all || near && piece) {
			found = append(found, a)
			if !corrects {
				likelyOnes++
			}
		}
	}
	slices.SortFunc(found, func(a, b evidence.Answer) int { return a.Line - b.Line })
	return found
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

// sourced returns a text from elsewhere for quoting: its source, then its words as excerpt cuts them.
func sourced(text string, start, end int) string {
	source, said, ok := strings.Cut(text, "“")
	if !ok {
		return "“" + excerpt(text, start, end) + "”"
	}
	cut := len(text) - len(said)
	said = strings.TrimSuffix(said, "”")
	start, end = min(max(start-cut, 0), len(said)), min(max(end-cut, 0), len(said))
	return source + "“" + excerpt(said, start, end) + "”"
}

// quote words one line by its author and, if the question asks for a time, the line names one and it was not corrected, with its date.
func (an answerer) quote(s scene.Source, a evidence.Answer, corrected bool) string {
	an.use(s.Memory, s.MessageID)
	quote := excerpt(s.Text, a.Start, a.End)
	key := "said.you"
	switch {
	case s.Foreign:
		return an.put("said.foreign", "quote", sourced(s.Text, a.Start, a.End))
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
	if dated := key + ".when"; i >= 0 && an.q.When && !corrected && an.tongue.has(dated) {
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
