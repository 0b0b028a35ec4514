package discord

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/discord/discordtest"
)

func TestA3OwnMessagesAreIgnoredAndOtherBotsAreMarked(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	channel := d.server.Text(d.server.Guild("home"), "talk")
	c := d.channel()
	d.run(c)
	d.mustSend(c, say(channel, "k", "hello"))
	own := d.server.Messages(channel)[0].ID
	d.server.Edit(channel, own, "hello again")
	d.server.React(channel, own, d.server.Bot, "👍", true)
	d.server.Say(channel, d.server.OtherBot("helper"), "beep")
	msg := d.messages(1)
	equal(t, "received", texts(msg), []string{"beep"})
	equal(t, "a bot", msg[0].Author.Bot, true)
}

func TestA12EditsDeletionsAndReactionsAreReceived(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	channel := d.server.Text(d.server.Guild("home"), "talk")
	d.run(d.channel())
	one, two, three := d.server.Say(channel, ann, "one"), d.server.Say(channel, ann, "two"), d.server.Say(channel, ann, "three")
	d.server.Edit(channel, one, "more")
	d.server.Edit(channel, one, "still more")
	d.server.React(channel, one, ann, "👍", true)
	d.server.React(channel, one, ann, "👍", false)
	d.server.React(channel, one, ann, "👍", true)
	d.server.Delete(channel, one)
	d.server.Delete(channel, two, three)
	msg := d.messages(11)[3:]
	var got []string
	ids := map[string]bool{}
	for _, m := range msg {
		got = append(got, strings.TrimSpace(string(m.Action)+" "+m.Text))
		equal(t, "room", m.Room, room(channel))
		ids[m.ID] = true
	}
	equal(t, "received", got, []string{"edits more", "edits still more", "reacts 👍", "reacts", "reacts 👍", "deletes", "deletes", "deletes"})
	equal(t, "about", []string{msg[0].TargetID, msg[5].TargetID, msg[6].TargetID, msg[7].TargetID}, []string{one, one, two, three})
	equal(t, "ids", len(ids), len(msg))
}

func TestD10AnEmbedIsNoEdit(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	d.run(d.channel())
	id := d.server.Say(dm, ann, "https://example.org")
	d.server.Embed(dm, id)
	d.server.Edit(dm, id, "https://example.org !")
	d.server.Embed(dm, id) // with the time of the previous edit
	d.server.Say(dm, ann, "end")
	d.eventually("the end is heard", func() bool { return slices.Contains(texts(d.all()), "end") })
	edits := map[string]int{}
	for _, m := range d.all() {
		if m.Action == channels.Edit {
			edits[m.ID]++
		}
	}
	equal(t, "edits by id", len(edits), 1)
}

func TestD1AWithheldEditDoesNotEmptyTheMessage(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	channel := d.server.Text(d.server.Guild("home"), "talk")
	d.run(d.channel(func(o *Options) { o.MessageContent = false }))
	id := d.server.Say(channel, ann, "<@"+d.server.Bot.ID+"> hello")
	d.server.Edit(channel, id, "hello without a mention")
	d.server.Say(channel, ann, "<@"+d.server.Bot.ID+"> end")
	equal(t, "received", texts(d.messages(2)), []string{"hello", "end"})
}

func TestD10AThreadsParentIsAlwaysResolved(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	guild := d.server.Guild("home")
	channel := d.server.Text(guild, "talk")
	early, archived := d.server.Thread(channel, "early"), d.server.Thread(channel, "archived")
	d.server.Archive(archived)
	d.run(d.channel())
	late := d.server.Thread(channel, "late")
	d.server.Say(early, ann, "one")
	d.server.Say(late, ann, "two")
	d.server.Say(archived, ann, "three") // which no event lists: Discord is asked
	msg := d.messages(3)
	equal(t, "rooms", []channels.Room{msg[0].Room, msg[1].Room, msg[2].Room}, []channels.Room{
		{Channel: name, ID: channel, Thread: early}, {Channel: name, ID: channel, Thread: late}, {Channel: name, ID: channel, Thread: archived},
	})
	equal(t, "asked", len(d.server.Requests("GET /channels/")), 1)
	equal(t, "title", msg[0].RoomTitle, "early")
}

