package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/llm/llmtest"
	"familiar/internal/torture"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// TestA2KillsLoseNothingAndRepeatNothingConfirmed kills the process that serves a network again and again, at every
// point between receiving and replying, and at random times.
func TestA2KillsLoseNothingAndRepeatNothingConfirmed(t *testing.T) {
	t.Parallel()
	kills := torture.Rounds(len(strikePoints), 200)
	for name, open := range networkPeers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDelivery(t, open(t))
			d.greet()
			for kill := range kills {
				strikePoints[kill%len(strikePoints)].strike(d)
				d.process.signal(syscall.SIGKILL)
				d.process.exit()
				d.network.mend()
				d.look()
				if d.rng.IntN(3) == 0 {
					d.talk() // while nothing is running
				}
				d.serve()
			}
			d.settle()
			d.stop()
			again := d.check()
			t.Logf("%d kills, %d messages, %d shown once more than confirmed, %d repeated under their ids", kills, d.count(), again, d.repeated())
			if again > kills || d.network.limits.Idempotent && again > 0 {
				t.Errorf("%d messages were shown again after %d kills", again, kills)
			}
		})
	}
}

// TestR4RestartsRepeatNothing stops the process as an operator does, in the middle of its work.
func TestR4RestartsRepeatNothing(t *testing.T) {
	t.Parallel()
	restarts := torture.Rounds(4, 108)
	for name, open := range networkPeers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDelivery(t, open(t))
			d.greet()
			for range restarts {
				d.talk()
				d.pause()
				d.stop()
				d.serve()
			}
			d.settle()
			d.stop()
			again := d.check()
			t.Logf("%d restarts, %d messages, %d shown again, %d repeated under their ids", restarts, d.count(), again, d.repeated())
			if again > 0 {
				t.Errorf("%d messages were shown again", again)
			}
		})
	}
}

// strikePoints are where the process is struck: strike returns at that moment.
var strikePoints = []struct {
	name   string
	strike func(d *delivery)
}{
	{"heard and not answered", func(d *delivery) {
		d.settle()
		thinking := make(chan struct{})
		d.thinks.Store(&thinking)
		d.say(d.rng.IntN(everybody))
		d.await("the model is asked", thinking)
		d.thinks.Store(nil)
	}},
	{"answered and not sent", func(d *delivery) { d.startTwoChunkReply(0, false) }},
	{"between two chunks", func(d *delivery) { d.startTwoChunkReply(1, false) }},
	{"sent and not confirmed", func(d *delivery) { d.startTwoChunkReply(0, true) }},
	{"the second chunk sent and not confirmed", func(d *delivery) { d.startTwoChunkReply(1, true) }},
	{"while it is heard", func(d *delivery) {
		d.settle()
		d.talk()
		time.Sleep(time.Duration(d.rng.IntN(30)) * time.Millisecond)
	}},
	{"at any moment", func(d *delivery) { d.talk(); d.pause() }},
	{"at any moment of a start", func(d *delivery) { d.pause() }},
}

// delivery is a persona on one network and everything people wrote to it there.
type delivery struct {
	t       *testing.T
	rng     *rand.Rand
	network *networkPeer
	home    string
	env     []string
	process *child
	// store is the home's database, read while a process serves the home.
	store *memory.Store
	sent  [everybody][]string
	// confirmed holds the network ids of the messages that were recorded as sent when a process had ended. looked
	// counts what the network had accepted by then, by room.
	confirmed map[string]bool
	looked    [everybody]int

	answers atomic.Int64
	// long makes the model write two chunks. thinks, if set, is closed when the model is called, which then never
	// answers.
	long   atomic.Bool
	thinks atomic.Pointer[chan struct{}]
	// finishes, if set before, is closed to have the model answer after all.
	finishes chan struct{}
}

func newDelivery(t *testing.T, network *networkPeer) *delivery {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	d := &delivery{t: t, rng: rand.New(rand.NewPCG(seed, 0)), network: network, confirmed: map[string]bool{}}
	model := llmtest.Serve(t, d.answer)
	d.env = append(slices.Clone(keyed), network.env...)
	// A long answer fills a message of the network with the largest ones; it may be that long.
	d.home = configHome(t, model, "  max_tokens: 32000\n  context_tokens: 64000\nlimits: {tokens_per_person_per_day: 0, tokens_per_day: 0}\n"+
		"debounce: {quiet: 5ms, cap: 5ms}\nchannels:\n  "+network.config+"\n")
	if network.link != nil {
		network.link(d.home)
	}
	d.serve()
	d.store = openStore(t, d.home)
	return d
}

