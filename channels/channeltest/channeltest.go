// Package channeltest is the conformance suite of channels: what every adapter promises, whatever network it speaks
// to. An adapter's tests open a Network of theirs and hand it to Run.
package channeltest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/channels"
)

// Network is one adapter joined to a network of its own that the test controls.
type Network struct {
	Channel channels.Channel
	// Room is where Say is heard and Shown is read.
	Room channels.Room
	// Say lets a person say text in Room. A network whose events have a name of their own uses event for it and
	// hands the same event over again when it is called again; one that has none only calls it once per event.
	Say func(event, text string)
	// Redelivers says that calling Say again with the same event is the network handing it over again.
	Redelivers bool
	// Settle deals with a heard message without an answer, for a channel that otherwise waits with the next one; nil
	// for one that does not wait.
	Settle func(id string)
	// Shown is the texts that people in Room can read from the persona, oldest first.
	Shown func() []string

	// What follows is nil where the network, or what stands for it, knows no such thing. Its promise is skipped then.

	// Own lets the persona's own account say something in Room, as the network tells it of that.
	Own func(text string)
	// Edit gives what was said under event another text, Delete takes it back.
	Edit   func(event, text string)
	Delete func(event string)
	// Kinds let a person send what is not only text, by what it is.
	Kinds map[string]func()
	// States are how the connection was said to stand, oldest first. Refuse lets the network accept the credentials no
	// more, also where it is connected.
	States func() []channels.State
	Refuse func()
	// Logged is all that was logged, at every level; nothing of Secrets is in it.
	Logged  func() string
	Secrets []string
	// Leaves names functions of the network's SDK in which it is known to leave a goroutine behind now and then.
	Leaves []string
}

// patience is how long something may take that must happen. It only ends tests that fail.
const patience = 45 * time.Second

// promises are what every adapter keeps beside the first two, which Run names.
var promises = map[string]func(*testing.T, Network){
	"a refused message comes again as the same":       refused,
	"an event handed over three times is one message": redelivered,
	"messages are heard in order":                     heardInOrder,
	"chunks are shown in order":                       shownInOrder,
	"a key is shown once":                             shownOnce,
	"a room it does not know is an error":             strangeRoom,
	"A3 it does not hear itself":                      own,
	"A11 it tells no secret":                          discreet,
	"A12 an edit is about what was said":              edited,
	"A12 a deletion is about what was said":           deleted,
	"A13 it runs again after it has ended":            runsAgain,
	"A14 it says how it stands":                       stands,
	"A14 refused it ends and says what to do":         turnedAway,
}

// Run holds an adapter to its promises, each against a fresh network. It calls open from several goroutines.
func Run(t *testing.T, open func(t *testing.T) Network) {
	t.Run("a message is whole", func(t *testing.T) { wholeMessage(t, open(t)) })
	// Alone, since it counts goroutines, and second: those that a process starts once and for all are there by then.
	t.Run("run ends with its context", func(t *testing.T) { runEnds(t, open(t)) })
	for name, promise := range promises {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			promise(t, open(t))
		})
	}
	t.Run("A15 every kind is heard", func(t *testing.T) { everyKind(t, open) })
}

// sitting is a channel that runs for the length of a test.
type sitting struct {
	t      *testing.T
	cancel context.CancelFunc
	done   chan error

	mu     sync.Mutex
	heard  []channels.Message
	refuse int
}

// sit runs the channel of n until the test ends. The first refusals messages are not kept.
func sit(t *testing.T, n Network, refusals int) *sitting {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &sitting{t: t, cancel: cancel, done: make(chan error, 1), refuse: refusals}
	go func() { s.done <- n.Channel.Run(ctx, s.accept) }()
	t.Cleanup(s.end)
	return s
}

func (s *sitting) accept(_ context.Context, m channels.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = append(s.heard, m)
	if s.refuse > 0 {
		s.refuse--
		return errors.New("the store is locked")
	}
	return nil
}

// messages are those heard so far, once there are at least n.
func (s *sitting) messages(n int) []channels.Message {
	s.t.Helper()
	var heard []channels.Message
	eventually(s.t, fmt.Sprintf("%d messages are heard", n), func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		heard = slices.Clone(s.heard)
		return len(heard) >= n
	})
	return heard
}

// end cancels twice and waits for Run.
func (s *sitting) end() {
	s.cancel()
	s.cancel()
	select {
	case err := <-s.done:
		s.done <- nil
		if err != nil && !errors.Is(err, context.Canceled) {
			s.t.Errorf("Run ended with %v, want nil or the context's error", err)
		}
	case <-time.After(patience):
		s.t.Error("Run did not end with its context")
	}
}

// eventually waits for something that happens on other goroutines, some of them behind sockets.
func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for !happened() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("not after %s: %s", patience, what)
		}
	}
}

func wholeMessage(t *testing.T, n Network) {
	s := sit(t, n, 0)
	n.Say("one", "good morning")
	m := s.messages(1)[0]
	switch {
	case m.ID == "":
		t.Error("the message has no id")
	case m.Room != n.Room || m.Room.Channel != n.Channel.Name():
		t.Errorf("said in %+v, want %+v of %s", m.Room, n.Room, n.Channel.Name())
	case m.Author.Handle.Channel != n.Channel.Name() || m.Author.Handle.ID == "":
		t.Errorf("said by %+v: not a handle of %s", m.Author, n.Channel.Name())
	case m.Text != "good morning":
		t.Errorf("heard %q", m.Text)
	case m.At.IsZero():
		t.Error("the message has no time")
	case m.Direct && !m.Addressed:
		t.Error("a direct message is not addressed to the persona")
	}
}

