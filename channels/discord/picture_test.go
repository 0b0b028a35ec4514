package discord

// B5: a picture is fetched when it is looked at, up to a limit; the errors do not show its address.

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/discord/discordtest"
)

func TestB5PicturesAreFetchedOnDemand(t *testing.T) {
	server := discordtest.Start()
	t.Cleanup(server.Close)
	c := New(Options{Token: discordtest.Token, Endpoint: server.URL, Host: channels.Host{Report: func(channels.State) {}}})
	file := server.File("cat.png", "image/png", []byte("picture"))
	for kind, want := range map[string]string{"image/png": file.URL, "audio/ogg": file.URL, "application/pdf": ""} {
		a := attachment{ID: "1", Filename: "x", ContentType: kind, URL: file.URL}
		if got := (message{Attachments: []attachment{a}}).attachments(nil)[0].Ref; got != want {
			t.Errorf("%s has the reference %q", kind, got)
		}
	}
	data, err := c.FetchFile(t.Context(), channels.Attachment{Ref: file.URL}, 100)
	if err != nil || string(data) != "picture" {
		t.Errorf("fetched %q, %v", data, err)
	}
	for _, a := range []channels.Attachment{{Ref: file.URL + "?ex=secret"}, {Ref: server.URL + "/attachments/404/x?ex=secret"}, {Ref: "http://127.0.0.1:1/x?ex=secret"}} {
		if _, err := c.FetchFile(t.Context(), a, 3); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", a.Ref, err)
		}
	}
}

// TestRecordingsAreToldApart has what somebody says in the chat and what they pass on.
func TestRecordingsAreToldApart(t *testing.T) {
	voice := attachment{ID: "1", Filename: "voice-message.ogg", ContentType: "audio/ogg", URL: "u", Duration: 7}
	forwarded := message{}
	if err := json.Unmarshal([]byte(`{"message_snapshots":[{"message":{"flags":8192,"attachments":[{"content_type":"audio/ogg","url":"u","duration_secs":7}]}}]}`), &forwarded); err != nil {
		t.Fatal(err)
	}
	for want, m := range map[channels.Speech]message{
		channels.OwnSpeech: {Flags: flagVoice, Attachments: []attachment{voice}}, channels.PassedOn: {Attachments: []attachment{voice}}, "forwarded": forwarded,
	} {
		all := m.attachments(nil)
		a := all[len(all)-1]
		if want == "forwarded" {
			want = channels.PassedOn
		}
		if a.Speech != want || a.Length != 7*time.Second || a.Ref != "u" {
			t.Errorf("%+v, want %s", a, want)
		}
	}
}
