// Package channeltest is the conformance suite for channels: the requirements on every adapter, independent of the
// network. An adapter's tests provide a Network and pass it to Run.
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

// Network is an adapter connected to a simulated network.
type Network struct {
	Channel channels.Channel
	// Room is the room of Say and Shown.
	Room channels.Room
	// Say sends text to Room as a person. A network with event ids uses event, and redelivers the event if Say is
	// called again with it; for other networks Say is called once per event.
	Say func(event, text string)
	// Redelivers reports that Say with the same event redelivers it.
	Redelivers bool
	// NoReply completes a received message without a reply, for a channel that otherwise waits before the next one; nil
	// if the channel does not wait.
	NoReply func(id string)
	// Shown returns the persona's texts visible in Room, oldest first.
	Shown func() []string

	// The following fields are nil if the network has no such feature. Its requirement is then skipped.

	// SayAsBot sends text to Room from the persona's own account, as the network reports it.
	SayAsBot func(text string)
	// Edit replaces the text sent under event, Delete deletes it.
	Edit   func(event, text string)
	Delete func(event string)
	// Kinds send messages that are not only text, by kind.
	Kinds map[string]func()
	// Voices returns the voice messages that are shown in Room, oldest first, as their files.
	Voices func() [][]byte
	// Buttons returns what the buttons of a message say, by its receipt. Press presses one as the person of Say, and Told returns
	// what only they were told of a press, oldest first.
	Buttons func(receipt channels.Receipt) []string
	Press   func(receipt channels.Receipt, label string)
	Told    func() []string
	// States returns the reported connection states, oldest first. Refuse makes the network reject the credentials,
	// also of a connected channel.
	States func() []channels.State
	Refuse func()
	// Logs returns all log output at every level; it must contain none of Secrets.
	Logs    func() string
	Secrets []string
	// LeakyFuncs names functions of the network's SDK that are known to leak goroutines sometimes.
	LeakyFuncs []string
}

// patience is the timeout for events that must happen. It only ends failing tests.
const patience = 45 * time.Second

// requirements are those of every adapter, besides the two that Run names. The ids are explained in channels/README.md.
var requirements = map[string]func(*testing.T, Network){
	"a refused message comes again as the same":       refused,
	"an event handed over three times is one message": redelivered,
	"messages are heard in order":                     heardInOrder,
	"chunks are shown in order":                       shownInOrder,
	"a key is shown once":                             shownOnce,
	"a room it does not know is an error":             strangeRoom,
	"a voice message is shown as one":                 voiceShown,
	"S3 a question is answered by a button":           pressed,
	"S3 a press that does not count is told of":       notTaken,
	"A3 it does not hear itself":                      ignoresOwn,
	"A11 it tells no secret":                          logsNoSecret,
	"A12 an edit is about what was said":              edited,
	"A12 a deletion is about what was said":           deleted,
	"A13 it runs again after it has ended":            runsAgain,
	"A14 it says how it stands":                       reportsState,
	"A14 refused it ends and says what to do":         endsWhenRefused,
}

// Run checks an adapter against the requirements, each with a fresh network. It calls open from several goroutines.
func Run(t *testing.T, open func(t *testing.T) Network) {
	t.Run("a message is whole", func(t *testing.T) { wholeMessage(t, open(t)) })
	// Alone, because it counts goroutines, and second, when all permanent goroutines of the process exist.
	t.Run("run ends with its context", func(t *testing.T) { runEnds(t, open(t)) })
	for name, promise := range requirements {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			promise(t, open(t))
		})
	}
	t.Run("A15 every kind is heard", func(t *testing.T) { everyKind(t, open) })
}

// running is a channel that runs during a test.
type running struct {
	t      *testing.T
	cancel context.CancelFunc
	done   chan error

	mu       sync.Mutex
	received []channels.Message
	refuse   int
	// not is what accept returns for pressed buttons, nil to take them.
	not *channels.NotTaken
}

