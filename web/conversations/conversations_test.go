package conversations_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"familiar/channels"
	"familiar/memory/memorytest"
	"familiar/web/webtest"
)

// roomOf returns the path of somebody's direct room.
func (s *stage) roomOf(who string) string {
	s.t.Helper()
	room, err := s.store.Log.RoomByAddress(s.t.Context(), channels.Room{Channel: "desk", ID: who})
	if err != nil {
		s.t.Fatal(err)
	}
	return fmt.Sprintf("/p/tess/conversations/%d", room.ID)
}

// get returns a page that must be there.
func (s *stage) get(path string) webtest.Answer {
	s.t.Helper()
	a := webtest.Get(s.t, s.pages, webtest.Operator, path)
	if a.Status != http.StatusOK {
		s.t.Fatalf("%s answered %d: %s", path, a.Status, a.Text)
	}
	return a
}

func expect(t testing.TB, in string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(in, part) {
			t.Errorf("%q is missing in:\n%s", part, in)
		}
	}
}

func refuse(t testing.TB, in string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(in, part) {
			t.Errorf("%q is in:\n%s", part, in)
		}
	}
}

func TestRooms(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	expect(t, s.get("/p/tess/conversations").Text, "Nobody has talked with Tess yet.")
	s.say("Ann", "I live in Bonn.")
	group := s.message("Ben", "Hello all, I am Ben")
	group.Room, group.Direct, group.RoomTitle = channels.Room{Channel: "desk", ID: "club"}, false, "Harbour club"
	s.hear(group)
	all := s.get("/p/tess/conversations").Text
	expect(t, all, "Ann", "Harbour club", "group of 1 person", "direct", "desk")
	if strings.Index(all, "Harbour club") > strings.Index(all, "Ann") {
		t.Error("the room with the latest message is not first")
	}
	refuse(t, s.get("/p/tess/conversations?q=harbour").Text, "Ann")
	refuse(t, s.get("/p/tess/conversations?kind=direct").Text, "Harbour club")
	expect(t, s.get("/p/tess/conversations?q=100%25").Text, "No room fits.")
	expect(t, s.get("/p/kit/conversations").Text, "Nobody has talked with Kit yet.")
	if a := webtest.Get(t, s.pages, webtest.Operator, "/p/tess/conversations?before=x"); a.Status != http.StatusNotFound {
		t.Errorf("a page that is no number answered %d", a.Status)
	}
	// Another persona's rooms are nowhere.
	for _, path := range []string{strings.Replace(s.roomOf("Ann"), "tess", "kit", 1), "/p/tess/conversations/0", "/p/tess/conversations/999", "/p/tess/conversations/x"} {
		if a := webtest.Get(t, s.pages, webtest.Operator, path); a.Status != http.StatusNotFound {
			t.Errorf("%s answered %d", path, a.Status)
		}
	}
}

func TestRoomShowsWhatBecameOfEachMessage(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	s.say("Ann", "My sister is called Zoe.")
	spoken := s.message("Ann", "I had a long day")
	spoken.Attachments = []channels.Attachment{
		{Kind: "voice", Speech: channels.OwnSpeech, Hearing: channels.Heard, Seen: "I had a long day"},
		{Kind: "image", Caption: "the harbour", Seen: "boats at dusk"},
	}
	spoken.ReplyTo = "m1"
	s.hear(spoken)
	s.hear(channels.Message{ID: "r1", Action: channels.React, TargetID: "m1", Text: "🌊", Room: spoken.Room, Direct: true, Author: spoken.Author, At: s.clock.Now()})
	s.hear(channels.Message{ID: "e1", Action: channels.Edit, TargetID: "m1", Text: "My sister is called Zoe Marie.", Room: spoken.Room, Direct: true, Author: spoken.Author, At: s.clock.Now()})
	s.say("Ann", "this was a mistake")
	s.hear(channels.Message{ID: "e2", Action: channels.Edit, TargetID: "m3", Text: "this was a big mistake", Room: spoken.Room, Direct: true, Author: spoken.Author, At: s.clock.Now()})
	s.hear(channels.Message{ID: "d1", Action: channels.Delete, TargetID: "m3", Room: spoken.Room, Direct: true, Author: spoken.Author, At: s.clock.Now()})
	s.desk.refuseWith(&channels.SendError{Kind: channels.Permanent, Err: fmt.Errorf("the chat is gone")})
	s.say("Ann", "are you there?")
	page := s.get(s.roomOf("Ann"))
	expect(t, page.Text, "My sister is called Zoe Marie.", "edited", "I had a long day", "voice message", "image the harbour", "(seen: boats at dusk)", "Ann reacted with 🌊",
		"This was taken back or forgotten.", "are you there?", "not delivered", "Why this?")
	expect(t, page.Body, `<blockquote class="quoted"`, `data-live="on"`)
	refuse(t, page.Text, "this was a mistake", "a big mistake", "[spoken]")
	if n := strings.Count(page.Body, ">edited<"); n != 1 { // what was taken back has no sign of it
		t.Errorf("%d messages are shown as edited, want 1", n)
	}
}

