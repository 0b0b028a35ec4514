package persona

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/card"
	"familiar/persona/mind"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// candidates is how many memories a greeting chooses from.
const greetingCandidates = 40

// recall brings to mind what bears on the turn and sets the scene for the voice.
func (e *Engine) recall(ctx context.Context, t *turn) error {
	rel, err := e.Store.Turns.Relationship(ctx, e.Card.Key, t.asker.ID)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	g, err := card.Grown(ctx, e.Store, e.Card.Key)
	if err != nil {
		return err
	}
	s := scene.Scene{
		Card: e.Card.Grown(g), Now: t.now, Direct: t.room.Direct, RoomTitle: t.room.Title, Person: t.asker,
		Relationship: rel, Stage: mind.Stage(rel, t.now), Style: mind.Style(rel),
		Heard: e.heardLines(t), Recent: e.recentLines(t), Loops: t.loops[t.asker.ID],
		Episodes: t.episodes, Timeline: mind.Timeline(rel, t.now),
	}
	if e.Model != nil && t.session != 0 {
		if s.Faltered, err = e.Store.Turns.LastTurnFellBack(ctx, t.hearing); err != nil {
			return err
		}
	}
	marked, err := e.Store.Recall.MarkedTexts(ctx, t.hearing, t.recent)
	if err != nil {
		return err
	}
	for i := range s.Recent {
		if s.Recent[i].Text != marked[i] {
			s.Recent[i].Text, s.Recent[i].Stored = marked[i], model.StoredAnalysis{}
		}
	}
	if s.Recall, err = e.recollect(ctx, t); err != nil {
		return err
	}
	if err := e.mood(ctx, t, &s, g); err != nil {
		return err
	}
	if err := e.lastTalk(ctx, t, &s); err != nil {
		return err
	}
	if err := e.believe(ctx, t, &s); err != nil {
		return err
	}
	if s.Forgettable, err = e.forgettable(ctx, t); err != nil {
		return err
	}
	if err := e.reflected(ctx, t, &s); err != nil {
		return err
	}
	if s.Greeting, err = e.greet(ctx, t, s); err != nil {
		return err
	}
	for _, more := range []func(context.Context, *turn, *scene.Scene) error{e.goals, e.wonder, e.remember, e.milestones} {
		if err := more(ctx, t, &s); err != nil {
			return err
		}
	}
	s.WeighReflections()
	t.scene = s
	return nil
}

// forgettable are the asker's own memories of what the turn asks to have forgotten.
func (e *Engine) forgettable(ctx context.Context, t *turn) (own []model.Memory, err error) {
	for _, f := range t.filings {
		if !f.Analysis.Forget || f.Analysis.ForgetAbout == "" {
			continue
		}
		recalled, err := e.Store.Recall.Find(ctx, t.hearing, recall.Query{Text: words.Cut(f.Analysis.ForgetAbout, scene.QueryLimit), Asker: t.asker.ID, Now: t.now})
		if err != nil {
			return nil, err
		}
		for _, hit := range recalled.Hits {
			if hit.Memory.Origin == model.OriginMessage && hit.Memory.AuthorID == t.asker.ID {
				own = append(own, hit.Memory)
			}
		}
	}
	return own, nil
}

// recollect recalls what the turn makes the persona think of; when that is nothing, what its question is about by itself:
// in a small memory the words around it, "tell me about", weigh more than the thing.
func (e *Engine) recollect(ctx context.Context, t *turn) (recall.Result, error) {
	q := e.query(t)
	recalled, err := e.Store.Recall.Find(ctx, t.hearing, q)
	if err != nil || !recalled.Nothing {
		return recalled, err
	}
	for _, asked := range t.questions() {
		if asked.About != "" && len(asked.Relations) == 0 {
			q.Text = asked.About
			return e.Store.Recall.Find(ctx, t.hearing, q)
		}
	}
	return recalled, nil
}

// query is what the turn makes the persona think of.
func (e *Engine) query(t *turn) recall.Query {
	q := recall.Query{
		Text: t.asking(), Near: t.near, Asker: t.asker.ID, Now: t.now,
		Limit: e.Settings.RecallLimit, Budget: e.Settings.RecallBudget, Weights: e.Card.Sectors, WithoutFacts: e.Card.WithoutFacts, Talk: t.recent,
	}
	for _, m := range t.recent {
		q.Recent = append(q.Recent, m.ID)
	}
	return q
}

// asking is what was said to the persona, empty when nothing was.
func (t *turn) asking() string {
	var said []string
	for _, h := range t.pending {
		if h.Message.Addressed {
			said = append(said, h.Message.Text)
		}
	}
	return words.Cut(strings.Join(said, "\n"), scene.QueryLimit)
}

// near is what text means, nil when nobody can tell.
func (e *Engine) near(ctx context.Context, text string) *recall.QueryEmbedding {
	if e.Near == nil || text == "" {
		return nil
	}
	return e.Near(ctx, text)
}

