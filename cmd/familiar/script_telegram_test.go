package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"familiar/channels/telegram/telegramtest"
)

// scriptAnn is who writes to the bot in scripts, in her direct chat.
const scriptAnn = int64(42)

// scriptTelegram is the Telegram server of a script.
type scriptTelegram struct {
	*telegramtest.Server
	// seen is how many of the bot's messages the script has read.
	seen int
}

// scriptServers are the servers of a script, which are found in its environment under scriptKey.
type (
	scriptServers struct{ telegram *scriptTelegram }
	scriptKey     struct{}
)

// telegramOf returns the Telegram server of a script.
func telegramOf(ts *testscript.TestScript) *scriptTelegram {
	s := ts.Value(scriptKey{}).(*scriptServers).telegram
	if s == nil {
		ts.Fatalf("start Telegram first: telegram")
	}
	return s
}

// startTelegram runs a Telegram server, and puts its address into TELEGRAM and the bot's token into TOKEN: telegram.
func startTelegram(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: telegram")
	}
	const token = "4711:canary-of-the-script"
	s := telegramtest.Start(telegramtest.Options{
		Token: token, Bot: telegramtest.Bot{ID: 4711, Name: "Nell", Username: "nell_bot"}, Now: time.Now,
	})
	ts.Defer(s.Close)
	s.AddChat(telegramtest.Chat{ID: scriptAnn, Type: "private"})
	ts.Value(scriptKey{}).(*scriptServers).telegram = &scriptTelegram{Server: s}
	ts.Setenv("TELEGRAM", s.URL)
	ts.Setenv("TOKEN", token)
}

// says has Ann write to the bot: says TEXT...
func says(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: says TEXT...")
	}
	telegramOf(ts).Say(scriptAnn, scriptAnn, strings.Join(args, " "))
}

// shows waits for the bot's next message until its text matches, since it may grow: shows PATTERN.
func shows(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: shows PATTERN")
	}
	pattern := regexp.MustCompile(args[0])
	s := telegramOf(ts)
	s.next(ts)
	text := ""
	defer func() { ts.Logf("[shown] %s", text) }()
	waitFor(ts, "the bot shows "+args[0], func() bool {
		text = s.Sent(scriptAnn)[s.seen-1].Text
		return pattern.MatchString(text)
	})
}

// plays waits for the bot's next message, which is a voice message: plays.
func plays(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: plays")
	}
	if m := telegramOf(ts).next(ts); !strings.HasPrefix(string(m.Voice), "OggS") || m.Seconds == 0 {
		ts.Fatalf("the bot shows %q", m.Text)
	}
}

// presses has Ann press a button of the message that was read last, and waits until that is answered: presses LABEL.
func presses(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: presses LABEL")
	}
	s := telegramOf(ts)
	press := s.Press(scriptAnn, scriptAnn, s.Sent(scriptAnn)[s.seen-1].ID, args[0])
	waitFor(ts, "the button is answered", func() bool { _, answered := s.Told(press); return answered })
}

// next waits for the next message of the bot.
func (s *scriptTelegram) next(ts *testscript.TestScript) telegramtest.Sent {
	waitFor(ts, "the bot writes", func() bool { return len(s.Sent(scriptAnn)) > s.seen })
	s.seen++
	return s.Sent(scriptAnn)[s.seen-1]
}

func waitFor(ts *testscript.TestScript, what string, happened func() bool) {
	deadline := time.After(testTimeout / 4)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !happened() {
		select {
		case <-tick.C:
		case <-deadline:
			ts.Fatalf("it does not happen: %s", what)
		}
	}
}

// alone leaves no program in the path but familiar: alone.
func alone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: alone")
	}
	ts.Setenv("PATH", filepath.SplitList(ts.Getenv("PATH"))[0])
}

// expand replaces the variables in a file by their values: expand FILE.
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: expand FILE")
	}
	path, text := ts.MkAbs(args[0]), os.Expand(ts.ReadFile(args[0]), ts.Getenv)
	ts.Check(os.WriteFile(path, []byte(text), 0o600))
	ts.Check(os.Chmod(path, 0o600))
}
