package persona_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/turns"
	"familiar/persona"
	"familiar/persona/plain"
	"familiar/persona/scene"
)

// does returns an action of a person on a message in their direct room.
func (s *stage) does(who string, act channels.Action, of, text string) channels.Message {
	m := s.message(who, text)
	m.Action, m.TargetID, m.Addressed = act, of, false
	return m
}

// told sends text as a person and returns the message and the answer.
func (s *stage) told(who, text string) (channels.Message, string) {
	s.t.Helper()
	m := s.message(who, text)
	return m, s.answer(m)
}

func (s *stage) hasNot(text string, words ...string) {
	s.t.Helper()
	for _, word := range words {
		if strings.Contains(text, word) {
			s.t.Errorf("%q speaks of %q", text, word)
		}
	}
}

func (s *stage) has(text, word string) {
	s.t.Helper()
	if !strings.Contains(text, word) {
		s.t.Errorf("%q does not speak of %q", text, word)
	}
}

// TestA12EditReplacesWhatWasLearned edits an answered message that yielded a belief.
func TestA12EditReplacesWhatWasLearned(t *testing.T) {
	s := play(t, nil)
	s.told("ann", "I live in Oslo.")
	moved, _ := s.told("ann", "I live in Bergen now.")
	edit := s.does("ann", channels.Edit, moved.ID, "I live in Lima now.")
	for range 3 {
		if got := s.answer(edit); got != "" {
			t.Errorf("an edit was answered: %q", got)
		}
	}
	got := s.say("ann", "Where do I live?")
	s.has(got, "Lima")
	s.hasNot(got, "Bergen")
	got = s.say("ann", "/memory")
	s.has(got, "Lima")
	s.hasNot(got, "Bergen")
	facts, memories, _ := strings.Cut(got, "Memories:")
	if n := max(strings.Count(facts, "Lima"), strings.Count(memories, "Lima")); n != 1 {
		t.Errorf("Lima is remembered %d times:\n%s", n, got)
	}
}

// TestA12EditRetractsBeliefs restores a belief that only the old text had replaced.
func TestA12EditRetractsBeliefs(t *testing.T) {
	for name, replaced := range map[string]string{
		"changed": "I live in Bergen now.", "denied": "I don't live in Oslo.", "corrected": "No, I live in Bergen, not Oslo.",
	} {
		t.Run(name, func(t *testing.T) {
			s := play(t, nil)
			s.told("ann", "I live in Oslo.")
			m, _ := s.told("ann", replaced)
			s.answer(s.does("ann", channels.Edit, m.ID, "What a day!"))
			got := s.say("ann", "Where do I live?")
			s.has(got, "Oslo")
			s.hasNot(got, "Bergen")
		})
	}
}

func TestA12EditMovesPlan(t *testing.T) {
	s := play(t, nil)
	m, _ := s.told("ann", "I have a dentist appointment on Friday.")
	s.answer(s.does("ann", channels.Edit, m.ID, "I have a piano lesson on Friday."))
	if loops := s.open(m.Room); len(loops) != 1 || !strings.Contains(loops[0].Text, "piano") {
		t.Errorf("open are %+v", loops)
	}
}

// TestA12EditClosesAndReopensLoops edits a message that closed a loop.
func TestA12EditClosesAndReopensLoops(t *testing.T) {
	const off, went = "The dentist appointment got cancelled.", "The dentist appointment went well."
	for name, tc := range map[string]struct {
		later    time.Duration // after the plan
		was, now string
		open     int
	}{
		"falls away":          {time.Hour, "What a day!", off, 0},
		"is over":             {14 * 24 * time.Hour, "What a day!", went, 0},
		"falls away after it": {14 * 24 * time.Hour, went, off, 0},
		"is on after all":     {time.Hour, off, "What a day!", 1},
		"is not over yet":     {14 * 24 * time.Hour, went, "What a day!", 1},
		"is moved":            {time.Hour, off, "The dentist appointment was moved to Monday.", 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := play(t, nil)
			s.told("ann", "I have a dentist appointment on Friday.")
			s.clock.Advance(tc.later)
			m, _ := s.told("ann", tc.was)
			s.answer(s.does("ann", channels.Edit, m.ID, tc.now))
			if open := s.open(m.Room); len(open) != tc.open {
				t.Errorf("open are %+v", open)
			}
			if planned := s.plans(m.Room); planned != tc.open {
				t.Errorf("%d plans are believed", planned)
			}
		})
	}
}