func TestAReplyNamesWhatItAnswers(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	channel := d.server.Text(d.server.Guild("home"), "talk")
	c := d.channel()
	d.run(c)
	said := d.mustSend(c, say(channel, "k", "tea?"))
	d.server.Say(channel, ann, "yes", d.server.ReplyTo(channel, said, false))
	m := d.messages(1)[0]
	equal(t, "answers", m.ReplyTo, said)
	equal(t, "addressed", m.Addressed, true)
}

func TestD10AttachmentsAreStoredOnceAndCapped(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.files = channels.Files{Dir: filepath.Join(t.TempDir(), "kept"), MaxSize: 100}
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	small := d.server.File("../small.TXT", "text/plain", []byte("hello"))
	large := d.server.File("large.bin", "", make([]byte, 101))
	lying := d.server.File("lying.bin", "", make([]byte, 101))
	lying.Size = 1
	gone := d.server.File("gone.png", "image/png", []byte("hello"))
	gone.URL += "/nowhere"
	d.run(d.channel())
	id := d.server.Say(dm, ann, "", func(m *discordtest.Message) {
		m.Attachments = []discordtest.Attachment{small, large, lying, gone}
	})
	d.server.Redeliver(dm, id)
	msg := d.messages(2)[1]
	kept, err := os.ReadFile(msg.Attachments[0].Path)
	if err != nil || string(kept) != "hello" {
		t.Fatalf("stored %q, %v", kept, err)
	}
	for _, a := range msg.Attachments[1:] {
		equal(t, "path of "+a.Name, a.Path, "")
	}
	files, err := os.ReadDir(d.files.Dir)
	if err != nil || len(files) != 1 {
		t.Fatalf("stored %v, %v", files, err)
	}
	info, err := files[0].Info()
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("stored with %v, %v", info.Mode(), err)
	}
	fetched := d.server.Requests("GET /attachments/" + small.ID)
	equal(t, "fetched", len(fetched), 1)
	equal(t, "token sent along", fetched[0].Header.Get("Authorization"), "")
}

func TestUnaddressedFilesAreNotFetchedInMentionMode(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.files = channels.Files{Dir: t.TempDir()}
	ann := d.server.Person("ann")
	channel := d.server.Text(d.server.Guild("home"), "talk")
	d.run(d.channel(func(o *Options) { o.MessageContent = false }))
	file := d.server.File("a.txt", "text/plain", []byte("hello"))
	with := func(m *discordtest.Message) { m.Attachments = []discordtest.Attachment{file} }
	d.server.Say(channel, ann, "for you all", with)
	d.server.Say(channel, ann, "<@"+d.server.Bot.ID+"> for you", with)
	equal(t, "stored", d.messages(1)[0].Attachments[0].Path != "", true)
	equal(t, "fetched", len(d.server.Requests("GET /attachments/")), 1)
}

func TestA4NothingOfAStrangerIsFetched(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.files = channels.Files{Dir: t.TempDir()}
	ann := d.server.Person("ann")
	d.run(d.channel(func(o *Options) {
		o.Host.Gate = func(_ context.Context, m channels.Message) bool { return m.Text == "friend" && m.Direct }
	}))
	for _, text := range []string{"stranger", "friend"} {
		file := d.server.File(text+".txt", "text/plain", []byte("hello"))
		d.server.Say(d.server.DM(ann), ann, text, func(m *discordtest.Message) { m.Attachments = []discordtest.Attachment{file} })
	}
	msg := d.messages(2)
	if msg[0].Attachments[0].Path != "" || msg[1].Attachments[0].Path == "" {
		t.Errorf("received %+v", msg)
	}
	equal(t, "fetched", len(d.server.Requests("GET /attachments/")), 1)
}

func TestA11NoErrorHasASecretInIt(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	m := d.use(d.channel, "memory", "")
	for _, f := range []discordtest.Fault{{DropBefore: true}, {Status: 500}, {Status: http.StatusUnauthorized}, {Garble: true}} {
		d.server.AddFault(f)
		_, err := d.c.Send(t.Context(), answerTo(m, "k", "hello"))
		d.server.ClearFaults()
		if err == nil || strings.Contains(err.Error(), "secret-of-") || strings.Contains(err.Error(), discordtest.Token) {
			t.Errorf("%+v gives %v", f, err)
		}
		d.later(time.Minute)
	}
	for _, s := range d.reported() {
		if text := s.Problem + s.NextStep + s.Account; strings.Contains(text, discordtest.Token) {
			t.Errorf("reported %q", text)
		}
	}
}
