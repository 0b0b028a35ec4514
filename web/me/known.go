package me

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"familiar/memory"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/persona/known"
	"familiar/web/layout"
)

// maxText is how long a correction may be, in characters; maxFound how many memories a search looks at.
const maxText, maxFound = 2000, 100

// facts answers GET /me/facts.
func (p *Pages) facts(o own) error {
	all, err := o.mind.Known().Facts(o.ctx(), o.Asker)
	if err != nil {
		return err
	}
	before, err := o.before()
	if err != nil {
		return err
	}
	if before != 0 {
		all = slices.DeleteFunc(all, func(b model.Belief) bool { return b.ID >= before })
	}
	slices.SortStableFunc(all, func(a, b model.Belief) int { return int(min(max(b.ID-a.ID, -1), 1)) })
	var next int64
	if len(all) > perPage {
		all, next = all[:perPage], all[perPage-1].ID
	}
	return p.write(o, o.say("facts"), factsPage(o, all, older("/me/facts", nil, next)))
}

// change is a page on which one fact or memory is corrected or forgotten.
type change struct {
	// path is the page's, text what it is about and how it reads now.
	path, text string
	quotes     []model.Evidence
	// mine reports that the person said it, so that they may change it.
	mine    bool
	problem string
}

// ownFact returns a fact with the memories that it rests on, the latest last.
func (p *Pages) ownFact(o own) (model.Belief, []model.Memory, error) {
	id, err := o.id()
	if err != nil {
		return model.Belief{}, nil, err
	}
	fact, memories, err := o.mind.Known().OwnFact(o.ctx(), o.Asker, id)
	if err == nil && fact.ID == 0 {
		err = memory.ErrNotFound
	}
	return fact, memories, err
}

func changeOfFact(b model.Belief, mine bool) change {
	return change{path: "/me/facts/" + idText(b.ID), text: known.FactText(b), quotes: b.Evidence, mine: mine}
}

// fact answers GET /me/facts/{id}.
func (p *Pages) fact(o own) error {
	b, memories, err := p.ownFact(o)
	if err != nil {
		return err
	}
	c := changeOfFact(b, len(memories) > 0)
	return p.write(o, c.text, changePage(o, c, ownWords(b, o.Person.ID)))
}

// ownWords returns the person's own words for a fact.
func ownWords(b model.Belief, person int64) string {
	for _, e := range slices.Backward(b.Evidence) {
		if e.AuthorID == person && e.Stance > 0 && e.Quote != "" {
			return e.Quote
		}
	}
	return known.FactText(b)
}

// correctFact answers POST /me/facts/{id}.
func (p *Pages) correctFact(o own) error {
	b, memories, err := p.ownFact(o)
	if err != nil {
		return err
	}
	if len(memories) == 0 {
		return memory.ErrNotFound
	}
	c := changeOfFact(b, true)
	text, ok := o.newText(&c)
	if !ok {
		return p.write(o, c.text, changePage(o, c, text))
	}
	m, err := o.mind.Known().Correctable(o.ctx(), o.Asker, memories[len(memories)-1].ID)
	if err != nil {
		return err
	}
	return p.reword(o, m.Sources[0], known.Reworded(m.Text, o.Person.ID, b, text))
}

// newText reads a correction. If there is something wrong with it, it says so in c.
func (o own) newText(c *change) (text string, ok bool) {
	text = strings.TrimSpace(model.CleanText(o.r.FormValue("text")))
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		c.problem = o.say("text.empty")
	case n > maxText:
		c.problem = o.say("text.long", "n", maxText)
	}
	return text, c.problem == ""
}

// reword gives one of the person's messages a new text.
func (p *Pages) reword(o own, message int64, text string) error {
	found, err := p.Store.Log.Messages(o.ctx(), []int64{message})
	if err != nil {
		return err
	}
	if len(found) == 0 || found[0].PersonID != o.Person.ID {
		return memory.ErrNotFound
	}
	text = log.Redact(text)
	was, err := known.Correct(o.ctx(), p.Store, o.mind, known.Correction{
		Persona: o.key, Message: message, Person: o.Person, Text: text, At: found[0].At,
	})
	if err != nil {
		return err
	}
	n := layout.Notice{Text: o.say("corrected", "text", text)}
	if was != text {
		n.Undo, n.Fields = "/me/messages/"+idText(message), url.Values{"text": {was}}
	}
	return p.done(o, "/me", n)
}

