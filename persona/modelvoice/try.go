package modelvoice

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"familiar/internal/recent"
	"familiar/persona/scene"
	"familiar/prompts"
	"familiar/prompts/answer"
)

// try is one answer of a model.
type try struct {
	// text is what may be said; with failed, it is the whole sentences before the fault.
	text   string
	failed error
	// shown reports that some of it was shown, blind that the model did not see the pictures.
	shown, blind bool
}

// try asks the model until it answers: it may use tools before that. p goes on to what was asked last.
func (v *Voice) try(ctx context.Context, p *prompts.Prompt, e *errands, show func(soFar string)) try {
	for {
		t, round := v.ask(ctx, *p, e, show)
		e.done.Blind = e.done.Blind || t.blind
		if round == nil {
			if errors.Is(t.failed, answer.ErrEmpty) && useful(e.said) && ctx.Err() == nil {
				return try{text: e.said}
			}
			return t
		}
		*p = e.answer(ctx, *p, *round)
	}
}

// ask asks the model once. It returns the answer, or what the model asks for before it answers.
func (v *Voice) ask(ctx context.Context, p prompts.Prompt, e *errands, show func(soFar string)) (try, *prompts.Round) {
	s := e.scene
	options := p.Reading(s.Card.Name, isMachine(s))
	options.Unannounced = v.unannounced.Load()
	preview := newPreview(options, show, isProactive(s))
	got, err := v.meter.For(s.Person.ID, v.model).Generate(WithRoom(ctx, s.Room), p, preview.stream())
	r := preview.reader(got.Text)
	if err != nil && ctx.Err() != nil {
		return try{text: r.Shown(), failed: err, shown: preview.shown != ""}, nil
	}
	t := try{}
	var unfit error
	t.text, unfit = r.Close()
	t.blind = got.Blind
	if round := p.Asked(got, r.Calls(), t.text, e.runner.MaxCalls()); round != nil && err == nil {
		return t, round
	}
	t.shown = preview.shown != "" && !r.Withdrawn()
	if r.Unannounced() {
		v.unannounced.Store(true)
	}
	if r.Hidden() && (err != nil || got.Stop == prompts.StopLength) {
		t.text, unfit = "", answer.ErrReasoning // it may never have come to the answer
	}
	switch {
	case err != nil && got.Text != "" && isCut(err):
		t.failed = fmt.Errorf("%w: %w", answer.ErrCut, err)
	case err != nil:
		t.failed = err // where nothing came, the client has tried again itself
	case unfit != nil:
		t.failed = unfit
	case got.Stop == prompts.StopFiltered:
		t.failed = answer.ErrFiltered
	case got.Stop == prompts.StopLength:
		t.text = mostSentences(t.text)
	case isProactive(s) && prompts.Silent(t.text):
		t.text = ""
	}
	if t.failed != nil {
		t.text = answer.Sentences(t.text)
	}
	if err != nil && r.Endless() {
		t.text = ""
	}
	return t, nil
}

// isCut reports whether an error says that an answer broke off, and another may not.
func isCut(err error) bool {
	var broken interface{ BrokeOff() bool }
	return errors.As(err, &broken) && broken.BrokeOff()
}

// silent reports that the model prefers to say nothing, which is an answer where the persona writes first.
func (t try) silent(s scene.Scene) bool {
	return isProactive(s) && errors.Is(t.failed, answer.ErrEmpty)
}

// isProactive reports whether the persona writes first.
func isProactive(s scene.Scene) bool { return s.Greeting != nil && s.Greeting.Proactive }

// usefulLetters is how many letters the kept sentences of an answer must have.
const usefulLetters = 8

// useful reports whether the sentences before a fault are worth saying alone.
func useful(text string) bool {
	letters := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= usefulLetters
}

// mostSentences removes the broken end of an answer that reached its limit, if most of it stays.
func mostSentences(text string) string {
	if whole := answer.Sentences(text); len(whole) >= len(text)/2 {
		return whole
	}
	return text
}

// isMachine reports whether the persona is a machine by its card, and may speak of it.
func isMachine(s scene.Scene) bool {
	card := s.WithCard().Card
	c := card.Prompt()
	return speaksOfMachines(strings.Join([]string{c.Name, c.Description + card.Sheet.Personality, c.Voice, strings.Join(c.Traits, ", "), strings.Join(c.Values, ", ")}, ". "))
}

// speaksOfMachines is answer.IsMachine, asked of the same card with every answer.
var speaksOfMachines = recent.Texts(8, 20_000, answer.IsMachine)

// preview reads an answer while it arrives, and shows what may be shown of it.
type preview struct {
	options   answer.Options
	show      func(soFar string)
	proactive bool
	arriving  *answer.Reader
	heard     strings.Builder
	shown     string
}

func newPreview(o answer.Options, show func(string), proactive bool) *preview {
	return &preview{options: o, show: show, proactive: proactive, arriving: answer.NewReader(o)}
}

// stream returns the function that takes the pieces of the answer, nil if nothing is shown.
func (p *preview) stream() func(delta string) {
	if p.show == nil {
		return nil
	}
	return func(delta string) {
		p.heard.WriteString(delta)
		p.arriving.Write(delta)
		soFar := p.arriving.Shown()
		if soFar == p.shown || p.proactive && strings.HasPrefix(prompts.Silence, strings.ToUpper(soFar)) {
			return
		}
		p.shown = soFar
		p.show(soFar)
	}
}

// reader returns the reader of the whole answer: the one that read it while it arrived, unless the provider's whole answer
// differs from its pieces.
func (p *preview) reader(text string) *answer.Reader {
	if p.heard.Len() > 0 && strings.TrimSpace(p.heard.String()) == strings.TrimSpace(text) {
		return p.arriving
	}
	r := answer.NewReader(p.options)
	r.Write(text)
	return r
}
