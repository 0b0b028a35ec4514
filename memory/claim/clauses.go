package claim

// beginsClause are the words that start a new clause after a comma or "and".
var beginsClause = set("i we my our he she they his her their you your it its what where who when which why how do does did is am are " +
	"can could will would should that this there let please")

// joints join clauses.
var joints = set("and but so because then while although though yet or plus cause cuz")

// shared are the verbs before which a subject is understood from the clause before: "I live in Oslo and work as a nurse".
var shared = set("live lives work works love loves like likes hate hates have has am is study studies speak speaks play plays own owns prefer " +
	"prefers enjoy enjoys moved got want wants adopted bought feel feels dislike dislikes became started quit collect")

// toldPast are the verbs before which a subject is understood after a mere comma: "I'm in Oslo now, moved here from Riga".
var toldPast = set("moved relocated got adopted bought started became quit married")

// clauses cuts a sentence where a new subject starts, or where a shared one is understood.
func clauses(text string, s sentence) []clause {
	var out []clause
	var subject []word
	start := 0
	cut := func(end, next int) {
		if end > start {
			words := s.words[start:end:end]
			if len(subject) > 0 {
				words = append(append(make([]word, 0, len(subject)+len(words)), subject...), words...)
			}
			out = append(out, newClause(text, words))
		}
		start = next
	}
	last := withoutTail(s.words)
	for k := 1; k < last; k++ {
		w := s.words[k]
		if w.quoted {
			continue
		}
		switch {
		case w.low == "and" && withSpeaker(text, s, start, k):
		case joints[w.low] && k+1 < len(s.words) && opensClause(s, k+1) && (beginsClause[s.words[k+1].low] || hasVerb(s, start, k)):
			cut(k, k+1)
			subject = nil
		case (w.low == "and" || w.low == "but") && k+1 < len(s.words) && shared[s.words[k+1].low] && k > start:
			who := sharedSubject(text, s, start, subject)
			if who == nil {
				continue
			}
			cut(k, k+1)
			subject = who
		case w.comma && opensClause(s, k):
			cut(k, k)
			subject = nil
		case w.comma && toldPast[w.low]:
			if who := sharedSubject(text, s, start, subject); who != nil {
				cut(k, k)
				subject = who
			}
		}
	}
	cut(last, last)
	return out
}

// tails are remarks at the end of a sentence, after a comma, that are no part of what it says; asides need no comma.
var (
	tails  = set("sorry oops actually thanks lol haha btw though tho please ok okay right yeah anyway")
	asides = set("btw lol haha")
)

// withoutTail is how many of the words are left before the remarks at their end: "Tomas is 5, sorry", "i'm sofia btw".
func withoutTail(words []word) int {
	n := len(words)
	for n > 1 {
		w := words[n-1]
		if w.quoted || !asides[w.low] && !(tails[w.low] && w.comma) {
			break
		}
		n--
	}
	return n
}

// opensClause says that a clause of its own starts at word k.
func opensClause(s sentence, k int) bool {
	w := s.words[k]
	if w.quoted {
		return false
	}
	if beginsClause[w.low] {
		return true
	}
	c := clause{words: s.words}
	n := nameRun(c, k, 3)
	next := c.low(k + n)
	return n > 0 && (next == "'s" || shared[next] || next == "is")
}

// withSpeaker says that the "and" at word k joins nobody but somebody and the speaker: "Noor and I broke up", "my wife and I".
func withSpeaker(text string, s sentence, start, k int) bool {
	c := clause{text: text, words: s.words}
	if c.low(k+1) != "i" || k == start {
		return false
	}
	from := skipLeads(c, start)
	if c.low(from) == "my" {
		kin, _, end := kinAt(c, from+1)
		return kin != "" && end+nameRun(c, end, 3) == k
	}
	return from+nameRun(c, from, 3) == k
}

// hasVerb says that a verb stands in words [from, to): "Antony and Cleopatra" before its verb is one subject.
func hasVerb(s sentence, from, to int) bool {
	for _, w := range s.words[from:to] {
		if shared[w.low] || auxiliaries[w.low] || w.low == "will" {
			return true
		}
	}
	return false
}

// sharedSubject is the subject of the clause that starts at word start.
func sharedSubject(text string, s sentence, start int, before []word) []word {
	if len(before) > 0 {
		return before
	}
	c := clause{text: text, words: s.words}
	for k := start; k < len(s.words) && k < start+4; k++ {
		if w := c.low(k); w == "i" || w == "we" {
			return s.words[k : k+1]
		} else if kin, _, end := kinAt(c, k+1); (w == "my" || w == "our") && kin != "" && nameRun(c, end, 3) == 0 {
			return s.words[k:end]
		}
		if n := nameRun(c, k, 3); n > 0 && shared[c.low(k+n)] {
			return s.words[k : k+n]
		}
	}
	return nil
}

// auxiliaries begin a yes-or-no question when a subject follows.
var auxiliaries = set("do does did is am are was were can could will would should have has had")

// asksAfter are the words after an auxiliary that show it to be a question.
var asksAfter = set("i you he she it we they my your our his her their the this that there anyone anybody someone")

// wordsOfQuestion begin a question.
var wordsOfQuestion = set("what where who whose whom which why how when")

// leads are passed over at the start of a clause.
var leads = set("hey hi hello so and but well ok okay oh please btw also um uh now listen sorry quick question just then yo anyway")

// question says whether the clause asks, whatever its punctuation.
func question(c clause) bool {
	i := skipLeads(c, 0)
	w, next := c.low(i), c.low(i+1)
	switch {
	case w == "what" && (next == "a" || next == "an" || next == "if"), w == "when" && !auxiliaries[next], w == "how" && !auxiliaries[next] && !asksMeasure[next]:
		return false
	case w == "which" && next == "is" && i > 0:
		return false
	case wordsOfQuestion[w]:
		return true
	case (w == "tell" || w == "remind") && next == "me":
		third := c.low(i + 2)
		return wordsOfQuestion[third] || third == "my" || third == "if" || third == "again" || w == "tell" && overviewAsked(c, i)
	case w == "guess", w == "do" && next == "not":
		return w == "guess" && wordsOfQuestion[next]
	}
	return auxiliaries[w] && (asksAfter[next] || nameRun(c, i+1, 3) > 0)
}

// asksMeasure are the words after "how" that ask.
var asksMeasure = set("many much old long often far soon come big tall about well")

// skipLeads is the first word from i that is no interjection.
func skipLeads(c clause, i int) int {
	for i < len(c.words)-1 && leads[c.low(i)] {
		i++
	}
	return i
}

// overviewAsked says that the clause asks for what is known about something: "tell me about", "what did I say about".
func overviewAsked(c clause, i int) bool {
	told := false
	for ; i < len(c.words); i++ {
		told = told || knowing[c.low(i)]
		if c.low(i) == "about" {
			return told
		}
	}
	return false
}

// knowing are the verbs before "about" in a question for what is known.
var knowing = set("know tell told remember say said talk talked mention mentioned recall learned heard")
