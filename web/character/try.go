package character

import (
	"errors"
	"net/http"

	"familiar/persona/card"
	"familiar/persona/lore"
	"familiar/web/layout"
	"familiar/web/visitor"
)

// tryForm has the persona answer as it would with what a form holds, and writes nothing.
func (p *Pages) tryForm(w http.ResponseWriter, r *http.Request, f form) error {
	v, after, err := p.filled(w, r, f)
	if err != nil {
		return err
	}
	as, err := card.ParseCard(v.file, after)
	if err != nil || len(v.wrong) > 0 {
		v.talk.refuse(r, "Mend what is wrong in the form first.")
		return p.writeForm(w, r, v)
	}
	book, err := card.LoadLore(p.Dir, v.key)
	if err != nil {
		return layout.Invalid(err)
	}
	if v.talk, err = p.answer(r, as, book); err != nil {
		return err
	}
	return p.writeForm(w, r, v)
}

// refuse keeps what was typed, with a reason why it was not said.
func (t *talk) refuse(r *http.Request, problem string) {
	t.Typed, t.Problem = typed(r.PostForm.Get("try_text")), problem
	t.UseModel = r.PostForm.Get("try_model") != ""
}

// answer says what was typed to the persona of a card with a lorebook, nil for none.
func (p *Pages) answer(r *http.Request, as *card.Card, book *lore.Book) (t talk, err error) {
	key := trialKey(visitor.From(r.Context()).CSRF, as.Key)
	t.UseModel = r.PostForm.Get("try_model") != ""
	if r.PostForm.Get("try") == "again" {
		p.trials.forget(key)
		return t, nil
	}
	if as.Sheet.Lore = nil; book != nil {
		as.Sheet.Lore = lore.Compile(book)
	}
	err = p.trials.say(r.Context(), key, as, typed(r.PostForm.Get("try_text")), t.UseModel)
	if errors.Is(err, errTooLong) || errors.Is(err, errTalkFull) || errors.Is(err, errAnswering) {
		t.refuse(r, "Nothing was said: "+err.Error()+".")
		err = nil
	}
	if err != nil {
		p.Log.Error("try a persona on the dashboard", "persona", as.Key, "error", err)
		t.refuse(r, "The talk did not work. The log of familiar says why.")
	}
	return t, nil
}

// talkOf completes a talk for a page: what was said, and what may answer.
func (p *Pages) talkOf(r *http.Request, c *card.Card, t talk) talk {
	who := visitor.From(r.Context())
	if !who.MayChange() || p.Scratch == nil {
		return talk{}
	}
	t.Lines = p.trials.lines(trialKey(who.CSRF, c.Key))
	if p.Model != nil {
		_, name, err := p.Model(c)
		if err != nil {
			p.Log.Warn("look for the model of a persona", "persona", c.Key, "error", err)
		}
		t.Model = name
	}
	return t
}
