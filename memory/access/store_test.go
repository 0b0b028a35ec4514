package access_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/access"
	"familiar/memory/log"
	"familiar/memory/memorytest"
	"familiar/memory/model"
)

// secret is a source of random bytes that always gives the same.
func secret(b byte) *bytes.Reader { return bytes.NewReader(bytes.Repeat([]byte{b}, 32)) }

// notebook returns a store with a person who has written something in private and in a group.
func notebook(t *testing.T, s *memory.Store, name string) *memory.Notebook {
	t.Helper()
	n, err := s.Notebook(t.Context(), memory.Owner{Persona: "nell", Person: name})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func create(t *testing.T, s *memory.Store, b byte, g access.Grant) (string, access.Grant) {
	t.Helper()
	token, g, err := s.Access.Create(t.Context(), secret(b), g)
	if err != nil {
		t.Fatal(err)
	}
	return token, g
}

func TestATokenIsWhatItWasCreatedAs(t *testing.T) {
	clock := new(memorytest.Clock)
	s := memorytest.OpenAt(t, clock)
	ann := notebook(t, s, "ann").Person()
	want := access.Grant{Client: "editor", Persona: "nell", Kind: access.Person, PersonID: ann.ID, FirstHand: true, Expires: clock.Now().Add(48 * time.Hour)}
	token, g := create(t, s, 1, want)
	want.ID, want.Created = g.ID, clock.Now()
	if g != want {
		t.Errorf("created %+v, want %+v", g, want)
	}
	if got, err := s.Access.Authenticate(t.Context(), token); err != nil || got != want {
		t.Errorf("authenticated %+v, %v, want %+v", got, err, want)
	}
	for _, wrong := range []string{"", "fam_", token + "x", strings.ToUpper(token), token[:len(token)-1]} {
		if _, err := s.Access.Authenticate(t.Context(), wrong); !errors.Is(err, access.ErrRefused) {
			t.Errorf("token %q: %v, want ErrRefused", wrong, err)
		}
	}
	all, err := s.Access.List(t.Context())
	want.LastUsed = clock.Now()
	if err != nil || !slices.Equal(all, []access.Grant{want}) {
		t.Errorf("listed %+v, %v, want %+v", all, err, want)
	}
	clock.Advance(48 * time.Hour)
	if _, err := s.Access.Authenticate(t.Context(), token); !errors.Is(err, access.ErrRefused) {
		t.Errorf("an expired token: %v, want ErrRefused", err)
	}
}

func TestRevokedTokensAreRefused(t *testing.T) {
	s := memorytest.Open(t)
	token, g := create(t, s, 1, access.Grant{Client: "editor", Persona: "nell", Kind: access.Operator})
	other, _ := create(t, s, 2, access.Grant{Client: "editor", Persona: "nell", Kind: access.Operator})
	if revoked, err := s.Access.Revoke(t.Context(), g.ID); err != nil || revoked != g {
		t.Fatalf("revoked %+v, %v", revoked, err)
	}
	if _, err := s.Access.Authenticate(t.Context(), token); !errors.Is(err, access.ErrRefused) {
		t.Errorf("a revoked token: %v", err)
	}
	if _, err := s.Access.Authenticate(t.Context(), other); err != nil {
		t.Errorf("the other token: %v", err)
	}
	if _, err := s.Access.Revoke(t.Context(), g.ID); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("revoked twice: %v", err)
	}
}

