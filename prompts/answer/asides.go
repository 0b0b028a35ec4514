package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// asides removes stage directions that speak of the rules: in brackets anywhere, between stars and after "Note:" at the
// start of a line. Other asides stay.
type asides struct {
	next stage
	// held is an aside that is not complete, end is the mark that ends it.
	held strings.Builder
	end  rune
	// before is the last character passed on, 0 at the start. spaces reports that only spaces came since the line began.
	before  rune
	spaces  bool
	started bool
}

// longestAside is the longest aside, in bytes; anything longer is no stage direction.
const longestAside = 300

func (a *asides) write(text string) {
	from := 0
	for i, r := range text {
		size := utf8.RuneLen(r)
		if a.end != 0 {
			a.hold(r)
			from = i + size
			continue
		}
		if end := a.opens(r); end != 0 {
			a.pass(text[from:i])
			a.end = end
			a.held.WriteRune(r)
			from = i + size
			continue
		}
		a.follow(r)
	}
	a.pass(text[from:])
}

// opens returns the end of the aside that r opens, 0 for none.
func (a *asides) opens(r rune) rune {
	lineStart := !a.started || a.before == '\n' || a.spaces
	switch {
	case r == '(' && (lineStart || unicode.IsSpace(a.before)):
		return ')'
	case r == '[' && (lineStart || unicode.IsSpace(a.before)):
		return ']'
	case (r == '*' || r == '_') && lineStart:
		return r
	case lineStart && mayStartNote(string(r)):
		return '\n'
	}
	return 0
}

// follow notes a character that is passed on.
func (a *asides) follow(r rune) {
	a.spaces = (!a.started || a.before == '\n' || a.spaces) && r == ' '
	a.before, a.started = r, true
}

// hold adds a character to the aside.
func (a *asides) hold(r rune) {
	if a.end == '\n' && r != '\n' {
		a.held.WriteRune(r)
		if !mayStartNote(a.held.String()) {
			a.release()
		}
		return
	}
	if r == a.end && r != '\n' {
		a.held.WriteRune(r)
		if held := a.held.String(); !strings.HasPrefix(held, "**") || len(held) > 4 && strings.HasSuffix(held, "**") {
			a.decide()
		}
		return
	}
	if r == '\n' {
		a.decide()
		a.pass("\n")
		a.follow(r)
		return
	}
	a.held.WriteRune(r)
	if a.held.Len() > longestAside {
		a.release()
	}
}

// decide drops the aside if it speaks of the rules.
func (a *asides) decide() {
	text := plainly(a.held.String())
	text = strings.Trim(text, "()[]*_ .")
	if rules().direction().MatchString(text) {
		a.held.Reset()
		a.end = 0
		return
	}
	a.release()
}

// release passes the aside on.
func (a *asides) release() {
	held := a.held.String()
	a.held.Reset()
	a.end = 0
	for _, r := range held {
		a.follow(r)
	}
	a.pass(held)
}

func (a *asides) pass(text string) {
	if text != "" {
		a.next.write(text)
	}
}

func (a *asides) close() {
	if a.end != 0 {
		a.decide()
	}
	a.next.close()
}

func (a *asides) reset() {
	*a = asides{next: a.next}
	a.next.reset()
}

// mayStartNote reports whether a line is, or may become, one that begins with a label such as "Note:".
func mayStartNote(line string) bool {
	line = strings.ToLower(line)
	for _, label := range rules().notes {
		if strings.HasPrefix(line, label) || strings.HasPrefix(label, line) {
			return true
		}
	}
	return false
}

// unquote removes the quotation marks around an answer that stands in them as a whole.
type unquote struct {
	next stage
	// held is what came since the opening mark, end the mark that closes it. decided reports that the text is passed on.
	held    strings.Builder
	end     rune
	closed  bool
	decided bool
}

// quotes are the quotation marks with the marks that close them.
var quotes = map[rune]rune{
	'"': '"', '“': '”', '„': '“', '«': '»', '‘': '’', '「': '」', '『': '』', '\'': '\'', '»': '«', '”': '”',
}

func (u *unquote) write(text string) {
	if u.decided {
		u.next.write(text)
		return
	}
	for i, r := range text {
		if u.end == 0 && u.held.Len() == 0 {
			if unicode.IsSpace(r) {
				continue
			}
			if u.end = quotes[r]; u.end == 0 {
				u.decided = true
				u.next.write(text[i:])
				return
			}
			u.held.WriteRune(r)
			continue
		}
		if u.closed && !unicode.IsSpace(r) && u.end != '\'' && u.end != '’' {
			u.pass()
			u.next.write(text[i:])
			return
		}
		u.closed = u.closed && unicode.IsSpace(r) || r == u.end
		u.held.WriteRune(r)
	}
}

// pass passes on what was held.
func (u *unquote) pass() {
	u.decided = true
	u.next.write(u.held.String())
}

func (u *unquote) close() {
	if !u.decided && u.held.Len() > 0 {
		held := strings.TrimSpace(u.held.String())
		_, first := utf8.DecodeRuneInString(held)
		_, last := utf8.DecodeLastRuneInString(held)
		inner := ""
		if u.closed && len(held) > first+last {
			inner = held[first : len(held)-last]
		}
		apostrophe := u.end == '\'' || u.end == '’'
		if HasContent(inner) && (!apostrophe || !strings.Contains(inner, string(u.end)+" ")) {
			held = strings.TrimSpace(inner)
		}
		u.decided = true
		u.next.write(held)
	}
	u.next.close()
}

func (u *unquote) reset() {
	*u = unquote{next: u.next}
	u.next.reset()
}
