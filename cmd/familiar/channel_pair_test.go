package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/cmd/familiar/internal/networks"
	"familiar/cmd/familiar/internal/serving"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/log"
)

// network is a channel that the test controls. It has the name of a configured channel.
type network struct {
	heard chan channels.Message
	kept  chan error
	sent  chan channels.Outgoing
}

func (*network) Name() string { return "telegram" }

func (n *network) Run(ctx context.Context, accept channels.Accept) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case m := <-n.heard:
			n.kept <- accept(ctx, m)
		}
	}
}

func (n *network) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	n.sent <- out
	return channels.Receipt{ID: out.Key}, nil
}

// served is a home that is being served, with one network of the test.
type served struct {
	t       *testing.T
	home    string
	network *network
	n       int
}

func serveNetwork(t *testing.T, text string) *served {
	t.Helper()
	s := &served{t: t, home: configure(t, "debounce: {quiet: 0s}\n"+text), network: &network{
		heard: make(chan channels.Message), kept: make(chan error), sent: make(chan channels.Outgoing, 16),
	}}
	var out bytes.Buffer
	inv := &cli.Invocation{Env: env("TOKEN", "canary"), Now: time.Now, In: strings.NewReader(""), Out: &out, Errs: &out, HomeFlag: s.home}
	a, err := inv.OpenApp(t.Context(), "test", slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	personas, err := a.Personas(nil, s.network)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- serving.Serve(ctx, a, personas, serving.NetworkListener(ctx.Done(), a, networks.Supervisor(a), []channels.Channel{s.network}))
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func env(name, value string) config.Env {
	return func(asked string) (string, bool) { return value, asked == name }
}

// says delivers a message of an account in its direct room, or in a group if one is named. Without text it only opens
// the room.
func (s *served) says(account, group, text string) {
	s.t.Helper()
	s.n++
	m := channels.Message{
		ID: fmt.Sprint(s.n), Room: channels.Room{Channel: "telegram", ID: account}, Direct: true, Addressed: true, Arrival: text == "",
		Author: channels.Author{Handle: channels.Handle{Channel: "telegram", ID: account}, Name: "Zed"}, Text: text, At: time.Now(),
	}
	if group != "" {
		m.Room.ID, m.Direct, m.RoomTitle = group, false, "The club"
	}
	s.network.heard <- m
	if err := <-s.network.kept; err != nil {
		s.t.Fatal(err)
	}
}

// hears returns the next message that the persona sends.
func (s *served) hears() channels.Outgoing {
	s.t.Helper()
	select {
	case out := <-s.network.sent:
		return out
	case <-time.After(testTimeout):
		s.t.Fatal("nothing is said")
		return channels.Outgoing{}
	}
}

var codeIn = regexp.MustCompile(`pair approve ([A-Z2-9]{8})`)

// TestA4Pairing follows one account from its first message through approval and revocation, while the home is being
// served.
func TestA4Pairing(t *testing.T) {
	t.Parallel()
	s := serveNetwork(t, "channels:\n  telegram: {token: env:TOKEN}\n")
	s.says("4711", "", "My dog is called Rex.")
	told := s.hears()
	code := codeIn.FindStringSubmatch(told.Text)
	if code == nil || told.Room.ID != "4711" {
		t.Fatalf("a stranger is told %+v", told)
	}
	s.says("4711", "", "Hello?")
	store := openStore(t, s.home)
	if people, err := store.Log.People(t.Context()); err != nil || len(people) != 0 {
		t.Errorf("people before approval: %+v, %v", people, err)
	}
	pending := rowsOf(t, s.home, "channel", "pending")
	if len(pending) != 1 || pending[0]["code"] != code[1] || pending[0]["handle"] != "telegram:4711" || pending[0]["name"] != "Zed" {
		t.Errorf("pending: %v", pending)
	}
	familiar(t, s.home, nil, "", "channel", "pair", "approve", "AAAAAAAA").fails(t, 3, "no account waits with this code")
	familiar(t, s.home, nil, "", "channel", "pair", "approve", strings.ToLower(code[1])).must(t)
	if got := s.hears(); got.Room.ID != "4711" || !strings.Contains(got.Text, "please tell me again") {
		t.Errorf("after approval they are told %+v", got)
	}

	s.says("4711", "-100", "What is my dog called?") // pairing gives no rights in groups
	if unheard := rowsOf(t, s.home, "channel", "unheard"); len(unheard) != 1 || unheard[0]["group"] != "-100" || unheard[0]["title"] != "The club" {
		t.Errorf("unheard: %v", unheard)
	}
	s.says("4711", "", "What is my dog called?")
	if got := s.hears(); got.Room.ID != "4711" || strings.Contains(got.Text, "Rex") {
		t.Errorf("what was said before approval is known: %+v", got)
	}
	if _, err := store.Log.RoomByAddress(t.Context(), channels.Room{Channel: "telegram", ID: "-100"}); err == nil {
		t.Error("something of the group is stored")
	}
	if allowed := rowsOf(t, s.home, "channel", "allowed"); len(allowed) != 1 || allowed[0]["by"] != "pairing" {
		t.Errorf("allowed: %v", allowed)
	}

	familiar(t, s.home, nil, "", "channel", "pair", "revoke", "4711").must(t)
	s.says("4711", "", "Are you there?")
	if got := s.hears(); !codeIn.MatchString(got.Text) {
		t.Errorf("after that was revoked: %+v", got)
	}
	familiar(t, s.home, nil, "", "channel", "pair", "revoke", "nobody").fails(t, 3, "no approved or pending account")
}

// TestA4OpeningARoomSendsOneCode opens a room twice and then sends a message; the notice is the operator's.
func TestA4OpeningARoomSendsOneCode(t *testing.T) {
	t.Parallel()
	s := serveNetwork(t, "channels:\n  telegram: {token: env:TOKEN, pairing_notice: 'Zeig das Ann: {code}', allow: [1]}\n")
	s.says("4711", "", "")
	if told := s.hears(); !regexp.MustCompile(`^Zeig das Ann: [A-Z2-9]{8}$`).MatchString(told.Text) || told.Room.ID != "4711" {
		t.Errorf("a stranger is told %+v", told)
	}
	s.says("4711", "", "")
	s.says("4711", "", "Hello?")
	s.says("1", "", "Good evening!") // the next message is her reply
	if got := s.hears(); got.Room.ID != "1" {
		t.Errorf("sent again: %+v", got)
	}
}

// TestA5GroupOverItsDailyCapIsHeardButNotAnswered counts the replies of a day in a real store.
func TestA5GroupOverItsDailyCapIsHeardButNotAnswered(t *testing.T) {
	t.Parallel()
	s := serveNetwork(t, "channels:\n  telegram: {token: env:TOKEN, direct: allow, allow: [1], groups: {-100: {mode: mention, daily: {turns: 2}}}}\n")
	for range 2 {
		s.says("4711", "-100", "Good evening!")
		if got := s.hears(); got.Room.ID != "-100" {
			t.Errorf("said %+v", got)
		}
	}
	s.says("4711", "-100", "My cat is called Tom.")
	s.says("1", "", "Good evening!") // the next message is her reply
	if got := s.hears(); got.Room.ID != "1" {
		t.Errorf("past the cap: %+v", got)
	}
	eventually(t, "what was said past the cap is remembered", func() bool {
		return strings.Contains(familiar(t, s.home, nil, "", "memory", "list").must(t).out, "Tom")
	})
}

// TestDoctor checks findings that need no network: none is reachable.
func TestDoctor(t *testing.T) {
	t.Parallel()
	const nowhere = "token: env:TOKEN, base_url: 'http://127.0.0.1:1'"
	examine := func(text string, code int, want ...string) {
		t.Helper()
		doctorFindings(t, configure(t, strings.ReplaceAll(text, "NOWHERE", nowhere)), "4711:canary", code, want...)
	}
	examine("", 0, "configuration\tok", "memory\tok", "no network is configured", "networks\tok")
	examine("persna: nell\n", 1, `configuration	problem	`, `unknown key "persna"`, "1 problem")
	examine("channels:\n  telegram: {NOWHERE}\n", 0, "telegram\tok\tdirect: pairing, groups: {default: disabled}",
		"telegram\twarning\tit could not be reached")
	examine("channels:\n  telegram: {token: env:UNSET}\n", 1, "channels.telegram.token: the environment variable UNSET is not set")
	examine("channels:\n  telegram: {NOWHERE, direct: allow}\n", 0, "telegram\twarning\tnobody may write direct messages")
	examine("channels:\n  telegram: {NOWHERE, allow: [4711, '@ann']}\n  discord: {NOWHERE, allow: [12]}\n  whatsapp: {enabled: true, allow: ['0171 1', '+15550001']}\n", 1,
		"telegram\twarning\t\"@ann\" in channels.telegram.allow is not an account id", "discord\tok\tdirect:", "whatsapp\twarning\t\"0171 1\"")
	examine("channels:\n  whatsapp: {enabled: true, groups: {120363040000000000@g.us: {mode: open, members: ['15550001']}}}\n", 1,
		"whatsapp\twarning\t\"15550001\" in channels.whatsapp.groups.120363040000000000@g.us.members is not an account id")
	examine("channels:\n  whatsapp: {enabled: true, groups: {120363040000000000: open}}\n", 1, `write "120363040000000000@g.us"`)
	examine("channels:\n  telegram: {NOWHERE, direct: open}\n", 0, "telegram\twarning\tanybody may write direct messages")
	examine("channels:\n  telegram: {NOWHERE, direct: 'off'}\n", 0, "nobody can talk with the persona")
	examine("channels:\n  telegram: {NOWHERE, groups: {-5: {mode: open, members: []}}}\n", 0, "nobody can talk with the persona in group -5")
	examine("channels:\n  discord: {NOWHERE, message_content: 'off', groups: {7: listen}}\n", 1,
		"discord\tproblem\ta group is in listen or open mode", "discord\twarning\tit could not be reached")
}

// sendAsStranger stores a pairing request with this code.
func sendAsStranger(t *testing.T, home, account, code string) {
	t.Helper()
	ctx := context.Background()
	store, err := memory.Open(ctx, filepath.Join(home, "familiar.db"), memory.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	h := channels.Handle{Channel: "telegram", ID: account}
	room, err := store.Log.RequestPairing(ctx, log.PairingRequest{
		Persona: "nell", Code: code, Text: code, TTL: time.Hour, MaxPending: 3, Message: channels.Message{
			ID: code, Room: channels.Room{Channel: "telegram", ID: account}, Direct: true, At: time.Now(),
			Author: channels.Author{Handle: h, Name: "Zed"},
		},
	})
	if err != nil || room.ID == 0 {
		t.Fatalf("room %+v, %v", room, err)
	}
}
