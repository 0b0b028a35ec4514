package main

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/jobs"
)

// TestDreamVerbs lets a night pass and reads what it made, by night and by number.
func TestDreamVerbs(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	familiar(t, home, nil, "I oiled my accordion.\nThen I mended the green boat.\n", "chat", "--as", "Ann").must(t)
	if rows := rowsOf(t, home, "dream", "list"); len(rows) != 0 {
		t.Errorf("before the first night there is %v", rows)
	}
	store := openStore(t, home)
	night := jobs.Deps{Parts: persona.Parts{Card: &card.Card{Key: "nell", Name: "Nell"}, Store: store, Log: slog.New(slog.DiscardHandler)}}
	run, err := store.Jobs.BeginRun(t.Context(), "nell", "dream", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if done, err := night.DreamOnce(t.Context(), run, time.Now()); err != nil || done.Memories != 1 {
		t.Fatalf("dreamt %v, %v", done, err)
	}

	rows := rowsOf(t, home, "dream", "list")
	if len(rows) != 1 || rows[0]["kind"] != "dream" || rows[0]["of"] != "Ann" || rows[0]["run"] != float64(run) {
		t.Fatalf("the journal is %v", rows)
	}
	text := fmt.Sprint(rows[0]["text"])
	if !strings.Contains(text, "accordion") && !strings.Contains(text, "boat") {
		t.Errorf("dreamt was %q", text)
	}
	number, day := fmt.Sprint(rows[0]["id"]), fmt.Sprint(rows[0]["night"])[:len(time.DateOnly)]
	for _, which := range [][]string{{}, {number}, {day}} {
		shown := rowsOf(t, home, append([]string{"dream", "show"}, which...)...)
		if len(shown) != 1 || shown[0]["text"] != text || !strings.Contains(fmt.Sprint(shown[0]["quotes"]), "Ann: ") {
			t.Errorf("dream show %v: %v", which, shown)
		}
	}
	if shown := rowsOf(t, home, "dream", "show", "2001-01-01"); len(shown) != 0 {
		t.Errorf("long ago was dreamt %v", shown)
	}
	familiar(t, home, nil, "", "dream", "show", "1").fails(t, 3, "not an entry of the dream journal")
	familiar(t, home, nil, "", "dream", "show", "yesterday").fails(t, 2, "yesterday")
	if found := familiar(t, home, nil, "", "memory", "search", "--as", "Ann", "--all", text).must(t).out; strings.Contains(found, text) {
		t.Errorf("a dream is recalled:\n%s", found)
	}
}
