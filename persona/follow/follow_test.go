package follow_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/console"
	"familiar/config"
	"familiar/internal/app"
	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/log"
	"familiar/memory/memorytest"
	engine "familiar/persona"
	"familiar/persona/card"
	"familiar/persona/follow"
)

// desk is a store into which session files of Ann are read.
type desk struct {
	*testing.T
	store *memory.Store
	clock *memorytest.Clock
	dir   string
	loop  *follow.Loop
	ann   int64
	watch log.Watch
}

const persona = "nell"

func newDesk(t *testing.T, format string) *desk {
	t.Helper()
	d := &desk{T: t, clock: new(memorytest.Clock), dir: t.TempDir()}
	d.clock.Set(time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC))
	d.store = memorytest.OpenAt(t, d.clock)
	cfg := config.Default()
	cfg.Home = config.Home(t.TempDir())
	c, err := card.LoadCard(cfg.Home.Personas(), persona)
	if err != nil {
		t.Fatal(err)
	}
	d.loop = &follow.Loop{Reader: app.ForStore(cfg, c, d.store, d.clock.Now).SessionReader(), Log: slog.New(slog.DiscardHandler)}
	d.meet(format)
	return d
}

// meet makes Ann known, and her sessions followed.
func (d *desk) meet(format string) {
	d.Helper()
	handle := channels.Handle{Channel: console.Name, ID: "ann"}
	person, _, err := d.store.Turns.UpsertParticipant(d.Context(), channels.Message{
		Room: channels.Room{Channel: console.Name, ID: "dm/ann"}, Author: channels.Author{Handle: handle, Name: "Ann"}, Direct: true, At: d.clock.Now(),
	})
	if err != nil {
		d.Fatal(err)
	}
	pattern := map[string]string{"markdown": "*.md"}[format]
	if pattern == "" {
		pattern = "*.jsonl"
	}
	d.ann = person.ID
	d.watch = log.Watch{Persona: persona, PersonID: person.ID, Account: handle, Dir: d.dir, Format: format, Pattern: pattern}
	if d.watch.ID, err = d.store.Log.AddWatch(d.Context(), d.watch); err != nil {
		d.Fatal(err)
	}
}

// restart forgets everything that is only in memory.
func (d *desk) restart() { d.loop = &follow.Loop{Reader: d.loop.Reader, Log: d.loop.Log} }

// put writes a file.
func (d *desk) put(name, text string) string {
	d.Helper()
	path := filepath.Join(d.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		d.Fatal(err)
	}
	return path
}

// grow appends to a file.
func (d *desk) grow(name, text string) {
	d.Helper()
	f, err := os.OpenFile(filepath.Join(d.dir, name), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		d.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		d.Fatal(err)
	}
	if err := f.Close(); err != nil {
		d.Fatal(err)
	}
}

// look looks at the watch once.
func (d *desk) look() follow.Done {
	d.Helper()
	all, err := d.loop.Once(d.Context())
	if err != nil || len(all) != 1 {
		d.Fatalf("look: %+v, %v", all, err)
	}
	return all[0]
}

// wantNew looks and checks how many messages were stored.
func (d *desk) wantNew(n int) follow.Done {
	d.Helper()
	done := d.look()
	if done.New != n || len(done.Problems) > 0 {
		d.Errorf("%d new messages, want %d; problems %q, left out %v", done.New, n, done.Problems, done.Skipped)
	}
	return done
}

// said returns what is remembered of people, sorted.
func (d *desk) said() (texts []string) {
	d.Helper()
	memories, err := d.store.Entries.ListMemories(d.Context(), entry.MemoryFilter{Persona: persona, Limit: 10_000})
	if err != nil {
		d.Fatal(err)
	}
	for _, m := range memories {
		if m.AuthorID != 0 {
			texts = append(texts, m.Text)
		}
	}
	slices.Sort(texts)
	return texts
}

