package persona_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/memory/entry"
	"familiar/memory/memorytest"
	"familiar/persona"
	"familiar/persona/plain"
	"familiar/persona/scene"
)

// inGroup returns m as sent in a group.
func inGroup(id string, m channels.Message) channels.Message {
	m.Room, m.Direct = channels.Room{Channel: "desk", ID: id}, false
	return m
}

// TestT6AMovedRoomIsFollowed learns of the move from a refused send: the chunk is sent again to the new id, and messages
// from there belong to the same room.
func TestT6AMovedRoomIsFollowed(t *testing.T) {
	s := play(t, nil)
	s.answer(inGroup("old", s.message("ann", "My dog is called Rex.")))
	s.desk.refuse = func(out channels.Outgoing) error {
		if out.Room.ID == "old" {
			return &channels.SendError{Kind: channels.Moved, NewRoomID: "new", Err: errors.New("group was upgraded")}
		}
		return nil
	}
	s.answer(inGroup("old", s.message("ann", "What is my dog called?")))
	said := s.desk.in(channels.Room{Channel: "desk", ID: "new"})
	if len(said) != 1 || !strings.Contains(said[0].Text, "Rex") {
		t.Fatalf("said in the new room %+v", said)
	}
	s.n = 0 // the network counts again there
	again := s.answer(inGroup("new", s.message("ann", "Do you remember my dog's name?")))
	s.has(again, "Rex")
	s.n = 10
	s.answer(inGroup("old", s.message("ann", "What is my dog called, I ask?"))) // delivered late
	if n := s.desk.count(channels.Room{Channel: "desk", ID: "new"}); n != 3 {
		t.Errorf("%d answers in the new room, want 3", n)
	}
	rooms, err := s.store.Log.Rooms(t.Context())
	if err != nil || len(rooms) != 1 {
		t.Errorf("the rooms are %+v, %v", rooms, err)
	}
}

// TestT6ReportedMoveMergesRooms receives a message from the new id before the report of the move.
func TestT6ReportedMoveMergesRooms(t *testing.T) {
	s := play(t, nil)
	s.answer(inGroup("old", s.message("ann", "My dog is called Rex.")))
	s.answer(inGroup("new", s.message("ann", "My cat is called Ada.")))
	move := inGroup("old", s.message("ann", ""))
	move.Action, move.TargetID, move.Author = channels.Move, "new", channels.Author{}
	for range 2 {
		s.answer(move)
	}
	s.has(s.answer(inGroup("new", s.message("ann", "What is my dog called?"))), "Rex")
	s.has(s.answer(inGroup("new", s.message("ann", "What is my cat called?"))), "Ada")
	rooms, err := s.store.Log.Rooms(t.Context())
	if err != nil || len(rooms) != 1 || rooms[0].Room.ID != "new" {
		t.Errorf("the rooms are %+v, %v", rooms, err)
	}
}

// TestT6EndlessRoomMovesAreGivenUp leads from one id to the next without end.
func TestT6EndlessRoomMovesAreGivenUp(t *testing.T) {
	s := play(t, nil)
	sends := 0
	s.desk.refuse = func(out channels.Outgoing) error {
		sends++
		return &channels.SendError{Kind: channels.Moved, NewRoomID: out.Room.ID + "+", Err: errors.New("group was upgraded")}
	}
	s.answer(inGroup("old", s.message("ann", "Hello there.")))
	if dead := s.dead(); sends != 2 || dead != 1 {
		t.Errorf("sent %d times, %d dead letters", sends, dead)
	}
}

// lingering is a desk that is slow with one text.
type lingering struct {
	*desk
	text   string
	began  chan struct{} // holds one for each time it was sent
	finish chan struct{}
}

func (d lingering) Send(ctx context.Context, out channels.Outgoing) (channels.Receipt, error) {
	if out.Text == d.text {
		d.began <- struct{}{}
		<-d.finish
	}
	return d.desk.Send(ctx, out)
}

