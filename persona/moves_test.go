package persona_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/belief"
	"familiar/memory/log"
	"familiar/memory/model"
)

// as returns m as sent by an account in its direct room.
func as(id string, m channels.Message) channels.Message {
	m.Room.ID, m.Author.Handle.ID = id, id
	return m
}

// TestW2LinkedAccountsAreOnePerson: a user known by a number appears in a group, and even in a direct
// room, under a hidden id before the network reports that both ids are one account.
func TestW2LinkedAccountsAreOnePerson(t *testing.T) {
	for name, before := range map[string]func(s *stage){
		"never met":     func(*stage) {},
		"in a group":    func(s *stage) { s.answer(inGroup("pub", as("hidden", s.message("ann", "Hello there.")))) },
		"directly, too": func(s *stage) { s.answer(as("hidden", s.message("ann", "My cat is called Ada."))) },
	} {
		t.Run(name, func(t *testing.T) {
			s := play(t, nil)
			first := as("+1555", s.message("ann", "My dog is called Rex."))
			s.answer(first)
			before(s)
			move := as("+1555", s.message("ann", ""))
			move.Action, move.TargetID = channels.Move, "hidden"
			for range 2 {
				s.answer(move)
			}
			s.has(s.answer(as("hidden", s.message("ann", "What is my dog called?"))), "Rex")
			if name == "directly, too" {
				s.has(s.answer(as("hidden", s.message("ann", "What is my cat called?"))), "Ada")
			}
			s.answer(as("+1555", s.message("ann", "What is my dog called?"))) // messages in flight are answered in the user's current room
			said := s.desk.in(channels.Room{Channel: "desk", ID: "hidden"})
			s.has(said[len(said)-1].Text, "Rex")
			edit := as("hidden", s.does("ann", channels.Edit, first.ID, "My dog is called Max."))
			edit.Room.ID = "hidden"
			s.answer(edit)
			s.has(s.answer(as("hidden", s.message("ann", "What is my dog called?"))), "Max")
			rooms, err := s.store.Log.Rooms(t.Context())
			people, err2 := s.store.Log.People(t.Context())
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			direct := 0
			for _, r := range rooms {
				if r.Direct {
					direct++
				}
			}
			if direct != 1 || len(people) != 1 || len(people[0].Handles) != 2 {
				t.Errorf("the rooms are %+v, the people %+v", rooms, people)
			}
		})
	}
}

// TestW2BothIDsAreOnePersonWithoutAMove: the network first names the hidden id of a user known by number in
// a group. What the persona learned about the user stays with the user.
func TestW2BothIDsAreOnePersonWithoutAMove(t *testing.T) {
	s := play(t, nil)
	s.answer(as("+1555", s.message("ann", "My dog is called Rex.")))
	s.answer(inGroup("pub", as("hidden", s.message("ann", "Hello there.")))) // without the number, it may be anybody
	if people, err := s.store.Log.People(t.Context()); err != nil || len(people) != 2 {
		t.Fatalf("the people are %+v, %v", people, err)
	}
	named := inGroup("pub", as("hidden", s.message("ann", "Hello again.")))
	named.Author.Alias = "+1555"
	s.answer(named)
	if people, err := s.store.Log.People(t.Context()); err != nil || len(people) != 1 || len(people[0].Handles) != 2 {
		t.Errorf("the people are %+v, %v", people, err)
	}
	s.has(s.answer(as("hidden", s.message("ann", "What is my dog called?"))), "Rex")
}

// TestW2AMergedPersonHasOneValue: statements made under two ids before they were known to be one user cause no
// contradiction afterwards, in either order.
func TestW2AMergedPersonHasOneValue(t *testing.T) {
	for name, tc := range map[string]struct {
		number, hidden string // said under each id
		relation, held string
		history        int
	}{
		"two values of one":   {"I live in Oslo.", "I live in Bergen.", "lives_in", "Bergen", 1},
		"the same of one":     {"I live in Oslo.", "I live in Oslo.", "lives_in", "Oslo", 0},
		"opposites":           {"I like tea.", "I hate tea.", "dislikes", "tea", 1},
		"values side by side": {"I like tea.", "I like coffee.", "likes", "coffee tea", 0},
	} {
		for _, order := range []string{"number first", "hidden first"} {
			t.Run(name+", "+order, func(t *testing.T) {
				s := play(t, nil)
				said := []channels.Message{as("+1555", s.message("ann", tc.number)), as("hidden", s.message("ann", tc.hidden))}
				if order == "hidden first" { // the texts keep their order
					said[0], said[1] = as("hidden", said[0]), as("+1555", said[1])
				}
				for _, m := range said {
					m.At = s.clock.Now()
					s.answer(m)
					s.clock.Advance(time.Hour)
				}
				move := as("+1555", s.message("ann", ""))
				move.Action, move.TargetID = channels.Move, "hidden"
				s.answer(move)
				h, person := s.hearing(channels.Room{Channel: "desk", ID: "hidden"})
				all, err := s.store.Beliefs.Beliefs(t.Context(), h, belief.Filter{SubjectPerson: person, IncludeHistory: true})
				if err != nil {
					t.Fatal(err)
				}
				var held []string
				history := 0
				for _, b := range all {
					switch {
					case b.Status != model.Active:
						history++
					case b.Relation == tc.relation:
						held = append(held, b.Value)
					}
				}
				slices.Sort(held)
				if got := strings.Join(held, " "); got != tc.held || history != tc.history {
					t.Errorf("%q holds, %d are history: %+v", got, history, all)
				}
			})
		}
	}
}

// TestW2MoveToAnotherPersonsRoomIsRefused: two people never share a direct room, even if a network reports so. A
// repeated report stops nothing.
func TestW2MoveToAnotherPersonsRoomIsRefused(t *testing.T) {
	s := play(t, nil)
	s.told("ann", "My dog is called Rex.")
	s.told("bob", "My cat is called Ada.")
	move := s.message("ann", "")
	move.Action, move.TargetID, move.Direct = channels.Move, "bob", false // without the owner
	s.answer(move)
	s.hasNot(s.say("bob", "/memory"), "Rex")
	s.has(s.say("ann", "/memory"), "Rex")
	if _, err := s.store.Log.MoveRoom(t.Context(), move.Room, "bob"); !errors.Is(err, log.ErrOtherAudience) {
		t.Errorf("got %v, want %v", err, log.ErrOtherAudience)
	}
}
