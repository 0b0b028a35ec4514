package discord

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/discord/discordtest"
)

// unknownThread is a Discord server with a thread that no event lists: the bot must ask Discord about it.
type unknownThread struct {
	*rig
	ann                    discordtest.User
	guild, channel, thread string
	// lookup is the requested URL.
	lookup string
}

func newUnknownThread(t *testing.T) *unknownThread {
	a := &unknownThread{rig: newRig(t)}
	a.ann = a.server.Person("ann")
	a.guild = a.server.Guild("home")
	a.channel = a.server.Text(a.guild, "talk")
	a.thread = a.server.Thread(a.channel, "old")
	a.server.Archive(a.thread)
	a.lookup = "/channels/" + a.thread
	return a
}

// fail makes that request fail.
func (a *unknownThread) fail(f discordtest.Fault) {
	f.On, f.Exact = "GET /api/v9"+a.lookup, true
	a.server.AddFault(f)
}

// said returns the texts received in the thread, and fails the test if one was received elsewhere.
func (a *unknownThread) said() []string {
	var said []string
	for _, m := range a.all() {
		switch m.Room {
		case channels.Room{Channel: name, ID: a.channel, Thread: a.thread}:
			said = append(said, strings.TrimSpace(string(m.Action)+" "+m.Text))
		case room(a.channel):
		default:
			a.t.Errorf("%q is received in %+v", m.Text, m.Room)
		}
	}
	return said
}

func TestAnUnresolvedThreadIsReceivedOnceResolved(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]discordtest.Fault{
		"refused":     {Status: http.StatusForbidden, Code: 50001},
		"down":        {Status: http.StatusBadGateway},
		"limited":     {Status: http.StatusTooManyRequests, RetryAfter: time.Millisecond},
		"cut off":     {DropBefore: true},
		"misread":     {Garble: true},
		"answer lost": {DropAfter: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newUnknownThread(t)
			a.fail(f)
			a.run(a.rig.channel())
			one := a.server.Say(a.thread, a.ann, "one")
			a.server.Say(a.channel, a.ann, "elsewhere")
			a.messages(1) // no other channel waits for it
			equal(t, "received at once", a.said(), []string(nil))
			a.server.Say(a.thread, a.ann, "two")
			a.server.Edit(a.thread, one, "one, better")
			a.server.React(a.thread, one, a.ann, "👍", true)
			a.server.ClearFaults()
			a.later(forbiddenFor)
			a.eventually("the reaction is heard", func() bool { return slices.Contains(a.said(), "reacts 👍") })
			a.server.Say(a.thread, a.ann, "three")
			a.eventually("the next is heard", func() bool { return slices.Contains(a.said(), "three") })
			said := a.said()
			// The history, where the messages are read, has the present text of the first.
			equal(t, "received", said, []string{"one, better", "two", "edits one, better", "reacts 👍", "three"})
		})
	}
}

// TestAnAnnouncedThreadIsReceivedAtOnce reports the thread while its messages are pending, and while the history
// cannot be read.
func TestAnAnnouncedThreadIsReceivedAtOnce(t *testing.T) {
	t.Parallel()
	a := newUnknownThread(t)
	a.fail(discordtest.Fault{Status: http.StatusForbidden, Code: 50001})
	a.server.AddFault(discordtest.Fault{On: "GET /api/v9" + a.lookup + "/messages", Status: http.StatusForbidden, Code: 50001})
	a.run(a.rig.channel())
	a.server.Say(a.thread, a.ann, "one")
	a.server.Say(a.thread, a.ann, "two")
	a.server.Say(a.channel, a.ann, "elsewhere")
	a.messages(1)
	equal(t, "received at once", a.said(), []string(nil))
	a.server.SendEvent("THREAD_UPDATE", discordtest.Channel{ID: a.thread, Type: 11, GuildID: a.guild, ParentID: a.channel})
	a.server.Say(a.thread, a.ann, "three")
	a.messages(4)
	equal(t, "received", a.said(), []string{"one", "two", "three"})
}

// TestAnUnresolvedThreadIsReceivedAfterAKill kills the process while a message is pending, and again
// while the next process cannot look up the thread either.
func TestAnUnresolvedThreadIsReceivedAfterAKill(t *testing.T) {
	t.Parallel()
	a := newUnknownThread(t)
	a.fail(discordtest.Fault{Status: http.StatusBadGateway})
	for range 2 {
		r := a.run(a.rig.channel())
		a.server.Say(a.thread, a.ann, "said")
		a.server.Say(a.channel, a.ann, "elsewhere")
		n := len(a.all())
		a.messages(n + 1)
		a.eventually("its cursor is kept", func() bool { return a.store.Value(chatPrefix+a.thread) != "" })
		left := a.store.Copy() // the store as a kill leaves it
		r.end()
		a.store = left
		a.server.Say(a.thread, a.ann, "while away")
	}
	equal(t, "received", a.said(), []string(nil))
	a.server.ClearFaults()
	a.run(a.rig.channel())
	a.eventually("the thread is heard", func() bool { return len(a.said()) >= 4 })
	a.server.Say(a.thread, a.ann, "live")
	a.eventually("the next is heard", func() bool { return slices.Contains(a.said(), "live") })
	equal(t, "received", a.said(), []string{"said", "while away", "said", "while away", "live"})
}

