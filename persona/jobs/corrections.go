package jobs

import (
	"slices"
	"strings"

	"familiar/memory/lifecycle"
	"familiar/memory/understand/rel"
)

// lessonAfter is how many corrections of the same thing make a lesson.
const lessonAfter = 3

// repeatedCorrection is something that one person corrected repeatedly.
type repeatedCorrection struct {
	author int64
	// what describes it in the third person: "where they live".
	what    string
	sources []int64
}

// repeatedCorrections returns what each person corrected at least lessonAfter times.
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

// asTheirs maps words of the second person to the third.
var asTheirs = map[string]string{"you": "they", "your": "their", "you're": "they're", "yours": "theirs", "yourself": "themselves"}

// theirs turns a topic of the second person, "where you live", into the third: "where they live".
func theirs(topic string) string {
	words := strings.Fields(topic)
	for i, w := range words {
		if about, ok := asTheirs[w]; ok {
			words[i] = about
		}
	}
	return strings.Join(words, " ")
}
