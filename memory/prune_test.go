package memory_test

import (
	"testing"
	"time"

	"familiar/memory/erase"
	"familiar/memory/jobrun"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/turns"
)

func TestPruneKeepsWhatIsStillNeeded(t *testing.T) {
	w := newTown(t)
	run := func(job string) {
		t.Helper()
		id, err := w.Jobs.BeginRun(t.Context(), "mira", job, w.clock.Now())
		if err == nil {
			err = w.Jobs.FinishRun(t.Context(), id, jobrun.StatusOK, "fine")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	say := func(text string) turns.TurnResult {
		m := w.memoryOf("ferret")
		turn := w.turn("mira", w.message("", "ann", text))
		turn.Context = []recall.Item{
			{MemoryID: m.ID, Why: "matches", Used: true, Lines: []model.SnippetLine{{MessageID: 1}}},
			{MemoryID: m.ID, Why: "pinned", Lines: []model.SnippetLine{{MessageID: 1}}},
		}
		return w.record(turn)
	}
	w.say("", "ann", "I keep a ferret")
	run("often")
	run("often")
	run("once")
	say("hello")
	w.sendAll()
	w.clock.Advance(31 * 24 * time.Hour)
	run("often")
	say("hello again")

	want := func(what string, want erase.PruneResult, words string) {
		t.Helper()
		got, err := w.Eraser.Prune(t.Context(), w.clock.Now())
		if err != nil || got != want || got.String() != words {
			t.Errorf("%s: %+v (%s), %v", what, got, got, err)
		}
	}
	want("after a month", erase.PruneResult{Runs: 2, Heard: 2, Sent: 2}, "pruned 2 job runs, 2 received keys, 2 sent keys")
	want("at once again", erase.PruneResult{}, "nothing to prune")
	if last, err := w.Jobs.LastRun(t.Context(), "mira", "once"); err != nil || last.Job != "once" {
		t.Errorf("a job's last run is gone: %v", err)
	}
	if texts := w.waiting(); len(texts) != 1 {
		t.Errorf("waiting %q", texts)
	}
	w.clock.Advance(60 * 24 * time.Hour)
	want("after three months", erase.PruneResult{Runs: 0, Heard: 1, Turns: 2}, "pruned 1 received keys, 2 turns' unused context")
	count := func(query string) (n int) {
		t.Helper()
		if err := w.db().QueryRow(query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	// The older of the two replies kept only its sources, the newer one everything.
	if items, lines := count(`SELECT count(*) FROM turn_items`), count(`SELECT count(*) FROM turn_item_lines`); items != 3 || lines != 3 {
		t.Errorf("%d items with %d lines are left", items, lines)
	}
	if gone, err := w.Eraser.Forget(t.Context(), w.memoryOf("ferret").ID); err != nil || gone.Replies != 3 {
		t.Errorf("forgotten afterwards: %+v, %v", gone, err)
	}
}

// TestPruneWorksInBatches removes more than one transaction takes.
func TestPruneWorksInBatches(t *testing.T) {
	w := newTown(t)
	const runs = 1203
	for range runs {
		id, err := w.Jobs.BeginRun(t.Context(), "mira", "often", w.clock.Now())
		if err == nil {
			err = w.Jobs.FinishRun(t.Context(), id, jobrun.StatusOK, "")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := w.Eraser.Prune(t.Context(), w.clock.Now().AddDate(0, 2, 0))
	if err != nil || got.Runs != runs-1 {
		t.Errorf("%+v, %v", got, err)
	}
}
