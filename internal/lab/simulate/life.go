package simulate

import (
	"context"
	"fmt"
	"strings"
	"time"

	"familiar/memory/model"
	"familiar/persona/mind"
	"familiar/persona/scene"
)

// life is the run of a world.
type life struct {
	*World
	Parts
	truth  *truth
	agenda *agenda
	talked time.Time

	// line is the line being answered, nil while jobs run.
	line *Line
	// known maps the store's participant ids to people, ids maps people to participant ids.
	known map[int64]int
	ids   []int64

	tally    tally
	jobRuns  map[string]int
	samples  []Sample
	failures []Failure
}

func newLife(w *World, p Parts) *life {
	l := &life{
		World: w, Parts: p, truth: newTruth(len(w.cast)), agenda: newAgenda(p.Jobs, w.settings.Start),
		known: map[int64]int{}, ids: make([]int64, len(w.cast)), jobRuns: map[string]int{},
		tally: newTally(len(w.cast)),
	}
	p.Voice.look = l.look
	return l
}

// sampleEvery is the interval between samples of the state.
const sampleEvery = 7 * 24 * time.Hour

// live runs everything in the order of time: messages, jobs and samples.
func (l *life) live(ctx context.Context) error {
	end := l.settings.Start.AddDate(0, 0, l.settings.Days)
	sample := l.settings.Start.Add(sampleEvery)
	for n := 0; ctx.Err() == nil; {
		at := end
		if n < len(l.script) {
			at = l.script[n].At
		}
		job, due := l.agenda.next(l.talked, l.clock.Now())
		switch {
		case !sample.After(at) && (job < 0 || sample.Before(due)):
			l.clock.Pass(sample)
			if err := l.sample(ctx); err != nil {
				return err
			}
			sample = sample.Add(sampleEvery)
		case job >= 0 && !due.After(at):
			l.clock.Pass(due)
			if err := l.work(ctx, job, due); err != nil {
				return err
			}
		case n == len(l.script):
			l.clock.Pass(end)
			return l.sample(ctx)
		default:
			l.clock.Pass(at)
			if err := l.say(ctx, n); err != nil {
				return err
			}
			n++
		}
	}
	return context.Cause(ctx)
}

// say delivers line number n and judges the answer.
func (l *life) say(ctx context.Context, n int) error {
	line := l.script[n]
	l.line, l.talked = &line, line.At
	defer func() { l.line = nil }()
	l.truth.hear(line)
	if err := l.Engine.Accept(ctx, message(n, line, l.cast[line.Who])); err != nil {
		return err
	}
	if err := l.Engine.Drain(ctx); err != nil {
		return fmt.Errorf("wait for an answer to %q: %w", line.Text, err)
	}
	var answer strings.Builder
	for _, out := range l.network.Collect() {
		answer.WriteString(out.Text)
	}
	l.tally.messages++
	l.judge(line, answer.String())
	return nil
}

// judge scores the answer to a line.
func (l *life) judge(line Line, answer string) {
	v := Verdict("")
	if line.Asks != nil && answer != "" {
		v = l.truth.judge(line, answer)
		l.tally.probe(line, v)
	} else if l.truth.foreign(line.Who, line.Club, answer) != "" {
		v = Foreign
	} else if l.truth.stale(line.Who, line.Text, answer) != "" {
		v = Stale
	}
	if line.Asks == nil {
		l.tally.answer(v)
	}
	if v != "" && v != Right {
		l.fail(v, line, answer)
	}
}

// fail records an answer that was not right.
func (l *life) fail(v Verdict, line Line, answer string) {
	f := Failure{Verdict: v, At: line.At, Person: l.cast[line.Who].Name, Said: line.Text, Answer: answer}
	if line.Asks != nil {
		f.About = string(line.Asks.About)
		if held := l.truth.facts[line.Who][line.Asks.About]; held != nil {
			f.Now, f.Past = held.now, held.past
		}
	}
	l.failures = append(l.failures, f)
}

// look checks what a voice is given, independently of its reply.
func (l *life) look(s scene.Scene, _ scene.Reply) {
	who, ok := l.known[s.Person.ID]
	if l.line != nil && !ok {
		who = l.line.Who
		l.known[s.Person.ID], l.ids[who] = who, s.Person.ID
	}
	if g := s.Greeting; g != nil && !g.First {
		l.tally.greetings++
		if len(g.Loops)+len(g.Recalled) > 0 {
			l.tally.recalling++
		}
	}
	for _, b := range s.Beliefs {
		if b.Status == model.Active && b.AuthorID == s.Person.ID && l.truth.past(who, b.Relation, b.Value) {
			l.tally.staleBeliefs++
			l.failScene(Stale, who, fmt.Sprintf("believed: %s %s %s", b.Subject, b.Relation, b.Value))
		}
	}
	if name := l.truth.foreign(who, !s.Direct, sceneText(s)); name != "" {
		l.tally.foreignScenes++
		l.failScene(Foreign, who, "before the voice: "+name)
	}
}

func (l *life) failScene(v Verdict, who int, what string) {
	f := Failure{Verdict: v, At: l.clock.Now(), Person: l.cast[who].Name, Answer: what}
	if l.line != nil {
		f.Said = l.line.Text
	}
	l.failures = append(l.failures, f)
}

// sceneText returns the parts of a scene that came from memory.
func sceneText(s scene.Scene) string {
	var b strings.Builder
	for _, item := range s.Recall.Items {
		for _, line := range item.Lines {
			b.WriteString(line.Text + "\n")
		}
	}
	for _, belief := range s.Beliefs {
		b.WriteString(belief.Subject + " " + belief.Value + "\n")
	}
	for _, loop := range s.Loops {
		b.WriteString(loop.Text + "\n")
	}
	if s.Greeting != nil {
		for _, m := range s.Greeting.Recalled {
			b.WriteString(m.Text + "\n")
		}
	}
	return b.String()
}

// work runs a job. Everything that the persona says meanwhile counts as unasked.
func (l *life) work(ctx context.Context, job int, due time.Time) error {
	if err := l.agenda.run(ctx, job, due); err != nil {
		return fmt.Errorf("job %s: %w", l.agenda.jobs[job].Name, err)
	}
	l.jobRuns[l.agenda.jobs[job].Name]++
	if err := l.Engine.Drain(ctx); err != nil {
		return fmt.Errorf("wait for job %s: %w", l.agenda.jobs[job].Name, err)
	}
	for _, out := range l.network.Collect() {
		if err := l.unasked(ctx, out.Room.ID, out.Text); err != nil {
			return err
		}
	}
	return nil
}

// sample records the state of the world.
func (l *life) sample(ctx context.Context) error {
	stats, err := l.Store.Lifecycle.Stats(ctx, l.Persona)
	if err != nil {
		return err
	}
	s := newSample(l.clock.Now(), stats)
	for who, id := range l.ids {
		if id == 0 {
			continue // not met yet
		}
		rel, err := l.Store.Turns.Relationship(ctx, l.Persona, id)
		if err != nil {
			return err
		}
		s.People = append(s.People, Standing{
			Person: l.cast[who].Name, Trust: round(rel.Trust), Bond: round(mind.Bond(rel)), Stage: mind.Stage(rel, l.clock.Now()),
		})
	}
	if l.Mood != nil {
		valence, energy, err := l.Mood(ctx)
		if err != nil {
			return err
		}
		s.Mood = &Mood{round(valence), round(energy)}
	}
	l.samples = append(l.samples, s)
	return nil
}
