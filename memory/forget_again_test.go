package memory_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/entry"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/transfer"
	"familiar/memory/understand"
)

func (w *town) operatorTells(who, text string, claims ...understand.Claim) model.Memory {
	w.t.Helper()
	m, err := w.Turns.RecordOperatorNote(w.t.Context(), entry.NewMemory{
		Persona: "mira", Audience: model.Audience{Kind: model.Private, Ref: w.person(who)}, Sector: model.Semantic,
		Text: text, Salience: 0.7,
	}, understand.Analysis{Claims: claims})
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

// TestALaterStatementHasItsOwnEvidence would otherwise find the new memory on the emptied message of the
// forgotten one.
func TestALaterStatementHasItsOwnEvidence(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "hello there")
	first := w.operatorTells("ann", "Ann lives in Oslo", of("ann", fact("lives_in", "Oslo")))
	if _, err := w.Eraser.Forget(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	second := w.operatorTells("ann", "Ann lives in Rome", of("ann", fact("lives_in", "Rome")))
	if len(second.Sources) != 1 {
		t.Fatalf("sources %v", second.Sources)
	}
	if m, err := w.Message(t.Context(), second.Sources[0]); err != nil || m.Text != "Ann lives in Rome" {
		t.Errorf("it rests on %q, %v", m.Text, err)
	}
}

// TestForgettingAPassageRestoresNone forgets what replaced a passage that is gone from its document.
func TestForgettingAPassageRestoresNone(t *testing.T) {
	s := memorytest.Open(t)
	n := notebook(t, s, memory.Owner{Person: "ann"})
	ingest(t, s, lore("a.md", "# Guide\n\nThe house has a door.\n\n# Secret\n\nThe code of the safe is Hemlock."))
	ingest(t, s, lore("a.md", "# Guide\n\nThe house has a door."))
	all, err := s.Entries.ListMemories(t.Context(), entry.MemoryFilter{Text: "door"})
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	if _, err := s.Eraser.Forget(t.Context(), all[0].ID); err != nil {
		t.Fatal(err)
	}
	if got := rankState(t, n, "code of the safe Hemlock"); strings.Contains(got, "Hemlock") {
		t.Errorf("what was taken out of the document is recalled: %s", got)
	}
}

// TestAReplyFromASummaryIsForgottenWithItsMembers also covers a summary that was removed before its members.
func TestAReplyFromASummaryIsForgottenWithItsMembers(t *testing.T) {
	w := newTown(t)
	w.lighthouses()
	summary := w.summarize()[0].Summary
	w.clock.Advance(48 * time.Hour)
	turn := w.turn("mira", w.message("", "ann", "what did I do?"))
	turn.SessionID, turn.Exact, turn.Used = 0, true, []int64{summary.ID}
	turn.Context = []recall.Item{{MemoryID: summary.ID, Why: "matches", Used: true, Lines: []model.SnippetLine{{Text: summary.Text}}}}
	turn.Reply.Text = "You walked to a lighthouse near Porto."
	said := w.record(turn)
	if _, err := w.Eraser.Revert(t.Context(), "mira", summaryRun); err != nil {
		t.Fatal(err)
	}
	for id := int64(1); id < summary.ID; id++ {
		if _, err := w.Eraser.Forget(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if m, err := w.Message(t.Context(), said.ReplyID); err != nil || m.Text != "" {
		t.Errorf("the reply reads %q, %v", m.Text, err)
	}
}

// TestMemoriesAfterAForgottenOneAreLinked would miss the next memory if it got the id of the forgotten one.
func TestMemoriesAfterAForgottenOneAreLinked(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I walked to the old lighthouse near Porto")
	w.say("", "ann", "An apple a day was eaten by somebody")
	w.link()
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("apple").ID); err != nil {
		t.Fatal(err)
	}
	w.say("", "ann", "I drew the old lighthouse near Porto")
	if linked := w.link(); linked.Memories == 0 || len(w.edges()) == 0 {
		t.Errorf("linked %+v, edges %v", linked, w.edges())
	}
}

// TestEvidenceAfterForgettingIsSeen keeps a room's beliefs cached while another room forgets.
func TestEvidenceAfterForgettingIsSeen(t *testing.T) {
	w := newTown(t)
	w.say("", "bob", "My dog is called Rex", fact("pet_name:dog", "Rex"))
	w.say("", "ann", "I live in Oslo", fact("lives_in", "Oslo"))
	evidence := func() int {
		beliefs, err := w.Beliefs.Beliefs(t.Context(), w.visibility("", "bob"), belief.Filter{})
		if err != nil || len(beliefs) != 1 {
			t.Fatal(beliefs, err)
		}
		return len(beliefs[0].Evidence)
	}
	if n := evidence(); n != 1 {
		t.Fatalf("%d pieces", n)
	}
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("I live in Oslo").ID); err != nil {
		t.Fatal(err)
	}
	w.say("", "bob", "Rex is my dog", fact("pet_name:dog", "Rex"))
	if n := evidence(); n != 2 {
		t.Errorf("%d pieces, want both", n)
	}
}

// TestImportedEdgesWork packs the same context in the importing store as in the exporting one.
func TestImportedEdgesWork(t *testing.T) {
	w := newTown(t)
	w.lighthouses()
	w.summarize()
	there := &town{Store: memorytest.OpenAt(t, w.clock), t: t, clock: w.clock, n: 1000}
	imported(t, there.Store, exported(t, w.Store, transfer.ExportOptions{}))
	const asked = "the old lighthouse near Porto"
	if a, b := packed(w.ask("", "ann", asked)), packed(there.ask("", "ann", asked)); a != b {
		t.Errorf("here:\n%s\nthere:\n%s", a, b)
	}
}

// TestANewVersionForAnotherAudienceEndsTheOld also for people who can see only the old one.
func TestANewVersionForAnotherAudienceEndsTheOld(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "hello there")
	w.say("", "bob", "hello there")
	keep := entry.NewMemory{
		Persona: "mira", Audience: model.Audience{Kind: model.World}, Origin: model.OriginOperator, Sector: model.Semantic,
		Text: "Ann keeps bees at home", Salience: 0.7,
	}
	old, err := w.Entries.Remember(t.Context(), keep)
	if err != nil {
		t.Fatal(err)
	}
	if got := strongTexts(w.ask("", "bob", "bees")); len(got) != 1 {
		t.Fatalf("bob hears %q", got)
	}
	keep.Audience, keep.Text, keep.Supersedes = model.Audience{Kind: model.Private, Ref: w.person("ann")}, "Ann keeps bees indoors", old.ID
	if _, err := w.Entries.Remember(t.Context(), keep); err != nil {
		t.Fatal(err)
	}
	if got := strongTexts(w.ask("", "bob", "bees")); len(got) != 0 {
		t.Errorf("bob still hears %q", got)
	}
}

