package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"familiar/channels"
	"familiar/channels/channeltest"
	"familiar/channels/discord/discordtest"
)

func TestD3MissedMessagesAreReceivedOldestFirst(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm, channel := d.server.DM(ann), d.server.Text(d.server.Guild("home"), "talk")
	thread := d.server.Thread(channel, "aside")
	places := []string{dm, channel, thread}
	first := d.run(d.channel())
	for _, place := range places {
		d.server.Say(place, ann, "before")
	}
	d.messages(3)
	first.end()
	const missed = 230
	for i := range missed {
		for _, place := range places {
			d.server.Say(place, ann, fmt.Sprint(i))
		}
	}
	d.run(d.channel())
	msg := d.messages(3 + 3*missed)
	next := map[channels.Room]int{}
	for _, m := range msg[3:] {
		equal(t, "next of its room", m.Text, fmt.Sprint(next[m.Room]))
		next[m.Room]++
	}
	equal(t, "rooms", next, map[channels.Room]int{
		room(dm): missed, room(channel): missed, {Channel: name, ID: channel, Thread: thread}: missed,
	})
}

func TestD3AChannelWithoutACursorStartsAtItsNewest(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm, silent := d.server.DM(ann), d.server.DM(d.server.Person("bob"))
	d.server.Say(dm, ann, "long ago")
	d.rooms = []channels.Room{room(dm), room(silent), room("404")}
	r := d.run(d.channel())
	r.end()
	equal(t, "received", texts(d.all()), []string(nil))
	d.server.Say(dm, ann, "while away")
	d.run(d.channel())
	equal(t, "received", texts(d.messages(1)), []string{"while away"})
}

// TestA15AnUnreadableMessageBlocksNoOther sends an event of unknown shape, once while the bot is offline and once
// live.
func TestA15AnUnreadableMessageBlocksNoOther(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	odd := func(m *discordtest.Message) { m.Embeds = []any{map[string]any{"title": 7}} }
	channel := d.server.Text(d.server.Guild("home"), "talk")
	first := d.run(d.channel())
	d.server.Say(channel, ann, "before")
	d.messages(1)
	first.end()
	d.server.Say(channel, ann, "", odd)
	d.server.Say(channel, ann, "missed")
	d.run(d.channel())
	d.messages(3)
	d.server.Say(channel, ann, "", odd)
	d.server.Say(channel, ann, "live")
	msg := d.messages(5)
	equal(t, "received", texts(msg), []string{"before", "", "missed", "", "live"})
	for _, i := range []int{1, 3} {
		equal(t, "stands for it", msg[i].FullText(), "[message: of an unsupported kind]")
	}
}

func TestD3TheCursorMovesOnlyAfterTheRowIsDurable(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	tried := make(chan struct{}, 100)
	d.refusing(func(channels.Message) error { tried <- struct{}{}; return errors.New("the store is locked") })
	r := d.run(d.channel())
	d.server.Say(dm, ann, "keep me") // the first message in this channel
	<-tried
	<-tried
	r.end()
	d.refusing(nil)
	d.run(d.channel())
	equal(t, "received", texts(d.messages(1)), []string{"keep me"})
}

// TestD3OwnMessagesDoNotSkipUnstoredMessages stops the adapter while it stores a message that is followed by
// one of the bot's own.
func TestD3OwnMessagesDoNotSkipUnstoredMessages(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	first := d.run(d.channel())
	d.server.Say(dm, ann, "before")
	d.messages(1)
	first.end()

	d.server.Say(dm, ann, "keep me")
	d.server.Say(dm, d.server.Bot, "what was left to say")
	var second *running
	started := make(chan struct{})
	d.refusing(func(channels.Message) error {
		<-started
		second.stop()
		return context.Canceled
	})
	second = d.start(d.channel())
	close(started)
	if err := second.ended(); err != nil {
		t.Fatal(err)
	}
	d.refusing(nil)
	d.run(d.channel())
	equal(t, "received", texts(d.messages(2)), []string{"before", "keep me"})
}

func TestA2AKilledProcessMissesNoMessage(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	var shelves []*channeltest.StateStore // the stores as left by a kill at each hand-over
	d.refusing(func(channels.Message) error { shelves = append(shelves, d.store.Copy()); return nil })
	r := d.run(d.channel())
	for i := range 3 {
		d.server.Say(dm, ann, fmt.Sprint(i))
		d.messages(i + 1)
	}
	r.end()
	first := d.all()
	d.refusing(nil)
	for i, left := range shelves {
		d.store, d.received = left, nil
		r := d.run(d.channel())
		again := d.messages(3 - i)
		r.end()
		ids := map[string]bool{}
		for _, m := range again {
			ids[m.ID] = true
		}
		for _, m := range first[i:] { // the message handed over at the kill may not be stored
			if !ids[m.ID] {
				t.Errorf("killed at message %d, %q is missed", i, m.Text)
			}
		}
	}
}

func TestD3AForbiddenChannelIsAskedOnceAndBlocksNoOther(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	channel, dm := d.server.Text(d.server.Guild("home"), "talk"), d.server.DM(ann)
	r := d.run(d.channel())
	d.server.Say(channel, ann, "one")
	d.server.Say(dm, ann, "two")
	d.messages(2)
	r.end()
	d.server.Forbid(channel, 50001)
	d.server.Say(dm, ann, "three")
	d.run(d.channel())
	d.messages(3)
	d.server.ExpireAndDrop()
	d.eventually("it is connected again", func() bool { return d.connections() >= 2 })
	equal(t, "requests refused", len(d.server.Requests("GET /channels/"+channel+"/messages")), 1)
}