func refused(t *testing.T, n Network) {
	s := sit(t, n, 2)
	n.Say("one", "good morning")
	heard := s.messages(3)
	for _, m := range heard[1:3] {
		if m.ID != heard[0].ID || m.Text != heard[0].Text {
			t.Errorf("came again as %q %q, was %q %q", m.ID, m.Text, heard[0].ID, heard[0].Text)
		}
	}
}

func redelivered(t *testing.T, n Network) {
	if !n.Redelivers {
		t.Skip("the network hands an event over again only when it was refused")
	}
	s := sit(t, n, 0)
	for range 3 {
		n.Say("one", "good morning")
	}
	n.Say("two", "are you there?")
	eventually(t, "the last message is heard", func() bool {
		heard := s.messages(1)
		return heard[len(heard)-1].Text == "are you there?"
	})
	ids := map[string]string{}
	for _, m := range s.messages(2) {
		if known, ok := ids[m.Text]; ok && known != m.ID {
			t.Errorf("%q has two ids: %s and %s", m.Text, known, m.ID)
		}
		ids[m.Text] = m.ID
	}
	if ids["good morning"] == ids["are you there?"] {
		t.Error("two events share an id")
	}
}

func heardInOrder(t *testing.T, n Network) {
	s := sit(t, n, 0)
	const count = 20
	for i := range count {
		n.Say(fmt.Sprint("event", i), fmt.Sprint("text ", i))
		if m := s.messages(i + 1)[i]; n.Settle != nil {
			n.Settle(m.ID)
		}
	}
	seen := map[string]bool{}
	for i, m := range s.messages(count) {
		if want := fmt.Sprint("text ", i); m.Text != want {
			t.Errorf("message %d is %q, want %q", i, m.Text, want)
		}
		if seen[m.ID] {
			t.Errorf("id %s is used twice", m.ID)
		}
		seen[m.ID] = true
	}
}

func send(t *testing.T, n Network, key, text string) channels.Receipt {
	t.Helper()
	receipt, err := n.Channel.Send(context.Background(), channels.Outgoing{Room: n.Room, Key: key, Text: text})
	if err != nil {
		t.Fatalf("send %q: %v", text, err)
	}
	if receipt.ID == "" {
		t.Errorf("the receipt of %q has no id", text)
	}
	return receipt
}

func shownInOrder(t *testing.T, n Network) {
	sit(t, n, 0)
	var want []string
	for i := range 10 {
		text := fmt.Sprint("chunk ", i)
		send(t, n, fmt.Sprint("key", i), text)
		want = append(want, text)
	}
	eventually(t, "all chunks are shown", func() bool { return len(n.Shown()) >= len(want) })
	if got := n.Shown(); !slices.Equal(got, want) {
		t.Errorf("shown %q, want %q", got, want)
	}
}

func shownOnce(t *testing.T, n Network) {
	limited, ok := n.Channel.(channels.Limited)
	if !ok || !limited.Limits().Idempotent {
		t.Skip("the network has no idempotency key")
	}
	sit(t, n, 0)
	first := send(t, n, "same", "only once")
	if again := send(t, n, "same", "only once"); again != first {
		t.Errorf("sent again the receipt is %+v, was %+v", again, first)
	}
	send(t, n, "other", "the end")
	eventually(t, "the last chunk is shown", func() bool { return slices.Contains(n.Shown(), "the end") })
	if got, want := n.Shown(), []string{"only once", "the end"}; !slices.Equal(got, want) {
		t.Errorf("shown %q, want %q", got, want)
	}
}

func strangeRoom(t *testing.T, n Network) {
	sit(t, n, 0)
	room := channels.Room{Channel: n.Channel.Name(), ID: "nowhere"}
	_, err := n.Channel.Send(context.Background(), channels.Outgoing{Room: room, Key: "k", Text: "hello"})
	if _, ok := errors.AsType[*channels.SendError](err); !ok {
		t.Errorf("sending to a room that does not exist gives %v, want a *channels.SendError", err)
	}
	if got := n.Shown(); len(got) > 0 {
		t.Errorf("shown %q to others", got)
	}
}

// runEnds counts goroutines around the life of a channel that has heard something.
func runEnds(t *testing.T, n Network) {
	before := goroutines(t)
	s := sit(t, n, 0)
	n.Say("one", "good morning")
	s.messages(1)
	s.cancel()
	s.cancel()
	defer func() {
		if t.Failed() {
			var left strings.Builder
			_ = pprof.Lookup("goroutine").WriteTo(&left, 1)
			t.Logf("%d goroutines before; now\n%s", before, left.String())
		}
	}()
	eventually(t, "Run returns and its goroutines end", func() bool {
		return len(s.done) == 1 && runtime.NumGoroutine()-left(n) <= before
	})
}

// left is how many goroutines n's SDK has left behind, as it is known to.
func left(n Network) (count int) {
	if len(n.Leaves) == 0 {
		return 0
	}
	stacks := make([]byte, 4<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		if slices.ContainsFunc(n.Leaves, func(function string) bool { return strings.Contains(stack, function) }) {
			count++
		}
	}
	return count
}

// goroutines is how many there are once their number has settled: a server may still be taking in the connection of a
// client that is done connecting.
func goroutines(t *testing.T) (n int) {
	still := 0
	eventually(t, "no goroutine starts or ends", func() bool {
		if now := runtime.NumGoroutine(); now != n {
			n, still = now, 0
		}
		still++
		return still > 300 // milliseconds, as often as it is looked at
	})
	return n
}
