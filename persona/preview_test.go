package persona_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/persona"
	"familiar/persona/plain"
	"familiar/persona/scene"
)

// window is a desk with previews and a small message limit.
type window struct {
	*desk
	mu    sync.Mutex
	shown []string
	// left returns the remaining previews by key.
	left map[string]bool
}

func (*window) Limits() channels.Limits { return channels.Limits{Text: 12, Idempotent: true} }

func (w *window) Preview(_ context.Context, _ channels.Room, key, _ string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shown = append(w.shown, key)
	if w.left == nil {
		w.left = map[string]bool{}
	}
	w.left[key] = true
	return nil
}

func (w *window) CancelPreview(_ context.Context, _ channels.Room, key string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.left, key)
	return nil
}

// Send finishes the preview.
func (w *window) Send(ctx context.Context, out channels.Outgoing) (channels.Receipt, error) {
	receipt, err := w.desk.Send(ctx, out)
	if err == nil {
		err = w.CancelPreview(ctx, out.Room, out.Key)
	}
	return receipt, err
}

func (w *window) orphans() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.left)
}

// appears waits until n previews were shown and reports whether they were. One that is not shown is not waited for long.
func (w *window) appears(n int, wait time.Duration) bool {
	for begun := time.Now(); time.Since(begun) < wait; time.Sleep(time.Millisecond) {
		w.mu.Lock()
		shown := len(w.shown)
		w.mu.Unlock()
		if shown >= n {
			return true
		}
	}
	return false
}

// aloud is a voice whose answers have several chunks and grow in a preview.
type aloud struct {
	scene.Voice
	w *window
}

func (a aloud) Reply(_ context.Context, _ scene.Scene, show func(string)) (scene.Reply, error) {
	show("A heron")
	a.w.appears(1, 50*time.Millisecond)
	return scene.Reply{Text: "A heron stood in the reeds.", Voice: "aloud"}, nil
}

// TestA7RepliesAreShownOneAfterTheOther has the second chunk of a reply wait, in this process and in the next,
// while another answer is written.
func TestA7RepliesAreShownOneAfterTheOther(t *testing.T) {
	var w *window
	serve := func(p *persona.Parts) {
		w = &window{desk: p.Channels[0].(*desk)}
		w.refuse = func(out channels.Outgoing) error {
			if out.Key[len(out.Key)-2:] == "-0" {
				return nil
			}
			return &channels.SendError{Kind: channels.RateLimited, RetryAfter: time.Hour, Err: errors.New("too many requests")}
		}
		p.Channels, p.Voice = []channels.Channel{w}, aloud{w: w}
	}
	s := play(t, serve)
	s.say("ann", "I saw a heron.")
	if len(w.shown) != 1 {
		t.Fatalf("the first reply was shown %d times while it was written", len(w.shown))
	}
	s.say("ann", "Where was it?")
	if len(w.shown) != 1 {
		t.Error("the second reply is shown before the first has ended")
	}
	s.quit()
	again := playOn(t, s.store, s.clock, serve)
	again.say("ann", "Where was it?")
	if len(w.shown) != 0 {
		t.Error("the third reply is shown before the first has ended")
	}
	if said := again.say("bob", "I saw a heron."); said == "" || len(w.shown) != 1 {
		t.Error("bob waits for ann")
	}
}

// halting is a voice that shows the start of an answer and waits there until it is released or canceled.
type halting struct{ slow }

func (h halting) Reply(ctx context.Context, sc scene.Scene, show func(string)) (scene.Reply, error) {
	show("A heron")
	h.speaking <- struct{}{}
	select {
	case <-h.release:
		return h.Voice.Reply(ctx, sc, nil)
	case <-ctx.Done():
		return scene.Reply{}, ctx.Err()
	}
}

