package me_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/erase"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/persona"
	"familiar/persona/card"
	"familiar/persona/plain"
	"familiar/persona/words"
	"familiar/web/layout"
	"familiar/web/me"
	"familiar/web/webtest"
)

// stage is two personas that share a store and talk on one network, and the pages of their people.
type stage struct {
	t      testing.TB
	store  *memory.Store
	clock  *memorytest.Clock
	engine map[string]*persona.Engine
	pages  http.Handler
	n      int
}

func newStage(t testing.TB) *stage {
	t.Helper()
	s := &stage{t: t, clock: &memorytest.Clock{}, engine: map[string]*persona.Engine{}}
	s.store = memorytest.OpenAt(t, s.clock)
	for _, key := range []string{"tess", "kit"} {
		s.engine[key] = s.start(key)
	}
	shell := &layout.Shell{
		Now: s.clock.Now, Zone: time.UTC, Log: slog.New(slog.DiscardHandler),
		Personas: func() []layout.Persona {
			return []layout.Persona{{Key: "tess", Name: "Tess"}, {Key: "kit", Name: "Kit"}}
		},
	}
	(&me.Pages{Store: s.store, Now: s.clock.Now, Zone: time.UTC, Actions: me.Actions{
		Mind: func(key string) (me.Mind, error) { return s.engine[key].Imagined(), nil },
		Erase: func(ctx context.Context, p model.Person) (erase.ForgetResult, bool, error) {
			gone, err := s.store.Eraser.ErasePerson(ctx, p.ID)
			return gone, err == nil, err
		},
	}}).Mount(shell)
	s.pages = shell
	return s
}

// start runs a persona until the test ends.
func (s *stage) start(key string) *persona.Engine {
	engine := persona.New(persona.Parts{
		Card:  &card.Card{Key: key, Name: strings.ToUpper(key[:1]) + key[1:], Description: "Listens.", Zone: time.UTC, Language: "en"},
		Store: s.store, Voice: plain.New(), Channels: []channels.Channel{desk{}},
		Settings: persona.Settings{SessionGap: 30 * time.Minute, GreetingGap: 4 * time.Hour, RecallBudget: 1000, RecentMessages: 30, Zone: time.UTC},
		Now:      s.clock.Now, Jitter: func(time.Duration) time.Duration { return 0 }, Random: rand.Reader, Log: slog.New(slog.DiscardHandler),
	})
	ctx, stop := context.WithCancel(s.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- engine.Run(ctx) }()
	s.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			s.t.Error(err)
		}
	})
	return engine
}

// tell has somebody say something to a persona, in a group unless its name is empty.
func (s *stage) tell(key, who, group, text string) {
	s.t.Helper()
	s.n++
	m := channels.Message{
		ID: fmt.Sprintf("m%d", s.n), Room: channels.Room{Channel: "desk", ID: who + "-" + key}, Direct: true, Addressed: true,
		Author: channels.Author{Handle: channels.Handle{Channel: "desk", ID: who}, Name: who}, Text: text, At: s.clock.Now(),
	}
	if group != "" {
		m.Room.ID, m.RoomTitle, m.Direct = group, group, false
	}
	if err := s.engine[key].Accept(s.t.Context(), m); err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), 30*time.Second)
	defer cancel()
	if err := s.engine[key].Drain(ctx); err != nil {
		s.t.Fatal(err)
	}
	s.clock.Advance(time.Minute)
}

func (s *stage) id(who string) int64 {
	s.t.Helper()
	p, err := s.store.Log.PersonByHandle(s.t.Context(), channels.Handle{Channel: "desk", ID: who})
	if err != nil {
		s.t.Fatal(err)
	}
	return p.ID
}

// get returns a page that somebody sees with their link for Tess.
func (s *stage) get(who, path string) webtest.Answer {
	s.t.Helper()
	return webtest.Get(s.t, s.pages, webtest.Person("tess", s.id(who)), path)
}

