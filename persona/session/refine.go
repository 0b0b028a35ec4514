package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"familiar/memory"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/persona/mind"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// RefineResult is the result of a run of RefineOnce.
type RefineResult struct {
	Sessions int `json:"sessions"`
	// Learned counts the claims found, Rejected those that the record does not prove.
	Learned  int `json:"learned"`
	Rejected int `json:"rejected"`
	// Summaries counts the summaries kept. A summary is dropped if part of its session was forgotten meanwhile.
	Summaries int `json:"summaries"`
	// Unread counts sessions for which the model's answer was useless. They are not tried again.
	Unread int `json:"unread"`
	// Failed counts sessions for which the model failed. A later run tries them again.
	Failed int `json:"failed"`
}

// String describes the result for the ledger.
func (r RefineResult) String() string {
	words := fmt.Sprintf("read %d sessions again, summed up %d, learned %d claims, rejected %d", r.Sessions, r.Summaries, r.Learned, r.Rejected)
	if r.Unread+r.Failed > 0 {
		words += fmt.Sprintf("; %d sessions got no answer of use, %d failed", r.Unread, r.Failed)
	}
	return words
}

const (
	// refineBatch bounds the sessions of one run, because people wait for the model meanwhile.
	refineBatch = 20
	// refineFaults is how many consecutive failures end a run, since the model seems to be down.
	refineFaults = 3
)

// RefineOnce reads ended sessions again with the model: it adds missed claims and summarizes each session. Everything
// it stores carries run, the job's run in the ledger. A session for which the model fails is left for a later run; a
// persistent fault ends the run. Without a model it does nothing.
func (k *Manager) RefineOnce(ctx context.Context, run int64, _ time.Time) (done RefineResult, err error) {
	if k.Model == nil {
		return done, nil
	}
	sessions, err := k.Store.Turns.UnrefinedSessions(ctx, k.Card.Key, 0)
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
func rotate(sessions []model.Session, run int64) []model.Session {
	if len(sessions) == 0 {
		return nil
	}
	first := int(run % int64(len(sessions)))
	turned := slices.Concat(sessions[first:], sessions[:first])
	return turned[:min(len(turned), refineBatch)]
}

// refine reads one session again. It is no error if another process was faster or the session was forgotten meanwhile.
func (k *Manager) refine(ctx context.Context, s model.Session, run int64, done *RefineResult) error {
	found, rejected, useless := k.refineSession(ctx, s)
	if useless != nil && !errors.Is(useless, prompts.ErrInvalidExtraction) && !errors.Is(useless, modelvoice.ErrEmptyReply) {
		return useless
	}
	found.ID, found.JobRun = s.ID, run
	made, err := k.Store.Turns.RefineSession(ctx, found)
	switch {
	case errors.Is(err, turns.ErrAlreadyDone), errors.Is(err, memory.ErrNotFound):
		return nil
	case err != nil:
		return err
	case useless != nil:
		done.Unread++
		k.Log.Warn("the model's answer about a session is useless", "session", s.ID, "error", useless)
	}
	done.Sessions++
	done.Summaries += made.Memories
	done.Learned += len(found.Claims)
	done.Rejected += rejected
	return nil
}

// refineSession lets the model extract claims from a session and summarize it. With ErrEmptyReply the claims are still
// valid.
func (k *Manager) refineSession(ctx context.Context, s model.Session) (found turns.Refinement, rejected int, err error) {
	messages, err := k.Store.Turns.SessionMessages(ctx, s.ID)
	if err != nil || onlyPersonaSpoke(messages) {
		return found, 0, err
	}
	room, err := k.Store.Log.RoomByID(ctx, s.RoomID)
	if err != nil {
		return found, 0, err
	}
	in := RefineInput{
		Name: k.Card.Name, Audience: room.Audience(), Zone: k.Settings.Zone, Budget: k.Settings.FilingBudget, Messages: messages,
	}
	if found.Claims, rejected, err = Refine(ctx, k.Model, in); err != nil {
		return found, rejected, err
	}
	found.Summary, err = k.summary(ctx, s, in)
	return found, rejected, err
}

// onlyPersonaSpoke reports whether only the persona spoke, by greeting or writing first. Nothing is learned from that.
func onlyPersonaSpoke(messages []model.Message) bool {
	return !slices.ContainsFunc(messages, func(m model.Message) bool { return m.PersonID != 0 })
}

// summary returns the model's summary of the session, with the informative lines that it left out.
func (k *Manager) summary(ctx context.Context, s model.Session, in RefineInput) (*lifecycle.Inference, error) {
	text, err := Summarize(ctx, k.Model, in)
	if err != nil {
		return nil, err
	}
	tallies, err := k.Store.Turns.Tally(ctx, s)
	if err != nil {
		return nil, err
	}
	end := weigh(analyzeAll(in.Messages), tallies)
	sum := &lifecycle.Inference{Sector: model.Reflective, Text: end.withLost(text), Salience: mind.SummarySalience(end.meaning), About: end.people()}
	for _, h := range end.talk {
		if h.Text != "" {
			sum.Sources = append(sum.Sources, h.ID)
			sum.Entities = append(sum.Entities, h.analysis.Entities...)
		}
	}
	return sum, nil
}
