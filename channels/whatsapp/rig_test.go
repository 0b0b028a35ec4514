package whatsapp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mau.fi/whatsmeow/types"

	"familiar/channels"
	"familiar/channels/channeltest"
	"familiar/channels/whatsapp/whatsapptest"
)

// patience is the timeout for events that must happen. It only ends failing tests.
const patience = 45 * time.Second

// The account the channel is linked to.
const (
	ownPhone = "15559990001"
	ownLID   = "909990001999"
)

var ownJID = types.NewJID(ownLID, types.HiddenUserServer)

// allOutput collects everything that tests logged or reported.
var allOutput = &logBuffer{}

type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *logBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *logBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// TestMain also checks A11: no number, code or key appears in any output of the tests.
func TestMain(m *testing.M) {
	if told := os.Getenv(childEnv); told != "" {
		var c child
		err := json.Unmarshal([]byte(told), &c)
		if err == nil {
			err = c.serve()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	text := allOutput.String()
	for _, secret := range append(secretsShown(), ownPhone, ownLID, "1555000", "9000000", "2@", "wa.me") {
		if i := strings.Index(text, secret); i >= 0 {
			fmt.Printf("FAIL: A11: a secret is in the log: %q\n", text[max(0, i-200):min(len(text), i+100)])
			code = 1
		}
	}
	os.Exit(code)
}

// shownSecrets are the codes that logins displayed.
var shownSecrets struct {
	mu    sync.Mutex
	codes []string
}

func secretsShown() []string {
	shownSecrets.mu.Lock()
	defer shownSecrets.mu.Unlock()
	return slices.Clone(shownSecrets.codes)
}

// rig is a channel linked to its own server.
type rig struct {
	t      *testing.T
	server *whatsapptest.Server
	store  *channeltest.StateStore
	opts   Options

	mu      sync.Mutex
	states  []channels.State
	sent    map[string]string
	rooms   []channels.Room
	forward time.Duration // how far the clock was advanced
	behind  time.Duration // how far the network's clock is behind
}

// unlinkedRig returns a rig whose account has no linked device.
func unlinkedRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, store: channeltest.NewStateStore(), sent: map[string]string{}}
	server, err := whatsapptest.Start(r.networkNow)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	r.server = server
	r.opts = Options{
		Database: filepath.Join(t.TempDir(), "whatsapp.db"), HTTP: server.HTTP(),
		Log:  slog.New(slog.NewTextHandler(allOutput, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Host: channels.Host{Report: r.report, Store: r.store, SentText: r.wasSent, Rooms: r.known, Now: r.now, Jitter: func(time.Duration) time.Duration { return 0 }},
	}
	return r
}

// newRig returns a rig with a linked account; the phone has sent the display name.
func newRig(t *testing.T) *rig {
	t.Helper()
	r := unlinkedRig(t)
	r.login(LoginOptions{Show: r.scan})
	s, err := openSession(t.Context(), r.opts)
	if err != nil {
		t.Fatal(err)
	}
	device, err := s.container.GetFirstDevice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	device.PushName = "Familiar"
	if err := errors.Join(device.Save(t.Context()), s.close()); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) login(how LoginOptions) {
	r.t.Helper()
	if err := Login(r.t.Context(), r.opts, how); err != nil {
		r.t.Fatalf("login: %v", err)
	}
}

// scan acts as the owner with the phone.
func (r *rig) scan(c Code) {
	shownSecrets.mu.Lock()
	shownSecrets.codes = append(shownSecrets.codes, c.QR, c.Link)
	shownSecrets.mu.Unlock()
	if err := r.server.Scan(c.Link, ownPhone, ownLID, "Familiar"); err != nil {
		r.t.Error(err)
	}
}

func (r *rig) report(s channels.State) {
	fmt.Fprintln(allOutput, s)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.states = append(r.states, s)
}

// hasReported reports whether the channel has been in that phase since its start.
func (r *rig) hasReported(p channels.Phase) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.states, func(s channels.State) bool { return s.Phase == p })
}

// inPhase reports whether the last reported phase is p.
func (r *rig) inPhase(p channels.Phase) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.states) > 0 && r.states[len(r.states)-1].Phase == p
}

func (r *rig) lastState() channels.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.states) == 0 {
		return channels.State{}
	}
	return r.states[len(r.states)-1]
}

func (r *rig) wasSent(_ context.Context, key string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if text, ok := r.sent[key]; ok {
		return text, nil
	}
	return "", channels.ErrNotFound
}

func (r *rig) known(context.Context) ([]channels.Room, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.rooms), nil
}

func (r *rig) now() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Now().Add(r.forward)
}

