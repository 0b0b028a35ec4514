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

// attic is a Discord with a thread in it that is in no list: what it is Discord must be asked.
type attic struct {
	*desk
	ann                    discordtest.User
	guild, channel, thread string
	// lookup is the address asked for.
	lookup string
}

func newAttic(t *testing.T) *attic {
	a := &attic{desk: newDesk(t)}
	a.ann = a.server.Person("ann")
	a.guild = a.server.Guild("home")
	a.channel = a.server.Text(a.guild, "talk")
	a.thread = a.server.Thread(a.channel, "old")
	a.server.Archive(a.thread)
	a.lookup = "/channels/" + a.thread
	return a
}

// fail has what asks go wrong.
func (a *attic) fail(f discordtest.Fault) {
	f.On, f.Whole = "GET /api/v9"+a.lookup, true
	a.server.Break(f)
}

// said are the texts heard in the thread, and fails the test when one was heard anywhere else than in a thread of its channel.
func (a *attic) said() []string {
	var said []string
	for _, m := range a.all() {
		switch m.Room {
		case channels.Room{Channel: name, ID: a.channel, Thread: a.thread}:
			said = append(said, strings.TrimSpace(string(m.Action)+" "+m.Text))
		case room(a.channel):
		default:
			a.t.Errorf("%q is heard in %+v", m.Text, m.Room)
		}
	}
	return said
}

func TestAThreadThatCannotBeLookedUpIsHeardOnceItCan(t *testing.T) {
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
			a := newAttic(t)
			a.fail(f)
			a.run(a.desk.channel())
			one := a.server.Say(a.thread, a.ann, "one")
			a.server.Say(a.channel, a.ann, "elsewhere")
			a.messages(1) // no other channel waits for it
			equal(t, "heard at once", a.said(), []string(nil))
			a.server.Say(a.thread, a.ann, "two")
			a.server.Edit(a.thread, one, "one, better")
			a.server.React(a.thread, one, a.ann, "👍", true)
			a.server.Mend()
			a.later(refusedFor)
			a.eventually("the reaction is heard", func() bool { return slices.Contains(a.said(), "reacts 👍") })
			a.server.Say(a.thread, a.ann, "three")
			a.eventually("the next is heard", func() bool { return slices.Contains(a.said(), "three") })
			said := a.said()
			// The history, where the messages are read, has the first as it is by now.
			equal(t, "heard", said, []string{"one, better", "two", "edits one, better", "reacts 👍", "three"})
		})
	}
}

// TestAThreadThatDiscordTellsOfIsHeardAtOnce tells of it while it waits, and where the history cannot be read.
func TestAThreadThatDiscordTellsOfIsHeardAtOnce(t *testing.T) {
	t.Parallel()
	a := newAttic(t)
	a.fail(discordtest.Fault{Status: http.StatusForbidden, Code: 50001})
	a.server.Break(discordtest.Fault{On: "GET /api/v9" + a.lookup + "/messages", Status: http.StatusForbidden, Code: 50001})
	a.run(a.desk.channel())
	a.server.Say(a.thread, a.ann, "one")
	a.server.Say(a.thread, a.ann, "two")
	a.server.Say(a.channel, a.ann, "elsewhere")
	a.messages(1)
	equal(t, "heard at once", a.said(), []string(nil))
	a.server.Invent("THREAD_UPDATE", discordtest.Channel{ID: a.thread, Type: 11, GuildID: a.guild, ParentID: a.channel})
	a.server.Say(a.thread, a.ann, "three")
	a.messages(4)
	equal(t, "heard", a.said(), []string{"one", "two", "three"})
}

// TestAThreadThatCouldNotBeLookedUpBeforeAKillIsHeardAfterIt kills the process while a message waits, and again while the
// next cannot look the thread up either.
func TestAThreadThatCouldNotBeLookedUpBeforeAKillIsHeardAfterIt(t *testing.T) {
	t.Parallel()
	a := newAttic(t)
	a.fail(discordtest.Fault{Status: http.StatusBadGateway})
	for range 2 {
		r := a.run(a.desk.channel())
		a.server.Say(a.thread, a.ann, "said")
		a.server.Say(a.channel, a.ann, "elsewhere")
		n := len(a.all())
		a.messages(n + 1)
		a.eventually("its cursor is kept", func() bool { return a.shelf.Value(shelved+a.thread) != "" })
		left := a.shelf.Copy() // as a kill leaves it
		r.end()
		a.shelf = left
		a.server.Say(a.thread, a.ann, "while away")
	}
	equal(t, "heard", a.said(), []string(nil))
	a.server.Mend()
	a.run(a.desk.channel())
	a.eventually("the thread is heard", func() bool { return len(a.said()) >= 4 })
	a.server.Say(a.thread, a.ann, "live")
	a.eventually("the next is heard", func() bool { return slices.Contains(a.said(), "live") })
	equal(t, "heard", a.said(), []string{"said", "while away", "said", "while away", "live"})
}

