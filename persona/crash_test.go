package persona_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"

	"familiar/internal/torture"
	"familiar/persona"
	"familiar/persona/plain"
	"familiar/persona/scene"
)

// TestR1KillAnywhere kills a serving process with SIGKILL, again and again, while people in several rooms write to it
// over a network that survives it, delivers what was not acknowledged again, and shows a chunk once per idempotency
// key. Every message must be answered exactly once, and the store must be intact.
func TestR1KillAnywhere(t *testing.T) {
	t.Parallel()
	kills, messages := torture.Rounds(12, 200), torture.Rounds(40, 400)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))

	town := newTown(4, messages)
	home := t.TempDir()
	for kill := 0; kill < kills && !town.done(); kill++ {
		child := town.serve(t, home, "")
		time.Sleep(time.Duration(20+rng.IntN(150)) * time.Millisecond)
		child.kill()
	}
	town.finish(t, home)
}

// TestR1KillAtEachStep kills the process at each named step of a turn, once per step, from inside.
func TestR1KillAtEachStep(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"accepted", "before-voice", "after-voice", "before-send", "after-send"} {
		t.Run(step, func(t *testing.T) {
			town := newTown(2, 6)
			home := t.TempDir()
			child := town.serve(t, home, step)
			child.await(t)
			town.finish(t, home)
			if again := town.again > 0; again != (step == "after-send") {
				t.Errorf("handed over again: %t; that is so for what was sent and not noted, and only for that", again)
			}
		})
	}
}

// town is the network that survives: rooms of people who write the next message once the last was answered.
type town struct {
	mu     sync.Mutex
	server *httptest.Server
	said   []int               // per room: messages written
	left   []int               // per room: messages still to write
	unread map[string]string   // event id → room, delivered until acknowledged
	shown  map[string][]string // room → reply keys in the order they were first shown
	again  int                 // chunks sent twice under one key: allowed, shown once
	texts  []string            // what was shown, in order
	child  string              // the test that is the serving process
}

func newTown(rooms, messages int) *town {
	w := &town{said: make([]int, rooms), left: make([]int, rooms), unread: map[string]string{}, shown: map[string][]string{}, child: "TestServingProcess"}
	for i := range messages {
		w.left[i%rooms]++
	}
	for room := range rooms {
		w.write(room)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /unread", w.handleUnread)
	mux.HandleFunc("POST /ack/{id}", w.handleAck)
	mux.HandleFunc("POST /send", w.handleSend)
	w.server = httptest.NewServer(mux)
	return w
}

func (w *town) write(room int) {
	if w.left[room] == 0 {
		return
	}
	w.left[room]--
	w.said[room]++
	w.unread[fmt.Sprintf("%d-%d", room, w.said[room])] = strconv.Itoa(room)
}

func (w *town) handleUnread(rw http.ResponseWriter, _ *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	json.NewEncoder(rw).Encode(w.unread)
}

func (w *town) handleAck(_ http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.unread, r.PathValue("id"))
}

func (w *town) handleSend(rw http.ResponseWriter, r *http.Request) {
	var out channels.Outgoing
	if err := json.NewDecoder(r.Body).Decode(&out); err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, key := range w.shown[out.Room.ID] {
		if key == out.Key {
			w.again++
			return
		}
	}
	w.shown[out.Room.ID] = append(w.shown[out.Room.ID], out.Key)
	w.texts = append(w.texts, out.Text)
	room, _ := strconv.Atoi(out.Room.ID)
	w.write(room)
}

func (w *town) done() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for room := range w.said {
		if w.left[room] > 0 || len(w.shown[strconv.Itoa(room)]) < w.said[room] {
			return false
		}
	}
	return true
}