func (d *desk) wantSaid(want ...string) {
	d.Helper()
	slices.Sort(want)
	if got := d.said(); !slices.Equal(got, want) {
		d.Errorf("remembered %q, want %q", got, want)
	}
}

// says is a line of a session without times or ids.
func says(text string) string { return fmt.Sprintf("{\"role\":\"user\",\"content\":%q}\n", text) }

// record is a line of a session of Claude Code.
func record(id, text string, minute int) string {
	return fmt.Sprintf(`{"type":"user","sessionId":"s-1","cwd":"/w/garden","uuid":%q,"timestamp":"2026-03-01T10:%02d:00Z","message":{"role":"user","content":%q}}`+"\n",
		id, minute, text)
}

func TestAFileIsFollowedAsItGrows(t *testing.T) {
	d := newDesk(t, "jsonl")
	d.wantNew(0)
	d.put("a.jsonl", says("one")+`{"role":"user","con`)
	d.wantNew(1)
	d.wantNew(0)
	d.grow("a.jsonl", `tent":"two `+"\xc3")
	d.wantNew(0)
	d.grow("a.jsonl", "\xa9\"}\n")
	d.wantNew(1)
	d.restart()
	d.wantNew(0)
	d.grow("a.jsonl", says("one")) // the same words again are another message
	d.wantNew(1)
	d.put("deep/er/b.jsonl", says("three"))
	d.put("notes.txt", says("no session"))
	d.wantNew(1)
	d.wantSaid("one", "two é", "one", "three")
}

func TestAFileThatIsWrittenAnew(t *testing.T) {
	d := newDesk(t, "jsonl")
	d.put("a.jsonl", says("one")+says("two"))
	d.wantNew(2)
	d.put("a.jsonl", says("one")) // truncated
	d.wantNew(0)
	d.put("a.jsonl", says("one")+says("two")+says("three"))
	d.wantNew(1)
	d.put("a.jsonl", says("four")) // another conversation under the same name
	d.wantNew(1)
	if err := os.Remove(filepath.Join(d.dir, "a.jsonl")); err != nil {
		t.Fatal(err)
	}
	d.wantNew(0)
	d.put("a.jsonl", says("four")+says("five")) // it is back
	d.wantNew(1)
	d.wantSaid("one", "two", "three", "four", "five")
}

func TestAFileThatIsRotated(t *testing.T) {
	for _, old := range []string{"b.jsonl", "a.jsonl.1"} {
		t.Run(old, func(t *testing.T) {
			d := newDesk(t, "jsonl")
			path := d.put("a.jsonl", says("one"))
			d.wantNew(1)
			d.grow("a.jsonl", says("two"))
			if err := os.Rename(path, filepath.Join(d.dir, old)); err != nil {
				t.Fatal(err)
			}
			d.put("a.jsonl", says("three, which is longer than what stood there before, by far"))
			d.wantNew(2)
			d.restart()
			d.wantNew(0)
			d.grow("a.jsonl", says("four"))
			d.wantNew(1)
			if err := os.Rename(path, filepath.Join(d.dir, "moved.jsonl")); err != nil {
				t.Fatal(err)
			}
			d.grow("moved.jsonl", says("five"))
			d.wantNew(1)
			d.wantSaid("one", "two", "three, which is longer than what stood there before, by far", "four", "five")
		})
	}
}

func TestMarkdownWaitsForTheEndOfAMessage(t *testing.T) {
	d := newDesk(t, "markdown")
	path := d.put("a.md", "## User\n\nI live in Graz.\n\n## Assistant\n\nNice.\n\n## User\n\nAnd I like ")
	touch := func() {
		t.Helper()
		if err := os.Chtimes(path, d.clock.Now(), d.clock.Now()); err != nil {
			t.Fatal(err)
		}
	}
	touch()
	d.wantNew(2)
	d.grow("a.md", "tea.\n")
	touch()
	d.wantNew(0)
	d.clock.Advance(2 * time.Minute)
	d.wantNew(1)
	d.wantSaid("I live in Graz.", "And I like tea.")
}

