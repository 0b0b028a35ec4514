package whatsapp

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/channeltest"
	"familiar/channels/whatsapp/whatsapptest"
)

// child configures a child process: the server's address and the paths of its files.
type child struct {
	Addr, Key, Database string
	// Inbox is the file for received messages, one per line. Mute makes accept wait forever.
	Inbox string
	Mute  bool
	// Text is sent in reply to the first message, under the key "key".
	Text string
}

const childEnv = "WHATSAPP_TEST_CHILD"

// serve runs a channel in this process until it is killed.
func (c child) serve() error {
	client, err := whatsapptest.Reach(c.Addr, c.Key)
	if err != nil {
		return err
	}
	inbox, err := os.OpenFile(c.Inbox, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer inbox.Close()
	channel, err := New(context.Background(), Options{
		Database: c.Database, HTTP: client, Log: slog.New(slog.DiscardHandler),
		Host: channels.Host{
			Report: func(channels.State) {}, Store: channeltest.NewStateStore(), Now: time.Now,
			Jitter:   func(time.Duration) time.Duration { return 0 },
			Rooms:    func(context.Context) ([]channels.Room, error) { return nil, nil },
			SentText: func(context.Context, string) (string, error) { return "", channels.ErrNotFound },
		},
	})
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	return channel.Run(ctx, func(ctx context.Context, m channels.Message) error {
		fmt.Fprintln(inbox, "offered", m.ID)
		if c.Mute {
			<-ctx.Done()
			return ctx.Err()
		}
		fmt.Fprintln(inbox, "kept", m.ID)
		if c.Text != "" {
			go func() {
				_, err := channel.Send(ctx, channels.Outgoing{Room: m.Room, Key: "key", Text: c.Text, ReplyTo: m.ID, ReplyData: m.ReplyData})
				fmt.Fprintln(inbox, "sent", err)
			}()
		}
		return inbox.Sync()
	})
}

// start runs c in a child process that can be killed.
func (c child) start(t *testing.T) *exec.Cmd {
	t.Helper()
	told, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+string(told))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd
}

func (c child) wrote(t *testing.T, line string) bool {
	data, err := os.ReadFile(c.Inbox)
	return err == nil && strings.Contains(string(data), line)
}

func kill(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
}

func TestA2KilledAtAnyTimeLosesNothingAndShowsNothingTwice(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	c := child{Addr: r.server.Addr(), Key: r.server.Key(), Database: r.opts.Database, Inbox: filepath.Join(t.TempDir(), "inbox")}

	c.Mute = true
	cmd := c.start(t)
	id := r.says(ann, ownJID, "hello")
	eventually(t, "it is offered", func() bool { return c.wrote(t, "offered "+id) })
	kill(t, cmd) // decrypted, not durable

	c.Mute, c.Text = false, "hi"
	never := make(chan struct{})
	defer close(never)
	r.server.AddFault(whatsapptest.Fault{At: whatsapptest.Received, Phone: ownPhone, Effect: whatsapptest.Wait, Until: never})
	cmd = c.start(t)
	eventually(t, "it is stored", func() bool { return c.wrote(t, "kept "+id) })
	eventually(t, "the answer is shown", func() bool { return len(ann.Shown(ownJID)) == 1 })
	kill(t, cmd) // the reply was shown, but its outcome is unknown

	cmd = c.start(t)
	second := r.says(ann, ownJID, "are you there?")
	eventually(t, "the next one is stored", func() bool { return c.wrote(t, "kept "+second) })
	eventually(t, "the answer was sent again", func() bool { return c.wrote(t, "sent <nil>") })
	if got := ann.Shown(ownJID); len(got) != 1 || got[0] != "hi" {
		t.Errorf("shown %q, want the answer once", got)
	}
	kill(t, cmd)
}
