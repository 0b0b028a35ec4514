package memory_test

import (
	"errors"
	"strings"
	"testing"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/erase"
	"familiar/memory/log"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
)

func TestForgetErasesDerivedRows(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "hello")
	turn := w.turn("mira", w.message("", "ann", "My dog is called Swordfish"), fact("pet_name:dog", "Swordfish"),
		understand.Claim{Kind: rel.Promise, Relation: "promise", Value: "send Swordfish pictures", Many: true, Quote: "Swordfish pictures"})
	turn.Reply.Text = "Swordfish is a fine name."
	told := w.record(turn)
	w.say("", "ann", "I like rain", understand.Claim{Kind: rel.Taste, Relation: "likes", Value: "rain", Many: true})
	m := w.memoryOf("Swordfish")

	asked := w.turn("mira", w.message("", "ann", "what is it called?"))
	asked.Reply.Text = "You told me: Swordfish."
	asked.Context = []recall.Item{
		{MemoryID: m.ID, Why: "matches", Lines: []model.SnippetLine{{Author: "ann", Text: m.Text}}},
		{MemoryID: w.memoryOf("rain").ID, Why: "matches", Lines: []model.SnippetLine{{Author: "ann", Text: m.Text}, {Author: "ann", Text: "I like rain"}}},
		{BeliefID: told.Changes[0].Belief.ID, Why: "believed", Lines: []model.SnippetLine{{Text: "the dog is Swordfish"}}},
	}
	w.record(asked)
	h := w.visibility("", "ann")
	if _, err := w.Entries.Remember(t.Context(), entry.NewMemory{
		Persona: "mira", Origin: model.OriginJob, Audience: m.Audience, SessionID: m.SessionID, Sector: model.Reflective,
		Text: "They have a dog, Swordfish.", Salience: 0.7, Sources: told.MessageIDs,
	}); err != nil {
		t.Fatal(err)
	}
	if v, err := w.Turns.LastTurn(t.Context(), h); err != nil || len(v.Items) != 3 || v.Items[0].Author != "ann" || v.Items[0].Text != m.Text || v.Reply != "You told me: Swordfish." {
		t.Fatalf("why: %+v, %v", v, err)
	}
	for out := w.firstOutboxEntry(); out.ID != 0; out = w.firstOutboxEntry() {
		if err := w.Log.MarkChunkSent(t.Context(), out, log.SentChunk{Last: true}); err != nil {
			t.Fatal(err)
		}
	}
	before, err := w.Revision(t.Context(), "mira", h.Audiences()[:1])
	if err != nil {
		t.Fatal(err)
	}

	gone, err := w.Eraser.Forget(t.Context(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := erase.ForgetResult{Memories: 2, Beliefs: 2, Loops: 1, Messages: 1, Replies: 2}
	if gone != want {
		t.Errorf("forgotten %+v, want %+v", gone, want)
	}
	if s := gone.String(); s != "2 memories, 2 beliefs, 1 open loop, 1 message, 2 replies" {
		t.Errorf("said as %q", s)
	}
	if strings.Contains(contents(t, w), "Swordfish") {
		t.Errorf("it is still on record:\n%s", contents(t, w))
	}
	after, err := w.Revision(t.Context(), "mira", h.Audiences()[:1])
	if err != nil || after[0].Epoch != before[0].Epoch+1 {
		t.Errorf("epoch %d after %d, %v", after[0].Epoch, before[0].Epoch, err)
	}
	if v, err := w.Turns.LastTurn(t.Context(), h); err != nil || len(v.Items) != 1 || v.Items[0].Context != "" || v.Items[0].Text != "I like rain" {
		t.Errorf("why afterwards: %+v, %v", v, err)
	}
	if bs, err := w.Beliefs.Beliefs(t.Context(), h, belief.Filter{IncludeHistory: true}); err != nil || len(bs) != 1 || bs[0].Value != "rain" {
		t.Errorf("beliefs afterwards: %+v, %v", bs, err)
	}
	if _, err := w.Eraser.Forget(t.Context(), m.ID); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("forgotten twice: %v", err)
	}
	if m, err := w.Entries.Memory(t.Context(), w.memoryOf("rain").ID); err != nil || m.ParentID == 0 {
		t.Errorf("the talk lost its thread: %+v, %v", m, err)
	}
}

func TestForgetKeepsWhatOthersSaid(t *testing.T) {
	w := newTown(t)
	w.say("club", "ann", "I live in Bonn", fact("lives_in", "Bonn"))
	w.say("club", "ann", "yes, Bonn", fact("lives_in", "Bonn"))
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("I live in Bonn").ID); err != nil {
		t.Fatal(err)
	}
	bs, err := w.Beliefs.Beliefs(t.Context(), w.visibility("club", "ann"), belief.Filter{})
	if err != nil || len(bs) != 1 || len(bs[0].Evidence) != 1 || bs[0].Evidence[0].Quote != "Bonn" {
		t.Errorf("beliefs %+v, %v", bs, err)
	}
}

func TestForgetLeavesNoBytesBehind(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "the canary is zanzibarquagga", fact("canary", "zanzibarquagga"))
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("zanzibarquagga").ID); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w.onDisk([]byte("zanzibarquagga")) {
		t.Error("the file still contains the forgotten word")
	}
}

func TestForgetErasesALongMessage(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "pasted: "+strings.Repeat("quagmire ", 120_000))
	gone, err := w.Eraser.Forget(t.Context(), w.memoryOf("pasted").ID)
	if err != nil || gone.Messages != 1 {
		t.Errorf("forgotten %+v, %v", gone, err)
	}
}

// TestS12OnlyWhatIsStillSaidIsFound asks which lines are still stored: one that waits for its answer is, one that was forgotten
// or said on another channel is not.
func TestS12OnlyWhatIsStillSaidIsFound(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "My cat is called Tom.")
	w.say("", "ann", "I was born in Oslo.")
	if _, err := w.Log.Accept(t.Context(), "mira", w.message("", "ann", "I wait.")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Eraser.Forget(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	lines := []string{"My cat is called Tom.", " I was born in Oslo.\n", "I wait.", "never said"}
	said, err := w.Log.SaidTexts(t.Context(), "console", lines)
	if err != nil || len(said) != 2 || !said[lines[1]] || !said[lines[2]] {
		t.Errorf("found %v, %v", said, err)
	}
	if said, err = w.Log.SaidTexts(t.Context(), "telegram", lines); err != nil || len(said) != 0 {
		t.Errorf("found %v on another channel, %v", said, err)
	}
}
