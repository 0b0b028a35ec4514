package people_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/web/webtest"
)

// post sends a form and returns the page that it leads to.
func (s *stage) post(path string, form url.Values) webtest.Answer {
	s.t.Helper()
	return webtest.Follow(s.t, s.pages, webtest.Operator, path, form)
}

func TestAFactIsCorrectedAndRestored(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.say("Ann", "Long day today. My dog is called Rex. Anyway, good night.")
	fact := s.path("Ann", s.fact("Ann", "Rex"))
	s.shows(fact, "How it should read")
	for _, wrong := range []string{"", "   ", strings.Repeat("x", 2001)} {
		a := webtest.Post(t, s.pages, webtest.Operator, fact, url.Values{"text": {wrong}})
		if a.Status != http.StatusOK || !strings.Contains(a.Body, `aria-invalid="true"`) || !strings.Contains(a.Body, "text-problem") {
			t.Errorf("a correction of %d letters answers %d: %s", len(wrong), a.Status, a.Text)
		}
	}
	if a := webtest.Post(t, s.pages, webtest.Viewer, fact, url.Values{"text": {"My dog is called Max."}}); a.Status != http.StatusForbidden {
		t.Errorf("a viewer's correction answers %d", a.Status)
	}
	done := s.post(fact, url.Values{"text": {"My dog is called Max."}})
	if !strings.Contains(done.Text, "Long day today. My dog is called Max. Anyway, good night.") || !strings.Contains(done.Body, ">Undo<") {
		t.Errorf("after the correction: %s", done.Text)
	}
	s.shows(s.path("Ann", "/facts"), "Max")
	s.hides(s.path("Ann", "/facts"), "Rex")
	if a := webtest.Get(t, s.pages, webtest.Operator, fact); a.Status != http.StatusNotFound {
		t.Errorf("the old fact answers %d", a.Status)
	}
	undo, fields := undoOf(t, done)
	s.post(undo, fields)
	s.shows(s.path("Ann", "/facts"), "Rex")
	s.hides(s.path("Ann", "/facts"), "Max")
	for _, path := range []string{strings.Replace(undo, "tess", "kit", 1), s.path("Ann", "/messages/999"), s.path("Ann", "/messages/2")} {
		if a := webtest.Post(t, s.pages, webtest.Operator, path, url.Values{"text": {"I am a cat."}}); a.Status != http.StatusNotFound {
			t.Errorf("%s answers %d", path, a.Status)
		}
	}
}

func TestAFactIsForgotten(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.say("Ann", "My dog is called Rex.")
	s.say("Ann", "I live in Oslo.")
	fact := s.path("Ann", s.fact("Ann", "Rex"))
	s.shows(fact+"/forget", "My dog is called Rex.", "This goes for good", "1 memory, 1 belief")
	s.shows(fact, "Rex") // asking forgot nothing
	if a := webtest.Post(t, s.pages, webtest.Viewer, fact+"/forget", nil); a.Status != http.StatusForbidden {
		t.Errorf("a viewer's forgetting answers %d", a.Status)
	}
	if done := s.post(fact+"/forget", nil); !strings.Contains(done.Text, "Forgotten: 1 memory") {
		t.Errorf("after forgetting: %s", done.Text)
	}
	s.hides(s.path("Ann", ""), "Rex")
	s.shows(s.path("Ann", ""), "Oslo")
}

func TestAPersonIsExportedAndErased(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.say("Ann", "My dog is called Rex.")
	s.say("Ben", "I live in Oslo.")
	s.tell("kit", "Zoe", "", "I live in Bergen.")
	page := s.path("Ann", "")
	a := s.get(page + "/export")
	z, err := zip.NewReader(bytes.NewReader([]byte(a.Body)), int64(len(a.Body)))
	if err != nil || len(z.File) < 2 || !strings.Contains(a.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("the export is %v, %v", a.Header, err)
	}
	s.shows(page+"/erase", "1 person", "1 account", "1 memory", "cannot be undone")
	s.shows(page, "Rex")
	for _, who := range []string{"Ann", "Ben"} {
		if a := webtest.Post(t, s.pages, webtest.Viewer, s.path(who, "/erase"), nil); a.Status != http.StatusForbidden {
			t.Errorf("a viewer's erasure answers %d", a.Status)
		}
	}
	for _, path := range []string{fmt.Sprintf("/p/tess/people/%d/erase", s.id("Zoe")), "/p/tess/people/999/erase"} {
		if a := webtest.Post(t, s.pages, webtest.Operator, path, nil); a.Status != http.StatusNotFound {
			t.Errorf("%s answers %d", path, a.Status)
		}
	}
	done := webtest.Post(t, s.pages, webtest.Operator, page+"/erase", nil)
	if done.Status != http.StatusOK || !strings.Contains(done.Text, "Ann is erased") || !strings.Contains(done.Text, "memory 7") {
		t.Errorf("after the erasure: %d %s", done.Status, done.Text)
	}
	if a := webtest.Get(t, s.pages, webtest.Operator, page); a.Status != http.StatusNotFound {
		t.Errorf("an erased person answers %d", a.Status)
	}
	s.hides("/p/tess/people", "Ann")
	s.shows("/p/tess/people", "Ben")
}