func TestAThreadThatIsGoneBeforeItWasHeardIsForgotten(t *testing.T) {
	t.Parallel()
	a := newAttic(t)
	a.fail(discordtest.Fault{Status: http.StatusBadGateway, Times: 1})
	a.fail(discordtest.Fault{Status: http.StatusNotFound, Code: 10003})
	a.run(a.desk.channel())
	a.server.Say(a.thread, a.ann, "said")
	a.eventually("its cursor is kept", func() bool { return a.shelf.Value(shelved+a.thread) != "" })
	a.eventually("its cursor is gone", func() bool { return a.shelf.Value(shelved+a.thread) == "" })
	equal(t, "heard", a.said(), []string(nil))
}

func TestMoreThanWaitsInMemoryIsReadBehindTheCursor(t *testing.T) {
	t.Parallel()
	a := newAttic(t)
	a.fail(discordtest.Fault{Status: http.StatusBadGateway, Times: 1})
	a.run(a.desk.channel())
	for range 2 * parkedAtMost {
		a.server.Say(a.thread, a.ann, "said")
	}
	a.messages(2 * parkedAtMost)
	a.server.Say(a.thread, a.ann, "live")
	said := texts(a.messages(2*parkedAtMost + 1))
	equal(t, "the last", said[len(said)-1], "live")
	equal(t, "heard", len(a.said()), 2*parkedAtMost+1)
}

// TestNothingIsNotedOfAChannelInWhichOnlyStrangersSpeak: a cursor is for what is heard, and for where the persona speaks.
func TestNothingIsNotedOfAChannelInWhichOnlyStrangersSpeak(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ann, bob := d.server.Person("ann"), d.server.Person("bob")
	friend, stranger := d.server.DM(ann), d.server.DM(bob)
	c := d.channel(func(o *Options) {
		o.Host.Gate = func(_ context.Context, m channels.Message) bool { return m.Author.Handle.ID == ann.ID }
	})
	d.run(c)
	d.server.Say(stranger, bob, "hello")
	d.server.Say(friend, ann, "hello")
	d.messages(2)
	equal(t, "noted of the stranger", d.shelf.Value(shelved+stranger), "")
	equal(t, "noted of the friend", d.shelf.Value(shelved+friend) != "", true)
	id := d.mustSend(c, say(stranger, "k", "a code")) // who is let in is read when they write while nobody listens
	d.eventually("a cursor is kept", func() bool { p, _ := c.places.get(stranger); return p.After == id })
}

func TestChannelsInWhichNobodySpeaksAreForgotten(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	var ids [3]string
	for i := range ids {
		ann := d.server.Person("ann")
		ids[i] = d.server.DM(ann)
		d.server.Say(ids[i], ann, "hello")
	}
	d.rooms = []channels.Room{room(ids[2])} // of which something is kept
	r := d.run(d.channel())
	r.end()
	cursor := `{"after":"` + snowflake(d.now()) + `"}`
	for _, id := range ids {
		d.shelf.Set(shelved+id, cursor)
	}
	d.later(idle - time.Hour)
	d.run(d.channel()).end()
	keys, err := d.shelf.Keys(t.Context(), shelved)
	equal(t, "error", err, error(nil))
	equal(t, "kept", len(keys), 3)
	d.later(2 * time.Hour)
	d.run(d.channel())
	keys, err = d.shelf.Keys(t.Context(), shelved)
	equal(t, "error", err, error(nil))
	equal(t, "kept", keys, []string{shelved + ids[2]})
}

// TestA4OfAStrangerWhoWasToldACodeNothingStays looks again when nobody has spoken there for long.
func TestA4OfAStrangerWhoWasToldACodeNothingStays(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
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
	d.later(idle + time.Hour)
	d.run(d.channel())
	keys, err := d.shelf.Keys(t.Context(), attempted)
	equal(t, "error", err, error(nil))
	equal(t, "kept", keys, []string{attempted + known})
}
