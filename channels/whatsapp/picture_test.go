package whatsapp

// B5: a picture is fetched and decrypted when it is looked at, up to a limit.

import (
	"testing"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"google.golang.org/protobuf/proto"

	"familiar/channels"
)

func TestB5PicturesAreFetchedOnDemand(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	up, err := ann.Upload(t.Context(), []byte("picture"), whatsmeow.MediaImage)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ann.Send(t.Context(), ownJID, "", &waE2E.Message{ImageMessage: &waE2E.ImageMessage{
		Caption: proto.String("look"), Mimetype: proto.String("image/png"), URL: &up.URL, DirectPath: &up.DirectPath,
		MediaKey: up.MediaKey, FileEncSHA256: up.FileEncSHA256, FileSHA256: up.FileSHA256, FileLength: proto.Uint64(7),
	}}); err != nil {
		t.Fatal(err)
	}
	m := s.next(0)
	if len(m.Attachments) != 1 || m.Attachments[0].Ref == "" || m.Attachments[0].Path != "" {
		t.Fatalf("received %+v", m)
	}
	data, err := s.FetchFile(t.Context(), m.Attachments[0], 100)
	if err != nil || string(data) != "picture" {
		t.Errorf("fetched %q, %v", data, err)
	}
	if _, err := s.FetchFile(t.Context(), m.Attachments[0], 3); err == nil {
		t.Error("fetched more than the limit")
	}
	broken := m.Attachments[0]
	broken.Ref = "no reference"
	if _, err := s.FetchFile(t.Context(), broken, 100); err == nil {
		t.Error("fetched without a reference")
	}
}

// TestRecordingsAreToldApart has what somebody says in the chat and what they pass on, both fetched when they are listened to.
func TestRecordingsAreToldApart(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	up, err := ann.Upload(t.Context(), []byte("OggS words"), whatsmeow.MediaAudio)
	if err != nil {
		t.Fatal(err)
	}
	for n, c := range []struct {
		ptt, forwarded bool
		want           channels.Speech
	}{{true, false, channels.OwnSpeech}, {false, false, channels.PassedOn}, {true, true, channels.PassedOn}} {
		if _, err := ann.Send(t.Context(), ownJID, "", &waE2E.Message{AudioMessage: &waE2E.AudioMessage{
			PTT: &c.ptt, Seconds: proto.Uint32(7), Mimetype: proto.String("audio/ogg; codecs=opus"), URL: &up.URL, DirectPath: &up.DirectPath,
			MediaKey: up.MediaKey, FileEncSHA256: up.FileEncSHA256, FileSHA256: up.FileSHA256, FileLength: proto.Uint64(10),
			ContextInfo: &waE2E.ContextInfo{IsForwarded: &c.forwarded},
		}}); err != nil {
			t.Fatal(err)
		}
		m := s.next(n)
		if a := m.Attachments[0]; a.Speech != c.want || a.Length != 7*time.Second || a.Size != 10 {
			t.Errorf("received %+v, want %s", a, c.want)
		}
		if data, err := s.FetchFile(t.Context(), m.Attachments[0], 100); err != nil || string(data) != "OggS words" {
			t.Errorf("fetched %q, %v", data, err)
		}
	}
}
