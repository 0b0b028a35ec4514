package history

import (
	"math"
	"slices"
	"time"

	"familiar/memory/model"
)

// Life is the course of one memory, from when it was stored.
type Life struct {
	ID int64
	// Author is the person who said it, 0 for the operator, the persona and jobs. Audience is who may know it.
	Author   int64
	Audience model.Audience
	Kind     model.Kind
	Sector   model.Sector
	Salience float64
	// Stored is when the store took it in, Replaced when a newer version took its place, Expires when it ends; both may be zero.
	Stored, Replaced, Expires time.Time

	// Phases are its parts, the first from when it was stored.
	Phases []Phase
}

// Phase is a part of a life between two changes. Its times are milliseconds since 1970.
type Phase struct {
	From int64
	// Since is when the memory began to fade anew, Rate how fast it fades per millisecond.
	Since    int64
	Rate     float64
	Strength float64
	Tier     model.Tier
	Pinned   bool
	// Change is what began it.
	Change Change
}

// Change is what changed in the life of a memory.
type Change string

// The changes.
const (
	Begun      Change = "stored"     // the store took it in
	Used       Change = "used"       // a reply was made from it, which makes it stronger and lets it fade anew
	Reinforced Change = "reinforced" // a job found it important, which makes it stronger
	Moved      Change = "moved"      // it came into another tier
	Pinned     Change = "pinned"     // it was pinned or unpinned
)

// State is what a memory was at a time.
type State struct {
	ID int64
	// Retention is what was left of it, 0–1.
	Retention float64
	Strength  float64
	Tier      model.Tier
	Pinned    bool
}

// Freshness classes the state of a memory.
type Freshness int

// The classes, by what is left of a memory.
const (
	Fresh   Freshness = iota // at least half, or pinned
	Fading                   // at least a tenth
	Faded                    // less, but still found like any other
	Dormant                  // found only by a strong match
)

// Freshness returns the class of the state.
func (s State) Freshness() Freshness {
	switch {
	case s.Tier == model.Dormant:
		return Dormant
	case s.Pinned || s.Retention >= 0.5:
		return Fresh
	case s.Retention >= 0.1:
		return Fading
	}
	return Faded
}

// At returns the state at a time. there is false if the memory was not stored yet, was replaced or had expired.
func (l *Life) At(t time.Time) (s State, there bool) {
	if t.Before(l.Stored) || !l.Replaced.IsZero() && !t.Before(l.Replaced) || !l.Expires.IsZero() && !t.Before(l.Expires) {
		return State{}, false
	}
	return l.state(t.UnixMilli()), true
}

func (l *Life) state(at int64) State {
	i, found := slices.BinarySearchFunc(l.Phases, at, func(p Phase, at int64) int {
		if p.From <= at {
			return -1
		}
		return 1
	})
	if !found {
		i--
	}
	p := &l.Phases[max(i, 0)]
	s := State{ID: l.ID, Strength: p.Strength, Tier: p.Tier, Pinned: p.Pinned, Retention: 1}
	if !p.Pinned && at > p.Since {
		s.Retention = math.Exp(-p.Rate * float64(at-p.Since))
	}
	return s
}

// Point is one point of a decay curve.
type Point struct {
	At        time.Time
	Retention float64
	// Change is what changed then, empty for a point between changes.
	Change Change
}

// Curve returns the retention from one time to another: points evenly spaced, and two at each change, before and after it.
func (l *Life) Curve(from, until time.Time, points int) (curve []Point) {
	if from.Before(l.Stored) {
		from = l.Stored
	}
	if points < 2 || until.Before(from) {
		return nil
	}
	step := until.Sub(from) / time.Duration(points-1)
	for i := range points {
		at := from.Add(time.Duration(i) * step)
		curve = append(curve, Point{At: at, Retention: l.state(at.UnixMilli()).Retention})
	}
	for _, p := range l.Phases {
		at := time.UnixMilli(p.From).UTC()
		if at.Before(from) || at.After(until) {
			continue
		}
		if p.Change != Begun {
			curve = append(curve, Point{At: at.Add(-time.Millisecond), Retention: l.state(p.From - 1).Retention})
		}
		curve = append(curve, Point{At: at, Retention: l.state(p.From).Retention, Change: p.Change})
	}
	slices.SortStableFunc(curve, func(a, b Point) int { return a.At.Compare(b.At) })
	return curve
}

// event is one change of a life as the store recorded it.
type event struct {
	at     int64
	change Change
	// gain is the strength that it added. was is the tier or the pin before it.
	gain float64
	was  string
}

// unfold turns the present row of a memory and its recorded changes, in the order of time, into the phases of its life.
func (l *Life) unfold(created time.Time, now Phase, lambda float64, events []event) {
	first := now
	uses, last := 0, created.UnixMilli()
	for i := range events {
		e := &events[i]
		if e.change == Used {
			uses++
			e.gain = model.Strengthen(0, uses, time.Duration(e.at-last)*time.Millisecond)
			last = max(last, e.at)
		}
		first.Strength -= e.gain
	}
	for _, e := range slices.Backward(events) {
		switch e.change {
		case Moved:
			first.Tier = model.Tier(e.was)
		case Pinned:
			first.Pinned = e.was == "1"
		}
	}
	first.From, first.Since, first.Change = l.Stored.UnixMilli(), created.UnixMilli(), Begun
	l.Phases = []Phase{first}
	for i, e := range events {
		p := l.Phases[len(l.Phases)-1]
		p.From, p.Change, p.Strength = e.at, e.change, p.Strength+e.gain
		switch e.change {
		case Used:
			p.Since = max(p.Since, e.at)
		case Moved:
			p.Tier = model.Tier(next(events[i+1:], Moved, string(now.Tier)))
		case Pinned:
			p.Pinned = next(events[i+1:], Pinned, flag(now.Pinned)) == "1"
		}
		l.Phases = append(l.Phases, p)
	}
	for i := range l.Phases {
		p := &l.Phases[i]
		p.Rate = lambda / (l.Salience + model.SalienceOffset) / max(p.Strength, 1) / float64((24 * time.Hour).Milliseconds())
	}
}

// next returns the value before the next change of a kind, which is the one after the change before it, or the present one.
func next(events []event, change Change, now string) string {
	for _, e := range events {
		if e.change == change {
			return e.was
		}
	}
	return now
}

func flag(set bool) string {
	if set {
		return "1"
	}
	return "0"
}
