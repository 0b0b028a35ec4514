package discord

import (
	"bufio"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/discord/discordtest"
)

// echoEnv tells a copy of the test binary to run the adapter. Its value names the directory, the server's address, and
// by how much its clock is ahead.
const echoEnv = "DISCORD_TEST_ECHO"

// TestA2KilledAtAnyTimeLosesNothingAndSendsNothingTwice kills the program again and again. Each time Discord forgets
// the nonces, and some of its responses are lost.
func TestA2KilledAtAnyTimeLosesNothingAndSendsNothingTwice(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	dir := t.TempDir()
	var want []string
	say := func(n int) {
		for range n {
			text := fmt.Sprint("message ", len(want))
			d.server.Say(dm, ann, text)
			want = append(want, "echo of "+text)
		}
	}
	const lives = 6
	for life := range lives {
		program := exec.Command(os.Args[0])
		program.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %d", echoEnv, dir, d.server.URL, life))
		if err := program.Start(); err != nil {
			t.Fatal(err)
		}
		listening := d.server.Connected
		d.eventually("the program listens", func() bool { return listening() > 0 })
		if life%2 == 0 {
			d.server.AddFault(discordtest.Fault{On: create + dm, Times: 1, DropAfter: true})
		} else {
			d.server.AddFault(discordtest.Fault{On: create + dm, Times: 1, DropBefore: true})
		}
		say(10)
		goal := len(want) - 5 + life // somewhere in between
		if life == lives-1 {
			goal = len(want)
		}
		d.eventually("some are answered", func() bool { return len(d.server.Shown(dm)) >= goal })
		if err := program.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		program.Wait() //nolint:errcheck // it was killed
		d.eventually("its connection is gone", func() bool { return listening() == 0 })
		if life < lives-1 {
			say(3)
		}
		d.server.ForgetNonces()
	}
	equal(t, "shown", d.server.Shown(dm), want)
}

// runEcho is that program: it stores received messages in a file and answers each line once, as far as it knows.
func runEcho(told string) {
	var dir, address string
	var life int
	if _, err := fmt.Sscan(told, &dir, &address, &life); err != nil {
		panic(err)
	}
	now := func() time.Time { return time.Now().Add(time.Duration(life) * 10 * time.Minute) }
	c := New(Options{Token: discordtest.Token, Endpoint: address, Host: channels.Host{
		Report: func(channels.State) {}, Store: fileStore(dir), Now: now, Jitter: func(time.Duration) time.Duration { return 0 },
		Rooms: func(context.Context) ([]channels.Room, error) { return nil, nil },
	}})
	inbox := openLines(filepath.Join(dir, "inbox"))
	go answerAll(c, inbox, openLines(filepath.Join(dir, "outbox")))
	err := c.Run(context.Background(), func(_ context.Context, m channels.Message) error {
		return inbox.add(m.ID, strings.Join([]string{m.ID, m.Room.ID, m.Text}, "\t"))
	})
	fmt.Fprintln(os.Stderr, err)
}

func answerAll(c *Channel, inbox, outbox *lines) {
	for i := 0; ; i++ {
		line := inbox.at(i)
		id, rest, _ := strings.Cut(line, "\t")
		channel, text, _ := strings.Cut(rest, "\t")
		for !outbox.has(id) {
			_, err := c.Send(context.Background(), say(channel, id, "echo of "+text))
			if err == nil {
				err = outbox.add(id, id)
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}
	}
}

// lines is a file of lines, each with a key, on disk once added.
type lines struct {
	file *os.File
	mu   sync.Mutex
	more *sync.Cond
	all  []string
	keys map[string]bool
}

func openLines(path string) *lines {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND|os.O_SYNC, 0o600)
	if err != nil {
		panic(err)
	}
	l := &lines{file: file, keys: make(map[string]bool)}
	l.more = sync.NewCond(&l.mu)
	for scan := bufio.NewScanner(file); scan.Scan(); {
		key, _, _ := strings.Cut(scan.Text(), "\t")
		l.all, l.keys[key] = append(l.all, scan.Text()), true
	}
	return l
}

func (l *lines) add(key, line string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.keys[key] {
		return nil
	}
	if _, err := l.file.WriteString(line + "\n"); err != nil {
		return err
	}
	l.all, l.keys[key] = append(l.all, line), true
	l.more.Broadcast()
	return nil
}

func (l *lines) has(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.keys[key]
}

// at waits for line i.
func (l *lines) at(i int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.all) <= i {
		l.more.Wait()
	}
	return l.all[i]
}

// fileStore is a state store of files in a directory.
type fileStore string

func (d fileStore) path(key string) string {
	return filepath.Join(string(d), "store-"+url.PathEscape(key))
}

func (d fileStore) Get(_ context.Context, key string) (string, error) {
	value, err := os.ReadFile(d.path(key))
	if os.IsNotExist(err) {
		return "", channels.ErrNotFound
	}
	return string(value), err
}

func (d fileStore) Put(_ context.Context, key, value string) error {
	part := d.path("part " + key)
	if err := os.WriteFile(part, []byte(value), 0o600); err != nil {
		return err
	}
	return os.Rename(part, d.path(key))
}

func (d fileStore) Delete(_ context.Context, key string) error { return os.Remove(d.path(key)) }

func (d fileStore) Keys(_ context.Context, prefix string) ([]string, error) {
	found, err := os.ReadDir(string(d))
	var keys []string
	for _, f := range found {
		name, ours := strings.CutPrefix(f.Name(), "store-")
		key, bad := url.PathUnescape(name)
		if ours && bad == nil && strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, err
}