// TestS12ErasedWordsAreNotReadAgain erases the person of a watch: nothing they said comes back, whatever happens to the file.
func TestS12ErasedWordsAreNotReadAgain(t *testing.T) {
	for format, lines := range map[string][]string{
		"claude-code": {record("u1", "My sister is Lena.", 1), record("u2", "I live in Graz.", 2)},
		"jsonl":       {says("My sister is Lena."), says("I live in Graz.")},
	} {
		t.Run(format, func(t *testing.T) {
			d := newDesk(t, format)
			d.put("a.jsonl", lines[0]+lines[1])
			d.wantNew(2)
			if _, err := d.store.Eraser.ErasePerson(t.Context(), d.ann); err != nil {
				t.Fatal(err)
			}
			if watches, err := d.store.Log.Watches(t.Context()); err != nil || len(watches) > 0 {
				t.Fatalf("watches %+v, %v", watches, err)
			}
			if marks, err := d.store.Log.Watermarks(t.Context(), true); err != nil || len(marks) > 0 {
				t.Fatalf("watermarks %+v, %v", marks, err)
			}
			d.clock.Advance(time.Hour)
			d.meet(format) // followed again
			d.wantNew(0)
			after := record("u3", "Hello again.", 3)
			if format == "jsonl" {
				after = says("Hello again.")
			}
			d.grow("a.jsonl", strings.Replace(after, "2026-03-01", "2026-03-02", 1))
			if format == "claude-code" {
				d.clock.Advance(24 * time.Hour)
				d.grow("a.jsonl", strings.Replace(strings.Replace(after, "u3", "u4", 1), "2026-03-01T10", "2026-03-02T13", 1))
			}
			d.wantNew(1)
			d.wantSaid("Hello again.")
		})
	}
}

