package jobs

import (
	"slices"
	"strings"

	"familiar/memory/lifecycle"
	"familiar/memory/understand/rel"
)

// lessonAfter is how often the same must have been put right to be a lesson.
const lessonAfter = 3

// repeatedCorrection is what one person has put right again and again.
type repeatedCorrection struct {
	author int64
	// what names it, in the third person: "where they live".
	what    string
	sources []int64
}

// repeatedCorrections returns what was put right at least lessonAfter times, by whom and of whom.
func repeatedCorrections(corrections []lifecycle.Correction) (often []repeatedCorrection) {
	type of struct {
		author, subject int64
		named, relation string
	}
	var order []of
	messages := map[of][]int64{}
	for _, c := range corrections {
		key := of{c.Author, c.SubjectPerson, c.Subject, c.Relation}
		if messages[key] == nil {
			order = append(order, key)
		}
		messages[key] = append(messages[key], c.MessageID)
	}
	for _, key := range order {
		found := slices.Compact(slices.Sorted(slices.Values(messages[key])))
		if len(found) < lessonAfter {
			continue
		}
		what := theirs(rel.Topic(key.relation))
		if key.subject != key.author {
			if key.named == "" {
				continue
			}
			what = strings.ReplaceAll(key.relation, "_", " ") + " of " + key.named
		}
		often = append(often, repeatedCorrection{key.author, what, found[max(0, len(found)-mostSources):]})
	}
	return often
}

// asTheirs turns words towards a person into words about them.
var asTheirs = map[string]string{"you": "they", "your": "their", "you're": "they're", "yours": "theirs", "yourself": "themselves"}

// theirs returns a topic towards a person, "where you live", as one about them: "where they live".
func theirs(topic string) string {
	words := strings.Fields(topic)
	for i, w := range words {
		if about, ok := asTheirs[w]; ok {
			words[i] = about
		}
	}
	return strings.Join(words, " ")
}
