package imports

import (
	"maps"
	"slices"
	"time"
)

// Plan is what an import would make. It is a Sink that only counts.
type Plan struct {
	Personas      []Persona
	Conversations int
	Messages      int
	// Own are those of the messages that the character or assistant wrote.
	Own         int
	First, Last time.Time
	Documents   []string
	// Private counts the documents that tell of the person.
	Private int
	Skipped map[string]int
	rooms   map[string]bool
}

// Conversation implements Sink.
func (p *Plan) Conversation(c Conversation) error {
	if p.rooms == nil {
		p.rooms = map[string]bool{}
	}
	p.rooms[c.ID] = true
	p.Conversations = len(p.rooms)
	p.Messages += len(c.Lines)
	for _, l := range c.Lines {
		if l.Own {
			p.Own++
		}
		if p.First.IsZero() || l.At.Before(p.First) {
			p.First = l.At
		}
		if l.At.After(p.Last) {
			p.Last = l.At
		}
	}
	return nil
}

// Document implements Sink.
func (p *Plan) Document(d Document) error {
	p.Documents = append(p.Documents, d.Name)
	if d.Private {
		p.Private++
	}
	return nil
}

// Persona implements Sink.
func (p *Plan) Persona(c Persona) error {
	p.Personas = append(p.Personas, c)
	return nil
}

// Skip implements Sink.
func (p *Plan) Skip(reason string, n int) {
	if p.Skipped == nil {
		p.Skipped = map[string]int{}
	}
	p.Skipped[reason] += n
}

// Reasons returns the reasons of what is left out, sorted.
func (p *Plan) Reasons() []string { return slices.Sorted(maps.Keys(p.Skipped)) }
