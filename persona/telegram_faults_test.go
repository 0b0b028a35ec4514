package persona_test

// A8, T3, T5: whichever call to Telegram fails, and however, no reply is lost, and none is shown twice where it can be edited.

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/channels/channeltest"
	"familiar/channels/supervise"
	"familiar/channels/telegram"
	"familiar/channels/telegram/telegramtest"
	"familiar/internal/torture"
	"familiar/persona"
	"familiar/persona/scene"
)

// growing is an echo that shows its replies word by word.
type growing struct{ echo }

func (g *growing) Reply(ctx context.Context, s scene.Scene, show func(string)) (scene.Reply, error) {
	reply, err := g.echo.Reply(ctx, s, nil)
	words := strings.Fields(reply.Text)
	for i := range words {
		show(strings.Join(words[:i+1], " "))
		time.Sleep(900 * time.Millisecond)
	}
	return reply, err
}

const telegramAnn = int64(42)

// telegramStage is a persona at a Telegram server, in a synctest bubble.
type telegramStage struct {
	*stage
	server *telegramtest.Server
	end    func()
}

func playTelegram(t *testing.T, voice scene.Voice, hold bool) telegramStage {
	t.Helper()
	server := telegramtest.Start(telegramtest.Options{
		Token: "7000:t", Bot: telegramtest.Bot{ID: 7000, Name: "Tess", Username: "tess_bot"}, Now: time.Now, Pipe: true,
	})
	server.AddChat(telegramtest.Chat{ID: telegramAnn, Type: "private"})
	noJitter := func(time.Duration) time.Duration { return 0 }
	running := supervise.New(supervise.Options{
		Publish: func(context.Context, string, channels.State) error { return nil }, Now: time.Now, Jitter: noJitter,
		Log: slog.New(slog.DiscardHandler),
	})
	client := server.Client()
	net := telegram.New(telegram.Options{
		Token: "7000:t", Endpoint: server.URL, HTTP: client, HoldUnknown: hold, Host: channels.Host{
			Store: channeltest.NewStateStore(), Now: time.Now, Report: running.Reporter("telegram"), Jitter: noJitter,
			Rooms: func(context.Context) ([]channels.Room, error) { return nil, nil },
		},
	})
	s := play(t, func(p *persona.Parts) {
		p.Channels, p.Voice, p.Now = []channels.Channel{net}, voice, time.Now
	})
	running.Reachable = s.engine.Reachable
	ctx, cancel := context.WithCancel(t.Context())
	var served sync.WaitGroup
	served.Go(func() { running.Run(ctx, s.engine.Accept, nil, net) })
	return telegramStage{s, server, func() {
		cancel()
		served.Wait()
		s.quit()
		client.CloseIdleConnections()
		server.Close()
	}}
}

// atFaultyTelegram has ann say two messages while calls fail, and returns the server afterwards, and the number of dead
// letters.
func atFaultyTelegram(t *testing.T, voice scene.Voice, hold bool, faults ...telegramtest.Fault) (server *telegramtest.Server, dead int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := playTelegram(t, voice, hold)
		for _, f := range faults {
			s.server.AddFault(f)
		}
		for _, text := range faultTalk {
			s.server.Say(telegramAnn, telegramAnn, text)
			time.Sleep(100 * time.Second)
		}
		server, dead = s.server, s.dead()
		s.end()
	})
	return server, dead
}

var faultTalk = []string{"one heron in the reeds", "two storks"}

// telegramFaults are the ways in which one call fails. The first group is not executed.
var telegramFaults = map[string]telegramtest.Fault{
	"500":            {Point: telegramtest.Answers, Status: http.StatusInternalServerError, Description: "Internal Server Error"},
	"502":            {Point: telegramtest.Page, Status: http.StatusBadGateway},
	"503":            {Point: telegramtest.Page, Status: http.StatusServiceUnavailable},
	"504":            {Point: telegramtest.Page, Status: http.StatusGatewayTimeout},
	"reset before":   {Point: telegramtest.DropsBefore},
	"no answer":      {Point: telegramtest.Hangs},
	"reset after":    {Point: telegramtest.DropsAfter},
	"half an answer": {Point: telegramtest.GarblesAfter},
	"lost answer":    {Point: telegramtest.HangsAfter},
}

// executes reports whether the call is executed although it fails.
func executes(f telegramtest.Fault) bool {
	return f.Point == telegramtest.DropsAfter || f.Point == telegramtest.GarblesAfter || f.Point == telegramtest.HangsAfter
}

