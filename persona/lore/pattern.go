package lore

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/internal/lazyregexp"
)

// pattern is one key.
type pattern struct {
	key        string
	expression *regexp.Regexp // nil for a word
	sensitive  bool           // upper and lower case differ
	whole      bool           // only whole words
}

const (
	// maxExpression bounds the size of one regular expression, maxExpressions that of all of a book: repetitions multiply
	// what they take when they are compiled.
	maxExpression, maxExpressions = 20_000, 500_000
)

// expressions compiles the regular expressions of one book.
type expressions struct{ size int }

// repetition matches a counted repetition.
var repetition = lazyregexp.New(`\{(\d{1,9})(?:,(\d{0,9}))?\}`)

// compile compiles an expression with flags, of which only RE2's count.
func (e *expressions) compile(expression, flags string) (*regexp.Regexp, error) {
	size := len(expression)
	for _, at := range repetition.FindAllStringSubmatchIndex(expression, -1) {
		for _, group := range [][2]int{{at[2], at[3]}, {at[4], at[5]}} {
			if group[0] < 0 || size > maxExpression {
				continue
			}
			if n, err := strconv.Atoi(expression[group[0]:group[1]]); err == nil {
				size *= max(1, n)
			}
		}
	}
	if e.size += min(size, maxExpression); size > maxExpression || e.size > maxExpressions {
		return nil, errors.New("it is too large, or repeats too much, for a regular expression")
	}
	if flags = strings.Map(func(f rune) rune {
		if strings.ContainsRune("ims", f) {
			return f
		}
		return -1
	}, flags); flags != "" {
		expression = "(?" + flags + ")" + expression
	}
	compiled, err := regexp.Compile(expression)
	if err != nil {
		return nil, fmt.Errorf("it is no regular expression of RE2: %w", err)
	}
	return compiled, nil
}

// slashed splits "/expression/flags".
func slashed(key string) (expression, flags string, ok bool) {
	last := strings.LastIndexByte(key, '/')
	if len(key) < 3 || key[0] != '/' || last < 2 || strings.Trim(key[last+1:], "dgimsuvy") != "" {
		return "", "", false
	}
	return key[1:last], key[last+1:], true
}

// in reports whether the key occurs in a text. expand fills the macros of the key.
func (p pattern) in(t window, expand func(string) string) bool {
	if p.expression != nil {
		return p.expression.MatchString(t.text)
	}
	key, searched := strings.TrimSpace(expand(p.key)), t.text
	if !p.sensitive {
		key, searched = strings.ToLower(key), t.lower
	}
	return key != "" && holds(searched, key, p.whole)
}

// holds reports whether a text has a key, as whole words if asked. Scripts without spaces have no whole words.
func holds(searched, key string, whole bool) bool {
	for from := 0; ; {
		i := strings.Index(searched[from:], key)
		if i < 0 {
			return false
		}
		i += from
		if !whole || bounded(searched, i, i+len(key)) {
			return true
		}
		from = i + 1
	}
}

// bounded reports whether text[from:until] stands between other words.
func bounded(text string, from, until int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	first, _ := utf8.DecodeRuneInString(text[from:])
	last, _ := utf8.DecodeLastRuneInString(text[:until])
	after, _ := utf8.DecodeRuneInString(text[until:])
	return !(inWord(before) && inWord(first)) && !(inWord(last) && inWord(after))
}

// inWord reports whether a letter belongs to a word that spaces bound. Han, kana and Thai have none.
func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// window is a text that is searched for keys.
type window struct{ text, lower string }

func windowOf(text string) window { return window{text, strings.ToLower(text)} }
