package telegram

import (
	"context"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/channeltest"
	"familiar/channels/telegram/telegramtest"
)

func TestTelegramConforms(t *testing.T) {
	channeltest.Run(t, func(t *testing.T) channeltest.Network {
		server := telegramtest.Start(telegramtest.Options{Token: token, Bot: bot, Now: time.Now})
		t.Cleanup(server.Close)
		server.AddChat(telegramtest.Chat{ID: ann, Type: "private"})
		tg := New(Options{
			Token: token, Endpoint: server.URL,
			Host: channels.Host{
				Report: func(channels.State) {}, Shelf: &shelf{values: map[string]string{}}, Now: time.Now,
				Jitter: func(time.Duration) time.Duration { return 0 },
				Rooms:  func(context.Context) ([]channels.Room, error) { return nil, nil },
			},
		})
		tg.pace.relax()
		events := make(map[string]func())
		return channeltest.Network{
			Channel: tg, Room: room(ann), Redelivers: true,
			Say: func(event, text string) {
				if again, ok := events[event]; ok {
					again()
					return
				}
				body := map[string]any{"chat": server.Chat(ann), "from": telegramtest.Person(ann, "Ann"), "text": text}
				id, _ := server.Message(body)
				events[event] = func() { server.Again(id, "message", body) }
			},
			Shown: func() []string { return server.Texts(ann) },
		}
	})
}

// relax lets a test that runs by the real clock go on without waiting for its turn.
func (p *pacer) relax() {
	p.swept = p.now()
	p.chats[ann] = &chatPace{tracks: []track{{rate: rate{1000, time.Second}}}}
}