func TestS12AForgottenMessageStaysForgotten(t *testing.T) {
	d := newDesk(t, "claude-code")
	d.put("a.jsonl", record("u1", "My sister is Lena.", 1)+record("u2", "I live in Graz.", 2))
	d.wantNew(2)
	memories, err := d.store.Entries.ListMemories(t.Context(), entry.MemoryFilter{Persona: persona, Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range memories {
		if strings.Contains(m.Text, "Lena") {
			if _, err := d.store.Eraser.Forget(t.Context(), m.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	d.put("a.jsonl", record("u0", "A new beginning.", 0)+record("u1", "My sister is Lena.", 1)+record("u2", "I live in Graz.", 2))
	d.restart()
	d.wantNew(1)
	d.wantSaid("I live in Graz.", "A new beginning.")
}

func TestWhatCannotBeReadKeepsNothingElseWaiting(t *testing.T) {
	d := newDesk(t, "jsonl")
	outside := filepath.Join(t.TempDir(), "outside.jsonl")
	if err := os.WriteFile(outside, []byte(says("outside")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink(outside, filepath.Join(d.dir, "link.jsonl")), os.Symlink(filepath.Dir(outside), filepath.Join(d.dir, "links")),
		syscall.Mkfifo(filepath.Join(d.dir, "pipe.jsonl"), 0o600)); err != nil {
		t.Fatal(err)
	}
	d.put("binary.jsonl", "\x00\x01\xff\n\x00"+strings.Repeat("\xfe", 1<<20))
	d.put("deep.jsonl", strings.Repeat(`{"a":`, 200_000)+"\n"+strings.Repeat("[", 1<<20)+"\n"+says("below"))
	d.put("clock.jsonl", `{"role":"user","content":"from the future","timestamp":"2222-01-01T00:00:00Z"}`+"\n"+"{\"role\":\"user\",\"content\":\"bad \xff byte\"}\n")
	d.put("two.jsonl", `{"role":"user","content":"torn`+says("whole")+says("after"))
	d.put("z.jsonl", says("last"))
	done := d.wantNew(5)
	if done.Skipped["lines that cannot be read"] == 0 {
		t.Errorf("left out %v", done.Skipped)
	}
	d.wantSaid("below", "from the future", "bad \uFFFD byte", "after", "last")
}

func TestAProblemIsKeptUntilItEnds(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	d := newDesk(t, "jsonl")
	path := d.put("a.jsonl", says("one"))
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if done := d.look(); len(done.Problems) != 1 {
		t.Fatalf("problems %q", done.Problems)
	}
	if marks, err := d.store.Log.Watermarks(t.Context(), false); err != nil || len(marks) != 1 {
		t.Fatalf("watermarks %+v, %v", marks, err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	d.clock.Advance(2 * time.Minute)
	d.wantNew(1)
	if marks, err := d.store.Log.Watermarks(t.Context(), false); err != nil || len(marks) != 0 {
		t.Fatalf("watermarks %+v, %v", marks, err)
	}
}

func TestADirectoryThatVanishesComesBack(t *testing.T) {
	d := newDesk(t, "jsonl")
	d.put("a.jsonl", says("one"))
	d.wantNew(1)
	if err := os.Rename(d.dir, d.dir+"-away"); err != nil {
		t.Fatal(err)
	}
	if done := d.look(); len(done.Problems) != 1 {
		t.Errorf("problems %q", done.Problems)
	}
	if err := os.Rename(d.dir+"-away", d.dir); err != nil {
		t.Fatal(err)
	}
	d.grow("a.jsonl", says("two"))
	d.wantNew(1)
}

func TestNothingIsKeptOfWhoeverAskedNotToBeListenedTo(t *testing.T) {
	d := newDesk(t, "jsonl")
	d.put("a.jsonl", says("one"))
	d.wantNew(1)
	if err := d.store.Log.SetPaused(t.Context(), persona, d.ann, 0, true, 0); err != nil {
		t.Fatal(err)
	}
	d.grow("a.jsonl", says("secret"))
	d.wantNew(0)
	if err := d.store.Log.SetPaused(t.Context(), persona, d.ann, 0, false, 0); err != nil {
		t.Fatal(err)
	}
	d.grow("a.jsonl", says("two"))
	d.wantNew(1)
	d.wantSaid("one", "two")
}

// TestAWatermarkThatIsLostAddsNothing stores messages and loses how far their file was read, as a crash in between does.
func TestAWatermarkThatIsLostAddsNothing(t *testing.T) {
	for format, line := range map[string]func(i int) string{
		"claude-code": func(i int) string { return record(fmt.Sprint("u", i), fmt.Sprint("Note ", i), i%60) },
		"jsonl":       func(i int) string { return says(fmt.Sprint("Note ", i/2)) },
	} {
		t.Run(format, func(t *testing.T) {
			d := newDesk(t, format)
			var file strings.Builder
			for i := range 700 {
				file.WriteString(line(i))
			}
			path := d.put("a.jsonl", file.String())
			ctx, stop := context.WithCancel(t.Context())
			reader := *d.loop.Reader
			reader.To = func(key string) (follow.Recorder, error) {
				to, err := d.loop.Reader.To(key)
				return stopping{to, stop}, err
			}
			src := follow.Source{Persona: persona, PersonID: d.ann, Author: channels.Author{Handle: d.watch.Account, Name: "Ann"}, Format: format}
			if _, err := reader.File(ctx, src, path, false); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			before := len(d.said())
			done := d.look()
			if before == 0 || before+done.New != 700 || len(d.said()) != 700 || done.Found != 700 {
				t.Errorf("%d before, then %+v: %d are remembered", before, done.Result, len(d.said()))
			}
		})
	}
}

// stopping stops after the first messages are stored.
type stopping struct {
	follow.Recorder
	stop context.CancelFunc
}

func (s stopping) RecordConversation(ctx context.Context, lines []engine.Recorded) (int, error) {
	n, err := s.Recorder.RecordConversation(ctx, lines)
	s.stop()
	return n, err
}
