package console

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
)

// testTerminal is a person at a terminal, inside a synctest bubble.
type testTerminal struct {
	t        *testing.T
	console  *Console
	keyboard *io.PipeWriter
	glass    *testScreen
	heard    []string
	refusing bool
	ended    bool
	err      error
}

// atTerminalTest runs test at a terminal of 79 usable columns whose persona is called Mira.
func atTerminalTest(t *testing.T, o Options, test func(d *testTerminal)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		in, keyboard := io.Pipe()
		forced := true
		d := &testTerminal{t: t, keyboard: keyboard, glass: &testScreen{t: t}}
		o.In, o.Out, o.Terminal, o.Persona, o.Now, o.NewID = in, d.glass, &forced, "Mira", time.Now, counter()
		d.console = New(o)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() {
			d.err = d.console.Run(ctx, d.accept)
			d.ended = true
		}()
		d.settle()
		test(d)
		cancel()
		synctest.Wait()
		if !d.ended {
			t.Error("Run did not end with its context")
		}
	})
}

func (d *testTerminal) accept(_ context.Context, m channels.Message) error {
	if d.refusing {
		return errors.New("disk full")
	}
	d.heard = append(d.heard, m.Text)
	return nil
}

// settle waits until everything is drawn. In a bubble this takes no time.
func (d *testTerminal) settle() {
	time.Sleep(time.Second)
	synctest.Wait()
}

func (d *testTerminal) press(keys string) {
	d.t.Helper()
	if _, err := io.WriteString(d.keyboard, keys); err != nil {
		d.t.Fatalf("press %q: %v", keys, err)
	}
	d.settle()
}

func (d *testTerminal) send(key, text string) {
	d.t.Helper()
	if _, err := d.console.Send(d.t.Context(), channels.Outgoing{Room: d.console.Room(), Key: key, Text: text}); err != nil {
		d.t.Fatal(err)
	}
}

func (d *testTerminal) preview(key, text string) {
	d.t.Helper()
	if err := d.console.Preview(d.t.Context(), d.console.Room(), key, text); err != nil {
		d.t.Fatal(err)
	}
}

func (d *testTerminal) thinking(on bool) {
	d.t.Helper()
	if err := d.console.Typing(d.t.Context(), d.console.Room(), on); err != nil {
		d.t.Fatal(err)
	}
}

func (d *testTerminal) sees(want string) {
	d.t.Helper()
	d.settle()
	if got := d.glass.String(); got != want {
		d.t.Errorf("the screen shows\n%s\n\nwant\n%s", got, want)
	}
}

func (d *testTerminal) said(want ...string) {
	d.t.Helper()
	if got := strings.Join(d.heard, "|"); got != strings.Join(want, "|") {
		d.t.Errorf("received %q, want %q", got, want)
	}
}

func TestTerminalConversation(t *testing.T) {
	atTerminalTest(t, Options{Arrive: true}, func(d *testTerminal) {
		d.said("")
		d.send("hello", "Hello!")
		d.sees("Mira: Hello!\n> |")
		d.press("hi 日本")
		d.sees("Mira: Hello!\n> hi 日本|")
		d.press("\r")
		d.said("", "hi 日本")
		d.thinking(true)
		d.sees("Mira: Hello!\n> hi 日本\nMira is thinking…\n> |")
		d.send("r1", "Two\nlines")
		d.sees("Mira: Hello!\n> hi 日本\nMira: Two\nlines\n> |")
	})
}

func TestTerminalKeepsWhatIsTypedWhenSomethingArrives(t *testing.T) {
	atTerminalTest(t, Options{}, func(d *testTerminal) {
		d.press("half a sen\x1b[D")
		d.send("a", "Reminder!")
		d.sees("Mira: Reminder!\n> half a se|n")
		d.send("a", "Reminder!")
		d.sees("Mira: Reminder!\n> half a se|n")
	})
}

