package discord

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/channeltest"
	"familiar/channels/discord/discordtest"
)

// patience is how long something may take that must happen. It only ends tests that fail.
const patience = 45 * time.Second

// logged is everything the adapters of all tests have logged, at every level.
var logged = &logBook{}

type logBook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBook) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBook) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// TestMain adds what holds for all tests together: A11, no secret was logged, and A13, no goroutine is left.
func TestMain(m *testing.M) {
	if told := os.Getenv(echo); told != "" {
		beEcho(told)
		return
	}
	// The library takes a second to close a connection: the tests wait, they do not compute.
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	before := runtime.NumGoroutine()
	code := m.Run()
	for _, secret := range []string{discordtest.Token, "secret-of-"} {
		if strings.Contains(logged.String(), secret) {
			fmt.Fprintf(os.Stderr, "A11: %q was logged\n", secret)
			code = 1
		}
	}
	deadline := time.After(patience)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for code == 0 && runtime.NumGoroutine() > before {
		select {
		case <-tick.C:
		case <-deadline:
			stacks := make([]byte, 1<<20)
			fmt.Fprintf(os.Stderr, "A13: goroutines are left:\n%s\n", stacks[:runtime.Stack(stacks, true)])
			code = 1
		}
	}
	os.Exit(code)
}

// desk is a Discord with an adapter's host beside it: what the adapter keeps, reports and hands over.
type desk struct {
	t      *testing.T
	server *discordtest.Server
	shelf  *channeltest.StateStore
	files  channels.Files
	rooms  []channels.Room

	mu     sync.Mutex
	states []channels.State
	heard  []channels.Message
	ahead  time.Duration
	frozen time.Time
	refuse func(channels.Message) error
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, server: discordtest.Start(), shelf: channeltest.NewStateStore()}
	t.Cleanup(d.server.Close)
	return d
}

// channel is an adapter as after a start of the program.
func (d *desk) channel(with ...func(*Options)) *Channel {
	o := Options{
		Token: discordtest.Token, MessageContent: true, Endpoint: d.server.URL,
		Log: slog.New(slog.NewTextHandler(logged, &slog.HandlerOptions{Level: slog.LevelDebug - 4})),
		Host: channels.Host{
			Report: d.report, Store: d.shelf, Files: d.files, Now: d.now,
			Jitter:   func(time.Duration) time.Duration { return 0 },
			SentText: func(context.Context, string) (string, error) { return "", channels.ErrNotFound },
			Rooms:    func(context.Context) ([]channels.Room, error) { return d.rooms, nil },
		},
	}
	for _, change := range with {
		change(&o)
	}
	return New(o)
}

func (d *desk) report(s channels.State) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.states = append(d.states, s)
}

func (d *desk) now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.frozen.IsZero() {
		return d.frozen.Add(d.ahead)
	}
	return time.Now().Add(d.ahead)
}

// freeze has time pass for the adapter only by later.
func (d *desk) freeze() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.frozen = time.Now()
}

// later lets time pass for the adapter.
func (d *desk) later(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ahead += by
}

func (d *desk) accept(_ context.Context, m channels.Message) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.refuse != nil {
		if err := d.refuse(m); err != nil {
			return err
		}
	}
	d.heard = append(d.heard, m)
	return nil
}

// refusing has accept answer with what f says.
func (d *desk) refusing(f func(channels.Message) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refuse = f
}

// running is an adapter that runs.
type running struct {
	d    *desk
	stop context.CancelFunc
	done chan error
}

// run runs c until the test ends, and waits until it is connected.
func (d *desk) run(c *Channel) *running {
	d.t.Helper()
	r := d.start(c)
	d.eventually("it is connected", func() bool { return d.connections() > 0 })
	return r
}

func (d *desk) start(c *Channel) *running {
	d.mu.Lock()
	d.states = nil
	d.mu.Unlock()
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{d: d, stop: cancel, done: make(chan error, 1)}
	go func() { r.done <- c.Run(ctx, d.accept) }()
	d.t.Cleanup(func() { cancel() })
	d.t.Cleanup(r.end)
	return r
}

// end stops the adapter and waits for it.
func (r *running) end() {
	r.d.t.Helper()
	r.stop()
	r.stop()
	if err := r.ended(); err != nil {
		r.d.t.Errorf("Run ended with %v", err)
	}
}

// ended waits until Run has ended.
func (r *running) ended() error {
	r.d.t.Helper()
	select {
	case err := <-r.done:
		r.done <- nil
		return err
	case <-time.After(patience):
		r.d.t.Fatal("Run did not end")
		return nil
	}
}

