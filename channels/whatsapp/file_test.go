package whatsapp

import (
	"slices"
	"testing"

	"go.mau.fi/whatsmeow/types/events"

	"familiar/channels"
)

func TestAFileIsEncryptedAndSent(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	if _, err := ann.Say(t.Context(), ownJID, "/export"); err != nil {
		t.Fatal(err)
	}
	m := s.next(0)
	if where, err := s.SendFile(t.Context(), m.Room, channels.OutgoingFile{Name: "copy.zip", Type: "application/zip", Content: []byte("everything")}); err != nil || where != "" {
		t.Fatal(where, err)
	}
	eventually(t, "the file arrives", func() bool {
		return slices.ContainsFunc(ann.Received(), func(e *events.Message) bool { return e.Message.GetDocumentMessage() != nil })
	})
	received := ann.Received()
	d := received[len(received)-1].Message.GetDocumentMessage()
	content, err := ann.Client.Download(t.Context(), d)
	if err != nil || string(content) != "everything" || d.GetFileName() != "copy.zip" || d.GetMimetype() != "application/zip" {
		t.Errorf("received %q as %v, %v", content, d, err)
	}
}
