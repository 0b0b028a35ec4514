package memory_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/torture"
	"familiar/memory"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/turns"
)

// oddTown has memories in several scripts.
func oddTown(t testing.TB) *town {
	w := newTown(t)
	for _, text := range []string{
		"My cello teacher is called Ingrid", "昨日は寿司を食べた", "Вчера я видел цаплю у реки", "Ich wohne in der Müllerstraße",
		"我喜欢 jazz 和咖啡 on Sundays", "🍕🍕🍕", "NEAR the bridge AND not far", `She said "it's fine" — twice*`,
	} {
		w.say("", "ann", text)
	}
	return w
}

// What people type is not a query language: nothing in it is an operator, and nothing in it fails.
func TestRecallAcceptsAnyQuery(t *testing.T) {
	w := oddTown(t)
	for _, query := range []string{
		"", " ", "\n\t", "?", "'", `"`, "*", "(", `") OR 1=1 --`, "(((", "^", "-", "::", "%_%", "\\", "\x00", "\xff\xfe",
		"🍕", "👩‍👩‍👧‍👦", "\u200b", "\u202e", "…", "？", "。", "¿¡", strings.Repeat("?", 100_000), strings.Repeat("🍕", 25_000),
	} {
		if r := w.ask("", "ann", query); !r.Nothing {
			t.Errorf("the query %.20q, which names nothing, found %q", query, hitTexts(r))
		}
	}
}

func TestRecallReadsAnyScript(t *testing.T) {
	w := oddTown(t)
	for query, want := range map[string]string{
		"寿司":                          "昨日は寿司を食べた",
		"цаплю?":                      "Вчера я видел цаплю у реки",
		"MÜLLERSTRASSE":               "Ich wohne in der Müllerstraße",
		"müllerstraße 🏠":              "Ich wohne in der Müllerstraße",
		"ｃｅｌｌｏ":                       "My cello teacher is called Ingrid",
		"喜欢 what kind of jazz?":       "我喜欢 jazz 和咖啡 on Sundays",
		"* bridge* NEAR(":             "NEAR the bridge AND not far",
		`"cello" OR "'); DROP TABLE"`: "My cello teacher is called Ingrid",
	} {
		if got := hitTexts(w.ask("", "ann", query)); len(got) == 0 || got[0] != want {
			t.Errorf("%q found %q, want %q first", query, got, want)
		}
	}
}

// Somebody pastes a book and asks about it.
func TestRecallAcceptsAPastedBook(t *testing.T) {
	w := oddTown(t)
	var book strings.Builder
	book.WriteString("Who teaches me the cello? ")
	for i := 0; book.Len() < 100_000; i++ {
		fmt.Fprintf(&book, "word%d, on 3 May, last week 寿; ", i)
	}
	if got := hitTexts(w.ask("", "ann", book.String())); !slices.Contains(got, "My cello teacher is called Ingrid") {
		t.Errorf("found %q", got)
	}
	w.say("", "ann", book.String())
	r := w.ask("", "ann", "What was word77 about?")
	if len(r.Hits) == 0 || !strings.Contains(r.Hits[0].Memory.Text, "word77,") {
		t.Fatalf("found %.80q", hitTexts(r))
	}
	if r.Tokens > 600 {
		t.Errorf("a book took %d tokens of 600", r.Tokens)
	}
}

// The machine's clock is set back by a year. What was said before is then in the future and must be found as well as
// ever.
func TestRecallWhenTheClockGoesBack(t *testing.T) {
	w := newTown(t)
	w.say("", "ann", "My cello teacher is called Ingrid")
	before := w.ask("", "ann", "Who teaches me the cello?")
	w.clock.Advance(-365 * 24 * time.Hour)
	w.say("", "ann", "My tennis teacher is called Oskar")
	after := w.ask("", "ann", "Who teaches me the cello?")
	if len(after.Hits) == 0 || after.Hits[0].Memory.ID != before.Hits[0].Memory.ID {
		t.Fatalf("found %q", hitTexts(after))
	}
	for _, h := range after.Hits {
		if h.Score <= 0 || h.Score != h.Score {
			t.Errorf("%q scores %v", h.Memory.Text, h.Score)
		}
	}
	if got := hitTexts(w.ask("", "ann", "Who teaches me tennis?")); len(got) == 0 || got[0] != "My tennis teacher is called Oskar" {
		t.Errorf("what was said after the clock was set back is found as %q", got)
	}
	if items := w.ask("", "ann", "Who teaches me the cello?").Items; len(items) == 0 {
		t.Error("nothing was packed")
	}
}

