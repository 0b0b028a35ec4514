package memory_test

import (
	"bytes"
	"testing"
	"time"

	"familiar/memory/belief"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/transfer"
	"familiar/memory/turns"
)

// F2: the sentence of a fact is stored with its quote, goes where the quote goes, and leaves with it.
// F3: so does the mark that only a model read it.

func TestF2SentencesGoWhereTheirQuotesGo(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I live in Oslo", fact("lives_in", "Oslo"))
	r := w.say("", "ann", "bonn it is, then")
	run := memorytest.BeginRun(t, w.Store, "mira", "refine")
	claim := func(value, quote, sentence string, message int64) belief.AttributedClaim {
		c := fact("lives_in", value)
		c.Quote = quote
		return belief.AttributedClaim{
			Claim: c, AuthorID: w.person("ann"), SubjectPerson: w.person("ann"), MessageID: message, At: w.clock.Now(),
			Sentence: sentence, ByModel: true, Sensitive: true,
		}
	}
	first := w.messageOf("I live in Oslo")
	if _, err := w.Turns.RefineSession(t.Context(), turns.Refinement{
		ID: r.SessionID, To: r.MessageIDs[0], Running: true, JobRun: run,
		Claims: []belief.AttributedClaim{
			claim("Oslo", "I live in Oslo", "Ann has her home in Oslo.", first),
			claim("Bonn", "bonn it is", "Ann lives in Bonn now, zq.", r.MessageIDs[0]),
		},
	}); err != nil {
		t.Fatal(err)
	}
	check := func(when string, f belief.Filter, want map[string]model.Belief) {
		t.Helper()
		f.IncludeHistory = true
		held, err := w.Beliefs.Beliefs(t.Context(), w.visibility("", "ann"), f)
		if err != nil || len(held) != len(want) {
			t.Errorf("%s: %+v, %v", when, held, err)
		}
		for _, b := range held {
			is := want[b.Value]
			if b.Sentence != is.Sentence || b.ByModel != is.ByModel || b.Sensitive != is.Sensitive || b.Status != is.Status {
				t.Errorf("%s: %s is %q, by a model %v, sensitive %v, %s", when, b.Value, b.Sentence, b.ByModel, b.Sensitive, b.Status)
			}
		}
	}
	both := map[string]model.Belief{
		"Oslo": {Sentence: "Ann has her home in Oslo.", Sensitive: true, Status: model.Active},
		"Bonn": {Sentence: "Ann lives in Bonn now, zq.", ByModel: true, Sensitive: true, Status: model.Superseded},
	}
	check("after the reading", belief.Filter{}, both)

	var file bytes.Buffer
	if _, err := w.Transfer.Export(t.Context(), &file, transfer.ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	copied := memorytest.Open(t)
	if _, err := copied.Transfer.Import(t.Context(), "mira.jsonl", bytes.NewReader(file.Bytes())); err != nil {
		t.Fatal(err)
	}
	there, err := copied.Beliefs.ListBeliefs(t.Context(), belief.Filter{IncludeHistory: true})
	if err != nil || len(there) != 2 {
		t.Fatalf("imported %+v, %v", there, err)
	}
	for _, b := range there {
		if is := both[b.Value]; b.Sentence != is.Sentence || b.ByModel != is.ByModel || b.Sensitive != is.Sensitive {
			t.Errorf("imported %s as %+v", b.Value, b)
		}
	}

	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("bonn it is").ID); err != nil {
		t.Fatal(err)
	}
	if rows := rowsWith(contents(t, w), "zq"); rows != "" {
		t.Errorf("left after forgetting:\n%s", rows)
	}
	w.clock.Advance(time.Minute)
	if _, err := w.Eraser.Revert(t.Context(), "mira", run); err != nil {
		t.Fatal(err)
	}
	check("after the run was reverted", belief.Filter{}, map[string]model.Belief{"Oslo": {Status: model.Active}})
	if rows := rowsWith(contents(t, w), "has her home"); rows != "" {
		t.Errorf("left after the run was reverted:\n%s", rows)
	}
}

// messageOf returns the message with a text.
func (w *town) messageOf(text string) (id int64) {
	w.t.Helper()
	if err := w.db().QueryRow(`SELECT id FROM messages WHERE text = ?`, text).Scan(&id); err != nil {
		w.t.Fatal(err)
	}
	return id
}
