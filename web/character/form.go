package character

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"familiar/persona/card"
	"familiar/web/layout"
)

// formView is a form as its page shows it.
type formView struct {
	form
	persona
	// held is what the fields show, wrong what is wrong with it.
	held  content
	wrong problems
	// theirs is what fields hold in a newer version of the file, where that differs from what the form has.
	theirs content
	// outdated reports that somebody else changed the file since the form was made.
	outdated bool
	talk     talk
}

func (p *Pages) showForm(w http.ResponseWriter, r *http.Request, f form) error {
	o, err := p.read(r)
	if err != nil {
		return err
	}
	v := formView{form: f, persona: o}
	if o.card != nil {
		v.held = contentOf(o.card)
	}
	return p.writeForm(w, r, v)
}

func (p *Pages) writeForm(w http.ResponseWriter, r *http.Request, v formView) error {
	if v.card != nil {
		v.talk = p.talkOf(r, v.card, v.talk)
	}
	status := http.StatusOK
	switch {
	case v.outdated:
		status = http.StatusConflict
	case len(v.wrong) > 0:
		status = http.StatusUnprocessableEntity
	}
	return p.shell.WriteAs(w, r, status, layout.Page{
		Title: v.title + " of " + v.name(), Section: layout.Character, Persona: v.key, Body: p.formPage(v),
	})
}

// saveForm writes what was changed in a form.
func (p *Pages) saveForm(w http.ResponseWriter, r *http.Request, f form) error {
	v, after, err := p.filled(w, r, f)
	if err != nil {
		return err
	}
	if v.outdated || len(v.wrong) > 0 {
		return p.writeForm(w, r, v)
	}
	if bytes.Equal(after, v.text) {
		return layout.Done(w, r, r.URL.Path, layout.Notice{Text: "Nothing is different, so nothing was written."})
	}
	if _, err := card.Replace(r.Context(), p.Dir, v.key, v.text, after, card.Paged, p.Now()); err != nil {
		if !errors.Is(err, card.ErrOutdated) {
			return err
		}
		if v, _, err = p.filled(w, r, f); err != nil { // another page was quicker
			return err
		}
		return p.writeForm(w, r, v)
	}
	return p.saved(w, r, r.URL.Path, v.persona, after, "Saved: "+strings.Join(v.changes(), ", ")+".")
}

// changes names the fields in which a form differs from the file.
func (v formView) changes() (names []string) {
	was := contentOf(v.card)
	for _, f := range v.fields {
		if !slices.Equal(was[f.name], v.held[f.name]) {
			names = append(names, strings.ToLower(f.label))
		}
	}
	return names
}

// saved leads to a page that tells what was written, with a way to take it back.
func (p *Pages) saved(w http.ResponseWriter, r *http.Request, path string, before persona, after []byte, text string) error {
	n := layout.Notice{Text: text + " " + p.effect()}
	if _, number := p.kept(before.key, before.mark()); number > 0 {
		n.Undo = layout.Of(before.key, "character", "restore")
		n.Fields = url.Values{"number": {strconv.Itoa(number)}, "base": {card.Mark(after)}, "back": {path}}
	}
	return layout.Done(w, r, path, n)
}

// filled returns a form as it was sent, and the text of the file with it. If the file is newer than the form, fields that were left
// alone show what the file has now.
func (p *Pages) filled(w http.ResponseWriter, r *http.Request, f form) (v formView, after []byte, err error) {
	if err := limited(w, r, maxForm); err != nil {
		return v, nil, err
	}
	o, err := p.read(r)
	if err != nil {
		return v, nil, err
	}
	if o.card == nil {
		return v, nil, layout.Invalid(errors.New("the file is broken: mend it on the page File first"))
	}
	v = formView{form: f, persona: o, held: submitted(r.PostForm, f.fields)}
	now := contentOf(o.card)
	if r.PostForm.Get("base") != o.mark() {
		v.outdated = true
		base, _ := p.kept(o.key, r.PostForm.Get("base"))
		v.merge(base, now)
	}
	after, v.wrong = apply(o.file, o.text, now, v.held, f.fields)
	return v, after, nil
}

// merge notes where the newer file differs from the form. base is the text that the form was made from, nil if it is not kept.
func (v *formView) merge(base []byte, now content) {
	v.theirs = content{}
	was, err := card.ParseCard(v.file, base)
	known := base != nil && err == nil
	for _, f := range v.fields {
		mine, theirs := v.held[f.name], now[f.name]
		switch {
		case slices.Equal(mine, theirs):
		case known && slices.Equal(mine, contentOf(was)[f.name]):
			v.held[f.name] = theirs
		default:
			v.theirs[f.name] = theirs
		}
	}
}

// checkForm answers what is wrong in a form, and writes nothing.
func (p *Pages) checkForm(w http.ResponseWriter, r *http.Request, f form) error {
	v, _, err := p.filled(w, r, f)
	if err != nil {
		return err
	}
	return answerJSON(w, struct {
		Problems problems `json:"problems"`
		Outdated bool     `json:"outdated"`
	}{v.wrong, v.outdated})
}

// answerJSON answers a script.
func answerJSON(w http.ResponseWriter, answer any) error {
	data, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(data) // a browser that went away needs nothing
	return nil
}