// all returns every page that the link of somebody leads to by links.
func (s *stage) all(key, who string) (pages map[string]string) {
	s.t.Helper()
	pages = map[string]string{}
	queue := []string{"/me", "/me/memories?q=secret", "/me/memories?q=canary"}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		if _, seen := pages[path]; seen || strings.HasPrefix(path, "/me/export") {
			continue
		}
		a := webtest.Get(s.t, s.pages, webtest.Person(key, s.id(who)), path)
		if a.Status != http.StatusOK {
			s.t.Errorf("%s of %s answers %d", path, who, a.Status)
		}
		pages[path] = a.Body
		for _, m := range regexp.MustCompile(`href="(/me[^"]*)"`).FindAllStringSubmatch(a.Body, -1) {
			queue = append(queue, strings.ReplaceAll(m[1], "&amp;", "&"))
		}
	}
	return pages
}

// TestNobodySeesWhatIsNotTheirs walks over all pages of several people: each has secrets with each persona and in groups of their own.
func TestNobodySeesWhatIsNotTheirs(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	people := []string{"Ann", "Ben", "Cleo"}
	canary := func(who, where string) string { return fmt.Sprintf("Canary%s%s", who, where) }
	for _, who := range people {
		for _, key := range []string{"tess", "kit"} {
			s.tell(key, who, "", "My dog is called "+canary(who, strings.ToUpper(key))+".")
			s.tell(key, who, "", "I have a secret meeting about "+canary(who, strings.ToUpper(key)+"Plan")+" on Friday.")
		}
		s.tell("tess", who, "Club of "+who, "My cat is called "+canary(who, "CLUB")+".")
		s.tell("tess", who, "", "/remind tomorrow at 9 call "+canary(who, "REMINDER"))
	}
	for _, who := range people {
		for _, key := range []string{"tess", "kit"} {
			pages := s.all(key, who)
			if len(pages) < 8 {
				t.Errorf("only %d pages of %s were looked at", len(pages), who)
			}
			own := false
			for path, body := range pages {
				own = own || strings.Contains(body, canary(who, strings.ToUpper(key)))
				for _, other := range people {
					for _, where := range []string{"TESS", "KIT", "TESSPlan", "KITPlan", "CLUB", "REMINDER"} {
						theirs := other == who && (strings.HasPrefix(where, strings.ToUpper(key)) || key == "tess" && (where == "CLUB" || where == "REMINDER"))
						if !theirs && strings.Contains(body, canary(other, where)) {
							t.Errorf("%s at %s sees %s on %s", who, key, canary(other, where), path)
						}
					}
				}
			}
			if !own {
				t.Errorf("%s at %s does not see their own", who, key)
			}
		}
	}
	// Numbers of others in addresses and forms lead nowhere.
	for id := range int64(60) {
		for _, of := range []string{"facts", "memories", "messages", "reminders"} {
			path := fmt.Sprintf("/me/%s/%d", of, id)
			for _, below := range []string{"", "/forget", "/drop"} {
				if a := s.get("Ann", path+below); a.Status == http.StatusOK && strings.Contains(a.Body, "CanaryBen") {
					t.Errorf("Ann sees %s", path+below)
				}
				webtest.Post(t, s.pages, webtest.Person("tess", s.id("Ann")), path+below, url.Values{"text": {"Changed by Ann."}, "person": {"2"}, "persona": {"kit"}})
			}
		}
	}
	for _, who := range []string{"Ben", "Cleo"} {
		for _, key := range []string{"tess", "kit"} {
			found := ""
			for _, body := range s.all(key, who) {
				found += body
			}
			if !strings.Contains(found, canary(who, strings.ToUpper(key))) || strings.Contains(found, "Changed by Ann") {
				t.Errorf("Ann changed what %s told %s", who, key)
			}
		}
	}
	for _, who := range []int64{0, 999} {
		if a := webtest.Get(t, s.pages, webtest.Person("tess", who), "/me"); a.Status != http.StatusNotFound {
			t.Errorf("the page of person %d answers %d", who, a.Status)
		}
	}
	if a := webtest.Get(t, s.pages, webtest.Person("gone", s.id("Ann")), "/me"); a.Status != http.StatusNotFound {
		t.Errorf("a persona that is not served answers %d", a.Status)
	}
	if a := webtest.Get(t, s.pages, webtest.Operator, "/me"); a.Status != http.StatusForbidden {
		t.Errorf("an operator gets %d", a.Status)
	}
}