// believe reads what is believed about the person and what they ask about, as it stands after this turn's messages.
func (e *Engine) believe(ctx context.Context, t *turn, s *scene.Scene) error {
	about, err := e.Store.Beliefs.Beliefs(ctx, t.hearing, belief.Filter{SubjectPerson: t.asker.ID, IncludeHistory: true})
	if err != nil {
		return err
	}
	for _, name := range append(t.askedAbout(), namesOfKin(about, t.questions())...) {
		others, err := e.Store.Beliefs.Beliefs(ctx, t.hearing, belief.Filter{Subject: name, IncludeHistory: true})
		if err != nil {
			return err
		}
		about = append(about, others...)
	}
	if t.asksPlans() {
		plans, err := e.Store.Beliefs.Beliefs(ctx, t.hearing, belief.Filter{Relations: []string{rel.Planned}})
		if err != nil {
			return err
		}
		about = append(about, slices.DeleteFunc(plans, func(b model.Belief) bool { return knows(about, b) })...)
	}
	s.Beliefs, s.Changes = belief.PreviewClaims(t.hearing, about, t.claims())
	s.Beliefs = slices.Clone(s.Beliefs)
	endPlans(s.Beliefs, t.asker.ID, s.Loops, t.closed)
	s.Address = address(s.Beliefs, t.asker)
	return nil
}

// endPlans ends the plans and promises of a person that are no longer open: they happened, or fell away. Those told in
// this very turn have not been left open yet, and what others tell of them never is.
func endPlans(beliefs []model.Belief, person int64, open []model.Loop, closed []int64) {
	for i, b := range beliefs {
		if b.ID <= 0 || b.Status != model.Active || b.SubjectPerson != person || b.AuthorID != person || b.Relation != rel.Planned && b.Relation != rel.Promised {
			continue
		}
		stillOpen := slices.ContainsFunc(open, func(l model.Loop) bool {
			return strings.EqualFold(l.Text, strings.TrimSpace(b.Value)) && !slices.Contains(closed, l.ID)
		})
		if !stillOpen {
			beliefs[i].Status, beliefs[i].ReplacedWhy = model.Superseded, belief.ChangeChanged
		}
	}
}

// askedAbout are the names the turn's questions ask about, beside the asker and the persona.
func (t *turn) askedAbout() (names []string) {
	for _, f := range t.filings {
		switch q := f.Analysis.Question; {
		case q == nil:
		case q.Subject != "" && q.Subject != "you":
			names = append(names, q.Subject)
		case slices.Contains(f.Analysis.Entities, q.About): // "tell me something about Caroline"
			names = append(names, q.About)
		}
	}
	return names
}

// asksPlans says that the turn asks what lies ahead: that may be what somebody told of others.
func (t *turn) asksPlans() bool {
	return slices.ContainsFunc(t.questions(), func(q *understand.Question) bool { return slices.Contains(q.Relations, rel.Planned) })
}

// knows says that a belief is among others already.
func knows(beliefs []model.Belief, b model.Belief) bool {
	return slices.ContainsFunc(beliefs, func(o model.Belief) bool { return o.ID == b.ID })
}

// questions are what the turn's messages ask.
func (t *turn) questions() (asked []*understand.Question) {
	for _, f := range t.filings {
		if f.Analysis.Question != nil {
			asked = append(asked, f.Analysis.Question)
		}
	}
	return asked
}

// claims are what the turn's messages claim, each with who claims it.
func (t *turn) claims() (claims []belief.AttributedClaim) {
	for i, f := range t.filings {
		for _, c := range f.Analysis.Claims {
			person := t.people[t.authors[i]]
			a := belief.AttributedClaim{Claim: c, AuthorID: person.ID, Author: person.Name, At: t.pending[i].Message.At}
			if c.Subject == "" {
				a.SubjectPerson = person.ID
			}
			claims = append(claims, a)
		}
	}
	return claims
}

// address is how the person wants to be called: as they asked, else by the name they gave, else as the network
// presents them.
func address(beliefs []model.Belief, p model.Person) string {
	for _, relation := range []string{rel.CallMe, "name"} {
		for _, b := range beliefs {
			if b.Status == model.Active && b.Relation == relation && b.SubjectPerson == p.ID {
				return rel.Display(relation, b.Value)
			}
		}
	}
	if nameless.Has(strings.ToLower(p.Name)) {
		return ""
	}
	return p.Name
}

// nameless are what channels put where a name would stand: nobody is called by them.
var nameless = words.Of("you me i user guest anonymous unknown")

// greet decides whether the persona greets and what it brings up.
func (e *Engine) greet(ctx context.Context, t *turn, s scene.Scene) (*scene.Greeting, error) {
	if t.answersUnasked || t.session != 0 && !e.backAfterGap(t, s.Relationship) {
		return nil, nil
	}
	greeted, err := e.Store.Entries.Greeted(ctx, e.Card.Key, t.asker.ID)
	if err != nil {
		return nil, err
	}
	known, err := e.Store.Recall.MemoriesFor(ctx, t.hearing, greetingCandidates)
	if err != nil {
		return nil, err
	}
	in := scene.GreetingInput{
		Now: t.now, Person: t.asker.ID, Name: model.CleanName(t.asker.Name), Direct: t.room.Direct, Relationship: s.Relationship,
		Gap: e.Settings.GreetingGap, Unasked: t.unasked(), Loops: s.Loops, Greeted: greeted, Observed: s.Observations, Known: known, Beliefs: s.Beliefs,
	}
	if err := e.Store.Entries.FillAnalyses(ctx, known, in.MayMention); err != nil {
		return nil, err
	}
	return scene.Greet(in), nil
}

