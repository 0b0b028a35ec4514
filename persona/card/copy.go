package card

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/internal/lazyregexp"
)

// CopyCard returns a persona file for key that copies the persona from, of dir or built in: the same character and
// comments under a new name, replaced wherever the file has the old one. It fails with ErrNoCard if from does not
// exist, and if from is invalid.
func CopyCard(dir, from, key string) ([]byte, error) {
	data, file, err := CardText(dir, from)
	if err != nil {
		return nil, err
	}
	old, err := ParseCard(file, data)
	if err != nil {
		return nil, fmt.Errorf("copy the persona %s: %w", from, err)
	}
	name := nameOf(key)
	text := nameLine.ReplaceAllLiteralString(renamed(string(data), old.Name, name), "name: "+strconv.Quote(name))
	card, err := ParseCard(key+cardExt, []byte(text))
	if err == nil && card.Name != name {
		err = fmt.Errorf("the name must stand at the beginning of a line of its own in %s, as in name: %q", file, old.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("copy the persona %s and call it %s: %w", from, name, err)
	}
	return []byte(text), nil
}

// nameLine matches the line with the name.
var nameLine = lazyregexp.New(`(?m)^name:.*$`)

// nameOf returns the default name of a persona with that key.
func nameOf(key string) string { return strings.ToUpper(key[:1]) + key[1:] }

// renamed replaces old with name in text, as a whole or any of its parts, where it is a separate word.
func renamed(text, old, name string) string {
	forms := []string{inARow(strings.Fields(old))}
	for _, part := range strings.Fields(old) {
		if properIn(text, part) {
			forms = append(forms, regexp.QuoteMeta(part))
		}
	}
	var out strings.Builder
	rest := 0
	for _, at := range regexp.MustCompile(strings.Join(forms, "|")).FindAllStringIndex(text, -1) {
		if !alone(text, at[0], at[1]) {
			continue
		}
		out.WriteString(text[rest:at[0]])
		out.WriteString(name)
		rest = at[1]
	}
	return out.String() + text[rest:]
}

// inARow matches the words in sequence, also across a line break.
func inARow(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = regexp.QuoteMeta(w)
	}
	return strings.Join(quoted, `\s+`)
}

// properIn reports whether a part of a name is used only as a name in this text and not as an ordinary word: "Captain"
// in a text without any other captain.
func properIn(text, part string) bool {
	low := strings.ToLower(part)
	return low != part && !slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return !partOfWord(r) }), low)
}

// alone reports whether text[from:until] is neither part of a longer word nor a key of the file.
func alone(text string, from, until int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[until:])
	return !partOfWord(before) && !partOfWord(after) && after != ':'
}

func partOfWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
