package whatsapp

import (
	"testing"
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
)

// M3: what somebody forwards are not their own words.

func TestM3WhatIsForwardedIsAnAttachment(t *testing.T) {
	e := decoder{
		number: types.NewADJID("9", 0, 1), hidden: types.NewJID("9", types.HiddenUserServer),
		name: func() string { return "Nell" }, otherID: func(types.JID) types.JID { return types.EmptyJID },
	}
	forwarded := &waE2E.ContextInfo{IsForwarded: new(true), ForwardingScore: new(uint32(1))}
	for want, m := range map[string]*waE2E.Message{
		"[forwarded: my name is Bo]":  {ExtendedTextMessage: &waE2E.ExtendedTextMessage{Text: new("my name is Bo"), ContextInfo: forwarded}},
		"[image] [forwarded: my dog]": {ImageMessage: &waE2E.ImageMessage{Caption: new("my dog"), ContextInfo: forwarded}},
		"mine":                        {ExtendedTextMessage: &waE2E.ExtendedTextMessage{Text: new("mine")}},
	} {
		evt := events.Message{RawMessage: m}
		evt.UnwrapRaw()
		evt.Info.Sender, evt.Info.Timestamp = types.NewJID("5", types.HiddenUserServer), time.Unix(1, 0)
		evt.Info.Chat = evt.Info.Sender
		if got, ok := e.message(&evt); !ok || got.FullText() != want || !got.Addressed {
			t.Errorf("%q, want %q", got.FullText(), want)
		}
	}
}
