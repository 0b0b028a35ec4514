package persona_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/memorytest"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/plain"
	"familiar/persona/route"
)

// troupe is three personas in one process: nell owns what nobody claims, mira the room "den" and the direct room "eve",
// and comes when called, otto can be chosen.
type troupe struct {
	*stage
	cast *persona.Cast
}

var troupeRouter = route.Router{Default: "nell", Personas: []route.Persona{
	{Key: "nell", Name: "Nell"},
	{Key: "mira", Name: "Mira", Rooms: []string{"desk/den", "desk/eve"}, Mentions: true},
	{Key: "otto", Name: "Otto", Mentions: true, Selectable: true},
}}

func playTroupe(t *testing.T, store *memory.Store, clock *memorytest.Clock, router route.Router) *troupe {
	t.Helper()
	s := &stage{t: t, store: store, desk: &desk{}, clock: clock, ended: make(chan error, 1)}
	var members []persona.Parts
	for _, p := range router.Personas {
		as := testCard()
		as.Key, as.Name = p.Key, p.Name
		members = append(members, persona.Parts{
			Card: as, Store: store, Voice: plain.New(), Channels: []channels.Channel{s.desk}, Settings: testSettings(), Now: clock.Now,
			Jitter: func(time.Duration) time.Duration { return 0 }, Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		})
	}
	cast := persona.NewCast(router, members...)
	s.engine = cast.Engine(router.Default)
	ctx, cancel := context.WithCancel(t.Context())
	s.stop = cancel
	go func() { s.ended <- cast.Run(ctx) }()
	t.Cleanup(s.quit)
	return &troupe{s, cast}
}

func newTroupe(t *testing.T) *troupe {
	clock := &memorytest.Clock{}
	return playTroupe(t, memorytest.OpenAt(t, clock), clock, troupeRouter)
}

// inGroup returns what somebody says in a group, after the router has seen whether it calls anybody.
func (s *troupe) inGroup(group, who, text string) channels.Message {
	m := s.message(who, text)
	m.Room.ID, m.Direct, m.Addressed, m.RoomTitle = group, false, false, group
	return s.cast.Router().Call(m)
}

// heardBy returns which personas have a message with that text.
func (s *troupe) heardBy(text string) (keys []string) {
	s.t.Helper()
	for _, key := range []string{"mira", "nell", "otto"} {
		rooms, err := s.store.Log.Rooms(s.t.Context())
		if err != nil {
			s.t.Fatal(err)
		}
		for _, room := range rooms {
			h, err := s.store.Log.Visibility(s.t.Context(), key, room.ID)
			if err != nil {
				s.t.Fatal(err)
			}
			found, err := s.store.Recall.Recent(s.t.Context(), h, 50)
			if err != nil {
				s.t.Fatal(err)
			}
			for _, m := range found {
				if m.PersonID != 0 && m.Text == text {
					keys = append(keys, key)
				}
			}
		}
	}
	return keys
}

// TestS1NoPersonaReadsAnothersMemories tells each of three personas in one process a secret and asks all of them for all.
func TestS1NoPersonaReadsAnothersMemories(t *testing.T) {
	s := newTroupe(t)
	secrets := map[string]string{"nell": "marzipan", "mira": "turquoise", "otto": "Zanzibar"}
	said := map[string]string{"nell": "My password word is marzipan.", "mira": "My favourite colour is turquoise.", "otto": "I was born in Zanzibar."}
	switchTo := map[string]string{"nell": "/persona nell", "otto": "/persona otto"}
	rooms := map[string]string{"nell": "ann", "otto": "ann", "mira": "eve"} // ann talks with two in one room
	for key, text := range said {
		if to := switchTo[key]; to != "" {
			s.say(rooms[key], to)
		}
		s.say(rooms[key], text)
		if got := s.heardBy(text); fmt.Sprint(got) != "["+key+"]" {
			t.Errorf("%q was heard by %v, want %s", text, got, key)
		}
	}
	questions := []string{
		"What is my favourite colour?", "Where was I born?", "What is my password word?", "What do you know about me?", "/memory", "/memory turquoise",
		"/memory Zanzibar", "/memory marzipan", "/why",
	}
	for key := range said {
		if to := switchTo[key]; to != "" {
			s.say(rooms[key], to)
		}
		for _, q := range questions {
			answer := s.say(rooms[key], q)
			for of, secret := range secrets {
				if of != key && strings.Contains(strings.ToLower(answer), strings.ToLower(secret)) && !strings.Contains(q, secret) {
					t.Errorf("%s answers %q with what %s was told: %q", key, q, of, answer)
				}
			}
		}
	}
	s.say("ann", "/persona nell")
	if answer := s.say("ann", "/memory marzipan"); !strings.Contains(answer, "marzipan") {
		t.Errorf("nell does not know what she was told: %q", answer)
	}
}

