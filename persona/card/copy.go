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

// CopyCard returns the file of a persona of key that begins as a copy of the persona from, which dir holds or the
// program brings: the same character under a name of its own, wherever the file says the old one, comments and all. It
// fails with ErrNoCard when there is no such persona, and when what it copies is not valid.
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

// nameLine is where a file gives the name.
var nameLine = lazyregexp.New(`(?m)^name:.*$`)

// nameOf returns how a persona of key is called until someone says otherwise.
func nameOf(key string) string { return strings.ToUpper(key[:1]) + key[1:] }

// renamed says name wherever text says old, whole or by one of its parts, as a word of its own.
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

// inARow matches the words one after the other, over the end of a line, too.
func inARow(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = regexp.QuoteMeta(w)
	}
	return strings.Join(quoted, `\s+`)
}

// properIn reports whether a part of a name is one in this text, and not a word like the others: "Captain" in a text
// that never speaks of a captain.
func properIn(text, part string) bool {
	low := strings.ToLower(part)
	return low != part && !slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return !partOfWord(r) }), low)
}

// alone reports whether text[from:until] is not part of a longer word, nor a key of the file.
func alone(text string, from, until int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[until:])
	return !partOfWord(before) && !partOfWord(after) && after != ':'
}

func partOfWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
