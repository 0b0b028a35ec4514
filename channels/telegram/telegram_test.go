package telegram

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"sync"
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
		var log record
		tg := New(Options{
			Token: token, Endpoint: server.URL, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
			Host: channels.Host{
				Report: log.report, Store: channeltest.NewStateStore(), Now: time.Now,
				Jitter: func(time.Duration) time.Duration { return 0 },
				Rooms:  func(context.Context) ([]channels.Room, error) { return nil, nil },
			},
		})
		tg.pace.relax()
		edits := int64(0)
		var presses []string
		events := make(map[string]func())
		bodies := make(map[string]map[string]any)
		sends := func(fields map[string]any) func() {
			return func() {
				fields["chat"], fields["from"] = server.Chat(ann), telegramtest.Person(ann, "Ann")
				server.Message(fields)
			}
		}
		return channeltest.Network{
			Channel: tg, Room: room(ann), Redelivers: true,
			Say: func(event, text string) {
				if again, ok := events[event]; ok {
					again()
					return
				}
				body := map[string]any{"chat": server.Chat(ann), "from": telegramtest.Person(ann, "Ann"), "text": text}
				id, _ := server.Message(body)
				bodies[event] = body
				events[event] = func() { server.Redeliver(id, "message", body) }
			},
			Shown: func() []string { return server.Texts(ann) },
			Voices: func() (all [][]byte) {
				for _, m := range server.Sent(ann) {
					if m.Voice != nil && m.Seconds == 2 {
						all = append(all, m.Voice)
					}
				}
				return all
			},
			Buttons: func(receipt channels.Receipt) (all []string) {
				for _, m := range server.Sent(ann) {
					for _, b := range m.Buttons {
						if fmt.Sprint(m.ID) == receipt.ID {
							all = append(all, b.Text)
						}
					}
				}
				return all
			},
			Press: func(receipt channels.Receipt, label string) {
				id, _ := strconv.Atoi(receipt.ID) // which the suite checked
				presses = append(presses, server.Press(ann, ann, id, label))
			},
			Told: func() (all []string) {
				for _, press := range presses {
					if told, ok := server.Told(press); ok && told.Text != "" {
						all = append(all, told.Text)
					}
				}
				return all
			},
			SayAsBot: func(text string) {
				server.Message(map[string]any{
					"chat": server.Chat(ann), "from": map[string]any{"id": bot.ID, "is_bot": true, "first_name": bot.Name}, "text": text,
				})
			},
			Edit: func(event, text string) {
				edits++
				body := maps.Clone(bodies[event])
				body["text"], body["edit_date"] = text, time.Now().Unix()+edits
				server.Update("edited_message", body)
			},
			Kinds: map[string]func(){
				"voice":   sends(map[string]any{"voice": map[string]any{"file_id": "v", "duration": 3}}),
				"image":   sends(map[string]any{"photo": []any{map[string]any{"file_id": "p", "width": 9, "height": 9}}}),
				"sticker": sends(map[string]any{"sticker": map[string]any{"file_id": "s", "emoji": "🐱"}}),
				"file":    sends(map[string]any{"document": map[string]any{"file_id": "d", "file_name": "notes.txt"}}),
				"unknown": sends(map[string]any{"hologram": map[string]any{"file_id": "h"}}),
			},
			States: log.all, Refuse: server.Revoke, Logs: log.String, Secrets: []string{token, url.QueryEscape(token)},
		}
	})
}

// relax lets a test that runs in real time continue without waiting for its turn.
func (p *pacer) relax() {
	p.pruned = p.now()
	p.chats[ann] = &chatPace{tracks: []track{{Rate: Rate{1000, time.Second}}}}
}

// record collects what a channel reports and logs.
type record struct {
	mu     sync.Mutex
	text   bytes.Buffer
	states []channels.State
}

func (r *record) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(b)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String() + fmt.Sprint(r.states)
}

func (r *record) report(s channels.State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.states = append(r.states, s)
}

func (r *record) all() []channels.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.states)
}