func TestAccountsAreJoinedAndParted(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.say("Ann", "My dog is called Rex.")
	m := s.message("tess", "annie", "", "My cat is called Mimi.")
	m.Room, m.Author.Handle = channels.Room{Channel: "other", ID: "annie"}, channels.Handle{Channel: "other", ID: "annie"}
	s.hear("tess", m)
	other, err := s.store.Log.PersonByHandle(t.Context(), m.Author.Handle)
	if err != nil {
		t.Fatal(err)
	}
	s.say("Anna", "I like tea.")
	page := s.path("Ann", "")
	s.shows(page+"/link?q=ann", "Join annie and Ann")
	s.hides(page+"/link?q=ann", "Join Anna and Ann") // on the same network
	if a := webtest.Post(t, s.pages, webtest.Operator, page+"/link", url.Values{"other": {fmt.Sprint(s.id("Anna"))}}); a.Status != http.StatusUnprocessableEntity {
		t.Errorf("joining two of one network answers %d: %s", a.Status, a.Text)
	}
	done := s.post(page+"/link", url.Values{"other": {fmt.Sprint(other.ID)}})
	for _, part := range []string{"are one person now", "Rex", "Mimi", "other:annie"} {
		if !strings.Contains(done.Text, part) {
			t.Errorf("after the join %q is missing: %s", part, done.Text)
		}
	}
	s.hides("/p/tess/people", ">annie<")
	s.shows(page+"/unlink?network=other", "other:annie")
	undo, fields := undoOf(t, done)
	s.post(undo, fields)
	s.shows("/p/tess/people", "annie", "Ann")
	s.hides(page, "Mimi")
	if a := webtest.Post(t, s.pages, webtest.Operator, undo, fields); a.Status != http.StatusUnprocessableEntity {
		t.Errorf("parting again answers %d", a.Status)
	}
}

func TestAConsentIsTakenBack(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.say("Ann", "My dog is called Rex.")
	s.say("Ann", "/training on")
	s.shows(s.path("Ann", ""), "agreed 5 Jan 2026", "Take it back")
	s.shows(s.path("Ann", "/withdraw"), "training data")
	s.post(s.path("Ann", "/withdraw"), nil)
	s.shows(s.path("Ann", ""), "has not agreed")
}

func TestTheGreetingIsImagined(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.say("Ann", "My dog is called Rex. I have a dentist appointment tomorrow.")
	page := s.path("Ann", "/greeting")
	s.shows(page, "Nothing.", "not greeted again")
	s.clock.Advance(48 * time.Hour)
	first := s.get(page)
	if !strings.Contains(first.Text, "dentist") || !strings.Contains(first.Text, "They were away for 2 days") || !strings.Contains(first.Text, "tokens") {
		t.Errorf("the greeting is %s", first.Text)
	}
	if second := s.get(page); second.Body != first.Body {
		t.Errorf("looking changed it: %s", second.Text)
	}
	asked := webtest.Post(t, s.pages, webtest.Operator, page, nil)
	if asked.Status != http.StatusOK || !strings.Contains(asked.Text, "in its own voice") {
		t.Errorf("asking the voice answers %d: %s", asked.Status, asked.Text)
	}
	if a := webtest.Post(t, s.pages, webtest.Viewer, page, nil); a.Status != http.StatusForbidden {
		t.Errorf("a viewer's question answers %d", a.Status)
	}
}

// undoOf returns what the button to undo posts.
func undoOf(t testing.TB, a webtest.Answer) (path string, fields url.Values) {
	t.Helper()
	_, form, found := strings.Cut(a.Body, `<div class="notice"`)
	form, _, _ = strings.Cut(form, "</form>")
	path, ok := attribute(form, "action")
	if !found || !ok {
		t.Fatalf("there is nothing to undo: %s", a.Text)
	}
	fields = url.Values{}
	for _, input := range strings.Split(form, "<input")[1:] {
		name, _ := attribute(input, "name")
		value, _ := attribute(input, "value")
		if name != "csrf" {
			fields.Add(name, value)
		}
	}
	return path, fields
}

func attribute(tag, name string) (string, bool) {
	_, rest, ok := strings.Cut(tag, name+`="`)
	value, _, _ := strings.Cut(rest, `"`)
	return value, ok
}
