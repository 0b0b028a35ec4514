package telegram

import (
	"strconv"
	"testing"

	"familiar/channels"
)

func TestAFileIsSentAsADocument(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		room := channels.Room{Channel: "telegram", ID: strconv.FormatInt(ann, 10)}
		where, err := r.tg.SendFile(t.Context(), room, channels.OutgoingFile{Name: "copy.zip", Type: "application/zip", Content: []byte("everything")})
		equal(t, "place", where, "")
		equal(t, "error", err, nil)
		sent := r.server.Sent(ann)
		equal(t, "messages", len(sent), 1)
		equal(t, "file", sent[0].File, "copy.zip")
		if _, err := r.tg.SendFile(t.Context(), channels.Room{ID: "404"}, channels.OutgoingFile{Name: "copy.zip"}); err == nil {
			t.Error("sent to a chat that does not exist")
		}
	})
}
