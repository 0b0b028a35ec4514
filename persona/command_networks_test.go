package persona_test

// A10, D8, T10, W8: what people can ask of the persona's memory works on each network as it does on the others, and what is
// about one person never appears where others read.

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"google.golang.org/protobuf/proto"

	"familiar/channels"
	"familiar/channels/channeltest"
	"familiar/channels/discord"
	"familiar/channels/discord/discordtest"
	"familiar/channels/telegram"
	"familiar/channels/telegram/telegramtest"
	"familiar/channels/whatsapp"
	"familiar/channels/whatsapp/whatsapptest"
	"familiar/memory/memorytest"
	"familiar/persona"
	"familiar/persona/command"
)

// networkPatience is how long something that must happen is waited for. It only ends failing tests.
const networkPatience = 45 * time.Second

// spot is Ann at one network: her direct chat with the persona, and a group in which others read.
type spot struct {
	name    string
	channel channels.Channel
	// command gives a command, say says a sentence, each in the direct chat or in the group.
	command func(group bool, name, rest string)
	say     func(group bool, text string)
	// alone is all that she alone was shown, room what everybody in the group was shown, files the names of what she was sent.
	alone, room, files func() []string
}

// street is one persona at three networks.
type street struct {
	*stage
	places []*spot
}

func playStreet(t *testing.T, places ...*spot) *street {
	t.Helper()
	s := &street{places: places}
	s.stage = play(t, func(p *persona.Parts) {
		p.Channels, p.Now = nil, time.Now
		for _, at := range places {
			p.Channels = append(p.Channels, at.channel)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, len(places))
	for _, at := range places {
		if c, ok := at.channel.(channels.Commander); ok {
			c.Commands(command.All())
		}
		go func() { ended <- at.channel.Run(ctx, s.engine.Accept) }()
	}
	t.Cleanup(func() {
		cancel()
		for range places {
			<-ended
		}
	})
	return s
}

// connected returns a host for a channel, and waits for its connection.
func connected(t *testing.T) (channels.Host, <-chan struct{}) {
	t.Helper()
	up := make(chan struct{}, 100)
	return channels.Host{
		Store: channeltest.NewStateStore(), Now: time.Now, Jitter: func(time.Duration) time.Duration { return 0 },
		Report: func(s channels.State) {
			if s.Phase == channels.Connected {
				up <- struct{}{}
			}
		},
		SentText: func(context.Context, string) (string, error) { return "", channels.ErrNotFound },
		Rooms:    func(context.Context) ([]channels.Room, error) { return nil, nil },
	}, up
}

func written(name, rest string) string { return strings.TrimSpace("/" + name + " " + rest) }

// telegramPlace is in the synctest bubble of the test if virtual: Telegram takes one message a second.
func telegramPlace(t *testing.T, virtual bool) *spot {
	t.Helper()
	const group = int64(-1001)
	server := telegramtest.Start(telegramtest.Options{
		Token: "7000:t", Bot: telegramtest.Bot{ID: 7000, Name: "Tess", Username: "tess_bot"}, Now: time.Now, Pipe: virtual,
	})
	client := server.Client()
	t.Cleanup(func() {
		client.CloseIdleConnections()
		server.Close()
	})
	server.AddChat(telegramtest.Chat{ID: telegramAnn, Type: "private"})
	server.AddChat(telegramtest.Chat{ID: group, Type: "supergroup", Title: "Walkers"})
	host, _ := connected(t)
	say := func(inGroup bool, text string) {
		if !inGroup {
			server.Say(telegramAnn, telegramAnn, text)
			return
		}
		word, kind := strings.Fields(text)[0], "mention"
		if strings.HasPrefix(word, "/") {
			kind = "bot_command"
		}
		server.Message(map[string]any{
			"chat": server.Chat(group), "from": telegramtest.Person(telegramAnn, "Ann"), "text": text,
			"entities": []telegramtest.Entity{{Type: kind, Length: len(word)}},
		})
	}
	return &spot{
		name: "telegram", channel: telegram.New(telegram.Options{Token: "7000:t", Endpoint: server.URL, HTTP: client, Host: host}),
		command: func(inGroup bool, name, rest string) {
			if inGroup {
				name += "@tess_bot"
			}
			say(inGroup, written(name, rest))
		},
		say: func(inGroup bool, text string) {
			if inGroup {
				text = "@tess_bot " + text
			}
			say(inGroup, text)
		},
		alone: func() []string { return server.Texts(telegramAnn) },
		room:  func() []string { return server.Texts(group) },
		files: func() (names []string) {
			for _, m := range server.Sent(telegramAnn) {
				if m.File != "" {
					names = append(names, m.File)
				}
			}
			return names
		},
	}
}

func discordPlace(t *testing.T) *spot {
	t.Helper()
	server := discordtest.Start()
	t.Cleanup(server.Close)
	ann := server.Person("ann")
	dm, group := server.DM(ann), server.Text(server.Guild("Walkers"), "talk")
	host, up := connected(t)
	where := func(inGroup bool) string {
		if inGroup {
			return group
		}
		return dm
	}
	ready := func() {
		if up != nil {
			<-up
			up = nil
		}
	}
	return &spot{
		name: "discord", channel: discord.New(discord.Options{Token: discordtest.Token, MessageContent: true, Endpoint: server.URL, Host: host}),
		command: func(inGroup bool, name, rest string) {
			ready()
			server.Use(where(inGroup), ann, name, rest)
		},
		say: func(inGroup bool, text string) {
			ready()
			if inGroup {
				text = "<@" + server.Bot.ID + "> " + text
			}
			server.Say(where(inGroup), ann, text)
		},
		alone: func() []string {
			return slices.Concat(server.Shown(dm), server.Ephemeral(dm, ann), server.Ephemeral(group, ann))
		},
		room: func() []string { return server.Shown(group) },
		files: func() (names []string) {
			for _, m := range server.Messages(dm) {
				for _, a := range m.Attachments {
					names = append(names, a.Filename)
				}
			}
			return names
		},
	}
}

func whatsappPlace(t *testing.T) *spot {
	t.Helper()
	const phone, lid = "15559990001", "909990001999"
	server, err := whatsapptest.Start(time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	host, up := connected(t)
	o := whatsapp.Options{
		Database: filepath.Join(t.TempDir(), "whatsapp.db"), HTTP: server.HTTP(), Log: slog.New(slog.DiscardHandler), Host: host,
	}
	scan := func(c whatsapp.Code) {
		if err := server.Scan(c.Link, phone, lid, "Tess"); err != nil {
			t.Error(err)
		}
	}
	if err := whatsapp.Login(t.Context(), o, whatsapp.LoginOptions{Show: scan}); err != nil {
		t.Fatal(err)
	}
	for len(up) > 0 {
		<-up
	}
	channel, err := whatsapp.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ann, err := server.Join(t.Context(), "15550001", "90000001", "Ann")
	if err != nil {
		t.Fatal(err)
	}
	tess, group := types.NewJID(lid, types.HiddenUserServer), server.Group("Walkers", 0, phone, ann.Phone)
	say := func(inGroup bool, text string) {
		if up != nil {
			<-up
			up = nil
		}
		to, m := tess, &waE2E.Message{Conversation: proto.String(text)}
		if inGroup {
			to, m = group, &waE2E.Message{ExtendedTextMessage: &waE2E.ExtendedTextMessage{
				Text: proto.String(text), ContextInfo: &waE2E.ContextInfo{MentionedJID: []string{tess.String()}},
			}}
		}
		if _, err := ann.Send(t.Context(), to, "", m); err != nil {
			t.Error(err)
		}
	}
	texts := func(inGroup bool) func() []string {
		return func() (all []string) {
			for _, e := range ann.Received() {
				text := e.Message.GetConversation() + e.Message.GetExtendedTextMessage().GetText()
				if e.Info.IsGroup == inGroup && text != "" {
					all = append(all, text)
				}
			}
			return all
		}
	}
	return &spot{
		name: "whatsapp", channel: channel,
		say: func(inGroup bool, text string) {
			if inGroup {
				text = "@" + lid + " " + text
			}
			say(inGroup, text)
		},
		command: func(inGroup bool, name, rest string) { say(inGroup, written(name, rest)) },
		alone:   texts(false), room: texts(true),
		files: func() (names []string) {
			for _, e := range ann.Received() {
				if d := e.Message.GetDocumentMessage(); d != nil {
					names = append(names, d.GetFileName())
				}
			}
			return names
		},
	}
}

// until waits until something is shown that was not there before, and returns it.
func (s *street) until(t *testing.T, shown func() []string, do func()) string {
	t.Helper()
	before := shown()
	do()
	for end := time.Now().Add(networkPatience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if len(shown()) > len(before) {
			s.rest()
			return strings.Join(without(shown(), before), "\n")
		}
	}
	t.Fatal("nothing is shown")
	return ""
}

// without returns what is in all and was not before. What two chats show is not in the order of time.
func without(all, before []string) []string {
	for _, text := range before {
		if i := slices.Index(all, text); i >= 0 {
			all = slices.Delete(all, i, i+1)
		}
	}
	return all
}

// ask gives a command in the direct chat and returns the answer.
func (s *street) ask(t *testing.T, at *spot, command string) string {
	t.Helper()
	name, rest, _ := strings.Cut(strings.TrimPrefix(command, "/"), " ")
	return s.until(t, at.alone, func() { at.command(false, name, rest) })
}

// conversation is the commands of one conversation in order, and what each answer says. "#" in a command stands for the number of the
// memory that the last list began with.
var conversation = [][2]string{
	{"/memory", "Rex"},
	{"/memory dog", "Rex"},
	{"/why", ""},
	{"/budget", "token"},
	{"/correct # My dog is called Max.", "Corrected"},
	{"/memory dog", "Max"},
	{"/forget # extra", "told me nothing"},
	{"/forget dog", "This would go"},
	{"/forget no", "nothing is forgotten"},
	{"/forget last hour", "This would go"},
	{"/forget no", "nothing is forgotten"},
	{"/forget dog", "This would go"},
	{"/forget yes", "Forgotten for good"},
	{"/memory dog", "nothing of that"},
	{"/quiet", "won't write first"},
	{"/quiet off", "may write first"},
	{"/pause", "no longer listen"},
	{"/pause off", "listen to you again"},
	{"/remind tomorrow at 9 call mum", "09:00: call mum"},
	{"/remind", "call mum"},
	{"/remind drop 999", "no reminder 999"},
	{"/timezone Lisbon", "Europe/Lisbon"},
	{"/timezone", "Europe/Lisbon"},
	{"/language German", "auf Deutsch"},
	{"/language off", "Sprache, in der du schreibst"},
	{"/persona", "Tess"},
	{"/unlink", "linked with no other"},
	{"/link AAAA-BBBB", "joins nothing"},
	{"/help", "/memory"},
	{"/help forget", "/forget me"},
}

var numberListed = regexp.MustCompile(`(?m)^\s*(\d+)\s+\d`)

func TestCommandsOnEveryNetwork(t *testing.T) {
	t.Parallel()
	t.Run("telegram", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(time.Until((&memorytest.Clock{}).Now().AddDate(0, 1, 0))) // a bubble begins before the store's clock
			playStreet(t, telegramPlace(t, true)).commands(t)
		})
	})
	t.Run("discord", func(t *testing.T) { playStreet(t, discordPlace(t)).commands(t) })
	t.Run("whatsapp", func(t *testing.T) { playStreet(t, whatsappPlace(t)).commands(t) })
}