// TestT6ReplyDuringARoomMoveIsSentOnce learns of the move while an answer to the new id is in flight.
func TestT6ReplyDuringARoomMoveIsSentOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := lingering{text: "heard: slowly", began: make(chan struct{}, 8), finish: make(chan struct{})}
		s := play(t, func(p *persona.Parts) {
			d.desk = p.Channels[0].(*desk)
			p.Voice, p.Now, p.Channels = &echo{}, time.Now, []channels.Channel{d}
		})
		s.answer(inGroup("old", s.message("ann", "hello")))
		s.hear(inGroup("new", s.message("ann", "slowly")))
		<-d.began
		move := inGroup("old", s.message("ann", ""))
		move.Action, move.TargetID, move.Author = channels.Move, "new", channels.Author{}
		s.hear(move)
		s.hear(inGroup("new", s.message("ann", "and then")))
		time.Sleep(time.Minute)
		if n := len(d.began); n != 0 {
			t.Errorf("it was sent %d times more", n)
		}
		close(d.finish)
		s.rest()
		var said []string
		for _, out := range s.desk.in(channels.Room{Channel: "desk", ID: "new"}) {
			said = append(said, out.Text)
		}
		if want := []string{"heard: slowly", "heard: and then"}; !slices.Equal(said, want) {
			t.Errorf("said %q, want %q", said, want)
		}
		s.quit()
	})
}

func (s *stage) dead() int {
	s.t.Helper()
	dead, err := s.store.Log.DeadLetters(s.t.Context(), "tess")
	if err != nil {
		s.t.Fatal(err)
	}
	return len(dead)
}

// TestD11BlockedUserIsLeftAloneUntilTheyWrite checks the flag that proactive messages depend on.
func TestD11BlockedUserIsLeftAloneUntilTheyWrite(t *testing.T) {
	s := play(t, nil)
	m, _ := s.told("ann", "Hello there.")
	alone := func() bool {
		p, err := s.store.Log.PersonByHandle(t.Context(), m.Author.Handle)
		if err != nil {
			t.Fatal(err)
		}
		return !p.BlockedAt.IsZero()
	}
	blocked := &channels.SendError{Kind: channels.Blocked, Err: errors.New("cannot send messages to this user")}
	s.desk.refuse = func(channels.Outgoing) error { return blocked }
	s.told("ann", "Are you there?")
	if !alone() || s.dead() != 1 {
		t.Errorf("left alone %v, %d dead letters", alone(), s.dead())
	}
	s.desk.refuse = nil
	s.arrive("ann")
	if !alone() {
		t.Error("opening the chat is not writing")
	}
	if s.told("ann", "Hello again."); alone() {
		t.Error("they have written and are still left alone")
	}
}

// TestSentReturnsAChunkUntilItIsForgotten covers networks that request messages again that a device could not decrypt.
func TestSentReturnsAChunkUntilItIsForgotten(t *testing.T) {
	s := play(t, nil)
	limits := channels.Limits{Idempotent: true}
	m, _ := s.told("ann", "My dog is called Rex.")
	s.told("ann", "/memory")
	for _, out := range s.desk.in(m.Room) {
		if got, err := persona.Sent(t.Context(), s.store, limits, out.Key); err != nil || got != out.Text {
			t.Errorf("under %s stands %q, %v, want %q", out.Key, got, err, out.Text)
		}
	}
	s.clock.Advance(13 * 24 * time.Hour)
	s.prune()
	sent := s.desk.in(m.Room)
	if _, err := persona.Sent(t.Context(), s.store, limits, sent[1].Key); err != nil {
		t.Errorf("after 13 days: %v", err)
	}
	memories, err := s.store.Entries.ListMemories(t.Context(), entry.MemoryFilter{Text: "Rex"})
	if err != nil || len(memories) != 1 {
		t.Fatal(memories, err)
	}
	if _, err := s.store.Eraser.Forget(t.Context(), memories[0].ID); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{sent[0].Key, sent[1].Key, sent[0].Key + "9", "nonsense", "reply-0-0"} {
		if got, err := persona.Sent(t.Context(), s.store, limits, key); !errors.Is(err, channels.ErrNotFound) {
			t.Errorf("under %s stands %q, %v", key, got, err)
		}
	}
}

