package answer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// errTruncated reports that a value does not end.
var errTruncated = errors.New("the value is cut off")

// maxDepth is how deep values may be nested.
const maxDepth = 32

// parser reads JSON as models write it.
type parser struct {
	text string
	at   int
}

// parseValue reads the value at an offset of text. It returns the offset after it.
func parseValue(text string, at int) (value any, end int, err error) {
	p := parser{text, at}
	value, err = p.value(0)
	return value, p.at, err
}

// next skips space and comments and returns the next byte, 0 at the end.
func (p *parser) next() byte {
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		rest := p.text[p.at:]
		switch {
		case unicode.IsSpace(r) || r == '\uFEFF':
			p.at += size
		case strings.HasPrefix(rest, "//"), r == '#':
			p.skipTo("\n")
		case strings.HasPrefix(rest, "/*"):
			p.skipTo("*/")
		default:
			return p.text[p.at]
		}
	}
	return 0
}

// skipTo skips to after a mark, or to the end.
func (p *parser) skipTo(mark string) {
	if i := strings.Index(p.text[p.at:], mark); i >= 0 {
		p.at += i + len(mark)
		return
	}
	p.at = len(p.text)
}

func (p *parser) value(depth int) (any, error) {
	b := p.next()
	switch {
	case depth > maxDepth:
		return nil, fmt.Errorf("values are nested more than %d deep", maxDepth)
	case b == 0:
		return nil, errTruncated
	case b == '{':
		return p.object(depth)
	case b == '[':
		return p.list(depth)
	case p.closer() != "":
		return p.string()
	}
	return p.word()
}

// object reads an object; a comma may be missing at a line break, or be too many.
func (p *parser) object(depth int) (any, error) {
	p.at++
	object := make(map[string]any)
	for {
		switch p.next() {
		case 0:
			return nil, errTruncated
		case '}':
			p.at++
			return object, nil
		case ',':
			p.at++
			continue
		}
		key, err := p.key()
		if err != nil {
			return nil, err
		}
		switch p.next() {
		case 0:
			return nil, errTruncated
		case ':':
			p.at++
		default:
			return nil, errors.New("no colon follows a key")
		}
		if object[key], err = p.value(depth + 1); err != nil {
			return nil, err
		}
		if b := p.next(); b != ',' && b != '}' && b != 0 && p.closer() == "" {
			return nil, errors.New("no comma follows a value of an object")
		}
	}
}

// key reads a key, in quotation marks or bare.
func (p *parser) key() (string, error) {
	if p.closer() != "" {
		return p.string()
	}
	start := p.at
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		p.at += size
	}
	if start == p.at {
		return "", errors.New("an object has no key where one was expected")
	}
	return p.text[start:p.at], nil
}

func (p *parser) list(depth int) (any, error) {
	p.at++
	list := []any{}
	for {
		switch p.next() {
		case 0:
			return nil, errTruncated
		case ']':
			p.at++
			return list, nil
		case ',':
			p.at++
			continue
		}
		value, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
		if b := p.next(); b != ',' && b != ']' && b != '{' && b != 0 {
			return nil, errors.New("no comma follows a value of a list")
		}
	}
}

// closer returns the marks that close the quotation that begins here, "" if none does.
func (p *parser) closer() string {
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	switch r {
	case '"':
		return "\""
	case '\'':
		return "'"
	case '“', '”', '„':
		return "”“\""
	case '‘', '’':
		return "’‘'"
	case '«':
		return "»"
	}
	return ""
}

// string reads a text. A quotation mark ends it if what follows may follow a text: models forget to escape those within.
func (p *parser) string() (string, error) {
	closers := p.closer()
	_, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	var b strings.Builder
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		p.at += size
		switch {
		case r == '\\':
			if err := p.escape(&b); err != nil {
				return "", err
			}
		case strings.ContainsRune(closers, r) && p.mayEndString():
			return b.String(), nil
		default:
			b.WriteRune(r)
		}
	}
	return "", errTruncated
}

// mayEndString reports whether what follows may follow a text.
func (p *parser) mayEndString() bool {
	rest := strings.TrimLeft(p.text[p.at:], " \t")
	if rest == "" {
		return true
	}
	if strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, "\r") {
		return true
	}
	return strings.ContainsRune(",:}]/#", rune(rest[0]))
}

// escape reads what follows a backslash.
func (p *parser) escape(b *strings.Builder) error {
	if p.at >= len(p.text) {
		return errTruncated
	}
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	switch r {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r', 'b', 'f':
		b.WriteByte(' ')
	case 'u':
		b.WriteRune(p.unicode())
	default:
		b.WriteRune(r)
	}
	return nil
}

// unicode reads the digits of an escaped character, two of them for one beyond the first plane.
func (p *parser) unicode() rune {
	first, ok := p.hex()
	if !ok {
		return unicode.ReplacementChar
	}
	if utf16.IsSurrogate(first) && strings.HasPrefix(p.text[p.at:], `\u`) {
		before := p.at
		p.at += 2
		if second, ok := p.hex(); ok {
			if r := utf16.DecodeRune(first, second); r != unicode.ReplacementChar {
				return r
			}
		}
		p.at = before
	}
	return first
}

func (p *parser) hex() (rune, bool) {
	if len(p.text) < p.at+4 {
		return 0, false
	}
	n, err := strconv.ParseUint(p.text[p.at:p.at+4], 16, 32)
	if err != nil {
		return 0, false
	}
	p.at += 4
	return rune(n), true
}

// word reads a number, true, false or null.
func (p *parser) word() (any, error) {
	start := p.at
	for p.at < len(p.text) && (isLetter(p.text[p.at]) || isDigit(p.text[p.at]) || strings.IndexByte("+-.", p.text[p.at]) >= 0) {
		p.at++
	}
	word := p.text[start:p.at]
	switch strings.ToLower(word) {
	case "":
		return nil, errors.New("no value stands where one was expected")
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "null", "none", "nil", "undefined":
		return nil, nil
	}
	number, err := strconv.ParseFloat(strings.TrimPrefix(word, "+"), 64)
	if err != nil || number-number != 0 { // infinity and NaN
		return nil, errors.New("a word stands where a value was expected")
	}
	if plain := strings.TrimPrefix(word, "+"); json.Valid([]byte(plain)) {
		return json.Number(plain), nil
	}
	return json.Number(strconv.FormatFloat(number, 'g', -1, 64)), nil
}
