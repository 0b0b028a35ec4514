package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/creack/pty"

	"familiar/channels"
	"familiar/channels/channeltest"
)

var (
	_ channels.Channel   = (*Console)(nil)
	_ channels.Typist    = (*Console)(nil)
	_ channels.Previewer = (*Console)(nil)
	_ channels.Limited   = (*Console)(nil)
	_ channels.Local     = (*Console)(nil)
	_ channels.NoReplier = (*Console)(nil)
	_ channels.Hinter    = (*Console)(nil)

	_ channels.FileFetcher = (*Console)(nil)
)

// testOutput is an output that can be read while it is written.
type testOutput struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (p *testOutput) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all.Write(b)
}

func (p *testOutput) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all.String()
}

func counter() func() string {
	var n atomic.Int64
	return func() string { return fmt.Sprint("m", n.Add(1)) }
}

func TestPipeConforms(t *testing.T) {
	channeltest.Run(t, func(t *testing.T) channeltest.Network {
		in, outgoing, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _, _ = in.Close(), outgoing.Close() })
		var out testOutput
		c := New(Options{In: in, Out: &out, As: "Ann", Now: time.Now, NewID: counter()})
		return channeltest.Network{
			Channel: c,
			Room:    c.Room(),
			NoReply: c.NoReply,
			Say: func(_, text string) {
				if _, err := outgoing.WriteString(text + "\n"); err != nil {
					t.Error(err)
				}
			},
			Shown: func() []string {
				return strings.FieldsFunc(out.String(), func(r rune) bool { return r == '\n' })
			},
		}
	})
}

func TestTerminalConforms(t *testing.T) {
	var alone sync.Mutex // the library that edits lines has global variables shared by all terminals of a process
	channeltest.Run(t, func(t *testing.T) channeltest.Network {
		alone.Lock()
		t.Cleanup(alone.Unlock)
		keyboard, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
			t.Fatal(err)
		}
		seen := &testScreen{t: t}
		copied := make(chan struct{})
		go func() {
			defer close(copied)
			_, _ = io.Copy(seen, keyboard) // ends when the pty is closed
		}()
		t.Cleanup(func() { _, _ = tty.Close(), keyboard.Close(); <-copied })
		c := New(Options{In: tty, Out: tty, As: "Ann", Now: time.Now, NewID: counter()})
		if _, ok := c.frontend.(*terminal); !ok {
			t.Fatal("a pty is not taken for a terminal")
		}
		return channeltest.Network{
			Channel: c,
			Room:    c.Room(),
			Say: func(_, text string) {
				seen.await("> |") // until then Enter is handled by the line discipline, not the console
				if _, err := keyboard.WriteString(text + "\r"); err != nil {
					t.Error(err)
				}
			},
			Shown: func() (shown []string) {
				for row := range strings.Lines(strings.ReplaceAll(seen.String(), "|", "")) {
					if row = strings.TrimSpace(row); row != "" && !strings.HasPrefix(row, ">") {
						shown = append(shown, row)
					}
				}
				return shown
			},
		}
	})
}

func TestMessages(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	c := New(Options{As: " Ann Lee ", Now: func() time.Time { return at }, NewID: counter()})
	want := channels.Message{
		ID: "m1", Room: channels.Room{Channel: "console", ID: "dm/ann lee"}, Direct: true, Addressed: true, Text: "hi", At: at,
		Author: channels.Author{Handle: channels.Handle{Channel: "console", ID: "ann lee"}, Name: "Ann Lee"},
	}
	if got, err := c.message("hi"); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	if m, err := c.message(""); err != nil || !m.Arrival || m.ID != "m2" {
		t.Errorf("an empty message is %+v, want an arrival", m)
	}
	if got := New(Options{As: "Ann", Room: "lobby"}).Room().ID; got != "lobby" {
		t.Errorf("the room is %q, want lobby", got)
	}
}

// scripted runs a pipe over input with a persona that answers by reply; "" gives no answer, but completes the message.
func scripted(t *testing.T, o Options, input io.Reader, reply func(text string) string) (output string, err error) {
	t.Helper()
	var out testOutput
	o.In, o.Out, o.Now, o.NewID = input, &out, time.Now, counter()
	c := New(o)
	var turns sync.WaitGroup
	err = c.Run(context.Background(), func(ctx context.Context, m channels.Message) error {
		turns.Go(func() {
			time.Sleep(time.Second) // the persona thinks; in a synctest bubble this takes no time
			text := reply(m.Text)
			if text == "" {
				c.NoReply(m.ID)
				return
			}
			_ = c.Typing(ctx, m.Room, true)
			_ = c.Preview(ctx, m.Room, "r"+m.ID, text[:1])
			_, _ = c.Send(ctx, channels.Outgoing{Room: m.Room, Key: "r" + m.ID, Text: text, ReplyTo: m.ID})
		})
		return nil
	})
	turns.Wait()
	return out.String(), err
}

