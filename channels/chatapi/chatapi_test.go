package chatapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/channeltest"
	"familiar/channels/chatapi/chatapitest"
)

// The tokens of a rig: of the operator, of Ann, of a group, and one that only reads.
const (
	operatorToken = "canary-operator"
	annToken      = "canary-ann"
	groupToken    = "canary-group"
	readToken     = "canary-read"
)

// rig is a channel behind a server, with a store and an outbox that forget when they are told to.
type rig struct {
	*Channel
	server *httptest.Server
	store  *channeltest.StateStore
	gate   func(channels.Message) bool
	now    func() time.Time
	raw    []string // what the model was asked without the persona

	mu       sync.Mutex
	texts    map[string]string
	states   []channels.State
	log      strings.Builder
	received []channels.Message
}

func (r *rig) Write(line []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.Write(line)
}

func (r *rig) logged() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.String()
}

func (r *rig) report(s channels.State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.states = append(r.states, s)
}

func (r *rig) reported() []channels.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.states)
}

// Send is what the engine calls: the outbox has the text.
func (r *rig) Send(ctx context.Context, out channels.Outgoing) (channels.Receipt, error) {
	r.mu.Lock()
	r.texts[out.Key] = out.Text
	r.mu.Unlock()
	return r.Channel.Send(ctx, out)
}

func (r *rig) sentText(_ context.Context, key string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if text, ok := r.texts[key]; ok {
		return text, nil
	}
	return "", channels.ErrNotFound
}

func authenticate(_ context.Context, channel, token string) (channels.Caller, error) {
	if channel != name {
		return channels.Caller{}, errors.New("asked for " + channel)
	}
	switch token {
	case operatorToken:
		return channels.Caller{Program: "webui", Persona: "nell", AnyGroup: true}, nil
	case annToken:
		return channels.Caller{Program: "tavern", Persona: "nell", Account: "~7", Name: "Ann"}, nil
	case groupToken:
		return channels.Caller{Program: "table", Persona: "nell", Group: "chess", Prefix: "~r3/"}, nil
	case readToken:
		return channels.Caller{Program: "reader", Persona: "nell", Account: "~7", Name: "Ann", ReadOnly: true}, nil
	case "broken":
		return channels.Caller{}, errors.New("the disk is full")
	}
	return channels.Caller{}, channels.ErrUnauthorized
}

// newRig returns a channel with this store, nil for an empty one.
func newRig(t *testing.T, store *channeltest.StateStore) *rig {
	t.Helper()
	if store == nil {
		store = channeltest.NewStateStore()
	}
	r := &rig{store: store, texts: map[string]string{}, gate: func(channels.Message) bool { return true }, now: time.Now}
	r.Channel = New(Options{
		Host: channels.Host{
			Report: r.report, Store: store, SentText: r.sentText, Now: func() time.Time { return r.now() },
			Gate: func(_ context.Context, m channels.Message) bool { return r.gate(m) },
		},
		Log: slog.New(slog.NewTextHandler(r, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	mount := r.Handler(channels.Callers{
		Authenticate: authenticate,
		PersonaName:  func(key string) string { return map[string]string{"nell": "Nell"}[key] },
		Tokens:       func(text string) int { return len(text) },
		Answer: func(_ context.Context, _, system string, talk []channels.TalkLine, _ int) (string, error) {
			r.raw = append(r.raw, system+"|"+talk[len(talk)-1].Text)
			return "A title", nil
		},
	})
	r.server = httptest.NewServer(mount)
	t.Cleanup(r.server.Close)
	return r
}

// client returns a program with a token.
func (r *rig) client(token string) *chatapitest.Client {
	return &chatapitest.Client{URL: r.server.URL + "/v1", Token: token, HTTP: r.server.Client()}
}

// serve runs the channel until the test ends. Each message that expects a reply gets that of reply, if it is not nil.
func (r *rig) serve(t *testing.T, reply func(m channels.Message) string) {
	t.Helper()
	var answering sync.WaitGroup
	r.serveWith(t, func(_ context.Context, m channels.Message) error {
		r.mu.Lock()
		known := slices.ContainsFunc(r.received, func(o channels.Message) bool { return o.ID == m.ID })
		r.received = append(r.received, m)
		r.mu.Unlock()
		if known {
			return nil
		}
		answering.Go(func() {
			switch {
			case m.Action != channels.Post:
			case !m.Addressed:
				r.NoReply(m.ID)
			case reply != nil:
				r.answer(t, m, reply(m))
			}
		})
		return nil
	})
	t.Cleanup(answering.Wait)
}

// answer sends the reply to m.
func (r *rig) answer(t *testing.T, m channels.Message, text string) {
	if text == "" {
		r.NoReply(m.ID)
		return
	}
	if _, err := r.Send(context.Background(), channels.Outgoing{Room: m.Room, Key: "reply-" + m.ID, Text: text, ReplyTo: m.ID, ReplyData: m.ReplyData}); err != nil {
		t.Error(err)
	}
}

func (r *rig) serveWith(t *testing.T, accept channels.Accept) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx, accept) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Run ended with %v", err)
		}
	})
	for {
		if _, ok := r.running(); ok {
			return
		}
	}
}

