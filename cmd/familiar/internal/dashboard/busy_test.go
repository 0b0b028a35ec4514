package dashboard_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"familiar/channels"
	"familiar/internal/lab/virtual"
	"familiar/persona"
)

// town is a network whose people wait for their answers.
type town struct {
	*virtual.Network
	// answered has a channel per room.
	answered sync.Map
}

func newTown() *town { return &town{Network: virtual.NewNetwork("village")} }

// Send implements channels.Channel.
func (n *town) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	if c, ok := n.answered.Load(out.Room.ID); ok {
		select {
		case c.(chan struct{}) <- struct{}{}:
		default: // nobody waits for more than the first part
		}
	}
	return channels.Receipt{ID: out.Key}, nil
}

// resident is somebody who talks to the persona, and waits for each answer.
type resident struct {
	town   *town
	engine *persona.Engine
	name   string
	rng    *rand.Rand
	said   int
	heard  chan struct{}
}

func (n *town) resident(engine *persona.Engine, number int) *resident {
	r := &resident{town: n, engine: engine, name: fmt.Sprint("Resident ", number), rng: rand.New(rand.NewPCG(uint64(number), 3)), heard: make(chan struct{}, 1)}
	n.answered.Store(r.name, r.heard)
	return r
}

// say says something everyday and returns how long the answer took.
func (r *resident) say(ctx context.Context) (time.Duration, error) {
	thing := []string{"jazz", "old maps", "the sea", "chess", "mushroom soup", "Lisbon", "my sister", "the garden"}[r.rng.IntN(8)]
	text := fmt.Sprintf([]string{"I really like %s.", "What did I say about %s?", "Yesterday I thought of %s for hours.", "Tell me about %s.", "Thanks, %s helps!"}[r.rng.IntN(5)], thing)
	r.said++
	started := time.Now()
	err := r.engine.Accept(ctx, channels.Message{
		ID: fmt.Sprint(r.name, r.said), Author: channels.Author{Handle: channels.Handle{Channel: r.town.Name(), ID: r.name}, Name: r.name}, At: started,
		Direct: true, Addressed: true, Complete: true, Room: channels.Room{Channel: r.town.Name(), ID: r.name}, Text: text,
	})
	if err != nil {
		return 0, err
	}
	select {
	case <-r.heard:
		return time.Since(started), nil
	case <-time.After(time.Minute):
		return 0, errors.New("there was no answer for a minute")
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// engine returns an engine that answers the town at once.
func (s *site) engine(n *town) *persona.Engine {
	settings := s.app.Settings()
	settings.Quiet, settings.AnswersPerMinute = 0, 0
	return s.app.Engine(settings, n)
}

// talkFor has residents talk for a while, each a few times a second, and returns how long each answer took, in milliseconds.
func talkFor(ctx context.Context, residents []*resident, long time.Duration) (took []float64, err error) {
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	for _, r := range residents {
		g.Go(func() error {
			for end := time.Now().Add(long); time.Now().Before(end); {
				one, err := r.say(ctx)
				if err != nil {
					return err
				}
				mu.Lock()
				took = append(took, float64(one.Microseconds())/1000)
				mu.Unlock()
				time.Sleep(100*time.Millisecond + time.Duration(r.rng.IntN(200))*time.Millisecond)
			}
			return nil
		})
	}
	return took, g.Wait()
}

// viewer opens the live updates of a page and returns what it receives. The connection belongs to this viewer alone.
func viewer(ctx context.Context, transport *http.Transport, base string, session *http.Cookie, page string) (io.ReadCloser, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/live?path="+url.QueryEscape(page), nil)
	if err != nil {
		return nil, err
	}
	r.AddCookie(session)
	answer, err := transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("the updates of %s: %s", page, answer.Status), answer.Body.Close())
	}
	return answer.Body, nil
}

// watch reads the updates of a page until ctx ends and counts them.
func watch(ctx context.Context, base string, session *http.Cookie, page string, updates *atomic.Int64) error {
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	body, err := viewer(ctx, transport, base, session, page)
	if err != nil {
		return err
	}
	defer body.Close() //nolint:errcheck // it was only read
	for lines := bufio.NewReader(body); ; {
		line, err := lines.ReadString('\n')
		if strings.HasPrefix(line, "event: page") {
			updates.Add(1)
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// residents returns n people of a town that an engine answers.
func (n *town) residents(engine *persona.Engine, count int) (all []*resident) {
	for i := range count {
		all = append(all, n.resident(engine, i))
	}
	return all
}

// whileServed runs do while the engine answers.
func whileServed(tb testing.TB, engine *persona.Engine, do func(ctx context.Context) error) {
	tb.Helper()
	if err := virtual.While(tb.Context(), engine, func() error { return do(tb.Context()) }); err != nil {
		tb.Fatal(err)
	}
}
