package telegram

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/channels/channeltest"
	"familiar/channels/telegram/telegramtest"
)

var (
	_ channels.Channel         = (*Telegram)(nil)
	_ channels.Typist          = (*Telegram)(nil)
	_ channels.Previewer       = (*Telegram)(nil)
	_ channels.PreviewCanceler = (*Telegram)(nil)
	_ channels.Reactor         = (*Telegram)(nil)
	_ channels.Commander       = (*Telegram)(nil)
	_ channels.Limited         = (*Telegram)(nil)
	_ channels.Asker           = (*Telegram)(nil)
)

const (
	token = "7000:s3cret-Token_of-the-bot"
	ann   = int64(42)
	group = int64(-100200)
)

// diskFull is the error of a state store that cannot write.
func diskFull(_, _ string) error { return errors.New("the disk is full") }

var bot = telegramtest.Bot{ID: 7000, Name: "Familiar", Username: "familiar_bot"}

// rig is a channel connected to an in-memory Telegram server, inside a synctest bubble with its own clock.
type rig struct {
	*testing.T
	server *telegramtest.Server
	store  *channeltest.StateStore
	rooms  []channels.Room
	files  channels.Files
	hears  func(context.Context, channels.Message) bool
	tg     *Telegram
	stop   func() error

	mu       sync.Mutex
	received []channels.Message
	states   []channels.State
	// refuse makes accept fail that many times.
	refuse int
	out    bytes.Buffer
}

// bubble runs test with a rig that is not serving yet.
func bubble(t *testing.T, test func(t *testing.T, r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{T: t, store: channeltest.NewStateStore(), stop: func() error { return nil }}
		r.server = telegramtest.Start(telegramtest.Options{Token: token, Bot: bot, Now: time.Now, Pipe: true})
		r.server.AddChat(telegramtest.Chat{ID: ann, Type: "private"})
		r.server.AddChat(telegramtest.Chat{ID: group, Type: "supergroup", Title: "Garden", Topics: []int{77}})
		r.open()
		test(t, r)
		_ = r.stop()
		r.tg.api.closeIdle()
		r.server.Close()
		r.checkNoToken()
	})
}

// open creates the channel, as a starting process does.
func (r *rig) open() {
	r.tg = New(Options{
		Token: token, Endpoint: r.server.URL, HTTP: r.server.Client(),
		Log: slog.New(slog.NewTextHandler(r, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Host: channels.Host{
			Report: r.report, Store: r.store, Now: time.Now, Gate: r.hears, Files: r.files,
			Jitter: func(time.Duration) time.Duration { return 0 },
			Rooms:  func(context.Context) ([]channels.Room, error) { return r.rooms, nil },
		},
	})
}

// serve runs the channel until stop, and waits until it is idle.
func (r *rig) serve() {
	r.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- r.tg.Run(ctx, r.accept) }()
	r.stop = sync.OnceValue(func() error {
		cancel()
		cancel()
		return <-done
	})
	synctest.Wait()
}

// restart stops the channel and starts another on the same state store.
func (r *rig) restart() {
	r.Helper()
	_ = r.stop()
	r.tg.api.closeIdle()
	r.open()
	r.serve()
}

func (r *rig) accept(_ context.Context, m channels.Message) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refuse > 0 {
		r.refuse--
		return errors.New("the store is locked")
	}
	r.received = append(r.received, m)
	return nil
}

func (r *rig) report(s channels.State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.states = append(r.states, s)
	fmt.Fprintf(&r.out, "%+v\n", s)
}

// Write records the log.
func (r *rig) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.Write(b)
}

// checkNoToken fails if the token appears anywhere.
func (r *rig) checkNoToken() {
	r.Helper()
	if secret := token[5:]; strings.Contains(r.out.String(), secret) {
		r.Errorf("the token is shown:\n%s", r.out.String())
	}
}

func (r *rig) messages() []channels.Message {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.received)
}

func (r *rig) texts() []string {
	var texts []string
	for _, m := range r.messages() {
		texts = append(texts, m.Text)
	}
	return texts
}

func (r *rig) state() channels.State {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.states[len(r.states)-1]
}

// pass advances the clock.
func (r *rig) pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func (r *rig) send(chat int64, key, text string) (channels.Receipt, error) {
	receipt, err := r.tg.Send(context.Background(), channels.Outgoing{Room: room(chat), Key: key, Text: text})
	if err != nil {
		fmt.Fprintln(r, err)
	}
	return receipt, err
}

func (r *rig) mustSend(chat int64, key, text string) channels.Receipt {
	r.Helper()
	receipt, err := r.send(chat, key, text)
	if err != nil {
		r.Fatalf("send %q: %v", text, err)
	}
	return receipt
}

func room(chat int64) channels.Room {
	return channels.Room{Channel: "telegram", ID: fmt.Sprint(chat)}
}

func equal[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.Errorf("%s:\n got %s\nwant %s", what, g, w)
	}
}
