package memories_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/memorytest"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/plain"
	"familiar/web/visitor"
	"familiar/web/webtest"
)

// benchSize is how many memories the store of the benchmark has.
const benchSize = 100_000

// BenchmarkSearchPage measures searches with each filter and other pages over HTTP in a store of 100,000 memories of 20 people, with a warm index.
func BenchmarkSearchPage(b *testing.B) {
	clock := &memorytest.Clock{}
	store := memorytest.OpenAt(b, clock)
	talk := webtest.NewTalk(memorytest.Start.AddDate(-1, 0, 0))
	engine := persona.New(persona.Parts{
		Card: &card.Card{Key: "tess", Name: "Tess", Zone: time.UTC, Language: "en"}, Store: store, Voice: plain.New(), Channels: []channels.Channel{desk{}},
		Settings: persona.Settings{SessionGap: 30 * time.Minute, GreetingGap: 4 * time.Hour, RecallBudget: 1000, RecentMessages: 30, Zone: time.UTC},
		Now:      clock.Now, Jitter: func(time.Duration) time.Duration { return 0 }, Log: slog.New(slog.DiscardHandler),
	})
	talk.Fill(b, store, "tess", "desk", benchSize, engine.CatchUp)
	h := dashboard(store, clock.Now)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(visitor.With(r.Context(), webtest.Operator)))
	}))
	b.Cleanup(server.Close)
	narrowed := func(field, value string) func() url.Values {
		return func() url.Values { return url.Values{"q": {talk.Words(3)}, field: {value}} }
	}
	for name, query := range map[string]func() url.Values{
		"search": func() url.Values { return url.Values{"q": {talk.Words(3)}} },
		"filter": narrowed("sector", "episodic"),
		"tier":   narrowed("tier", "short"),
		"origin": narrowed("origin", "said"),
		"person": narrowed("person", "1"),
		"tag":    narrowed("tag", "none"),
		"from":   narrowed("from", memorytest.Start.AddDate(0, -11, 0).Format(time.DateOnly)),
		"list":   func() url.Values { return url.Values{"before": {fmt.Sprint(1 + talk.Rand.IntN(benchSize))}} },
	} {
		b.Run(name, func(b *testing.B) {
			ask(b, server.URL+"/p/tess/memory?"+query().Encode()) // reads the index
			var took []time.Duration
			for b.Loop() {
				started := time.Now()
				ask(b, server.URL+"/p/tess/memory?"+query().Encode())
				took = append(took, time.Since(started))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}

func ask(b *testing.B, address string) {
	r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, address, nil)
	if err != nil {
		b.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close() //nolint:errcheck // it was only read
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		b.Fatalf("%s answered %d, %v", address, answer.StatusCode, err)
	}
}
