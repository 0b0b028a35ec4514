package postgres

import "strings"

// tokenKind is what a token is.
type tokenKind uint8

const (
	space     tokenKind = iota // white space or a comment
	word                       // a keyword or a name
	quoted                     // a quoted name
	text                       // a string literal
	number                     // a number
	parameter                  // ? or ?N
	symbol                     // any other single byte
)

// token is a piece of a statement. The texts of all tokens together are the statement.
type token struct {
	kind    tokenKind
	text    string
	changed bool
	after   string // is added after the token
}

func (t *token) is(s byte) bool { return t.kind == symbol && t.text[0] == s }

func (t *token) isWord(w string) bool { return t.kind == word && strings.EqualFold(t.text, w) }

func (t *token) set(s string) { t.text, t.changed = s, true }

// drop removes the token, so that it counts as white space from then on.
func (t *token) drop() { t.kind, t.text, t.changed = space, "", true }

// lex splits a statement into tokens. What is not closed reaches to the end.
func lex(query string) []token {
	tokens := make([]token, 0, len(query)/3+1)
	for len(query) > 0 {
		kind, n := next(query)
		tokens = append(tokens, token{kind: kind, text: query[:n]})
		query = query[n:]
	}
	return tokens
}

// next returns the kind and the length in bytes of the first token of s, which is not empty.
func next(s string) (tokenKind, int) {
	switch c := s[0]; {
	case isSpace(c):
		return space, span(s, isSpace)
	case strings.HasPrefix(s, "--"):
		return space, through(s, 2, "\n")
	case strings.HasPrefix(s, "/*"):
		return space, through(s, 2, "*/")
	case c == '\'':
		return text, closing(s, c)
	case c == '"':
		return quoted, closing(s, c)
	case c == '?':
		return parameter, 1 + span(s[1:], isDigit)
	case isDigit(c):
		return number, span(s, func(c byte) bool { return isNameByte(c) || c == '.' })
	case isNameByte(c):
		return word, span(s, isNameByte)
	default:
		return symbol, 1
	}
}

// span returns how many bytes at the start of s satisfy is.
func span(s string, is func(byte) bool) int {
	for i := range len(s) {
		if !is(s[i]) {
			return i
		}
	}
	return len(s)
}

// through returns the length of s up to the end of mark, which is looked for from start.
func through(s string, start int, mark string) int {
	i := strings.Index(s[start:], mark)
	if i < 0 {
		return len(s)
	}
	return start + i + len(mark)
}

// closing returns the length of the quotation that s starts with. A doubled quote is part of it.
func closing(s string, quote byte) int {
	for i := 1; i < len(s); i++ {
		if s[i] != quote {
			continue
		}
		if i+1 == len(s) || s[i+1] != quote {
			return i + 1
		}
		i++
	}
	return len(s)
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c) || c == '_' || c == '$' || c >= 0x80
}
