package reader

import (
	"cmp"
	"math"
	"slices"
)

// weights are the weights of one task.
type weights interface {
	// add adds the weights of the features to the score of each label.
	add(features []hash, scores []float32)
}

// model is everything that reading needs.
type model struct {
	class, bound, kind, stance, subject weights
	// next holds the score of each label of a token after another.
	next [bounds][bounds]float32
	// classSure and factSure tell how often the model is right from how sure it is.
	classSure, factSure calibration
}

// calibration maps a probability to how often it was right in messages of authors that the model had not seen.
type calibration struct{ slope, offset float32 }

func (c calibration) of(p float32) float64 {
	return 1 / (1 + math.Exp(-float64(c.slope)*logit(p)-float64(c.offset)))
}

func logit(p float32) float64 {
	x := min(max(float64(p), 1e-5), 1-1e-5)
	return math.Log(x / (1 - x))
}

func softmax(scores []float32) {
	top := slices.Max(scores)
	var sum float32
	for i, s := range scores {
		scores[i] = float32(math.Exp(float64(s - top)))
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
}

func likeliest(p []float32) int {
	best := 0
	for y := range p {
		if p[y] > p[best] {
			best = y
		}
	}
	return best
}

// classOf returns the likeliest class of the passage, and fills in the probability of each.
func (m *model) classOf(p *passage, s *scratch, out []float32) int {
	s.f = p.classFeatures(s.f[:0])
	m.class.add(s.f, out)
	softmax(out)
	return likeliest(out)
}

// brackets returns the possible values of the passage.
func (m *model) brackets(p *passage, s *scratch) []bracket {
	return m.fill(p, s).brackets()
}

func (m *model) fill(p *passage, s *scratch) *lattice {
	l := &s.lattice
	l.reset(len(p.tokens))
	for i := range p.tokens {
		var scores [bounds]float32
		s.f = p.boundFeatures(i, s.f[:0])
		m.bound.add(s.f, scores[:])
		for y, x := range scores {
			l.emit[i][y] = math.Exp(float64(x))
		}
	}
	l.sum(&m.next)
	return l
}

// found is one value as the model reads it, in tokens.
type found struct {
	bracket
	relation int
	// sure is how likely the relation is the right one.
	sure float32
}

// score orders overlapping values.
func (v found) score() float32 { return v.sure * float32(math.Sqrt(float64(v.p))) }

// typed fills in the probability of each relation of the bracket, and of none.
func (m *model) typed(p *passage, b bracket, s *scratch, out []float32) {
	clear(out)
	s.f = p.typeFeatures(b, s.f[:0])
	m.kind.add(s.f, out)
	softmax(out)
}

// values returns the values of a passage in its order. They do not overlap.
func (m *model) values(p *passage, s *scratch) []found { return m.choose(p, m.brackets(p, s), s) }

// hopeless is the share of an overlapping bracket's probability below which a bracket is not typed, which saves time.
const hopeless = 0.25

// outdone reports whether one of the likelier brackets overlaps b and is far likelier.
func outdone(b bracket, likelier []bracket) bool {
	return slices.ContainsFunc(likelier, func(o bracket) bool { return o.from < b.to && b.from < o.to && b.p < hopeless*o.p })
}

// choose returns the brackets that are values. The likelier brackets come first.
func (m *model) choose(p *passage, brackets []bracket, s *scratch) []found {
	var room [64]float32
	out := room[:len(relations)+1]
	var all []found
	for i, b := range brackets {
		if outdone(b, brackets[:i]) {
			continue
		}
		m.typed(p, b, s, out)
		best := likeliest(out[:len(relations)])
		all = append(all, found{b, best, out[best]})
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.score(), a.score()) })
	kept := all[:0]
	for _, v := range all {
		if !slices.ContainsFunc(kept, func(k found) bool { return k.from < v.to && v.from < k.to }) {
			kept = append(kept, v)
		}
	}
	slices.SortFunc(kept, func(a, b found) int { return cmp.Compare(a.from, b.from) })
	return kept
}

// The stances of a value.
const (
	asserted = iota
	denied
	replaced
	stances
)

func (m *model) stanceOf(p *passage, v found, s *scratch, out []float32) int {
	s.f = p.stanceFeatures(v.bracket, v.relation, s.f[:0])
	m.stance.add(s.f, out)
	return likeliest(out)
}

// subjectOf returns the token that names whom the value is about, -1 for the author.
func (m *model) subjectOf(p *passage, v found, s *scratch) int {
	best, most := -1, float32(0)
	for i := -1; i < len(p.tokens); i++ {
		if i >= 0 && !p.mayBeSubject(i, v.bracket) {
			continue
		}
		var score [1]float32
		s.f = p.subjectFeatures(i, v.bracket, v.relation, s.f[:0])
		m.subject.add(s.f, score[:])
		if i < 0 || score[0] > most {
			best, most = i, score[0]
		}
	}
	return best
}