// TestA12EditClosesNoLaterLoop edits a message from before a loop was opened.
func TestA12EditClosesNoLaterLoop(t *testing.T) {
	s := play(t, nil)
	m, _ := s.told("ann", "What a day!")
	s.told("ann", "I have a dentist appointment on Friday.")
	s.answer(s.does("ann", channels.Edit, m.ID, "The dentist appointment got cancelled."))
	if open := s.open(m.Room); len(open) != 1 {
		t.Errorf("open are %+v", open)
	}
}

// hearing returns the visibility of a direct room, and its person.
func (s *stage) hearing(at channels.Room) (memory.Visibility, int64) {
	s.t.Helper()
	room, err := s.store.Log.RoomByAddress(s.t.Context(), at)
	if err != nil {
		s.t.Fatal(err)
	}
	h, err := s.store.Log.Visibility(s.t.Context(), "tess", room.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	return h, room.PersonID
}

// open returns the open loops with the person of a direct room.
func (s *stage) open(at channels.Room) []model.Loop {
	s.t.Helper()
	h, person := s.hearing(at)
	loops, err := s.store.Beliefs.Loops(s.t.Context(), h, person)
	if err != nil {
		s.t.Fatal(err)
	}
	return loops
}

// plans counts the believed plans of the person of a direct room.
func (s *stage) plans(at channels.Room) (n int) {
	s.t.Helper()
	h, person := s.hearing(at)
	held, err := s.store.Beliefs.Beliefs(s.t.Context(), h, belief.Filter{SubjectPerson: person})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, b := range held {
		if b.Relation == "plan" && b.Status == model.Active {
			n++
		}
	}
	return n
}

// TestA12EditByAnotherAuthorIsIgnored is what a forged event would try.
func TestA12EditByAnotherAuthorIsIgnored(t *testing.T) {
	s := play(t, nil)
	room := channels.Room{Channel: "desk", ID: "group"}
	in := func(m channels.Message) channels.Message {
		m.Room, m.Direct = room, false
		return m
	}
	m := in(s.message("ann", "I live in Oslo."))
	s.answer(m)
	s.answer(in(s.message("bob", "Hello there.")))
	s.answer(in(s.does("bob", channels.Edit, m.ID, "I live in Lima.")))
	got := s.answer(in(s.message("ann", "Where do I live?")))
	s.has(got, "Oslo")
	s.hasNot(got, "Lima")
}

// TestA12DeletedMessageIsForgotten deletes a message together with the persona's answers derived from it.
func TestA12DeletedMessageIsForgotten(t *testing.T) {
	s := play(t, nil)
	m, _ := s.told("ann", "My dog is called Rex.")
	s.told("ann", "What is my dog called?")
	remove := s.does("", channels.Delete, m.ID, "")
	remove.Room, remove.Author = m.Room, channels.Author{} // networks do not always say who
	for range 2 {
		if got := s.answer(remove); got != "" {
			t.Errorf("a deletion was answered: %q", got)
		}
	}
	s.hasNot(s.say("ann", "What is my dog called?"), "Rex")
	s.hasNot(s.say("ann", "/memory"), "Rex")
	sessions, err := s.store.Turns.Sessions(t.Context(), turns.SessionFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, session := range sessions {
		talk, err := s.store.Turns.SessionMessages(t.Context(), session.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, said := range talk {
			s.hasNot(said.Text, "Rex")
		}
	}
}

// TestA12DeletionByAnotherAuthorIsIgnored deletes an answered and a pending message, each as another author.
func TestA12DeletionByAnotherAuthorIsIgnored(t *testing.T) {
	voice := slow{plain.New(), make(chan struct{}, 8), make(chan struct{}, 8)}
	s := play(t, func(p *persona.Parts) { p.Voice = voice })
	for range cap(voice.release) {
		voice.release <- struct{}{}
	}
	m := inGroup("pub", s.message("ann", "My dog is called Rex."))
	s.answer(m)
	said := s.desk.in(m.Room)[0]
	for _, of := range []string{m.ID, said.Key} {
		for _, who := range []string{"bob", "nobody"} {
			s.answer(inGroup("pub", s.message("bob", "Hello there.")))
			s.answer(inGroup("pub", s.does(who, channels.Delete, of, "")))
		}
	}
	s.has(s.answer(inGroup("pub", s.message("ann", "What is my dog called?"))), "Rex")
	for len(voice.release) > 0 {
		<-voice.release
	}
	for len(voice.speaking) > 0 {
		<-voice.speaking
	}
	waits := inGroup("pub", s.message("ann", "My cat is called Ada."))
	s.hear(waits)
	<-voice.speaking
	s.hear(inGroup("pub", s.does("bob", channels.Delete, waits.ID, "")))
	<-voice.speaking
	voice.release <- struct{}{}
	voice.release <- struct{}{}
	s.rest()
	s.has(s.answer(inGroup("pub", s.message("ann", "What is my cat called?"))), "Ada")
}

// TestA5EditDoesNotAddIgnoredMessage: in a group where only mentions are received, an edit of anything else is not, and
// one that mentions the persona is.
func TestA5EditDoesNotAddIgnoredMessage(t *testing.T) {
	s := play(t, nil)
	s.answer(inGroup("pub", s.message("ann", "Hello there.")))
	s.answer(inGroup("pub", s.does("ann", channels.Edit, "unheard", "My dog is called Rex.")))
	s.answer(inGroup("pub", s.message("ann", "What a day!")))
	s.hasNot(s.answer(inGroup("pub", s.message("ann", "What is my dog called?"))), "Rex")
	mention := inGroup("pub", s.does("ann", channels.Edit, "unheard too", "My cat is called Ada."))
	mention.Addressed = true
	s.answer(mention)
	s.has(s.answer(inGroup("pub", s.message("ann", "What is my cat called?"))), "Ada")
}

// TestReactionsThatNameNoThreadAreFound reacts to messages of a topic on a network that reports only the chat.
func TestReactionsThatNameNoThreadAreFound(t *testing.T) {
	s := play(t, nil)
	m := inGroup("forum", s.message("ann", "My dog is called Rex."))
	m.Room.Thread = "7"
	s.answer(m)
	reacts := inGroup("forum", s.does("bob", channels.React, m.ID, "👍"))
	s.answer(reacts)
	about, _, err := s.store.Log.MessageByExternalID(t.Context(), testCard().Key, m.Room, m.ID)
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.store.Log.Reactions(t.Context(), about.ID)
	if err != nil || len(all) != 1 || all[0].Emoji != "👍" {
		t.Errorf("the reactions are %+v, %v", all, err)
	}
	if rooms, err := s.store.Log.Rooms(t.Context()); err != nil || len(rooms) != 1 {
		t.Errorf("the rooms are %+v, %v", rooms, err)
	}
}

// slow is a voice that waits until it is released or canceled.
type slow struct {
	scene.Voice
	speaking chan struct{} // holds one for each time it began
	release  chan struct{}
}

func (v slow) Reply(ctx context.Context, s scene.Scene, show func(string)) (scene.Reply, error) {
	v.speaking <- struct{}{}
	select {
	case <-v.release:
	case <-ctx.Done():
		return scene.Reply{}, ctx.Err()
	}
	return v.Voice.Reply(ctx, s, show)
}

// TestA12EditBeforeAnswerIsAnswered edits a message while the voice is answering it.
func TestA12EditBeforeAnswerIsAnswered(t *testing.T) {
	voice := slow{plain.New(), make(chan struct{}, 8), make(chan struct{}, 8)}
	s := play(t, func(p *persona.Parts) { p.Voice = voice })
	voice.release <- struct{}{}
	m, _ := s.told("ann", "My dog is called Rex. My cat is called Ada.")
	<-voice.speaking
	ask := s.message("ann", "What is my dog called?")
	before := s.desk.count(m.Room)
	s.hear(ask)
	<-voice.speaking
	s.hear(s.does("ann", channels.Edit, ask.ID, "What is my cat called?"))
	<-voice.speaking
	voice.release <- struct{}{}
	s.rest()
	said := s.desk.in(m.Room)[before:]
	if len(said) != 1 || !strings.Contains(said[0].Text, "Ada") {
		t.Errorf("answered %+v", said)
	}
}

// TestA12DeletedPendingMessageIsNotAnswered deletes a message while the voice is answering it.
func TestA12DeletedPendingMessageIsNotAnswered(t *testing.T) {
	voice := slow{plain.New(), make(chan struct{}, 8), make(chan struct{}, 8)}
	s := play(t, func(p *persona.Parts) { p.Voice = voice })
	m := s.message("ann", "My dog is called Rex.")
	s.hear(m)
	<-voice.speaking
	s.hear(s.does("ann", channels.Delete, m.ID, ""))
	s.rest()
	if said := s.desk.in(m.Room); len(said) != 0 {
		t.Errorf("answered %+v", said)
	}
	s.hasNot(s.say("ann", "/memory"), "Rex")
}

// TestA12EditDuringTurnChangesTheAnswer edits or deletes a message before the voice begins.
func TestA12EditDuringTurnChangesTheAnswer(t *testing.T) {
	for name, tc := range map[string]struct {
		does channels.Message
		want []string
	}{
		"edited":     {channels.Message{Action: channels.Edit, Text: "good evening"}, []string{"heard: good evening"}},
		"taken back": {channels.Message{Action: channels.Delete}, nil},
		"stopped":    {channels.Message{Text: "stop"}, []string{"heard: good morning (cut short)"}},
	} {
		t.Run(name, func(t *testing.T) {
			thinking, done := make(chan struct{}), make(chan struct{})
			var once sync.Once
			s := play(t, func(p *persona.Parts) {
				p.Voice = &echo{hold: func(ctx context.Context) error { return ctx.Err() }}
				p.EmbedQuery = func(_ context.Context, text string) *recall.QueryEmbedding {
					if text == "good morning" {
						once.Do(func() { close(thinking) })
						<-done
					}
					return nil
				}
			})
			m := s.message("ann", "good morning")
			s.hear(m)
			<-thinking
			does := s.does("ann", tc.does.Action, m.ID, tc.does.Text)
			does.Addressed = true
			s.hear(does)
			close(done)
			s.rest()
			var said []string
			for _, out := range s.desk.in(m.Room) {
				said = append(said, out.Text)
			}
			if !slices.Equal(said, tc.want) {
				t.Errorf("said %q, want %q", said, tc.want)
			}
		})
	}
}

// TestA12EditOfUnknownMessageIsStoredWithoutAnswer covers messages sent while the process was not running.
func TestA12EditOfUnknownMessageIsStoredWithoutAnswer(t *testing.T) {
	s := play(t, nil)
	if got := s.answer(s.does("ann", channels.Edit, "before", "My dog is called Rex.")); got != "" {
		t.Errorf("answered %q", got)
	}
	late := s.message("ann", "My dog is called Max.")
	late.ID = "before"
	if got := s.answer(late); got != "" {
		t.Errorf("what was received already was answered: %q", got)
	}
	s.has(s.say("ann", "What is my dog called?"), "Rex")
}

// TestA12DeletedMessageIsNotReceivedLater delivers a deletion before what it deletes.
func TestA12DeletedMessageIsNotReceivedLater(t *testing.T) {
	s := play(t, nil)
	s.answer(s.does("ann", channels.Delete, "late", ""))
	late := s.message("ann", "My dog is called Rex.")
	late.ID = "late"
	if got := s.answer(late); got != "" {
		t.Errorf("answered %q", got)
	}
	s.hasNot(s.say("ann", "/memory"), "Rex")
}

// TestA12OnlyTheAuthorDeletesAPendingMessage delivers deletions before what they delete: a message holds against those of
// others, and neither they nor the order they come in make its author's own worth less.
func TestA12OnlyTheAuthorDeletesAPendingMessage(t *testing.T) {
	for name, tc := range map[string]struct {
		by   []channels.Author
		gone bool
	}{
		"somebody else":                     {[]channels.Author{on("bob")}, false},
		"somebody else and then the author": {[]channels.Author{on("bob"), on("ann")}, true},
		"the author under another id":       {[]channels.Author{{Handle: on("4711").Handle, Alias: "ann"}}, true},
		"the network":                       {[]channels.Author{{}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := play(t, nil)
			s.answer(inGroup("pub", s.message("ann", "Hello there.")))
			for _, by := range tc.by {
				remove := inGroup("pub", s.does("", channels.Delete, "late", ""))
				remove.Author = by
				s.answer(remove)
			}
			late := inGroup("pub", s.message("ann", "My dog is called Rex."))
			late.ID = "late"
			if got := s.answer(late); (got == "") != tc.gone {
				t.Errorf("answered %q", got)
			}
			got := s.answer(inGroup("pub", s.message("ann", "What is my dog called?")))
			if strings.Contains(got, "Rex") == tc.gone {
				t.Errorf("afterwards the answer is %q", got)
			}
		})
	}
}

// on returns an account on the desk.
func on(id string) channels.Author {
	return channels.Author{Handle: channels.Handle{Channel: "desk", ID: id}, Name: id}
}

// TestReactionsAreStoredAndNeverAnswered reacts to one's own and to the persona's message.
func TestReactionsAreStoredAndNeverAnswered(t *testing.T) {
	s := play(t, nil)
	m, _ := s.told("ann", "My dog is called Rex.")
	said := s.desk.in(m.Room)[0]
	for _, tc := range []struct{ of, emoji, want string }{
		{m.ID, "👍", "👍"}, {said.Key, "❤️", "❤️"}, {said.Key, "😂", "😂"}, {said.Key, "", ""}, {"unknown", "👍", ""},
	} {
		if got := s.answer(s.does("ann", channels.React, tc.of, tc.emoji)); got != "" {
			t.Errorf("answered %q", got)
		}
		about, _, err := s.store.Log.MessageByExternalID(t.Context(), "tess", m.Room, tc.of)
		if tc.of == "unknown" {
			if err == nil {
				t.Errorf("an unknown message is %+v", about)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		kept, err := s.store.Log.Reactions(t.Context(), about.ID)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, r := range kept {
			got += r.Emoji
		}
		if got != tc.want {
			t.Errorf("stored %q, want %q", got, tc.want)
		}
	}
}

// TestActionsDoNotSplitABurst reacts between two messages that are answered together.
func TestActionsDoNotSplitABurst(t *testing.T) {
	voice := slow{plain.New(), make(chan struct{}, 8), make(chan struct{}, 8)}
	s := play(t, func(p *persona.Parts) { p.Voice = voice })
	s.hear(s.message("ann", "Hello."))
	<-voice.speaking // what follows is pending together
	one := s.message("ann", "My dog is called Rex.")
	s.hear(one)
	s.hear(s.does("ann", channels.React, one.ID, "👍"))
	s.hear(s.message("ann", "And he likes cheese."))
	voice.release <- struct{}{}
	voice.release <- struct{}{}
	s.rest()
	if n := s.desk.count(one.Room); n != 2 {
		t.Errorf("answered %d times, want twice", n)
	}
	about, _, err := s.store.Log.MessageByExternalID(t.Context(), "tess", one.Room, one.ID)
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := s.store.Log.Reactions(t.Context(), about.ID); err != nil || len(kept) != 1 {
		t.Errorf("stored %+v, %v", kept, err)
	}
}

// TestViaComesBackWithTheAnswer asks with a token, as a slash command does, and plainly.
func TestViaComesBackWithTheAnswer(t *testing.T) {
	s := play(t, nil)
	for _, text := range []string{"/help", "My dog is called Rex."} {
		m := s.message("ann", text)
		m.ReplyData = "token of " + text
		s.answer(m)
		said := s.desk.in(m.Room)
		if got := said[len(said)-1].ReplyData; got != m.ReplyData {
			t.Errorf("%s: came back with %q, want %q", text, got, m.ReplyData)
		}
	}
}

func TestW11AFailedExpiryBlocksNoOther(t *testing.T) {
	s := play(t, nil)
	for _, text := range []string{"My dog is called Milo.", "My cat is called Tom."} {
		m := s.message("ann", text)
		m.ExpiresAfter = time.Hour
		s.answer(m)
	}
	free := s.stuck("BEFORE UPDATE OF vanishes_at ON messages WHEN new.id = 1")
	s.clock.Advance(2 * time.Hour)
	if n, err := s.store.Eraser.Expire(t.Context(), s.clock.Now()); err == nil || !strings.Contains(err.Error(), "stuck") || n != 3 {
		t.Errorf("forgot %d, want all but the first: %v", n, err)
	}
	s.hasNot(s.say("ann", "What is my cat called?"), "Tom")
	free()
	if n, err := s.store.Eraser.Expire(t.Context(), s.clock.Now()); err != nil || n != 1 {
		t.Errorf("forgot %d, want what was left: %v", n, err)
	}
}

// TestW11MemoriesExpireWithTheirChat: when a chat's messages expire, so does everything derived from them. Messages of
// other chats stay.
func TestW11MemoriesExpireWithTheirChat(t *testing.T) {
	s := play(t, nil)
	s.told("ann", "I live in Bergen.")
	m := s.message("ann", "My dog is called Milo.")
	m.ExpiresAfter = 24 * time.Hour
	s.answer(m)
	s.has(s.say("ann", "What is my dog called?"), "Milo")
	s.clock.Advance(23 * time.Hour)
	if n, err := s.store.Eraser.Expire(t.Context(), s.clock.Now()); err != nil || n != 0 {
		t.Fatalf("forgot %d before its time: %v", n, err)
	}
	s.clock.Advance(2 * time.Hour)
	if n, err := s.store.Eraser.Expire(t.Context(), s.clock.Now()); err != nil || n != 2 {
		t.Fatalf("forgot %d, want what was said and the answer: %v", n, err)
	}
	s.hasNot(s.say("ann", "/memory"), "Milo")
	s.hasNot(s.say("ann", "What is my dog called?"), "Milo")
	s.has(s.say("ann", "Where do I live?"), "Bergen")
}
