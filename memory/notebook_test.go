package memory_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/belief"
	"familiar/memory/erase"
	"familiar/memory/memorytest"
	"familiar/memory/model"
)

func notebook(t *testing.T, s *memory.Store, o memory.Owner) *memory.Notebook {
	t.Helper()
	if o.Persona == "" {
		o.Persona = "helper"
	}
	n, err := s.Notebook(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func write(t *testing.T, n *memory.Notebook, text string, options ...memory.RememberOption) model.Memory {
	t.Helper()
	m, err := n.Remember(t.Context(), text, options...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func rankState(t *testing.T, n *memory.Notebook, query string) string {
	t.Helper()
	hits, err := n.Recall(t.Context(), query, memory.Weak())
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, h := range hits {
		texts = append(texts, h.Memory.Text)
	}
	return strings.Join(texts, "|")
}

// TestNotebooksKeepToTheirAudience writes one thing into each kind of notebook and asks for it in every other.
func TestNotebooksKeepToTheirAudience(t *testing.T) {
	s := memorytest.Open(t)
	owners := map[string]memory.Owner{
		"ann":          {Person: "ann"},
		"bob":          {Person: "bob"},
		"ann's group":  {Person: "ann", Group: "sea"},
		"bob's group":  {Person: "bob", Group: "sea"},
		"cleo's group": {Person: "cleo", Group: "hill"},
		"everybody":    {},
		"another":      {Persona: "other", Person: "ann"},
	}
	for name, o := range owners {
		write(t, notebook(t, s, o), "The lighthouse of "+name+" is red.")
	}
	for name, hears := range map[string][]string{
		"ann":          {"ann", "ann's group", "bob's group", "everybody"},
		"bob":          {"bob", "ann's group", "bob's group", "everybody"},
		"ann's group":  {"ann's group", "bob's group", "everybody"},
		"cleo's group": {"cleo's group", "everybody"},
		"everybody":    {"everybody"},
		"another":      {"another"},
	} {
		got := rankState(t, notebook(t, s, owners[name]), "the lighthouse")
		if n := strings.Count(got, "|") + 1; n != len(hears) {
			t.Errorf("%s hears %d things, want %d: %s", name, n, len(hears), got)
		}
		for _, from := range hears {
			if !strings.Contains(got, "of "+from+" is") {
				t.Errorf("%s does not hear what %s wrote: %s", name, from, got)
			}
		}
	}
}

func TestNotebookRemembersTheSameMomentOnce(t *testing.T) {
	clock := new(memorytest.Clock)
	n := notebook(t, memorytest.OpenAt(t, clock), memory.Owner{Person: "ann"})
	first := write(t, n, "My dog is called Rex.")
	if again := write(t, n, "My dog is called Rex."); again.ID != first.ID {
		t.Errorf("the same words at the same moment are memories %d and %d", first.ID, again.ID)
	}
	clock.Advance(time.Minute)
	later := write(t, n, "My dog is called Rex.")
	if later.ID == first.ID || later.SessionID != first.SessionID || later.ParentID != first.ID {
		t.Errorf("a minute later: %+v after %+v", later, first)
	}
	clock.Advance(time.Hour)
	if m := write(t, n, "It rains."); m.SessionID == first.SessionID {
		t.Error("an hour later is the same session")
	}
	beliefs, err := n.Beliefs(t.Context(), belief.Filter{})
	if err != nil || len(beliefs) != 1 || len(beliefs[0].Evidence) != 2 {
		t.Errorf("believes %+v, %v", beliefs, err)
	}
}

func TestNotebookForgetsOnlyItsOwn(t *testing.T) {
	s := memorytest.Open(t)
	ann, bob := notebook(t, s, memory.Owner{Person: "ann"}), notebook(t, s, memory.Owner{Person: "bob"})
	annHere := notebook(t, s, memory.Owner{Person: "ann", Group: "sea"})
	bobHere := notebook(t, s, memory.Owner{Person: "bob", Group: "sea"})
	private, shared := write(t, ann, "The code is 4711."), write(t, annHere, "The boat leaves at nine.")
	for what, forget := range map[string]func() (erase.ForgetResult, error){
		"another's":            func() (erase.ForgetResult, error) { return bob.Forget(t.Context(), private.ID) },
		"another's in a group": func() (erase.ForgetResult, error) { return bobHere.Forget(t.Context(), shared.ID) },
		"of another notebook":  func() (erase.ForgetResult, error) { return annHere.Forget(t.Context(), private.ID) },
		"what is not there":    func() (erase.ForgetResult, error) { return ann.Forget(t.Context(), 99) },
		"from nobody's, a note": func() (erase.ForgetResult, error) {
			return notebook(t, s, memory.Owner{}).Forget(t.Context(), shared.ID)
		},
	} {
		if gone, err := forget(); !errors.Is(err, memory.ErrNotFound) || gone != (erase.ForgetResult{}) {
			t.Errorf("%s: forgot %+v, %v", what, gone, err)
		}
	}
	if gone, err := annHere.Forget(t.Context(), shared.ID); err != nil || gone.Memories != 1 {
		t.Errorf("forgot %+v, %v", gone, err)
	}
	if got := rankState(t, bobHere, "when does the boat leave"); got != "" {
		t.Errorf("still found: %s", got)
	}
}

func TestNotebookContextKeepsToItsBudget(t *testing.T) {
	s := memorytest.Open(t)
	all := notebook(t, s, memory.Owner{})
	write(t, all, "The shop opens at nine.", memory.Pinned())
	n := notebook(t, s, memory.Owner{Person: "ann", Zone: time.FixedZone("", 2*3600)})
	write(t, n, "The shop sells boats. "+strings.Repeat("It is a very large shop. ", 50))
	text, err := n.Context(t.Context(), "what does the shop sell", 90)
	if err != nil || !strings.Contains(text, "[2026-01-05 11:00] ann: The shop sells boats.") || !strings.Contains(text, "opens at nine") {
		t.Errorf("context %q, %v", text, err)
	}
	if len(text) > 90*4 {
		t.Errorf("90 tokens are %d bytes", len(text))
	}
	if text, err := n.Context(t.Context(), "quantum chromodynamics", 90); err != nil || strings.Contains(text, "boats") {
		t.Errorf("of something else: %q, %v", text, err)
	}
}

func TestNotebookKeepsNoSecrets(t *testing.T) {
	n := notebook(t, memorytest.Open(t), memory.Owner{Person: "ann"})
	if m := write(t, n, "my key is sk-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF"); strings.Contains(m.Text, "sk-abc") {
		t.Errorf("stored %q", m.Text)
	}
}

func TestNotebookRefusals(t *testing.T) {
	s := memorytest.Open(t)
	n, all := notebook(t, s, memory.Owner{Person: "ann"}), notebook(t, s, memory.Owner{})
	for want, try := range map[string]func() error{
		"the owner needs a persona": func() error { _, err := s.Notebook(t.Context(), memory.Owner{Person: "ann"}); return err },
		"the owner needs a person": func() error {
			_, err := s.Notebook(t.Context(), memory.Owner{Persona: "helper", Group: "sea"})
			return err
		},
		"needs a text":          func() error { _, err := n.Remember(t.Context(), " \x00\n"); return err },
		"not within 0–1":        func() error { _, err := n.Remember(t.Context(), "hello", memory.Salience(2)); return err },
		"can be pinned":         func() error { _, err := n.Remember(t.Context(), "hello", memory.Pinned()); return err },
		"who claims it":         func() error { _, err := all.Believe(t.Context(), "", "colour", "red"); return err },
		"relation and a":        func() error { _, err := n.Believe(t.Context(), "", "colour", " "); return err },
		"0 tokens is too small": func() error { _, err := n.Context(t.Context(), "hello", 0); return err },
	} {
		if err := try(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := n.Remember(t.Context(), "hello"); !errors.Is(err, memory.ErrClosed) {
		t.Errorf("after closing: %v", err)
	}
}
