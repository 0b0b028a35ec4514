package recall

import (
	"slices"

	"familiar/memory/model"
)

// class is the sector and the origin of a memory. Neither ever changes.
type class uint8

// classColumn selects the class of a memory m: the places of its sector in classSectors and of its origin in classOrigins.
const classColumn = `CASE m.sector WHEN 'episodic' THEN 0 WHEN 'semantic' THEN 1 WHEN 'procedural' THEN 2 WHEN 'emotional' THEN 3 ELSE 4 END
	+ 8 * CASE m.origin WHEN 'said' THEN 0 WHEN 'told' THEN 1 ELSE 2 END`

var (
	classSectors = []model.Sector{model.Episodic, model.Semantic, model.Procedural, model.Emotional, model.Reflective}
	classOrigins = []model.Origin{model.OriginMessage, model.OriginOperator, model.OriginJob}
)

// classSet is a set of classes, a bit for each.
type classSet uint32

func (s classSet) has(c class) bool { return s>>c&1 != 0 }

// classesOf returns the classes of some sectors, all if there are none, and of an origin, "" for all.
func classesOf(sectors []model.Sector, origin model.Origin) (of classSet) {
	for i, s := range classSectors {
		for j, o := range classOrigins {
			if (len(sectors) == 0 || slices.Contains(sectors, s)) && (origin == "" || origin == o) {
				of |= 1 << (i + 8*j)
			}
		}
	}
	return of
}
