package persona_test

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/persona"
)

// fileDesk is a desk that takes files.
type fileDesk struct {
	*desk
	files []channels.OutgoingFile
	rooms []channels.Room
	fails error
}

func (d *fileDesk) SendFile(_ context.Context, room channels.Room, f channels.OutgoingFile) (string, error) {
	d.files, d.rooms = append(d.files, f), append(d.rooms, room)
	return "", d.fails
}

func TestExportSendsWhatIsTheirs(t *testing.T) {
	at := &fileDesk{desk: &desk{}}
	s := play(t, func(p *persona.Parts) { p.Channels = []channels.Channel{at} })
	s.desk = at.desk
	s.tells("ann", time.Minute, "I keep a ferret")
	s.tells("bob", time.Minute, "I keep a heron")
	if said := s.say("ann", "/export"); !strings.Contains(said, "index.html") || len(at.files) != 1 {
		t.Fatalf("it says %q and sends %d files", said, len(at.files))
	}
	f := at.files[0]
	if !strings.HasSuffix(f.Name, ".zip") || at.rooms[0] != s.message("ann", "").Room {
		t.Errorf("sent %s to %v", f.Name, at.rooms[0])
	}
	z, err := zip.NewReader(bytes.NewReader(f.Content), int64(len(f.Content)))
	if err != nil || len(z.File) != 2 {
		t.Fatal(z, err)
	}
	for _, part := range z.File {
		r, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil || !strings.Contains(string(content), "ferret") || strings.Contains(string(content), "heron") {
			t.Errorf("%s: %v\n%s", part.Name, err, content)
		}
	}
	m := s.message("ann", "/export")
	m.Room.ID, m.RoomTitle, m.Direct, m.PrivateReply = "club", "Club", false, true
	if said := s.answer(m); !strings.Contains(said, "direct talk") || len(at.files) != 1 {
		t.Errorf("in a group: %q", said)
	}
	at.fails = &channels.SendError{Kind: channels.Permanent, Err: io.ErrShortWrite}
	if said := s.say("ann", "/export"); !strings.Contains(said, "person export 1") {
		t.Errorf("a failed file: %q", said)
	}
}

func TestExportSaysWhomToAskWhereNoFileCanBeSent(t *testing.T) {
	s := play(t, nil)
	s.tells("ann", time.Minute, "I keep a ferret")
	if said := s.say("ann", "/export"); !strings.Contains(said, "familiar person export 1 --to FILE.zip") {
		t.Errorf("it says %q", said)
	}
}
