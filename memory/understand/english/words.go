package english

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/internal/text"
)

// ReadLimit is how many bytes of a text are read. Claims come in the first page, and a pasted book must not cost more
// than a letter.
const ReadLimit = 16 << 10

// Word is a normalized word with its position. A contraction is two words: "don't" is "do" and "not".
type Word struct {
	Low        string
	Start, End int
	Capital    bool
	// Quoted reports that the word is inside quotation marks: it can be a value but never a claim.
	Quoted bool
	// Comma reports that a comma, colon, dash or bracket precedes the word.
	Comma bool
	// Dash reports that the mark is a colon, dash or bracket.
	Dash bool
}

// Sentence is a sequence of words without a full stop between them.
type Sentence struct {
	Words []Word
	Asks  bool // it ends with a question mark
}

// Split splits the first ReadLimit bytes of text into sentences.
func Split(said string) []Sentence {
	l := lexer{text: said[:min(len(said), ReadLimit)]}
	for l.pos < len(l.text) {
		r, size := utf8.DecodeRuneInString(l.text[l.pos:])
		if IsWord(r) {
			l.word()
			continue
		}
		if l.owns(r, size) {
			continue
		}
		l.mark(r, size)
		l.pos += size
	}
	l.close(false)
	return l.done
}

// Words returns the words of a text without sentence boundaries.
func Words(text string) (words []Word) {
	for _, s := range Split(text) {
		words = append(words, s.Words...)
	}
	return words
}

// lexer splits a text.
type lexer struct {
	text  string
	pos   int
	done  []Sentence
	now   []Word
	comma bool
	dash  bool
	quote rune // the mark that ends the quotation, 0 outside
}

// IsWord reports whether a rune is part of a word. utf8.RuneError stands for an unreadable one.
func IsWord(r rune) bool {
	return text.IsWord(r) || r == utf8.RuneError
}

// quotes maps the opening quotation marks to the closing ones.
var quotes = map[rune]rune{'"': '"', '“': '”', '„': '“', '«': '»', '\'': '\'', '‘': '’'}

// mark processes the rune between words at pos.
func (l *lexer) mark(r rune, size int) {
	switch {
	case l.quote != 0 && r == l.quote:
		l.quote = 0
	case l.quote == 0 && quotes[r] != 0 && l.opens(r, size):
		l.quote = quotes[r]
	case r == '.' && l.abbreviates():
		if last := &l.now[len(l.now)-1]; l.dotted() || closings[last.Low] {
			last.End += size // the full stop is part of "D.C." and "Smith Jr."
		}
		if l.begins() {
			l.close(false)
		}
	case (r == '!' || r == '?') && l.titled(size):
		l.now[len(l.now)-1].End += size
	case strings.ContainsRune(".!;\n…", r):
		l.close(false)
	case r == '?':
		l.close(true)
	case strings.ContainsRune(",:()—–", r), r == '-' && l.pos > 0 && l.text[l.pos-1] == ' ':
		l.comma, l.dash = true, l.dash || r != ','
	}
}

// owns reads a possessive after a mark that belongs to its owner: "Smith Jr.'s", "Yahoo!'s".
func (l *lexer) owns(r rune, size int) bool {
	rest := l.text[l.pos+size:]
	if r != '\'' && r != '’' || len(l.now) == 0 || l.text[l.pos-1] == ' ' || l.quote == r || !strings.HasPrefix(rest, "s ") {
		return false
	}
	l.now = append(l.now, Word{Low: "'s", Start: l.pos, End: l.pos + size + 1, Quoted: l.quote != 0})
	l.pos += size + 1
	return true
}

// opens reports whether the mark at pos begins a quotation that is closed later.
func (l *lexer) opens(r rune, size int) bool {
	rest := l.text[l.pos+size:]
	if r == '\'' && (l.pos > 0 && l.text[l.pos-1] != ' ' || rest == "" || rest[0] == ' ') {
		return false
	}
	return strings.ContainsRune(rest, quotes[r])
}

// titles holds abbreviations before a name: their full stop never ends a sentence.
var titles = Set("dr mr mrs ms mx st ste prof rev hon capt mt ft vs")

// IsTitle reports whether a word is an abbreviation before a name.
func IsTitle(low string) bool { return titles[low] }

// closings holds abbreviations after a name: their full stop may also end a sentence.
var closings = Set("jr sr inc ltd corp co bros etc")

// abbreviates reports whether the full stop at pos belongs to the word before it.
func (l *lexer) abbreviates() bool {
	if len(l.now) == 0 || l.now[len(l.now)-1].End != l.pos || l.text[l.pos-1] == '.' {
		return false // "Apple Inc.." already has its full stop
	}
	last := l.now[len(l.now)-1]
	initial := last.Capital && last.End-last.Start == 1 && last.Low != "i"
	return initial || titles[last.Low] || closings[last.Low] || l.dotted()
}

