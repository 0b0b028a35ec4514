package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"familiar/internal/text"
	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/memory/understand/rel"
	"familiar/persona/mind"
	"familiar/persona/modelvoice"
	"familiar/persona/words"
	"familiar/prompts"
	"familiar/prompts/answer"
)

// RefineResult is the result of a run of RefineOnce.
type RefineResult struct {
	Sessions int `json:"sessions"`
	// Learned counts the claims found, Rejected the items that the record does not prove, Unconfirmed those that stand
	// beside what is believed until somebody confirms them.
	Learned     int `json:"learned"`
	Rejected    int `json:"rejected"`
	Unconfirmed int `json:"unconfirmed,omitempty"`
	// Summaries counts the summaries kept. A summary is dropped if part of its session was forgotten meanwhile.
	Summaries int `json:"summaries"`
	// Unread counts sessions for which the model's answer was useless. A later run tries them again. GivenUp counts those
	// of them that failed three times in a row and are tried once a day from now on.
	Unread  int `json:"unread"`
	GivenUp int `json:"given_up,omitempty"`
	// Failed counts sessions for which the model failed. A later run tries them again.
	Failed int `json:"failed"`
}

// String describes the result for the ledger.
func (r RefineResult) String() string {
	words := fmt.Sprintf("read %d sessions again, summed up %d, learned %d claims, rejected %d", r.Sessions, r.Summaries, r.Learned, r.Rejected)
	if r.Unconfirmed > 0 {
		words += fmt.Sprintf(", %d unconfirmed", r.Unconfirmed)
	}
	if r.Sessions == 0 && r.Unread+r.Failed > 0 {
		words = "read no session"
	}
	if r.Unread+r.Failed > 0 {
		words += fmt.Sprintf("; %d sessions got no answer of use, %d failed", r.Unread, r.Failed)
	}
	if r.GivenUp > 0 {
		words += fmt.Sprintf("; %d failed three times and are tried again tomorrow", r.GivenUp)
	}
	return words
}

const (
	// refineBatch bounds the sessions of one run, because people wait for the model meanwhile.
	refineBatch = 20
	// refineFaults is how many consecutive failures end a run, since the model seems to be down.
	refineFaults = 3
	// readAfter is how long a running session is silent before what is unread is read.
	readAfter = 3 * time.Minute
	// readContext is how many messages before the unread ones are shown with them.
	readContext = 6
	// knownFacts is how many beliefs about the people of a session are shown at most, the best matching ones.
	knownFacts = 60
)

// RefineOnce lets the model read the unread part of sessions: of ended ones, which it summarizes too, and of running ones
// that are silent for a few minutes. It files what it finds (Read). Everything it stores carries run, the job's run in the
// ledger. A session for which the model fails is left for a later run, as is one about which its answer is useless, three
// times in a row; a persistent fault ends the run. Without a model it does nothing.
func (k *Manager) RefineOnce(ctx context.Context, run int64, now time.Time) (done RefineResult, err error) {
	if k.Model == nil {
		return done, nil
	}
	sessions, err := k.Store.Turns.UnreadSessions(ctx, k.Card.Key, now.Add(-readAfter), 0)
	if err != nil {
		return done, err
	}
	inARow := 0
	for _, s := range rotate(sessions, run) {
		fault := k.refine(ctx, s, run, &done)
		if fault == nil {
			inARow = 0
			continue
		}
		done.Failed++
		inARow++
		err := fmt.Errorf("read session %d a second time: %w", s.ID, fault)
		if inARow == refineFaults || ctx.Err() != nil || modelvoice.IsPersistent(fault) {
			return done, err
		}
		k.Log.Warn("session left for a later run", "error", err)
	}
	return done, nil
}

// rotate selects the sessions of one run and starts at a different one each run, so that a few that always fail do not
// hold up the rest.
func rotate(sessions []turns.UnreadSession, run int64) []turns.UnreadSession {
	if len(sessions) == 0 {
		return nil
	}
	first := int(run % int64(len(sessions)))
	turned := slices.Concat(sessions[first:], sessions[:first])
	return turned[:min(len(turned), refineBatch)]
}