func (r *rig) networkNow() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Now().Add(-r.behind)
}

// setNetworkClockBack makes the network date future messages that far back.
func (r *rig) setNetworkClockBack(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.behind = d
}

func (r *rig) advanceClock(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forward += d
}

func (r *rig) channel() *Channel {
	r.t.Helper()
	c, err := New(r.t.Context(), r.opts)
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// running is a channel that runs until stop or the end of the test.
type running struct {
	*rig
	*Channel
	cancel context.CancelFunc
	done   chan error
	over   sync.Once

	mu       sync.Mutex
	received []channels.Message
	refuse   error
	tries    int
	mute     bool
}

// start runs a channel and returns once it is connected.
func (r *rig) start() *running {
	r.t.Helper()
	s := r.run(r.channel())
	eventually(r.t, "the channel is connected", func() bool { return r.inPhase(channels.Connected) })
	return s
}

func (r *rig) run(c *Channel) *running {
	r.mu.Lock()
	r.states = nil
	r.mu.Unlock()
	ctx, cancel := context.WithCancel(context.Background())
	s := &running{rig: r, Channel: c, cancel: cancel, done: make(chan error, 1)}
	go func() { s.done <- c.Run(ctx, s.accept) }()
	r.t.Cleanup(s.stop)
	return s
}

func (s *running) accept(ctx context.Context, m channels.Message) error {
	mute, err := s.keep(m)
	if mute {
		<-ctx.Done()
		return ctx.Err()
	}
	return err
}

func (s *running) keep(m channels.Message) (mute bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tries++
	if s.refuse == nil {
		s.received = append(s.received, m)
	}
	return s.mute, s.refuse
}

// neverAccept leaves stored messages unacknowledged, as a kill would.
func (s *running) neverAccept() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mute = true
}

// locked makes the store refuse every write, or accept writes again.
func (s *running) locked(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = err
}

func (s *running) attempts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tries
}

func (s *running) all() []channels.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.received)
}

// next waits for message n, counted from 0, and returns it.
func (s *running) next(n int) channels.Message {
	s.t.Helper()
	eventually(s.t, fmt.Sprintf("message %d is heard", n), func() bool { return len(s.all()) > n })
	return s.all()[n]
}

// confirmed waits until the network knows that n messages were stored. Without it, a channel that is stopped receives the
// last one again.
func (r *rig) confirmed(n int) {
	r.t.Helper()
	eventually(r.t, fmt.Sprintf("%d messages are confirmed", n), func() bool { return r.server.Count("confirmed", ownPhone) >= n })
}

func (s *running) stop() {
	s.over.Do(func() {
		s.cancel()
		select {
		case err := <-s.done:
			if err != nil {
				s.t.Errorf("Run ended with %v", err)
			}
		case <-time.After(patience):
			s.t.Error("Run did not end with its context")
		}
	})
}

// ended returns the error with which Run ended by itself.
func (s *running) ended() error {
	s.t.Helper()
	var err error
	s.over.Do(func() {
		select {
		case err = <-s.done:
		case <-time.After(patience):
			buf := make([]byte, 1<<16)
			s.t.Fatalf("Run did not end\n%s", buf[:runtime.Stack(buf, true)])
		}
		s.cancel()
	})
	return err
}

// reply sends text in reply to m and records it as the host does.
func (s *running) reply(key string, m channels.Message, text string) (channels.Receipt, error) {
	s.rig.mu.Lock()
	s.sent[key] = text
	s.rig.mu.Unlock()
	return s.Send(s.t.Context(), channels.Outgoing{Room: m.Room, Key: key, Text: text, ReplyTo: m.ID, ReplyData: m.ReplyData})
}

func (s *running) answers(key string, m channels.Message, text string) channels.Receipt {
	s.t.Helper()
	receipt, err := s.reply(key, m, text)
	if err != nil {
		s.t.Fatalf("send %q: %v", text, err)
	}
	return receipt
}

// person adds a connected person.
func (r *rig) person(n int) *whatsapptest.Person {
	r.t.Helper()
	p, err := r.server.Join(r.t.Context(), fmt.Sprintf("1555000%04d", n), fmt.Sprintf("9000000%04d", n), fmt.Sprintf("Person %d", n))
	if err != nil {
		r.t.Fatal(err)
	}
	return p
}

func (r *rig) says(p *whatsapptest.Person, chat types.JID, text string) string {
	r.t.Helper()
	id, err := p.Say(r.t.Context(), chat, text)
	if err != nil {
		r.t.Fatalf("%s says %q: %v", p.LID, text, err)
	}
	return id
}

func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	late := time.After(patience)
	for !happened() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("not in time: %s", what)
		}
	}
}
