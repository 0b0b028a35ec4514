package mind

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Grown is what a persona grew on top of its card. It holds numbers, names from fixed lists and the card's trait names,
// and never people's words. The zero value is the persona as its operator wrote it; writing it is a reset.
type Grown struct {
	// Version counts the versions, from 1.
	Version int `json:"version"`
	// Traits are the changes of the card's traits, −0.15 to 0.15 each.
	Traits map[string]float64 `json:"traits,omitempty"`
	// Card are the strengths that those traits had on the card. If the operator changes a trait, its growth is void.
	Card map[string]float64 `json:"card,omitempty"`
	// Skills are the persona's skills.
	Skills map[Skill]Figure `json:"skills,omitempty"`
	// Mood is the change of the baseline mood from the temperament: valence −0.2 to 0.2, energy −0.1 to 0.1.
	Mood Mood `json:"mood"`
}

// Week is what happened since the last snapshot, with everyone the persona talked to.
type Week struct {
	// Sessions is the number of ended sessions, Facts their sum.
	Sessions int
	Facts    SessionFacts
	// Mood is the mean of the moods after them.
	Mood Mood
	// Skills is the current state of the skills.
	Skills map[Skill]Figure
}

// The numbers of growth are project choices. The bound on traits is from the identity rules in docs/mind.md.
const (
	// TraitBound is the greatest change of a trait from the card's strength.
	TraitBound = 0.15
	// traitPace is the share of the distance to the week's target that a trait moves, TraitPerWeek the maximum.
	traitPace    = 0.1
	TraitPerWeek = 0.02
	// moodPace is the same for the baseline mood. valenceBound and energyBound are its greatest changes.
	moodPace                  = 0.1
	valenceBound, energyBound = 0.2, 0.1
	// weekScale is how many events of a kind in one week move a trait 63 % of the way.
	weekScale = 10
	// figurePlaces is the precision of stored numbers.
	figurePlaces = 1e4
)

// tide holds what strengthens a trait and what weakens it.
type tide struct{ up, down func(f SessionFacts) int }

// tides are the traits that grow, with the events that move them. Others stay as the card has them.
var tides = map[string]tide{
	"warm":        {countWarm, countHostile},
	"kind":        {countWarm, countHostile},
	"cheerful":    {countWarm, countHostile},
	"playful":     {countWarm, countHostile},
	"reserved":    {countHostile, countWarm},
	"curious":     {countNew, countNothing},
	"observant":   {countRecalled, countReminded},
	"attentive":   {countRecalled, countReminded},
	"precise":     {countAnswered, countCorrected},
	"confident":   {countAnswered, countCorrected},
	"stubborn":    {countHostile, countCorrected},
	"humble":      {countCorrected, countNothing},
	"patient":     {countFelt, countHostile},
	"empathetic":  {countFelt, countHostile},
	"sentimental": {countFelt, countNothing},
	"courteous":   {countThanked, countHostile},
	"helpful":     {countAchieved, countUnanswered},
	"encouraging": {countAchieved, countHostile},
}

func countNothing(SessionFacts) int      { return 0 }
func countWarm(f SessionFacts) int       { return f.Warm }
func countHostile(f SessionFacts) int    { return f.Hostile }
func countNew(f SessionFacts) int        { return f.NewTopics }
func countRecalled(f SessionFacts) int   { return f.Recalled }
func countReminded(f SessionFacts) int   { return f.Reminded }
func countAnswered(f SessionFacts) int   { return f.Answered }
func countUnanswered(f SessionFacts) int { return f.Unanswered }
func countCorrected(f SessionFacts) int  { return f.Corrections }
func countFelt(f SessionFacts) int       { return f.Feelings }
func countThanked(f SessionFacts) int    { return f.Thanked }
func countAchieved(f SessionFacts) int   { return f.Achieved }

// Snapshot returns the growth after a week: prev itself if no one talked or nothing changed, otherwise the next
// version. traits are the card's, by name. Each growing trait moves a tenth of the way to the week's target, at most
// 0.02. The baseline mood moves a tenth of the way to the week's. Skills are copied.
func Snapshot(prev Grown, traits map[string]float64, w Week) Grown {
	if w.Sessions == 0 {
		return prev
	}
	next := Grown{Version: prev.Version + 1, Traits: map[string]float64{}, Skills: maps.Clone(w.Skills), Mood: prev.Mood}
	for name, strength := range traits {
		if by := grownTrait(name, prev.moved(name, strength), w.Facts); by != 0 {
			next.Traits[name] = by
			next.Card = with(next.Card, name, rounded(strength))
		}
	}
	temper := Temperament(traits)
	next.Mood.Valence += moodPace * (w.Mood.Valence - temper.Valence - prev.Mood.Valence)
	next.Mood.Energy += moodPace * (w.Mood.Energy - temper.Energy - prev.Mood.Energy)
	if next = next.bounded(); len(Diff(prev, next)) == 0 {
		return prev
	}
	return next
}

// moved returns the change of a trait with that strength on the card: 0 if the card has changed since.
func (g Grown) moved(name string, strength float64) float64 {
	if was, known := g.Card[name]; known && was != rounded(strength) {
		return 0
	}
	return g.Traits[name]
}

