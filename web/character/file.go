package character

import (
	"bytes"
	"errors"
	"net/http"

	"familiar/internal/strictyaml"
	"familiar/persona/card"
	"familiar/web/layout"
)

// fileView is the text of a persona's file as its page shows it.
type fileView struct {
	persona
	typed    string
	found    []string
	outdated bool
	changed  []diffLine
}

func (p *Pages) mountFile(at string) {
	p.shell.Get(at+"/file", p.showFile)
	p.shell.Post(at+"/file", p.saveFile)
	p.shell.Post(at+"/file/check", p.checkFile)
}

func (p *Pages) showFile(w http.ResponseWriter, r *http.Request) error {
	o, err := p.read(r)
	if err != nil {
		return err
	}
	return p.writeFile(w, r, fileView{persona: o, typed: string(o.text)})
}

func (p *Pages) writeFile(w http.ResponseWriter, r *http.Request, v fileView) error {
	status := http.StatusOK
	switch {
	case v.outdated:
		status = http.StatusConflict
	case len(v.found) > 0:
		status = http.StatusUnprocessableEntity
	}
	return p.shell.WriteAs(w, r, status, layout.Page{Title: "File of " + v.name(), Section: layout.Character, Persona: v.key, Body: p.filePage(v)})
}

// filledFile returns the text as it was sent, with what is wrong with it line by line.
func (p *Pages) filledFile(w http.ResponseWriter, r *http.Request) (v fileView, err error) {
	if err := limited(w, r, maxForm); err != nil {
		return v, err
	}
	if v.persona, err = p.read(r); err != nil {
		return v, err
	}
	text := bytes.ReplaceAll([]byte(r.PostForm.Get("text")), []byte("\r\n"), []byte("\n"))
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) && bytes.HasSuffix(v.text, []byte("\n")) {
		text = append(text, '\n')
	}
	v.typed = string(text)
	if v.outdated = r.PostForm.Get("base") != v.mark(); v.outdated {
		v.changed = difference(v.text, text)
	}
	if _, err := card.ParseCard(card.CardFile("", v.key), text); err != nil {
		if wrong, ok := errors.AsType[*strictyaml.Problems](err); ok {
			v.found = wrong.Lines()
		} else {
			v.found = []string{err.Error()}
		}
	}
	return v, nil
}

func (p *Pages) saveFile(w http.ResponseWriter, r *http.Request) error {
	v, err := p.filledFile(w, r)
	if err != nil {
		return err
	}
	if v.outdated || len(v.found) > 0 {
		return p.writeFile(w, r, v)
	}
	if v.typed == string(v.text) {
		return layout.Done(w, r, r.URL.Path, layout.Notice{Text: "Nothing is different, so nothing was written."})
	}
	_, err = card.Replace(r.Context(), p.Dir, v.key, v.text, []byte(v.typed), card.Paged, p.Now())
	if errors.Is(err, card.ErrOutdated) {
		if v, err = p.filledFile(w, r); err == nil {
			err = p.writeFile(w, r, v)
		}
		return err
	}
	if err != nil {
		return err
	}
	return p.saved(w, r, r.URL.Path, v.persona, []byte(v.typed), "The file is saved.")
}

// checkFile answers what is wrong with a text, and writes nothing.
func (p *Pages) checkFile(w http.ResponseWriter, r *http.Request) error {
	v, err := p.filledFile(w, r)
	if err != nil {
		return err
	}
	found := problems{}
	if len(v.found) > 0 {
		found["text"] = v.found
	}
	return answerJSON(w, struct {
		Problems problems `json:"problems"`
		Outdated bool     `json:"outdated"`
	}{found, v.outdated})
}
