package whatsapp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/proto"

	"familiar/channels"
	"familiar/channels/whatsapp/whatsapptest"
)

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// notesOf returns the notes of the ledger entries of that kind about our account.
func (r *rig) notesOf(what string) []string {
	var notes []string
	for _, e := range r.server.Ledger() {
		if e.What == what && e.Phone == ownPhone {
			notes = append(notes, e.Note)
		}
	}
	return notes
}

func TestW7PresenceIsShownOnceAndEndsWhenIdle(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	c := r.channel()
	s := r.run(c)
	eventually(t, "it is there", func() bool { return len(r.notesOf("presence")) == 1 })
	r.says(ann, ownJID, "hello")
	m := s.next(0)
	s.answers("k", m, "hi")
	if got := r.notesOf("presence"); len(got) != 1 || got[0] != "available" {
		t.Errorf("shown as %q", got)
	}
	s.stop()
	c.idleAfter = 20 * time.Millisecond
	r.run(c)
	eventually(t, "it is away", func() bool { return len(r.notesOf("presence")) == 3 })
	if got := r.notesOf("presence"); got[2] != "unavailable" {
		t.Errorf("shown as %q", got)
	}
}

func TestW7TypingIsShownRenewedAndEnded(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	r.says(ann, ownJID, "hello")
	m := s.next(0)
	typing := func(on bool) {
		t.Helper()
		if err := s.Typing(t.Context(), m.Room, on); err != nil {
			t.Fatal(err)
		}
	}
	typing(true)
	typing(true)
	r.advanceClock(11 * time.Second)
	typing(true)
	typing(false)
	typing(false)
	eventually(t, "it is seen", func() bool { return len(ann.TypingEvents()) == 3 })
	want := []types.ChatPresence{types.ChatPresenceComposing, types.ChatPresenceComposing, types.ChatPresencePaused}
	if got := ann.TypingEvents(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("seen %v, want %v", got, want)
	}
}

func TestW7ReadReceiptsAreOptionalAndFollowDurability(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	r.says(ann, ownJID, "hello")
	s.next(0)
	r.confirmed(1)
	s.stop()
	r.opts.ReadReceipts = true
	s = r.start()
	if n := r.server.Count("read", ownPhone); n != 0 {
		t.Fatalf("%d read receipts were not asked for", n)
	}
	s.locked(errors.New("database is locked"))
	r.says(ann, ownJID, "did you read this?")
	eventually(t, "it is tried", func() bool { return s.attempts() > 0 })
	if n := r.server.Count("read", ownPhone); n != 0 {
		t.Error("shown as read before it was stored")
	}
	s.locked(nil)
	eventually(t, "it is shown as read", func() bool { return r.server.Count("read", ownPhone) == 1 })
}

func (s *running) tells(key, room, text string) error {
	_, err := s.Send(s.t.Context(), channels.Outgoing{Room: channels.Room{Channel: Name, ID: room}, Key: key, Text: text})
	return err
}

func TestW8OnlyRecentWritersAreWrittenTo(t *testing.T) {
	r := newRig(t)
	ann, bob := r.person(1), r.person(2)
	s := r.start()
	if err := s.tells("k1", bob.JID().String(), "hello stranger"); channels.Kind(err) != channels.Permanent {
		t.Errorf("to a stranger: %v", err)
	}
	r.says(ann, ownJID, "hello")
	m := s.next(0)
	eventually(t, "it is noted", func() bool { return s.records.chat(t.Context(), m.Room.ID).LastReceived > 0 })
	r.advanceClock(2 * 24 * time.Hour)
	if err := s.tells("k2", m.Room.ID, "how are you?"); err != nil {
		t.Errorf("to somebody who wrote two days ago: %v", err)
	}
	r.confirmed(1)
	s.stop()
	r.advanceClock(40 * 24 * time.Hour)
	s = r.start()
	if err := s.tells("k3", m.Room.ID, "remember me?"); channels.Kind(err) != channels.Permanent {
		t.Errorf("to somebody who wrote six weeks ago: %v", err)
	}
}

func TestW8FiveUnsolicitedMessagesAMinute(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	r.says(ann, ownJID, "hello")
	m := s.next(0)
	eventually(t, "it is noted", func() bool { return s.records.chat(t.Context(), m.Room.ID).LastReceived > 0 })
	r.advanceClock(2 * time.Hour)
	for i := range 5 {
		if err := s.tells(fmt.Sprint("k", i), m.Room.ID, "by the way"); err != nil {
			t.Fatalf("thing %d: %v", i, err)
		}
	}
	err := s.tells("k6", m.Room.ID, "one more thing")
	if channels.Kind(err) != channels.RateLimited || channels.RetryAfter(err) <= 0 || channels.RetryAfter(err) > time.Minute {
		t.Errorf("the sixth: %v", err)
	}
	if _, err := s.reply("answer", m, "an answer is no such thing"); err != nil {
		t.Errorf("an answer: %v", err)
	}
	r.advanceClock(time.Minute)
	if err := s.tells("k6", m.Room.ID, "one more thing"); err != nil {
		t.Errorf("a minute later: %v", err)
	}
}

