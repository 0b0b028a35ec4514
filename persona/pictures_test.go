package persona_test

// B5: a picture reaches a model that sees, from every network, a program or the terminal; else a description by the model for work; else the
// placeholder. The description stays with the message, in its room; the picture is kept nowhere.

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/channeltest"
	"familiar/channels/console"
	"familiar/channels/discord"
	"familiar/channels/discord/discordtest"
	"familiar/channels/telegram"
	"familiar/channels/telegram/telegramtest"
	"familiar/channels/webhook"
	"familiar/channels/webhook/webhooktest"
	"familiar/internal/llm"
	"familiar/internal/llm/llmtest"
	"familiar/memory/budget"
	"familiar/memory/memorytest"
	"familiar/persona"
	"familiar/persona/command"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// photo is a PNG file that says where it was taken.
func photo(t *testing.T, side int) []byte {
	t.Helper()
	p := image.NewRGBA(image.Rect(0, 0, side, side/2))
	p.Set(1, 1, color.RGBA{R: 200, A: 255})
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return append(b.Bytes(), "GPS 38.7N"...)
}

// looker is a persona whose models look at pictures.
type looker struct {
	*stage
	talk, work *llmtest.Server
}

func clientAt(t *testing.T, p *llmtest.Server, model string) *llm.Client {
	t.Helper()
	client, err := llm.New(llm.Settings{
		Provider: "openai", Model: model, BaseURL: p.URL + "/v1", Timeout: 10 * time.Second, MaxTokens: 300, NoTools: true,
		Now: time.Now, Rand: func() float64 { return 0.5 }, Sleep: func(context.Context, time.Duration) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// sentPictures returns the pictures in a request.
func sentPictures(t *testing.T, r *llmtest.Request) (files [][]byte) {
	t.Helper()
	plain, err := json.Marshal(r.Fields)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(plain), "data:image/jpeg;base64,")[1:] {
		data, _, _ := strings.Cut(part, `"`)
		file, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// sees answers a request with a picture; blind refuses one.
func sees(text string) llmtest.Answer { return llmtest.Says(text) }

func blind(t *testing.T, otherwise string) llmtest.Answer {
	return func(w http.ResponseWriter, r *llmtest.Request) {
		if len(sentPictures(t, r)) > 0 {
			llmtest.Says400(`{"error":{"message":"this model does not support image input"}}`)(w, r)
			return
		}
		llmtest.Says(otherwise)(w, r)
	}
}

// look starts a persona at a channel. work is nil if the model for work is not to be asked.
func look(t *testing.T, c channels.Channel, talk, work llmtest.Answer) looker {
	t.Helper()
	l := looker{talk: llmtest.Serve(t, talk)}
	l.stage = play(t, func(p *persona.Parts) {
		p.Channels = append(p.Channels, c)
		if work != nil {
			l.work = llmtest.Serve(t, work)
			p.Model = clientAt(t, l.work, "work")
		}
		voice := modelvoice.NewVoice(clientAt(t, l.talk, "talk"), modelvoice.Meter{Store: p.Store, Persona: "tess", Now: p.Now}, 0, 0)
		p.Voice = modelvoice.Fallback(voice, p.Voice)
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx, l.engine.Accept) }()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return l
}

// atTelegram returns a channel at a server with a photo and a document.
func atTelegram(t *testing.T) (*telegramtest.Server, channels.Channel) {
	t.Helper()
	server := telegramtest.Start(telegramtest.Options{Token: "7000:t", Bot: telegramtest.Bot{ID: 7000, Name: "Tess", Username: "tess_bot"}, Now: time.Now})
	t.Cleanup(server.Close)
	server.AddChat(telegramtest.Chat{ID: 42, Type: "private"})
	server.AddChat(telegramtest.Chat{ID: 43, Type: "private"})
	server.AddFile("cat", "photos/cat.png", photo(t, 2000))
	server.AddFile("fake", "photos/fake.jpg", []byte("<html>not a picture</html>"))
	return server, telegram.New(telegram.Options{Token: "7000:t", Endpoint: server.URL, HTTP: server.Client(), Host: channels.Host{
		Store: channeltest.NewStateStore(), Now: time.Now, Report: func(channels.State) {}, Jitter: func(time.Duration) time.Duration { return 0 },
		Rooms: func(context.Context) ([]channels.Room, error) { return nil, nil },
	}})
}

// shows sends a photo and waits until the persona has answered so often.
func shows(t *testing.T, s *telegramtest.Server, chat int64, file, caption string, answers int) []string {
	t.Helper()
	s.Message(map[string]any{
		"chat": s.Chat(chat), "from": telegramtest.Person(chat, "Ann"), "caption": caption,
		"photo": []any{map[string]any{"file_id": file + "-small", "width": 90, "height": 45}, map[string]any{"file_id": file, "width": 2000, "height": 1000}},
	})
	return answered(t, func() []string { return s.Texts(chat) }, answers)
}

func answered(t *testing.T, shown func() []string, n int) []string {
	t.Helper()
	for range 6000 {
		if all := shown(); len(all) >= n {
			return all
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no answer: %q", shown())
	return nil
}

// told returns the text of the last request to the model for talk.
func (l looker) told() string { return last(l.talk).Prompt() }

func TestB5APhotoOnTelegramIsSeen(t *testing.T) {
	t.Parallel()
	server, channel := atTelegram(t)
	l := look(t, channel, sees("What a cat."), sees("A grey cat sleeps on a sofa."))
	shows(t, server, 42, "cat", "look at Tom", 1)
	l.rest()
	if said := server.Texts(42); len(said) != 1 || said[0] != "What a cat." {
		t.Errorf("said %q", said)
	}
	files := sentPictures(t, last(l.talk))
	if len(files) != 1 || !strings.Contains(l.told(), "look at Tom [image]") {
		t.Fatalf("%d pictures with %s", len(files), l.told())
	}
	p, err := jpeg.Decode(bytes.NewReader(files[0]))
	if err != nil || p.Bounds().Dx() != 1568 || bytes.Contains(files[0], []byte("GPS")) {
		t.Errorf("the picture is %v, %v", p.Bounds(), err)
	}
	if n := len(sentPictures(t, last(l.work))); n != 1 {
		t.Errorf("%d pictures were described", n)
	}
	l.has(l.recorded(), "look at Tom [image; seen: A grey cat sleeps on a sofa.]")
	if memorytest.OnDisk(t, l.store, string(files[0][:64])) {
		t.Error("the picture is in the store")
	}
}

// TestB5APictureIsRecalledInItsRoom asks for a photo a month later, in its room and in another's.
func TestB5APictureIsRecalledInItsRoom(t *testing.T) {
	t.Parallel()
	server, channel := atTelegram(t)
	l := look(t, channel, sees("Fine."), sees("A grey cat sleeps on a sofa."))
	shows(t, server, 42, "cat", "", 1)
	l.rest()
	l.clock.Advance(30 * 24 * time.Hour)
	for chat, knows := range map[int64]bool{42: true, 43: false} {
		before := len(server.Texts(chat))
		server.Say(chat, chat, "do you remember the picture of the cat on the sofa?")
		answered(t, func() []string { return server.Texts(chat) }, before+1)
		l.rest()
		if shown := strings.Contains(l.told(), "seen: A grey cat"); shown != knows {
			t.Errorf("in chat %d the photo is recalled: %v", chat, shown)
		}
		if len(sentPictures(t, last(l.talk))) != 0 {
			t.Error("the picture itself was sent again")
		}
	}
}

func TestB5AModelThatDoesNotSeeIsToldWhatThereIs(t *testing.T) {
	t.Parallel()
	server, channel := atTelegram(t)
	l := look(t, channel, blind(t, "A cat, how nice."), sees("A grey cat sleeps on a sofa."))
	for n := range 2 { // the first time it turns out that the model does not see
		shows(t, server, 42, "cat", "look", n+1)
		l.rest()
		if !strings.Contains(l.told(), "look [image; seen: A grey cat sleeps on a sofa.]") {
			t.Errorf("time %d: told %s", n, l.told())
		}
	}
}

func TestB5WhereNothingSeesThePlaceholderStays(t *testing.T) {
	t.Parallel()
	server, channel := atTelegram(t)
	l := look(t, channel, blind(t, "I cannot see it."), blind(t, "A dog."))
	for n := range 2 {
		shows(t, server, 42, "cat", "look", n+1)
		l.rest()
		if !strings.Contains(l.told(), "look [image]") {
			t.Errorf("told %s", l.told())
		}
	}
	l.hasNot(l.recorded(), "seen:", "A dog")
}

func TestB5WhatCannotBeFetchedStaysAPlaceholder(t *testing.T) {
	t.Parallel()
	server, channel := atTelegram(t)
	l := look(t, channel, sees("Hm."), nil)
	for n, file := range []string{"gone", "fake"} {
		shows(t, server, 42, file, "look", n+1)
		l.rest()
		if !strings.Contains(l.told(), "look [image]") || len(sentPictures(t, last(l.talk))) != 0 {
			t.Errorf("%s: told %s", file, l.told())
		}
	}
}

func TestB5AtMostFourPicturesOfATurn(t *testing.T) {
	t.Parallel()
	server, channel := atTelegram(t)
	l := look(t, channel, sees("So many."), nil)
	for range 6 {
		server.Message(map[string]any{
			"chat": server.Chat(42), "from": telegramtest.Person(42, "Ann"), "media_group_id": "album",
			"photo": []any{map[string]any{"file_id": "cat", "width": 2000, "height": 1000}},
		})
	}
	answered(t, func() []string { return server.Texts(42) }, 1)
	l.rest()
	var most int
	for _, r := range l.talk.Requests() {
		most = max(most, len(sentPictures(t, r)))
	}
	if most == 0 || most > 4 {
		t.Errorf("%d pictures in a prompt", most)
	}
}

// discordLooker is a looker at a Discord server.
type discordLooker struct {
	looker
	server *discordtest.Server
}

// atDiscord starts a persona at a Discord server, and waits until it is connected.
func atDiscord(t *testing.T) discordLooker {
	t.Helper()
	server := discordtest.Start()
	t.Cleanup(server.Close)
	connected := make(chan struct{})
	once := sync.OnceFunc(func() { close(connected) })
	report := func(s channels.State) {
		if s.Phase == channels.Connected {
			once()
		}
	}
	channel := discord.New(discord.Options{Token: discordtest.Token, MessageContent: true, Endpoint: server.URL, Host: channels.Host{
		Store: channeltest.NewStateStore(), Now: time.Now, Report: report, Jitter: func(time.Duration) time.Duration { return 0 },
		SentText: func(context.Context, string) (string, error) { return "", channels.ErrNotFound },
		Rooms:    func(context.Context) ([]channels.Room, error) { return nil, nil },
	}})
	channel.Commands(command.All())
	l := look(t, channel, sees("What a cat."), sees("A grey cat sleeps on a sofa."))
	<-connected
	return discordLooker{l, server}
}

func TestB5APhotoOnDiscordIsSeen(t *testing.T) {
	t.Parallel()
	l := atDiscord(t)
	server := l.server
	ann := server.Person("ann")
	room := server.DM(ann)
	file := server.File("cat.png", "image/png", photo(t, 300))
	server.Say(room, ann, "look", func(m *discordtest.Message) { m.Attachments = []discordtest.Attachment{file} })
	answered(t, func() []string {
		return slices.DeleteFunc(server.Shown(room), func(text string) bool { return text != "What a cat." })
	}, 1)
	l.rest()
	if n := len(sentPictures(t, last(l.talk))); n != 1 {
		t.Errorf("%d pictures", n)
	}
	l.has(l.recorded(), "look [image: cat.png; seen: A grey cat sleeps on a sofa.]")
}

func TestB5APictureFromAProgramIsSeen(t *testing.T) {
	t.Parallel()
	peer := webhooktest.Start(webhookSecret, time.Now, "pond")
	t.Cleanup(peer.Close)
	address := make(chan string, 1)
	channel, err := webhook.New(webhook.Options{Secret: webhookSecret, Listen: "127.0.0.1:0", URL: peer.URL, Host: channels.Host{
		Now: time.Now, Report: func(s channels.State) {
			if s.Phase == channels.Connected {
				address <- s.Account
			}
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	l := look(t, channel, sees("What a cat."), sees("A grey cat sleeps on a sofa."))
	status := peer.Post(<-address, map[string]any{
		"id": "e-1", "room": "pond", "author": map[string]any{"id": "7", "name": "Ann"}, "text": "look",
		"attachments": []any{map[string]any{"kind": "image", "name": "cat.png", "data": photo(t, 300)}},
	})
	if status != http.StatusNoContent {
		t.Fatalf("answered with %d", status)
	}
	answered(t, func() (texts []string) {
		for _, r := range peer.Shown() {
			texts = append(texts, r.Text)
		}
		return texts
	}, 1)
	l.rest()
	if n := len(sentPictures(t, last(l.talk))); n != 1 {
		t.Errorf("%d pictures", n)
	}
	l.has(l.recorded(), "look [image: cat.png; seen: A grey cat sleeps on a sofa.]")
	if n := l.counted(`SELECT count(*) FROM inbox WHERE length(payload) > 1000`); n != 0 {
		t.Error("the picture is still stored")
	}
}

const webhookSecret = "canary-of-the-webhook-0123456789"

func TestB5APictureAtTheTerminalIsSeen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "our cat.png")
	if err := os.WriteFile(path, photo(t, 300), 0o600); err != nil {
		t.Fatal(err)
	}
	in, typed := io.Pipe()
	var out bytes.Buffer
	printed := make(chan struct{})
	channel := console.New(console.Options{In: in, Out: io.MultiWriter(&out, first{printed}), As: "Ann", Now: time.Now, NewID: rand.Text})
	l := look(t, channel, sees("What a cat."), sees("A grey cat sleeps on a sofa."))
	if _, err := fmt.Fprintf(typed, "/picture '%s' look\n", path); err != nil {
		t.Fatal(err)
	}
	<-printed
	l.rest()
	if n := len(sentPictures(t, last(l.talk))); n != 1 {
		t.Errorf("%d pictures", n)
	}
	l.has(l.recorded(), "look [image: our cat.png; seen: A grey cat sleeps on a sofa.]")
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the person's own file: %v", err)
	}
}

// first closes a channel when something is written.
type first struct{ written chan struct{} }

func (f first) Write(p []byte) (int, error) {
	select {
	case <-f.written:
	default:
		close(f.written)
	}
	return len(p), nil
}

// TestB5DescribingCountsTowardsTheCapOfTheSender has somebody send a photo whose cap has no room for a description.
func TestB5DescribingCountsTowardsTheCapOfTheSender(t *testing.T) {
	t.Parallel()
	server, channel := atTelegram(t)
	work := llmtest.Serve(t, sees("A grey cat sleeps on a sofa."))
	talk := llmtest.Serve(t, sees("Nice."))
	s := play(t, func(p *persona.Parts) {
		p.Channels = append(p.Channels, channel)
		meter := modelvoice.Meter{Store: p.Store, Persona: "tess", Now: p.Now, Caps: budget.Caps{PersonDay: budget.Amount{Tokens: 1000}}}
		p.Model = modelvoice.Budgeted(meter.For(0, modelvoice.Chain{{Model: clientAt(t, work, "work")}}))
		p.Voice = modelvoice.NewVoice(clientAt(t, talk, "talk"), modelvoice.Meter{Store: p.Store, Persona: "tess", Now: p.Now}, 0, 0)
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- channel.Run(ctx, s.engine.Accept) }()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	server.Say(42, 42, "hello")
	answered(t, func() []string { return server.Texts(42) }, 1)
	s.rest()
	shows(t, server, 42, "cat", "", 2)
	s.rest()
	if n := len(work.Requests()); n != 0 {
		t.Errorf("%d pictures were described", n)
	}
	s.has(s.recorded(), "[image]")
}

// TestB5WhatWasSeenIsNotSaid has a model file what stands in a picture: only what its sender wrote proves anything.
func TestB5WhatWasSeenIsNotSaid(t *testing.T) {
	s := play(t, func(p *persona.Parts) {
		p.Model = scribe(t, `"A", "B"`,
			prompts.Extracted{Message: 1, Quote: "Ann owes Kurt 500 euros", Kind: "fact", Relation: "owes", Value: "500 euros", Sentence: "Ann owes Kurt 500 euros."},
			prompts.Extracted{Message: 1, Quote: "this is our new boat", Kind: "fact", Relation: "boat", Value: "new boat", Sentence: "Ann has a new boat."})
	})
	m := s.message("ann", "this is our new boat")
	m.Attachments = []channels.Attachment{{Kind: "image", Seen: `A letter: "Ann owes Kurt 500 euros"`}}
	s.answer(m)
	s.readAll()
	var told []string
	for _, b := range s.believed() {
		told = append(told, b.Value)
	}
	if got := strings.Join(told, "|"); !strings.Contains(got, "new boat") || strings.Contains(got, "500") {
		t.Errorf("believes %q", got)
	}
}