// grownTrait returns the change of a trait after a week.
func grownTrait(name string, moved float64, f SessionFacts) float64 {
	t, grows := tides[name]
	if !grows {
		return moved
	}
	up, down := t.up(f), t.down(f)
	if up+down == 0 {
		return moved
	}
	toward := TraitBound * (saturate(up, weekScale) - saturate(down, weekScale))
	return moved + clamp(traitPace*(toward-moved), -TraitPerWeek, TraitPerWeek)
}

// Over returns the card's traits with the growth applied: only the card's traits, each within 0.15 of its strength and
// within 0–1. A trait of 0 stays 0, and one that the operator changed starts from its new strength.
func Over(traits map[string]float64, g Grown) map[string]float64 {
	over := make(map[string]float64, len(traits))
	for name, strength := range traits {
		over[name] = strength
		if strength > 0 {
			over[name] = clamp(strength+clamp(g.moved(name, strength), -TraitBound, TraitBound), 0, 1)
		}
	}
	return over
}

// UsualMood returns the baseline mood of a persona with these traits and this growth.
func UsualMood(traits map[string]float64, g Grown) Mood {
	m, by := Temperament(traits), g.bounded().Mood
	return Mood{Valence: m.Valence + by.Valence, Energy: m.Energy + by.Energy}.bounded()
}

// Change is a number that differs between two versions.
type Change struct {
	// Part is "trait", "skill" or "mood". Name identifies the number.
	Part string `json:"part"`
	Name string `json:"name"`
	// From and To are the two numbers. A missing one is 0, or 0.5 for a skill.
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

// String describes the change: "trait warm +0.02 → +0.04".
func (c Change) String() string {
	if c.Part == "skill" {
		return fmt.Sprintf("%s %s %.2f → %.2f", c.Part, c.Name, c.From, c.To)
	}
	return fmt.Sprintf("%s %s %+.2f → %+.2f", c.Part, c.Name, c.From, c.To)
}

// Diff returns what changed from a to b: traits first, then skills and the mood, each by name.
func Diff(a, b Grown) (changes []Change) {
	add := func(part, name string, from, to float64) {
		if from != to {
			changes = append(changes, Change{part, name, from, to})
		}
	}
	for _, name := range keysOf(a.Traits, b.Traits) {
		add("trait", name, a.Traits[name], b.Traits[name])
	}
	for _, s := range keysOf(a.Skills, b.Skills) {
		add("skill", string(s), confidenceIn(a, s), confidenceIn(b, s))
	}
	add("mood", "energy", a.Mood.Energy, b.Mood.Energy)
	add("mood", "valence", a.Mood.Valence, b.Mood.Valence)
	return changes
}

func confidenceIn(g Grown, s Skill) float64 {
	if f, ok := g.Skills[s]; ok {
		return f.Confidence
	}
	return unpractised
}

// keysOf returns the keys of both maps in order.
func keysOf[K cmp.Ordered, V any](a, b map[K]V) []K {
	all := maps.Clone(a)
	if all == nil {
		all = map[K]V{}
	}
	maps.Copy(all, b)
	return sortedKeys(all)
}

// ReadGrown parses growth from JSON; empty input is the zero value. Numbers out of range are clamped and unknown skills
// dropped, so that no stored value can override the card.
func ReadGrown(data []byte) (g Grown, err error) {
	if len(data) == 0 {
		return g, nil
	}
	if err := json.Unmarshal(data, &g); err != nil {
		return Grown{}, fmt.Errorf("read what the persona grew: %w", err)
	}
	return g.bounded(), nil
}

// bounded returns g with every number in its range and rounded to the stored precision.
func (g Grown) bounded() Grown {
	b := Grown{Version: max(g.Version, 0), Mood: Mood{
		Valence: rounded(clamp(g.Mood.Valence, -valenceBound, valenceBound)),
		Energy:  rounded(clamp(g.Mood.Energy, -energyBound, energyBound)),
	}}
	for name, by := range g.Traits {
		if by = rounded(clamp(by, -TraitBound, TraitBound)); by != 0 {
			b.Traits = with(b.Traits, name, by)
			if was, known := g.Card[name]; known {
				b.Card = with(b.Card, name, rounded(clamp(was, 0, 1)))
			}
		}
	}
	for s, f := range g.Skills {
		if slices.Contains(Skills, s) {
			f.Confidence, f.Peak, f.Sessions = rounded(clamp(f.Confidence, 0, 1)), rounded(clamp(f.Peak, 0, 1)), max(f.Sessions, 0)
			if !slices.Contains(trends, f.Trend) {
				f.Trend = ""
			}
			b.Skills = with(b.Skills, s, f)
		}
	}
	return b
}

// with returns the map with one more entry, creating it if it is nil.
func with[K comparable, V any](m map[K]V, k K, v V) map[K]V {
	if m == nil {
		m = map[K]V{}
	}
	m[k] = v
	return m
}

func rounded(x float64) float64 { return math.Round(x*figurePlaces) / figurePlaces }
