package understand

import (
	"slices"

	"familiar/memory/understand/reader"
	"familiar/memory/understand/sentences"
)

// sureTold is how sure the reader must be of a fact for a text to count as telling it, 0–1. It is low: recall ranks what it
// finds.
const sureTold = 0.25

// Kinds is the number of kinds of facts that Analysis.Told can tell apart.
var Kinds = len(sentences.Relations)

// told returns the kinds of facts in what the reader read.
func told(passages []reader.Reading) (kinds uint64) {
	for _, p := range passages {
		for _, f := range p.Facts {
			if n := slices.Index(sentences.Relations, f.Relation); n >= 0 && f.Sure >= sureTold {
				kinds |= 1 << n
			}
		}
	}
	return kinds
}