// TestCommandAnswersAreStoredForTwoWeeks: answers to commands expire; a reply stays as long as its message.
func TestCommandAnswersAreStoredForTwoWeeks(t *testing.T) {
	s := play(t, nil)
	m, _ := s.told("ann", "My dog is called Rex.")
	s.told("ann", "/memory")
	s.clock.Advance(15 * 24 * time.Hour)
	s.prune()
	for i, want := range []error{nil, channels.ErrNotFound} {
		if _, err := persona.Sent(t.Context(), s.store, channels.Limits{}, s.desk.in(m.Room)[i].Key); !errors.Is(err, want) {
			t.Errorf("message %d: %v, want %v", i, err, want)
		}
	}
}

func (s *stage) prune() {
	s.t.Helper()
	if _, err := s.store.Eraser.Prune(s.t.Context(), s.clock.Now()); err != nil {
		s.t.Fatal(err)
	}
}

// stuck is a desk on which sends to one room never end.
type stuck struct {
	*desk
	rooms map[string]bool
}

func (d stuck) Send(ctx context.Context, out channels.Outgoing) (channels.Receipt, error) {
	if d.rooms[out.Room.ID] {
		<-ctx.Done()
		return channels.Receipt{}, ctx.Err()
	}
	return d.desk.Send(ctx, out)
}

// TestR13HangingRoomsDelayNoOther has more hanging rooms than any limit on parallel sends.
func TestR13HangingRoomsDelayNoOther(t *testing.T) {
	hung := map[string]bool{}
	s := play(t, func(p *persona.Parts) { p.Channels = []channels.Channel{stuck{p.Channels[0].(*desk), hung}} })
	for i := range 64 {
		m := s.message("ann"+strings.Repeat("n", i), "Hello there.")
		hung[m.Room.ID] = true
	}
	shown := make(chan struct{})
	s.desk.refuse = func(channels.Outgoing) error { close(shown); return nil }
	for id := range hung {
		s.hear(s.message(id, "Hello there."))
	}
	s.hear(s.message("bob", "Hello there."))
	select {
	case <-shown:
	case <-time.After(20 * time.Second):
		t.Error("bob waits for the others")
	}
}

