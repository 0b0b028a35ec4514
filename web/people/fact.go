package people

import (
	"context"
	"net/http"
	"strconv"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/persona/known"
	"familiar/web/layout"
)

// facts answers GET /p/{persona}/people/{id}/facts: all that is believed about a person, or with ?ended=1 what does not hold any
// more.
func (p *Pages) facts(w http.ResponseWriter, r *http.Request) error {
	s, err := p.subject(r)
	if err != nil {
		return err
	}
	before, err := number(r.FormValue("before"))
	if err != nil {
		return err
	}
	about := belief.Filter{Persona: s.persona, SubjectPerson: s.ID, Before: before, Ended: r.FormValue("ended") != "", Limit: factsPerPage + 1}
	all, err := p.Store.Beliefs.ListBeliefs(r.Context(), about)
	if err != nil {
		return err
	}
	var next int64
	if len(all) > factsPerPage {
		all = all[:factsPerPage]
		next = all[factsPerPage-1].ID
	}
	newer, older := pages(s.path("facts"), before, next)
	if about.Ended {
		if newer != "" {
			newer += "?ended=1"
		}
		if older != "" {
			older += "&ended=1"
		}
	}
	return p.shell.Write(w, r, layout.Page{
		Title: "What is known of " + s.Name, Section: layout.People, Persona: s.persona,
		Body: factsPage(s, all, about.Ended, newer, older, p.Now()),
	})
}

// believed is one fact with what it rests on.
type believed struct {
	model.Belief
	quotes []quote
	// newer is what holds instead, nil for nothing.
	newer *model.Belief
}

// quote is a piece of evidence with the message it is from.
type quote struct {
	model.Evidence
	// message is the message, nil if its text is gone.
	message *model.Message
}

// fact answers GET /p/{persona}/people/{id}/facts/{fact}.
func (p *Pages) fact(w http.ResponseWriter, r *http.Request) error {
	s, b, err := p.subjectAndFact(r)
	if err != nil {
		return err
	}
	return p.writeFact(w, r, s, b, p.form(b))
}

func (p *Pages) writeFact(w http.ResponseWriter, r *http.Request, s subject, b believed, form correction) error {
	return p.write(w, r, s, known.FactText(b.Belief), factPage(s, b, form, p.Now()))
}

// believed returns a fact about a person by the number in a path.
func (p *Pages) believed(ctx context.Context, s subject, word string) (found believed, err error) {
	id, err := number(word)
	if err != nil {
		return found, err
	}
	if found.Belief, err = p.Store.Beliefs.Belief(ctx, id); err != nil {
		return found, err
	}
	if found.Persona != s.persona || found.SubjectPerson != s.ID {
		return found, memory.ErrNotFound
	}
	if found.SupersededBy != 0 {
		newer, err := p.Store.Beliefs.Belief(ctx, found.SupersededBy)
		if err != nil {
			return found, err
		}
		found.newer = &newer
	}
	var ids []int64
	for _, e := range found.Evidence {
		ids = append(ids, e.MessageID)
	}
	left, err := p.Store.Log.Messages(ctx, ids)
	if err != nil {
		return found, err
	}
	messages := map[int64]*model.Message{}
	for i, m := range left {
		if m.Text != "" {
			messages[m.ID] = &left[i]
		}
	}
	for _, e := range found.Evidence {
		found.quotes = append(found.quotes, quote{e, messages[e.MessageID]})
	}
	return found, nil
}

// why words why a fact does not hold any more.
func why(b model.Belief) string {
	switch b.ReplacedWhy {
	case "corrected":
		return "was never true"
	case "changed":
		return "has changed"
	case "retold":
		return "was told differently since"
	}
	if b.Status == model.Retracted {
		return "was taken back"
	}
	return "is over"
}

// heardBy says who may hear a fact.
func heardBy(a model.Audience) string {
	switch a.Kind {
	case model.Private:
		return "private"
	case model.InRoom:
		return "said in a group"
	}
	return "for everybody"
}

// said is the path of a message within its conversation.
func said(persona string, room, message int64) string {
	at := strconv.FormatInt(message, 10)
	return layout.Of(persona, "conversations", strconv.FormatInt(room, 10)) + "?message=" + at + "#m" + at
}

// How certain a fact is.
const sure, likely, doubtful = "sure", "likely", "doubtful"

// certainty words a confidence of 0–1.
func certainty(c float64) string {
	switch {
	case c >= 0.8:
		return sure
	case c >= 0.5:
		return likely
	}
	return doubtful
}
