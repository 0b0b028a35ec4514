package log

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"familiar/memory/internal/dbtest"

	"familiar/channels"
	"familiar/memory/internal/db"
	"familiar/memory/model"
)

func TestAcceptStoresAnEventOnce(t *testing.T) {
	s := New(dbtest.Open(t))
	m := dbtest.Message("main", "e1", "hello")
	for i, tc := range []struct {
		persona string
		change  func(m *channels.Message)
		want    bool
	}{
		{"mira", func(*channels.Message) {}, true},
		{"mira", func(*channels.Message) {}, false},
		{"mira", func(m *channels.Message) { m.Text = "hello again" }, false}, // the key decides, not the text
		{"otto", func(*channels.Message) {}, true},
		{"mira", func(m *channels.Message) { m.Room.Thread = "7" }, true},
		{"mira", func(m *channels.Message) { m.Room.ID = "side" }, true},
		{"mira", func(m *channels.Message) { m.ID = "e2" }, true},
	} {
		m := m
		tc.change(&m)
		fresh, err := s.Accept(t.Context(), tc.persona, m)
		if err != nil || fresh != tc.want {
			t.Errorf("delivery %d: fresh %v, %v, want %v", i, fresh, err, tc.want)
		}
	}
	fresh, err := s.AcceptAll(t.Context(), "mira", []channels.Message{
		dbtest.Message("main", "e2", ""), dbtest.Message("main", "e3", ""), dbtest.Message("main", "e3", ""),
	})
	if err != nil || fresh != 1 {
		t.Errorf("of three events, one of them new, %d were fresh, %v", fresh, err)
	}
}

func TestAcceptRefuses(t *testing.T) {
	s := New(dbtest.Open(t))
	for name, tc := range map[string]struct {
		change func(m *channels.Message)
		says   string
	}{
		"no channel":    {func(m *channels.Message) { m.Room.Channel = "" }, "Room.Channel is empty"},
		"no room":       {func(m *channels.Message) { m.Room.ID = "" }, "Room.ID is empty"},
		"no author":     {func(m *channels.Message) { m.Author.Handle.ID = "" }, "Author.Handle.ID is empty"},
		"no network":    {func(m *channels.Message) { m.Author.Handle.Channel = "" }, "Author.Handle.Channel is empty"},
		"no event":      {func(m *channels.Message) { m.ID = "" }, "ID is empty"},
		"broken event":  {func(m *channels.Message) { m.ID = "\xff" }, "ID is not valid UTF-8"},
		"broken thread": {func(m *channels.Message) { m.Room.Thread = "\xff" }, "Room.Thread is not valid UTF-8"},
		"too long":      {func(m *channels.Message) { m.Text = strings.Repeat("x", maxPayload) }, "longer than 4 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			m := dbtest.Message("main", "e", "hello")
			tc.change(&m)
			_, err := s.AcceptAll(t.Context(), "mira", []channels.Message{dbtest.Message("main", "good", "hello"), m})
			if err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("got %v, want %q", err, tc.says)
			}
			if errors.Is(err, ErrTooLong) != (name == "too long") {
				t.Errorf("ErrTooLong is for what is too long, got %v", err)
			}
		})
	}
	if got := events(t, s); len(got) != 0 {
		t.Errorf("of refused deliveries %v was stored", got)
	}
}

func TestPendingReturnsWhatWasAccepted(t *testing.T) {
	s := New(dbtest.Open(t))
	m := dbtest.Message("main", "e1", strings.Repeat("a long story <&> ", 1<<16)) // over 1 MB
	m.RoomTitle, m.ReplyTo, m.Addressed = "Kitchen", "e0", true
	m.Attachments = []channels.Attachment{{Kind: "image", Name: "cat.png", Caption: "a cat", Size: 12}}
	for _, m := range []channels.Message{m, dbtest.Message("side", "s1", "aside"), dbtest.Message("main", "e2", "then")} {
		if _, err := s.Accept(t.Context(), "mira", m); err != nil {
			t.Fatal(err)
		}
	}
	waiting, err := s.Pending(t.Context(), "mira", m.Room, 10)
	if err != nil {
		t.Fatal(err)
	}
	if len(waiting) != 2 || waiting[1].Message.ID != "e2" {
		t.Fatalf("%d messages wait, want e1 and e2 in order", len(waiting))
	}
	if !reflect.DeepEqual(waiting[0].Message, m) {
		t.Error("the message came back changed")
	}
	if !waiting[0].Received.Equal(dbtest.Monday) {
		t.Errorf("received at %v, want %v", waiting[0].Received, dbtest.Monday)
	}
	if first, err := s.Pending(t.Context(), "mira", m.Room, 1); err != nil || len(first) != 1 || first[0].Message.ID != "e1" {
		t.Errorf("the first waiting is %v, %v", first, err)
	}
	rooms, err := s.PendingRooms(t.Context(), "mira")
	side := channels.Room{Channel: "console", ID: "side"}
	if err != nil || !reflect.DeepEqual(rooms, []channels.Room{m.Room, side}) {
		t.Errorf("rooms %v, %v", rooms, err)
	}
	if rooms, err := s.PendingRooms(t.Context(), "otto"); err != nil || len(rooms) != 0 {
		t.Errorf("otto waits in %v, %v", rooms, err)
	}
}

func TestMarkInboxDone(t *testing.T) {
	s := New(dbtest.Open(t))
	accept(t, s, 2)
	room := channels.Room{Channel: "console", ID: "main"}
	waiting, err := s.Pending(t.Context(), "mira", room, 10)
	if err != nil {
		t.Fatal(err)
	}
	done := func() error {
		return s.db.Write(t.Context(), "record", func(tx *db.Tx) error { return MarkInboxDone(tx, waiting[0].ID) })
	}
	if err := done(); err != nil {
		t.Fatal(err)
	}
	if err := done(); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("done twice: got %v, want ErrNotFound", err)
	}
	if left, err := s.Pending(t.Context(), "mira", room, 10); err != nil || len(left) != 1 || left[0].ID != waiting[1].ID {
		t.Errorf("%v wait, %v, want the second", left, err)
	}
	if fresh, err := s.Accept(t.Context(), "mira", waiting[0].Message); err != nil || fresh {
		t.Errorf("an answered event was received again: fresh %v, %v", fresh, err)
	}
}

// storedPayload returns an inbox row with this payload.
type storedPayload string

func (p storedPayload) Scan(dest ...any) error {
	*dest[1].(*[]byte) = []byte(p)
	return nil
}

func FuzzPayload(f *testing.F) {
	f.Add("hello", "e1")
	f.Add("a\x00b\xff", "e\xff")
	f.Add("<script>&", "")
	f.Fuzz(func(t *testing.T, text, event string) {
		stored, err := EncodePayload(dbtest.Message("main", event, text))
		if refused := event == "" || !utf8.ValidString(event); refused != (err != nil) {
			t.Fatalf("event %q: %v", event, err)
		}
		if err != nil {
			return
		}
		h, err := ScanInboxEntry(storedPayload(stored))
		if err != nil {
			t.Fatal(err)
		}
		if h.Message.ID != event || h.Message.Text != model.CleanText(text) {
			t.Errorf("%q came back as %q", text, h.Message.Text)
		}
		if !utf8.ValidString(stored) || strings.ContainsRune(stored, 0) {
			t.Errorf("stored as %q", stored)
		}
	})
}
