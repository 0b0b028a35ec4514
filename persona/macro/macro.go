// Package macro fills the placeholders in the text of character cards: {{char}}, {{user}}, {{random:a,b}} and their kin. It
// is only for text that an operator imported or wrote. What a placeholder yields is never read again, so that nothing a
// person is called or says is taken for a placeholder. Pure.
package macro

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"familiar/internal/lazyregexp"
)

const (
	// maxNesting is how deeply placeholders may stand in each other.
	maxNesting = 8
	// maxOutput is how long a text may become, in bytes.
	maxOutput = 1 << 18
)

// Values are what the placeholders stand for.
type Values struct {
	// Char is what the persona is called, User the person, as Name returns them.
	Char, User string
	// Original is what the text replaces, for {{original}}.
	Original string
	// Scenario, Personality and Description are parts of the card that its other texts may name.
	Scenario, Personality, Description string
	// Now is the person's time.
	Now time.Time
	// Random returns a number from 0 to n-1, another one each time. Pick returns one that stays the same for the text that
	// it is given. Nil takes the first of what there is to choose from.
	Random func(n int) int
	Pick   func(text string, n int) int
}

// Expand fills the placeholders of a text. What it does not know stays as it is. {{trim}} removes the line breaks around it.
func (v Values) Expand(text string) string {
	if !strings.Contains(text, "{{") && !strings.Contains(text, "<") {
		return text
	}
	e := expansion{Values: v, room: maxOutput}
	out := e.text(angled.ReplaceAllString(strings.ReplaceAll(text, trimMark, ""), "{{$1}}"), 0)
	return trimmed.ReplaceAllString(out, "")
}

// angled are the older spellings.
var angled = lazyregexp.New(`(?i)<(user|char|bot)>`)

// trimMark stands for {{trim}} until the text is complete. People's text cannot hold it: Name removes control characters.
const trimMark = "\x00"

var trimmed = lazyregexp.New(`\s*` + trimMark + `\s*`)

// expansion is one text being filled.
type expansion struct {
	Values
	room int
	// picks counts the {{pick}} of the text, so that two with the same choices differ.
	picks int
}

// text fills the placeholders of a text that stands depth placeholders deep.
func (e *expansion) text(text string, depth int) string {
	var b strings.Builder
	for {
		start := strings.Index(text, "{{")
		if start < 0 {
			break
		}
		end := closing(text, start)
		if end < 0 || depth > maxNesting {
			break
		}
		e.write(&b, text[:start])
		whole := text[start:end]
		if value, ok := e.value(whole[2:len(whole)-2], depth); ok {
			e.write(&b, value)
		} else {
			e.write(&b, whole)
		}
		text = text[end:]
	}
	e.write(&b, text)
	return b.String()
}

func (e *expansion) write(b *strings.Builder, text string) {
	text = text[:min(len(text), e.room)]
	e.room -= len(text)
	b.WriteString(text)
}

// closing returns the end of the placeholder that starts at start, -1 if it is not closed.
func closing(text string, start int) int {
	open := 0
	for i := start; i+1 < len(text); i++ {
		switch text[i : i+2] {
		case "{{":
			open++
			i++
		case "}}":
			if open--; open == 0 {
				return i + 2
			}
			i++
		}
	}
	return -1
}

// value returns what a placeholder stands for.
func (e *expansion) value(inner string, depth int) (string, bool) {
	if strings.HasPrefix(strings.TrimSpace(inner), "//") {
		return "", true
	}
	name, argument, given := cutName(inner)
	if !given {
		return e.plain(name)
	}
	switch name {
	case "comment", "hidden_key", "note":
		return "", true
	case "reverse":
		runes := []rune(e.text(argument, depth+1))
		slices.Reverse(runes)
		return string(runes), true
	case "random", "pick":
		choices := split(argument)
		return e.text(choices[e.choose(name, argument, len(choices))], depth+1), true
	case "roll":
		return e.roll(strings.TrimSpace(argument))
	}
	return "", false
}

