package telegram

// B5: a picture is fetched when it is looked at, with the bot's own token, up to a limit, and nothing else is.

import (
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/telegram/telegramtest"
)

// TestRecordingsAreToldApart has what somebody says in the chat and what they pass on.
func TestRecordingsAreToldApart(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		for _, c := range []struct {
			kind   string
			fields map[string]any
			more   string
			want   channels.Speech
		}{
			{"voice", map[string]any{"file_id": "v", "duration": 7}, "", channels.OwnSpeech},
			{"video_note", map[string]any{"file_id": "v", "duration": 7, "length": 240}, "", channels.OwnSpeech},
			{"audio", map[string]any{"file_id": "v", "duration": 7}, "", channels.PassedOn},
			{"voice", map[string]any{"file_id": "v", "duration": 7}, "forward_date", channels.PassedOn},
		} {
			m := map[string]any{"chat": r.server.Chat(ann), "from": telegramtest.Person(ann, "Ann"), c.kind: c.fields}
			if c.more != "" {
				m[c.more] = 1700000000
			}
			r.server.Message(m)
			heard := r.messages()
			a := heard[len(heard)-1].Attachments[0]
			equal(t, c.kind, a.Speech, c.want)
			equal(t, "length", a.Length, 7*time.Second)
			equal(t, "reference", a.Ref, "v")
		}
	})
}

func TestB5PicturesAreFetchedOnDemand(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.server.AddFile("p1", "photos/1.jpg", []byte("picture"))
		r.server.AddFile("d1", "documents/1.png", []byte("document"))
		r.serve()
		send := func(kind string, file any) {
			r.server.Message(map[string]any{"chat": r.server.Chat(ann), "from": telegramtest.Person(ann, "Ann"), kind: file})
		}
		send("photo", []any{map[string]any{"file_id": "p1", "width": 90, "height": 90}})
		send("document", map[string]any{"file_id": "d1", "file_name": "1.png", "mime_type": "image/png"})
		send("document", map[string]any{"file_id": "d2", "file_name": "1.pdf", "mime_type": "application/pdf"})
		send("voice", map[string]any{"file_id": "v1", "duration": 2})
		send("photo", []any{map[string]any{"file_id": "gone", "width": 90, "height": 90}})
		heard := r.messages()
		for i, want := range []string{"p1", "d1", "", "v1", "gone"} {
			equal(t, "reference", heard[i].Attachments[0].Ref, want)
			equal(t, "path", heard[i].Attachments[0].Path, "")
		}
		data, err := r.tg.FetchFile(t.Context(), heard[0].Attachments[0], 100)
		equal(t, "picture", string(data), "picture")
		equal(t, "error", err, nil)
		if _, err := r.tg.FetchFile(t.Context(), heard[1].Attachments[0], 3); err == nil {
			t.Error("fetched more than the limit")
		}
		if _, err := r.tg.FetchFile(t.Context(), heard[4].Attachments[0], 100); err == nil {
			t.Error("fetched what is gone")
		}
	})
}