// backAfterGap says that somebody comes back to a talk between the two that is still open, later than the greeting gap:
// where that is the shorter one, a session is not over yet when a greeting is due. In a group others keep a session open.
func (e *Engine) backAfterGap(t *turn, rel model.Relationship) bool {
	if !t.room.Direct || rel.Messages == 0 || len(t.recent) == 0 {
		return false
	}
	return t.now.Sub(t.recent[len(t.recent)-1].At) >= e.Settings.GreetingGap
}

// heardLines are what is being answered.
func (e *Engine) heardLines(t *turn) (lines []scene.Line) {
	for i, h := range t.pending {
		if !h.Message.Arrival {
			lines = append(lines, e.heardLine(t, i))
		}
	}
	return lines
}

// heardLine is the turn's message number i.
func (e *Engine) heardLine(t *turn, i int) scene.Line {
	m := t.pending[i].Message
	return scene.Line{
		PersonID: t.authors[i], Name: t.people[t.authors[i]].Name, Text: m.FullText(), At: m.At, Reading: t.filings[i].Analysis,
	}
}

// recentLines are the running talk before it.
func (e *Engine) recentLines(t *turn) (lines []scene.Line) {
	for _, m := range t.recent {
		line := scene.Line{MessageID: m.ID, PersonID: m.PersonID, Name: m.Name, Self: m.PersonID == 0, Text: m.Text, At: m.At, Stored: m.Stored}
		if line.Self {
			line.Name = e.Card.Name
		}
		lines = append(lines, line)
	}
	return lines
}

// relate says how the turn moves the relationship with each person who spoke. What is only listened to in a group
// makes nobody closer, but they have been seen.
func (e *Engine) relate(t *turn) map[int64]func(model.Relationship) model.Relationship {
	moves := make(map[int64]func(model.Relationship) model.Relationship, len(t.people))
	for id, person := range t.people {
		moves[id] = func(rel model.Relationship) model.Relationship {
			for i, h := range t.pending {
				at := h.Message.At.In(person.Location(e.Settings.Zone))
				switch {
				case t.authors[i] != id || h.Message.Arrival:
				case h.Message.Addressed || h.Message.Direct: // who speaks alone with it speaks to it, answered or not
					rel = mind.Heard(rel, h.Message.Text, t.filings[i].Analysis, at)
					rel.QuietSince = quietSince(rel.QuietSince, h.Message.Text, at)
				default:
					rel = mind.Seen(rel, at)
				}
			}
			return rel
		}
	}
	return moves
}

// closeLoops finds the open loops of those who speak, which of them their messages move, and which they answer, whoever
// they speak to.
func (e *Engine) closeLoops(ctx context.Context, t *turn) (err error) {
	t.loops = make(map[int64][]model.Loop, len(t.people))
	recent := e.recentLines(t)
	before := scene.AskedLately(recent)
	for i, h := range t.pending {
		id := t.authors[i]
		if _, read := t.loops[id]; !read {
			if t.loops[id], err = e.Store.Beliefs.Loops(ctx, t.hearing, id); err != nil {
				return err
			}
		}
		if !h.Message.Arrival {
			recent = append(recent, e.heardLine(t, i))
			t.filings[i].Analysis.Claims = scene.NamePlans(t.filings[i].Analysis.Claims, t.loops[id], recent)
			t.closed = append(t.closed, scene.AnsweredLoops(t.loops[id], e.heardLine(t, i), before)...)
			before = ""
		}
	}
	return nil
}

// namesOfKin are the names of the people and animals that a turn's questions ask for by kinship, so that what is known
// under their names comes to mind as well: "where does my sister live?" asks about Eva.
func namesOfKin(own []model.Belief, questions []*understand.Question) (names []string) {
	for _, q := range questions {
		for _, b := range own {
			if rel.Kin(b.Relation) != "" && b.Status == model.Active && strings.EqualFold(b.Value, q.About) && !strings.EqualFold(q.Subject, b.Value) {
				names = append(names, b.Value)
			}
		}
		for _, want := range q.Relations {
			kin, _ := rel.Of(want)
			named := rel.Kin(want)
			if kin = cmp.Or(kin, named); kin == "" {
				continue
			}
			for _, b := range own {
				if named != "" && b.Status == model.Active {
					continue // the name is all that is asked for
				}
				called := rel.Answers(b.Relation, "person_name:"+kin) || rel.Answers(b.Relation, "pet_name:"+kin)
				if called && !slices.Contains(names, b.Value) { // one who has died is still asked after
					names = append(names, b.Value)
				}
			}
		}
	}
	return names
}
