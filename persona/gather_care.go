package persona

import (
	"context"
	"errors"
	"slices"
	"time"

	"familiar/memory"
	"familiar/memory/log"
	"familiar/persona/care"
	"familiar/persona/modelvoice"
	"familiar/persona/scene"
	"familiar/prompts"
)

// dangerWithin is how long a turn waits for a model to tell whether somebody is in danger: the rules stand then.
const dangerWithin = 4 * time.Second

// dangerTalk is how many messages before those to judge the model sees.
const dangerTalk = 6

// dangerVerdict is what a model says of the messages of a turn.
type dangerVerdict struct {
	danger care.Danger
	sure   bool
}

// sighted returns the danger that a message speaks of by the rules, as it is stored with it.
func sighted(said string) string { return string(care.Read(said).Danger) }

// mayBeDanger reports whether the messages to answer may speak of a danger that the rules cannot tell. Ordinary talk does
// not: a model is not asked about it.
func (t *turn) mayBeDanger() bool {
	return slices.ContainsFunc(t.pending, func(h log.InboxEntry) bool {
		said := h.Message.FullText()
		return h.Message.Addressed && (care.Read(said).Maybe || care.Foreign(said))
	})
}

// askOfDanger asks the model whether the messages to answer speak of danger. It returns false if the model fails or is
// late.
func (e *Engine) askOfDanger(ctx context.Context, t *turn) (v dangerVerdict, ok bool) {
	in := prompts.DangerInput{Name: e.Card.Name}
	for _, m := range t.recent[max(0, len(t.recent)-dangerTalk):] {
		in.Talk = append(in.Talk, prompts.Entry{Name: m.Name, Self: m.PersonID == 0, Text: m.Text})
	}
	for _, h := range t.pending {
		if h.Message.Addressed {
			in.Said = append(in.Said, prompts.Entry{Name: h.Message.Author.Name, Text: h.Message.FullText()})
		}
	}
	prompt := prompts.Danger(in)
	prompt.Room = t.room.ID
	ctx, cancel := context.WithTimeout(ctx, dangerWithin)
	defer cancel()
	_, err := modelvoice.Ask(ctx, e.Model, prompt, func(text string) error {
		said, sure, err := prompts.ParseDanger(text)
		v = dangerVerdict{modelvoice.DangerOf(said), sure}
		return err
	})
	return v, err == nil
}

// addCare adds when the person last spoke of danger, where this room may know of it.
func (e *Engine) addCare(ctx context.Context, t *turn, s *scene.Scene) error {
	last, err := e.Store.Turns.LastDanger(ctx, t.visibility, t.asker.ID, t.sessionID)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	if err == nil && scene.StillNeedsCare(s.Now, last.At, last.Met) {
		s.Care.Since, s.Care.Spoke = last.At, care.Danger(last.Kind)
	}
	return nil
}

// takeCare completes the scene before the voice speaks: with what the model says of danger where the rules leave it open,
// and with whom the person can reach. What is not for somebody in danger is left out.
func (e *Engine) takeCare(ctx context.Context, t *turn) {
	s := &t.scene
	danger, _ := s.InDanger()
	if danger == care.None && e.Model != nil && len(s.Incoming) > 0 && (!s.Care.Since.IsZero() || t.mayBeDanger()) {
		if v, ok := e.askOfDanger(ctx, t); ok && v.danger != care.None {
			danger, s.Care.Danger = v.danger, v.danger
			if v.sure {
				t.noteDanger(v.danger)
			}
		}
	}
	if !s.Careful() {
		return
	}
	if danger == care.None {
		danger = s.Care.Spoke
	}
	s.Care.Reach = e.Settings.Contacts.For(danger, t.asker.Timezone)
	s.BeCareful()
}

// noteDanger stores a danger that a model read with the last message that addresses the persona.
func (t *turn) noteDanger(d care.Danger) {
	for i, h := range slices.Backward(t.pending) {
		if h.Message.Addressed && t.authors[i] == t.asker.ID {
			t.annotations[i].Danger = string(d)
			return
		}
	}
}
