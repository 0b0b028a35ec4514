package lore

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// DefaultScanDepth is how many of the latest messages are searched for keys if the book does not say.
const DefaultScanDepth = 4

// defaultNoteDepth is the depth of entries that go with the author's note.
const defaultNoteDepth = 4

// Place is where an entry goes in a prompt.
type Place string

// The places of entries.
const (
	BeforeCharacter Place = "before the character"
	AfterCharacter  Place = "after the character"
	InPersonality   Place = "personality"
	InScenario      Place = "scenario"
	// AtDepth entries stand in the talk, before so many of its latest messages.
	AtDepth Place = "in the talk"
)

// The roles of entries in the talk.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// logic is how secondary keys count.
type logic int

// The values are SillyTavern's.
const (
	andAny logic = iota
	notAll
	notAny
	andAll
)

// extensions is what is used of what SillyTavern adds to an entry. The pointers are nil where it says nothing.
type extensions struct {
	Logic             logic    `json:"selectiveLogic"`
	Position          *float64 `json:"position"`
	Depth             *float64 `json:"depth"`
	Role              *float64 `json:"role"`
	ScanDepth         *float64 `json:"scan_depth"`
	WholeWords        *bool    `json:"match_whole_words"`
	Case              *bool    `json:"case_sensitive"`
	ExcludeRecursion  bool     `json:"exclude_recursion"`
	PreventRecursion  bool     `json:"prevent_recursion"`
	Probability       *float64 `json:"probability"`
	UseProbability    *bool    `json:"useProbability"`
	UntilRecursion    bool     `json:"delay_until_recursion"`
	IgnoreTokenBudget bool     `json:"ignoreBudget"`
}

// Rules are a book, ready to decide which of its entries fire. They never change and can be shared.
type Rules struct {
	Book  *Book
	rules []rule
	// Problems are what keeps entries from working as they were written, one sentence each.
	Problems []string
}

// rule is one entry, compiled.
type rule struct {
	entry *Entry
	decorators
	extensions
	text       string
	decorated  []string
	keys       []pattern
	secondary  []pattern
	additional []pattern
	exclude    []pattern
}

// pattern is one key.
type pattern struct {
	key        string
	expression *regexp.Regexp // nil for a word
	sensitive  bool           // upper and lower case differ
	whole      bool           // only whole words
}

// Compile prepares a book. Its macros are expanded when it fires.
func Compile(b *Book) *Rules {
	r := &Rules{Book: b, rules: make([]rule, len(b.Entries))}
	for i := range b.Entries {
		r.rules[i] = r.compile(i, &b.Entries[i])
	}
	return r
}

func (r *Rules) compile(number int, e *Entry) rule {
	c := rule{entry: e}
	e.Extensions.Decode(&c.extensions)
	c.decorators, c.decorated, c.text = splitDecorators(e.Content)
	problem := func(key string, err error) {
		r.Problems = append(r.Problems, fmt.Sprintf("lore entry %d (%s): the key %q never matches: %v", number+1, e.Title(), key, err))
	}
	patterns := func(keys []string, regex bool) (all []pattern) {
		for _, key := range keys {
			if strings.TrimSpace(key) == "" {
				continue
			}
			p, err := c.pattern(key, regex)
			if err != nil {
				problem(key, err)
				continue
			}
			all = append(all, p)
		}
		return all
	}
	c.keys = patterns(e.Keys, e.Regex)
	if e.Selective && !e.Regex {
		c.secondary = patterns(e.SecondaryKeys, false)
	}
	c.additional = patterns(c.decorators.additional, e.Regex)
	c.exclude = patterns(c.decorators.exclude, e.Regex)
	return c
}

// pattern compiles a key: a word, a regular expression, or one between slashes with flags, as SillyTavern writes it.
func (c *rule) pattern(key string, regex bool) (pattern, error) {
	p := pattern{key: key, sensitive: isTrue(c.entry.CaseSensitive, c.Case), whole: c.WholeWords == nil || *c.WholeWords}
	expression, flags := key, ""
	if inner, given, ok := slashed(key); ok {
		expression, flags, regex = inner, given, true
	} else if !p.sensitive {
		flags = "i"
	}
	if !regex {
		return p, nil
	}
	const known = "ims"
	if flags = strings.Map(func(f rune) rune {
		if strings.ContainsRune(known, f) {
			return f
		}
		return -1
	}, flags); flags != "" {
		expression = "(?" + flags + ")" + expression
	}
	compiled, err := regexp.Compile(expression)
	if err != nil {
		return p, fmt.Errorf("it is no regular expression of RE2: %w", err)
	}
	p.expression = compiled
	return p, nil
}

// slashed splits "/expression/flags".
func slashed(key string) (expression, flags string, ok bool) {
	last := strings.LastIndexByte(key, '/')
	if len(key) < 3 || key[0] != '/' || last < 2 || strings.Trim(key[last+1:], "dgimsuvy") != "" {
		return "", "", false
	}
	return key[1:last], key[last+1:], true
}

func isTrue(flags ...*bool) bool {
	for _, f := range flags {
		if f != nil {
			return *f
		}
	}
	return false
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

// place returns where the entry goes, and for one in the talk its depth.
func (c *rule) place() (place Place, depth int) {
	switch c.position {
	case "before_desc":
		return BeforeCharacter, 0
	case "after_desc":
		return AfterCharacter, 0
	case "personality":
		return InPersonality, 0
	case "scenario":
		return InScenario, 0
	}
	if c.decorators.depth != nil {
		return AtDepth, *c.decorators.depth
	}
	if c.Position != nil {
		switch *c.Position {
		case 0:
			return BeforeCharacter, 0
		case 2, 3: // around the author's note
			return AtDepth, defaultNoteDepth
		case 4:
			return AtDepth, whole(c.Depth, defaultNoteDepth)
		}
		return AfterCharacter, 0
	}
	if c.entry.Position == "before_char" {
		return BeforeCharacter, 0
	}
	return AfterCharacter, 0
}

// spoken returns the role of an entry in the talk.
func (c *rule) spoken() string {
	if c.role != "" {
		return c.role
	}
	switch whole(c.Role, 0) {
	case 1:
		return RoleUser
	case 2:
		return RoleAssistant
	}
	return RoleSystem
}

// scans returns how many messages are searched for the entry's keys.
func (c *rule) scans(b *Book) int {
	if c.decorators.scanDepth != nil {
		return *c.decorators.scanDepth
	}
	return whole(c.ScanDepth, whole(b.ScanDepth, DefaultScanDepth))
}

// most bounds numbers of a file that count messages or tokens.
const most = 1_000_000

// whole returns a number of a file as one that counts something, otherwise if there is none.
func whole(n *float64, otherwise int) int {
	if n == nil || *n != *n {
		return otherwise
	}
	return int(max(0, min(*n, most)))
}
