package lifecycle_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory/lifecycle"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/turns"
)

// TestTwoLinksAtOnceCountATurnOnce has a second run write what a first run, which read the same, has written already.
func TestTwoLinksAtOnceCountATurnOnce(t *testing.T) {
	clock := new(memorytest.Clock)
	s := memorytest.OpenAt(t, clock)
	for i, heard := range []struct {
		text string
		used []int64
	}{
		{"I walked to the old lighthouse near Porto", nil}, {"We saw the old lighthouse near Porto", nil}, {"and?", []int64{1, 2}},
	} {
		clock.Advance(time.Minute)
		m := channels.Message{
			ID: fmt.Sprint(i), Room: channels.Room{Channel: "console", ID: "dm"}, Direct: true, Text: heard.text, At: clock.Now(),
			Author: channels.Author{Handle: channels.Handle{Channel: "console", ID: "ann"}, Name: "Ann"},
		}
		person, room, err := s.Turns.UpsertParticipant(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Log.Accept(t.Context(), "mira", m); err != nil {
			t.Fatal(err)
		}
		pending, err := s.Log.Pending(t.Context(), "mira", m.Room, 1)
		if err != nil || len(pending) != 1 {
			t.Fatal(pending, err)
		}
		if _, err := s.Turns.RecordTurn(t.Context(), turns.Turn{
			Persona: "mira", Room: room, Asker: person.ID, Started: clock.Now(), Used: heard.used,
			Heard: []model.AnnotatedMessage{{Message: m, PersonID: person.ID, InboxID: pending[0].ID, Annotation: model.Annotation{Sector: model.Episodic, Salience: 0.5}}},
			Reply: &model.Reply{Key: "r" + m.ID, Text: "I see.", At: clock.Now()},
		}); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := s.Lifecycle.LinkTwice(t.Context(), "mira")
	if err != nil || runs[0].Strengthened != 1 || runs[1] != (lifecycle.LinkResult{}) {
		t.Errorf("linked %+v, %v", runs, err)
	}
	edges, err := s.Lifecycle.Edges(t.Context(), "mira", 0, 10)
	var got []string
	for _, e := range edges {
		got = append(got, fmt.Sprintf("%d %s %d %.3f", e.From, e.Kind, e.To, e.Weight))
	}
	if err != nil || !slices.Equal(got, []string{"2 relates_to 1 0.525"}) {
		t.Errorf("edges %q, %v", got, err)
	}
}