// TestAForgottenSummaryIsNotMadeAgain by the next run of the job.
func TestAForgottenSummaryIsNotMadeAgain(t *testing.T) {
	w := newTown(t)
	w.lighthouses()
	summary := w.summarize()[0].Summary
	if _, err := w.Eraser.Forget(t.Context(), summary.ID); err != nil {
		t.Fatal(err)
	}
	again, err := w.Lifecycle.SummarizeClusters(t.Context(), "mira", summaryRun+1)
	if err != nil || len(again) != 0 {
		t.Errorf("summed up again: %+v, %v", again, err)
	}
	if got := strongTexts(w.ask("", "ann", "the old lighthouse near Porto")); len(got) == 0 {
		t.Error("what was summed up is gone, too")
	}
}

// large returns 17 MB that do not compress.
func large() []byte {
	b := make([]byte, 17<<20)
	r := rand.NewChaCha8([32]byte{})
	_, _ = r.Read(b) // it never fails
	return b
}

// TestALargeFileIsRewrittenAtNight forgets something in a file too large to rewrite at once.
func TestALargeFileIsRewrittenAtNight(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "I keep a ferret")
	db := w.db()
	if _, err := db.Exec(`INSERT INTO channel_shelf (channel, key, value) VALUES ('console', 'large', ?)`, large()); err != nil {
		t.Fatal(err)
	}
	due := func() (n int) {
		if err := db.QueryRow(`SELECT count(*) FROM rewrites_due`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if _, err := w.Eraser.Forget(t.Context(), w.memoryOf("ferret").ID); err != nil || due() != 1 {
		t.Fatalf("forgotten, and %d rewrites are due, %v", due(), err)
	}
	if _, err := w.Eraser.Prune(t.Context(), w.clock.Now()); err != nil || due() != 0 || w.onDisk([]byte("ferret")) {
		t.Errorf("at night %d rewrites are due, %v; the files contain it: %t", due(), err, w.onDisk([]byte("ferret")))
	}
}
