package conversations_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"familiar/channels"
	"familiar/web/webtest"
)

// fail has Ann ask something whose answer the network does not take, and returns the number of the dead letter.
func (s *stage) fail(kind channels.SendKind, text string) int64 {
	s.t.Helper()
	s.desk.refuseWith(&channels.SendError{Kind: kind, Err: errors.New("the chat <b>is</b> gone")})
	s.say("Ann", text)
	s.desk.refuseWith(nil)
	dead, err := s.store.Log.DeadLetters(s.t.Context(), "tess")
	if err != nil || len(dead) == 0 {
		s.t.Fatalf("no dead letter: %v", err)
	}
	return dead[len(dead)-1].ID
}

func TestDeadLettersAreSentAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	expect(t, s.get("/p/tess/letters").Text, "Everything got through.", "Nothing waits")
	id := s.fail(channels.Permanent, "I live in Bonn.")
	page := s.get("/p/tess/letters")
	expect(t, page.Text, "Ann", "The network refused it for good.", "the chat <b>is</b> gone", "not delivered", "Bonn")
	refuse(t, page.Body, "<b>is</b>")
	expect(t, s.get("/p/tess/conversations").Text, "1 not delivered")
	again := webtest.Follow(t, s.pages, webtest.Operator, fmt.Sprintf("/p/tess/letters/%d/resend", id), nil)
	expect(t, again.Text, "It is queued again")
	refuse(t, again.Text, "The network refused it")
	// The running persona has sent it, or does so now; a second attempt says so.
	if a := webtest.Post(t, s.pages, webtest.Operator, fmt.Sprintf("/p/tess/letters/%d/resend", id), nil); a.Status != http.StatusUnprocessableEntity {
		t.Errorf("sending again twice answered %d: %s", a.Status, a.Text)
	}
}

func TestAnUnknownOutcomeIsAskedAbout(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.fail(channels.Ambiguous, "I live in Bonn.")
	page := s.get("/p/tess/letters")
	expect(t, page.Text, "nobody knows whether it was shown", "perhaps shown", "Send again…")
	refuse(t, page.Body, fmt.Sprintf(`action="/p/tess/letters/%d/resend"`, id))
	asked := s.get(fmt.Sprintf("/p/tess/letters/%d/resend", id))
	expect(t, asked.Text, "may be shown twice", "Bonn")
	expect(t, asked.Body, fmt.Sprintf(`action="/p/tess/letters/%d/resend"`, id))
}

func TestDeadLettersAreDropped(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.fail(channels.Blocked, "I live in Bonn.")
	path := fmt.Sprintf("/p/tess/letters/%d/drop", id)
	expect(t, s.get("/p/tess/letters").Text, "They blocked the persona")
	expect(t, s.get(path).Text, "for good", "Bonn")
	expect(t, webtest.Follow(t, s.pages, webtest.Operator, path, nil).Text, "The text is dropped.", "Everything got through.")
	room := s.get(s.roomOf("Ann")).Text
	expect(t, room, "This was never delivered, and its text was dropped.")
	if a := webtest.Get(t, s.pages, webtest.Operator, path); a.Status != http.StatusUnprocessableEntity {
		t.Errorf("dropping twice answered %d", a.Status)
	}
}

func TestUnansweredMessages(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	s.say("Ann", "Hello") // the room is known
	for i, m := range []channels.Message{s.message("Ann", "first <i>question</i>"), s.message("Ann", "second question")} {
		if _, err := s.store.Log.Accept(t.Context(), "kit", m); err != nil {
			t.Fatal(err)
		}
		waiting, err := s.store.Log.WaitingMessages(t.Context(), "kit", 10)
		if err != nil || len(waiting) != 1 {
			t.Fatalf("%d wait: %v", len(waiting), err)
		}
		expect(t, s.get("/p/kit/letters").Text, "to be answered", m.Text)
		if err := s.store.Log.MarkInboxDead(t.Context(), waiting[0].ID, fmt.Sprintf("model broken %d", i)); err != nil {
			t.Fatal(err)
		}
	}
	dead, err := s.store.Log.DeadMessages(t.Context(), "kit")
	if err != nil || len(dead) != 2 {
		t.Fatalf("%d are dead: %v", len(dead), err)
	}
	page := s.get("/p/kit/letters")
	expect(t, page.Text, "first <i>question</i>", "second question", "model broken 1", "Answer after all")
	refuse(t, page.Body, "<i>question")
	expect(t, webtest.Follow(t, s.pages, webtest.Operator, fmt.Sprintf("/p/kit/unanswered/%d/retry", dead[0].ID), nil).Text, "It is queued again", "to be answered")
	drop := fmt.Sprintf("/p/kit/unanswered/%d/drop", dead[1].ID)
	expect(t, s.get(drop).Text, "never answered", "second question")
	refuse(t, webtest.Follow(t, s.pages, webtest.Operator, drop, nil).Text, "second question")
	refuse(t, s.get("/p/tess/letters").Text, "question")
}

func TestLettersBelongToOnePersona(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	id := s.fail(channels.Permanent, "I live in Bonn.")
	refuse(t, s.get("/p/kit/letters").Text, "Bonn")
	for _, path := range []string{"letters/%d/resend", "letters/%d/drop", "unanswered/%d/drop"} {
		path = fmt.Sprintf("/p/kit/"+path, id)
		if a := webtest.Get(t, s.pages, webtest.Operator, path); a.Status != http.StatusNotFound {
			t.Errorf("%s answered %d", path, a.Status)
		}
		if a := webtest.Post(t, s.pages, webtest.Operator, path, nil); a.Status != http.StatusNotFound {
			t.Errorf("a change by %s answered %d", path, a.Status)
		}
		if a := webtest.Post(t, s.pages, webtest.Viewer, strings.Replace(path, "kit", "tess", 1), nil); a.Status != http.StatusForbidden {
			t.Errorf("a viewer's %s answered %d", path, a.Status)
		}
	}
	viewed := webtest.Get(t, s.pages, webtest.Viewer, "/p/tess/letters")
	expect(t, viewed.Text, "Bonn")
	refuse(t, viewed.Body, "/resend", "/drop")
}
