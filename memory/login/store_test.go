package login_test

import (
	"crypto/rand"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/link"
	"familiar/memory/log"
	"familiar/memory/login"
	"familiar/memory/memorytest"
)

// person returns a person who has written on a network.
func person(t *testing.T, s *memory.Store, name string) int64 { return on(t, s, "telegram", name) }

func on(t *testing.T, s *memory.Store, network, name string) int64 {
	t.Helper()
	p, _, err := s.Turns.UpsertParticipant(t.Context(), channels.Message{
		ID: network + name, Room: channels.Room{Channel: network, ID: name}, Author: channels.Author{Handle: channels.Handle{Channel: network, ID: name}, Name: name},
		Text: "Hello.", Direct: true, At: memorytest.Start,
	})
	if err != nil {
		t.Fatal(err)
	}
	return p.ID
}

// newLink returns the token of a new link of a role. pages is whose page a person's link opens.
func newLink(t *testing.T, s *memory.Store, clock *memorytest.Clock, role login.Role, pages ...int64) string {
	t.Helper()
	l := login.Link{Role: role, Expires: clock.Now().Add(login.LinkLifetime)}
	if role == login.Person {
		l.Persona, l.PersonID = "nell", pages[0]
	}
	token, err := s.Logins.CreateLink(t.Context(), rand.Reader, l)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// enter returns the token of a new session, and the session.
func enter(t *testing.T, s *memory.Store, clock *memorytest.Clock, role login.Role, pages ...int64) (string, login.Session) {
	t.Helper()
	token, session, err := s.Logins.Redeem(t.Context(), rand.Reader, newLink(t, s, clock, role, pages...), "Firefox")
	if err != nil {
		t.Fatal(err)
	}
	return token, session
}

// refused checks that a token is of no session.
func refused(t *testing.T, s *memory.Store, what, token string) {
	t.Helper()
	if got, err := s.Logins.Session(t.Context(), token); !errors.Is(err, login.ErrSession) || got != (login.Session{}) {
		t.Errorf("%s: %+v, %v, want ErrSession", what, got, err)
	}
}

func TestALinkLogsInOnce(t *testing.T) {
	clock := new(memorytest.Clock)
	s := memorytest.OpenAt(t, clock)
	ann := person(t, s, "ann")
	for _, role := range login.Roles {
		token := newLink(t, s, clock, role, ann)
		session, begun, err := s.Logins.Redeem(t.Context(), rand.Reader, token, " Fire\x1bfox\n"+strings.Repeat("1", 500))
		if err != nil {
			t.Fatal(err)
		}
		want := login.Session{
			ID: begun.ID, Role: role, Browser: "Firefox " + strings.Repeat("1", 112), Created: clock.Now(), LastUsed: clock.Now(),
			Expires: clock.Now().Add(30 * 24 * time.Hour),
		}
		if role == login.Person {
			want.Persona, want.PersonID, want.Expires = "nell", ann, clock.Now().Add(time.Hour)
		}
		if begun != want {
			t.Errorf("began %+v, want %+v", begun, want)
		}
		if got, err := s.Logins.Session(t.Context(), session); err != nil || got != want {
			t.Errorf("the session is %+v, %v, want %+v", got, err, want)
		}
		if _, _, err := s.Logins.Redeem(t.Context(), rand.Reader, token, ""); !errors.Is(err, login.ErrLink) {
			t.Errorf("a used link: %v, want ErrLink", err)
		}
		refused(t, s, "the token of a link", token)
		for _, wrong := range []string{"", "fam_", session + "x", strings.ToUpper(session), session[:len(session)-1], strings.Repeat("x", 1<<20)} {
			refused(t, s, wrong[:min(len(wrong), 50)], wrong)
			if _, _, err := s.Logins.Redeem(t.Context(), rand.Reader, wrong, ""); !errors.Is(err, login.ErrLink) {
				t.Errorf("a wrong link: %v, want ErrLink", err)
			}
		}
	}
}

// A link that several processes redeem at the same time logs one browser in.
func TestALinkLogsInOnceHoweverManyAsk(t *testing.T) {
	clock := new(memorytest.Clock)
	file := filepath.Join(t.TempDir(), "familiar.db")
	processes := []*memory.Store{memorytest.OpenFile(t, file, clock), memorytest.OpenFile(t, file, clock)}
	token := newLink(t, processes[0], clock, login.Operator)
	var wait sync.WaitGroup
	results := make(chan error, 16)
	for i := range cap(results) {
		wait.Go(func() {
			_, _, err := processes[i%2].Logins.Redeem(t.Context(), rand.Reader, token, "")
			results <- err
		})
	}
	wait.Wait()
	entered := 0
	for range cap(results) {
		switch err := <-results; {
		case err == nil:
			entered++
		case !errors.Is(err, login.ErrLink):
			t.Error(err)
		}
	}
	all, err := processes[1].Logins.List(t.Context())
	if err != nil || entered != 1 || len(all) != 1 {
		t.Errorf("%d logins and %d sessions, %v, want one", entered, len(all), err)
	}
}

func TestLinksAndSessionsExpire(t *testing.T) {
	clock := new(memorytest.Clock)
	s := memorytest.OpenAt(t, clock)
	ann := person(t, s, "ann")
	late := newLink(t, s, clock, login.Operator)
	clock.Advance(login.LinkLifetime)
	if _, _, err := s.Logins.Redeem(t.Context(), rand.Reader, late, ""); !errors.Is(err, login.ErrLink) {
		t.Errorf("an expired link: %v, want ErrLink", err)
	}

	used, usedSession := enter(t, s, clock, login.Operator)
	idle, _ := enter(t, s, clock, login.Viewer)
	pages, _ := enter(t, s, clock, login.Person, ann)
	clock.Advance(time.Hour)
	refused(t, s, "the session of a person after an hour", pages)
	for range 5 {
		clock.Advance(5 * 24 * time.Hour)
		got, err := s.Logins.Session(t.Context(), used)
		if err != nil || !got.LastUsed.Equal(clock.Now()) {
			t.Fatalf("a session in use: %+v, %v", got, err)
		}
		clock.Advance(30 * time.Minute)
		if got, err := s.Logins.Session(t.Context(), used); err != nil || !got.LastUsed.Equal(clock.Now().Add(-30*time.Minute)) {
			t.Errorf("the last use of a session is kept to the hour: %+v, %v", got, err)
		}
	}
	refused(t, s, "a session that was not used for 25 days", idle)
	if all, err := s.Logins.List(t.Context()); err != nil || len(all) != 1 || all[0].ID != usedSession.ID {
		t.Errorf("listed %+v, %v, want the one in use", all, err)
	}
	clock.Advance(5 * 24 * time.Hour)
	refused(t, s, "a session after 30 days", used)
	if ended, err := s.Logins.EndAll(t.Context()); err != nil || ended != 0 {
		t.Errorf("%d sessions were left, %v", ended, err)
	}
}

func TestSessionsAreEnded(t *testing.T) {
	clock := new(memorytest.Clock)
	s := memorytest.OpenAt(t, clock)
	first, session := enter(t, s, clock, login.Operator)
	second, _ := enter(t, s, clock, login.Viewer)
	if ended, err := s.Logins.End(t.Context(), session.ID); err != nil || ended != session {
		t.Fatalf("ended %+v, %v", ended, err)
	}
	refused(t, s, "an ended session", first)
	if _, err := s.Logins.End(t.Context(), session.ID); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("ended twice: %v", err)
	}
	if _, err := s.Logins.Session(t.Context(), second); err != nil {
		t.Errorf("the other session: %v", err)
	}
	waiting := newLink(t, s, clock, login.Operator)
	if ended, err := s.Logins.EndAll(t.Context()); err != nil || ended != 1 {
		t.Errorf("ended %d, %v, want 1", ended, err)
	}
	refused(t, s, "a session when all were ended", second)
	if _, _, err := s.Logins.Redeem(t.Context(), rand.Reader, waiting, ""); !errors.Is(err, login.ErrLink) {
		t.Errorf("a link when all were ended: %v", err)
	}
}

