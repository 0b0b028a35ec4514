package answer

import (
	"strings"
	"unicode"
)

// limit ends an answer that is too long at the end of a sentence, drops the space at its end, and closes a block of code
// that it leaves open.
type limit struct {
	most float64
	out  strings.Builder
	// spaces came after the text so far, held is the running sentence of an answer that is close to its limit.
	spaces, held strings.Builder
	tokens       float64
	// ended reports that the answer reached its limit, endless that no sentence ended close to it.
	mark, ended, endless bool
}

const (
	// slack is how much longer than requested an answer may be: estimates are not exact.
	slack = 1.5
	// near is the share of the limit from which on only whole sentences are passed on.
	near = 0.75
	// alphabetic is how many tokens a character of an alphabetic script is.
	alphabetic = 1 / 3.6
)

func newLimit(tokens int) *limit { return &limit{most: float64(tokens) * slack} }

func (l *limit) write(text string) {
	if l.most == 0 || l.tokens+float64(len(text)) < l.most*near {
		if l.most > 0 {
			l.tokens += weight(text)
		}
		l.add(text)
		return
	}
	for _, r := range text {
		l.one(r)
	}
}

// one adds a character to an answer that may be close to its limit.
func (l *limit) one(r rune) {
	if l.ended {
		return
	}
	l.tokens += weight(string(r))
	switch {
	case l.tokens > l.most:
		l.end()
	case l.tokens < l.most*near:
		l.add(string(r))
	default:
		if ends := l.mark && unicode.IsSpace(r); ends || r == '\n' || endsAlways(r) {
			l.add(l.held.String())
			l.held.Reset()
		}
		l.mark = strings.ContainsRune(sentenceEnds, r) || l.mark && strings.ContainsRune(sentenceClosers, r)
		l.held.WriteRune(r)
		if endsAlways(r) {
			l.add(l.held.String())
			l.held.Reset()
		}
	}
}

// end ends the answer. If no sentence ended close to the limit, it ends with a word.
func (l *limit) end() {
	l.ended = true
	text := l.text() + l.spaces.String()
	if whole := Sentences(text); whole != strings.TrimSpace(text) || whole == "" {
		held := l.held.String()
		if i := strings.LastIndexFunc(held, unicode.IsSpace); i > 0 {
			held = strings.TrimRightFunc(held[:i], unicode.IsSpace)
		}
		l.add(held + "…")
		l.endless = true
	}
	l.held.Reset()
}

// add adds text, space at its end only when more follows.
func (l *limit) add(text string) {
	bare := strings.TrimRightFunc(text, unicode.IsSpace)
	if l.out.Len() == 0 {
		bare = strings.TrimLeftFunc(bare, unicode.IsSpace)
	}
	if bare != "" {
		l.out.WriteString(l.spaces.String())
		l.spaces.Reset()
		l.out.WriteString(bare)
	}
	if l.out.Len() > 0 {
		l.spaces.WriteString(text[len(strings.TrimRightFunc(text, unicode.IsSpace)):])
	}
}

func (l *limit) text() string { return l.out.String() }

func (l *limit) close() {
	if !l.ended {
		l.add(l.held.String())
		l.held.Reset()
	}
	if closed := CloseCode(l.text()); len(closed) > l.out.Len() {
		l.out.WriteString(closed[l.out.Len():])
	}
}

func (l *limit) reset() { *l = limit{most: l.most} }

// weight estimates the tokens of a text, as package tokens does.
func weight(text string) (sum float64) {
	for _, r := range text {
		if r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) {
			sum++
		} else {
			sum += alphabetic
		}
	}
	return sum
}

const (
	sentenceEnds    = ".!?…。！？｡।؟"
	sentenceClosers = "\"'”’»)]」』*_"
)

// Sentences returns the whole sentences at the beginning of a text that broke off, "" if it has none. A line that ends with a
// colon announces what is missing.
func Sentences(text string) string {
	end, mark := 0, false
	for i, r := range text {
		switch {
		case r == '\n' && announces(text[:i]):
		case r == '\n', mark && unicode.IsSpace(r):
			end, mark = i, false
		case endsAlways(r):
			end, mark = i+len(string(r)), true
		case mark && strings.ContainsRune(sentenceClosers, r):
			if end == i {
				end = i + len(string(r))
			}
		default:
			mark = strings.ContainsRune(sentenceEnds, r)
		}
	}
	if mark {
		end = len(text)
	}
	return CloseCode(strings.TrimSpace(text[:end]))
}

// announces reports whether a text ends with a colon.
func announces(text string) bool {
	text = strings.TrimRight(text, " \t*_")
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：")
}

// CloseCode closes a block of code that text leaves open.
func CloseCode(text string) string {
	if strings.Count(text, codeFence)%2 == 0 {
		return text
	}
	return text + "\n" + codeFence
}
