package training

import (
	"fmt"
	"slices"
	"strings"

	"familiar/memory/naming"
)

// placeholders are what stands for the people that a text names.
type placeholders struct {
	*naming.Names
	agreed map[int64]bool
	// numbers are the placeholders that were given out.
	numbers map[int64]int
}

func newPlaceholders(n *naming.Names, agreed map[int64]bool) *placeholders {
	return &placeholders{n, agreed, map[int64]int{}}
}

// foreign reports whether a text names somebody who did not agree.
func (p *placeholders) foreign(said string) bool {
	return slices.ContainsFunc(p.Find(said), func(m naming.Mention) bool {
		return slices.ContainsFunc(m.People, func(person int64) bool { return person > 0 && !p.agreed[person] })
	})
}

// of returns what stands for a person: they are numbered as they come.
func (p *placeholders) of(person int64) string {
	if p.numbers[person] == 0 {
		p.numbers[person] = len(p.numbers) + 1
	}
	return fmt.Sprintf("Person %d", p.numbers[person])
}

// replace replaces the people that a text names by their placeholders. The parts of a name become one.
func (p *placeholders) replace(said string) string {
	var b strings.Builder
	done, last := 0, int64(0)
	for _, m := range p.Find(said) {
		if strings.EqualFold(said[m.Start:m.End], "person") { // it is the word of a placeholder
			continue
		}
		person := m.People[0]
		if between := said[done:m.Start]; person == last && (between == " " || between == "-") {
			done = m.End
			continue
		}
		start := m.Start
		if start > done && said[start-1] == '@' {
			start--
		}
		b.WriteString(said[done:start])
		b.WriteString(p.of(person))
		done, last = m.End, person
	}
	if done == 0 {
		return said
	}
	return b.String() + said[done:]
}