// titled reports whether the mark at pos ends a title and not a sentence: "Oliver! was written by …". A statement
// must follow, not a question.
func (l *lexer) titled(size int) bool {
	if len(l.now) == 0 || !l.now[len(l.now)-1].Capital || l.now[len(l.now)-1].End != l.pos {
		return false
	}
	rest := l.text[l.pos+size : min(l.pos+size+titleAhead, len(l.text))]
	if strings.HasPrefix(rest, ".") && !strings.HasPrefix(rest, "..") {
		return true // the sentence has a full stop of its own
	}
	next := strings.Fields(rest)
	return len(next) > 1 && (next[0] == "is" || next[0] == "was") && !asksAfter[Normalize(next[1])]
}

// titleAhead is how many bytes after a title are read to decide.
const titleAhead = 40

// dotted reports whether the full stop at pos is the last one in an abbreviation: "D.C.", "p.m.".
func (l *lexer) dotted() bool {
	return l.pos > 1 && l.text[l.pos-2] == '.' && (l.text[l.pos-1] < '0' || l.text[l.pos-1] > '9')
}

// begins reports whether a sentence begins after the abbreviation that ends at pos: with a word that has a capital
// only there, or with the end of the text.
func (l *lexer) begins() bool {
	if titles[l.now[len(l.now)-1].Low] {
		return false
	}
	rest := strings.TrimLeft(l.text[l.pos+1:], " ")
	if len(rest) == len(l.text)-l.pos-1 && strings.IndexFunc(rest, IsWord) == 0 {
		return false // "U.S.A."
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return !IsWord(r) })
	if end < 0 {
		end = len(rest)
	}
	next := rest[:end]
	if next == "" {
		return strings.TrimSpace(rest) == ""
	}
	head, _, _ := expand(Normalize(next))
	return Normalize(next) != next && (Function[head] || BeginsClause[head])
}

// close ends the sentence.
func (l *lexer) close(asks bool) {
	if len(l.now) > 0 {
		l.done = append(l.done, Sentence{Words: l.now, Asks: asks})
		l.now = nil
	} else if asks && len(l.done) > 0 {
		l.done[len(l.done)-1].Asks = true // "really?!?"
	}
	l.comma, l.dash = false, false
}

// word reads the word at pos.
func (l *lexer) word() {
	start := l.pos
	l.pos = text.End(l.text, start, text.Inside)
	first, _ := utf8.DecodeRuneInString(l.text[start:])
	w := Word{
		Low: Normalize(l.text[start:l.pos]), Start: start, End: l.pos, Capital: unicode.IsUpper(first) || unicode.IsTitle(first),
		Quoted: l.quote != 0, Comma: l.comma, Dash: l.dash,
	}
	l.comma, l.dash = false, false
	if w.Low == "im" && l.withinName() {
		l.now = append(l.now, w)
		return
	}
	l.now = appendExpanded(l.now, w)
}

// withinName reports whether the word that ends at pos is between two names in a sentence: "born in Freiburg im
// Breisgau".
func (l *lexer) withinName() bool {
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(l.text[l.pos:], " "))
	return len(l.now) > 1 && l.now[len(l.now)-1].Capital && unicode.IsUpper(next)
}

// Normalize returns a word in the form used for comparison.
func Normalize(w string) string { return text.Normalize(w) }

// appendExpanded appends w, as two words when it is a contraction.
func appendExpanded(words []Word, w Word) []Word {
	head, tail, cut := expand(w.Low)
	if tail == "" {
		w.Low = head
		return append(words, w)
	}
	first, second := w, w
	first.Low, first.End = head, w.Start+cut
	second.Low, second.Start, second.Capital, second.Comma, second.Dash = tail, w.Start+cut, false, false, false
	return append(words, first, second)
}

// expand resolves contractions and common misspellings. cut is the length in bytes of the first half.
func expand(low string) (head, tail string, cut int) {
	if pair, ok := contractions[low]; ok {
		return pair.head, pair.tail, min(len(pair.head), len(low)-1)
	}
	if i := strings.LastIndexByte(low, '\''); i > 0 { // "O'Brien's"
		head = low[:i]
		switch low[i:] {
		case "'m":
			return head, "am", i
		case "'re":
			return head, "are", i
		case "'ve":
			return head, "have", i
		case "'ll":
			return head, "will", i
		case "'d":
			return head, "would", i
		case "'s":
			if isAfter[head] {
				return head, "is", i
			}
			return head, "'s", i
		case "'t":
			if strings.HasSuffix(head, "n") {
				return head[:i-1], "not", i - 1
			}
		}
	}
	if plain, ok := spellings[low]; ok {
		return plain, "", 0
	}
	return low, "", 0
}

// Set returns a lookup table of space-separated words.
func Set(words string) map[string]bool {
	list := strings.Fields(words)
	m := make(map[string]bool, len(list))
	for _, w := range list {
		m[w] = true
	}
	return m
}

// LastWord returns the head of a noun phrase.
func LastWord(phrase string) string { return phrase[strings.LastIndexByte(phrase, ' ')+1:] }