func TestPipe(t *testing.T) {
	tests := []struct {
		name, input, want string
		arrive            bool
	}{
		{"a reply to each line", "My name is Ann\nWhat is my name?\n", "<My name is Ann>\n<What is my name?>\n", false},
		{"the last line needs no newline", "one\ntwo", "<one>\n<two>\n", false},
		{"blank lines say nothing", "\n  \none\r\n\n", "<one>\n", false},
		{"nothing at all", "", "", false},
		{"an arrival is greeted", "one\n", "<>\n<one>\n", true},
		{"quit says nothing", "one\n/quit\ntwo\n", "<one>\n", false},
		{"exit too", "/exit\ntwo\n", "", false},
		{"other commands are for the persona", "/help\n/quit now\n", "</help>\n</quit now>\n", false},
		{"invalid bytes are repaired", "a\xffb\n", "<a\uFFFDb>\n", false},
		{"no control codes come out", "a\x1b[31mb\n", "<a[31mb>\n", false},
		{"escapes are for networks that render Markdown", `2\*3, \[a\](b) and **c**`, "<2*3, [a](b) and **c**>\n", false},
		{"what needs no answer is passed over", "settle\nnext\n", "<next>\n", false},
		{"a very long line", strings.Repeat("long ", 200_000) + "\n", "<" + strings.TrimSpace(strings.Repeat("long ", 200_000)) + ">\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, err := scripted(t, Options{Arrive: tt.arrive}, strings.NewReader(tt.input), func(text string) string {
					if text == "settle" {
						return ""
					}
					return "<" + text + ">"
				})
				if err != nil || got != tt.want {
					t.Errorf("got %.200q, %v; want %.200q", got, err, tt.want)
				}
			})
		})
	}
}

// TestPipeSpeaksJSON prints each reply on one line, whatever it contains, with its author's name and room.
func TestPipeSpeaksJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := Options{As: "Ann", Persona: "Nell", JSON: true}
		got, err := scripted(t, o, strings.NewReader("one\n"), func(text string) string { return "<" + text + ">\nand \"two\"\x1b[31m" })
		at := time.Now().Format(time.RFC3339Nano)
		want := `{"at":"` + at + `","room":"dm/ann","from":"Nell","text":"<one>\nand \"two\"[31m"}` + "\n"
		if err != nil || got != want {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	})
}

func TestPipeGoesOnWithoutAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		started := time.Now()
		got, err := scripted(t, Options{ReplyTimeout: 10 * time.Second}, strings.NewReader("slow\nquick\n"), func(text string) string {
			if text == "slow" {
				time.Sleep(time.Minute)
			}
			return text
		})
		if !errors.Is(err, errNoAnswer) {
			t.Errorf("error is %v, want one that tells of the missing answer", err)
		}
		if got != "quick\n" {
			t.Errorf("got %q: an answer after the end must stay for the next sitting", got)
		}
		if took := time.Since(started); took > 2*time.Minute {
			t.Errorf("took %s", took)
		}
	})
}

func TestPipeEndlessLine(t *testing.T) {
	endless := io.LimitReader(strings.NewReader(strings.Repeat("x", maxLine+2)), maxLine+2)
	if _, err := scripted(t, Options{}, endless, func(string) string { return "heard" }); err == nil || !strings.Contains(err.Error(), "longer") {
		t.Errorf("error is %v, want one that tells of the long line", err)
	}
}

func TestMessageThatCannotBeStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := errors.New("disk full")
		tries := 0
		c := New(Options{In: strings.NewReader("one\ntwo\n"), Out: io.Discard, Now: time.Now, NewID: counter()})
		err := c.Run(context.Background(), func(context.Context, channels.Message) error {
			tries++
			return full
		})
		if !errors.Is(err, full) || tries != maxAttempts {
			t.Errorf("after %d tries %v, want %d and the cause", tries, err, maxAttempts)
		}
	})
}

func TestSendAfterTheEnd(t *testing.T) {
	var out testOutput
	c := New(Options{In: strings.NewReader(""), Out: &out, Now: time.Now, NewID: counter()})
	accept := func(context.Context, channels.Message) error { return nil }
	if _, err := c.Send(context.Background(), channels.Outgoing{Room: c.Room(), Key: "early", Text: "early"}); err != nil {
		t.Errorf("before Run: %v", err)
	}
	if err := c.Run(context.Background(), accept); err != nil {
		t.Fatal(err)
	}
	_, err := c.Send(context.Background(), channels.Outgoing{Room: c.Room(), Key: "late", Text: "late"})
	if err == nil || channels.Kind(err) != channels.Temporary {
		t.Errorf("after Run: %v, want a temporary error", err)
	}
	if out.String() != "early\n" {
		t.Errorf("printed %q", out.String())
	}
	if err := c.Run(context.Background(), accept); err == nil {
		t.Error("it ran a second time")
	}
}

func TestBrokenOutputEndsTheTalk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reader, writer := io.Pipe()
		_ = reader.Close()
		c := New(Options{In: strings.NewReader("one\ntwo\n"), Out: writer, Now: time.Now, NewID: counter()})
		heard, began := 0, time.Now()
		err := c.Run(context.Background(), func(ctx context.Context, m channels.Message) error {
			heard++
			go func() { _, _ = c.Send(ctx, channels.Outgoing{Room: c.Room(), Key: m.ID, ReplyTo: m.ID, Text: "hello"}) }()
			return nil
		})
		if !errors.Is(err, io.ErrClosedPipe) || heard != 1 {
			t.Errorf("after %d messages %v, want one and why it could not be answered", heard, err)
		}
		if waited := time.Since(began); waited >= ReplyTimeout {
			t.Errorf("it waited %s for an answer that nobody can see", waited)
		}
	})
}

func TestBrokenOutputIsAmbiguous(t *testing.T) {
	reader, writer := io.Pipe()
	_ = reader.Close()
	c := New(Options{In: strings.NewReader(""), Out: writer, Now: time.Now, NewID: counter()})
	_, err := c.Send(context.Background(), channels.Outgoing{Room: c.Room(), Key: "k", Text: "hello"})
	if err == nil || channels.Kind(err) != channels.Ambiguous {
		t.Errorf("got %v, want an ambiguous error", err)
	}
}
