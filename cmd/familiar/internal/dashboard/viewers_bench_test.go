//go:build unix

package dashboard_test

import (
	"context"
	"net/http"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// The load of BenchmarkViewers: how many people talk, how many browsers look, and how long each of its rounds lasts.
const (
	talkers    = 8
	viewers    = 50
	roundLasts = 10 * time.Second
)

// BenchmarkViewers has eight people talk to a persona with 100,000 memories, in alternating rounds with nobody and with 50 browsers
// at the dashboard that receive live updates of three pages over sockets. It reports how long turns took in milliseconds, the ratio
// between the two, and the processor time that the process used of each second, also for the browsers' reading. Run it with
// -benchtime 1x for one round of each, or more.
func BenchmarkViewers(b *testing.B) {
	s := newSiteAt(b, b.TempDir(), time.Now)
	fillSite(b, s, time.Now().AddDate(0, -4, 0))
	session, n := s.session(b), newTown()
	engine := s.engine(n)
	rounds := map[int]*round{0: {}, viewers: {}}
	var updates atomic.Int64
	whileServed(b, engine, func(ctx context.Context) error {
		people := n.residents(engine, talkers)
		if _, err := talkFor(ctx, people, roundLasts/2); err != nil { // warms up
			return err
		}
		for order := []int{0, viewers}; b.Loop(); slices.Reverse(order) {
			for _, looking := range order {
				if err := rounds[looking].measure(ctx, s, session, looking, people, &updates); err != nil {
					return err
				}
			}
		}
		return nil
	})
	without, with := rounds[0], rounds[viewers]
	b.ReportMetric(quantile(without.took, 50), "p50-ms")
	b.ReportMetric(quantile(without.took, 99), "p99-ms")
	b.ReportMetric(quantile(with.took, 50), "viewed-p50-ms")
	b.ReportMetric(quantile(with.took, 99), "viewed-p99-ms")
	b.ReportMetric(quantile(with.took, 50)/quantile(without.took, 50), "p50-ratio")
	b.ReportMetric(quantile(with.took, 99)/quantile(without.took, 99), "p99-ratio")
	b.ReportMetric(without.cpu.Seconds()/without.lasted.Seconds(), "cpu")
	b.ReportMetric(with.cpu.Seconds()/with.lasted.Seconds(), "viewed-cpu")
	b.ReportMetric(float64(updates.Load())/with.lasted.Seconds()/viewers, "updates/viewer-s")
	b.ReportMetric(float64(len(without.took))/without.lasted.Seconds(), "turns/s")
	b.ReportMetric(0, "ns/op")
}

// round is what was measured with so many browsers looking.
type round struct {
	// took are the times of turns, in milliseconds.
	took        []float64
	cpu, lasted time.Duration
}

// measure adds a round.
func (m *round) measure(ctx context.Context, s *site, session *http.Cookie, looking int, people []*resident, updates *atomic.Int64) error {
	look, stop := context.WithCancel(ctx)
	defer stop()
	g, look := errgroup.WithContext(look)
	pages := []string{"/", "/p/nell/conversations", "/p/nell/memory"}
	for i := range looking {
		g.Go(func() error { return watch(look, s.URL, session, pages[i%len(pages)], updates) })
	}
	if _, err := talkFor(ctx, people, time.Second); err != nil { // until all have connected
		return err
	}
	began, before := time.Now(), processorTime()
	took, err := talkFor(ctx, people, roundLasts)
	m.took = append(m.took, took...)
	m.cpu, m.lasted = m.cpu+processorTime()-before, m.lasted+time.Since(began)
	stop()
	if failed := g.Wait(); err == nil {
		err = failed
	}
	return err
}

// quantile returns the value below which percent of all are.
func quantile(all []float64, percent int) float64 {
	slices.Sort(all)
	return all[min(len(all)*percent/100, len(all)-1)]
}

// processorTime returns the processor time that this process has used.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
