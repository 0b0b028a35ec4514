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

// greetingCandidates is how many memories a greeting chooses from.
const greetingCandidates = 40

// buildScene gathers what is relevant to the turn into the scene for the voice.
func (e *Engine) buildScene(ctx context.Context, t *turn) error {
	rel, err := e.Store.Turns.Relationship(ctx, e.Card.Key, t.asker.ID)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	g, err := card.Grown(ctx, e.Store, e.Card.Key)
	if err != nil {
		return err
	}
	s := scene.Scene{
		Card: e.Card.Grown(g), Now: t.now, Direct: t.room.Direct, Room: t.room.ID, RoomTitle: t.room.Title, Person: t.asker,
		Relationship: rel, Stage: mind.Stage(rel, t.now), Style: mind.Style(rel),
		Incoming: e.heardLines(t), Recent: t.talk[:len(t.recent)], Loops: t.loops[t.asker.ID],
		Episodes: t.episodes, Timeline: mind.Timeline(rel, t.now),
	}
	if e.Model != nil && t.sessionID != 0 {
		if s.AfterFallback, err = e.Store.Turns.LastTurnFellBack(ctx, t.visibility); err != nil {
			return err
		}
	}
	if err := e.prefetchObservations(ctx, t, &s); err != nil {
		return err
	}
	if err := e.markRecent(ctx, t, &s); err != nil {
		return err
	}
	if s.Recall, err = e.recallMemories(ctx, t); err != nil {
		return err
	}
	if err := e.addMood(ctx, t, &s, g); err != nil {
		return err
	}
	if err := e.addLastTalk(ctx, t, &s); err != nil {
		return err
	}
	if err := e.loadBeliefs(ctx, t, &s); err != nil {
		return err
	}
	if s.Forgettable, err = e.forgettable(ctx, t); err != nil {
		return err
	}
	if err := e.addReflections(ctx, t, &s); err != nil {
		return err
	}
	if s.Greeting, err = e.greet(ctx, t, s); err != nil {
		return err
	}
	rest := []func(context.Context, *turn, *scene.Scene) error{
		e.addUndelivered, e.addAround, e.addPortrait, e.addToConfirm, e.addGoals, e.addUnknownTerm, e.addEarlier, e.addMilestones, e.addRead, e.addCare, e.addWebNote,
	}
	for _, more := range rest {
		if err := more(ctx, t, &s); err != nil {
			return err
		}
	}
	s.SelectReflections()
	if e.Model != nil {
		s.Lookup = e.lookup(t)
		s.Tools = e.toolsFor(t)
		if s.Notepad, err = e.notepad(ctx, t, s.Tools); err != nil {
			return err
		}
	}
	t.scene = s
	return nil
}

// markRecent marks what no longer holds in the running talk, for a voice that quotes it. A model reads the whole talk, the
// correction with it, in everybody's own words.
func (e *Engine) markRecent(ctx context.Context, t *turn, s *scene.Scene) error {
	if e.Model != nil {
		return nil
	}
	marked, err := e.Store.Recall.MarkedTexts(ctx, t.visibility, t.recent)
	if err != nil {
		return err
	}
	for i := range s.Recent {
		if s.Recent[i].Text != marked[i] {
			s.Recent[i].Text, s.Recent[i].Stored = marked[i], model.StoredAnalysis{}
		}
	}
	return nil
}

