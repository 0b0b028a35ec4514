package memory_test

import (
	"errors"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/claim"
)

// reading is what a model makes of a session of one message about a town.
func (w *town) reading(r memory.Recorded, who, town string) memory.SessionRefined {
	return memory.SessionRefined{
		ID: r.SessionID,
		Claims: []memory.AttributedClaim{{
			Claim: fact("lives_in", town), AuthorID: w.person(who), SubjectPerson: w.person(who), MessageID: r.MessageIDs[0], At: w.clock.Now(),
		}},
		Summary: &memory.NewMemory{Sector: memory.Reflective, Text: "They live in " + town + ".", Salience: 0.5, Sources: r.MessageIDs},
	}
}

// TestWhatIsForgottenWhileAModelReadsStaysForgotten ends a session with what a model read before a message went.
func TestWhatIsForgottenWhileAModelReadsStaysForgotten(t *testing.T) {
	for _, refine := range []bool{false, true} {
		w := newTown(t)
		r := w.say("", "ann", "I live in Bonn")
		kept := w.say("", "ann", "and I like rain")
		end := memory.SessionEnd{ID: r.SessionID, At: w.clock.Now(), Class: "standard"}
		read := w.reading(r, "ann", "Bonn")
		read.Claims = append(read.Claims, memory.AttributedClaim{
			Claim:    claim.Claim{Kind: claim.Taste, Relation: "likes", Value: "rain", Many: true, Quote: "I  like rain"},
			AuthorID: w.person("ann"), SubjectPerson: w.person("ann"), MessageID: kept.MessageIDs[0], At: w.clock.Now(),
		})
		if _, err := w.Forget(t.Context(), w.memoryOf("Bonn").ID); err != nil {
			t.Fatal(err)
		}
		if !refine {
			end.Claims, end.Summary, end.Refined = read.Claims, read.Summary, true
		}
		if err := w.EndSession(t.Context(), end); err != nil {
			t.Fatal(err)
		}
		if refine {
			if err := w.RefineSession(t.Context(), read); err != nil {
				t.Fatal(err)
			}
		}
		if rows := rowsWith(contents(t, w), "Bonn"); rows != "" {
			t.Errorf("refined later %v: it was learned again:\n%s", refine, rows)
		}
		bs, err := w.Beliefs(t.Context(), w.hearing("", "ann"), memory.BeliefFilter{})
		if err != nil || len(bs) != 1 || bs[0].Value != "rain" {
			t.Errorf("refined later %v: beliefs %+v, %v", refine, bs, err)
		}
	}
}

func TestASecondReadingThatFailedIsTriedAgain(t *testing.T) {
	w := newTown(t)
	end := func(place, class string) memory.Recorded {
		r := w.say(place, "ann", "I live in Bonn")
		if err := w.EndSession(t.Context(), memory.SessionEnd{ID: r.SessionID, At: w.clock.Now(), Class: class}); err != nil {
			t.Fatal(err)
		}
		return r
	}
	end("", "standard")
	w.clock.Advance(8 * 24 * time.Hour)
	r := end("", "standard")
	end("club", "routine")
	open := w.say("office", "ann", "hello")
	unrefined, err := w.UnrefinedSessions(t.Context(), "mira", 0)
	if err != nil || len(unrefined) != 1 || unrefined[0].ID != r.SessionID {
		t.Fatalf("unrefined %+v, %v", unrefined, err)
	}
	read := w.reading(r, "ann", "Bonn")
	if err := w.RefineSession(t.Context(), read); err != nil {
		t.Fatal(err)
	}
	if err := w.RefineSession(t.Context(), read); !errors.Is(err, memory.ErrAlreadyDone) {
		t.Errorf("refined twice: %v", err)
	}
	if err := w.RefineSession(t.Context(), memory.SessionRefined{ID: open.SessionID}); err == nil {
		t.Error("a session that goes on was refined")
	}
	if unrefined, err = w.UnrefinedSessions(t.Context(), "mira", 0); err != nil || len(unrefined) != 0 {
		t.Errorf("unrefined afterwards %+v, %v", unrefined, err)
	}
	if m := w.memoryOf("They live in Bonn"); m.SessionID != r.SessionID || m.Origin != memory.Inferred {
		t.Errorf("summary %+v", m)
	}
}