// commands has Ann use every command at one network: alone, in a group, and to erase herself.
func (s *street) commands(t *testing.T) {
	at := s.places[0]
	s.until(t, at.alone, func() { at.say(false, "My dog is called Rex.") })
	number := ""
	for _, step := range conversation {
		answer := s.ask(t, at, strings.ReplaceAll(step[0], "#", number))
		if !strings.Contains(strings.ReplaceAll(answer, "\\", ""), step[1]) {
			t.Errorf("%s is answered with %q, which does not say %q", step[0], answer, step[1])
		}
		if m := numberListed.FindStringSubmatch(answer); m != nil {
			number = m[1]
		}
	}
	s.until(t, at.files, func() { at.command(false, "export", "") })
	if files := at.files(); len(files) != 1 || !strings.HasSuffix(files[0], ".zip") {
		t.Errorf("files %q", files)
	}
	s.inGroup(t, at)
	s.until(t, at.alone, func() { at.say(false, "My cat is called Minka.") })
	if answer := s.ask(t, at, "/forget me"); !strings.Contains(answer, "would go") {
		t.Errorf("/forget me asks %q", answer)
	}
	s.ask(t, at, "/forget yes")
	if answer := s.ask(t, at, "/memory cat"); strings.Contains(answer, "Minka") {
		t.Errorf("after /forget me it knows %q", answer)
	}
}