func TestSomebodyChangesWhatIsKnownOfThem(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.tell("tess", "Ann", "", "Long day. My dog is called Rex.")
	s.tell("tess", "Ann", "", "My cat is called Mimi.")
	s.tell("tess", "Ann", "", "/remind tomorrow at 9 call mum")
	s.tell("tess", "Ann", "", "/training on")
	who := webtest.Person("tess", s.id("Ann"))
	fact := s.link("Ann", "/me/facts", "Rex")
	a := webtest.Post(t, s.pages, who, fact, url.Values{"text": {" "}})
	if a.Status != http.StatusOK || !strings.Contains(a.Body, `aria-invalid="true"`) {
		t.Errorf("an empty correction answers %d", a.Status)
	}
	done := webtest.Follow(t, s.pages, who, fact, url.Values{"text": {"My dog is called Max."}})
	if !strings.Contains(done.Text, "Long day. My dog is called Max") || !strings.Contains(done.Body, "Undo") {
		t.Errorf("after the correction: %s", done.Text)
	}
	undo := regexp.MustCompile(`action="(/me/messages/\d+)"`).FindStringSubmatch(done.Body)
	if undo == nil {
		t.Fatalf("there is nothing to undo: %s", done.Body)
	}
	back := webtest.Follow(t, s.pages, who, undo[1], url.Values{"text": {"Long day. My dog is called Rex."}})
	if facts := s.get("Ann", "/me/facts").Text; !strings.Contains(facts, "Rex") || strings.Contains(facts, "Max") {
		t.Errorf("after the undo: %s, %s", back.Text, facts)
	}

	fact = s.link("Ann", "/me/facts", "Mimi")
	if ask := s.get("Ann", fact+"/forget"); !strings.Contains(ask.Text, "My cat is called Mimi.") || !strings.Contains(ask.Text, "1 memory") {
		t.Errorf("before forgetting: %s", ask.Text)
	}
	webtest.Follow(t, s.pages, who, fact+"/forget", nil)
	memory := s.link("Ann", "/me/memories?q=dog", "Rex")
	webtest.Follow(t, s.pages, who, memory+"/forget", nil)
	for _, path := range []string{"/me", "/me/facts", "/me/memories"} {
		if left := s.get("Ann", path).Text; strings.Contains(left, "Mimi") || strings.Contains(left, "Rex") {
			t.Errorf("%s still shows %s", path, left)
		}
	}

	start := s.get("Ann", "/me")
	if !strings.Contains(start.Text, "call mum") || !strings.Contains(start.Text, "You agreed on") {
		t.Errorf("the first page: %s", start.Text)
	}
	drop := regexp.MustCompile(`action="(/me/reminders/\d+/drop)"`).FindStringSubmatch(start.Body)
	dropped := webtest.Follow(t, s.pages, who, drop[1], nil)
	due := regexp.MustCompile(`name="due" value="(\d+)"`).FindStringSubmatch(dropped.Body)
	if due == nil {
		t.Fatalf("a dropped reminder cannot be put back: %s", dropped.Body)
	}
	if put := webtest.Follow(t, s.pages, who, "/me/reminders", url.Values{"text": {"call mum"}, "due": {due[1]}}); !strings.Contains(put.Text, "call mum") {
		t.Errorf("after putting it back: %s", put.Text)
	}
	webtest.Follow(t, s.pages, who, "/me/training", nil)
	if left := s.get("Ann", "/me").Text; strings.Contains(left, "You agreed on") {
		t.Errorf("the consent is still there: %s", left)
	}
}

