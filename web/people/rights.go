package people

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"familiar/memory"
	"familiar/memory/link"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/web/layout"
)

// write writes a page about a person.
func (p *Pages) write(w http.ResponseWriter, r *http.Request, s subject, title string, body templ.Component) error {
	return p.shell.Write(w, r, layout.Page{Title: title, Section: layout.People, Persona: s.persona, Body: body})
}

// export answers GET /p/{persona}/people/{id}/export with everything known of the person.
func (p *Pages) export(w http.ResponseWriter, r *http.Request) error {
	s, err := p.subject(r)
	if err != nil {
		return err
	}
	content, _, err := p.Store.Transfer.PersonZip(r.Context(), s.ID, p.Zone, math.MaxInt64, p.Now())
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=familiar-person-%d-%s.zip", s.ID, p.Now().In(p.Zone).Format("2006-01-02")))
	if _, err := w.Write(content); err != nil {
		p.shell.Log.Debug("send an export", "person", s.ID, "error", err)
	}
	return nil
}

// askWithdraw answers GET /p/{persona}/people/{id}/withdraw.
func (p *Pages) askWithdraw(w http.ResponseWriter, r *http.Request) error {
	s, err := p.subject(r)
	if err != nil {
		return err
	}
	return p.write(w, r, s, "Take back the consent?", withdrawPage(s))
}

// withdraw answers POST /p/{persona}/people/{id}/withdraw.
func (p *Pages) withdraw(w http.ResponseWriter, r *http.Request) error {
	s, err := p.subject(r)
	if err != nil {
		return err
	}
	n, err := p.Store.Training.Withdraw(r.Context(), s.ID)
	if err != nil {
		return err
	}
	text := "Nothing that " + s.Name + " said is training data from now on."
	if n == 0 {
		text = s.Name + " agreed to no training."
	}
	return layout.Done(w, r, s.path(), layout.Notice{Text: text})
}

// askErase answers GET /p/{persona}/people/{id}/erase.
func (p *Pages) askErase(w http.ResponseWriter, r *http.Request) error {
	s, err := p.subject(r)
	if err != nil {
		return err
	}
	would, err := p.Store.Eraser.CountPerson(r.Context(), s.ID)
	if err != nil {
		return err
	}
	return p.write(w, r, s, "Erase "+s.Name+"?", erasePage(s, would))
}

// erase answers POST /p/{persona}/people/{id}/erase. Its answer is the page, since what still names the person is shown once.
func (p *Pages) erase(w http.ResponseWriter, r *http.Request) error {
	s, err := p.subject(r)
	if err != nil {
		return err
	}
	done, err := p.Erase(r.Context(), s.Person)
	if !done.Done {
		return err
	}
	if err != nil {
		p.shell.Log.Error("erase a person", "person", s.ID, "error", err)
	}
	return p.write(w, r, s, "Erased", erasedPage(s, done, err != nil))
}

// candidates answers GET /p/{persona}/people/{id}/link: whom the person may be joined with.
func (p *Pages) candidates(w http.ResponseWriter, r *http.Request) error {
	s, err := p.subject(r)
	if err != nil {
		return err
	}
	query := strings.TrimSpace(r.FormValue("q"))
	var found []turns.Acquaintance
	if query != "" {
		if found, err = p.Store.Turns.Acquaintances(r.Context(), turns.AcquaintanceFilter{Persona: s.persona, Name: query, Limit: 20}); err != nil {
			return err
		}
	}
	found = slices.DeleteFunc(found, func(a turns.Acquaintance) bool {
		return a.ID == s.ID || slices.ContainsFunc(networks(a.Person), func(n string) bool { return slices.Contains(networks(s.Person), n) })
	})
	return p.write(w, r, s, "Join "+s.Name+" with another account", linkPage(s, query, found))
}

// join answers POST /p/{persona}/people/{id}/link.
func (p *Pages) join(w http.ResponseWriter, r *http.Request) error {
	s, err := p.subject(r)
	if err != nil {
		return err
	}
	id, err := number(r.FormValue("other"))
	if err != nil || id == 0 {
		return layout.Invalid(errors.New("choose the other account from the list"))
	}
	if _, err := p.Store.Turns.Relationship(r.Context(), s.persona, id); err != nil {
		return err
	}
	other, err := p.Store.Log.Person(r.Context(), id)
	if err != nil {
		return err
	}
	err = p.Join(r.Context(), s.persona, [2]model.Person{s.Person, other})
	if errors.Is(err, link.ErrSameNetwork) {
		return layout.Invalid(err)
	}
	if err != nil {
		return err
	}
	n := layout.Notice{Text: other.Name + " and " + s.Name + " are one person now. Each account is told."}
	if len(other.Handles) > 0 {
		n.Undo, n.Fields = s.path("unlink"), url.Values{"network": {other.Handles[0].Channel}}
	}
	return layout.Done(w, r, s.path(), n)
}

// askPart answers GET /p/{persona}/people/{id}/unlink.
func (p *Pages) askPart(w http.ResponseWriter, r *http.Request) error {
	s, err := p.subject(r)
	if err != nil {
		return err
	}
	network := r.FormValue("network")
	if len(networks(s.Person)) < 2 || !slices.Contains(networks(s.Person), network) {
		return memory.ErrNotFound
	}
	return p.write(w, r, s, "Part the account on "+network+"?", partPage(s, network))
}

// part answers POST /p/{persona}/people/{id}/unlink.
func (p *Pages) part(w http.ResponseWriter, r *http.Request) error {
	s, err := p.subject(r)
	if err != nil {
		return err
	}
	network := r.FormValue("network")
	if !slices.Contains(networks(s.Person), network) {
		return layout.Invalid(fmt.Errorf("%s has no account on %q", s.Name, network))
	}
	err = p.Part(r.Context(), s.persona, s.Person, network)
	if errors.Is(err, link.ErrNotLinked) {
		return layout.Invalid(err)
	}
	if err != nil {
		return err
	}
	return layout.Done(w, r, layout.Of(s.persona, "people"), layout.Notice{Text: "The account on " + network + " is a person of its own again. Each account is told."})
}

// accountsOn names the accounts on a network.
func accountsOn(p model.Person, network string) string {
	var names []string
	for _, h := range p.Handles {
		if h.Channel == network {
			names = append(names, h.Named())
		}
	}
	return strings.Join(names, ", ")
}