// TestA8NoReplyIsLostWhicheverCallFails has each call of a talk fail in each way, with previews and without.
func TestA8NoReplyIsLostWhicheverCallFails(t *testing.T) {
	t.Parallel()
	for _, previews := range []bool{false, true} {
		voice := func() scene.Voice {
			if previews {
				return &growing{}
			}
			return &echo{}
		}
		whole, _ := atFaultyTelegram(t, voice(), false)
		for _, method := range []string{"getMe", "getUpdates", "sendChatAction", "sendMessage", "editMessageText"} {
			calls := len(whole.Calls(method))
			every := 1
			if method == "getUpdates" {
				every = torture.Rounds(3, 1) // most polls are alike
			}
			if calls == 0 && (previews || method != "editMessageText") {
				t.Fatalf("no %s: the test proves nothing of it", method)
			}
			for name, f := range telegramFaults {
				f.Method = method
				for f.Skip = 0; f.Skip < calls; f.Skip += every {
					t.Run(fmt.Sprintf("previews %v/%s of %s %d", previews, name, method, f.Skip+1), func(t *testing.T) {
						server, dead := atFaultyTelegram(t, voice(), false, f)
						// Only a new message can be there twice, if the answer to it was lost.
						doubles := 0
						if method == "sendMessage" && !previews && executes(f) {
							doubles = 1
						}
						checkShown(t, server.Texts(telegramAnn), doubles)
						if dead != 0 {
							t.Errorf("%d dead letters", dead)
						}
					})
				}
			}
		}
	}
}

// checkShown checks that each reply is shown once, except for some doubles.
func checkShown(t *testing.T, texts []string, doubles int) {
	t.Helper()
	shown := map[string]int{}
	for _, text := range texts {
		shown[text]++
	}
	extra := 0
	for _, text := range faultTalk {
		reply := "heard: " + text
		if shown[reply] == 0 {
			t.Errorf("%q is lost; shown are %q", reply, texts)
		}
		extra += shown[reply] - 1
		delete(shown, reply)
	}
	delete(shown, "…")
	if extra != doubles || len(shown) > 0 {
		t.Errorf("shown are %q, want %d doubles", texts, doubles)
	}
}

// TestA8AHeldReplyIsADeadLetter chooses that no reply may be shown twice.
func TestA8AHeldReplyIsADeadLetter(t *testing.T) {
	for name, f := range telegramFaults {
		t.Run(name, func(t *testing.T) {
			f.Method = "sendMessage"
			server, dead := atFaultyTelegram(t, &echo{}, true, f)
			want := 1
			if name == "503" { // certainly not shown
				want = 0
			}
			if sent := len(server.Calls("sendMessage")); dead != want || sent != len(faultTalk)+1-want {
				t.Errorf("%d dead letters, sent %d times", dead, sent)
			}
		})
	}
}

// TestA8TwoUnknownOutcomesAreADeadLetter never repeats a second time.
func TestA8TwoUnknownOutcomesAreADeadLetter(t *testing.T) {
	for name, f := range telegramFaults {
		if name == "503" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			f.Method, f.Times = "sendMessage", 2
			server, dead := atFaultyTelegram(t, &echo{}, false, f)
			if sent := len(server.Calls("sendMessage")); dead != 1 || sent != 3 {
				t.Errorf("%d dead letters, sent %d times", dead, sent)
			}
		})
	}
}

// TestT3AReplyIsShownWithinSecondsOfAnOutage has an outage of hours, of which Telegram says that nothing is executed, begin
// while a reply is written.
func TestT3AReplyIsShownWithinSecondsOfAnOutage(t *testing.T) {
	t.Parallel()
	for _, voice := range []scene.Voice{&echo{}, &growing{}} {
		synctest.Test(t, func(t *testing.T) {
			s := playTelegram(t, voice, false)
			time.Sleep(time.Minute)
			s.server.AddFault(telegramtest.Fault{Method: "sendMessage", Times: 1_000_000, Point: telegramtest.Page, Status: http.StatusServiceUnavailable})
			s.server.AddFault(telegramtest.Fault{Method: "editMessageText", Times: 1_000_000, Point: telegramtest.Page, Status: http.StatusServiceUnavailable})
			s.server.Say(telegramAnn, telegramAnn, faultTalk[0])
			time.Sleep(10 * time.Second)
			s.server.AddFault(telegramtest.Fault{Times: 1_000_000, Point: telegramtest.Page, Status: http.StatusServiceUnavailable})
			time.Sleep(3*time.Hour + 7*time.Second)
			s.server.ClearFaults()
			time.Sleep(5 * time.Second)
			if shown := s.server.Texts(telegramAnn); len(shown) != 1 || shown[0] != "heard: "+faultTalk[0] {
				t.Errorf("shown %q", shown)
			}
			s.end()
		})
	}
}

// TestA8NoReplyIsLostInAShortOutage has every call of a minute fail, from the message on.
func TestA8NoReplyIsLostInAShortOutage(t *testing.T) {
	for name, f := range telegramFaults {
		if executes(f) || f.Point == telegramtest.Hangs {
			continue
		}
		for _, voice := range []scene.Voice{&echo{}, &growing{}} {
			t.Run(fmt.Sprintf("%s, %T", name, voice), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := playTelegram(t, voice, false)
					time.Sleep(10 * time.Second)
					f.Times = 1_000_000
					s.server.AddFault(f)
					s.server.Say(telegramAnn, telegramAnn, faultTalk[0])
					time.Sleep(time.Minute)
					s.server.ClearFaults()
					time.Sleep(5 * time.Second)
					if shown := s.server.Texts(telegramAnn); len(shown) != 1 || shown[0] != "heard: "+faultTalk[0] || s.dead() != 0 {
						t.Errorf("shown %q, %d dead letters", shown, s.dead())
					}
					s.end()
				})
			})
		}
	}
}
