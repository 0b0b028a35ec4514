package memory

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"familiar/internal/tokens"
	"familiar/memory/lexical"
)

type dumpQ struct {
	Q, Answer string
	Category  int
	Gold      map[int64]string
	Items     []Item
}

func loadDump(t *testing.T) (qs []dumpQ) {
	raw, err := os.ReadFile("/tmp/b2_dump.json")
	if err != nil {
		t.Skip()
	}
	if err := json.Unmarshal(raw, &qs); err != nil {
		t.Fatal(err)
	}
	return qs
}

func sizeOf(items []Item) (n int) {
	for _, it := range items {
		for _, l := range it.Lines {
			n += tokens.Estimate(l.String())
		}
	}
	return n
}

func evidence(q dumpQ, items []Item) float64 {
	lines := map[int64]string{}
	for _, it := range items {
		for _, l := range it.Lines {
			lines[l.MessageID] = l.Text
		}
	}
	kept := 0
	for id, whole := range q.Gold {
		text, in := lines[id]
		if in && saysStill(q, whole, text) {
			kept++
		}
	}
	return float64(kept) / float64(len(q.Gold))
}

func saysStill(q dumpQ, whole, text string) bool {
	names := map[string]bool{}
	for _, it := range q.Items {
		for _, l := range it.Lines {
			names[l.Author] = true
		}
	}
	for _, of := range []string{q.Answer, q.Q} {
		g := lexical.GistOf(of)
		skip := map[string]bool{}
		for n := range names {
			for _, t := range g.Terms(n) {
				skip[t] = true
			}
		}
		need, have := map[string]bool{}, map[string]bool{}
		for _, t := range g.Terms(whole) {
			if g.Has(t) && !skip[t] {
				need[t] = true
			}
		}
		for _, t := range g.Terms(text) {
			if need[t] {
				have[t] = true
			}
		}
		if len(need) > 0 {
			return len(have) == len(need)
		}
	}
	return true
}

func TestEval(t *testing.T) {
	qs := loadDump(t)
	var full, comp, ef, ec float64
	var took time.Duration
	if os.Getenv("SPLIT") != "" {
		k := 0
		for i, q := range qs {
			if (i%2 == 0) == (os.Getenv("SPLIT") == "0") {
				qs[k] = q
				k++
			}
		}
		qs = qs[:k]
	}
	lost := 0
	for _, q := range qs {
		start := time.Now()
		c := Compress(q.Items, q.Q, 0)
		took += time.Since(start)
		full += float64(sizeOf(q.Items))
		comp += float64(sizeOf(c))
		a, b := evidence(q, q.Items), evidence(q, c)
		ef += a
		ec += b
		if b < a && os.Getenv("SHOW") != "" && lost < 25 {
			lost++
			fmt.Printf("Q: %s\nA: %s\n", q.Q, q.Answer)
			for id, g := range q.Gold {
				now := ""
				for r, it := range c {
					for _, l := range it.Lines {
						if l.MessageID == id {
							now = fmt.Sprintf("(rank %d hit %v) %s", r, l.Hit, l.Text)
						}
					}
				}
				fmt.Printf("   G: %s\n   K: %s\n", g, now)
			}
		}
	}
	n := float64(len(qs))
	fmt.Printf("tokens %.1f -> %.1f (%.1f%%) evidence %.4f -> %.4f, %v each\n", full/n, comp/n, 100-100*comp/full, ef/n, ec/n, took/time.Duration(len(qs)))
}