// run runs the channel of n until the test ends. The first refusals messages are not stored.
func run(t *testing.T, n Network, refusals int) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &running{t: t, cancel: cancel, done: make(chan error, 1), refuse: refusals}
	go func() { s.done <- n.Channel.Run(ctx, s.accept) }()
	t.Cleanup(s.end)
	return s
}

func (s *running) accept(_ context.Context, m channels.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.received = append(s.received, m)
	if s.refuse > 0 {
		s.refuse--
		return errors.New("the store is locked")
	}
	if m.Press != (channels.Press{}) && s.not != nil {
		return s.not
	}
	return nil
}

// messages waits for at least n messages and returns those received so far.
func (s *running) messages(n int) []channels.Message {
	s.t.Helper()
	var received []channels.Message
	eventually(s.t, fmt.Sprintf("%d messages are heard", n), func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		received = slices.Clone(s.received)
		return len(received) >= n
	})
	return received
}

// end cancels twice and waits for Run.
func (s *running) end() {
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

// eventually waits for something that happens on other goroutines, possibly across sockets.
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
	s := run(t, n, 0)
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
		t.Errorf("received %q", m.Text)
	case m.At.IsZero():
		t.Error("the message has no time")
	case m.Direct && !m.Addressed:
		t.Error("a direct message is not addressed to the persona")
	}
}

func refused(t *testing.T, n Network) {
	s := run(t, n, 2)
	n.Say("one", "good morning")
	received := s.messages(3)
	for _, m := range received[1:3] {
		if m.ID != received[0].ID || m.Text != received[0].Text {
			t.Errorf("came again as %q %q, was %q %q", m.ID, m.Text, received[0].ID, received[0].Text)
		}
	}
}

func redelivered(t *testing.T, n Network) {
	if !n.Redelivers {
		t.Skip("the network hands an event over again only when it was refused")
	}
	s := run(t, n, 0)
	for range 3 {
		n.Say("one", "good morning")
	}
	n.Say("two", "are you there?")
	eventually(t, "the last message is received", func() bool {
		received := s.messages(1)
		return received[len(received)-1].Text == "are you there?"
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
	s := run(t, n, 0)
	const count = 20
	for i := range count {
		n.Say(fmt.Sprint("event", i), fmt.Sprint("text ", i))
		if m := s.messages(i + 1)[i]; n.NoReply != nil {
			n.NoReply(m.ID)
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
	run(t, n, 0)
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
	run(t, n, 0)
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
	run(t, n, 0)
	room := channels.Room{Channel: n.Channel.Name(), ID: "nowhere"}
	_, err := n.Channel.Send(context.Background(), channels.Outgoing{Room: room, Key: "k", Text: "hello"})
	if _, ok := errors.AsType[*channels.SendError](err); !ok {
		t.Errorf("sending to a room that does not exist gives %v, want a *channels.SendError", err)
	}
	if got := n.Shown(); len(got) > 0 {
		t.Errorf("shown %q to others", got)
	}
}

// runEnds compares the number of goroutines before and after the life of a channel that received a message.
func runEnds(t *testing.T, n Network) {
	before := goroutines(t)
	s := run(t, n, 0)
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
		return len(s.done) == 1 && runtime.NumGoroutine()-leaked(n) <= before
	})
}

// leaked returns how many goroutines n's SDK has leaked.
func leaked(n Network) (count int) {
	if len(n.LeakyFuncs) == 0 {
		return 0
	}
	stacks := make([]byte, 4<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		if slices.ContainsFunc(n.LeakyFuncs, func(function string) bool { return strings.Contains(stack, function) }) {
			count++
		}
	}
	return count
}

// goroutines returns the number of goroutines once it is stable: a server may still accept the connection of a finished
// client.
func goroutines(t *testing.T) (n int) {
	still := 0
	eventually(t, "no goroutine starts or ends", func() bool {
		if now := runtime.NumGoroutine(); now != n {
			n, still = now, 0
		}
		still++
		return still > 300 // milliseconds, one per check
	})
	return n
}