// forgettable returns the asker's own memories that the turn asks to forget.
func (e *Engine) forgettable(ctx context.Context, t *turn) (own []model.Memory, err error) {
	for _, f := range t.annotations {
		if !f.Analysis.Forget || f.Analysis.ForgetAbout == "" {
			continue
		}
		recalled, err := e.Store.Recall.Find(ctx, t.visibility, recall.Query{Text: words.Cut(f.Analysis.ForgetAbout, scene.QueryLimit), Asker: t.asker.ID, Now: t.now})
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

// recallMemories recalls memories for the turn. If it finds none, it searches for the subject of the question alone: in
// a small memory the words around it, such as "tell me about", weigh more than the subject.
func (e *Engine) recallMemories(ctx context.Context, t *turn) (recall.Result, error) {
	if e.Observer != nil {
		started := e.Now()
		defer func() { e.Observer.Recall(e.Now().Sub(started)) }()
	}
	q := e.recallQuery(t)
	recalled, err := e.Store.Recall.Find(ctx, t.visibility, q)
	if err != nil || !recalled.Nothing {
		return recalled, err
	}
	for _, asked := range t.questions() {
		if asked.About != "" && len(asked.Relations) == 0 {
			q.Text = asked.About
			return e.Store.Recall.Find(ctx, t.visibility, q)
		}
	}
	return recalled, nil
}

// recallQuery returns the recall query of the turn.
func (e *Engine) recallQuery(t *turn) recall.Query {
	q := recall.Query{
		Text: t.addressedText(), Near: t.queryEmbedding, Asker: t.asker.ID, Own: true, Now: t.now,
		Limit: e.Settings.RecallLimit, Budget: e.Settings.RecallBudget, Weights: e.Card.Sectors, WithoutFacts: e.Card.WithoutFacts, Talk: t.recent,
	}
	for _, m := range t.recent {
		q.Recent = append(q.Recent, m.ID)
	}
	return q
}

// addressedText returns what was said to the persona, empty if nothing was.
func (t *turn) addressedText() string {
	var said []string
	for _, h := range t.pending {
		if h.Message.Addressed {
			said = append(said, h.Message.Text)
		}
	}
	return words.Cut(strings.Join(said, "\n"), scene.QueryLimit)
}

// addressedBy returns the name of who addressed the persona, empty if nobody did.
func (t *turn) addressedBy() (name string) {
	for _, h := range t.pending {
		if h.Message.Addressed {
			name = h.Message.Author.Name
		}
	}
	return name
}

// embedQuery returns the query embedding of what the person called asker asks, nil if there is none.
func (e *Engine) embedQuery(ctx context.Context, asker, text string) *recall.QueryEmbedding {
	if e.EmbedQuery == nil || text == "" {
		return nil
	}
	return e.EmbedQuery(ctx, recall.EmbeddedQuestion(asker, text))
}

// loadBeliefs reads the beliefs about the person and about what they ask, as they stand after this turn's messages.
func (e *Engine) loadBeliefs(ctx context.Context, t *turn, s *scene.Scene) error {
	about, err := e.Store.Beliefs.Beliefs(ctx, t.visibility, belief.Filter{SubjectPerson: t.asker.ID, IncludeHistory: true})
	if err != nil {
		return err
	}
	for _, name := range append(t.askedNames(), kinNames(about, t.questions())...) {
		others, err := e.Store.Beliefs.Beliefs(ctx, t.visibility, belief.Filter{Subject: name, IncludeHistory: true})
		if err != nil {
			return err
		}
		about = append(about, others...)
	}
	if t.asksPlans() {
		plans, err := e.Store.Beliefs.Beliefs(ctx, t.visibility, belief.Filter{Relations: []string{rel.Planned}})
		if err != nil {
			return err
		}
		about = append(about, slices.DeleteFunc(plans, func(b model.Belief) bool { return containsBelief(about, b) })...)
	}
	s.Beliefs, s.Changes = belief.PreviewClaims(t.visibility, about, t.claims())
	s.Beliefs = slices.Clone(s.Beliefs)
	endPlans(s.Beliefs, t.asker.ID, s.Loops, t.closedLoops)
	s.Address = address(s.Beliefs, t.asker)
	return nil
}

// endPlans ends a person's plans and promises whose loops are no longer open, because they happened or were called off.
// It skips those stated in this turn, whose loops do not exist yet, and those stated by others, which never have loops.
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

// askedNames returns the names that the turn's questions ask about, except the asker and the persona.
func (t *turn) askedNames() (names []string) {
	for _, f := range t.annotations {
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

// asksPlans reports whether the turn asks about upcoming events. Others may have told of those.
func (t *turn) asksPlans() bool {
	return slices.ContainsFunc(t.questions(), func(q *understand.Question) bool { return slices.Contains(q.Relations, rel.Planned) })
}

// containsBelief reports whether beliefs contains b.
func containsBelief(beliefs []model.Belief, b model.Belief) bool {
	for i := range beliefs { // by index, since beliefs are large
		if beliefs[i].ID == b.ID {
			return true
		}
	}
	return false
}

// questions returns the questions in the turn's messages.
func (t *turn) questions() (asked []*understand.Question) {
	for _, f := range t.annotations {
		if f.Analysis.Question != nil {
			asked = append(asked, f.Analysis.Question)
		}
	}
	return asked
}

// claims returns the claims in the turn's messages, each with its author.
func (t *turn) claims() (claims []belief.AttributedClaim) {
	for i, f := range t.annotations {
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

// address returns how to address the person: as they asked, else by the name they gave, else by their name on the
// network. What only a first reading of a model says is not enough.
func address(beliefs []model.Belief, p model.Person) string {
	for _, relation := range []string{rel.CallMe, "name"} {
		for _, b := range beliefs {
			if b.Status == model.Active && b.Relation == relation && b.SubjectPerson == p.ID && !b.ByModel {
				return rel.Display(relation, b.Value)
			}
		}
	}
	if scene.IsPlaceholder(p.Name) {
		return ""
	}
	return p.Name
}

// greet decides whether the persona greets and what the greeting brings up.
func (e *Engine) greet(ctx context.Context, t *turn, s scene.Scene) (*scene.Greeting, error) {
	if t.answersProactive || t.sessionID != 0 && !e.backAfterGap(t, s.Relationship) {
		return nil, nil
	}
	greeted, err := e.Store.Entries.Greeted(ctx, e.Card.Key, t.asker.ID)
	if err != nil {
		return nil, err
	}
	known, err := e.Store.Recall.MemoriesFor(ctx, t.visibility, greetingCandidates)
	if err != nil {
		return nil, err
	}
	in := scene.GreetingInput{
		Now: t.now, Person: t.asker.ID, Name: model.CleanName(t.asker.Name), Direct: t.room.Direct, Relationship: s.Relationship,
		Gap: e.Settings.GreetingGap, Proactive: t.proactive(), Loops: s.Loops, Greeted: greeted, Observed: s.Observations, Known: known, Beliefs: s.Beliefs,
	}
	if err := e.Store.Entries.FillAnalyses(ctx, known, in.MayMention); err != nil {
		return nil, err
	}
	return scene.Greet(in), nil
}

// backAfterGap reports whether someone returns to an open direct session after the greeting gap. If that gap is the
// shorter one, a greeting can be due before the session ends. It does not apply to groups, where others keep a session
// open.
func (e *Engine) backAfterGap(t *turn, rel model.Relationship) bool {
	if !t.room.Direct || rel.Messages == 0 || len(t.recent) == 0 {
		return false
	}
	return t.now.Sub(t.recent[len(t.recent)-1].At) >= e.Settings.GreetingGap
}

// heardLines returns the messages being answered.
func (e *Engine) heardLines(t *turn) []scene.Line {
	lines := make([]scene.Line, 0, len(t.pending))
	for i, h := range t.pending {
		if !h.Message.Arrival {
			lines = append(lines, e.heardLine(t, i))
		}
	}
	return lines
}

// heardLine returns message i of the turn.
func (e *Engine) heardLine(t *turn, i int) scene.Line {
	m := t.pending[i].Message
	if t.authors[i] == 0 {
		return scene.Line{Name: e.Card.Name, Self: true, Text: m.FullText(), At: m.At}
	}
	return scene.Line{
		PersonID: t.authors[i], Name: t.people[t.authors[i]].Name, Text: m.FullText(), At: m.At, Parsed: t.annotations[i].Analysis,
		Pictures: t.picturesOf(i),
	}
}

// recentLines returns the messages of the running session before the turn, with room for those of the turn.
func (e *Engine) recentLines(t *turn) []scene.Line {
	lines := make([]scene.Line, len(t.recent), len(t.recent)+len(t.pending))
	for i, m := range t.recent {
		lines[i] = scene.Line{
			MessageID: m.ID, PersonID: m.PersonID, Name: m.Name, Self: m.PersonID == 0, Text: m.Text, At: m.At,
			Stored: m.Stored, WithoutFacts: e.Card.WithoutFacts,
		}
		if m.PersonID == 0 {
			lines[i].Name = e.Card.Name
		}
	}
	return lines
}

// relationshipUpdates returns how the turn changes the relationship with each person who spoke. A group message that
// does not address the persona only marks its author as seen.
func (e *Engine) relationshipUpdates(t *turn) map[int64]func(model.Relationship) model.Relationship {
	moves := make(map[int64]func(model.Relationship) model.Relationship, len(t.people))
	for id, person := range t.people {
		moves[id] = func(rel model.Relationship) model.Relationship {
			for i, h := range t.pending {
				at := h.Message.At.In(person.Location(e.Settings.Zone))
				switch {
				case t.authors[i] != id || h.Message.Arrival:
				case h.Message.Addressed || h.Message.Direct: // a direct message addresses the persona, answered or not
					rel = mind.Heard(rel, h.Message.Text, t.annotations[i].Analysis, at)
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

// closeLoops finds the open loops of the people who speak, and which of them their messages reschedule or answer, no
// matter whom the messages address.
func (e *Engine) closeLoops(ctx context.Context, t *turn) (err error) {
	t.loops = make(map[int64][]model.Loop, len(t.people))
	t.talk = e.recentLines(t)
	before := scene.AskedLately(t.talk)
	for i, h := range t.pending {
		id := t.authors[i]
		if id == 0 {
			t.talk = append(t.talk, e.heardLine(t, i))
			before = scene.AskedLately(t.talk)
			continue
		}
		if _, read := t.loops[id]; !read {
			if t.loops[id], err = e.Store.Beliefs.Loops(ctx, t.visibility, id); err != nil {
				return err
			}
		}
		if !h.Message.Arrival {
			t.talk = append(t.talk, e.heardLine(t, i))
			t.annotations[i].Analysis.Claims = scene.NamePlans(t.annotations[i].Analysis.Claims, t.loops[id], t.talk)
			t.closedLoops = append(t.closedLoops, scene.AnsweredLoops(t.loops[id], e.heardLine(t, i), before)...)
			before = ""
		}
	}
	return nil
}

// kinNames returns the names of the relatives and pets that the turn's questions mention by kinship, so that beliefs
// under their names are found as well: "where does my sister live?" asks about Eva.
func kinNames(own []model.Belief, questions []*understand.Question) (names []string) {
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
					continue // only the name is asked for
				}
				called := rel.Answers(b.Relation, "person_name:"+kin) || rel.Answers(b.Relation, "pet_name:"+kin)
				if called && !slices.Contains(names, b.Value) { // people also ask about relatives who have died
					names = append(names, b.Value)
				}
			}
		}
	}
	return names
}