// plain returns the value of a placeholder without an argument.
func (e *expansion) plain(name string) (string, bool) {
	switch name {
	case "char", "bot":
		return e.Char, true
	case "user":
		return e.User, true
	case "original":
		return e.Original, true
	case "scenario":
		return e.Scenario, true
	case "personality":
		return e.Personality, true
	case "description":
		return e.Description, true
	case "date":
		return e.Now.Format("2 January 2006"), true
	case "time":
		return e.Now.Format("15:04"), true
	case "weekday":
		return e.Now.Format("Monday"), true
	case "isodate":
		return e.Now.Format(time.DateOnly), true
	case "isotime":
		return e.Now.Format("15:04"), true
	case "newline":
		return "\n", true
	case "trim":
		return trimMark, true
	case "noop":
		return "", true
	}
	return "", false
}

// cutName splits "random:a,b", "random::a::b" or "roll d6" into a name in lower case and its argument.
func cutName(inner string) (name, argument string, given bool) {
	inner = strings.TrimSpace(inner)
	i := strings.IndexAny(inner, ": ")
	if i < 0 {
		return strings.ToLower(inner), "", false
	}
	return strings.ToLower(inner[:i]), inner[i+1:], true
}

// split splits choices at "::", or else at commas that are neither escaped nor within a placeholder.
func split(argument string) (choices []string) {
	if rest, ok := strings.CutPrefix(argument, ":"); ok && strings.Contains(rest, "::") {
		return strings.Split(rest, "::")
	} else if ok {
		argument = rest
	}
	var b strings.Builder
	depth := 0
	for i := 0; i < len(argument); i++ {
		switch c := argument[i]; {
		case c == '\\' && i+1 < len(argument) && argument[i+1] == ',':
			i++
			b.WriteByte(',')
			continue
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ',' && depth == 0:
			choices = append(choices, strings.TrimSpace(b.String()))
			b.Reset()
			continue
		}
		b.WriteByte(argument[i])
	}
	return append(choices, strings.TrimSpace(b.String()))
}

// choose returns the number of a choice.
func (e *expansion) choose(name, text string, n int) int {
	switch {
	case name == "pick" && e.Pick != nil:
		e.picks++
		return e.Pick(strconv.Itoa(e.picks)+text, n)
	case name == "random" && e.Random != nil:
		return e.Random(n)
	}
	return 0
}

// maxDice and maxSides bound a roll.
const maxDice, maxSides = 100, 1_000_000

// roll throws "6", "d6" or "2d6+1".
func (e *expansion) roll(dice string) (string, bool) {
	m := rolls.FindStringSubmatch(dice)
	if m == nil {
		return "", false
	}
	number := func(text string, otherwise int) int {
		if n, err := strconv.Atoi(text); err == nil {
			return n
		}
		return otherwise
	}
	count, sides, sum := number(m[1], 1), number(m[2], 0), number(m[3], 0)
	if count < 1 || count > maxDice || sides < 1 || sides > maxSides {
		return "", false
	}
	for range count {
		sum += 1 + e.choose("random", "", sides)
	}
	return strconv.Itoa(sum), true
}

var rolls = lazyregexp.New(`(?i)^(?:(\d{0,3})d)?(\d{1,7})([+-]\d{1,6})?$`)

// Stable returns a Pick that depends only on seed and the text.
func Stable(seed string) func(text string, n int) int {
	return func(text string, n int) int {
		h := fnv.New64a()
		h.Write([]byte(seed + "\x00" + text)) //nolint:errcheck // a hash takes everything
		return int(h.Sum64() % uint64(n))
	}
}

const (
	// maxNameRunes and maxNameWords bound a name: longer ones would have room for sentences.
	maxNameRunes, maxNameWords = 40, 3
)

// Name reduces what somebody calls themselves to what can only be a name: at most three words of letters and digits.
// otherwise stands in for a name that has none.
func Name(called, otherwise string) string {
	bare := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.M, r), strings.ContainsRune("'’-", r):
			return r
		}
		return ' '
	}, called)
	words := strings.Fields(bare)
	runes := []rune(strings.Join(words[:min(len(words), maxNameWords)], " "))
	if name := strings.TrimSpace(string(runes[:min(len(runes), maxNameRunes)])); name != "" {
		return name
	}
	return otherwise
}