// heard returns the new messages received so far, each once, without deletions.
func (r *rig) heard() (texts []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := map[string]bool{}
	for _, m := range r.received {
		if m.Action == channels.Post && !seen[m.ID] {
			texts = append(texts, m.Text)
		}
		seen[m.ID] = true
	}
	return texts
}

func TestChatAPIConforms(t *testing.T) {
	channeltest.Run(t, func(t *testing.T) channeltest.Network {
		r := newRig(t, nil)
		teller := &chatapitest.Teller{Client: r.client(operatorToken), Request: chatapitest.Request{Model: "nell", User: "ann"}}
		room := channels.Room{Channel: name, ID: "@ann"}
		entered := sync.OnceFunc(func() { // as the first request does
			if _, err := r.mailbox.plan(t.Context(), draft{speaker: speaker{room: room}, said: make([]channels.Message, 1), prints: []string{"-"}}); err != nil {
				t.Error(err)
			}
		})
		entered()
		return channeltest.Network{
			Channel: r, Room: room, Redelivers: true, Say: teller.Say, NoReply: r.NoReply,
			Shown: func() (texts []string) {
				p, err := r.mailbox.plan(context.Background(), draft{speaker: speaker{room: room}, said: make([]channels.Message, 1), prints: []string{"-"}})
				if err != nil {
					t.Error(err)
				}
				texts, err = r.mailbox.texts(context.Background(), p.unread)
				if err != nil {
					t.Error(err)
				}
				return texts
			},
			Kinds: map[string]func(){
				"image": func() {
					teller.Tell(withPart(map[string]any{"type": "image_url", "image_url": map[string]any{"url": "https://pond.example/a.png"}}))
				},
				"audio": func() {
					teller.Tell(withPart(map[string]any{"type": "input_audio", "input_audio": map[string]any{"data": "AAAA"}}))
				},
				"new": func() { teller.Tell(withPart(map[string]any{"type": "hologram"})) },
			},
			States: r.reported, Logs: r.logged, Secrets: []string{operatorToken},
		}
	})
}

func withPart(part map[string]any) chatapitest.Request {
	return chatapitest.Request{Model: "nell", User: "ann", Stream: true, Messages: []chatapitest.Message{{Role: "user", Content: []any{part}}}}
}

// chat sends a request and fails the test if there is no answer with that status.
func chat(t *testing.T, c *chatapitest.Client, want int, q chatapitest.Request) chatapitest.Reply {
	t.Helper()
	if q.Model == "" {
		q.Model = "nell"
	}
	got, err := c.Chat(t.Context(), q)
	if err != nil || got.Status != want {
		t.Fatalf("%d %s, %v, want %d", got.Status, got.Body, err, want)
	}
	return got
}

func said(history ...string) (all []chatapitest.Message) {
	for i, text := range history {
		role := "user"
		if i%2 == 1 {
			role = "assistant"
		}
		all = append(all, chatapitest.Message{Role: role, Content: text})
	}
	return all
}

var _ http.Handler = channels.Mount{}