func TestLinksThatCannotBe(t *testing.T) {
	clock := new(memorytest.Clock)
	s := memorytest.OpenAt(t, clock)
	ann, later := person(t, s, "ann"), clock.Now().Add(time.Minute)
	for name, l := range map[string]login.Link{
		"no role":               {Expires: later},
		"an unknown role":       {Role: "owner", Expires: later},
		"an operator's persona": {Role: login.Operator, Persona: "nell", Expires: later},
		"a viewer's person":     {Role: login.Viewer, PersonID: ann, Expires: later},
		"nobody's page":         {Role: login.Person, Persona: "nell", Expires: later},
		"a page of no persona":  {Role: login.Person, PersonID: ann, Expires: later},
		"an unknown person":     {Role: login.Person, Persona: "nell", PersonID: ann + 1000, Expires: later},
		"over already":          {Role: login.Operator, Expires: clock.Now()},
		"for ever":              {Role: login.Operator},
	} {
		if _, err := s.Logins.CreateLink(t.Context(), rand.Reader, l); err == nil {
			t.Errorf("%s: created", name)
		}
	}
}

func TestAPersonHasOneLink(t *testing.T) {
	clock := new(memorytest.Clock)
	s := memorytest.OpenAt(t, clock)
	ann, bob := person(t, s, "ann"), person(t, s, "bob")
	old, others, new := newLink(t, s, clock, login.Person, ann), newLink(t, s, clock, login.Person, bob), newLink(t, s, clock, login.Person, ann)
	if _, _, err := s.Logins.Redeem(t.Context(), rand.Reader, old, ""); !errors.Is(err, login.ErrLink) {
		t.Errorf("the replaced link: %v", err)
	}
	for _, token := range []string{others, new} {
		if _, _, err := s.Logins.Redeem(t.Context(), rand.Reader, token, ""); err != nil {
			t.Error(err)
		}
	}
}

