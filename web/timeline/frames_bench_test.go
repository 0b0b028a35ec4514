package timeline

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"familiar/internal/browsertest"
	"familiar/memory/history"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/web/assets"
	"familiar/web/layout"
	"familiar/web/visitor"
)

// BenchmarkFrames drags the scrubber over a year in Chromium and reports how long a frame takes.
func BenchmarkFrames(b *testing.B) {
	browser := browsertest.Start(b)
	for _, memories := range []int{8_000, 100_000} {
		b.Run(fmt.Sprint(memories), func(b *testing.B) {
			server := year(b, memories)
			tab := browser.Tab(b)
			tab.Desktop()
			var frames []float64
			for b.Loop() {
				tab.Open(server.URL + "/p/vela/time")
				tab.Wait(`document.querySelector("#player[data-ready]")`)
				frames = browsertest.Eval[[]float64](tab, drag)
			}
			slices.Sort(frames)
			b.ReportMetric(frames[len(frames)/2], "median-ms")
			b.ReportMetric(frames[len(frames)*95/100], "p95-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// drag moves the scrubber a little in every frame, there and back, and returns how many milliseconds each frame took.
const drag = `new Promise((done) => {
	const scrub = document.getElementById("scrub"), frames = [], days = Number(scrub.max);
	let last = 0, n = 0;
	const move = (now) => {
		if (n > 5) frames.push(now - last);
		last = now;
		if (++n > 250) { done(frames); return; }
		scrub.value = Math.round(days * (1 - Math.abs(1 - n / 125)));
		scrub.dispatchEvent(new Event("input", { bubbles: true }));
		requestAnimationFrame(move);
	};
	requestAnimationFrame(move);
})`

// year serves the pages of a store with so many memories of a year.
func year(b *testing.B, memories int) *httptest.Server {
	b.Helper()
	clock := new(memorytest.Clock)
	clock.Advance(365 * oneDay)
	p := &Pages{Store: memorytest.OpenAt(b, clock), Now: clock.Now, Zone: time.UTC}
	shell := &layout.Shell{
		Personas: func() []layout.Persona { return []layout.Persona{{Key: "vela", Name: "Vela"}} },
		Now:      clock.Now, Zone: time.UTC, Log: slog.New(slog.DiscardHandler),
	}
	p.Mount(shell)
	p.films.shoot = func(context.Context, string) (*film, error) {
		c := newCutter(clock.Now())
		r := rand.New(rand.NewPCG(1, 2))
		for i := range memories {
			l := history.Life{ID: int64(i + 1), Sector: sectors[r.IntN(len(sectors))], Stored: memorytest.Start.Add(time.Duration(i) * 365 * oneDay / time.Duration(memories))}
			from := l.Stored.UnixMilli()
			for range 1 + r.IntN(3) {
				rate := model.DefaultRates[l.Sector] / (r.Float64() + model.SalienceOffset) / float64(oneDay.Milliseconds())
				l.Phases = append(l.Phases, history.Phase{From: from, Since: from, Rate: rate, Tier: model.Short, Pinned: r.IntN(50) == 0})
				from += r.Int64N(90 * oneDay.Milliseconds())
			}
			c.life(&l)
		}
		return c.cut()
	}
	mux := http.NewServeMux()
	mux.Handle(assets.Prefix, assets.Handler())
	mux.Handle("/", shell)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mux.ServeHTTP(w, r.WithContext(visitor.With(r.Context(), visitor.Visitor{Role: visitor.Operator, CSRF: "token"})))
	}))
	b.Cleanup(server.Close)
	return server
}
