package rel

import (
	_ "embed"
	"strings"
)

// Relation is one relation of relations.txt: how it is claimed, asked for and described. See english.Pattern for the
// notation.
type Relation struct {
	// Key names the relation. The key slot of the patterns completes a key that ends in ":" or a space.
	Key  string
	Kind Kind
	Many bool
	// Said holds the patterns that claim the value, changed those that claim it as new, denied those that deny it.
	Said, changed, denied []string
	// asked holds the questions it answers.
	asked []string
	// topic is the wording that names the relation, says the wording that states it. {key} and {value} are filled in.
	topic, says string
}

// The domains of claims.
const (
	personDomain  = "person"
	projectDomain = "project"
	worldDomain   = "world"
)

//go:embed relations.txt
var relationsText string

// Relations holds the relations in the order in which they are tried.
var Relations = readRelations(relationsText)

func readRelations(text string) (all []Relation) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if key, traits, ok := strings.Cut(strings.TrimPrefix(line, "["), "]"); ok && line[0] == '[' {
			r := Relation{Key: key, Many: strings.HasSuffix(traits, "many")}
			for _, kind := range []Kind{Taste, Instruction} {
				if strings.Contains(traits, string(kind)) {
					r.Kind = kind
				}
			}
			all = append(all, r)
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		row := &all[len(all)-1]
		switch what, wording, _ := strings.Cut(line, " "); what {
		case "topic":
			row.topic = wording
		case "says":
			row.says = wording
		case "said":
			row.Said = append(row.Said, wording)
		case "changed":
			row.changed = append(row.changed, wording)
		case "denied":
			row.denied = append(row.denied, wording)
		case "asked":
			row.asked = append(row.asked, wording)
		}
	}
	return all
}
