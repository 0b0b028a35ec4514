package main

import (
	"encoding/json"
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

	"familiar/cmd/familiar/internal/memories"
	"familiar/internal/llm/llmtest"
)

// vectorHome returns a home that gets its vectors from p; more is added to the configuration.
func vectorHome(t *testing.T, p *llmtest.Server, more string) string {
	t.Helper()
	return configure(t, fmt.Sprintf(`embedder:
  provider: openai
  model: embed-1
  base_url: %s/v1
  api_key: env:MODEL_KEY
  batch: 4
%s`, p.URL, more))
}

// statsOf returns the output of `familiar memory stats`.
func statsOf(t *testing.T, home string) (stats memories.StatsRow) {
	t.Helper()
	r := familiar(t, home, keyed, "", "memory", "stats", "--json").must(t)
	if err := json.Unmarshal([]byte(r.out), &stats); err != nil {
		t.Fatalf("%v:\n%s", err, r.out)
	}
	return stats
}

// embedded returns all texts that p was asked to embed.
func embedded(p *llmtest.Server) (texts []string) {
	for _, r := range p.Requests() {
		texts = append(texts, r.Input...)
	}
	return texts
}

func TestVectors(t *testing.T) {
	t.Parallel()
	p := llmtest.Serve(t, llmtest.Embeds(32))
	home := vectorHome(t, p, "")
	talk := start(t, home, keyed, "chat", "--as", "Ann")
	talk.ask("My cat is called Tom, and my key is sk-abcdefghijklmnopqrstuvwx.")
	if said := talk.ask("What is my cat called?"); !strings.Contains(said, "Tom") {
		t.Errorf("it said %q", said)
	}
	talk.leave()
	familiar(t, home, keyed, "", "memory", "embed").must(t)
	s := statsOf(t, home)
	if s.Embedder != "openai embed-1" || s.Vectors != 2 || s.ToEmbed != 0 || s.NotEmbedded != 0 || s.Fault != "" {
		t.Errorf("counted %+v", s)
	}
	texts := embedded(p)
	if !slices.Contains(texts, "My cat is called Tom, and my key is [redacted key].\nAnn: What is my cat called?") || strings.Contains(strings.Join(texts, "\n"), "sk-abc") {
		t.Errorf("sent %q", texts)
	}
	if r := familiar(t, home, keyed, "", "memory", "search", "--as", "Ann", "cat").must(t); !strings.Contains(r.out, "Tom") {
		t.Errorf("found %s", r.out)
	}
	if by := p.Requests()[0].Header.Get("Authorization"); by != "Bearer "+modelKey {
		t.Errorf("authorized with %q", by)
	}
	checkNoKey(t, home, talk.errs.String())
}

// TestRecallWorksWhileTheEmbedderFails lets the embedder fail in every way: questions are still answered in time, and
// the error is visible.
func TestRecallWorksWhileTheEmbedderFails(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]llmtest.Answer{
		"hangs": llmtest.Hangs(), "fails": llmtest.Sends(500, ""), "refuses the key": llmtest.Sends(401, "wrong key "+modelKey),
		"garbage": llmtest.Sends(200, "<html>"), "vectors of nothing": zeroVectors,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := vectorHome(t, llmtest.Serve(t, answer), "  timeout: 1s\n")
			talk := start(t, home, keyed, "chat", "--as", "Ann", "--log-level", "debug")
			talk.ask("My cat is called Tom.")
			if said := talk.ask("What is my cat called?"); !strings.Contains(said, "Tom") {
				t.Errorf("it said %q", said)
			}
			talk.leave()
			r := familiar(t, home, keyed, "", "memory", "embed")
			if s := statsOf(t, home); s.Fault == "" && s.ToEmbed+s.NotEmbedded == 0 {
				t.Errorf("nothing is seen of it: %+v; exit code %d: %s", s, r.code, r.errs)
			}
			doctor := familiar(t, home, keyed, "", "doctor")
			if s := statsOf(t, home); s.Fault != "" && !strings.Contains(doctor.out, "embedder\twarning\t") {
				t.Errorf("the doctor does not see %q:\n%s", s.Fault, doctor.out)
			}
			checkNoKey(t, home, talk.errs.String()+r.errs+doctor.out+doctor.errs)
		})
	}
}

// zeroVectors returns vectors without information.
func zeroVectors(w http.ResponseWriter, r *llmtest.Request) {
	vectors := make([][]float32, len(r.Input))
	for i := range vectors {
		vectors[i] = make([]float32, 8)
	}
	llmtest.Vectors(vectors...)(w, r)
}

// TestKillWhileEmbedding kills the serving process repeatedly while it computes missing vectors: in the end each memory
// has one, and no text was sent again whose vector was stored.
func TestKillWhileEmbedding(t *testing.T) {
	t.Parallel()
	const notes, kills = 60, 6
	var slow atomic.Bool
	slow.Store(true)
	p := llmtest.Serve(t, func(w http.ResponseWriter, r *llmtest.Request) {
		if slow.Load() {
			select {
			case <-time.After(2 * time.Millisecond):
			case <-r.Context().Done():
			}
		}
		llmtest.Embeds(32)(w, r)
	})
	home := vectorHome(t, p, "")
	var lines strings.Builder
	for n := range notes {
		fmt.Fprintf(&lines, `{"room":"ann","direct":true,"from":"Ann","text":"Note %d: I saw a heron.","at":"2026-01-05T18:%02d:00Z"}`+"\n", n, n)
	}
	file := filepath.Join(t.TempDir(), "notes.jsonl")
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	familiar(t, home, keyed, "", "replay", file).must(t)
	if s := statsOf(t, home); s.Vectors != 0 || len(embedded(p)) != 0 {
		t.Fatalf("embedded while replaying: %+v", s)
	}

	rng := rand.New(rand.NewPCG(1, 1))
	kept, before := 0, 0
	for range kills {
		serving := start(t, home, keyed, "run")
		more := 1 + rng.IntN(3)
		eventually(t, "it embeds", func() bool { return len(p.Requests()) >= before+more || statsOf(t, home).ToEmbed == 0 })
		serving.signal(syscall.SIGKILL)
		serving.exit()
		s := statsOf(t, home)
		if s.Vectors < kept {
			t.Fatalf("%d vectors were stored, %d are left", kept, s.Vectors)
		}
		kept, before = s.Vectors, len(p.Requests())
	}
	slow.Store(false)
	serving := start(t, home, keyed, "run")
	eventually(t, "everything has its vector", func() bool { s := statsOf(t, home); return s.Embedder != "" && s.ToEmbed == 0 })
	serving.signal(syscall.SIGTERM)
	serving.exit()
	// Only the notes: the episode and the moment of the session are not recalled.
	if s := statsOf(t, home); s.Vectors != notes || s.NotEmbedded != 0 || s.Fault != "" {
		t.Errorf("in the end %+v", s)
	}
	times := map[string]int{}
	for _, text := range embedded(p) {
		times[text[strings.LastIndex(text, "\n")+1:]]++ // without the message before
	}
	again := 0
	for n := range notes {
		sent := times[fmt.Sprintf("Ann: Note %d: I saw a heron.", n)]
		if sent == 0 {
			t.Errorf("note %d was never sent", n)
		}
		again += max(0, sent-1)
	}
	if again > 4*kills {
		t.Errorf("%d texts were sent again after %d kills: more than a batch each", again, kills)
	}
}
