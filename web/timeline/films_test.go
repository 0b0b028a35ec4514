package timeline

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// projector makes films that take a second, and counts them.
type projector struct {
	films
	shot map[string]int
	fail error
}

func newProjector() *projector {
	p := &projector{shot: map[string]int{}}
	p.now = time.Now
	p.shoot = func(ctx context.Context, persona string) (*film, error) {
		p.shot[persona]++
		f := &film{made: time.Now()}
		select {
		case <-time.After(time.Second):
			return f, p.fail
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return p
}

// count returns how many films are kept.
func (p *projector) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.kept)
}

func TestAllWhoLookShareAFilm(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newProjector()
		impatient, leave := context.WithCancel(t.Context())
		var viewers sync.WaitGroup
		viewers.Go(func() {
			if _, err := p.of(impatient, "vela"); !errors.Is(err, context.Canceled) {
				t.Errorf("who went away got %v", err)
			}
		})
		synctest.Wait()
		for range 50 {
			viewers.Go(func() {
				if f, err := p.of(t.Context(), "vela"); err != nil || f == nil {
					t.Errorf("a viewer got %v, %v", f, err)
				}
			})
		}
		synctest.Wait()
		leave()
		viewers.Wait()
		if p.shot["vela"] != 1 {
			t.Errorf("%d films were made for 50 viewers", p.shot["vela"])
		}
		time.Sleep(maxShare*time.Second - 2*time.Second) // it took a second
		must(p.of(t.Context(), "vela"))
		if p.shot["vela"] != 1 {
			t.Error("a film that took long was made again too soon")
		}
		time.Sleep(3 * time.Second)
		must(p.of(t.Context(), "vela"))
		if p.shot["vela"] != 2 {
			t.Errorf("an old film was shown: %d were made", p.shot["vela"])
		}
		time.Sleep(idle + time.Second)
		synctest.Wait()
		if p.count() != 0 {
			t.Error("a film that nobody looks at is kept")
		}
	})
}

func TestFewFilmsAreKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newProjector()
		for _, persona := range []string{"vela", "kit", "vela", "mira", "vela"} {
			must(p.of(t.Context(), persona))
			if n := p.count(); n > maxFilms {
				t.Fatalf("%d films are kept", n)
			}
		}
		if p.shot["vela"] != 1 || p.kept["kit"] != nil {
			t.Errorf("the one used longest ago was not dropped: %v", p.shot)
		}
		p.fail = errors.New("the disk is full")
		if _, err := p.of(t.Context(), "broken"); !errors.Is(err, p.fail) {
			t.Errorf("a failure is answered with %v", err)
		}
		p.fail = nil
		must(p.of(t.Context(), "broken"))
		time.Sleep(2 * idle)
	})
}
