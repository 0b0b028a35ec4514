package sentences

import (
	"fmt"
	"slices"
	"strings"

	"familiar/internal/text"
)

// AskedKinds are the kinds of facts that a question can ask for: the relations, everything about somebody, the persona itself,
// what the persona said, and nothing that anybody told.
var AskedKinds = append(slices.Clone(Relations), "everything", "persona_self", "persona_said", "none")

// Whom a question asks about, if it is not somebody or something that it names.
const (
	AboutAsker   = "me"
	AboutPersona = "you"
	AboutNobody  = "none"
)

// Question is one labelled question.
type Question struct {
	// Kind is one of AskedKinds.
	Kind string
	// Subject is AboutAsker, AboutPersona, AboutNobody, or words of the question.
	Subject string
	Text    string
}

// ParseQuestions returns the questions of a file. Each line is a kind, a tab, a subject, a tab and the question. The error
// names the first wrong line.
func ParseQuestions(file string) ([]Question, error) {
	var all []Question
	n := 0
	for line := range strings.Lines(file) {
		n++
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(parts) != 3 {
			return nil, fmt.Errorf("line %d: want a kind, a subject and a question with tabs between: %q", n, line)
		}
		q := Question{parts[0], parts[1], parts[2]}
		if !slices.Contains(AskedKinds, q.Kind) {
			return nil, fmt.Errorf("line %d: unknown kind %q", n, q.Kind)
		}
		if !slices.Contains([]string{AboutAsker, AboutPersona, AboutNobody}, q.Subject) && !strings.Contains(text.Lower(q.Text), text.Lower(q.Subject)) {
			return nil, fmt.Errorf("line %d: the subject %q is not in the question", n, q.Subject)
		}
		all = append(all, q)
	}
	return all, nil
}
