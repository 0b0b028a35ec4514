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

// patience is the timeout for events that must happen. It only ends failing tests.
const patience = 45 * time.Second

// logOutput collects the logs of the adapters of all tests, at every level.
var logOutput = &logBook{}

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

// TestMain checks two rules for all tests together: no secret was logged (A11), and no goroutine is left (A13).
func TestMain(m *testing.M) {
	if told := os.Getenv(echoEnv); told != "" {
		runEcho(told)
		return
	}
	// The library takes a second to close a connection: the tests wait rather than compute.
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	before := runtime.NumGoroutine()
	code := m.Run()
	for _, secret := range []string{discordtest.Token, "secret-of-"} {
		if strings.Contains(logOutput.String(), secret) {
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

// rig is a Discord server with the host of an adapter: what the adapter stores, reports and passes on.
type rig struct {
	t      *testing.T
	server *discordtest.Server
	store  *channeltest.StateStore
	files  channels.Files
	rooms  []channels.Room

	mu        sync.Mutex
	states    []channels.State
	received  []channels.Message
	ahead     time.Duration
	frozen    time.Time
	acceptErr func(channels.Message) error
}

func newRig(t *testing.T) *rig {
	t.Helper()
	d := &rig{t: t, server: discordtest.Start(), store: channeltest.NewStateStore()}
	t.Cleanup(d.server.Close)
	return d
}

// channel returns an adapter as after a program start.
func (d *rig) channel(with ...func(*Options)) *Channel {
	o := Options{
		Token: discordtest.Token, MessageContent: true, Endpoint: d.server.URL,
		Log: slog.New(slog.NewTextHandler(logOutput, &slog.HandlerOptions{Level: slog.LevelDebug - 4})),
		Host: channels.Host{
			Report: d.report, Store: d.store, Files: d.files, Now: d.now,
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

func (d *rig) report(s channels.State) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.states = append(d.states, s)
}

func (d *rig) now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.frozen.IsZero() {
		return d.frozen.Add(d.ahead)
	}
	return time.Now().Add(d.ahead)
}

// freeze stops the adapter's clock; only later advances it.
func (d *rig) freeze() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.frozen = time.Now()
}

// later advances the adapter's clock.
// buttons returns what the buttons of a message say.
func (d *rig) buttons(channel, id string) (all []string) {
	for _, m := range d.server.Messages(channel) {
		for _, b := range m.Buttons() {
			if m.ID == id {
				all = append(all, b.Label)
			}
		}
	}
	return all
}

func (d *rig) later(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ahead += by
}

func (d *rig) accept(_ context.Context, m channels.Message) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.acceptErr != nil {
		if err := d.acceptErr(m); err != nil {
			return err
		}
	}
	d.received = append(d.received, m)
	return nil
}

// refusing makes accept return the result of f.
func (d *rig) refusing(f func(channels.Message) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.acceptErr = f
}

// running is a running adapter.
type running struct {
	d    *rig
	stop context.CancelFunc
	done chan error
}

// run runs c until the test ends, and waits until it is connected.
func (d *rig) run(c *Channel) *running {
	d.t.Helper()
	r := d.start(c)
	d.eventually("it is connected", func() bool { return d.connections() > 0 })
	return r
}

func (d *rig) start(c *Channel) *running {
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

// connections returns how often the adapter reported a connection since its start.
func (d *rig) connections() int {
	n := 0
	for _, s := range d.reported() {
		if s.Phase == channels.Connected {
			n++
		}
	}
	return n
}

func (d *rig) reported() []channels.State {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.states)
}

// last returns the last report, the zero State before the first.
func (d *rig) last() channels.State {
	if all := d.reported(); len(all) > 0 {
		return all[len(all)-1]
	}
	return channels.State{}
}

func (d *rig) eventually(what string, happened func() bool) {
	d.t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for !happened() {
		select {
		case <-tick.C:
		case <-deadline:
			d.t.Fatalf("not after %s: %s; reported %+v, received %+v", patience, what, d.reported(), d.all())
		}
	}
}

func (d *rig) all() []channels.Message {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.received)
}

// messages waits for n messages and returns all.
func (d *rig) messages(n int) []channels.Message {
	d.t.Helper()
	d.eventually(fmt.Sprintf("%d messages are heard", n), func() bool { return d.count() >= n })
	return d.all()
}

func (d *rig) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.received)
}

// texts returns the messages' texts.
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

// mustSend sends a chunk and returns the receipt's id.
func (d *rig) mustSend(c *Channel, out channels.Outgoing) string {
	d.t.Helper()
	receipt, err := c.Send(context.Background(), out)
	if err != nil {
		d.t.Fatalf("send %q: %v", out.Text, err)
	}
	return receipt.ID
}

