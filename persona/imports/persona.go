package imports

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"familiar/persona/card"
)

// Persona is a character of another program.
type Persona struct {
	Name        string    `yaml:"name"`
	Description string    `yaml:"description"`
	Voice       string    `yaml:"voice,omitempty"`
	Examples    []Example `yaml:"examples,omitempty"`
}

// Example is an exchange in the character's manner.
type Example struct {
	Person  string `yaml:"person"`
	Persona string `yaml:"persona"`
}

const (
	// maxProse is the longest description or voice of a persona file, in runes; maxName that of a name.
	maxProse, maxName = 4000, 60
	// maxExamples is how many examples are taken: prompts have room for a few.
	maxExamples = 12
)

// Key returns the key for a persona of that name: its letters and digits, "persona" if there are none.
func Key(name string) string {
	return cmp.Or(card.KeyOf(name), "persona")
}

// File returns the persona file for key, and what of the description it has no room for.
func (p Persona) File(key string) (text []byte, rest string, err error) {
	p.Name = clip(strings.Join(strings.FieldsFunc(p.Name, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }), " "), maxName)
	if p.Name == "" {
		p.Name = key
	}
	p.Description, rest = cutProse(plain(p.Description))
	if strings.TrimSpace(p.Description) == "" {
		p.Description = p.Name + " came from another program, without a description."
	}
	p.Voice, _ = cutProse(plain(p.Voice))
	var examples []Example
	for _, e := range p.Examples {
		e = Example{Person: plain(e.Person), Persona: plain(e.Persona)}
		if e.Person != "" && e.Persona != "" && len(examples) < maxExamples {
			examples = append(examples, e)
		}
	}
	p.Examples = examples
	text, err = yaml.MarshalWithOptions(p, yaml.UseLiteralStyleIfMultiline(true))
	if err == nil {
		_, err = card.ParseCard(key+".yaml", text)
	}
	if err != nil {
		return nil, "", fmt.Errorf("make a persona file of %s: %w", p.Name, err)
	}
	return text, rest, nil
}

// plain returns text in lines without control characters and trailing blanks, which the file cannot hold.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t':
			return ' '
		case unicode.IsControl(r), r == '\u2028', r == '\u2029', r == '\ufeff', r == '\u0085':
			return -1
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRightFunc(l, unicode.IsSpace)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func clip(text string, runes int) string {
	if utf8.RuneCountInString(text) <= runes {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:runes]))
}

// cutProse cuts a text after the last paragraph, or else the last word, that fits into a persona file.
func cutProse(text string) (kept, rest string) {
	head := clip(text, maxProse)
	if len(head) == len(text) {
		return text, ""
	}
	end := strings.LastIndex(head, "\n\n")
	if end < len(head)/2 {
		end = strings.LastIndexAny(head, " \n")
	}
	if end <= 0 {
		end = len(head)
	}
	return strings.TrimSpace(text[:end]), strings.TrimSpace(text[end:])
}
