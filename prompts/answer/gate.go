package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// gate ends an answer at a sentence that refuses like an assistant, speaks of being a model, or reasons about the answer.
// A clause that begins like one holds the text back until its sentence is complete.
type gate struct {
	next stage
	// machine is Options.Machine, others are Options.Others as patterns see them, each with the space after it.
	machine bool
	others  []string
	// sentence is the running sentence; its first passed bytes were passed on.
	sentence []byte
	passed   int
	// clauses are where its clauses begin. decided reports that the last one begins like none that is looked for.
	clauses []int
	decided bool
	// hold is where the first clause that is held back begins, -1 for none; languages are those in which clauses were held
	// back, as bits.
	hold      int
	languages uint
	// opened reports that the next visible character begins a clause, mark that the last one may have ended the sentence.
	opened, mark bool
	begun        bool
	// apology is what was held back because it only apologizes.
	apology string
	// musings counts the sentences that reason about the answer, wary reports that there was one: nothing more is shown.
	musings int
	wary    bool
	onWary  func()
	fault   error
}

// longestLead is the longest text before the name of somebody a clause speaks of: "okay, so ".
const longestLead = 24

// longestOpener is more than the longest beginning of a clause that is looked for, in bytes.
const longestOpener = 80

func (g *gate) write(text string) {
	if g.fault != nil {
		return
	}
	if !g.begun {
		g.begin()
	}
	for _, r := range text {
		if g.mark && (unicode.IsSpace(r) || r == '"' || r == '”' || r == ')' || r == '*' || r == '_' || r == '»') && !g.end(r) {
			return
		}
		g.add(r)
		if (endsAlways(r) || r == '\n') && !g.end(0) {
			return
		}
	}
	g.pass()
}

// begin starts a sentence.
func (g *gate) begin() {
	g.begun = true
	g.sentence, g.passed, g.clauses, g.hold = g.sentence[:0], 0, g.clauses[:0], -1
	g.languages = 0
	g.opened, g.mark, g.decided = true, false, true
}

// add adds a character to the sentence.
func (g *gate) add(r rune) {
	at := len(g.sentence)
	g.sentence = utf8.AppendRune(g.sentence, r)
	g.mark = strings.ContainsRune(".!?…", r) || g.mark && strings.ContainsRune("\"”)*_»'’", r)
	space := unicode.IsSpace(r)
	if g.opened && !space && !strings.ContainsRune(quoteMarks+"*_(", r) {
		g.clauses = append(g.clauses, at)
		g.opened, g.decided = false, false
	}
	if !g.decided {
		g.compare()
	}
	if strings.ContainsRune(",;:—–(、，：；", r) {
		g.opened = true
	}
}

// compare compares the running clause with the beginnings that are looked for.
func (g *gate) compare() {
	start := g.clauses[len(g.clauses)-1]
	clause := plainly(string(g.sentence[start:]))
	languages, may := rules().opens(clause, g.others)
	g.languages |= languages
	if languages != 0 && g.hold < 0 {
		g.hold = start
	}
	g.decided = !may || len(clause) > longestOpener
}

// end ends the sentence before next, 0 if its last character ends it. It reports false if the answer ended with it.
func (g *gate) end(next rune) bool {
	if next != 0 && !unicode.IsSpace(next) {
		return true // the mark may be followed by one that closes
	}
	if g.hold >= 0 && !g.judge() {
		return false
	}
	g.flush()
	g.begin()
	return true
}

// judge reads the held sentence. It reports false if the answer ends with it.
func (g *gate) judge() bool {
	for i, l := range rules().languages {
		if g.languages&(1<<i) == 0 {
			continue
		}
		for _, start := range g.clauses {
			if start >= g.hold {
				g.read(l, ending(g.sentence[start:]))
			}
		}
		if g.fault != nil {
			g.apology = ""
			return false
		}
		if g.passed == 0 && l.apology().MatchString(ending(g.sentence)) {
			g.apology += string(g.sentence)
			g.passed = len(g.sentence)
		}
	}
	return true
}

// read reads one clause and what follows it.
func (g *gate) read(l *language, clause string) {
	switch {
	case l.refusal().MatchString(clause), !g.machine && l.boilerplate().MatchString(clause):
		g.fault = ErrRefused
	case l.instructions().MatchString(clause):
		g.fault = ErrRecited
	case l.reasoning().MatchString(clause):
		g.beWary()
		if g.musings++; g.musings > 1 && g.fault == nil {
			g.fault = ErrReasoning
		}
	case l.musing().MatchString(clause), l.speaksOf(clause, g.others):
		g.beWary()
	}
}

// beWary stops that more is shown.
func (g *gate) beWary() {
	if !g.wary && g.onWary != nil {
		g.onWary()
	}
	g.wary = true
}

// plainNames returns names as patterns see them, each with the space after it.
func plainNames(names []string) (plain []string) {
	for _, name := range names {
		if name = strings.TrimSpace(plainly(name)); name != "" {
			plain = append(plain, name+" ")
		}
	}
	return plain
}

// longestClause is how much of a sentence patterns see from the beginning of a clause, in bytes.
const longestClause = 400

// ending returns a sentence as patterns see it: plain, without the mark at its end.
func ending(sentence []byte) string {
	if len(sentence) > longestClause {
		sentence = sentence[:longestClause]
	}
	return strings.TrimRight(plainly(string(sentence)), ".!?…。！？ ")
}

// flush passes on what is left of the sentence.
func (g *gate) flush() {
	if g.passed < len(g.sentence) {
		g.next.write(g.apology + string(g.sentence[g.passed:]))
		g.apology = ""
		g.passed = len(g.sentence)
	}
}

// pass passes on what is decided of the running sentence.
func (g *gate) pass() {
	safe := len(g.sentence)
	switch {
	case g.hold >= 0:
		safe = g.hold
	case !g.decided:
		safe = g.clauses[len(g.clauses)-1]
	}
	if g.apology != "" && safe <= g.first() {
		return // only space followed the apology
	}
	if safe > g.passed {
		g.next.write(g.apology + string(g.sentence[g.passed:safe]))
		g.apology = ""
		g.passed = safe
	}
}

// first returns where the sentence's first clause begins.
func (g *gate) first() int {
	if len(g.clauses) == 0 {
		return len(g.sentence)
	}
	return g.clauses[0]
}

func (g *gate) close() {
	if g.fault == nil && g.begun && (g.hold < 0 || g.judge()) {
		g.flush()
		if g.apology != "" {
			g.next.write(g.apology)
		}
	}
	g.next.close()
}

func (g *gate) reset() {
	*g = gate{next: g.next, machine: g.machine, others: g.others, onWary: g.onWary}
	g.next.reset()
}

// endsAlways reports whether a mark ends a sentence without a space after it.
func endsAlways(r rune) bool { return strings.ContainsRune("。！？｡।؟", r) }

// plainly returns a text in lower case with plain apostrophes, single spaces and no marks of emphasis or quotation.
func plainly(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '’' || r == '‘' || r == '`':
			return '\''
		case strings.ContainsRune("*_\"“”„«»", r):
			return -1
		}
		return unicode.ToLower(r)
	}, text)
	last, _ := utf8.DecodeLastRuneInString(text)
	trailing := unicode.IsSpace(last)
	text = strings.Join(strings.Fields(text), " ")
	if trailing && text != "" {
		text += " "
	}
	return text
}
