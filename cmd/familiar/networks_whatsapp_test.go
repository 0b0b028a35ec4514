package main

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.mau.fi/whatsmeow/types"

	"familiar/channels"
	"familiar/channels/whatsapp"
	"familiar/channels/whatsapp/whatsapptest"
)

// The persona's account on WhatsApp.
const (
	whatsAppPhone = "15559990001"
	whatsAppID    = "909990001999"
)

func whatsAppServer(t *testing.T) (s *whatsapptest.Server, env []string) {
	t.Helper()
	s, err := whatsapptest.Start(time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, []string{whatsAppAt + "=" + s.Addr() + " " + s.Key()}
}

// linkWhatsApp links the persona's account to a home without the command line.
func linkWhatsApp(t *testing.T, s *whatsapptest.Server, home string) {
	t.Helper()
	o := whatsapp.Options{
		Database: filepath.Join(home, "whatsapp", "session.db"), HTTP: s.HTTP(), Log: slog.New(slog.DiscardHandler),
		Host: channels.Host{Report: func(channels.State) {}},
	}
	if err := whatsapp.Login(t.Context(), o, whatsapp.LoginOptions{Show: func(c whatsapp.Code) {
		if err := s.Scan(c.Link, whatsAppPhone, whatsAppID, "Nell"); err != nil {
			t.Error(err)
		}
	}}); err != nil {
		t.Fatal(err)
	}
}

// loginToWhatsApp links the account as an operator does who types the code into the phone. Deriving keys from the code
// is slow, and much slower under the race detector.
func loginToWhatsApp(t *testing.T, s *whatsapptest.Server, home string, env []string) {
	t.Helper()
	login := start(t, home, env, "channel", "login", "whatsapp", "--phone", "+"+whatsAppPhone)
	code := strings.TrimSpace(login.hear("    "))
	if err := s.Type(code, whatsAppPhone, whatsAppID, "Nell"); err != nil {
		t.Fatal(err)
	}
	login.hear("whatsapp is linked")
	login.leave()
}

func whatsAppPeer(t *testing.T) *networkPeer {
	s, env := whatsAppServer(t)
	o := &networkPeer{
		config: "whatsapp: {enabled: true, direct: open}",
		env:    env,
		limits: new(whatsapp.Channel).Limits(),
		link:   func(home string) { linkWhatsApp(t, s, home) },
		mend:   func() {},
	}
	var who []*whatsapptest.Person
	for i := range everybody {
		p, err := s.Join(t.Context(), fmt.Sprintf("1555000000%d", i), fmt.Sprintf("90000000000%d", i), fmt.Sprint("Person ", i))
		if err != nil {
			t.Fatal(err)
		}
		who = append(who, p)
		o.rooms = append(o.rooms, channels.Room{Channel: "whatsapp", ID: p.JID().String()})
	}
	persona := types.NewJID(whatsAppID, types.HiddenUserServer)
	o.say = func(room int, text string) {
		if _, err := who[room].Say(t.Context(), persona, text); err != nil {
			t.Errorf("room %d: say %q: %v", room, text, err)
		}
	}
	o.taken = func(room int) (ids []string) {
		for _, e := range s.Ledger() {
			if e.What == "taken" && e.Phone == whatsAppPhone && e.To == o.rooms[room].ID {
				ids = append(ids, e.ID)
			}
		}
		return ids
	}
	o.shown = func(room int) (all []peerMessage) {
		arrived := func() bool {
			all = onPhone(who[room])
			return !slices.ContainsFunc(o.taken(room), func(id string) bool {
				return !slices.ContainsFunc(all, func(m peerMessage) bool { return m.id == id })
			})
		}
		eventually(t, "everything is on the phone", arrived)
		return all
	}
	o.hang = func(_, skip int, done bool) <-chan struct{} { // no other room is used at that time
		struck := make(chan struct{})
		at := whatsapptest.Receiving
		if done {
			at = whatsapptest.Received
		}
		if skip > 0 {
			passed := make(chan struct{})
			close(passed)
			s.AddFault(whatsapptest.Fault{At: at, Phone: whatsAppPhone, Times: skip, Effect: whatsapptest.Wait, Until: passed})
		}
		s.AddFault(whatsapptest.Fault{At: at, Phone: whatsAppPhone, Effect: whatsapptest.Discard, OnFault: func() { close(struck) }})
		return struck
	}
	o.serving = func() bool { return s.Online(whatsAppPhone) }
	return o
}

// onPhone returns what somebody's phone shows, oldest first. A message that arrives again under its id is the same
// message.
func onPhone(p *whatsapptest.Person) (all []peerMessage) {
	for _, e := range p.Received() {
		text := whatsapptest.Text(e.Message)
		if text != "" && !slices.ContainsFunc(all, func(m peerMessage) bool { return m.id == e.Info.ID }) {
			all = append(all, peerMessage{e.Info.ID, text})
		}
	}
	return all
}

// TestW9StatusShowsTheLinkState checks the status while the account is linked, unlinked on the phone, and linked again.
func TestW9StatusShowsTheLinkState(t *testing.T) {
	t.Parallel()
	s, env := whatsAppServer(t)
	home := configure(t, "channels:\n  whatsapp: {enabled: true}\n")
	stands := func(state, do string) {
		t.Helper()
		rows := rowsOf(t, home, "channel", "status")
		if len(rows) != 1 || rows[0]["state"] != state || !strings.Contains(fmt.Sprint(rows[0]["do"]), do) {
			t.Errorf("it is %v, want %s with %q to do", rows, state, do)
		}
	}
	linkWhatsApp(t, s, home)
	stands("not running", "familiar run")

	serving := start(t, home, env, "run")
	serving.reports("state=connected")
	s.Unlink(whatsAppPhone)
	serving.reports(`state="logged out"`)
	serving.signal(syscall.SIGTERM)
	serving.exit()
	stands("logged out", "familiar channel login")

	loginToWhatsApp(t, s, home, env)
	stands("not running", "familiar run")
	familiar(t, home, env, "", "channel", "logout", "whatsapp").must(t)
	stands("logged out", "familiar channel login")
}
