package whatsapptest_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"go.mau.fi/whatsmeow/types"

	"familiar/channels/whatsapp/whatsapptest"
)

func start(t *testing.T) *whatsapptest.Server {
	t.Helper()
	s, err := whatsapptest.Start(time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func join(t *testing.T, s *whatsapptest.Server, phone, lid, name string) *whatsapptest.Person {
	t.Helper()
	p, err := s.Join(t.Context(), phone, lid, name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	late := time.After(45 * time.Second)
	for !happened() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("not in time: %s", what)
		}
	}
}

func say(t *testing.T, p *whatsapptest.Person, chat types.JID, text string) string {
	t.Helper()
	id, err := p.Say(t.Context(), chat, text)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func shows(t *testing.T, p *whatsapptest.Person, chat types.JID, want ...string) {
	t.Helper()
	eventually(t, "the messages are shown", func() bool { return len(p.Shown(chat)) >= len(want) })
	if got := p.Shown(chat); !slices.Equal(got, want) {
		t.Errorf("%s sees %q, want %q", p.LID, got, want)
	}
}

func TestPeopleTalkAloneAndInGroups(t *testing.T) {
	s := start(t)
	ann, bob, cas := join(t, s, "15550001", "900001", "Ann"), join(t, s, "15550002", "900002", "Bob"), join(t, s, "15550003", "900003", "Cas")
	say(t, ann, bob.JID(), "hello Bob")
	shows(t, bob, ann.JID(), "hello Bob")
	say(t, bob, ann.JID(), "hello Ann")
	shows(t, ann, bob.JID(), "hello Ann")
	g := s.Group("Friends", 0, ann.Phone, bob.Phone, cas.Phone)
	say(t, ann, g, "hello all")
	say(t, ann, g, "and again")
	shows(t, bob, g, "hello all", "and again")
	shows(t, cas, g, "hello all", "and again")
}

func TestMissedMessagesArriveLater(t *testing.T) {
	s := start(t)
	ann, bob := join(t, s, "15550001", "900001", "Ann"), join(t, s, "15550002", "900002", "Bob")
	bob.Disconnect()
	say(t, ann, bob.JID(), "one")
	say(t, ann, bob.JID(), "two")
	if err := bob.Reconnect(); err != nil {
		t.Fatal(err)
	}
	shows(t, bob, ann.JID(), "one", "two")
}

func TestUndecryptableMessagesAreSentAgain(t *testing.T) {
	s := start(t)
	ann, bob := join(t, s, "15550001", "900001", "Ann"), join(t, s, "15550002", "900002", "Bob")
	s.AddFault(whatsapptest.Fault{At: whatsapptest.Delivering, Phone: bob.Phone, Effect: whatsapptest.Garble})
	say(t, ann, bob.JID(), "can you read this?")
	shows(t, bob, ann.JID(), "can you read this?")
	if n := s.Count("retry", bob.Phone); n != 1 {
		t.Errorf("asked %d times for it to be said again, want once", n)
	}
}

// TestConcurrentWritersBothReadAll has two people write to each other without waiting, also with the adapter's
// settings: an encryption during a decryption must not reuse a counter.
func TestConcurrentWritersBothReadAll(t *testing.T) {
	s := start(t)
	ann, bob := join(t, s, "491701", "100000000000001", "Ann"), join(t, s, "491702", "100000000000002", "Bob")
	say(t, ann, bob.JID(), "hello")
	shows(t, bob, ann.JID(), "hello")
	say(t, bob, ann.JID(), "hello")
	shows(t, ann, bob.JID(), "hello")
	const each = 300
	want := []string{"hello"}
	for i := range each {
		want = append(want, fmt.Sprint(i))
	}
	var talk sync.WaitGroup
	for from, to := range map[*whatsapptest.Person]*whatsapptest.Person{ann: bob, bob: ann} {
		talk.Go(func() {
			for _, text := range want[1:] {
				if _, err := from.Say(t.Context(), to.JID(), text); err != nil {
					t.Error(err)
				}
			}
		})
	}
	talk.Wait()
	shows(t, ann, bob.JID(), want...)
	shows(t, bob, ann.JID(), want...)
}