// refine reads one session. It is no error if another process was faster or the session was forgotten meanwhile.
func (k *Manager) refine(ctx context.Context, s turns.UnreadSession, run int64, done *RefineResult) error {
	in, found, err := k.unread(ctx, s)
	if err != nil {
		return err
	}
	found.JobRun = run
	var items []Item
	var useless error
	if len(in.Messages) > 0 && !onlyPersonaSpoke(in.Messages) {
		if items, err = Read(ctx, k.Model, in); isUseless(err) {
			return k.noteUseless(ctx, s, err, done)
		} else if err != nil {
			return err
		}
	}
	for _, item := range items {
		found.Claims = append(found.Claims, item.Claims...)
		if item.Promise != nil {
			found.Promises = append(found.Promises, *item.Promise)
		}
		if item.Settles != 0 {
			found.Settled = append(found.Settled, turns.SettledPromise{Loop: item.Settles, Message: item.Message})
		}
	}
	if found.Private, err = k.reconcile(ctx, in, items); err != nil {
		return err
	}
	if !s.Running() {
		if found.Summary, useless = k.summary(ctx, s.Session, in); useless != nil {
			found.Running = true // what was learned is kept, and the summary is tried again
		}
	}
	made, err := k.Store.Turns.RefineSession(ctx, found)
	switch {
	case errors.Is(err, turns.ErrAlreadyDone), errors.Is(err, memory.ErrNotFound):
		return nil
	case err != nil:
		return err
	}
	done.add(items, made.Memories)
	if isUseless(useless) {
		return k.noteUseless(ctx, s, useless, done)
	}
	return useless
}

// add counts what was learned from one session.
func (r *RefineResult) add(items []Item, summaries int) {
	r.Sessions++
	r.Summaries += summaries
	for _, item := range items {
		switch item.State {
		case ItemRejected:
			r.Rejected++
			continue
		case ItemUnconfirmed:
			r.Unconfirmed++
		}
		r.Learned += len(item.Claims)
	}
}

// isUseless reports whether the model answered, but not with anything that can be used.
func isUseless(err error) bool {
	return errors.Is(err, prompts.ErrInvalidExtraction) || answer.IsUnusable(err)
}

// noteUseless counts a useless answer. The session is not read by it.
func (k *Manager) noteUseless(ctx context.Context, s turns.UnreadSession, why error, done *RefineResult) error {
	failed, err := k.Store.Turns.NoteUselessReading(ctx, s.ID)
	if err != nil {
		return err
	}
	done.Unread++
	if failed {
		done.GivenUp++
	}
	k.Log.Warn("the model's answer about a session is useless", "session", s.ID, "given up", failed, "error", why)
	return nil
}

// unread returns the unread part of a session, and what its refinement says about it so far.
func (k *Manager) unread(ctx context.Context, s turns.UnreadSession) (in RefineInput, found turns.Refinement, err error) {
	messages, err := k.Store.Turns.SessionMessages(ctx, s.ID)
	if err != nil {
		return in, found, err
	}
	room, err := k.Store.Log.RoomByID(ctx, s.RoomID)
	if err != nil {
		return in, found, err
	}
	messages = slices.DeleteFunc(messages, func(m model.Message) bool { return m.Text == "" })
	from := slices.IndexFunc(messages, func(m model.Message) bool { return m.ID > s.ReadTo })
	if from < 0 {
		from = len(messages)
	}
	_, budget := k.Settings.Budgets()
	in = RefineInput{
		Name: k.Card.Name, Audience: room.Audience(), Zone: k.Settings.Zone, Budget: budget, Room: room.Title,
		Messages: messages[from:], Context: messages[max(0, from-readContext):from],
	}
	found = turns.Refinement{ID: s.ID, From: s.ReadTo, Running: s.Running()}
	if len(in.Messages) > 0 {
		found.To = in.Messages[len(in.Messages)-1].ID
		h, err := k.Store.Log.VisibilityIn(ctx, k.Card.Key, room)
		if err != nil {
			return in, found, err
		}
		if in.Known, err = k.known(ctx, h, in); err != nil {
			return in, found, err
		}
		if in.Promised, err = k.promised(ctx, h, in); err != nil {
			return in, found, err
		}
	}
	return in, found, nil
}