func TestRoomIsReadInPages(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	for i := range 60 {
		m := s.message("Ann", fmt.Sprintf("line %03d", i))
		m.Addressed = false
		s.hear(m)
	}
	last := s.get(s.roomOf("Ann"))
	expect(t, last.Text, "line 059", "↑ Older")
	refuse(t, last.Text, "line 009", "↓ Newer")
	before, _, _ := strings.Cut(last.Body[strings.Index(last.Body, "?before="):], `"`)
	first := s.get(s.roomOf("Ann") + before)
	expect(t, first.Text, "line 000", "line 009", "↓ Newer")
	refuse(t, first.Text, "line 010", "↑ Older")
	refuse(t, first.Body, `data-live="on"`)
	after, _, _ := strings.Cut(first.Body[strings.Index(first.Body, "?after="):], `"`)
	again := s.get(s.roomOf("Ann") + after)
	expect(t, again.Text, "line 010", "line 059")
	// A link to one message leads to the page that begins with it.
	linked := s.get(s.roomOf("Ann") + "?message=5")
	expect(t, linked.Body, `id="m5"`)
	refuse(t, linked.Body, `id="m4"`)
}

func TestWhy(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	s.say("Ann", "My sister is called Zoe.")
	s.clock.Advance(memorytest.Start.Sub(memorytest.Start.AddDate(0, 0, -2)))
	s.say("Ann", "What is my sister called?")
	room := s.get(s.roomOf("Ann"))
	link := room.Body[strings.LastIndex(room.Body, s.roomOf("Ann")+"/"):]
	link, _, _ = strings.Cut(link, `"`)
	page := s.get(link)
	expect(t, page.Text, "Why Tess said this", "What is my sister called?", "What it was made from", "Zoe", "plain", "Answers Ann")
	expect(t, page.Body, `href="/p/tess/memory/`)
	prompt := s.get(link + "/prompt")
	expect(t, prompt.Text, "The prompt as it would be now", "Prompts are not kept", "What is my sister called?", "Tokens by part", "A test pilot who listens")
	expect(t, page.Body, `href="`+link+`/prompt"`)
	if a := webtest.Get(t, s.pages, webtest.Operator, strings.Replace(link, "tess", "kit", 1)+"/prompt"); a.Status != http.StatusNotFound {
		t.Errorf("another persona sees the prompt: %d", a.Status)
	}
	if a := webtest.Get(t, s.pages, webtest.Operator, strings.Replace(link, "tess", "kit", 1)); a.Status != http.StatusNotFound {
		t.Errorf("another persona sees it: %d", a.Status)
	}
	// What a person wrote has no such page.
	if a := webtest.Get(t, s.pages, webtest.Operator, s.roomOf("Ann")+"/1"); a.Status != http.StatusNotFound {
		t.Errorf("a message of a person answered %d", a.Status)
	}
}

func TestConversationsAreInert(t *testing.T) {
	t.Parallel()
	s := newStage(t, nil)
	const payload = `<script>alert("x")</script>"><img src=x onerror=alert(1)>`
	m := s.message(payload, payload+" is what I am called")
	m.RoomTitle = payload
	m.Attachments = []channels.Attachment{{Kind: "image", Caption: payload, Seen: payload}}
	s.hear(m)
	for _, path := range []string{"/p/tess/conversations", "/p/tess/conversations?q=" + "%3Cscript%3Ealert", s.roomOf(payload)} {
		a := s.get(path)
		refuse(t, a.Body, "<script>alert", "<img src=x")
		expect(t, a.Body, "&lt;script&gt;alert")
	}
}