// finish runs a process until everybody has their answer, and checks the ledger and the store.
func (w *town) finish(t *testing.T, home string) {
	t.Helper()
	child := w.serve(t, home, "")
	deadline := time.Now().Add(60 * time.Second)
	for !w.done() && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(200 * time.Millisecond) // an answer too many would come now
	child.kill()
	w.server.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	for room, said := range w.said {
		if shown := len(w.shown[strconv.Itoa(room)]); shown != said || w.left[room] != 0 {
			t.Errorf("room %d: %d messages, %d still unwritten, %d answers, want one answer each", room, said, w.left[room], shown)
		}
	}
	if len(w.unread) != 0 {
		t.Errorf("never acknowledged: %v", w.unread)
	}
	t.Logf("%d chunks were sent again under their key and shown once", w.again)
	store, err := memory.Open(t.Context(), filepath.Join(home, "familiar.db"), memory.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// process is the serving child.
type process struct {
	cmd  *exec.Cmd
	out  bytes.Buffer
	gone chan error
}

// serve starts this test binary as the serving process; step is where it kills itself, empty for nowhere.
func (w *town) serve(t *testing.T, home, step string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(os.Args[0], "-test.run=^"+w.child+"$"), gone: make(chan error, 1)}
	p.cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=10", "FAMILIAR_TEST_TOWN="+w.server.URL, "FAMILIAR_TEST_HOME="+home, "FAMILIAR_TEST_DIE="+step)
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.out
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.gone <- p.cmd.Wait() }()
	t.Cleanup(p.kill)
	return p
}

func (p *process) kill() {
	p.cmd.Process.Kill()
	p.gone <- <-p.gone
}

// await waits until the process has killed itself.
func (p *process) await(t *testing.T) {
	t.Helper()
	select {
	case err := <-p.gone:
		p.gone <- err
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("the process did not die at the step: %v\n%s", err, p.out.String())
		}
	case <-time.After(30 * time.Second):
		t.Fatalf("the process never reached the step\n%s", p.out.String())
	}
}

// TestServingProcess is the child of the tests above, not a test of its own.
func TestServingProcess(t *testing.T) {
	url := os.Getenv("FAMILIAR_TEST_TOWN")
	if url == "" {
		return
	}
	ctx := t.Context()
	store, err := memory.Open(ctx, filepath.Join(os.Getenv("FAMILIAR_TEST_HOME"), "familiar.db"), memory.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	network := &townChannel{url, os.Getenv("FAMILIAR_TEST_DIE"), func(id string) string { return "I bought " + id + " apples, what do I like?" }}
	engine := persona.New(persona.Parts{
		Card: testCard(), Store: store, Voice: dyingVoice{plain.New(), network.die},
		Channels: []channels.Channel{network}, Settings: testSettings(), Now: time.Now,
		Jitter: func(time.Duration) time.Duration { return 0 },
		Log:    slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	go func() {
		if err := engine.Run(ctx); err != nil {
			panic(err)
		}
	}()
	panic(network.Run(ctx, engine.Accept))
}

// die ends the process at once at the configured step.
func die(at, step string) {
	if at == step {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}

// townChannel is the town's adapter.
type townChannel struct {
	url, die string
	// text returns what is written in a message.
	text func(id string) string
}

func (*townChannel) Name() string            { return "town" }
func (*townChannel) Limits() channels.Limits { return channels.Limits{Idempotent: true} }

func (c *townChannel) Run(ctx context.Context, accept channels.Accept) error {
	for {
		var unread map[string]string
		if err := c.call(ctx, http.MethodGet, "/unread", nil, &unread); err != nil {
			return err
		}
		for id, room := range unread {
			err := accept(ctx, channels.Message{
				ID: id, Room: channels.Room{Channel: "town", ID: room}, Direct: true, Addressed: true, At: time.Now(),
				Author: channels.Author{Handle: channels.Handle{Channel: "town", ID: room}, Name: "Person " + room},
				Text:   c.text(id),
			})
			if err != nil {
				return err
			}
			die(c.die, "accepted")
			if err := c.call(ctx, http.MethodPost, "/ack/"+id, nil, nil); err != nil {
				return err
			}
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func (c *townChannel) Send(ctx context.Context, out channels.Outgoing) (channels.Receipt, error) {
	die(c.die, "before-send")
	err := c.call(ctx, http.MethodPost, "/send", out, nil)
	die(c.die, "after-send")
	return channels.Receipt{ID: out.Key}, err
}

func (c *townChannel) call(ctx context.Context, method, path string, body, answer any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(b))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if answer == nil {
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
	return json.NewDecoder(resp.Body).Decode(answer)
}

// dyingVoice dies before or after it speaks.
type dyingVoice struct {
	scene.Voice
	die string
}

func (v dyingVoice) Reply(ctx context.Context, s scene.Scene, show func(string)) (scene.Reply, error) {
	die(v.die, "before-voice")
	speech, err := v.Voice.Reply(ctx, s, show)
	die(v.die, "after-voice")
	return speech, err
}
