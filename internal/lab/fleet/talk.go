package fleet

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"familiar/internal/llm/llmtest"
)

// noteOf finds which message a text is about.
var noteOf = regexp.MustCompile(`note (\d+) of room (\d+)`)

// echo is a language model that repeats which message it was asked about: the one with the highest number in the prompt, which has
// earlier ones too. In the talk that it is to read it finds nothing to learn: a model that answers that uselessly is asked about ever
// longer sessions.
func echo(w http.ResponseWriter, r *llmtest.Request) {
	if r.Format != nil {
		llmtest.Says(`{"claims": []}`)(w, r)
		return
	}
	last, highest := "", -1
	for _, m := range r.Messages {
		for _, found := range noteOf.FindAllStringSubmatch(fmt.Sprint(m.Content), -1) {
			if n, _ := strconv.Atoi(found[1]); n > highest {
				last, highest = found[0], n
			}
		}
	}
	llmtest.Says("I heard "+last+".")(w, r)
}

// said is one message.
type said struct {
	at, answered time.Time
}

// talk is what is said in all rooms.
type talk struct {
	network network

	mu sync.Mutex
	// rooms has the messages of each room, in order. shown counts the bot's messages that were read of each.
	rooms [][]said
	// order has the numbers of the messages that were answered in each room, as the replies came.
	order [][]int
	ids   map[[2]int][]int // network ids of the replies to a message of a room
}

// newTalk opens the rooms on the network of the options.
func newTalk(o Options) (t *talk, err error) {
	t = &talk{rooms: make([][]said, o.Rooms), order: make([][]int, o.Rooms), ids: map[[2]int][]int{}}
	if o.Unpaced {
		t.network, err = newWebhook(o.Rooms, o.Processes, t.read)
	} else {
		t.network = newTelegram(o.Rooms, t.read)
	}
	return t, err
}

// say says the next message in a room.
func (t *talk) say(room int) {
	t.mu.Lock()
	n := len(t.rooms[room])
	t.rooms[room] = append(t.rooms[room], said{at: time.Now()})
	t.mu.Unlock()
	t.network.say(room, fmt.Sprintf("This is note %d of room %d: I saw a heron.", n, room))
}

// read takes a message of the bot. It is called for each that is shown, and again for each edit of it.
func (t *talk) read(in, id int, text string) {
	found := noteOf.FindStringSubmatch(text)
	if found == nil {
		return
	}
	n, _ := strconv.Atoi(found[1])
	room, _ := strconv.Atoi(found[2])
	t.mu.Lock()
	defer t.mu.Unlock()
	if room != in || n >= len(t.rooms[room]) || slices.Contains(t.ids[[2]int{room, n}], id) {
		return
	}
	t.ids[[2]int{room, n}] = append(t.ids[[2]int{room, n}], id)
	if t.rooms[room][n].answered.IsZero() {
		t.rooms[room][n].answered = time.Now()
		t.order[room] = append(t.order[room], n)
	}
}

// answered reports whether everything that was said in a room is answered.
func (t *talk) answered(room int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !slices.ContainsFunc(t.rooms[room], func(s said) bool { return s.answered.IsZero() })
}

const (
	// look is how often it is looked whether a reply has come.
	look = time.Millisecond
	// patience is how long a reply is waited for before it counts as lost.
	patience = 60 * time.Second
)

// await waits until everything is answered in a room.
func (t *talk) await(ctx context.Context, room int, atMost time.Duration) bool {
	for end := time.Now().Add(atMost); !t.answered(room); wait(ctx, look) {
		if time.Now().After(end) || ctx.Err() != nil {
			return false
		}
	}
	return true
}

// warm has each room talk once: the first message of a person costs more.
func (t *talk) warm(ctx context.Context) error {
	for room := range t.rooms {
		t.say(room)
	}
	for room := range t.rooms {
		if !t.await(ctx, room, patience) {
			return fmt.Errorf("the first message in room %d was not answered", room)
		}
	}
	return nil
}

// start has people talk until ctx ends, each in rooms of its own. What is returned is closed when all have stopped.
func (t *talk) start(ctx context.Context, people int) <-chan struct{} {
	done := make(chan struct{})
	var all sync.WaitGroup
	for p := range people {
		all.Go(func() {
			for room := p; ctx.Err() == nil; room += people {
				if room >= len(t.rooms) {
					room = p
				}
				t.say(room)
				t.await(ctx, room, patience)
			}
		})
	}
	go func() { all.Wait(); close(done) }()
	return done
}

// drain waits for the last replies.
func (t *talk) drain(ctx context.Context) {
	end := time.Now().Add(patience)
	for room := range t.rooms {
		t.await(ctx, room, time.Until(end))
	}
}

// count adds up what was said and shown. recorded has the network ids of the replies that a process recorded as shown.
func (t *talk) count(r *Report, recorded map[int]bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var took []float64
	for room, messages := range t.rooms {
		for n, m := range messages {
			if m.answered.IsZero() {
				r.Lost++
				continue
			}
			if n > 0 { // the first one was not part of it
				r.Messages++
				took = append(took, ms(m.answered.Sub(m.at)))
			}
			shown := slices.Sorted(slices.Values(t.ids[[2]int{room, n}]))
			if len(shown) > 1 {
				r.Twice++
			}
			for _, id := range shown[:len(shown)-1] {
				if recorded[id] {
					r.Repeated++
				}
			}
		}
		if !slices.IsSorted(t.order[room]) {
			r.Disordered++
		}
	}
	r.Twice -= r.Repeated
	r.PerSecond = math.Round(10*float64(r.Messages)/r.Seconds) / 10
	r.P50, r.P99, r.Most = quantile(took, .5), quantile(took, .99), quantile(took, 1)
}

// quantile returns the value below or at which a share of all values is.
func quantile(all []float64, share float64) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(len(all)-1, int(math.Ceil(share*float64(len(all))))-1)]
}

// longest returns the longest that a message waited that was open between two times, counted from the first one.
func (t *talk) longest(from, to time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	var most time.Duration
	for _, messages := range t.rooms {
		for _, m := range messages {
			if m.at.After(to) || !m.answered.IsZero() && m.answered.Before(from) {
				continue
			}
			since := m.at
			if since.Before(from) {
				since = from
			}
			until := m.answered
			if until.IsZero() {
				until = time.Now()
			}
			most = max(most, until.Sub(since))
		}
	}
	return most
}
