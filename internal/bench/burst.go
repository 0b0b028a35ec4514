package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"familiar/channels"
	"familiar/memory"
	"familiar/persona"
)

// BurstReport is what `bench burst` prints.
type BurstReport struct {
	Messages int `json:"messages"`
	Rooms    int `json:"rooms"`
	// AcceptMS is how long it took until a message was durable.
	AcceptMS Quantiles3 `json:"accept_ms"`
	// AnswerMS is how long a room waited for the answer to its last message, from when it was handed over.
	AnswerMS Quantiles3 `json:"answer_ms"`
	// Seconds is how long it took until all rooms but the slow one were answered.
	Seconds float64 `json:"seconds"`
	RSSMB   float64 `json:"rss_mb"`
	// Lost messages are not on record, Doubled are twice, Disordered stand before what was said before them; Repeated
	// answers were sent twice. All are to be 0.
	Lost       int `json:"lost"`
	Doubled    int `json:"doubled"`
	Disordered int `json:"disordered"`
	Repeated   int `json:"repeated"`
}

// Burst has people in many rooms all write at once, each messages messages one after the other without waiting for an
// answer, and one room whose network takes nothing until all others are answered. Whatever arrives while a room is
// being answered is folded into its next turn. The store lives in a directory of its own that is removed afterwards.
func Burst(ctx context.Context, card *persona.Card, voice persona.Voice, settings persona.Settings, rooms, messages int) (BurstReport, error) {
	if messages < 1 || rooms < 2 {
		return BurstReport{}, fmt.Errorf("bench burst: %d messages in each of %d rooms: take at least 1 in 2", messages, rooms)
	}
	dir, err := os.MkdirTemp("", "familiar-bench-")
	if err != nil {
		return BurstReport{}, fmt.Errorf("make a directory for the benchmark: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what a benchmark leaves behind is in the system's own place for it
	store, err := memory.Open(ctx, filepath.Join(dir, "familiar.db"), memory.Options{Now: time.Now})
	if err != nil {
		return BurstReport{}, err
	}
	defer store.Close() //nolint:errcheck // the store is thrown away

	b := &burst{
		store: store, rooms: rooms, messages: messages, left: rooms - 1, quick: make(chan struct{}),
		handed: make([]time.Time, rooms), answered: make([]time.Time, rooms), seen: map[string]bool{},
	}
	settings.Quiet = 0
	b.engine = persona.New(persona.Parts{
		Card: card, Store: store, Voice: voice, Channels: []channels.Channel{b}, Settings: settings,
		Now: time.Now, Jitter: func(time.Duration) time.Duration { return 0 },
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	return b.measure(ctx)
}

// burst is one Burst at work, and the channel it runs on.
type burst struct {
	store           *memory.Store
	engine          *persona.Engine
	rooms, messages int

	mu sync.Mutex
	// handed is when each room's last message was handed over, answered when its answer was sent.
	handed, answered []time.Time
	seen             map[string]bool
	repeated         int
	left             int           // rooms that wait for their answer, without the slow one
	quick            chan struct{} // closed when none is left
}

// slowRoom is the room whose network takes nothing until the others are answered.
const slowRoom = 0

func (b *burst) measure(ctx context.Context) (BurstReport, error) {
	runCtx, stop := context.WithCancel(ctx)
	defer stop()
	running := make(chan error, 1)
	go func() { running <- b.engine.Run(runCtx) }()

	started := time.Now()
	accepts, err := b.write(ctx)
	if err == nil {
		err = b.wait(ctx)
	}
	elapsed := time.Since(started)
	if err == nil {
		err = b.engine.Drain(ctx) // the slow room
	}
	report := BurstReport{
		Messages: b.rooms * b.messages, Rooms: b.rooms, AcceptMS: quantiles(accepts), AnswerMS: quantiles(b.waits()),
		Seconds: elapsed.Seconds(), RSSMB: residentMB(), Repeated: b.repeated,
	}
	stop()
	if err := errors.Join(err, <-running); err != nil {
		return BurstReport{}, err
	}
	err = b.audit(ctx, &report)
	return report, err
}

// write has all rooms write at once and returns how long each message took to be accepted.
func (b *burst) write(ctx context.Context) ([]time.Duration, error) {
	times := make([]time.Duration, b.rooms*b.messages)
	g, ctx := errgroup.WithContext(ctx)
	for room := range b.rooms {
		g.Go(func() error {
			for i := range b.messages {
				began := time.Now()
				if i+1 == b.messages {
					b.mu.Lock()
					b.handed[room] = began
					b.mu.Unlock()
				}
				if err := b.engine.Accept(ctx, b.message(room, i, began)); err != nil {
					return err
				}
				times[room*b.messages+i] = time.Since(began)
			}
			return nil
		})
	}
	return times, g.Wait()
}

func (b *burst) message(room, i int, at time.Time) channels.Message {
	person := strconv.Itoa(room)
	return channels.Message{
		ID: strconv.Itoa(i), Room: channels.Room{Channel: b.Name(), ID: person}, Direct: true, Addressed: true,
		Author: channels.Author{Handle: channels.Handle{Channel: b.Name(), ID: person}, Name: "Person " + person},
		Text:   fmt.Sprintf("Number %d: my lucky number is %d.", i, room), At: at,
	}
}

// wait waits until all rooms but the slow one are answered.
func (b *burst) wait(ctx context.Context) error {
	limit := time.NewTimer(answerLimit + time.Duration(b.rooms*b.messages)*100*time.Millisecond)
	defer limit.Stop()
	select {
	case <-b.quick:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-limit.C:
		b.mu.Lock()
		defer b.mu.Unlock()
		return fmt.Errorf("%d rooms were not answered in time", b.left)
	}
}

// waits are how long the rooms waited for their last answer.
func (b *burst) waits() (times []time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for room := range b.rooms {
		if room != slowRoom && !b.answered[room].IsZero() {
			times = append(times, b.answered[room].Sub(b.handed[room]))
		}
	}
	return times
}

// audit compares what is on record with what was said.
func (b *burst) audit(ctx context.Context, r *BurstReport) error {
	sessions, err := b.store.Sessions(ctx, memory.SessionFilter{Limit: 2 * b.rooms})
	if err != nil {
		return err
	}
	heard := map[int64][]int{}
	for _, session := range sessions {
		talk, err := b.store.SessionMessages(ctx, session.ID)
		if err != nil {
			return err
		}
		for _, m := range talk {
			if n, err := strconv.Atoi(m.ExternalID); err == nil && m.PersonID != 0 && strings.HasPrefix(m.Text, "Number ") {
				heard[session.RoomID] = append(heard[session.RoomID], n)
			}
		}
	}
	r.Lost = b.rooms * b.messages
	for _, numbers := range heard {
		count := map[int]int{}
		for i, n := range numbers {
			if count[n]++; count[n] > 1 {
				r.Doubled++
			} else {
				r.Lost--
			}
			if i > 0 && n < numbers[i-1] {
				r.Disordered++
			}
		}
	}
	return nil
}

// Name is the channel's.
func (*burst) Name() string { return "burst" }

// Run hears nothing: the benchmark hands its messages to the engine itself.
func (*burst) Run(ctx context.Context, _ channels.Accept) error {
	<-ctx.Done()
	return nil
}

// Send swallows a chunk; the slow room's only once all others are answered.
func (b *burst) Send(ctx context.Context, out channels.Outgoing) (channels.Receipt, error) {
	room, err := strconv.Atoi(out.Room.ID)
	if err != nil {
		return channels.Receipt{}, err
	}
	if room == slowRoom {
		select {
		case <-b.quick:
		case <-ctx.Done():
			return channels.Receipt{}, ctx.Err()
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.seen[out.Key] {
		b.repeated++
	}
	b.seen[out.Key] = true
	if out.ReplyTo == strconv.Itoa(b.messages-1) && b.answered[room].IsZero() {
		b.answered[room] = time.Now()
		if room != slowRoom {
			if b.left--; b.left == 0 {
				close(b.quick)
			}
		}
	}
	return channels.Receipt{ID: out.Key}, nil
}
