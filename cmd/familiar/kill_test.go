package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"familiar/internal/llm/llmtest"
	"familiar/internal/torture"
)

// TestKillChat kills a chat repeatedly between a line and its reply. Everything that was answered is stored once, every
// message is answered, and the database is intact.
func TestKillChat(t *testing.T) {
	t.Parallel()
	kills := torture.Rounds(10, 200)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))

	home := t.TempDir()
	var answered []string
	for kill := range kills {
		talk := start(t, home, nil, "chat", "--as", "Ann")
		// The pending message of the previous process is answered first, so only the last note but one is certainly
		// answered here.
		before := ""
		for n := range 2 + rng.IntN(3) {
			if before != "" {
				answered = append(answered, before)
			}
			before = fmt.Sprintf("Note %d of sitting %d: I saw a heron.", n, kill)
			talk.ask(before)
		}
		talk.say(fmt.Sprintf("The last note of sitting %d: I saw a stork.", kill))
		time.Sleep(time.Duration(rng.IntN(15_000)) * time.Microsecond)
		talk.signal(syscall.SIGKILL)
		talk.exit()
	}
	familiar(t, home, nil, "Good night.\n", "chat", "--as", "Ann").must(t)
	checkRecord(t, home, answered)
}

// TestStopDuringAModelCall kills or stops a chat whose message is stored and being answered: the next process answers
// it once.
func TestStopDuringAModelCall(t *testing.T) {
	t.Parallel()
	for signal, code := range map[syscall.Signal]int{syscall.SIGKILL: -1, syscall.SIGTERM: 0, syscall.SIGINT: 0} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			stopDuringAModelCall(t, signal, code)
		})
	}
}

func stopDuringAModelCall(t *testing.T, signal syscall.Signal, want int) {
	speaking := make(chan struct{}, 8)
	var killed atomic.Bool
	p := llmtest.Serve(t, func(w http.ResponseWriter, r *llmtest.Request) {
		if killed.Load() {
			llmtest.Says("A heron, how lovely.")(w, r)
			return
		}
		llmtest.Streams(llmtest.Delta("A heron, ", ""))(w, r)
		speaking <- struct{}{}
		<-r.Context().Done()
	})
	home := configHome(t, p, "")
	talk := start(t, home, keyed, "chat", "--as", "Ann")
	talk.say("I saw a heron.")
	<-speaking
	talk.signal(signal)
	if code, said := talk.exit(); code != want || said != "" {
		t.Errorf("exit code %d, said %q; on standard error:\n%s", code, said, talk.errs)
	}
	killed.Store(true)

	again := start(t, home, keyed, "chat", "--as", "Ann")
	again.hear("A heron, how lovely.")
	if said := again.leave(); said != "" {
		t.Errorf("it said more: %q", said)
	}
	checkRecord(t, home, []string{"I saw a heron."})
	// The cost of the interrupted call is unknown: its reservation or an estimate is charged.
	if tokens, calls := usedTokens(t, home); calls != 2 || tokens <= chargedTokens {
		t.Errorf("charged %d tokens for %d calls", tokens, calls)
	}
}

// checkRecord reads the whole record: no message is missing or stored twice, and every message has its reply.
func checkRecord(t *testing.T, home string, answered []string) {
	t.Helper()
	var heard []string
	for _, session := range rowsOf(t, home, "session", "list") {
		before := "Nell Harrow"
		rows := talkOf(t, home, fmt.Sprint(session["id"]))
		for i, who := range column(rows, "who") {
			if who == before && who != "Ann" {
				t.Errorf("session %v: two answers in a row, the second %v", session["id"], rows[i]["text"])
			}
			if before = who; who == "Ann" {
				heard = append(heard, fmt.Sprint(rows[i]["text"]))
			}
		}
		if before == "Ann" {
			t.Errorf("session %v ends without an answer", session["id"])
		}
	}
	slices.Sort(heard)
	if once := slices.Compact(slices.Clone(heard)); len(once) != len(heard) {
		t.Errorf("something was received twice: %s", strings.Join(heard, "\n"))
	}
	for _, text := range answered {
		if _, ok := slices.BinarySearch(heard, text); !ok {
			t.Errorf("%q was answered and is not in the record", text)
		}
	}
	store := openStore(t, home)
	if err := store.Check(t.Context()); err != nil {
		t.Error(err)
	}
	stats, err := store.Lifecycle.Stats(t.Context(), "nell")
	if err != nil || stats.Pending+stats.Unsent+stats.Dead != 0 {
		t.Errorf("left over: %+v, %v", stats, err)
	}
}

// TestKillJobs kills jobs that are run by hand while the home is being served: each of their transactions is stored
// completely or not at all, and the next run continues.
func TestKillJobs(t *testing.T) {
	t.Parallel()
	home := configure(t, "jobs: {link: off, consolidate: off}\n")
	var talk strings.Builder
	for i := range 60 {
		fmt.Fprintf(&talk, "I walked to the old lighthouse in %s once more, for the %dth time.\n", []string{"Porto", "Cork", "Lima"}[i%3], i)
	}
	familiar(t, home, nil, talk.String(), "chat", "--as", "Ann").must(t)
	serving := start(t, home, nil, "run")
	serving.reports("serving")
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	for _, job := range []string{"link", "consolidate", "link", "consolidate"} {
		child := start(t, home, nil, "job", "run", job)
		time.Sleep(time.Duration(rng.IntN(120)) * time.Millisecond)
		_ = child.cmd.Process.Kill() // it may have come to its end
		child.exit()
		child = start(t, home, nil, "job", "run", job, "--dry-run")
		time.Sleep(time.Duration(rng.IntN(120)) * time.Millisecond)
		_ = child.cmd.Process.Kill() // it may have come to its end
		child.exit()
	}
	serving.signal(syscall.SIGTERM)
	serving.exit()

	for _, job := range []string{"link", "consolidate"} {
		familiar(t, home, nil, "", "job", "run", job).must(t)
	}
	store := openStore(t, home)
	if err := store.Check(t.Context()); err != nil {
		t.Error(err)
	}
	said := ""
	for range 5 { // summaries grow with each run
		said = familiar(t, home, nil, "", "job", "run", "consolidate").must(t).out
	}
	if !strings.Contains(said, "nothing to move") || len(rowsOf(t, home, "memory", "topics")) == 0 {
		t.Errorf("left to be summed up:\n%s", said)
	}
	familiar(t, home, nil, "I am back.\n", "chat", "--as", "Ann").must(t)
	if _, err := os.Stat(filepath.Join(home, "dry-run")); !os.IsNotExist(err) {
		t.Errorf("a copy of the memory was left behind: %v", err)
	}
}
