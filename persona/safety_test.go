package persona_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/torture"
	"familiar/memory/memorytest"
	"familiar/persona"
)

// TestR2RepeatedShuffledEventsAreOneTurnEach delivers events up to five times, shuffled, across restarts.
func TestR2RepeatedShuffledEventsAreOneTurnEach(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	clock := &memorytest.Clock{}
	store := memorytest.OpenAt(t, clock)
	s := playOn(t, store, clock, withVoice(&echo{}))
	var deliveries, unique []channels.Message
	for i := range 60 {
		m := s.message(fmt.Sprintf("p%d", i%4), fmt.Sprintf("I planted tree%dx today", i))
		unique = append(unique, m)
		for range 1 + rng.IntN(5) {
			deliveries = append(deliveries, m)
		}
	}
	rng.Shuffle(len(deliveries), func(i, j int) { deliveries[i], deliveries[j] = deliveries[j], deliveries[i] })
	var sent []channels.Outgoing
	for part := range slices.Chunk(deliveries, len(deliveries)/4) {
		for _, m := range part {
			s.hear(m)
		}
		s.rest()
		s.quit()
		sent = append(sent, s.desk.sent...)
		s = playOn(t, store, clock, withVoice(&echo{}))
	}
	var said strings.Builder
	for _, out := range sent {
		said.WriteString(out.Text + "\n")
	}
	for i, m := range unique {
		tree := fmt.Sprintf("tree%dx", i)
		if n := strings.Count(said.String(), tree); n != 1 {
			t.Errorf("%s was answered %d times", tree, n)
		}
		if n := s.counted(`SELECT count(*) FROM memories WHERE origin = 'said' AND text LIKE ?`, "%"+tree+"%"); n != 1 {
			t.Errorf("%q became %d memories", m.Text, n)
		}
	}
}

// counted runs a query that counts.
func (s *stage) counted(query string, args ...any) (n int) {
	s.t.Helper()
	db := memorytest.SQL(s.t, s.store.Path())
	defer db.Close()
	if err := db.QueryRow(query, args...).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// TestM1RepeatingARecalledFactIsNoEvidence has the persona say what it was told once, again and again: what it says is
// recalled, but is no evidence for it.
func TestM1RepeatingARecalledFactIsNoEvidence(t *testing.T) {
	times := torture.Rounds(40, 1000)
	s := play(t, nil)
	s.say("Ann", "My dog is called Rex.")
	state := func() string {
		return fmt.Sprint(
			s.counted(`SELECT count(*) FROM beliefs`), s.counted(`SELECT count(*) FROM belief_evidence`),
			s.counted(`SELECT count(*) FROM memories WHERE origin = 'said' AND text LIKE '%is called Rex%'`))
	}
	before := state()
	for range times {
		s.clock.Advance(time.Minute)
		if said := s.say("Ann", "What is my dog called?"); !strings.Contains(said, "Rex") {
			t.Fatalf("it said %q", said)
		}
	}
	if after := state(); after != before {
		t.Errorf("beliefs, evidence and memories were %s, are %s", before, after)
	}
}

// TestS9AddressesInMessagesAreNotFetched says addresses in every place of a message: talk makes no request.
func TestS9AddressesInMessagesAreNotFetched(t *testing.T) {
	var reached atomic.Int32
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer inside.Close()
	s := play(t, func(p *persona.Parts) { p.Card.Greetings = []string{"![hi](" + inside.URL + ")"} })
	for _, text := range []string{inside.URL, "look: ![](" + inside.URL + "/a.png)", "[here](" + inside.URL + ")", "What is at " + inside.URL + "?"} {
		m := s.message("Ann", text)
		m.Attachments = []channels.Attachment{{Kind: "image", Name: inside.URL, Ref: inside.URL + "/card.png"}}
		s.answer(m)
	}
	if n := reached.Load(); n > 0 {
		t.Errorf("%d requests were made", n)
	}
}

// TestR14TalkLeavesNothingOpen talks for a while and compares goroutines, open files and heap with the start.
func TestR14TalkLeavesNothingOpen(t *testing.T) {
	turns := torture.Rounds(300, 20_000)
	s := play(t, nil)
	talk := func(from, to int) {
		for i := from; i < to; i++ {
			s.clock.Advance(10 * time.Minute)
			s.say(fmt.Sprintf("p%d", i%20), fmt.Sprintf("Today I walked %d steps with my dog", i))
		}
	}
	talk(0, 100)
	goroutines, files, heap := runtime.NumGoroutine(), openFiles(t), liveHeap()
	talk(100, 100+turns)
	if n := runtime.NumGoroutine(); n > goroutines+5 {
		t.Errorf("%d goroutines, were %d", n, goroutines)
	}
	if n := openFiles(t); n > files+5 {
		t.Errorf("%d open files, were %d", n, files)
	}
	if grown, most := int64(liveHeap()-heap), int64(32<<20+turns*4096); grown > most {
		t.Errorf("the heap grew by %d bytes in %d turns, at most %d expected", grown, turns, most)
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Log("open files are not counted on this system")
		return 0
	}
	return len(files)
}

func liveHeap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