// inGroup gives every command where others read. Nothing that is about Ann may be seen there.
func (s *street) inGroup(t *testing.T, at *spot) {
	s.until(t, at.alone, func() { at.say(false, "My parrot is called Zorro.") })
	s.until(t, at.room, func() { at.say(true, "I collect stamps from Peru.") })
	before := len(at.room())
	for _, c := range command.All() {
		rest := map[string]string{"forget": "stamps", "correct": "1 no", "share": "1", "private": "1", "pause": "off", "quiet": "off"}[c.Name]
		shown := at.alone
		if c.Name == "pause" { // which must work where there is no direct room, and tells nobody anything
			shown = func() []string { return slices.Concat(at.alone(), at.room()) }
		}
		s.until(t, shown, func() { at.command(true, c.Name, rest) })
	}
	for _, text := range at.room()[before:] {
		if strings.Contains(text, "Zorro") || strings.Contains(text, "Peru") {
			t.Errorf("the group reads %q", text)
		}
	}
	if len(at.room()) > before+1 {
		t.Errorf("the group reads %q", at.room()[before:])
	}
	if answer := s.ask(t, at, "/private last"); !strings.Contains(answer, "Peru") {
		t.Errorf("/private last is answered with %q", answer)
	}
}

var linkCode = regexp.MustCompile(`/link (\w{4}-\w{4})`)