// Somebody's script says the same thing all day. Other talk is still found, and recall stays bounded.
func TestRecallAmongNearIdenticalMemories(t *testing.T) {
	n, bound := 2000, 10*time.Second
	if torture.On() {
		n, bound = 100_000, time.Second
	}
	clock := new(memorytest.Clock)
	s := memorytest.OpenAt(t, clock)
	room := tellAll(t, s, clock, n, func(i int) string {
		if i == n/3 {
			return "The heron stands by the old mill"
		}
		return fmt.Sprintf("The build of the tower failed at step %d", i)
	})
	h, err := s.Log.Visibility(t.Context(), "mira", room)
	if err != nil {
		t.Fatal(err)
	}
	q := recall.Query{Text: "Why did the build of the tower fail?", Now: clock.Now(), Budget: 600}
	if _, err := s.Recall.Find(t.Context(), h, q); err != nil {
		t.Fatal(err)
	}
	started := time.Now()
	r, err := s.Recall.Find(t.Context(), h, q)
	if took := time.Since(started); err != nil || took > bound {
		t.Fatalf("took %v, %v", took, err)
	}
	step := -1
	if len(r.Hits) > 0 {
		fmt.Sscanf(r.Hits[0].Memory.Text, "The build of the tower failed at step %d", &step)
	}
	if step < n-5 { // the newest have fewer turns after them
		t.Errorf("found %.200q, want the newest first", hitTexts(r))
	}
	q.Text = "Where is the heron?"
	if r, err = s.Recall.Find(t.Context(), h, q); err != nil || len(r.Hits) == 0 || !strings.Contains(r.Hits[0].Memory.Text, "heron") {
		t.Errorf("found %q, %v", hitTexts(r), err)
	}
}

// tellAll lets ann say n things to mira, a second apart, and returns the room.
func tellAll(t *testing.T, s *memory.Store, clock *memorytest.Clock, n int, text func(i int) string) int64 {
	t.Helper()
	turn := turns.Turn{Persona: "mira", Voice: "plain"}
	for i := range n {
		clock.Advance(time.Second)
		m := channels.Message{
			ID: fmt.Sprintf("n%d", i), Room: channels.Room{Channel: "console", ID: "dm/ann"}, Direct: true,
			Author: channels.Author{Handle: channels.Handle{Channel: "console", ID: "ann"}, Name: "ann"},
			Text:   text(i), At: clock.Now(),
		}
		if i == 0 {
			person, room, err := s.Turns.UpsertParticipant(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			turn.Room, turn.Asker = room, person.ID
		}
		turn.Heard = append(turn.Heard, model.AnnotatedMessage{
			Message: m, PersonID: turn.Asker, Annotation: model.Annotation{Sector: model.Episodic, Salience: 0.5},
		})
		if len(turn.Heard) == 1000 || i == n-1 {
			r, err := s.Turns.RecordTurn(t.Context(), turn)
			if err != nil {
				t.Fatal(err)
			}
			turn.Heard, turn.SessionID = nil, r.SessionID
		}
	}
	return turn.Room.ID
}

func FuzzRecall(f *testing.F) {
	w := oddTown(f)
	for _, q := range []string{"", "?", "NEAR(", "cello yesterday", "寿司 in May", "🍕", "\xff", "how many on the 31st of 2 weeks ago"} {
		f.Add(q, int64(0))
	}
	h := w.visibility("", "ann")
	f.Fuzz(func(t *testing.T, text string, seconds int64) {
		q := recall.Query{
			Text: text, Asker: 1, Now: memorytest.Start.Add(time.Duration(seconds%(1<<33)) * time.Second), Limit: 5, Budget: 200,
			Explain: true,
		}
		r, err := w.Recall.Find(t.Context(), h, q)
		if err != nil || len(r.Hits) > q.Limit || r.Tokens > q.Budget {
			t.Fatalf("%d hits, %d tokens, %v", len(r.Hits), r.Tokens, err)
		}
		for _, hit := range r.Hits {
			if hit.Score != hit.Score {
				t.Fatalf("%q scores no number: %+v", hit.Memory.Text, hit.Reasons)
			}
		}
	})
}
