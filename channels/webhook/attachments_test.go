package webhook

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"familiar/channels"
)

var _ channels.FileFetcher = (*Channel)(nil)

// TestB5FilesComeWithTheEvent has a picture without a text, recordings, and a file that is only named.
func TestB5FilesComeWithTheEvent(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var received []channels.Message
	r.serve(t, func(_ context.Context, m channels.Message) error {
		received = append(received, m)
		return nil
	})
	picture := "\x89PNG\r\n\x1a\n" + strings.Repeat("a boat ", 200_000)
	e := event("1", "")
	e["attachments"] = []Attachment{
		{Kind: "image", Name: "boat.png", Caption: "our boat", Data: []byte(picture)},
		{Kind: "voice", Data: []byte("OggS own")},
		{Kind: "audio", Name: "song.ogg", Data: []byte("OggS song")},
		{Kind: "file", Name: "notes.txt"},
	}
	if status := r.peer.Post(r.address(), e); status != http.StatusNoContent || len(received) != 1 || len(received[0].Attachments) != 4 {
		t.Fatalf("answered with %d, received %+v", status, received)
	}
	for i, want := range []struct {
		kind, name, file string
		speech           channels.Speech
	}{
		{"image", "boat.png", picture, channels.NoSpeech},
		{"voice", "", "OggS own", channels.OwnSpeech},
		{"audio", "song.ogg", "OggS song", channels.PassedOn},
		{"file", "notes.txt", "", channels.NoSpeech},
	} {
		a := received[0].Attachments[i]
		if a.Kind != want.kind || a.Name != want.name || a.Speech != want.speech || a.Size != int64(len(want.file)) || (a.Ref == "") != (want.file == "") {
			t.Errorf("received %s %q %q of %d bytes", a.Kind, a.Name, a.Speech, a.Size)
		}
		file, err := r.FetchFile(t.Context(), a, 8<<20)
		if (err != nil) != (want.file == "") || string(file) != want.file {
			t.Errorf("%s: fetched %d bytes, %v", want.kind, len(file), err)
		}
		if _, err := r.FetchFile(t.Context(), a, 3); err == nil {
			t.Errorf("%s: fetched more than the limit", want.kind)
		}
	}
}

// TestS16FewLongRequestsAreReadAtATime holds as many as are read, and posts one more.
func TestS16FewLongRequestsAreReadAtATime(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.serve(t, func(context.Context, channels.Message) error { return nil })
	for range maxHeavy {
		r.heavy <- struct{}{}
	}
	long := event("1", "")
	long["attachments"] = []Attachment{{Kind: "voice", Data: make([]byte, heavyBody)}}
	if status := r.peer.Post(r.address(), long); status != http.StatusServiceUnavailable {
		t.Errorf("one more is answered with %d", status)
	}
	if status := r.peer.Post(r.address(), event("2", "hi")); status != http.StatusNoContent {
		t.Errorf("a short one is answered with %d", status)
	}
	<-r.heavy
	if status := r.peer.Post(r.address(), long); status != http.StatusNoContent {
		t.Errorf("later it is answered with %d", status)
	}
}