func TestD3CatchingUpWaitsForDiscord(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	r := d.run(d.channel())
	d.server.Say(dm, ann, "one")
	d.messages(1)
	r.end()
	d.server.Say(dm, ann, "two")
	for _, f := range []discordtest.Fault{
		{Status: http.StatusTooManyRequests, RetryAfter: 1000000}, {Status: http.StatusBadGateway}, {DropBefore: true}, {Garble: true},
	} {
		f.On, f.Times = "GET /api/v9/channels/"+dm+"/messages", 1
		d.server.AddFault(f)
	}
	d.run(d.channel())
	equal(t, "received", texts(d.messages(2)), []string{"one", "two"})
}

func TestA1AMessageDuringCatchUpIsReceivedOnce(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	r := d.run(d.channel())
	d.server.Say(dm, ann, "one")
	d.messages(1)
	r.end()
	hold := make(chan struct{})
	d.server.AddFault(discordtest.Fault{On: "GET /api/v9/channels/" + dm + "/messages", Times: 1, Hold: hold})
	d.start(d.channel())
	d.eventually("it listens", func() bool { return d.server.Connected() > 0 })
	d.server.Say(dm, ann, "two")
	close(hold)
	d.messages(2)
	d.server.Say(dm, ann, "three")
	equal(t, "received", texts(d.messages(3)), []string{"one", "two", "three"})
}

// TestD3AFullQueueDuringCatchUpKeepsOrder sends so many messages during a long catch-up that the
// connection is not read any more, and times out or not.
func TestD3AFullQueueDuringCatchUpKeepsOrder(t *testing.T) {
	t.Parallel()
	for name, strike := range map[string]func(*discordtest.Server){
		"the connection holds":   func(*discordtest.Server) {},
		"the connection is lost": (*discordtest.Server).Drop,
		"the session is lost":    (*discordtest.Server).ExpireAndDrop,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newRig(t)
			ann := d.server.Person("ann")
			dm, channel := d.server.DM(ann), d.server.Text(d.server.Guild("home"), "talk")
			r := d.run(d.channel())
			d.server.Say(dm, ann, "0")
			d.server.Say(channel, ann, "0")
			d.messages(2)
			r.end()
			hold := make(chan struct{})
			d.server.AddFault(discordtest.Fault{On: "GET /api/v9/channels/" + dm + "/messages", Times: 1, Hold: hold})
			d.start(d.channel())
			d.eventually("it listens", func() bool { return d.server.Connected() > 0 })
			const each = 3 * queueLength / 4 // in each of two channels
			for i := range each {
				d.server.Say(dm, ann, fmt.Sprint(i+1))
				d.server.Say(channel, ann, fmt.Sprint(i+1))
			}
			strike(d.server)
			close(hold)
			d.messages(2 + 2*each)
			d.server.Say(dm, ann, fmt.Sprint(each+1)) // after anything redelivered
			msg := d.messages(2 + 2*each + 1)
			next := map[channels.Room]int{}
			for _, m := range msg {
				equal(t, "next of its room", m.Text, fmt.Sprint(next[m.Room]))
				next[m.Room]++
			}
			equal(t, "received", next, map[channels.Room]int{room(dm): each + 2, room(channel): each + 1})
		})
	}
}

func TestD3TheBotsOwnMessagesMoveTheCursor(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	dm := d.server.DM(d.server.Person("ann"))
	c := d.channel()
	r := d.run(c)
	id := d.mustSend(c, say(dm, "k", "hello"))
	d.eventually("the cursor is there", func() bool { p, _ := c.shards[0].chats.get(dm); return p.Cursor == id })
	r.end()
	equal(t, "received", texts(d.all()), []string(nil)) // A3
}

func TestADeletedChannelIsForgotten(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.store.Set(chatPrefix+"404", `{"after":"1"}`)
	d.run(d.channel())
	keys, err := d.store.Keys(t.Context(), chatPrefix)
	equal(t, "stored", keys, []string(nil))
	equal(t, "error", err, error(nil))
}

func TestA3APersonaWithoutItsAccountIDAsksForIt(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	dm := d.server.DM(d.server.Person("ann"))
	h := newReceiver(d.channel().shards[0], d.accept)
	h.catchUp(t.Context()) // as after a READY that could not be parsed
	d.mustSend(h.Channel, say(dm, "k", "hello"))
	h.receive(t.Context(), chat{ID: dm}, message{messageFrame: messageFrame{ID: "5", ChannelID: dm, Author: user{ID: d.server.Bot.ID}}, Content: "hello"})
	equal(t, "received", texts(d.all()), []string(nil))
}

// TestD3MissedActionsAreLost documents a limit: Discord's history contains messages as they are now, not
// what happened to them.
func TestD3MissedActionsAreLost(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	first := d.run(d.channel())
	old, gone := d.server.Say(dm, ann, "old"), d.server.Say(dm, ann, "gone")
	d.messages(2)
	first.end()
	d.server.Edit(dm, old, "changed")
	d.server.Delete(dm, gone)
	unread := d.server.Say(dm, ann, "unread")
	d.server.Edit(dm, unread, "unread and changed")
	d.run(d.channel())
	msg := d.messages(3)
	equal(t, "received", texts(msg), []string{"old", "gone", "unread and changed"})
	equal(t, "act", msg[2].Action, channels.Post)
	d.server.Say(dm, ann, "live")
	equal(t, "what comes next", d.messages(4)[3].Text, "live")
}
