// Package compare plays written stories to three minds and looks at what each has in front of it when somebody comes
// back: one that remembers nothing, one that searches everything that was ever said, and the persona with its record,
// its beliefs and its jobs. What can be read there is counted by words, not judged.
package compare

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"familiar/memory"
	"familiar/memory/recall"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/modelvoice"
	"familiar/persona/scene"
	"familiar/prompts"
	"familiar/scheduler"
)

// The minds that are compared.
const (
	// Stateless knows the running talk alone.
	Stateless = "stateless"
	// Flat finds what was said by anybody, as it was said, by the words it shares with what is said now.
	Flat = "flat"
	// Full is the product: the engine, the store and the jobs.
	Full = "full"
)

// DefaultBudget is how much of what is in front of a mind is looked at, in tokens.
const DefaultBudget = 1000

// Parts are what stories are played with.
type Parts struct {
	// Budget is how much of what is in front of a mind is looked at, in tokens.
	Budget   int
	Settings persona.Settings
	// Furnish fits out the home a story is played in.
	Furnish func(Home) (Furniture, error)
}

// Home is where one story is played: a new store, and a clock that shows the time of the story.
type Home struct {
	Card  *card.Card
	Store *memory.Store
	Now   func() time.Time
}

// Furniture is what a home is given.
type Furniture struct {
	// Voice answers in the probe. Before it the plain voice does, so that every mind has the same past.
	Voice scene.Voice
	// Model judges, and does the persona's own work; nil without one.
	Model modelvoice.Model
	// Near is what a text means, nil without an embedder.
	Near func(ctx context.Context, text string) *recall.QueryEmbedding
	// Scheduler is what happens between the sessions.
	Scheduler func(*persona.Engine) (*scheduler.Scheduler, error)
}

// Report is one story as each mind came out of it.
type Report struct {
	Scenario string `json:"scenario"`
	Title    string `json:"title"`
	Persona  string `json:"persona"`
	Person   string `json:"person"`
	// Said is everything said before the probe.
	Said  []Said        `json:"said"`
	Modes []*ModeReport `json:"modes"`
	// Faults are jobs that failed, with why.
	Faults []string `json:"faults,omitempty"`
}

// Said is one thing said. Name is who said it, With whose room it was said in.
type Said struct {
	With string    `json:"with"`
	Name string    `json:"name"`
	Self bool      `json:"self,omitempty"`
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}

// ModeReport is how one mind came out.
type ModeReport struct {
	Mode string `json:"mode"`
	Score
	// Found is what can be read of each fact when the person comes back, Foreign what of somebody else's at any time.
	Found   []Found  `json:"found"`
	Foreign []string `json:"foreign_facts,omitempty"`
	Steps   []Step   `json:"steps"`
	// Verdict is a model's, nil without one; Fault says why there is none although one was asked, or that the plain voice
	// had to step in.
	Verdict *prompts.Verdict `json:"verdict,omitempty"`
	Fault   string           `json:"fault,omitempty"`
}

// Step is one thing said in the probe, what was in front of the mind, and what it answered. The first one is the return.
type Step struct {
	// Said is empty for an arrival without a word.
	Said string `json:"said"`
	// Context is what was in front of the mind: its notes and memories within the budget, which take Tokens, and what
	// people said in the running talk.
	Context []string `json:"context"`
	Tokens  int      `json:"tokens"`
	Reply   string   `json:"reply"`
}

// atOnce is how many stories are played at a time: each waits for its disk most of the time.
const atOnce = 8

// Run plays the stories, each in a home of its own that is thrown away.
func Run(ctx context.Context, parts Parts, scenarios []Scenario) ([]Report, error) {
	reports := make([]Report, len(scenarios))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for i, s := range scenarios {
		g.Go(func() (err error) {
			if reports[i], err = play(ctx, parts, s); err != nil {
				err = fmt.Errorf("play %s: %w", s.Name, err)
			}
			return err
		})
	}
	return reports, g.Wait()
}

// play plays one story and asks every mind.
func play(ctx context.Context, parts Parts, s Scenario) (r Report, err error) {
	err = withStage(ctx, parts, s, func(st *stage) error {
		if err := st.playHistory(ctx, s); err != nil {
			return err
		}
		r = Report{
			Scenario: s.Name, Title: s.Title, Persona: s.Card.Name, Person: s.Person, Said: st.said, Faults: st.faults,
		}
		for _, mode := range []struct {
			name string
			mind mind
		}{
			{Stateless, st.forgetful(s)},
			{Flat, st.searching(s, parts.Budget)},
			{Full, st.whole(s)},
		} {
			m, err := probe(ctx, s, parts.Budget, mode.mind)
			if err != nil {
				return fmt.Errorf("%s: %w", mode.name, err)
			}
			m.Mode = mode.name
			m.judge(ctx, st.furniture.Model, s)
			r.Modes = append(r.Modes, m)
		}
		return nil
	})
	return r, err
}

// mind answers what is said at a time of the probe, "" being an arrival, out of a scene.
type mind func(ctx context.Context, text string, at time.Time) (scene.Scene, scene.Reply, error)

// probe lets the person come back to a mind and ask.
func probe(ctx context.Context, s Scenario, budget int, answer mind) (*ModeReport, error) {
	m := &ModeReport{}
	for i, text := range s.Probe.said() {
		scene, speech, err := answer(ctx, text, s.at(i))
		if err != nil {
			return nil, err
		}
		step := Step{Said: text, Reply: speech.Text}
		step.Context, step.Tokens = inFront(scene, budget)
		m.Steps = append(m.Steps, step)
		if speech.Fault != "" {
			m.blame("the plain voice stepped in: " + speech.Fault)
		}
	}
	m.score(s)
	return m, nil
}

// said is everything the person says in the probe.
func (p Probe) said() []string {
	said := []string{p.Hello}
	for _, q := range p.Asks {
		said = append(said, q.Ask)
	}
	return said
}

// at is when step i of the probe is said.
func (s Scenario) at(i int) time.Time { return s.Probe.At.Add(time.Duration(i) * pace) }
