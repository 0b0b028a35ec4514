package scene

import (
	"slices"
	"time"

	"familiar/persona/care"
)

// Care is what is known of the danger that the person is in, beside what the rules read in what they say now.
type Care struct {
	// Danger is what a model read in the messages being answered, None without one or if there is none.
	Danger care.Danger
	// Since is when the person last spoke of danger before, zero if they did not or if it was long ago. Spoke is the danger.
	Since time.Time
	Spoke care.Danger
	// Reach are those whom the person can reach, one line each, none if nobody is known.
	Reach []string
}

// InDanger returns the danger that the messages being answered speak of, None if of none, and the tag of the language
// that the rules read it in, "" if only a model did.
func (s *Scene) InDanger() (d care.Danger, language string) {
	for _, line := range OwnLines(*s) {
		if read := care.Read(line.Text); read.Danger != care.None {
			return read.Danger, read.Language
		}
	}
	return s.Care.Danger, ""
}

// InNeed returns the fixed reply to someone whose words the rules read as danger. It precedes and replaces everything
// else that the plain voice says, in the same plain words whatever the persona's manner.
func (s *Scene) InNeed() string {
	d, language := s.InDanger()
	if language == "" {
		return ""
	}
	return care.Reply(d, language, s.Care.Reach)
}

// careTime is for how long somebody who spoke of danger is met with care at least.
const careTime = 7 * 24 * time.Hour

// NeedsCare reports whether the person spoke of danger before, as far as the sources, which are those of Scene.Sources,
// or the record tell.
func (s *Scene) NeedsCare(sources []Source) bool {
	return !s.Care.Since.IsZero() || slices.ContainsFunc(sources, func(x Source) bool { return x.Own && s.Now.Sub(x.At) < careTime && Despairs(x.Text) })
}

// StillNeedsCare reports whether somebody who spoke of danger at a time is still met with care: for a week, and however
// long they stay away, until the talk after the next greeting is over. met reports that it is.
func StillNeedsCare(now, at time.Time, met bool) bool { return !met || now.Sub(at) < careTime }

// BeCareful leaves out of the scene what is not for somebody who is met with care: the persona brings up nothing, and
// nothing is celebrated.
func (s *Scene) BeCareful() {
	s.Milestones, s.Goals, s.UnknownTerm, s.Observations, s.Mood, s.Undelivered = nil, nil, nil, nil, "", 0
	if g := s.Greeting; g != nil && !g.Proactive {
		quiet := *g
		quiet.Loops, quiet.Observed, quiet.Recalled, quiet.Subjects = nil, nil, nil, nil
		s.Greeting = &quiet
	}
}

// Careful reports whether the person is met with care now: they are in danger, or were lately.
func (s *Scene) Careful() bool {
	d, _ := s.InDanger()
	return d != care.None || !s.Care.Since.IsZero()
}

// Despairs reports whether a text speaks of danger. No greeting brings it up.
func Despairs(said string) bool { return care.Read(said).Danger != care.None }