// restore answers POST /me/messages/{id}: it gives a message the text that it had before a correction.
func (p *Pages) restore(o own) error {
	id, err := o.id()
	if err != nil {
		return err
	}
	text, ok := o.newText(&change{})
	if !ok {
		return memory.ErrNotFound
	}
	return p.reword(o, id, text)
}

// askForgetFact answers GET /me/facts/{id}/forget.
func (p *Pages) askForgetFact(o own) error {
	b, memories, err := p.ownFact(o)
	if err != nil {
		return err
	}
	return p.askForget(o, changeOfFact(b, true), memories)
}

// forgetFact answers POST /me/facts/{id}/forget.
func (p *Pages) forgetFact(o own) error {
	_, memories, err := p.ownFact(o)
	if err != nil {
		return err
	}
	return p.forget(o, memories)
}

func (p *Pages) askForget(o own, c change, memories []model.Memory) error {
	if len(memories) == 0 {
		return memory.ErrNotFound
	}
	would, err := p.Store.Eraser.CountForgotten(o.ctx(), ids(memories))
	if err != nil {
		return err
	}
	return p.write(o, o.say("forget"), forgetPage(o, c, memories, would))
}

func (p *Pages) forget(o own, memories []model.Memory) error {
	if len(memories) == 0 {
		return memory.ErrNotFound
	}
	gone, err := p.Store.Eraser.ForgetAll(o.ctx(), ids(memories))
	if err != nil {
		return err
	}
	return p.done(o, "/me", layout.Notice{Text: o.say("forgotten", "gone", strings.Join(o.gone(gone), ", "))})
}

func ids(memories []model.Memory) (all []int64) {
	for _, m := range memories {
		all = append(all, m.ID)
	}
	return all
}

// memories answers GET /me/memories: all by pages, or those that words find.
func (p *Pages) memories(o own) error {
	query := strings.TrimSpace(o.r.FormValue("q"))
	before, err := o.before()
	if err != nil {
		return err
	}
	var all []model.Memory
	var next int64
	if query != "" {
		all, err = o.mind.Known().Said(o.ctx(), o.Asker, query, maxFound)
	} else if all, err = p.Store.Recall.OwnMemories(o.ctx(), o.Hearing, o.Person.ID, before, perPage+1); len(all) > perPage {
		all, next = all[:perPage], all[perPage-1].ID
	}
	if err != nil {
		return err
	}
	return p.write(o, o.say("memories"), memoriesPage(o, query, all, older("/me/memories", nil, next)))
}

// ownMemory returns the person's own memory with the number in the path.
func (p *Pages) ownMemory(o own) (m model.Memory, err error) {
	id, err := o.id()
	if err != nil {
		return m, err
	}
	mine, err := o.mind.Known().IsOwn(o.ctx(), o.Asker, id)
	if err != nil {
		return m, err
	}
	if !mine {
		return m, fmt.Errorf("memory %d: %w", id, memory.ErrNotFound)
	}
	return p.Store.Turns.MemoryFor(o.ctx(), o.Hearing, id)
}

func changeOfMemory(m model.Memory) change {
	return change{path: "/me/memories/" + idText(m.ID), text: m.Text, mine: m.Origin == model.OriginMessage && len(m.Sources) == 1}
}

// memory answers GET /me/memories/{id}.
func (p *Pages) memory(o own) error {
	m, err := p.ownMemory(o)
	if err != nil {
		return err
	}
	return p.write(o, o.say("memory"), changePage(o, changeOfMemory(m), m.Text))
}

// correctMemory answers POST /me/memories/{id}.
func (p *Pages) correctMemory(o own) error {
	m, err := p.ownMemory(o)
	if err != nil {
		return err
	}
	c := changeOfMemory(m)
	if !c.mine {
		return memory.ErrNotFound
	}
	text, ok := o.newText(&c)
	if !ok {
		return p.write(o, o.say("memory"), changePage(o, c, text))
	}
	return p.reword(o, m.Sources[0], text)
}

// askForgetMemory answers GET /me/memories/{id}/forget.
func (p *Pages) askForgetMemory(o own) error {
	m, err := p.ownMemory(o)
	if err != nil {
		return err
	}
	return p.askForget(o, changeOfMemory(m), []model.Memory{m})
}

// forgetMemory answers POST /me/memories/{id}/forget.
func (p *Pages) forgetMemory(o own) error {
	m, err := p.ownMemory(o)
	if err != nil {
		return err
	}
	return p.forget(o, []model.Memory{m})
}