func TestAllHearAGroupAndOneAnswers(t *testing.T) {
	s := newTroupe(t)
	club := channels.Room{Channel: "desk", ID: "club"}
	for _, c := range []struct {
		text      string
		addressed bool
		by        string
	}{
		{"lunch is at noon", false, ""},
		{"Mira, my cat is called Tarquin", false, "mira"},
		{"what is for lunch?", true, "nell"},
		{"and you, Otto?", false, "otto"},
		{"I like Mira very much", false, ""},
	} {
		before := s.desk.count(club)
		m := s.inGroup("club", "ann", c.text)
		m.Addressed = m.Addressed || c.addressed
		s.hear(m)
		s.rest()
		if n := s.desk.count(club) - before; n != map[bool]int{true: 1}[c.by != ""] {
			t.Errorf("%q got %d answers, want one by %q", c.text, n, c.by)
		}
		if c.by != "" && s.saidLast(club) != c.by {
			t.Errorf("%q is answered by %s, want %s", c.text, s.saidLast(club), c.by)
		}
		if got := s.heardBy(c.text); fmt.Sprint(got) != "[mira nell otto]" {
			t.Errorf("%q was heard by %v", c.text, got)
		}
	}
	// A reply to what one said is for that one; a command reaches nobody else.
	m := s.inGroup("club", "ann", "really?")
	out := s.desk.in(club)
	m.Addressed, m.ReplyTo = true, s.networkID(out[1].Key)
	s.hear(m)
	s.rest()
	if by := s.saidLast(club); by != "nell" {
		t.Errorf("the reply to nell is answered by %s", by)
	}
	m = s.inGroup("club", "ann", "/memory Tarquin")
	m.Addressed = true
	s.hear(m)
	s.rest()
	if got := s.heardBy("/memory Tarquin"); len(got) > 0 {
		t.Errorf("a command was heard by %v", got)
	}
}

// TestWhomAMessageIsForIsDecidedOnce delivers an event again after the configuration gave the room to another persona, and
// changes and deletes it: whoever heard it sees to that.
func TestWhomAMessageIsForIsDecidedOnce(t *testing.T) {
	clock := &memorytest.Clock{}
	store := memorytest.OpenAt(t, clock)
	s := playTroupe(t, store, clock, troupeRouter)
	m := s.message("eve", "My favourite colour is turquoise.")
	s.hear(m)
	s.rest()
	s.quit()

	moved := route.Router{Default: "nell", Personas: []route.Persona{{Key: "nell", Name: "Nell", Rooms: []string{"desk/eve"}}, {Key: "otto", Name: "Otto"}}}
	later := playTroupe(t, store, clock, moved)
	later.n = 100
	later.hear(m)
	later.rest()
	if n := later.desk.count(m.Room); n != 0 {
		t.Errorf("an event that was answered before the change got %d more answers", n)
	}
	if got := later.heardBy(m.Text); fmt.Sprint(got) != "[mira]" {
		t.Errorf("heard by %v, want mira alone", got)
	}
	gone := later.message("eve", "")
	gone.Action, gone.TargetID, gone.Addressed = channels.Delete, m.ID, false
	later.hear(gone)
	later.rest()
	waiting, err := store.Log.PendingOfAll(t.Context())
	if err != nil || len(waiting) != 1 || waiting[0].Persona != "mira" {
		t.Errorf("the deletion waits for %v, %v; want mira", waiting, err)
	}
	later.quit()

	back := playTroupe(t, store, clock, troupeRouter)
	back.rest()
	if got := back.heardBy(m.Text); len(got) > 0 {
		t.Errorf("a deleted message is left with %v", got)
	}
}

