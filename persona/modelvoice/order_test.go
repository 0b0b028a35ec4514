package modelvoice_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory/belief"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/understand/rel"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// P13: the beginning of successive prompts stays the same: what changes least comes first.
// P15: what no longer holds is in no portrait, also if it was denied and not replaced.
// S12: what a reply was made from is on record, so that the reply goes when that is forgotten.

// inOrder fails unless the parts follow each other in a text.
func inOrder(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("%q is not behind what comes before it in %q, in\n%s", part, parts, text)
		}
		rest = after
	}
}

// told returns a belief that was filed some days ago.
func told(id int64, days int, relation, sentence string) model.Belief {
	b := believed(id, relation, sentence, sentence)
	b.SetEvidence(evidence(id, days, sentence, sentence))
	return b
}

func TestP13NewFactsComeBehindOldOnes(t *testing.T) {
	wish, boat := told(4, 3, rel.Wish, "Ana wants no jokes."), told(1, 30, "owns", "Ana owns a boat.")
	before := shown(ask("hi", wish, boat))
	inOrder(t, before, "person: Ana", "wish: Ana wants no jokes.", "- Ana owns a boat.", "relationship: ")
	after := shown(ask("hi", told(9, 1, "allergic_to", "Ana is allergic to peanuts."), wish, boat))
	inOrder(t, after, "- Ana owns a boat.", "- Ana is allergic to peanuts.", "relationship: ")
	kept, _, _ := strings.Cut(before, "relationship: ")
	if !strings.HasPrefix(after, kept) {
		t.Errorf("a new fact changes what comes before it:\n%s\n%s", before, after)
	}
}

func TestP13AGroupsFactsComeBeforeThePerson(t *testing.T) {
	of := func(person int64, name string) string {
		s := ask("hi")
		s.Direct, s.RoomTitle = false, "Harbour club"
		s.Person = model.Person{ID: person, Name: name}
		s.Around = []model.Belief{told(1, 30, "owns", "Ana owns a boat."), told(2, 20, "pet", "Ana has a dog called Bolt.")}
		s.Portrait = model.Memory{Kind: model.Portrait, Created: noon, Text: "Ana owns a boat."}
		return shown(s)
	}
	one, other := of(ana, "Ana"), of(9, "Beto")
	inOrder(t, one, "room: Harbour club", "- Ana owns a boat.", "- Ana has a dog called Bolt.", "person: Ana")
	kept, _, _ := strings.Cut(one, "person: ")
	if !strings.HasPrefix(other, kept) {
		t.Errorf("another person changes what is known of everybody:\n%s\n%s", one, other)
	}
	if strings.Contains(one, "portrait") {
		t.Errorf("a portrait repeats the facts:\n%s", one)
	}
}

func TestP13OfThoseThatDisagreeTheLaterOneIsLower(t *testing.T) {
	early, late := told(2, 20, "lives_in", "Ana lives in Faro."), told(1, 2, "lives_in", "Ana lives in Porto.")
	early.Created, late.Created = noon, noon.Add(-time.Hour*24*90) // it counts when something was told last
	inOrder(t, shown(ask("hi", late, early)), "without dates, the lower one", "- Ana lives in Faro.", "- Ana lives in Porto.")
}

func TestP15WhatWasDeniedIsInNoPortrait(t *testing.T) {
	s := ask("hi", told(1, 20, "owns", "Ana owns a boat."))
	denied := told(2, 20, "event", "Rui comes to the wedding.")
	denied.Status = model.Retracted
	denied.SetEvidence(append(denied.Evidence, model.Evidence{MessageID: 30, AuthorID: ana, Author: "Ana", Quote: "Rui isn't coming", Stance: -1, At: noon}))
	s.Beliefs = append(s.Beliefs, denied)
	s.Portrait = model.Memory{Kind: model.Portrait, Created: noon.AddDate(0, 0, -5), Text: "Ana owns a boat. Rui comes to the wedding."}
	expect(t, shown(s), "portrait: Ana owns a boat.", "!Rui comes")
}

// says is a model that gives one answer.
type says string

func (a says) Generate(context.Context, prompts.Prompt, func(string)) (prompts.Answer, error) {
	return prompts.Answer{Text: string(a)}, nil
}

func TestS12WhatAReplyRepeatsIsOnRecord(t *testing.T) {
	nuts, boat := told(1, 20, "health", "Beto is allergic to peanuts."), told(2, 20, "owns", "Ana owns a boat.")
	nuts.SubjectPerson, nuts.Subject = 0, "Beto"
	over := told(3, 20, "likes", "Ana likes peanuts.")
	over.Status, over.ReplacedWhy = model.Superseded, belief.ChangeChanged
	for answer, want := range map[string][]int64{
		"No peanuts, then.":            {1},
		"Take the boat, and no peanut": {1, 2},
		"Beto will like it, Ana.":      nil, // names alone say nothing
		"That sounds good.":            nil,
	} {
		voice := modelvoice.NewVoice(says(answer), modelvoice.Meter{Store: memorytest.Open(t), Persona: "mira", Now: new(memorytest.Clock).Now}, 0, 0)
		s := ask("what do I bring for Beto?", boat, over)
		s.Around = []model.Belief{nuts}
		reply, err := voice.Reply(t.Context(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(reply.Beliefs)
		if reply.Text != answer || !slices.Equal(reply.Beliefs, want) {
			t.Errorf("%q is made from beliefs %v, want %v", reply.Text, reply.Beliefs, want)
		}
	}
}
