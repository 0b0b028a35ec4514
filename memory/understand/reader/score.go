package reader

import (
	"strings"

	"familiar/memory/understand/sentences"
)

// Score says how well labelled messages were read.
type Score struct {
	// Messages were read, and the class of Classes of them was right.
	Messages, Classes int
	// Total is the sum over Relations.
	Total     Count
	Relations map[string]*Count
}

// Count counts the facts of one relation.
type Count struct {
	// Marked were in the messages, Read were read. Right of those have the relation of a marked value that they touch,
	// Exact of them its very bounds.
	Marked, Read, Right, Exact int
	// Of the right ones: how many have the right subject and the right stance (denied, replaced or neither).
	Subject, Stance int
}

// Precision and recall of a count, by values that touch.
func (c Count) Precision() float64 { return float64(c.Right) / float64(max(c.Read, 1)) }

// Recall is the share of the marked facts that were read.
func (c Count) Recall() float64 { return float64(c.Right) / float64(max(c.Marked, 1)) }

// Reader reads with given weights.
type Reader struct{ model *model }

// Load returns the reader that has these weights, as Fit made them.
func Load(weights []byte) (*Reader, error) {
	m, err := open(string(weights))
	return &Reader{m}, err
}

// Read is like the function Read.
func (r *Reader) Read(said string) []Reading { return r.model.readAll(said) }

// Judge returns how well read does on labelled messages, counting facts that are at least so sure.
func Judge(read func(string) []Reading, messages []sentences.Sentence, sure float64) *Score {
	s := &Score{Relations: map[string]*Count{}}
	for _, r := range sentences.Relations {
		s.Relations[r] = new(Count)
	}
	for _, m := range messages {
		s.judge(read(m.Text), m, sure)
	}
	for _, c := range s.Relations {
		s.Total.add(*c)
	}
	return s
}

func (s *Score) judge(readings []Reading, m sentences.Sentence, sure float64) {
	s.Messages++
	if len(readings) > 0 && readings[0].Class == m.Class {
		s.Classes++
	}
	for _, mark := range m.Marks {
		s.Relations[mark.Relation].Marked++
	}
	for _, r := range readings {
		for _, f := range r.Facts {
			if f.Sure < sure {
				continue
			}
			c := s.Relations[f.Relation]
			c.Read++
			for _, mark := range m.Marks {
				if mark.Relation == f.Relation && mark.Start < f.End && f.Start < mark.End {
					c.right(f, mark, m.Text)
					break
				}
			}
		}
	}
}

func (c *Count) right(f Fact, mark sentences.Mark, said string) {
	c.Right++
	if mark.Start == f.Start && mark.End == f.End {
		c.Exact++
	}
	if subject := said[f.SubjectStart:f.SubjectEnd]; (subject == "") == (mark.Subject == "") && strings.Contains(strings.ToLower(mark.Subject), strings.ToLower(subject)) {
		c.Subject++
	}
	if mark.Denied == f.Denied && mark.Replaced == f.Replaced {
		c.Stance++
	}
}

func (c *Count) add(o Count) {
	c.Marked, c.Read, c.Right, c.Exact = c.Marked+o.Marked, c.Read+o.Read, c.Right+o.Right, c.Exact+o.Exact
	c.Subject, c.Stance = c.Subject+o.Subject, c.Stance+o.Stance
}