func TestPersonaCommand(t *testing.T) {
	s := newTroupe(t)
	for _, c := range []struct{ who, say, want string }{
		{"ann", "/persona", "You are talking with Nell. Also here, each with a memory of their own:\n  /persona otto  Otto"},
		{"ann", "/persona mira", "is not to be had here"}, // she is not selectable
		{"ann", "/persona nell", "You are talking with Nell already."},
		{"ann", "/persona OTTO", "From your next message on you talk with Otto"},
		{"ann", "/persona", "You are talking with Otto."},
		{"eve", "/persona", "You are talking with Mira."},
		{"ann", "/persona nell", "with Nell here"},
		{"ann", "/persona", "You are talking with Nell."},
	} {
		if got := s.say(c.who, c.say); !strings.Contains(got, c.want) {
			t.Errorf("%s says %q and gets %q, want %q", c.who, c.say, got, c.want)
		}
	}
}

// TestAChosenPersonaOutlivesARestart switches a room and starts again, also without the chosen persona.
func TestAChosenPersonaOutlivesARestart(t *testing.T) {
	clock := &memorytest.Clock{}
	store := memorytest.OpenAt(t, clock)
	s := playTroupe(t, store, clock, troupeRouter)
	s.say("ann", "/persona otto")
	s.quit()
	again := playTroupe(t, store, clock, troupeRouter)
	again.n = 100
	again.say("ann", "I keep bees.")
	again.quit()
	if got := again.heardBy("I keep bees."); fmt.Sprint(got) != "[otto]" {
		t.Errorf("heard by %v, want otto", got)
	}
	without := playTroupe(t, store, clock, route.Router{Default: "nell", Personas: troupeRouter.Personas[:2]})
	without.n = 200
	if answer := without.say("ann", "I keep hens."); answer == "" {
		t.Error("nobody answers in a room whose persona is gone")
	}
	if got := without.heardBy("I keep hens."); fmt.Sprint(got) != "[nell]" {
		t.Errorf("heard by %v, want nell", got)
	}
}

// TestATurnKeepsItsCard renews a card while a turn is in progress: that turn ends with the old card, the next has the new.
func TestATurnKeepsItsCard(t *testing.T) {
	speaking, speak := make(chan struct{}), make(chan struct{})
	voice := &echo{hold: func(context.Context) error {
		speaking <- struct{}{}
		<-speak
		return nil
	}}
	s := play(t, withVoice(voice))
	for i, want := range []string{"A test pilot who listens.", "A gardener."} {
		s.hear(s.message("ann", "hello"))
		<-speaking
		next := *testCard()
		next.Description = "A gardener."
		s.engine.Renew(&next, testSettings())
		speak <- struct{}{}
		s.rest()
		if got := voice.scenes[i].Card.Description; got != want {
			t.Errorf("turn %d has the card %q, want %q", i+1, got, want)
		}
	}
	s.engine.Renew(&card.Card{Key: "nobody"}, testSettings()) // not of this cast
	if s.engine.Engine("nobody") != nil {
		t.Error("a stranger joined the cast")
	}
}

// networkID returns what the network calls the message sent under key: the desk's receipts are the keys.
func (s *troupe) networkID(key string) string { return key }

// saidLast returns the persona that said the last message in a room.
func (s *troupe) saidLast(room channels.Room) string {
	s.t.Helper()
	out := s.desk.in(room)
	last := out[len(out)-1]
	by, err := s.store.Log.SaidBy(s.t.Context(), []string{"mira", "nell", "otto"}, room, s.networkID(last.Key))
	if err != nil {
		s.t.Fatal(err)
	}
	return by
}