func TestErasingEndsThePage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.tell("tess", "Ann", "", "My dog is called Rex.")
	s.tell("tess", "Ben", "", "My dog is called Max.")
	who := webtest.Person("tess", s.id("Ann"))
	if a := s.get("Ann", "/me/export"); a.Header.Get("Content-Type") != "application/zip" || len(a.Body) < 500 {
		t.Errorf("the export has %d bytes: %v", len(a.Body), a.Header)
	}
	if ask := s.get("Ann", "/me/erase"); !strings.Contains(ask.Text, "1 memory") || !strings.Contains(ask.Text, "cannot be undone") {
		t.Errorf("before erasing: %s", ask.Text)
	}
	if done := webtest.Post(t, s.pages, who, "/me/erase", nil); done.Status != http.StatusOK || !strings.Contains(done.Text, "You are erased") {
		t.Errorf("erasing answers %d: %s", done.Status, done.Text)
	}
	for _, path := range []string{"/me", "/me/facts", "/me/export"} {
		if a := webtest.Get(t, s.pages, who, path); a.Status != http.StatusNotFound {
			t.Errorf("%s answers %d", path, a.Status)
		}
	}
	if left := s.get("Ben", "/me").Text; !strings.Contains(left, "Max") {
		t.Errorf("Ben lost something: %s", left)
	}
}

func TestThePageSpeaksTheirLanguage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.tell("tess", "Ann", "", "My dog is called Rex.")
	if err := s.store.Log.SetLanguage(t.Context(), s.id("Ann"), "de-CH"); err != nil {
		t.Fatal(err)
	}
	if a := s.get("Ann", "/me"); !strings.Contains(a.Text, "Was Tess über dich weiß") || !strings.Contains(a.Body, `lang="de"`) {
		t.Errorf("in German: %s", a.Text)
	}
	for _, says := range []string{"Abmelden", "Dunkles Design verwenden", "Zum Inhalt springen", "heute "} {
		if a := s.get("Ann", "/me/memories"); !strings.Contains(a.Text+a.Body, says) {
			t.Errorf("the frame does not say %q: %s", says, a.Text)
		}
	}
	if a := s.get("Ann", "/me/facts/999"); a.Status != http.StatusNotFound || !strings.Contains(a.Text, "Hier ist nichts") {
		t.Errorf("an error in German: %d %s", a.Status, a.Text)
	}
	keys := map[string]int{}
	files, err := filepath.Glob("wordings/*.txt")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		for _, entry := range words.Entries(os.DirFS("."), file) {
			keys[entry[0]+" "+strings.Join(regexp.MustCompile(`\{[a-z]+\}`).FindAllString(entry[1], -1), " ")]++
		}
	}
	for key, n := range keys {
		if n != len(files) {
			t.Errorf("%q is in %d of %d languages", key, n, len(files))
		}
	}
}

// link returns the path of the page below path about something.
func (s *stage) link(who, path, about string) string {
	s.t.Helper()
	m := regexp.MustCompile(`href="(/me/[a-z]+/\d+)">[^<]*` + about).FindStringSubmatch(s.get(who, path).Body)
	if m == nil {
		s.t.Fatalf("%s leads to nothing about %q: %s", path, about, s.get(who, path).Text)
	}
	return m[1]
}

// desk is a network that takes everything.
type desk struct{}

func (desk) Name() string { return "desk" }

func (desk) Limits() channels.Limits { return channels.Limits{} }

func (desk) Run(ctx context.Context, _ channels.Accept) error {
	<-ctx.Done()
	return nil
}

func (desk) Send(_ context.Context, out channels.Outgoing) (channels.Receipt, error) {
	return channels.Receipt{ID: "sent-" + out.Key}, nil
}
