package memory_test

import (
	"errors"
	"testing"
	"time"

	"familiar/memory/belief"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

// reading is what a model reads in a session with one message about a town.
func (w *town) reading(r turns.TurnResult, who, town string) turns.Refinement {
	return turns.Refinement{
		ID: r.SessionID,
		Claims: []belief.AttributedClaim{{
			Claim: fact("lives_in", town), AuthorID: w.person(who), SubjectPerson: w.person(who), MessageID: r.MessageIDs[0], At: w.clock.Now(),
		}},
		Summary: &lifecycle.Inference{Sector: model.Reflective, Text: "They live in " + town + ".", Salience: 0.5, Sources: r.MessageIDs},
	}
}

// end ends the session of a turn.
func (w *town) end(r turns.TurnResult, class string) {
	w.t.Helper()
	if _, err := w.Turns.EndSessions(w.t.Context(), turns.SessionEnd{ID: r.SessionID, At: w.clock.Now(), Class: class}); err != nil {
		w.t.Fatal(err)
	}
}

// TestMessagesForgottenDuringAModelCallStayForgotten stores what a model read before a message was forgotten.
func TestMessagesForgottenDuringAModelCallStayForgotten(t *testing.T) {
	w := newTown(t)
	r := w.say("", "ann", "I live in Bonn")
	kept := w.say("", "ann", "and I like rain")
	w.end(r, "standard")
	read := w.reading(r, "ann", "Bonn")
	read.Claims = append(read.Claims, belief.AttributedClaim{
		Claim:    understand.Claim{Kind: rel.Taste, Relation: "likes", Value: "rain", Many: true, Quote: "I  like rain"},
		AuthorID: w.person("ann"), SubjectPerson: w.person("ann"), MessageID: kept.MessageIDs[0], At: w.clock.Now(),
	})
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("Bonn").ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Turns.RefineSession(t.Context(), read); err != nil {
		t.Fatal(err)
	}
	if rows := rowsWith(contents(t, w), "Bonn"); rows != "" {
		t.Errorf("it was learned again:\n%s", rows)
	}
	bs, err := w.Beliefs.Beliefs(t.Context(), w.visibility("", "ann"), belief.Filter{})
	if err != nil || len(bs) != 1 || bs[0].Value != "rain" {
		t.Errorf("beliefs %+v, %v", bs, err)
	}
}

func TestRefiningTakesNoClaimFromOthersWords(t *testing.T) {
	w := newTown(t)
	r := w.say("club", "ann", "I live in Bonn")
	w.say("club", "bob", "hi")
	w.end(r, "standard")
	for name, c := range map[string]belief.AttributedClaim{
		"a claim of Bob's from Ann's message": {AuthorID: w.person("bob"), MessageID: r.MessageIDs[0]},
		"the persona's own words":             {MessageID: r.ReplyID},
	} {
		c.Claim = understand.Claim{Kind: rel.Fact, Relation: "lives_in", Value: "Rome", Quote: "I"}
		if _, err := w.Turns.RefineSession(t.Context(), turns.Refinement{ID: r.SessionID, Claims: []belief.AttributedClaim{c}}); err == nil {
			t.Errorf("it took %s", name)
		}
	}
	if _, err := w.Turns.RefineSession(t.Context(), w.reading(r, "ann", "Bonn")); err != nil {
		t.Fatal(err)
	}
	bs, err := w.Beliefs.Beliefs(t.Context(), w.visibility("club", "ann"), belief.Filter{SubjectPerson: w.person("ann")})
	if err != nil || len(bs) != 1 || bs[0].Value != "Bonn" {
		t.Errorf("beliefs %+v, %v", bs, err)
	}
}

func TestAFailedRefinementIsRetried(t *testing.T) {
	w := newTown(t)
	w.end(w.say("", "ann", "I live in Bonn"), "standard")
	w.clock.Advance(61 * 24 * time.Hour)
	r := w.say("", "ann", "I live in Bonn")
	w.end(r, "standard")
	open := w.say("office", "ann", "hello")
	before := w.clock.Now().Add(-time.Hour) // running sessions are not silent for so long
	unrefined, err := w.Turns.UnreadSessions(t.Context(), "mira", before, 0)
	if err != nil || len(unrefined) != 1 || unrefined[0].ID != r.SessionID {
		t.Fatalf("unrefined %+v, %v", unrefined, err)
	}
	read := w.reading(r, "ann", "Bonn")
	if _, err := w.Turns.RefineSession(t.Context(), read); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Turns.RefineSession(t.Context(), read); !errors.Is(err, turns.ErrAlreadyDone) {
		t.Errorf("refined twice: %v", err)
	}
	if _, err := w.Turns.RefineSession(t.Context(), turns.Refinement{ID: open.SessionID}); err == nil {
		t.Error("a session that goes on was refined")
	}
	if unrefined, err = w.Turns.UnreadSessions(t.Context(), "mira", before, 0); err != nil || len(unrefined) != 0 {
		t.Errorf("unrefined afterwards %+v, %v", unrefined, err)
	}
	if m := w.memoryOf("They live in Bonn"); m.SessionID != r.SessionID || m.Origin != model.OriginJob {
		t.Errorf("summary %+v", m)
	}
}