// TestA8RetryAfterIsHonouredExactly waits as long as asked and its jitter, not less, for that room alone.
func TestA8RetryAfterIsHonouredExactly(t *testing.T) {
	s := play(t, func(p *persona.Parts) { p.Jitter = func(most time.Duration) time.Duration { return most } })
	asked := 90 * time.Second
	s.desk.refuse = func(out channels.Outgoing) error {
		if out.Room.ID == "ann" {
			return &channels.SendError{Kind: channels.RateLimited, RetryAfter: asked, Err: errors.New("too many requests")}
		}
		return nil
	}
	s.told("ann", "Hello there.")
	if _, answer := s.told("bob", "Hello there."); answer == "" {
		t.Error("bob was not answered")
	}
	room, err := s.store.Log.RoomByAddress(t.Context(), channels.Room{Channel: "desk", ID: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.store.Log.NextOutbox(t.Context(), "tess", room.ID)
	if err != nil {
		t.Fatal(err)
	}
	if wait := out.NotBefore.Sub(s.clock.Now()); wait != asked+asked/4 {
		t.Errorf("due in %v, want %v and jitter", wait, asked)
	}
}

// indicator is a desk that records typing.
type indicator struct {
	*desk
	mu    sync.Mutex
	shown []typed
}

type typed struct {
	at time.Time
	on bool
}

func (d *indicator) Typing(_ context.Context, _ channels.Room, on bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shown = append(d.shown, typed{time.Now(), on})
	return nil
}

func (d *indicator) all() []typed {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.shown
}

// typing plays one message whose voice takes as long as it takes, with a debounce of two seconds.
func typing(t *testing.T, text string, voice scene.Voice, while time.Duration) (shown []typed, began time.Time) {
	t.Helper()
	d := &indicator{}
	s := play(t, func(p *persona.Parts) {
		d.desk = p.Channels[0].(*desk)
		p.Channels, p.Voice, p.Now = []channels.Channel{d}, voice, time.Now
		p.Settings.Quiet, p.Settings.Cap = 2*time.Second, 2*time.Second
	})
	m := s.message("ann", text)
	m.At = time.Now()
	began = time.Now()
	s.hear(m)
	time.Sleep(while)
	synctest.Wait()
	s.quit()
	return d.all(), began
}

// taking is a slow voice.
type taking struct {
	scene.Voice
	time time.Duration
	err  error
}

func (v taking) Reply(ctx context.Context, s scene.Scene, show func(string)) (scene.Reply, error) {
	t := time.NewTimer(v.time)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
		return scene.Reply{}, ctx.Err()
	}
	if v.err != nil {
		return scene.Reply{}, v.err
	}
	return v.Voice.Reply(ctx, s, show)
}

func TestA9TypingIsShownUntilTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shown, began := typing(t, "Hello there.", taking{Voice: plain.New(), time: 9 * time.Second}, time.Minute)
		if len(shown) != 3 || shown[0].at.Sub(began) > time.Second {
			t.Fatalf("received at %v, shown at %v", began, shown)
		}
		for i, s := range shown {
			if !s.on || i > 0 && s.at.Sub(shown[i-1].at) != 4*time.Second {
				t.Errorf("shown at %v", shown)
			}
		}
	})
}

func TestA9TypingEndsWithAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		voice := taking{err: errors.New("no words"), time: time.Second}
		shown, _ := typing(t, "Hello there.", voice, 3500*time.Millisecond) // before the retry
		if len(shown) != 2 || !shown[0].on || shown[1].on {
			t.Errorf("shown %v", shown)
		}
	})
}

func TestA9TypingEndsAfterFiveMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shown, began := typing(t, "Hello there.", taking{Voice: plain.New(), time: time.Hour}, 20*time.Minute)
		for _, s := range shown {
			if s.on && s.at.Sub(began) > 5*time.Minute {
				t.Errorf("shown %v after the message", s.at.Sub(began))
			}
		}
	})
}

// TestA9NoTypingWithoutAnswer checks that only slow answers show the indicator.
func TestA9NoTypingWithoutAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if shown, _ := typing(t, "/help", plain.New(), time.Minute); len(shown) != 0 {
			t.Errorf("typing for a command: %v", shown)
		}
	})
}

// TestAChannelPanicBlocksNoRoom panics in the channel with one answer, on a network that may have shown it.
func TestAChannelPanicBlocksNoRoom(t *testing.T) {
	s := play(t, func(p *persona.Parts) { p.Channels = []channels.Channel{plainDesk{p.Channels[0].(*desk)}} })
	s.desk.refuse = func(channels.Outgoing) error { panic("index out of range") }
	s.told("ann", "Hello there.")
	s.desk.refuse = nil
	if _, answer := s.told("ann", "My dog is called Rex."); answer == "" || s.dead() != 1 {
		t.Errorf("answered %q, %d dead letters", answer, s.dead())
	}
}

// TestRowsFromBeforeAClockChangeAreGivenUpAfterADay has the store's clock far ahead of the sender's.
func TestRowsFromBeforeAClockChangeAreGivenUpAfterADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, func(p *persona.Parts) { p.Voice, p.Now = &echo{}, time.Now })
		if !s.clock.Now().After(time.Now().AddDate(1, 0, 0)) {
			t.Fatal("the clocks do not differ")
		}
		s.desk.refuse = func(channels.Outgoing) error { return errors.New("no route to host") }
		s.hear(s.message("ann", "hello"))
		time.Sleep(20 * time.Hour)
		if n := s.dead(); n != 0 {
			t.Errorf("%d dead letters within a day", n)
		}
		time.Sleep(20 * time.Hour)
		if n := s.dead(); n != 1 {
			t.Errorf("%d dead letters after a day, want 1", n)
		}
		s.quit()
	})
}

