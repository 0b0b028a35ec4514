// Package compare plays written stories to three minds and checks what each has in its context when a user returns: one
// that remembers nothing, one that searches everything ever said, and the persona with its record, its beliefs and its
// jobs. It counts the facts in the context by their words and does not judge them.
package compare

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"familiar/internal/lab/virtual"
	"familiar/persona/scene"
	"familiar/prompts"
)

// The minds to compare.
const (
	// Stateless sees only the current conversation.
	Stateless = "stateless"
	// Flat searches the verbatim messages of everybody for the words of the current message.
	Flat = "flat"
	// Full is the product: the engine, the store and the jobs.
	Full = "full"
)

// DefaultBudget is the number of context tokens that are examined.
const DefaultBudget = 1000

// Parts holds the components with which stories are played. The furnished voice answers in the probe, and the furnished
// model judges.
type Parts struct {
	virtual.Parts
	// Budget is the number of context tokens that are examined.
	Budget int
}

// Report holds the results of every mind for one story.
type Report struct {
	Scenario string `json:"scenario"`
	Title    string `json:"title"`
	Persona  string `json:"persona"`
	Person   string `json:"person"`
	// Said lists everything said before the probe.
	Said  []Said        `json:"said"`
	Modes []*ModeReport `json:"modes"`
	// Faults lists the jobs that failed, with their errors.
	Faults []string `json:"faults,omitempty"`
}

// Said is one message. Name is its author, With the person in whose room it was said.
type Said struct {
	With string    `json:"with"`
	Name string    `json:"name"`
	Self bool      `json:"self,omitempty"`
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}

// ModeReport is the result of one mind.
type ModeReport struct {
	Mode string `json:"mode"`
	Score
	// Found holds what the context shows of each fact when the person returns. Foreign holds what it shows of other
	// people's facts at any time.
	Found   []Found  `json:"found"`
	Foreign []string `json:"foreign_facts,omitempty"`
	Steps   []Step   `json:"steps"`
	// Verdict is a model's judgement, nil without a model. Fault explains why a requested judgement is missing, or
	// reports that the plain voice replaced the voice.
	Verdict *prompts.Verdict `json:"verdict,omitempty"`
	Fault   string           `json:"fault,omitempty"`
}

// Step is one message of the probe, with the mind's context and its answer. The first step is the return.
type Step struct {
	// Said is empty for an arrival without a message.
	Said string `json:"said"`
	// Context is the mind's context: its notes and memories within the budget, which take Tokens, and what people said
	// in the current conversation.
	Context []string `json:"context"`
	Tokens  int      `json:"tokens"`
	Reply   string   `json:"reply"`
}

// atOnce is the number of stories played in parallel. Each spends most of its time waiting for its disk.
const atOnce = 8

// Run plays the stories, each in a temporary home of its own.
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

// play plays one story and probes every mind.
func play(ctx context.Context, parts Parts, s Scenario) (r Report, err error) {
	err = withStage(ctx, parts, s, func(st *stage) error {
		if err := st.playHistory(ctx, s); err != nil {
			return err
		}
		r = Report{
			Scenario: s.Name, Title: s.Title, Persona: s.Card.Name, Person: s.Person, Said: st.said, Faults: st.Faults,
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
			m.judge(ctx, st.Model, s)
			r.Modes = append(r.Modes, m)
		}
		return nil
	})
	return r, err
}

// mind builds a scene for a message of the probe and answers it. An empty text is an arrival.
type mind func(ctx context.Context, text string, at time.Time) (scene.Scene, scene.Reply, error)

// probe lets the person return to a mind and ask the questions.
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

// said returns everything the person says in the probe.
func (p Probe) said() []string {
	said := []string{p.Hello}
	for _, q := range p.Asks {
		said = append(said, q.Ask)
	}
	return said
}

// at returns the time of step i of the probe.
func (s Scenario) at(i int) time.Time { return s.Probe.At.Add(time.Duration(i) * pace) }