// TestThePreviewOfACancelledAnswerIsDeleted changes a message once the preview of its answer is shown.
func TestThePreviewOfACancelledAnswerIsDeleted(t *testing.T) {
	for name, c := range map[string]struct {
		// does is the action on the message that is being answered.
		does func(s *stage, m channels.Message) channels.Message
		// next is the message after it.
		next string
		// answers is the expected number of answers, previews the number of preview keys.
		answers, previews int
	}{
		"deleted": {func(s *stage, m channels.Message) channels.Message {
			return s.does("ann", channels.Delete, m.ID, "")
		}, "", 0, 1},
		"deleted, and more was said": {func(s *stage, m channels.Message) channels.Message {
			return s.does("ann", channels.Delete, m.ID, "")
		}, "I saw a stork.", 1, 2},
		"edited": {func(s *stage, m channels.Message) channels.Message {
			return s.does("ann", channels.Edit, m.ID, "I saw a stork.")
		}, "", 1, 1},
		"stopped before a word": {func(s *stage, _ channels.Message) channels.Message {
			return s.message("ann", "stop")
		}, "", 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			voice := halting{slow{plain.New(), make(chan struct{}, 8), make(chan struct{}, 8)}}
			var w *window
			s := play(t, func(p *persona.Parts) {
				w = &window{desk: p.Channels[0].(*desk)}
				p.Channels, p.Voice = []channels.Channel{w}, voice
			})
			said := s.message("ann", "I saw a heron.")
			s.hear(said)
			<-voice.speaking
			if !w.appears(1, 10*time.Second) || w.orphans() != 1 {
				t.Fatal("the beginning of the answer is not shown")
			}
			if c.next != "" {
				s.hear(s.message("ann", c.next))
			}
			s.hear(c.does(s, said))
			if c.answers > 0 {
				<-voice.speaking
				voice.release <- struct{}{}
			}
			s.rest()
			keys := map[string]bool{}
			for _, key := range w.shown {
				keys[key] = true
			}
			if w.orphans() != 0 || len(keys) != c.previews {
				t.Errorf("%d previews of %d stay", w.orphans(), len(keys))
			}
			answered := map[string]bool{}
			for _, out := range s.desk.in(said.Room) {
				answered[out.Key[:len(out.Key)-2]] = true
			}
			if len(answered) != c.answers {
				t.Errorf("%d answers, want %d", len(answered), c.answers)
			}
		})
	}
}

// hanging is a network whose preview hangs until it is let go.
type hanging struct {
	*window
	begun, release chan struct{}
}

func (h hanging) Preview(ctx context.Context, room channels.Room, key, soFar string) error {
	h.begun <- struct{}{}
	<-h.release
	return h.window.Preview(ctx, room, key, soFar)
}

// TestR3AReplyIsStoredBeforeItsPreviewSettles has a preview hang: neither the voice nor the record of its reply waits for it, but
// the reply is sent only afterwards, in the same place.
func TestR3AReplyIsStoredBeforeItsPreviewSettles(t *testing.T) {
	h := hanging{begun: make(chan struct{}, 8), release: make(chan struct{})}
	s := play(t, func(p *persona.Parts) {
		h.window = &window{desk: p.Channels[0].(*desk)}
		p.Channels, p.Voice = []channels.Channel{h}, announcing{h.begun}
	})
	m := s.message("ann", "I saw a heron.")
	s.hear(m)
	if !stored(t, s, m.Room) {
		t.Fatal("the reply is not in the outbox while its preview is shown")
	}
	room, err := s.store.Log.RoomByAddress(t.Context(), m.Room)
	if err != nil {
		t.Fatal(err)
	}
	s.engine.WakeSender(room) // as a look into the queue does
	time.Sleep(50 * time.Millisecond)
	if n := s.desk.count(m.Room); n != 0 {
		t.Errorf("%d chunks were sent while the preview was shown", n)
	}
	close(h.release)
	s.rest()
	if n := s.desk.count(m.Room); n == 0 || h.orphans() != 0 {
		t.Errorf("%d chunks, and %d previews left", n, h.orphans())
	}
}

// announcing is a voice that ends while its preview is being shown.
type announcing struct{ begun chan struct{} }

func (a announcing) Reply(_ context.Context, _ scene.Scene, show func(string)) (scene.Reply, error) {
	show("A heron")
	<-a.begun
	for range 100 { // none of these waits
		show("A heron stood")
	}
	return scene.Reply{Text: "A heron stood in the reeds.", Voice: "announcing"}, nil
}

func (announcing) Name() string { return "announcing" }

// stored waits until a reply is in the outbox of a room.
func stored(t *testing.T, s *stage, room channels.Room) bool {
	t.Helper()
	for begun := time.Now(); time.Since(begun) < 10*time.Second; time.Sleep(time.Millisecond) {
		if r, err := s.store.Log.RoomByAddress(t.Context(), room); err == nil {
			if out, err := s.store.Log.NextOutbox(t.Context(), "tess", r.ID); err == nil && out.Text != "" {
				return true
			}
		}
	}
	return false
}

// broken is a network whose previews panic.
type broken struct{ *window }

func (broken) Preview(context.Context, channels.Room, string, string) error { panic("a bug") }

func TestAPreviewThatPanicsStopsNothing(t *testing.T) {
	s := play(t, func(p *persona.Parts) {
		p.Channels, p.Voice = []channels.Channel{broken{&window{desk: p.Channels[0].(*desk)}}}, aloud{w: &window{}}
	})
	if said := s.say("ann", "I saw a heron."); !strings.HasPrefix(said, "A heron") {
		t.Errorf("it says %q", said)
	}
}
