package conversations

import (
	"fmt"
	"net/http"
	"strings"

	"familiar/memory"
	"familiar/prompts"
	"familiar/web/chart"
	"familiar/web/layout"
)

// shownPrompt is what the page on a prompt shows.
type shownPrompt struct {
	explained
	prompt prompts.Prompt
}

// why returns why a line is in the prompt, "" if it gives no reason.
func (s shownPrompt) why(line string) string {
	for _, n := range s.prompt.Notes {
		if n.Text == line {
			return n.Why
		}
	}
	return ""
}

// lines divides a message of the prompt.
func lines(text string) []string { return strings.Split(strings.TrimRight(text, "\n"), "\n") }

// bars shows the tokens of each part.
func (s shownPrompt) bars() chart.Bars {
	b := chart.Bars{
		Title: "Tokens by part", Unit: "tokens",
		About: fmt.Sprintf("%s tokens in all, as estimated here.", layout.Number(s.prompt.Tokens())),
	}
	for _, part := range s.prompt.Slices {
		b.Bars = append(b.Bars, chart.Bar{Name: part.Name, Values: []float64{float64(part.Tokens)}})
	}
	return b
}

// prompt answers with the prompt that a model would get if what an answer was given to were written now.
func (p Pages) prompt(w http.ResponseWriter, r *http.Request) error {
	if p.Prompt == nil {
		return memory.ErrNotFound
	}
	e, err := p.explain(r)
	if err != nil {
		return err
	}
	if e.turn.PersonID == 0 {
		return layout.Invalid(fmt.Errorf("%s wrote this to nobody in particular, so there is no prompt for it", e.name))
	}
	person, err := p.store.Log.Person(r.Context(), e.turn.PersonID)
	if err != nil {
		return err
	}
	var said []string
	for _, m := range e.heard {
		if m.Text != "" && m.PersonID != 0 {
			said = append(said, m.Text)
		}
	}
	if len(said) == 0 {
		return layout.Invalid(fmt.Errorf("nothing is left of what %s answered here", e.name))
	}
	s := shownPrompt{explained: e}
	if s.prompt, err = p.Prompt(r.Context(), e.persona, person, e.room.Room, strings.Join(said, "\n")); err != nil {
		return fmt.Errorf("make the prompt for message %d: %w", e.said.ID, err)
	}
	return p.shell.Write(w, r, layout.Page{Title: "The prompt as it would be now", Section: layout.Conversations, Persona: e.persona, Body: promptBody(s)})
}
