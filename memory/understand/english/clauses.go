package english

import "strings"

// BeginsClause holds the words that start a new clause after a comma or "and".
var BeginsClause = Set("i we my our he she they his her their you your it its what where who when which why how do does did is am are " +
	"can could will would should that this there let please")

// Joints join clauses.
var Joints = Set("and but so because then while although though yet or plus cause cuz")

// Shared holds the verbs that may take their subject from the clause before: "I live in Oslo and work as a nurse".
var Shared = Set("live lives work works love loves like likes hate hates have has am is study studies speak speaks play plays own owns prefer " +
	"prefers enjoy enjoys moved got want wants adopted bought feel feels dislike dislikes became started quit collect")

// ToldPast holds the verbs that may take their subject from the clause before after only a comma: "I'm in Oslo now,
// moved here from Riga".
var ToldPast = Set("moved relocated got adopted bought started became quit married took went left sold built wrote met lost won")

// Clauses splits a sentence where a new subject starts or a shared subject is understood.
func Clauses(text string, s Sentence) []Clause {
	var out []Clause
	var subject []Word
	start := 0
	cut := func(end, next int) {
		if end > start {
			words := s.Words[start:end:end]
			if len(subject) > 0 {
				words = append(append(make([]Word, 0, len(subject)+len(words)), subject...), words...)
			}
			out = append(out, NewClause(text, words))
		}
		start = next
	}
	last := withoutTail(s.Words)
	for k := 1; k < last; k++ {
		w := s.Words[k]
		if w.Quoted {
			continue
		}
		switch {
		case w.Low == "and" && withSpeaker(text, s, start, k):
		case Joints[w.Low] && k+1 < len(s.Words) && opensClause(s, k+1) && (BeginsClause[s.Words[k+1].Low] || hasVerb(s, start, k)):
			cut(k, k+1)
			subject = nil
		case (w.Low == "and" || w.Low == "but") && k+1 < len(s.Words) && Shared[s.Words[k+1].Low] && k > start:
			who := sharedSubject(text, s, start, subject)
			if who == nil {
				continue
			}
			cut(k, k+1)
			subject = who
		case w.Comma && opensClause(s, k):
			cut(k, k)
			subject = nil
		case w.Comma && ToldPast[w.Low]:
			if who := sharedSubject(text, s, start, subject); who != nil {
				cut(k, k)
				subject = who
			}
		}
	}
	cut(last, last)
	return out
}

// tails holds remarks at the end of a sentence, after a comma, that are not part of its statement. asides need no
// comma.
var (
	tails  = Set("sorry oops actually thanks lol haha btw though tho please ok okay right yeah anyway")
	asides = Set("btw lol haha")
)

// withoutTail returns the number of words without the remarks at their end: "Tomas is 5, sorry", "i'm sofia btw".
func withoutTail(words []Word) int {
	n := len(words)
	for n > 1 {
		w := words[n-1]
		if w.Quoted || !asides[w.Low] && !(tails[w.Low] && w.Comma) {
			break
		}
		n--
	}
	return n
}

// opensClause reports whether a new clause starts at word k.
func opensClause(s Sentence, k int) bool {
	w := s.Words[k]
	if w.Quoted {
		return false
	}
	if BeginsClause[w.Low] {
		return true
	}
	c := Clause{Words: s.Words}
	n := NameRun(c, k, 3)
	next := c.Low(k + n)
	return n > 0 && (next == "'s" || Shared[next] || next == "is")
}

// withSpeaker reports whether the "and" at word k joins a person and the speaker: "Noor and I broke up", "my wife and
// I".
func withSpeaker(text string, s Sentence, start, k int) bool {
	c := Clause{Text: text, Words: s.Words}
	if c.Low(k+1) != "i" || k == start {
		return false
	}
	from := SkipLeads(c, start)
	if c.Low(from) == "my" {
		kin, _, end := KinAt(c, from+1)
		return kin != "" && end+NameRun(c, end, 3) == k
	}
	return from+NameRun(c, from, 3) == k
}

// hasVerb reports whether words [from, to) contain a verb: "Antony and Cleopatra" before its verb is one subject.
func hasVerb(s Sentence, from, to int) bool {
	for _, w := range s.Words[from:to] {
		if Shared[w.Low] || Auxiliaries[w.Low] || w.Low == "will" {
			return true
		}
	}
	return false
}

// sharedSubject returns the subject of the clause that starts at word start.
func sharedSubject(text string, s Sentence, start int, before []Word) []Word {
	if len(before) > 0 {
		return before
	}
	c := Clause{Text: text, Words: s.Words}
	for k := start; k < len(s.Words) && k < start+4; k++ {
		if w := c.Low(k); w == "i" || w == "we" {
			return s.Words[k : k+1]
		} else if kin, _, end := KinAt(c, k+1); (w == "my" || w == "our") && kin != "" && NameRun(c, end, 3) == 0 {
			return s.Words[k:end]
		}
		if n := NameRun(c, k, 3); n > 0 && Shared[c.Low(k+n)] {
			return s.Words[k : k+n]
		}
	}
	return nil
}

// Auxiliaries begin a yes-or-no question when a subject follows.
var Auxiliaries = Set("do does did is am are was were can could will would should have has had")

// asksAfter holds the words that mark a question when they follow an auxiliary.
var asksAfter = Set("i you he she it we they my your our his her their the this that there anyone anybody someone")

// WordsOfQuestion begin a question.
var WordsOfQuestion = Set("what where who whose whom which why how when")

// Leads holds the words to skip at the start of a clause.
var Leads = Set("hey hi hello so and but well ok okay oh please btw also um uh now listen sorry quick question just then yo anyway")

// Asks reports whether a text looks like a question: it ends in a question mark or begins with a question word.
func Asks(text string) bool {
	if strings.HasSuffix(strings.TrimRight(text, " \n"), "?") {
		return true
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return WordsOfQuestion[Normalize(first)]
}

// Question reports whether the clause is a question, regardless of its punctuation.
func Question(c Clause) bool {
	i := SkipLeads(c, 0)
	w, next := c.Low(i), c.Low(i+1)
	switch {
	case w == "what" && (next == "a" || next == "an" || next == "if"), w == "when" && !Auxiliaries[next], w == "how" && !Auxiliaries[next] && !asksMeasure[next]:
		return false
	case w == "which" && next == "is" && i > 0:
		return false
	case WordsOfQuestion[w]:
		return true
	case (w == "tell" || w == "remind") && next == "me":
		third := c.Low(i + 2)
		return WordsOfQuestion[third] || third == "my" || third == "if" || third == "again" || w == "tell" && OverviewAsked(c, i)
	case w == "guess", w == "do" && next == "not":
		return w == "guess" && WordsOfQuestion[next]
	}
	return Auxiliaries[w] && (asksAfter[next] || NameRun(c, i+1, 3) > 0)
}

// asksMeasure holds the words that make a question with "how" before them.
var asksMeasure = Set("many much old long often far soon come big tall about well")

// SkipLeads returns the first word from i that is not an interjection.
func SkipLeads(c Clause, i int) int {
	for i < len(c.Words)-1 && Leads[c.Low(i)] {
		i++
	}
	return i
}

// OverviewAsked reports whether the clause asks what is known about something: "tell me about", "what did I say
// about".
func OverviewAsked(c Clause, i int) bool {
	told := false
	for ; i < len(c.Words); i++ {
		told = told || knowing[c.Low(i)]
		if c.Low(i) == "about" {
			return told
		}
	}
	return false
}

// knowing holds the verbs before "about" in a question for what is known.
var knowing = Set("know tell told remember say said talk talked mention mentioned recall learned heard")
