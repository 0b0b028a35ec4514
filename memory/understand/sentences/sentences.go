// Package sentences parses everyday messages that are labelled with what they are and which facts they hold. README.md
// tells what the messages are and how they may be used.
package sentences

import (
	"fmt"
	"slices"
	"strings"

	"familiar/internal/text"
)

// Classes are the main points that a message can have.
var Classes = []string{
	"states", "denies", "corrects", "changes", "plans", "wishes", "feels", "supposes", "quotes", "asks", "instructs", "chats",
}

// Relations are the kinds of facts that are marked.
var Relations = strings.Fields(`
	name call_me pronouns age birthday birth_year from born_in nationality speaks religion lives_in works_as works_at hours
	earns studies studies_at grade person person_name together_with marital_status count pet pet_name allergic_to illness
	injury medicine diet afraid_of likes dislikes favourite hobby plays drives owns bought lost habit plan event goal wish
	feels died avoid instruction remind fact`)

// Sentence is one labelled message.
type Sentence struct {
	// Line is its line in the file, from 1.
	Line int
	// Class is one of Classes.
	Class string
	// Text is the message without marks.
	Text string
	// Marks are the facts that the author asserts or takes back, in the order of the text.
	Marks []Mark
}

// Mark is the value of one fact.
type Mark struct {
	// Relation is one of Relations.
	Relation string
	// Start and End bound the value in Text, in bytes.
	Start, End int
	// Subject is whom or what the fact is about, in words of the text (letters may differ in case). It is empty if the fact
	// is about the author.
	Subject string
	// Denied reports that the fact is denied or has ended.
	Denied bool
	// Replaced reports that the value is the old or wrong one of a correction or change.
	Replaced bool
}

// Parse returns the messages of a file. Each line is a class, a tab and a message with marks; empty lines and lines that
// start with "#" do not count. The error names the first wrong line.
func Parse(file string) ([]Sentence, error) {
	var all []Sentence
	n := 0
	for line := range strings.Lines(file) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if strings.TrimSpace(line) == "" || line[0] == '#' {
			continue
		}
		s, err := parseLine(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w: %q", n, err, line)
		}
		s.Line = n
		all = append(all, s)
	}
	return all, nil
}

func parseLine(line string) (s Sentence, err error) {
	class, marked, found := strings.Cut(line, "\t")
	if !found || strings.Contains(marked, "\t") {
		return s, fmt.Errorf("want a class, one tab and a message")
	}
	if !slices.Contains(Classes, class) {
		return s, fmt.Errorf("unknown class %q", class)
	}
	s.Class = class
	if s.Text, s.Marks, err = parseMarks(marked); err != nil {
		return s, err
	}
	if strings.TrimSpace(s.Text) == "" {
		return s, fmt.Errorf("the message is empty")
	}
	low := text.Lower(s.Text)
	for _, m := range s.Marks {
		if !strings.Contains(low, text.Lower(m.Subject)) {
			return s, fmt.Errorf("the subject %q is not in the message", m.Subject)
		}
	}
	return s, nil
}

// parseMarks separates a message from its marks.
func parseMarks(marked string) (plain string, marks []Mark, err error) {
	var b strings.Builder
	for marked != "" {
		open := strings.IndexAny(marked, "[]|")
		if open < 0 {
			open = len(marked)
		}
		b.WriteString(marked[:open])
		if marked = marked[open:]; marked == "" {
			break
		}
		if marked[0] != '[' {
			return "", nil, fmt.Errorf("%q is outside a mark", marked[:1])
		}
		inside, rest, closed := strings.Cut(marked[1:], "]")
		if !closed || strings.Contains(inside, "[") {
			return "", nil, fmt.Errorf("a mark is not closed, or has a mark inside")
		}
		m, value, err := parseMark(inside)
		if err != nil {
			return "", nil, err
		}
		m.Start = b.Len()
		b.WriteString(value)
		m.End = b.Len()
		marks, marked = append(marks, m), rest
	}
	return b.String(), marks, nil
}

// parseMark reads what is between the brackets: relation|value, relation@subject|value, and either after "!" or "~".
func parseMark(inside string) (m Mark, value string, err error) {
	head, value, found := strings.Cut(inside, "|")
	if !found || strings.Contains(value, "|") {
		return m, "", fmt.Errorf("the mark %q needs one %q", inside, "|")
	}
	if strings.TrimSpace(value) == "" {
		return m, "", fmt.Errorf("the mark %q has no value", inside)
	}
	head, m.Denied = strings.CutPrefix(head, "!")
	if !m.Denied {
		head, m.Replaced = strings.CutPrefix(head, "~")
	}
	m.Relation, m.Subject, found = strings.Cut(head, "@")
	if found && strings.TrimSpace(m.Subject) == "" {
		return m, "", fmt.Errorf("the mark %q has an empty subject", inside)
	}
	if !slices.Contains(Relations, m.Relation) {
		return m, "", fmt.Errorf("unknown relation %q", m.Relation)
	}
	return m, value, nil
}
