package rel

import (
	_ "embed"
	"strings"
)

// Relation is one relation of relations.txt and how it is described.
type Relation struct {
	// Key names the relation. A key that ends in ":" or a space is completed by what it is the relation of.
	Key  string
	Kind Kind
	Many bool
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

// Relations holds the relations in the order in which they are told.
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
		}
	}
	return all
}