// answer responds for the model: never the same text twice, sometimes with an error, so that the plain voice answers
// instead.
func (d *delivery) answer(w http.ResponseWriter, r *llmtest.Request) {
	if thinking := d.thinks.Load(); thinking != nil {
		close(*thinking)
		select {
		case <-d.finishes:
		case <-r.Context().Done():
			return
		}
	}
	n := d.answers.Add(1)
	switch {
	case d.long.Load():
		line := fmt.Sprintf("This is line of answer %d. ", n)
		text := strings.Repeat(line, d.network.limits.Text*3/2/len(line))
		if !r.Stream {
			llmtest.Says(text)(w, r)
			return
		}
		llmtest.Streams(llmtest.Delta(text, "stop"), llmtest.Usage, llmtest.Done)(w, r)
	case n%5 == 0:
		llmtest.Sends(http.StatusBadRequest, "")(w, r)
	default:
		llmtest.Says(fmt.Sprintf("This is answer %d.", n))(w, r)
	}
}

func (d *delivery) serve() {
	d.process = start(d.t, d.home, d.env, "run", "--log-level", "debug")
}

// greet has everybody write once to the running process: on some networks only known people are received later.
func (d *delivery) greet() {
	d.t.Helper()
	eventually(d.t, "somebody listens", d.network.serving)
	for room := range everybody {
		d.say(room)
	}
	d.settle()
}

func (d *delivery) say(room int) {
	text := fmt.Sprintf("Note %d of room %d: I saw a heron.", len(d.sent[room]), room)
	d.sent[room] = append(d.sent[room], text)
	d.network.say(room, text)
}

// talk has some people write, some of them several messages.
func (d *delivery) talk() {
	d.long.Store(d.rng.IntN(2) == 0)
	for range 1 + d.rng.IntN(5) {
		d.say(d.rng.IntN(everybody))
	}
}

// pause gives the process time to make progress.
func (d *delivery) pause() { time.Sleep(time.Duration(d.rng.IntN(700)) * time.Millisecond) }

// startTwoChunkReply sends a message that is answered in two chunks. All chunks before skip are sent; the next one is
// executed or not, and never confirmed.
func (d *delivery) startTwoChunkReply(skip int, done bool) {
	d.t.Helper()
	d.settle()
	d.long.Store(true)
	room := d.rng.IntN(everybody)
	struck := d.network.hang(room, skip, done)
	d.say(room)
	d.await("the send hangs", struck)
}

func (d *delivery) await(what string, struck <-chan struct{}) {
	d.t.Helper()
	select {
	case <-struck:
	case <-time.After(testTimeout):
		d.t.Fatalf("%s: not so; on standard error:\n%s", what, d.process.errs)
	}
}

func (d *delivery) count() (n int) {
	for _, texts := range d.sent {
		n += len(texts)
	}
	return n
}