func TestTerminalStreams(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 30))
	rows := wrap("Mira: "+long, 79)
	t.Run("grows and settles", func(t *testing.T) {
		atTerminalTest(t, Options{}, func(d *testTerminal) {
			d.thinking(true)
			for i := range len(long) {
				d.preview("r", long[:i+1])
			}
			d.sees(rows[0] + "\n" + rows[1] + "\n> |")
			d.send("r", long)
			d.sees(rows[0] + "\n" + rows[1] + "\n> |")
			d.preview("r", long+" late")
			d.sees(rows[0] + "\n" + rows[1] + "\n> |")
		})
	})
	t.Run("a different end replaces what was shown", func(t *testing.T) {
		atTerminalTest(t, Options{}, func(d *testTerminal) {
			d.preview("r", long)
			d.send("r", "Something else.")
			d.sees("Mira: Something else.\n> |")
		})
	})
	t.Run("the person talks into it", func(t *testing.T) {
		atTerminalTest(t, Options{}, func(d *testTerminal) {
			d.preview("r", "I went to the")
			d.press("where?\r")
			d.preview("r", "I went to the sea")
			d.send("r", "I went to the sea.")
			d.sees("> where?\nMira: I went to the sea.\n> |")
		})
	})
	t.Run("another message comes in between", func(t *testing.T) {
		atTerminalTest(t, Options{}, func(d *testTerminal) {
			d.preview("r", "I went")
			d.send("reminder", "Tea!")
			d.send("r", "I went.")
			d.sees("Mira: Tea!\nMira: I went.\n> |")
		})
	})
	t.Run("a reply that is never sent gives way to the next", func(t *testing.T) {
		atTerminalTest(t, Options{}, func(d *testTerminal) {
			d.preview("r", "I went")
			d.preview("s", "You ask")
			d.send("s", "You ask.")
			d.sees("Mira: You ask.\n> |")
		})
	})
	t.Run("a reply taller than the screen", func(t *testing.T) {
		atTerminalTest(t, Options{}, func(d *testTerminal) {
			tall := strings.Repeat("row\n", 100) + "last"
			d.preview("r", tall)
			d.settle()
			if rows := strings.Split(d.glass.String(), "\n"); len(rows) != defaultRows || rows[defaultRows-2] != "last" {
				t.Errorf("%d rows:\n%s", len(rows), d.glass)
			}
			d.send("r", tall)
			d.sees("Mira: " + tall + "\n> |")
		})
	})
	t.Run("the end of the sitting leaves it", func(t *testing.T) {
		atTerminalTest(t, Options{}, func(d *testTerminal) {
			d.preview("r", "I went")
			d.press("/quit\r")
			d.sees("Mira: I went\n> /quit")
		})
	})
}

func TestTerminalInterrupt(t *testing.T) {
	t.Run("clears, then leaves", func(t *testing.T) {
		atTerminalTest(t, Options{}, func(d *testTerminal) {
			d.press("oops\x03")
			d.sees(leaveNotice + "\n> |")
			d.press("x")
			d.sees("> x|")
			d.press("\x03\x03")
			if !d.ended || d.err != nil {
				t.Errorf("ended %v with %v", d.ended, d.err)
			}
			d.said()
		})
	})
	t.Run("stops the persona and keeps the draft", func(t *testing.T) {
		atTerminalTest(t, Options{}, func(d *testTerminal) {
			d.thinking(true)
			d.press("draft\x03")
			d.said("stop")
			d.sees("Mira is thinking…\nStopping…\n> draft|")
			d.send("r", "Fine.")
			d.sees("Mira: Fine.\n> draft|")
		})
	})
	t.Run("a persona that does not stop keeps nobody", func(t *testing.T) {
		atTerminalTest(t, Options{}, func(d *testTerminal) {
			d.thinking(true)
			d.press("\x03\x03\x03")
			if !d.ended {
				t.Error("still there")
			}
		})
	})
}

func TestTerminalLeaves(t *testing.T) {
	for name, keys := range map[string]string{"quit": "/quit\r", "exit": " /exit\r", "ctrl-d": "\x04"} {
		t.Run(name, func(t *testing.T) {
			atTerminalTest(t, Options{}, func(d *testTerminal) {
				d.press(keys)
				if !d.ended || d.err != nil {
					t.Errorf("ended %v with %v", d.ended, d.err)
				}
				d.said()
			})
		})
	}
	t.Run("hang-up", func(t *testing.T) {
		atTerminalTest(t, Options{}, func(d *testTerminal) {
			_ = d.keyboard.Close()
			synctest.Wait()
			if !d.ended || d.err != nil {
				t.Errorf("ended %v with %v", d.ended, d.err)
			}
		})
	})
}