// promised returns the persona's open promises to the people of a session, as it may be heard in its room.
func (k *Manager) promised(ctx context.Context, h memory.Visibility, in RefineInput) (all []model.Loop, err error) {
	asked := map[int64]bool{}
	for _, m := range in.Messages {
		if m.PersonID == 0 || asked[m.PersonID] {
			continue
		}
		asked[m.PersonID] = true
		loops, err := k.Store.Beliefs.Loops(ctx, h, m.PersonID)
		if err != nil {
			return nil, err
		}
		for _, l := range loops {
			if l.Own && l.Kind == belief.LoopPromise {
				all = append(all, l)
			}
		}
	}
	return all, nil
}

// known returns what is believed of the people of a session and of those around them, as it may be heard in its room, the
// best matching first.
func (k *Manager) known(ctx context.Context, h memory.Visibility, in RefineInput) ([]model.Belief, error) {
	all, err := k.Store.Beliefs.Beliefs(ctx, h, belief.Filter{Limit: 1000})
	if err != nil {
		return nil, err
	}
	heard := map[string]bool{}
	people := map[int64]bool{}
	for _, m := range slices.Concat(in.Context, in.Messages) {
		people[m.PersonID] = people[m.PersonID] || m.PersonID != 0
		for word := range text.PlainWords(words.Head(m.Text)) {
			heard[word] = true
		}
	}
	all = slices.DeleteFunc(all, func(b model.Belief) bool { return !people[b.SubjectPerson] && !people[b.AuthorID] })
	shares := make(map[int64]int, len(all))
	for _, b := range all {
		shares[b.ID] = matching(b, heard)
	}
	slices.SortStableFunc(all, func(a, b model.Belief) int { return shares[b.ID] - shares[a.ID] })
	return all[:min(knownFacts, len(all))], nil
}

// matching scores how well a belief matches the words that were said; who somebody is always matches.
func matching(b model.Belief, heard map[string]bool) (score int) {
	for word := range text.PlainWords(b.Subject + " " + b.Relation + " " + b.Value + " " + b.Sentence) {
		if heard[word] {
			score++
		}
	}
	if rel.Guarded(b.Relation) {
		score++
	}
	return score
}

// PreviewSession returns what a model would file of a session's unread part, or of the whole session if again, without
// storing anything. It needs a model.
func (k *Manager) PreviewSession(ctx context.Context, session int64, again bool) ([]Item, error) {
	s, err := k.Store.Turns.UnreadSession(ctx, session)
	if err != nil {
		return nil, err
	}
	if again {
		s.ReadTo = 0
	}
	in, _, err := k.unread(ctx, s)
	if err != nil || onlyPersonaSpoke(in.Messages) {
		return nil, err
	}
	return Read(ctx, k.Model, in)
}

// onlyPersonaSpoke reports whether only the persona spoke, by greeting or writing first. Nothing is learned from that.
func onlyPersonaSpoke(messages []model.Message) bool {
	return !slices.ContainsFunc(messages, func(m model.Message) bool { return m.PersonID != 0 })
}

// summary returns the model's summary of the session, with the informative lines that it left out.
func (k *Manager) summary(ctx context.Context, s model.Session, in RefineInput) (*lifecycle.Inference, error) {
	messages, err := k.Store.Turns.SessionMessages(ctx, s.ID)
	if err != nil || onlyPersonaSpoke(messages) {
		return nil, err
	}
	in.Messages, in.Context = messages, nil
	summary, err := Summarize(ctx, k.Model, in)
	if err != nil {
		return nil, err
	}
	tallies, err := k.Store.Turns.Tally(ctx, s)
	if err != nil {
		return nil, err
	}
	end := weigh(analyzeAll(in.Messages), tallies)
	sum := &lifecycle.Inference{Sector: model.Reflective, Text: end.withLost(summary), Salience: mind.SummarySalience(end.meaning), About: end.people()}
	for _, h := range end.talk {
		if h.Text != "" {
			sum.Sources = append(sum.Sources, h.ID)
			sum.Entities = append(sum.Entities, h.analysis.Entities...)
		}
	}
	return sum, nil
}
