package persona_test

import (
	"fmt"
	"slices"
	"testing"

	"familiar/channels"
)

// TestATurnStoresWhatIsNewAboutPeopleAndRoomsAndAnswers changes something about the author or the room with each message.
func TestATurnStoresWhatIsNewAboutPeopleAndRoomsAndAnswers(t *testing.T) {
	s := play(t, withVoice(&echo{}))
	club := func(who, text string) channels.Message { return inGroup("club", s.message(who, text)) }
	known := func(who string) (name string) {
		p, err := s.store.Log.PersonByHandle(t.Context(), channels.Handle{Channel: "desk", ID: who})
		if err != nil {
			t.Fatal(err)
		}
		return p.Name
	}
	title := func(room channels.Room) string {
		r, err := s.store.Log.RoomByAddress(t.Context(), room)
		if err != nil {
			t.Fatal(err)
		}
		return r.Title
	}
	answered := func(m channels.Message) {
		t.Helper()
		if got, want := s.answer(m), "heard: "+m.Text; got != want {
			t.Errorf("to %q it said %q", m.Text, got)
		}
	}
	answered(s.message("ann", "new person and room"))
	m := s.message("ann", "new name")
	m.Author.Name = "Annie"
	answered(m)
	if name := known("ann"); name != "Annie" {
		t.Errorf("the name is %q", name)
	}
	m = club("ann", "new group")
	m.Author.Name = "Annie"
	answered(m)
	m = club("ann", "new title")
	m.Author.Name, m.RoomTitle = "Annie", "The club"
	answered(m)
	if got := title(m.Room); got != "The club" {
		t.Errorf("the title is %q", got)
	}
	answered(club("ben", "new person in a known group"))
	if name := known("ben"); name != "ben" {
		t.Errorf("the name is %q", name)
	}
	m = club("ben", "new thread")
	m.Room.Thread = "7"
	answered(m)
}

// TestATurnWithAKnownAndAnUnknownAuthorNamesEach finds the author of the first message before it learns that the second is
// new.
func TestATurnWithAKnownAndAnUnknownAuthorNamesEach(t *testing.T) {
	v, busy, free := holdFirst()
	s := play(t, withVoice(v))
	s.hear(inGroup("club", s.message("ann", "one")))
	<-busy
	aside := inGroup("club", s.message("ann", "two"))
	aside.Addressed = false
	s.hear(aside)
	s.hear(inGroup("club", s.message("ben", "three")))
	close(free)
	s.rest()
	var got []string
	for _, line := range v.scenes[len(v.scenes)-1].Incoming {
		got = append(got, fmt.Sprintf("%s: %s", line.Name, line.Text))
	}
	if want := []string{"ann: two", "ben: three"}; !slices.Equal(got, want) {
		t.Errorf("it heard %q, want %q", got, want)
	}
}
