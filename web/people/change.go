package people

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"familiar/memory"
	"familiar/memory/erase"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/persona/known"
	"familiar/web/layout"
)

// maxText is how long a correction may be, in characters.
const maxText = 2000

// correction is the form that corrects a fact.
type correction struct {
	// message is the message that told the fact last, nil if none can be corrected.
	message *model.Message
	// text is what stands in the form, problem what is wrong with it, "" for nothing.
	text, problem string
}

// correctable returns the message that told a fact last, nil if there is none by somebody whom the persona met.
func (b believed) correctable() *model.Message {
	for _, q := range slices.Backward(b.quotes) {
		if q.message != nil && q.Stance > 0 && q.message.PersonID != 0 {
			return q.message
		}
	}
	return nil
}

// form returns the form for a fact.
func (p *Pages) form(b believed) correction {
	c := correction{}
	if p.Mind == nil || b.Status != model.Active {
		return c
	}
	if c.message = b.correctable(); c.message != nil {
		c.text = lastQuote(b.Belief).Quote
	}
	return c
}

// correct answers POST /p/{persona}/people/{id}/facts/{fact}: the words that told the fact become new ones, in the message that told
// it last.
func (p *Pages) correct(w http.ResponseWriter, r *http.Request) error {
	s, b, err := p.subjectAndFact(r)
	if err != nil {
		return err
	}
	form := p.form(b)
	if form.message == nil {
		return layout.Invalid(errors.New("this fact cannot be corrected: no message of somebody here is left that told it"))
	}
	form.text = strings.TrimSpace(model.CleanText(r.FormValue("text")))
	switch n := utf8.RuneCountInString(form.text); {
	case n == 0:
		form.problem = "Write how it should read."
	case n > maxText:
		form.problem = fmt.Sprintf("That has %d characters: use at most %d.", n, maxText)
	}
	if form.problem != "" {
		return p.writeFact(w, r, s, b, form)
	}
	text := log.Redact(known.Reworded(form.message.Text, form.message.PersonID, b.Belief, form.text))
	return p.reword(w, r, s, *form.message, text)
}

// restore answers POST /p/{persona}/people/{id}/messages/{message}: it gives a message the text that it had before a correction.
func (p *Pages) restore(w http.ResponseWriter, r *http.Request) error {
	s, err := p.subject(r)
	if err != nil {
		return err
	}
	id, err := number(r.PathValue("message"))
	if err != nil {
		return err
	}
	found, err := p.Store.Log.Messages(r.Context(), []int64{id})
	if err != nil {
		return err
	}
	text := strings.TrimSpace(model.CleanText(r.FormValue("text")))
	if len(found) == 0 || text == "" {
		return memory.ErrNotFound
	}
	return p.reword(w, r, s, found[0], text)
}

// reword gives a message a new text and leads to the page of the person.
func (p *Pages) reword(w http.ResponseWriter, r *http.Request, s subject, m model.Message, text string) error {
	ctx := r.Context()
	author, err := p.Store.Log.Person(ctx, m.PersonID)
	if err != nil {
		return err
	}
	engine, err := p.Mind(s.persona)
	if err != nil {
		return err
	}
	was, err := known.Correct(ctx, p.Store, engine, known.Correction{Persona: s.persona, Message: m.ID, Person: author, Text: text, At: m.At})
	if err != nil {
		return err
	}
	n := layout.Notice{Text: "The message now reads “" + text + "”. What it tells was read again."}
	if was != text {
		n.Undo, n.Fields = s.path("messages", strconv.FormatInt(m.ID, 10)), url.Values{"text": {was}}
	}
	return layout.Done(w, r, s.path(), n)
}

// forgetting is what would be forgotten with a fact.
type forgetting struct {
	memories []model.Memory
	gone     erase.ForgetResult
}

func (f forgetting) ids() (all []int64) {
	for _, m := range f.memories {
		all = append(all, m.ID)
	}
	return all
}

// forgetting returns what a fact rests on.
func (p *Pages) forgetting(r *http.Request, b believed) (f forgetting, err error) {
	var said []int64
	for _, e := range b.Evidence {
		if e.Stance > 0 {
			said = append(said, e.MessageID)
		}
	}
	if f.memories, err = p.Store.Entries.MadeOf(r.Context(), said); err != nil {
		return f, err
	}
	if len(f.memories) == 0 {
		return f, layout.Invalid(errors.New("no memory is left of what told this: there is nothing to forget. It fades by itself"))
	}
	return f, nil
}

// askForget answers GET /p/{persona}/people/{id}/facts/{fact}/forget.
func (p *Pages) askForget(w http.ResponseWriter, r *http.Request) error {
	s, b, err := p.subjectAndFact(r)
	if err != nil {
		return err
	}
	f, err := p.forgetting(r, b)
	if err != nil {
		return err
	}
	if f.gone, err = p.Store.Eraser.CountForgotten(r.Context(), f.ids()); err != nil {
		return err
	}
	return p.write(w, r, s, "Forget this?", forgetPage(s, b, f))
}

// forget answers POST /p/{persona}/people/{id}/facts/{fact}/forget.
func (p *Pages) forget(w http.ResponseWriter, r *http.Request) error {
	s, b, err := p.subjectAndFact(r)
	if err != nil {
		return err
	}
	f, err := p.forgetting(r, b)
	if err != nil {
		return err
	}
	gone, err := p.Store.Eraser.ForgetAll(r.Context(), f.ids())
	if err != nil {
		return err
	}
	return layout.Done(w, r, s.path(), layout.Notice{Text: "Forgotten: " + gone.String() + "."})
}

func (p *Pages) subjectAndFact(r *http.Request) (s subject, b believed, err error) {
	if s, err = p.subject(r); err == nil {
		b, err = p.believed(r.Context(), s, r.PathValue("fact"))
	}
	return s, b, err
}