// Tokens are not in the file (S14), and one that somebody pastes is redacted (S15).
func TestS14LoginTokensAreNotStored(t *testing.T) {
	clock := new(memorytest.Clock)
	s := memorytest.OpenAt(t, clock)
	session, _ := enter(t, s, clock, login.Operator)
	for _, token := range []string{session, newLink(t, s, clock, login.Operator)} {
		if text := log.Redact("http://127.0.0.1:8484/login/" + token); strings.Contains(text, token[4:]) {
			t.Errorf("redacted as %q", text)
		}
		if memorytest.OnDisk(t, s, token[4:]) {
			t.Error("the database has the token")
		}
	}
}

// Whoever is erased, joined with another person or separated from one has no page as the person they were (S12).
func TestS12WhoIsErasedOrAnotherPersonIsLoggedOut(t *testing.T) {
	separate := func(s *memory.Store, ann int64) error {
		_, err := s.Links.Separate(t.Context(), ann, "discord", "nell", func(link.Separated) []link.Notice { return nil })
		return err
	}
	for name, c := range map[string]struct {
		linked bool
		change func(s *memory.Store, ann, bob int64) error
	}{
		"erased": {false, func(s *memory.Store, ann, _ int64) error {
			_, err := s.Eraser.ErasePerson(t.Context(), ann)
			return err
		}},
		"joined":      {false, func(s *memory.Store, ann, bob int64) error { return s.Links.Join(t.Context(), bob, ann, "nell") }},
		"joined into": {false, func(s *memory.Store, ann, bob int64) error { return s.Links.Join(t.Context(), ann, bob, "nell") }},
		"separated":   {true, func(s *memory.Store, ann, _ int64) error { return separate(s, ann) }},
	} {
		clock := new(memorytest.Clock)
		s := memorytest.OpenAt(t, clock)
		ann, bob := person(t, s, "ann"), on(t, s, "discord", "bob")
		if c.linked {
			if err := s.Links.Join(t.Context(), ann, bob, "nell"); err != nil {
				t.Fatal(err)
			}
		}
		session, _ := enter(t, s, clock, login.Person, ann)
		operators, _ := enter(t, s, clock, login.Operator)
		waiting := newLink(t, s, clock, login.Person, ann)
		if err := c.change(s, ann, bob); err != nil {
			t.Fatal(err)
		}
		refused(t, s, name, session)
		if _, _, err := s.Logins.Redeem(t.Context(), rand.Reader, waiting, ""); !errors.Is(err, login.ErrLink) {
			t.Errorf("%s: their link: %v", name, err)
		}
		if _, err := s.Logins.Session(t.Context(), operators); err != nil {
			t.Errorf("%s: the operator's session: %v", name, err)
		}
	}
}
