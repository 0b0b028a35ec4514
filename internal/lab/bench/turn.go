package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"familiar/channels"
	"familiar/memory"

	"familiar/persona"
)

// TurnReport is what `bench turn` prints.
type TurnReport struct {
	Messages       int        `json:"messages"`
	Rooms          int        `json:"rooms"`
	MessagesPerSec float64    `json:"messages_per_s"`
	TurnMS         Quantiles3 `json:"turn_ms"`
	RSSMB          float64    `json:"rss_mb"`
	// Waits is how often a message waited for the server of the database, and Unasked how many queries were sent to it in vain for
	// a message, both 0 for a file.
	Waits   float64 `json:"server_waits"`
	Unasked float64 `json:"unasked"`
}

// Turn sends messages along the whole path: inbox, turn with voice, outbox, sink. The given number of rooms has one
// person each, who waits for each answer before writing again. A turn's time runs from handing over the message until
// its answer reaches the sink. The store lives in its own directory, which is removed afterwards.
func Turn(ctx context.Context, parts RecallParts, messages, rooms int) (TurnReport, error) {
	if messages < 1 || rooms < 1 {
		return TurnReport{}, fmt.Errorf("bench turn: %d messages in %d rooms: both must be at least 1", messages, rooms)
	}
	return turnsSaying(ctx, parts, messages, rooms, smallTalk)
}

// turnsSaying is Turn with what people say.
func turnsSaying(ctx context.Context, parts RecallParts, messages, rooms int, say func(*rand.Rand) string) (report TurnReport, err error) {
	out := &sink{answers: make(map[channels.Room]chan struct{}, rooms)}
	for i := range rooms {
		out.answers[sinkRoom(i)] = make(chan struct{}, 1)
	}
	parts.Settings.Quiet = 0 // everybody waits for their answer, so there is nothing to batch
	err = withStore(ctx, func(store *memory.Store) error {
		engine := engineOn(parts, store, out)
		return meanwhile(ctx, func(ctx context.Context) (err error) {
			before := store.Hosting.Stats()
			report, err = measureTurns(ctx, engine, out, messages, rooms, say)
			after := store.Hosting.Stats()
			report.Waits = float64(after.ServerWaits-before.ServerWaits) / float64(messages)
			report.Unasked = float64(after.Unasked-before.Unasked) / float64(messages)
			return err
		}, engine.Run)
	})
	return report, err
}

func measureTurns(ctx context.Context, engine *persona.Engine, out *sink, messages, rooms int, say func(*rand.Rand) string) (TurnReport, error) {
	times := make([][]time.Duration, rooms)
	started := time.Now()
	g, ctx := errgroup.WithContext(ctx)
	for room := range rooms {
		share := messages / rooms
		if room < messages%rooms {
			share++
		}
		g.Go(func() (err error) {
			times[room], err = talk(ctx, engine, out, room, share, say)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return TurnReport{}, err
	}
	return TurnReport{
		Messages: messages, Rooms: rooms, MessagesPerSec: float64(messages) / time.Since(started).Seconds(),
		TurnMS: quantiles(slices.Concat(times...)), RSSMB: residentMB(),
	}, nil
}

// answerLimit is the time after which a missing answer ends the benchmark.
const answerLimit = 30 * time.Second

// talk lets one person write n messages in their room and wait for each answer.
func talk(ctx context.Context, engine *persona.Engine, out *sink, room, n int, say func(*rand.Rand) string) ([]time.Duration, error) {
	rng := rand.New(rand.NewPCG(uint64(room), 1))
	name := "Person " + strconv.Itoa(room)
	times := make([]time.Duration, 0, n)
	for i := range n {
		m := channels.Message{
			ID: strconv.Itoa(i), Room: sinkRoom(room), Direct: true, Addressed: true,
			Author: channels.Author{Handle: channels.Handle{Channel: sinkName, ID: strconv.Itoa(room)}, Name: name},
			Text:   say(rng), At: time.Now(),
		}
		started := time.Now()
		if err := engine.Accept(ctx, m); err != nil {
			return nil, err
		}
		select {
		case <-out.answers[m.Room]:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(answerLimit):
			return nil, fmt.Errorf("message %d in room %d was not answered within %s", i, room, answerLimit)
		}
		times = append(times, time.Since(started))
	}
	return times, nil
}

// smallTalk returns a typical message to a companion: facts, tastes, plans, questions, feelings or filler.
func smallTalk(rng *rand.Rand) string {
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	thing := pick("jazz", "rainy days", "old maps", "black coffee", "the sea", "chess", "long trains", "mushroom soup")
	place := pick("Oslo", "Porto", "Leeds", "Kyoto", "Gdansk", "Lima", "Tartu", "Cork")
	name := pick("Rex", "Milo", "Luna", "Ada", "Bruno", "Ines", "Tomas", "Vera")
	switch rng.IntN(10) {
	case 0:
		return "I really like " + thing + "."
	case 1:
		return "My sister " + name + " lives in " + place + " now."
	case 2:
		return "I have a meeting in " + place + " on " + pick("Monday", "Friday", "Sunday") + "."
	case 3:
		return "What do I like?"
	case 4:
		return "Do you remember what I said about " + thing + "?"
	case 5:
		return "I feel " + pick("tired", "happy", "nervous", "calm") + " today."
	case 6:
		return "Yesterday we walked through " + place + " and talked about " + thing + " for hours."
	case 7:
		return "Thanks, that helps!"
	case 8:
		return name + " told me a story about " + thing + " last week."
	default:
		return "I read a book about " + thing + " by the window while it rained in " + place + "."
	}
}

const sinkName = "sink"

func sinkRoom(i int) channels.Room {
	return channels.Room{Channel: sinkName, ID: strconv.Itoa(i)}
}

// sink is a channel that discards messages and notifies the waiting sender.
type sink struct {
	answers map[channels.Room]chan struct{}
	seen    sync.Map
}

// Name returns the name of the sink.
func (*sink) Name() string { return sinkName }

// Limits returns limits that declare the channel idempotent: it shows each key once.
func (*sink) Limits() channels.Limits { return channels.Limits{Idempotent: true} }

// Run receives no messages: the benchmark hands its messages to the engine itself.
func (*sink) Run(ctx context.Context, _ channels.Accept) error {
	<-ctx.Done()
	return nil
}

// Send discards a chunk and notifies the waiting sender.
func (s *sink) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	if _, twice := s.seen.LoadOrStore(out.Key, true); !twice {
		s.answers[out.Room] <- struct{}{}
	}
	return channels.Receipt{ID: out.Key}, nil
}