func TestW8TwentyNewChatsADay(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	r.says(ann, ownJID, "hello")
	m := s.next(0)
	r.store.Set(newPrefix+s.records.day(0), "20")
	_, err := s.reply("k", m, "hi")
	if channels.Kind(err) != channels.RateLimited || channels.RetryAfter(err) > 24*time.Hour {
		t.Fatalf("the 21st new chat: %v", err)
	}
	r.advanceClock(channels.RetryAfter(err))
	s.answers("k", m, "hi")
	if n := r.store.Value(newPrefix + s.records.day(0)); n != "1" {
		t.Errorf("%s chats were begun the next day", n)
	}
}

// TestW8TwentyNewChatsADayHoweverManyAreAnsweredAtOnce starts with two new chats left for the day and four people
// waiting for their first reply.
func TestW8TwentyNewChatsADayHoweverManyAreAnsweredAtOnce(t *testing.T) {
	r := newRig(t)
	const people = 4
	var typing sync.WaitGroup // those who are not typing yet
	typing.Add(people)
	r.opts.Host.Jitter = func(time.Duration) time.Duration {
		typing.Done()
		typing.Wait()
		return 0
	}
	s := r.start()
	r.store.Set(newPrefix+s.records.day(0), "18")
	var sending sync.WaitGroup
	var limited atomic.Int64
	for n := range people {
		r.says(r.person(n+1), ownJID, "hello")
		m := s.next(n)
		sending.Go(func() {
			if _, err := s.reply(fmt.Sprint("k", n), m, "hi"); channels.Kind(err) == channels.RateLimited {
				limited.Add(1)
				typing.Done()
			}
		})
	}
	sending.Wait()
	if n := limited.Load(); n != 2 {
		t.Errorf("%d had to wait for the next day, want 2", n)
	}
}

func TestW8AnAnswerTakesAsLongAsItTakesToType(t *testing.T) {
	r := unlinkedRig(t)
	var asked []time.Duration
	r.opts.Host.Jitter = func(d time.Duration) time.Duration { asked = append(asked, d); return 0 }
	c := r.channel()
	for _, text := range []string{"hi", strings.Repeat("word ", 1000)} {
		if !c.simulateTyping(t.Context(), text) {
			t.Error("it gave up")
		}
	}
	if asked[0] != 2*typingPerRune || asked[1] != maxTyping {
		t.Errorf("it takes up to %v", asked)
	}
	r.opts.Host.Jitter = func(time.Duration) time.Duration { return time.Hour }
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r.channel().simulateTyping(ctx, "hi") {
		t.Error("it waits although nobody does any more")
	}
}

func TestW8ASendWaitsThatLong(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	var asked atomic.Int64
	r.opts.Host.Jitter = func(d time.Duration) time.Duration { asked.Add(int64(d)); return 0 }
	s := r.start()
	r.says(ann, ownJID, "hello")
	m := s.next(0)
	s.answers("k", m, "hi")
	if got := time.Duration(asked.Load()); got != 2*typingPerRune {
		t.Errorf("it takes up to %s", got)
	}
}

func TestW6AChunkIsCutAtFourThousandRunes(t *testing.T) {
	limits := unlinkedRig(t).channel().Limits()
	text := strings.Repeat("שלום 😀 ", 2000)
	chunks := channels.Split(text, limits)
	if len(chunks) < 3 {
		t.Errorf("%d runes became %d chunks", utf8.RuneCountInString(text), len(chunks))
	}
	for _, c := range chunks {
		if n := utf8.RuneCountInString(limits.Format(c)); n > 4000 {
			t.Errorf("a chunk of %d runes", n)
		}
	}
}

func TestW10TheSessionIsPrivateAndUsedByOneProcess(t *testing.T) {
	r := newRig(t)
	s := r.start()
	for _, file := range []string{"", "-wal", "-shm", ".lock"} {
		info, err := os.Stat(r.opts.Database + file)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %o", info.Name(), mode)
		}
	}
	if _, err := New(t.Context(), r.opts); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("opened twice: %v", err)
	}
	if err := Login(t.Context(), r.opts, LoginOptions{}); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("login while it runs: %v", err)
	}
	s.stop()
	if err := Login(t.Context(), r.opts, LoginOptions{}); err == nil || !strings.Contains(err.Error(), "log out first") {
		t.Errorf("linked twice: %v", err)
	}
}

func TestW10ACodeIsTypedIntoThePhone(t *testing.T) {
	r := unlinkedRig(t)
	r.login(LoginOptions{Phone: "+" + ownPhone, Show: func(c Code) {
		shownSecrets.mu.Lock()
		shownSecrets.codes = append(shownSecrets.codes, c.PairingCode)
		shownSecrets.mu.Unlock()
		if len(c.PairingCode) != 9 || c.Valid != 160*time.Second || c.QR != "" {
			t.Errorf("shown %+v", c)
		}
		if err := r.server.Type(c.PairingCode, ownPhone, ownLID, "Familiar"); err != nil {
			t.Error(err)
		}
	}})
	r.start()
}