// connections is how often the adapter reported to be connected since it was started.
func (d *desk) connections() int {
	n := 0
	for _, s := range d.reported() {
		if s.Phase == channels.Connected {
			n++
		}
	}
	return n
}

func (d *desk) reported() []channels.State {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.states)
}

// last is the last report, none before the first.
func (d *desk) last() channels.State {
	if all := d.reported(); len(all) > 0 {
		return all[len(all)-1]
	}
	return channels.State{}
}

func (d *desk) eventually(what string, happened func() bool) {
	d.t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for !happened() {
		select {
		case <-tick.C:
		case <-deadline:
			d.t.Fatalf("not after %s: %s; reported %+v, heard %+v", patience, what, d.reported(), d.all())
		}
	}
}

func (d *desk) all() []channels.Message {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.heard)
}

// messages waits for n messages and returns all.
func (d *desk) messages(n int) []channels.Message {
	d.t.Helper()
	d.eventually(fmt.Sprintf("%d messages are heard", n), func() bool { return d.count() >= n })
	return d.all()
}

func (d *desk) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.heard)
}

// texts are the messages' texts.
func texts(all []channels.Message) []string {
	var said []string
	for _, m := range all {
		said = append(said, m.Text)
	}
	return said
}

func room(channel string) channels.Room { return channels.Room{Channel: name, ID: channel} }

func say(channel, key, text string) channels.Outgoing {
	return channels.Outgoing{Room: room(channel), Key: key, Text: text}
}

// mustSend sends and returns the receipt's id.
func (d *desk) mustSend(c *Channel, out channels.Outgoing) string {
	d.t.Helper()
	receipt, err := c.Send(context.Background(), out)
	if err != nil {
		d.t.Fatalf("send %q: %v", out.Text, err)
	}
	return receipt.ID
}

// mustFail sends and returns the error.
func (d *desk) mustFail(c *Channel, out channels.Outgoing, kind channels.SendKind) *channels.SendError {
	d.t.Helper()
	_, err := c.Send(context.Background(), out)
	e, ok := errors.AsType[*channels.SendError](err)
	if !ok || e.Kind != kind {
		d.t.Fatalf("send %q gives %v, want a send error that is %s", out.Text, err, kind)
	}
	return e
}

// equal fails the test when got is not want.
func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.Errorf("%s: got %s, want %s", what, g, w)
	}
}

func TestConformance(t *testing.T) {
	channeltest.Run(t, func(t *testing.T) channeltest.Network {
		d := newDesk(t)
		ann := d.server.Person("ann")
		dm := d.server.DM(ann)
		said := map[string]string{}
		sends := func(fields map[string]any) func() {
			return func() { d.server.Say(dm, ann, "", func(m *discordtest.Message) { m.Raw = fields }) }
		}
		// The suite says things at once: what was said before the adapter listens is missed, and read from here.
		d.rooms = []channels.Room{room(dm)}
		d.shelf.Set(shelved+dm, `{"after":"1"}`)
		return channeltest.Network{
			Channel: d.channel(), Room: room(dm), Redelivers: true,
			Say: func(event, text string) {
				if id, ok := said[event]; ok {
					d.server.Again(dm, id)
					return
				}
				said[event] = d.server.Say(dm, ann, text)
			},
			Shown:  func() []string { return d.server.Shown(dm) },
			Own:    func(text string) { d.server.Say(dm, d.server.Bot, text) },
			Edit:   func(event, text string) { d.server.Edit(dm, said[event], text) },
			Delete: func(event string) { d.server.Delete(dm, said[event]) },
			Kinds: map[string]func(){
				"voice":   sends(map[string]any{"attachments": []any{map[string]any{"id": "1", "filename": "voice-message.ogg", "content_type": "audio/ogg"}}}),
				"image":   sends(map[string]any{"attachments": []any{map[string]any{"id": "1", "filename": "heron.png", "content_type": "image/png"}}}),
				"file":    sends(map[string]any{"attachments": []any{map[string]any{"id": "1", "filename": "notes.txt"}}}),
				"sticker": sends(map[string]any{"sticker_items": []any{map[string]any{"id": "1", "name": "wave"}}}),
				"unknown": sends(map[string]any{"hologram": map[string]any{"id": "1"}}),
			},
			States: d.reported, Refuse: func() {
				d.server.Break(discordtest.Fault{Status: http.StatusUnauthorized})
				d.server.Refuse(4004)
				d.server.CloseWith(4004)
			},
			Logged: func() string { return logged.String() + fmt.Sprint(d.reported()) }, Secrets: []string{discordtest.Token},
		}
	})
}