func TestAThreadDeletedBeforeItWasResolvedIsForgotten(t *testing.T) {
	t.Parallel()
	a := newUnknownThread(t)
	a.fail(discordtest.Fault{Status: http.StatusBadGateway, Times: 1})
	a.fail(discordtest.Fault{Status: http.StatusNotFound, Code: 10003})
	a.run(a.rig.channel())
	a.server.Say(a.thread, a.ann, "said")
	a.eventually("its cursor is kept", func() bool { return a.store.Value(chatPrefix+a.thread) != "" })
	a.eventually("its cursor is gone", func() bool { return a.store.Value(chatPrefix+a.thread) == "" })
	equal(t, "received", a.said(), []string(nil))
}

func TestAFullMemoryQueueIsReadFromTheCursor(t *testing.T) {
	t.Parallel()
	a := newUnknownThread(t)
	a.fail(discordtest.Fault{Status: http.StatusBadGateway, Times: 1})
	a.run(a.rig.channel())
	for range 2 * maxPending {
		a.server.Say(a.thread, a.ann, "said")
	}
	a.messages(2 * maxPending)
	a.server.Say(a.thread, a.ann, "live")
	said := texts(a.messages(2*maxPending + 1))
	equal(t, "the last", said[len(said)-1], "live")
	equal(t, "received", len(a.said()), 2*maxPending+1)
}

// TestNothingIsRecordedOfAChannelWithOnlyStrangers checks that a cursor exists only where messages are accepted
// and where the persona writes.
func TestNothingIsRecordedOfAChannelWithOnlyStrangers(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann, bob := d.server.Person("ann"), d.server.Person("bob")
	friend, stranger := d.server.DM(ann), d.server.DM(bob)
	c := d.channel(func(o *Options) {
		o.Host.Gate = func(_ context.Context, m channels.Message) bool { return m.Author.Handle.ID == ann.ID }
	})
	d.run(c)
	d.server.Say(stranger, bob, "hello")
	d.server.Say(friend, ann, "hello")
	d.messages(2)
	equal(t, "noted of the stranger", d.store.Value(chatPrefix+stranger), "")
	equal(t, "noted of the friend", d.store.Value(chatPrefix+friend) != "", true)
	id := d.mustSend(c, say(stranger, "k", "a code")) // an approved person's messages are read if they write while the bot is offline
	d.eventually("a cursor is kept", func() bool { p, _ := c.shards[0].chats.get(stranger); return p.Cursor == id })
}

func TestIdleChannelsAreForgotten(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	var ids [3]string
	for i := range ids {
		ann := d.server.Person("ann")
		ids[i] = d.server.DM(ann)
		d.server.Say(ids[i], ann, "hello")
	}
	d.rooms = []channels.Room{room(ids[2])} // known to the store
	r := d.run(d.channel())
	r.end()
	cursor := `{"after":"` + snowflake(d.now()) + `"}`
	for _, id := range ids {
		d.store.Set(chatPrefix+id, cursor)
	}
	d.later(idleAfter - time.Hour)
	d.run(d.channel()).end()
	keys, err := d.store.Keys(t.Context(), chatPrefix)
	equal(t, "error", err, error(nil))
	equal(t, "stored", len(keys), 3)
	d.later(2 * time.Hour)
	d.run(d.channel())
	keys, err = d.store.Keys(t.Context(), chatPrefix)
	equal(t, "error", err, error(nil))
	equal(t, "stored", keys, []string{chatPrefix + ids[2]})
}

// TestA4NothingIsStoredOfAStrangerWithACode checks again after a long time without messages.
func TestA4NothingIsStoredOfAStrangerWithACode(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann, bob := d.server.Person("ann"), d.server.Person("bob")
	stranger, known := d.server.DM(ann), d.server.DM(bob)
	d.rooms = []channels.Room{room(known)}
	c := d.channel()
	r := d.run(c)
	for _, id := range []string{stranger, known} {
		if _, err := c.Send(t.Context(), channels.Outgoing{Room: room(id), Key: id, Text: "a code"}); err != nil {
			t.Fatal(err)
		}
	}
	r.end()
	d.later(idleAfter + time.Hour)
	d.run(d.channel())
	keys, err := d.store.Keys(t.Context(), attemptPrefix)
	equal(t, "error", err, error(nil))
	equal(t, "stored", keys, []string{attemptPrefix + known})
}
