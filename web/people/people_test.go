package people_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/persona/mind"
	"familiar/web/webtest"
)

func TestPeopleAreListed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.shows("/p/tess/people", "Nobody yet.")
	s.say("Ann", "My dog is called Rex.")
	s.say("Ömer", "Call me Captain.")
	s.tell("kit", "Zoe", "", "I live in Oslo.")
	s.shows("/p/tess/people", "Ann", "Ömer called Captain", "desk", "first session")
	s.hides("/p/tess/people", "Zoe")
	if all := s.get("/p/tess/people").Text; strings.Index(all, "Ömer") > strings.Index(all, "Ann") {
		t.Errorf("who was here last is not the first: %s", all)
	}
	for query, found := range map[string]string{"an": "Ann", "ömer": "Ömer", "ÖMER": "Ömer", "capt": "Ömer", "100%25": "", "_": "", "zoe": ""} {
		a := s.get("/p/tess/people?q=" + query)
		for _, name := range []string{"Ann", "Ömer"} {
			if strings.Contains(a.Text, name) != (name == found) {
				t.Errorf("%q finds %s", query, a.Text)
			}
		}
		if found == "" && !strings.Contains(a.Text, "Nobody is called") {
			t.Errorf("%q finds %s", query, a.Text)
		}
	}
}

func TestTheListGoesOn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for i := range 120 {
		who := fmt.Sprintf("guest%03d", i)
		s.meet(who, time.Duration(i/7)*time.Hour) // several at the same moment
	}
	seen := map[string]int{}
	path, pages := "/p/tess/people", 0
	for next := regexp.MustCompile(`href="([^"]+)" rel="next"`); path != ""; pages++ {
		a := s.get(path)
		for _, name := range regexp.MustCompile(`guest\d{3}`).FindAllString(a.Text, -1) {
			seen[name]++
		}
		m := next.FindStringSubmatch(a.Body)
		path = ""
		if m != nil {
			path = strings.ReplaceAll(m[1], "&amp;", "&")
		}
	}
	if len(seen) != 120 || pages != 3 {
		t.Errorf("%d people on %d pages", len(seen), pages)
	}
	for name, n := range seen {
		if n != 1 {
			t.Errorf("%s is listed %d times", name, n)
		}
	}
	for _, after := range []string{"x", "1-x", "1-0", "1--3"} {
		if a := webtest.Get(t, s.pages, webtest.Operator, "/p/tess/people?after="+after); a.Status != http.StatusUnprocessableEntity {
			t.Errorf("a place %q in the list answers %d", after, a.Status)
		}
	}
}

func TestAPersonIsShown(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.say("Ann", "My dog is called Rex.")
	s.say("Ann", "I have a dentist appointment on Friday.")
	s.say("Ann", "Actually my dog is called Max.")
	s.tell("tess", "Ann", "Harbour club", "I work as a welder.")
	page := s.path("Ann", "")
	s.shows(page, "Ann", "desk:Ann", "dentist appointment", "Max", "What does not hold any more", "Rex", "said in a group", "Harbour club", "has not agreed")
	for _, other := range []string{strings.Replace(page, "tess", "kit", 1), "/p/tess/people/0", "/p/tess/people/999", "/p/tess/people/x", "/p/tess/people/-1"} {
		for _, below := range []string{"", "/facts", "/sessions", "/facts/1"} {
			if a := webtest.Get(t, s.pages, webtest.Operator, other+below); a.Status != http.StatusNotFound || strings.Contains(a.Body, "Ann") {
				t.Errorf("%s answers %d", other+below, a.Status)
			}
		}
	}
	s.shows(s.path("Ann", "/sessions"), "direct, desk", "Harbour club")
	s.shows(s.path("Ann", "/facts?ended=1"), "Rex")
	s.hides(s.path("Ann", "/facts"), "Rex")
}

func TestAFactShowsWhatItRestsOn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.say("Ann", "Long day today. My dog is called Rex, you know.")
	s.say("Ben", "I live in Oslo.")
	fact := s.fact("Ann", "Rex")
	s.shows(s.path("Ann", fact), "sure", "private", "Long day today. My dog is called Rex, you know.", "The whole message")
	if a := s.get(s.path("Ann", fact)); !strings.Contains(a.Body, "/conversations/") {
		t.Errorf("the words do not lead to their conversation: %s", a.Body)
	}
	for _, path := range []string{s.path("Ben", fact), s.path("Ann", s.fact("Ben", "Oslo")), s.path("Ann", "/facts/0"), s.path("Ann", "/facts/9999")} {
		if a := webtest.Get(t, s.pages, webtest.Operator, path); a.Status != http.StatusNotFound {
			t.Errorf("%s answers %d: %s", path, a.Status, a.Text)
		}
	}
}

func TestNothingThatPeopleWriteRuns(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	const payload = `<script>alert(1)</script>`
	s.say(payload, `My dog is called Rex. "><img src=x onerror=alert(1)>`)
	s.say(payload, `I have a meeting about "'><svg onload=alert(1)> on Friday.`)
	for _, path := range []string{"/p/tess/people", "/p/tess/people?q=%3Cscript%3Ealert", s.path(payload, ""), s.path(payload, "/facts"), s.path(payload, "/sessions"), s.path(payload, s.fact(payload, "Rex"))} {
		s.hides(path, payload, "<img src=x", "<svg onload")
	}
}

// fact returns the path below a person of the newest fact with a value.
func (s *stage) fact(who, value string) string {
	s.t.Helper()
	m := regexp.MustCompile(`href="[^"]*(/facts/\d+)">[^<]*` + value).FindStringSubmatch(s.get(s.path(who, "/facts")).Body)
	if m == nil {
		s.t.Fatalf("there is no fact with %q", value)
	}
	return m[1]
}

// meet has Tess hear somebody at a time from now, without an answer.
func (s *stage) meet(who string, after time.Duration) {
	s.t.Helper()
	ctx, m := s.t.Context(), s.message("tess", who, "", "Hello.")
	m.At = m.At.Add(after)
	p, room, err := s.store.Turns.UpsertParticipant(ctx, m)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.store.Log.Accept(ctx, "tess", m); err != nil {
		s.t.Fatal(err)
	}
	waiting, err := s.store.Log.Pending(ctx, "tess", m.Room, 1)
	if err != nil || len(waiting) != 1 {
		s.t.Fatal(waiting, err)
	}
	_, err = s.store.Turns.RecordTurn(ctx, turns.Turn{
		Persona: "tess", Room: room, Started: m.At, Heard: []model.AnnotatedMessage{{Message: m, PersonID: p.ID, InboxID: waiting[0].ID}},
		Relate: map[int64]func(model.Relationship) model.Relationship{p.ID: func(r model.Relationship) model.Relationship { return mind.Seen(r, m.At) }},
	})
	if err != nil {
		s.t.Fatal(err)
	}
}