func TestW10ANewCodeFollowsAnUnusedOne(t *testing.T) {
	for name, phone := range map[string]string{"to scan": "", "to type": "+" + ownPhone} {
		t.Run(name, func(t *testing.T) {
			r := unlinkedRig(t)
			var codes []Code
			r.login(LoginOptions{Phone: phone, Show: func(c Code) {
				codes = append(codes, c)
				shownSecrets.mu.Lock()
				shownSecrets.codes = append(shownSecrets.codes, c.PairingCode+c.Link)
				shownSecrets.mu.Unlock()
				switch {
				case len(codes) == 1:
					r.server.Expire()
				case phone == "":
					r.scan(c)
				default:
					if err := r.server.Type(c.PairingCode, ownPhone, ownLID, "Familiar"); err != nil {
						t.Error(err)
					}
				}
			}})
			if len(codes) != 2 || codes[0].QR == codes[1].QR && codes[0].PairingCode == codes[1].PairingCode {
				t.Fatalf("%d codes were shown", len(codes))
			}
			if drawn := strings.Contains(codes[0].QR, "█"); drawn != (phone == "") {
				t.Errorf("the code is drawn as %q", codes[0].QR)
			}
			r.start()
		})
	}
}

func TestW10LoginEndsWithItsContext(t *testing.T) {
	r := unlinkedRig(t)
	ctx, cancel := context.WithCancel(t.Context())
	if err := Login(ctx, r.opts, LoginOptions{Show: func(Code) { cancel() }}); !errors.Is(err, context.Canceled) {
		t.Errorf("login ended with %v", err)
	}
}

func TestW10LogoutTakesTheDeviceOffTheAccount(t *testing.T) {
	r := newRig(t)
	if err := Logout(t.Context(), r.opts); err != nil {
		t.Fatal(err)
	}
	if n := r.server.Count("unlinked", ownPhone); n != 1 {
		t.Errorf("unlinked %d times", n)
	}
	if state := r.lastState(); state != notLinked {
		t.Errorf("logged out it is %+v", state)
	}
	if state := r.run(r.channel()).fatal(); state.Phase != channels.LoggedOut {
		t.Errorf("run after that it ends with %+v", state)
	}
	if err := Logout(t.Context(), r.opts); err == nil {
		t.Error("logged out twice")
	}
}

func TestW11AnswersExpireWithTheirChat(t *testing.T) {
	const week = 7 * 24 * 3600
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	if _, err := ann.Send(t.Context(), ownJID, "", &waE2E.Message{ExtendedTextMessage: &waE2E.ExtendedTextMessage{
		Text: proto.String("this will fade"), ContextInfo: &waE2E.ContextInfo{Expiration: proto.Uint32(week)},
	}}); err != nil {
		t.Fatal(err)
	}
	m := s.next(0)
	if m.ExpiresAfter != week*time.Second {
		t.Errorf("fades after %s", m.ExpiresAfter)
	}
	s.answers("k1", m, "so will this")
	s.stop()
	s = r.start()
	if err := s.tells("k2", m.Room.ID, "and this"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "both are shown", func() bool { return len(ann.Shown(ownJID)) == 2 })
	for _, e := range ann.Received() {
		if got := e.Message.GetExtendedTextMessage().GetContextInfo().GetExpiration(); got != week {
			t.Errorf("%q fades after %d seconds", whatsapptest.Text(e.Message), got)
		}
	}
	r.says(ann, ownJID, "this stays")
	m = s.next(0)
	s.answers("k3", m, "so does this")
	if err := s.tells("k4", m.Room.ID, "and this, too"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "all are shown", func() bool { return len(ann.Shown(ownJID)) == 4 })
	for _, e := range ann.Received()[2:] {
		if got := e.Message.GetExtendedTextMessage().GetContextInfo().GetExpiration(); m.ExpiresAfter != 0 || got != 0 {
			t.Errorf("%q fades after %d seconds", whatsapptest.Text(e.Message), got)
		}
	}
}

func TestSendErrorsSayTheFateOfTheMessage(t *testing.T) {
	tests := []struct {
		code int
		want channels.SendKind
	}{
		{429, channels.RateLimited},
		{403, channels.Permanent},
		{463, channels.Permanent},
		{500, channels.Temporary},
	}
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	r.says(ann, ownJID, "hello")
	m := s.next(0)
	for _, test := range tests {
		r.server.AddFault(whatsapptest.Fault{At: whatsapptest.Receiving, Phone: ownPhone, Effect: whatsapptest.Refuse, Code: test.code})
		_, err := s.reply("k", m, "hi")
		if e := (*channels.SendError)(nil); !errors.As(err, &e) || e.Kind != test.want {
			t.Errorf("refused with %d: %v, want %s", test.code, err, test.want)
		}
	}
	for _, nowhere := range []string{"nowhere", "", "+", "x@s.example", types.NewJID("120363999", types.GroupServer).String()} {
		m.Room.ID = nowhere
		if _, err := s.reply("k", m, "hi"); channels.Kind(err) != channels.Permanent {
			t.Errorf("sent to %q: %v", nowhere, err)
		}
	}
	s.answers("k", s.next(0), "hi")
}
