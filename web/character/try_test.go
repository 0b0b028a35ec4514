package character_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"familiar/persona/card"
	"familiar/persona/companion"
	"familiar/web/visitor"
	"familiar/web/webtest"
)

// echo is a model that says the same to everything.
type echo struct{ asked atomic.Int32 }

func (e *echo) Chat(context.Context, companion.Request, func(string)) (string, error) {
	e.asked.Add(1)
	return "The tide is out <b>tonight</b>.", nil
}

// withTrials lets the stage's pages try personas, with a model.
func withTrials(t *testing.T, s *stage) (scratch string, model *echo) {
	t.Helper()
	scratch, model = t.TempDir(), &echo{}
	taken := false
	s.pages.Scratch = func() (string, func() error, error) {
		if taken {
			return "", nil, errors.New("it is taken twice")
		}
		taken = true
		return scratch, func() error { taken = false; return nil }, nil
	}
	s.pages.Model = func(*card.Card) (companion.Model, string, error) { return model, "echo-1", nil }
	s.remount()
	t.Cleanup(s.pages.Close)
	return scratch, model
}

func TestTryAnswersAsTheEditedCardWouldAndKeepsNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	scratch, model := withTrials(t, s)
	form := s.open(t, at)
	form["name"][0] = "Lola"
	form.Set("try_text", "What's your name?")
	form.Set("try", "say")
	a := webtest.Post(t, s, webtest.Operator, at+"/try", form)
	if a.Status != http.StatusOK || !strings.Contains(a.Text, "You: What's your name?") || !strings.Contains(a.Text, "Lola") || s.file(t) != veraFile {
		t.Errorf("%d %s", a.Status, a.Text)
	}
	if again := formOf(t, a.Body); again["name"][0] != "Lola" || again["base"][0] != form["base"][0] {
		t.Errorf("the form has %v", again)
	}
	if other := webtest.Get(t, s, visitor.Visitor{Role: visitor.Operator, CSRF: "another browser"}, at); strings.Contains(other.Text, "What's your name?") {
		t.Error("another browser sees the talk")
	}
	if viewer := webtest.Get(t, s, webtest.Viewer, at); strings.Contains(viewer.Text, "Try it") {
		t.Error("a viewer may try")
	}
	if a := webtest.Post(t, s, webtest.Viewer, at+"/try", form); a.Status != http.StatusForbidden {
		t.Errorf("a viewer tried: %d", a.Status)
	}
	if n := model.asked.Load(); n != 0 {
		t.Errorf("the model was asked %d times without being chosen", n)
	}

	form.Set("try_model", "on")
	form.Set("try_text", "Tell me about the tide.")
	a = webtest.Post(t, s, webtest.Operator, at+"/try", form)
	if model.asked.Load() == 0 || !strings.Contains(a.Text, "The tide is out") || strings.Contains(a.Body, "<b>tonight") {
		t.Errorf("with the model: %s", a.Text)
	}
	form["name"][0] = ""
	form.Set("try_text", "Hi")
	if a := webtest.Post(t, s, webtest.Operator, at+"/try", form); a.Status != http.StatusUnprocessableEntity || !strings.Contains(a.Text, "Mend what is wrong") || !strings.Contains(a.Body, "Hi</textarea>") {
		t.Errorf("a broken form: %d %s", a.Status, a.Text)
	}
	form["name"][0] = "Lola"
	form.Set("try_text", strings.Repeat("x", 2001))
	if a := webtest.Post(t, s, webtest.Operator, at+"/try", form); !strings.Contains(a.Text, "at most 2000 letters") {
		t.Errorf("a long text: %s", a.Text)
	}
	form.Set("try", "again")
	if a := webtest.Post(t, s, webtest.Operator, at+"/try", form); !strings.Contains(a.Text, "Nothing was said yet") {
		t.Errorf("after a new start: %s", a.Text)
	}
	s.pages.Close()
	if left, err := os.ReadDir(scratch); err != nil || len(left) != 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func TestTalksAreBounded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	scratch, _ := withTrials(t, s)
	form := s.open(t, at)
	form.Set("try_text", "Hi")
	form.Set("try", "say")
	for _, browser := range []string{"a", "b", "c", "d", "e", "f"} {
		who := visitor.Visitor{Role: visitor.Operator, CSRF: browser}
		if a := webtest.Post(t, s, who, at+"/try", form); !strings.Contains(a.Text, "You: Hi") {
			t.Errorf("browser %s: %s", browser, a.Text)
		}
	}
	if a := webtest.Get(t, s, visitor.Visitor{Role: visitor.Operator, CSRF: "a"}, at); strings.Contains(a.Text, "You: Hi") {
		t.Error("the oldest talk is still there")
	}
	if a := webtest.Get(t, s, visitor.Visitor{Role: visitor.Operator, CSRF: "f"}, at); !strings.Contains(a.Text, "You: Hi") {
		t.Error("the newest talk is gone")
	}
	s.pages.Close()
	if left, err := os.ReadDir(scratch); err != nil || len(left) != 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