// brittleDesk is a desk whose format panics at one word.
type brittleDesk struct{ *desk }

func (brittleDesk) Limits() channels.Limits {
	return channels.Limits{Text: 1000, Format: func(md string) string {
		if strings.Contains(md, "crash") {
			panic("index out of range")
		}
		return md
	}}
}

// TestAPanicWhileSplittingBlocksNoRoom panics with one text, and again at each start.
func TestAPanicWhileSplittingBlocksNoRoom(t *testing.T) {
	s := play(t, func(p *persona.Parts) {
		p.Voice, p.Channels = &echo{}, []channels.Channel{brittleDesk{p.Channels[0].(*desk)}}
	})
	s.told("ann", "crash")
	if _, answer := s.told("ann", "hello"); answer != "heard: hello" || s.dead() != 1 {
		t.Errorf("answered %q, %d dead letters", answer, s.dead())
	}
}

// plainDesk is a desk on a network without idempotency keys.
type plainDesk struct{ *desk }

func (plainDesk) Limits() channels.Limits { return channels.Limits{} }

// terse is a network with a small message limit and no keys.
type terse struct{ *desk }

func (terse) Limits() channels.Limits { return channels.Limits{Text: 12} }

func TestA2StopBetweenChunksLeavesOnlyTheRest(t *testing.T) {
	clock := new(memorytest.Clock)
	store := memorytest.OpenAt(t, clock)
	begin := func() *stage {
		return playOn(t, store, clock, func(p *persona.Parts) {
			p.Voice, p.Channels = &echo{}, []channels.Channel{terse{p.Channels[0].(*desk)}}
		})
	}
	var said []string
	note := func(s *stage) {
		for _, out := range s.desk.in(channels.Room{Channel: "desk", ID: "ann"}) {
			said = append(said, out.Text)
		}
	}
	s := begin()
	s.desk.refuse = func(channels.Outgoing) error { s.stop(); return nil }
	s.hear(s.message("ann", "one two three four five six"))
	s.ended <- <-s.ended // as soon as the first chunk is recorded
	note(s)
	if len(said) != 1 {
		t.Fatalf("said before the end: %q", said)
	}
	s = begin()
	s.rest()
	note(s)
	if got := strings.Join(said, ""); got != "heard: one two three four five six" {
		t.Errorf("said in all: %q", said)
	}
}

// TestA2LostResponseIsRetriedOnlyWithKeys has an ambiguous first send.
func TestA2LostResponseIsRetriedOnlyWithKeys(t *testing.T) {
	for name, tc := range map[string]struct {
		network     func(*desk) channels.Channel
		tries, dead int
	}{
		"with keys":    {func(d *desk) channels.Channel { return d }, 2, 0},
		"without keys": {func(d *desk) channels.Channel { return terse{d} }, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := play(t, func(p *persona.Parts) {
					p.Voice, p.Now, p.Channels = &echo{}, time.Now, []channels.Channel{tc.network(p.Channels[0].(*desk))}
				})
				tries := 0
				s.desk.refuse = func(channels.Outgoing) error {
					if tries++; tries == 1 {
						return &channels.SendError{Kind: channels.Ambiguous, Err: errors.New("no answer")}
					}
					return nil
				}
				s.hear(s.message("ann", "hi"))
				time.Sleep(time.Hour)
				dead, err := s.store.Log.DeadLetters(t.Context(), "tess")
				if err != nil || tries != tc.tries || len(dead) != tc.dead {
					t.Errorf("tried %d times, dead letters %+v (%v), want %d and %d", tries, dead, err, tc.tries, tc.dead)
				}
				s.quit()
			})
		})
	}
}