func TestTerminalPaste(t *testing.T) {
	atTerminalTest(t, Options{}, func(d *testTerminal) {
		d.press("\x1b[200~one\r/quit\rthree\x1b[201~")
		d.sees("> one\n  /quit\n  three|")
		d.press("\r")
		d.said("one\n/quit\nthree")
		d.sees("> one\n  /quit\n  three\n> |")
	})
}

func TestTerminalShowsTheCursorOfATallText(t *testing.T) {
	atTerminalTest(t, Options{}, func(d *testTerminal) {
		d.press("\x1b[200~" + strings.Repeat("line\n", 200) + "last\x1b[201~")
		if rows := strings.Count(d.glass.String(), "\n") + 1; rows > defaultRows {
			t.Errorf("%d rows on a screen of %d", rows, defaultRows)
		}
		if !strings.HasSuffix(d.glass.String(), "last|") {
			t.Errorf("the cursor is out of sight:\n%s", d.glass)
		}
	})
}

func TestTerminalIsNotDrivenByText(t *testing.T) {
	atTerminalTest(t, Options{}, func(d *testTerminal) {
		d.preview("r", "a\x1b[2J")
		d.send("r", "a\x1b[2J\x1b]0;title\x07b\u202Ec")
		d.sees("Mira: a[2J]0;titlebc\n> |")
	})
}

func TestTerminalHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	atTerminalTest(t, Options{History: path}, func(d *testTerminal) { d.press("first\r"); d.press("second\r") })
	atTerminalTest(t, Options{History: path}, func(d *testTerminal) {
		d.press("\x1b[A\x1b[A")
		d.sees("> first|")
		d.press("\r")
		d.said("first")
	})
}

func TestTerminalReportsAnUnreadableHistory(t *testing.T) {
	path := t.TempDir()
	atTerminalTest(t, Options{History: path}, func(d *testTerminal) {
		if !strings.HasPrefix(d.glass.String(), "read history") {
			t.Errorf("the screen shows\n%s", d.glass)
		}
		d.press("hello\r")
		d.said("hello")
	})
}

func TestTerminalReportsUnacceptedMessages(t *testing.T) {
	atTerminalTest(t, Options{}, func(d *testTerminal) {
		d.refusing = true
		d.press("hello\r")
		time.Sleep(time.Minute) // until every attempt failed; in a bubble this takes no time
		synctest.Wait()
		if !strings.Contains(d.glass.String(), "Not received") || !strings.Contains(d.glass.String(), "disk full") {
			t.Errorf("the screen shows\n%s", d.glass)
		}
		d.refusing = false
		d.press("\x1b[A\r")
		d.said("hello")
	})
}

// Nobody is left to be notified, so Run returns the error.
func TestTerminalFailsWhenTheLastMessageIsNotAccepted(t *testing.T) {
	atTerminalTest(t, Options{}, func(d *testTerminal) {
		d.refusing = true
		d.press("hello\r/quit\r")
		time.Sleep(time.Minute)
		synctest.Wait()
		if !d.ended || d.err == nil || !strings.Contains(d.err.Error(), "disk full") {
			t.Errorf("ended %v with %v", d.ended, d.err)
		}
	})
}

func TestTerminalLimitsInput(t *testing.T) {
	atTerminalTest(t, Options{}, func(d *testTerminal) {
		d.refusing = true
		d.press(strings.Repeat("again\r", maxWaiting+2))
		if !strings.Contains(d.glass.String(), "Not received; press Up and Enter to resend: 256 messages are waiting") {
			t.Errorf("the screen shows\n%s", d.glass)
		}
	})
}

func TestTerminalColours(t *testing.T) {
	var plain, coloured testOutput
	forced := true
	for out, colour := range map[*testOutput]bool{&plain: false, &coloured: true} {
		c := New(Options{In: strings.NewReader(""), Out: out, Terminal: &forced, Persona: "Mira", Colour: colour, Now: time.Now, NewID: counter()})
		if _, err := c.Send(t.Context(), channels.Outgoing{Room: c.Room(), Key: "k", Text: "hi"}); err != nil {
			t.Fatal(err)
		}
	}
	if plain.String() != "Mira: hi\r\n" || coloured.String() != "\x1b[36mMira:\x1b[0m hi\r\n" {
		t.Errorf("without colour %q, with %q", plain.String(), coloured.String())
	}
}

func TestHistoryFileIsPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	atTerminalTest(t, Options{History: path}, func(d *testTerminal) { d.press("hello\r") })
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("history is %v, %v", info, err)
	}
}