func TestGrantsThatCannotBe(t *testing.T) {
	clock := new(memorytest.Clock)
	s := memorytest.OpenAt(t, clock)
	ann := notebook(t, s, "ann").Person().ID
	for name, g := range map[string]access.Grant{
		"no client":                {Persona: "nell", Kind: access.Operator},
		"a client of two lines":    {Client: "a\nb", Persona: "nell", Kind: access.Operator},
		"a long client":            {Client: strings.Repeat("x", 65), Persona: "nell", Kind: access.Operator},
		"no persona":               {Client: "x", Kind: access.Operator},
		"no kind":                  {Client: "x", Persona: "nell"},
		"a person without number":  {Client: "x", Persona: "nell", Kind: access.Person},
		"an unknown person":        {Client: "x", Persona: "nell", Kind: access.Person, PersonID: ann + 1000},
		"an unknown room":          {Client: "x", Persona: "nell", Kind: access.Room, RoomID: 1000},
		"a person and a room":      {Client: "x", Persona: "nell", Kind: access.Person, PersonID: ann, RoomID: 1},
		"an operator's person":     {Client: "x", Persona: "nell", Kind: access.Operator, PersonID: ann},
		"first-hand without whose": {Client: "x", Persona: "nell", Kind: access.Operator, FirstHand: true},
		"first-hand, read-only":    {Client: "x", Persona: "nell", Kind: access.Person, PersonID: ann, FirstHand: true, ReadOnly: true},
		"over already":             {Client: "x", Persona: "nell", Kind: access.Operator, Expires: clock.Now()},
	} {
		if _, _, err := s.Access.Create(t.Context(), secret(3), g); err == nil {
			t.Errorf("%s: created", name)
		}
	}
	if all, err := s.Access.List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("left behind: %+v, %v", all, err)
	}
}

// A token is not in the file (S14), and one that somebody pastes is redacted (S15).
func TestS14TokensAreNotStored(t *testing.T) {
	s := memorytest.Open(t)
	token, _ := create(t, s, 7, access.Grant{Client: "editor", Persona: "nell", Kind: access.Operator})
	if text := log.Redact("use " + token + " for it"); strings.Contains(text, token[4:]) {
		t.Errorf("redacted as %q", text)
	}
	if !memorytest.OnDisk(t, s, "editor") || memorytest.OnDisk(t, s, token[4:]) {
		t.Error("the database has the token, or not its grant")
	}
}

// Requirement S1: a grant sees what its person or its room may see, and nothing of others.
func TestS1GrantsSeeTheirPart(t *testing.T) {
	s := memorytest.Open(t)
	ann, bob := notebook(t, s, "ann"), notebook(t, s, "bob")
	group, err := s.Notebook(t.Context(), memory.Owner{Persona: "nell", Person: "ann", Group: "chess"})
	if err != nil {
		t.Fatal(err)
	}
	for n, text := range map[*memory.Notebook]string{ann: "I like quinces.", bob: "I like medlars.", group: "We play on Mondays."} {
		if _, err := n.Remember(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	world := model.Audience{Kind: model.World}
	for name, c := range map[string]struct {
		grant access.Grant
		sees  []model.Audience
	}{
		"ann":   {access.Grant{Kind: access.Person, PersonID: ann.Person().ID}, []model.Audience{ann.Audience(), group.Audience(), world}},
		"bob":   {access.Grant{Kind: access.Person, PersonID: bob.Person().ID}, []model.Audience{bob.Audience(), world}},
		"chess": {access.Grant{Kind: access.Room, RoomID: group.Audience().Ref}, []model.Audience{group.Audience(), world}},
		"other": {access.Grant{Kind: access.Operator, Persona: "mira"}, nil},
	} {
		if c.grant.Persona == "" {
			c.grant.Persona = "nell"
		}
		v, err := s.Access.Visibility(t.Context(), c.grant)
		if err != nil || v.Persona() != c.grant.Persona || !slices.Equal(v.Audiences(), c.sees) {
			t.Errorf("%s sees %v, %v, want %v", name, v.Audiences(), err, c.sees)
		}
	}
	all, err := s.Access.Visibility(t.Context(), access.Grant{Kind: access.Operator, Persona: "nell"})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []model.Audience{ann.Audience(), bob.Audience(), group.Audience()} {
		if !all.Includes(a) {
			t.Errorf("the operator does not see %v", a)
		}
	}
}

// Erasing a person ends the access to what was theirs (S12).
func TestS12AnErasedPersonsTokensAreGone(t *testing.T) {
	s := memorytest.Open(t)
	ann := notebook(t, s, "ann").Person()
	token, _ := create(t, s, 1, access.Grant{Client: "editor", Persona: "nell", Kind: access.Person, PersonID: ann.ID})
	if _, err := s.Eraser.ErasePerson(t.Context(), ann.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Access.Authenticate(t.Context(), token); !errors.Is(err, access.ErrRefused) {
		t.Errorf("the token of an erased person: %v", err)
	}
}