// TestLinksAcrossNetworks joins Ann's accounts by codes, and parts them again.
func TestLinksAcrossNetworks(t *testing.T) {
	t.Parallel()
	s := playStreet(t, telegramPlace(t, false), discordPlace(t), whatsappPlace(t))
	for i, from := range s.places {
		to := s.places[(i+1)%len(s.places)]
		secret := fmt.Sprintf("Mirabelle%c", 'a'+i)
		s.until(t, from.alone, func() { from.say(false, "My boat is called "+secret+".") })
		code := linkCode.FindStringSubmatch(s.ask(t, from, "/link"))
		if code == nil {
			t.Errorf("%s gives no code", from.name)
			continue
		}
		notice := s.until(t, from.alone, func() { to.command(false, "link", code[1]) })
		if !strings.Contains(notice, "became one person") {
			t.Errorf("%s is told %q", from.name, notice)
		}
		for end := time.Now().Add(networkPatience); !strings.Contains(strings.Join(to.alone(), "\n"), "yours on "+from.name) && time.Now().Before(end); {
			time.Sleep(5 * time.Millisecond)
		}
		if answer := s.ask(t, to, "/memory boat"); !strings.Contains(answer, secret) {
			t.Errorf("linked with %s, %s answers %q", from.name, to.name, answer)
		}
		if answer := s.ask(t, to, "/unlink"); !strings.Contains(answer, "person of its own") {
			t.Errorf("/unlink on %s is answered with %q", to.name, answer)
		}
		if answer := s.ask(t, to, "/memory boat"); strings.Contains(answer, secret) {
			t.Errorf("parted from %s, %s answers %q", from.name, to.name, answer)
		}
	}
}
