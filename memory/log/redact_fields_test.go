package log

import (
	"strings"
	"testing"

	"familiar/channels"
)

// TestS15EveryFieldOfAMessageIsRedacted puts a secret into every field that shows words of people.
func TestS15EveryFieldOfAMessageIsRedacted(t *testing.T) {
	const secret = "tr0ub4dor"
	m := channels.Message{
		ID: "1", Room: channels.Room{Channel: "demo", ID: "r"}, Text: "password: " + secret, RoomTitle: "passwort: " + secret,
		Author:      channels.Author{Handle: channels.Handle{Channel: "demo", ID: "ann"}, Name: "Ann, password " + secret + "7"},
		Attachments: []channels.Attachment{{Kind: "file", Name: "password is\n" + secret, Caption: "senha: " + secret}},
	}
	payload, err := EncodePayload(m)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(payload, secret) || strings.Count(payload, redactedPassword) != 5 {
		t.Errorf("stored: %s", payload)
	}
	if name := DisplayName(m.Author); strings.Contains(name, secret) {
		t.Errorf("the name is stored as %q", name)
	}
}