// mustFail sends a chunk and returns the error.
func (d *rig) mustFail(c *Channel, out channels.Outgoing, kind channels.SendKind) *channels.SendError {
	d.t.Helper()
	_, err := c.Send(context.Background(), out)
	e, ok := errors.AsType[*channels.SendError](err)
	if !ok || e.Kind != kind {
		d.t.Fatalf("send %q gives %v, want a send error that is %s", out.Text, err, kind)
	}
	return e
}

// equal fails the test unless got equals want.
func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.Errorf("%s: got %s, want %s", what, g, w)
	}
}

func TestConformance(t *testing.T) {
	conforms(t, func(d *rig, ann discordtest.User) (string, *Channel) { return d.server.DM(ann), d.channel() })
}

// TestConformanceOfAShard talks in a server that belongs to the second shard.
func TestConformanceOfAShard(t *testing.T) {
	conforms(t, func(d *rig, _ discordtest.User) (string, *Channel) {
		return d.server.Text(d.server.GuildOn("home", 1, 2), "talk"), d.sharded(2)
	})
}

// conforms runs the conformance suite in a channel.
func conforms(t *testing.T, open func(d *rig, ann discordtest.User) (string, *Channel)) {
	channeltest.Run(t, func(t *testing.T) channeltest.Network {
		d := newRig(t)
		ann := d.server.Person("ann")
		dm, c := open(d, ann)
		said := map[string]string{}
		var presses []string
		sends := func(fields map[string]any) func() {
			return func() { d.server.Say(dm, ann, "", func(m *discordtest.Message) { m.Raw = fields }) }
		}
		// The suite sends messages at once: those sent before the adapter connects are read by the catch-up.
		d.rooms = []channels.Room{room(dm)}
		if c.Parts() == 1 {
			d.store.Set(chatPrefix+dm, `{"after":"1"}`)
		} else {
			d.store.Set(chatPrefix+dm, fmt.Sprintf(`{"guild":%q,"after":"1"}`, d.server.GuildOfChannel(dm)))
		}
		return channeltest.Network{
			Channel: c, Room: room(dm), Redelivers: true,
			Say: func(event, text string) {
				if id, ok := said[event]; ok {
					d.server.Redeliver(dm, id)
					return
				}
				said[event] = d.server.Say(dm, ann, text)
			},
			Shown: func() []string { return d.server.Shown(dm) },
			Voices: func() (all [][]byte) {
				for _, m := range d.server.Messages(dm) {
					if m.Flags == flagVoice {
						all = append(all, m.Attachments[0].Content)
					}
				}
				return all
			},
			Buttons: func(receipt channels.Receipt) []string { return d.buttons(dm, receipt.ID) },
			Press: func(receipt channels.Receipt, label string) {
				data := channels.Press{Question: "asked", Yes: label == "Yes"}.Data() // the buttons go with the first press
				presses = append(presses, d.server.PressData(dm, receipt.ID, ann, data))
			},
			Told: func() (all []string) {
				for _, press := range presses {
					if i, _ := d.server.Interaction(press); i.Told != "" && i.Private {
						all = append(all, i.Told)
					}
				}
				return all
			},
			SayAsBot: func(text string) { d.server.Say(dm, d.server.Bot, text) },
			Edit:     func(event, text string) { d.server.Edit(dm, said[event], text) },
			Delete:   func(event string) { d.server.Delete(dm, said[event]) },
			Kinds: map[string]func(){
				"voice":   sends(map[string]any{"attachments": []any{map[string]any{"id": "1", "filename": "voice-message.ogg", "content_type": "audio/ogg"}}}),
				"image":   sends(map[string]any{"attachments": []any{map[string]any{"id": "1", "filename": "heron.png", "content_type": "image/png"}}}),
				"file":    sends(map[string]any{"attachments": []any{map[string]any{"id": "1", "filename": "notes.txt"}}}),
				"sticker": sends(map[string]any{"sticker_items": []any{map[string]any{"id": "1", "name": "wave"}}}),
				"unknown": sends(map[string]any{"hologram": map[string]any{"id": "1"}}),
			},
			States: d.reported, Refuse: func() {
				d.server.AddFault(discordtest.Fault{Status: http.StatusUnauthorized})
				d.server.Refuse(4004)
				d.server.CloseWith(4004)
			},
			Logs: func() string { return logOutput.String() + fmt.Sprint(d.reported()) }, Secrets: []string{discordtest.Token},
		}
	})
}
