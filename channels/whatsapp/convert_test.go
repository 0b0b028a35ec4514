package whatsapp

import (
	"testing"
	"time"
	"unicode/utf8"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
	"google.golang.org/protobuf/proto"
)

// FuzzA15Messages checks that any message is handled or skipped without a panic.
func FuzzA15Messages(f *testing.F) {
	quoting := &waE2E.ContextInfo{
		StanzaID: new("3EB0"), Participant: new("15550001@s.whatsapp.net"), MentionedJID: []string{"9@lid", "x"}, Expiration: proto.Uint32(7),
	}
	for _, m := range []*waE2E.Message{
		{Conversation: new("*hi* @9")},
		{ExtendedTextMessage: &waE2E.ExtendedTextMessage{Text: new("hi"), ContextInfo: quoting}},
		{ImageMessage: &waE2E.ImageMessage{Caption: new("hi"), ContextInfo: quoting}},
		{ReactionMessage: &waE2E.ReactionMessage{Text: new("👍")}},
		{ProtocolMessage: &waE2E.ProtocolMessage{Type: waE2E.ProtocolMessage_MESSAGE_EDIT.Enum(), EditedMessage: &waE2E.Message{Conversation: new("hi")}}},
	} {
		raw, err := proto.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw, true)
	}
	e := decoder{
		number: types.NewADJID("9", 0, 1), hidden: types.NewJID("9", types.HiddenUserServer),
		name: func() string { return "Nell" }, otherID: func(types.JID) types.JID { return types.EmptyJID }, nameOf: func(...types.JID) string { return "" },
	}
	f.Fuzz(func(t *testing.T, raw []byte, group bool) {
		evt := events.Message{RawMessage: new(waE2E.Message)}
		if proto.Unmarshal(raw, evt.RawMessage) != nil {
			return
		}
		evt.UnwrapRaw()
		evt.Info.Sender, evt.Info.IsGroup, evt.Info.Timestamp = types.NewJID("5", types.HiddenUserServer), group, time.Unix(1, 0)
		if evt.Info.Chat = evt.Info.Sender; group {
			evt.Info.Chat = types.NewJID("7", types.GroupServer)
		}
		if m, _ := e.message(&evt); !utf8.ValidString(m.ReplyData) {
			t.Errorf("%q comes back with the answer", m.ReplyData)
		}
	})
}