// settle waits until all messages are stored and answered.
func (d *delivery) settle() {
	d.t.Helper()
	deadline := time.Now().Add(testTimeout)
	for {
		stats, err := d.store.Lifecycle.Stats(d.t.Context(), "nell")
		if err != nil {
			d.t.Fatal(err)
		}
		if stats.Dead > 0 {
			d.t.Fatalf("given up; on standard error:\n%s", d.process.errs)
		}
		if stats.Pending+stats.Unsent == 0 && d.heard() >= d.count() {
			return
		}
		if time.Now().After(deadline) {
			d.check() // reports what is missing
			d.t.Fatalf("received %d of %d, %+v; on standard error:\n%s", d.heard(), d.count(), stats, d.process.errs)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// stop ends the process in order.
func (d *delivery) stop() {
	d.t.Helper()
	d.process.reports("serving") // earlier signals are not handled
	d.process.signal(syscall.SIGTERM)
	if code, _ := d.process.exit(); code != 0 {
		d.t.Errorf("exit code %d; on standard error:\n%s", code, d.process.errs)
	}
	d.look()
}

// look expects, after a process has ended, that it sent nothing again that was confirmed before it started.
func (d *delivery) look() {
	d.t.Helper()
	if d.network.taken == nil {
		return
	}
	for room := range everybody {
		taken := d.network.taken(room)
		for _, id := range taken[d.looked[room]:] {
			if d.confirmed[id] {
				d.t.Errorf("room %d: sent again after it was confirmed: %s", room, id)
			}
		}
		d.looked[room] = len(taken)
		for _, id := range taken {
			d.confirmed[id] = d.confirmed[id] || d.isConfirmed(room, id)
		}
	}
}

// isConfirmed reports whether a message on the network is recorded as sent.
func (d *delivery) isConfirmed(room int, id string) bool {
	d.t.Helper()
	_, _, err := d.store.Log.MessageByExternalID(d.t.Context(), "nell", d.network.rooms[room], id)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		d.t.Fatal(err)
	}
	return err == nil
}

// repeated counts the sends of messages that the network already had.
func (d *delivery) repeated() (n int) {
	if d.network.taken == nil {
		return 0
	}
	for room := range everybody {
		ids := d.network.taken(room)
		slices.Sort(ids)
		n += len(ids) - len(slices.Compact(ids))
	}
	return n
}

// heard counts the stored messages of people.
func (d *delivery) heard() (n int) {
	for _, room := range d.network.rooms {
		for _, m := range d.record(room) {
			if m.PersonID != 0 {
				n++
			}
		}
	}
	return n
}

// record returns all stored messages of a room.
func (d *delivery) record(at channels.Room) (all []model.Message) {
	d.t.Helper()
	room, err := d.store.Log.RoomByAddress(d.t.Context(), at)
	if errors.Is(err, memory.ErrNotFound) {
		return nil
	}
	if err != nil {
		d.t.Fatal(err)
	}
	sessions, err := d.store.Turns.Sessions(d.t.Context(), turns.SessionFilter{Room: room.ID})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, s := range slices.Backward(sessions) {
		messages, err := d.store.Turns.SessionMessages(d.t.Context(), s.ID)
		if err != nil {
			d.t.Fatal(err)
		}
		all = append(all, messages...)
	}
	return all
}

// check compares what people wrote, what is stored, and what people read. It returns how many unconfirmed messages were
// shown again.
func (d *delivery) check() (again int) {
	for i, room := range d.network.rooms {
		var heard, want []string
		answered := true
		for _, m := range d.record(room) {
			if m.PersonID != 0 {
				heard, answered = append(heard, m.Text), false
				continue
			}
			if answered {
				d.t.Errorf("room %d: two answers in a row, the second %.60q", i, m.Text)
			}
			answered = true
			for _, chunk := range channels.Split(m.Text, d.network.limits) {
				want = append(want, d.network.limits.Format(chunk))
			}
		}
		if !slices.Equal(heard, d.sent[i]) {
			d.t.Errorf("room %d: received %q, said were %q", i, heard, d.sent[i])
		}
		if !answered {
			d.t.Errorf("room %d: the last message has no answer", i)
		}
		again += d.checkShown(i, want)
	}
	if err := d.store.Check(d.t.Context()); err != nil {
		d.t.Error(err)
	}
	return again
}

// checkShown expects the confirmed messages of a room to be those of want, in order and once. Others must have been
// shown before their confirmed copy: a confirmed message is not sent again.
func (d *delivery) checkShown(room int, want []string) (again int) {
	var confirmed []string
	for _, m := range d.network.shown(room) {
		text := strings.TrimSpace(m.text)
		if d.isConfirmed(room, m.id) {
			confirmed = append(confirmed, text)
			continue
		}
		again++
		if slices.Contains(confirmed, text) && strings.HasPrefix(text, "This is ") {
			d.t.Errorf("room %d: sent again after it was confirmed: %.60q", room, m.text)
		}
	}
	for i := range want {
		want[i] = strings.TrimSpace(want[i])
	}
	if !slices.Equal(confirmed, want) {
		d.t.Errorf("room %d: shown were %s, want %s", room, brief(confirmed), brief(want))
	}
	return again
}

// brief returns the beginnings of texts with their lengths.
func brief(texts []string) string {
	var b strings.Builder
	for _, t := range texts {
		fmt.Fprintf(&b, "\n  %4d %.40q", len(t), t)
	}
	return b.String()
}
