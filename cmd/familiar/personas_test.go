package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/telegram/telegramtest"
	"familiar/memory"
)

const (
	club    = int64(-500)
	miras   = int64(-600)
	ann     = int64(7)
	heronry = "My favourite bird is the heron."
)

// bar is a home that two personas serve on Telegram.
type bar struct {
	t       *testing.T
	server  *telegramtest.Server
	home    string
	process *child
	store   *memory.Store
}

const twoPersonas = `personas:
  mira: {rooms: [telegram/-600], mentions: true, selectable: true}
debounce: {quiet: 5ms, cap: 5ms}
channels:
  telegram: {token: "env:TELEGRAM", direct: open, groups: {default: open}, base_url: "%s"}
`

func openBar(t *testing.T) *bar {
	b := &bar{t: t, server: telegramtest.Start(telegramtest.Options{
		Token: telegramToken, Bot: telegramtest.Bot{ID: 4711, Name: "Bar", Username: "bar_bot", HearsAll: true}, Now: time.Now,
	})}
	t.Cleanup(b.server.Close)
	for id, title := range map[int64]string{club: "Club", miras: "Den"} {
		b.server.AddChat(telegramtest.Chat{ID: id, Type: "group", Title: title})
	}
	b.server.AddChat(telegramtest.Chat{ID: ann, Type: "private"})
	b.home = configure(t, fmt.Sprintf(twoPersonas, b.server.URL))
	b.write("mira", "name: Mira\ndescription: Tends the garden.\n")
	b.serve()
	b.store = openStore(t, b.home)
	return b
}

func (b *bar) serve() {
	b.t.Helper()
	b.process = start(b.t, b.home, []string{"TELEGRAM=" + telegramToken}, "run", "--log-level", "debug")
}

// restart ends the process in order and starts another.
func (b *bar) restart() {
	b.t.Helper()
	b.process.signal(syscall.SIGTERM)
	if code, said := b.process.exit(); code != 0 {
		b.t.Fatalf("exit code %d: %s", code, said)
	}
	b.serve()
}

func (b *bar) write(key, text string) {
	b.t.Helper()
	file := filepath.Join(b.home, "personas", key+".yaml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// ask says something and returns the answer, and the persona that gave it.
func (b *bar) ask(chat int64, text string) (answer, by string) {
	b.t.Helper()
	before := len(b.server.Sent(chat))
	message := map[string]any{"chat": b.server.Chat(chat), "from": telegramtest.Person(ann, "Ann"), "text": text}
	if strings.HasPrefix(text, "@bar_bot") {
		message["entities"] = []telegramtest.Entity{{Type: "mention", Length: len("@bar_bot")}}
	}
	b.server.Message(message)
	eventually(b.t, text+" is answered", func() bool { return len(b.server.Sent(chat)) > before })
	room := channels.Room{Channel: "telegram", ID: strconv.FormatInt(chat, 10)}
	eventually(b.t, text+" is settled", func() bool {
		var err error
		sent := b.server.Sent(chat)
		answer = sent[len(sent)-1].Text
		by, err = b.store.Log.SaidBy(b.t.Context(), []string{"mira", "nell"}, room, strconv.Itoa(sent[len(sent)-1].ID))
		return err == nil && (by != "" || strings.HasPrefix(text, "/"))
	})
	if n := len(b.server.Sent(chat)) - before; n != 1 {
		b.t.Errorf("%q got %d answers", text, n)
	}
	return answer, by
}

// TestTwoPersonasServeTelegram has two personas share a bot: whom a message is for, what each knows, a switch of a direct
// room, a changed and a broken file while they serve, and a restart with another configuration.
func TestTwoPersonasServeTelegram(t *testing.T) {
	t.Parallel()
	b := openBar(t)
	expect := func(chat int64, text, by, want string) {
		t.Helper()
		answer, who := b.ask(chat, text)
		if who != by || !strings.Contains(strings.ToLower(answer), strings.ToLower(want)) {
			t.Errorf("%q is answered by %s: %q; want %s, with %q", text, who, answer, by, want)
		}
	}
	expect(ann, heronry, "nell", "")
	expect(ann, "What is my favourite bird?", "nell", "heron")
	expect(club, "@bar_bot what do you say?", "nell", "")
	expect(club, "Mira, what do you say?", "mira", "")
	expect(miras, "@bar_bot hello", "mira", "")
	expect(ann, "/persona", "", "talking with Nell")
	expect(ann, "/persona mira", "", "you talk with Mira here")
	answer, who := b.ask(ann, "What is my favourite bird?")
	if who != "mira" || strings.Contains(strings.ToLower(answer), "heron") {
		t.Errorf("%s answers with what nell was told: %q", who, answer)
	}

	b.write("mira", "name: Mirabel\ndescription: Tends the garden.\n")
	b.process.reports("a persona's file has changed and is in use")
	expect(ann, "/persona", "", "talking with Mirabel")
	b.write("mira", "name: Mirabel\ndescripton: A slip.\n")
	b.process.reports("a persona's file is broken")
	expect(ann, "/persona", "", "talking with Mirabel")
	doctorFindings(t, b.home, telegramToken, 1, `unknown key "descripton"`)
	b.write("mira", "name: Mirabel\ndescription: Tends the garden.\n")
	b.process.reports("a persona's file is good again")

	said := familiar(t, b.home, []string{"TELEGRAM=" + telegramToken}, "", "persona", "set", "mira", "fading={episodic: 0.5}").must(t).out
	if !strings.Contains(said, "the running bot uses it within 4 seconds") || !strings.Contains(said, "what is stored already keeps the day") {
		t.Errorf("persona set says %q", said)
	}
	b.process.reports("a persona's file has changed and is in use")

	b.restart()
	expect(ann, "Do you hear me?", "mira", "")
	before := len(b.server.Sent(ann))
	if err := os.WriteFile(filepath.Join(b.home, "familiar.yaml"), fmt.Appendf(nil, strings.Replace(twoPersonas, "mira: {rooms: [telegram/-600], mentions: true, selectable: true}", "{}", 1), b.server.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	b.restart()
	expect(ann, "What is my favourite bird?", "nell", "heron")
	if n := len(b.server.Sent(ann)) - before; n != 1 {
		t.Errorf("the change of the configuration got %d messages, want the one answer: %q", n, b.server.Texts(ann)[before:])
	}
	keys, err := b.store.Log.InboxPersonas(t.Context())
	if err != nil || !slices.Equal(keys, []string{"mira", "nell"}) {
		t.Errorf("the inbox knows %v, %v", keys, err)
	}
}
