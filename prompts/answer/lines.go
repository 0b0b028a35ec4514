package answer

import (
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// lines removes the heads of lines that a model imitates from the prompt: dates and the persona's name. It ends the text
// at a line that speaks for somebody else.
type lines struct {
	next        stage
	own, others []string
	// pending is the head of a line that is not decided yet.
	pending string
	// inLine reports that the head of the running line is decided, skip that the line is dropped.
	inLine, skip bool
	// started reports that something visible was passed on, foreign that the text began with the line of somebody else and
	// waits for the persona's, ended that somebody else's line followed the persona's words.
	started, foreign, ended bool
	// dated reports that an entry's date was removed from the running line, code that the line is in a block of code.
	dated, code bool
}

// roles are names that a model puts before the words of those it speaks with.
var roles = []string{"user", "human"}

func newLines(name string, others []string, next stage) *lines {
	l := &lines{next: next, others: append([]string{}, roles...)}
	l.own = append(names(name), "assistant")
	for _, other := range others {
		if other = strings.TrimSpace(other); other != "" {
			l.others = append(l.others, other)
		}
	}
	return l
}

// names returns a name and its first word.
func names(name string) []string {
	words := strings.Fields(name)
	if len(words) < 2 {
		return words
	}
	return []string{strings.TrimSpace(name), words[0]}
}

func (l *lines) write(text string) {
	l.pending += text
	l.scan(false)
}

func (l *lines) close() {
	l.scan(true)
	l.next.close()
}

func (l *lines) reset() {
	*l = lines{next: l.next, own: l.own, others: l.others}
	l.next.reset()
}

// scan passes on what is decided of the pending text.
func (l *lines) scan(complete bool) {
	for l.pending != "" && !l.ended {
		if l.inLine {
			l.passLine()
			continue
		}
		if !l.started {
			l.pending = strings.TrimLeftFunc(l.pending, unicode.IsSpace)
		}
		line, _, whole := strings.Cut(l.pending, "\n")
		if !l.head(line, whole || complete) {
			return
		}
	}
	if l.ended {
		l.pending = ""
	}
}

// passLine passes on the running line as far as it is there.
func (l *lines) passLine() {
	n := strings.IndexByte(l.pending, '\n') + 1
	l.inLine = n == 0
	if n == 0 {
		n = len(l.pending)
	}
	if !l.skip {
		l.next.write(l.pending[:n])
	}
	l.pending = l.pending[n:]
	if !l.inLine {
		l.dated, l.skip = false, false
	}
}

// head decides on the head of a line, whole if no more of the line follows. It reports false if more must be known.
func (l *lines) head(line string, whole bool) bool {
	if l.code {
		return l.begin(line, whole)
	}
	if at := entryHead().FindString(line); at != "" {
		l.pending, l.dated = l.pending[len(at):], true
		return l.pending != "" || whole
	}
	if !whole && mayBecomeEntry(line) {
		return false
	}
	n, unsure := l.ownLabel(line)
	if n > 0 && unsure && !whole {
		return false
	}
	if n > 0 {
		l.foreign = false
		l.pending = openedQuote(line[:n]) + l.pending[n:]
		if !l.started {
			return true
		}
		l.pending = strings.TrimLeft(l.pending, " ")
		return l.begin(l.pending, false)
	}
	other, unsureOther := l.otherLabel(line)
	switch {
	case other && l.started && !l.foreign:
		l.ended = true
		return true
	case other:
		l.foreign = true
	case (unsure || unsureOther) && !whole:
		return false
	}
	return l.begin(line, whole)
}

// begin passes the running line on, or drops it while the text is somebody else's.
func (l *lines) begin(line string, whole bool) bool {
	bare := strings.TrimLeft(line, " ")
	if !whole && len(bare) < len(codeFence) && strings.HasPrefix(codeFence, bare) {
		return false
	}
	if strings.HasPrefix(bare, codeFence) {
		l.code = !l.code
	}
	l.inLine = true
	l.skip = l.foreign
	if !l.skip && bare != "" {
		l.started = true
	}
	return true
}

// codeFence begins and ends a block of code.
const codeFence = "```"

// ownLabel returns the length of the persona's label at the start of a line.
func (l *lines) ownLabel(line string) (n int, unsure bool) {
	own := l.own
	if !l.started || l.dated {
		own = append([]string{"you"}, own...)
	}
	for i, name := range own {
		dash := i >= len(own)-len(l.own) && i < len(own)-1
		n, more := label(line, name, dash)
		if n > 0 {
			return n, more
		}
		unsure = unsure || more
	}
	return 0, unsure
}

// otherLabel reports whether a line begins with the label of somebody else.
func (l *lines) otherLabel(line string) (found, unsure bool) {
	for _, name := range l.others {
		n, more := label(line, name, false)
		if n > 0 {
			return true, false
		}
		unsure = unsure || more
	}
	return false, unsure
}

const (
	// opening and closing are what may stand around a name in front of a line.
	opening = "*_#>[(` \t" + quoteMarks
	closing = "*_])`" + quoteMarks
	// quoteMarks are quotation marks around words.
	quoteMarks = "\"'“”„«»‘’「」『』"
	// decoration is the longest decoration before a name.
	decoration = 12
)

// label returns the length of a label at the start of a line: a name, whatever stands around it, and a colon, with dash
// also a dash between spaces. unsure reports that the line may become one.
func label(line, name string, dash bool) (n int, unsure bool) {
	rest := strings.TrimLeft(line, opening)
	if len(line)-len(rest) > decoration {
		return 0, false
	}
	emphasis := strings.Trim(line[:len(line)-len(rest)], "#>[( \t"+quoteMarks)
	if len(rest) < len(name) {
		return 0, hasFoldPrefix(name, rest)
	}
	if !hasFoldPrefix(rest, name) {
		return 0, false
	}
	rest = strings.TrimLeft(rest[len(name):], closing)
	if rest == "" {
		return 0, true
	}
	for _, colon := range []string{":", "："} {
		if after, ok := strings.CutPrefix(rest, colon); ok {
			after = strings.TrimLeft(after, emphasis)
			return len(line) - len(after), strings.TrimSpace(after) == ""
		}
	}
	if strings.HasPrefix("：", rest) {
		return 0, true
	}
	if !dash {
		return 0, false
	}
	for _, mark := range []string{" — ", " – ", " - "} {
		if after, ok := strings.CutPrefix(rest, mark); ok {
			return len(line) - len(after), false
		}
		unsure = unsure || strings.HasPrefix(mark, rest)
	}
	return 0, unsure
}

// hasFoldPrefix reports whether text begins with prefix in any case.
func hasFoldPrefix(text, prefix string) bool {
	n := len(prefix)
	return len(text) >= n && (n == len(text) || utf8.RuneStart(text[n])) && strings.EqualFold(text[:n], prefix)
}

// openedQuote returns the quotation mark that a label opened and did not close: it belongs to the words.
func openedQuote(label string) string {
	rest := strings.TrimLeft(label, opening)
	open := strings.Trim(label[:len(label)-len(rest)], "*_#>[(` \t")
	if open == "" || strings.ContainsAny(rest, quoteMarks) {
		return ""
	}
	return open
}

// entryHead matches the head of an entry as a model may imitate it: "Fri 2026-05-01 14:03 | ".
var entryHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d{2}-\d{2} \d{2}:\d{2} \| `)
})

// mayBecomeEntry reports whether a line may become the head of an entry.
func mayBecomeEntry(line string) bool {
	for day := time.Sunday; day <= time.Saturday; day++ {
		whole := day.String()[:3] + " 2000-01-01 00:00 | "
		if len(line) < len(whole) && entryHead().MatchString(line+whole[len(line):]) {
			return true
		}
	}
	return false
}
