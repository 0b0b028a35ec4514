package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/discord/discordtest"
)

var testCommands = []channels.Command{
	{
		Name: "memory", Help: channels.Localized{"en": "shows what is remembered", "de": "zeigt, was erinnert wird", "es": "muestra lo recordado"},
		Where: channels.InGroup, PrivateReply: true,
		Options: []channels.Option{{Name: "words", Help: channels.Localized{"en": "about what", "de": "worüber"}}},
	},
	{Name: "help", Help: channels.Localized{"en": "says what can be asked"}, Where: channels.InGroup},
}

// commandRig is a running adapter with commands, and a user with a server channel and a direct channel.
type commandRig struct {
	*rig
	c       *Channel
	ann     discordtest.User
	dm      string
	channel string
}

func newCommandRig(t *testing.T) *commandRig {
	t.Helper()
	d := &commandRig{rig: newRig(t)}
	d.ann = d.server.Person("ann")
	d.dm, d.channel = d.server.DM(d.ann), d.server.Text(d.server.Guild("home"), "talk")
	d.c = d.rig.channel()
	d.c.Commands(testCommands)
	d.run(d.c)
	return d
}

// use runs a command as ann, and waits until Discord knows that a reply will follow.
func (d *commandRig) use(channel, command, text string) channels.Message {
	d.t.Helper()
	n := len(d.all())
	id := d.server.Use(channel, d.ann, command, text)
	m := d.messages(n + 1)[n]
	d.eventually("the answer is deferred", func() bool { i, _ := d.server.Interaction(id); return !i.Deferred.IsZero() })
	return m
}

func answerTo(m channels.Message, key, text string) channels.Outgoing {
	return channels.Outgoing{Room: m.Room, Key: key, Text: text, ReplyTo: m.ID, ReplyData: m.ReplyData}
}

func TestD8ACommandIsAnsweredInItsChannel(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	m := d.use(d.channel, "help", "")
	equal(t, "text", m.Text, "/help")
	equal(t, "said to the persona, for all", []bool{m.Addressed, m.PrivateReply, m.Direct}, []bool{true, false, false})
	equal(t, "author", m.Author, channels.Author{Handle: channels.Handle{Channel: name, ID: d.ann.ID}, Name: "ann"})
	for i, text := range []string{"first", "second"} {
		key := fmt.Sprint(i)
		id := d.mustSend(d.c, answerTo(m, key, text))
		equal(t, "sent again", d.mustSend(d.c, answerTo(m, key, text)), id)
	}
	equal(t, "shown", d.server.Shown(d.channel), []string{"first", "second"})
}

func TestD8APrivateAnswerIsShownOnlyToTheUser(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	m := d.use(d.channel, "memory", "cats")
	equal(t, "text", m.Text, "/memory cats")
	if i, _ := d.server.Interaction(m.ID); !m.PrivateReply || !i.Private {
		t.Errorf("discreet %v, deferred in private %v", m.PrivateReply, i.Private)
	}
	for i, text := range []string{"first", "second", "third"} {
		key := fmt.Sprint(i)
		id := d.mustSend(d.c, answerTo(m, key, text))
		equal(t, "sent again", d.mustSend(d.c, answerTo(m, key, text)), id)
	}
	equal(t, "whispered", d.server.Ephemeral(d.channel, d.ann), []string{"first", "second", "third"})
	equal(t, "shown to all", d.server.Shown(d.channel), []string(nil))
}

func TestD8TheFirstPartOfAPrivateAnswerCanBeSentAgainAfterARestart(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	m := d.use(d.channel, "memory", "")
	d.server.AddFault(discordtest.Fault{On: "PATCH /api/v9/webhooks/", Times: 1, DropAfter: true})
	d.mustFail(d.c, answerTo(m, "k0", "first"), channels.Ambiguous)
	d.store = d.store.Copy()
	again := d.rig.channel()
	d.mustSend(again, answerTo(m, "k0", "first"))
	d.mustSend(again, answerTo(m, "k1", "second"))
	equal(t, "whispered", d.server.Ephemeral(d.channel, d.ann), []string{"first", "second"})
}

func TestD8AFurtherPartOfAPrivateAnswerIsNotRepeatedBlindly(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	m := d.use(d.channel, "memory", "")
	d.mustSend(d.c, answerTo(m, "k0", "first"))
	d.server.AddFault(discordtest.Fault{On: "POST /api/v9/webhooks/", Times: 1, Status: 429, RetryAfter: time.Millisecond})
	d.server.AddFault(discordtest.Fault{On: "POST /api/v9/webhooks/", Times: 1, DropAfter: true})
	d.mustFail(d.c, answerTo(m, "k1", "second"), channels.RateLimited)
	d.later(time.Second)
	d.mustFail(d.c, answerTo(m, "k1", "second"), channels.Ambiguous)
	d.mustFail(d.c, answerTo(m, "k1", "second"), channels.Permanent)
	equal(t, "whispered", d.server.Ephemeral(d.channel, d.ann), []string{"first", "second"})
}

func TestD8AnExpiredCommandIsAnsweredInAMessage(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"by the clock", "by Discord"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			d := newCommandRig(t)
			public, private, direct := d.use(d.channel, "help", ""), d.use(d.channel, "memory", ""), d.use(d.dm, "memory", "")
			d.server.ExpireInteractions()
			if how == "by the clock" {
				d.later(15 * time.Minute)
			}
			d.mustSend(d.c, answerTo(public, "k0", "for all"))
			d.mustSend(d.c, answerTo(private, "k1", "for ann"))
			d.mustSend(d.c, answerTo(direct, "k2", "for ann too"))
			equal(t, "shown to all", d.server.Shown(d.channel), []string{"for all"})
			equal(t, "shown to ann", d.server.Shown(d.dm), []string{"for ann", "for ann too"})
		})
	}
}

// TestD8ALateAnswerIsSentOnce kills the process at each point of a reply that comes, or is
// repeated, after the command's reply window.
func TestD8ALateAnswerIsSentOnce(t *testing.T) {
	t.Parallel()
	const fill, further = "PATCH /api/v9/webhooks/", "POST /api/v9/webhooks/"
	for name, c := range map[string]struct {
		command string
		// chunks is how many chunks are sent in time, the last of them with fault.
		chunks int
		fault  discordtest.Fault
		// late is the outcome of sending the last chunk again; all and hers are the texts shown in the end.
		late      channels.SendKind
		all, hers []string
	}{
		"public, shown":             {"help", 1, discordtest.Fault{On: fill, DropAfter: true}, none, []string{"0"}, nil},
		"public, not shown":         {"help", 1, discordtest.Fault{On: fill, DropBefore: true}, none, []string{"0"}, nil},
		"public, refused":           {"help", 1, discordtest.Fault{On: fill, Status: http.StatusTooManyRequests, RetryAfter: time.Hour}, none, []string{"0"}, nil},
		"public, the second shown":  {"help", 2, discordtest.Fault{On: create, DropAfter: true}, none, []string{"0", "1"}, nil},
		"private, shown":            {"memory", 1, discordtest.Fault{On: fill, DropAfter: true}, channels.Permanent, nil, nil},
		"private, refused":          {"memory", 1, discordtest.Fault{On: fill, Status: http.StatusTooManyRequests, RetryAfter: time.Hour}, none, nil, []string{"0"}},
		"private, the second shown": {"memory", 2, discordtest.Fault{On: further, DropAfter: true}, channels.Permanent, nil, nil},
		"private, never tried":      {"memory", 0, discordtest.Fault{On: fill}, none, nil, []string{"0"}},
	} {
		for _, restarted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, restarted %v", name, restarted), func(t *testing.T) {
				t.Parallel()
				d := newCommandRig(t)
				m := d.use(d.channel, c.command, "")
				last := max(0, c.chunks-1)
				for i := range last {
					d.mustSend(d.c, answerTo(m, fmt.Sprint("k", i), fmt.Sprint(i)))
				}
				out := answerTo(m, fmt.Sprint("k", last), fmt.Sprint(last))
				if c.chunks > 0 {
					d.server.AddFault(c.fault)
					if _, err := d.c.Send(t.Context(), out); err == nil {
						t.Fatal("nothing went wrong")
					}
					d.server.ClearFaults()
				}
				d.later(24 * time.Hour)
				d.server.ExpireInteractions()
				d.server.ForgetNonces()
				for range 2 { // and once more, as after a kill before that was recorded
					if restarted {
						d.store = d.store.Copy()
						d.c = d.rig.channel()
						d.run(d.c).end() // which prunes
						d.later(time.Hour)
						d.server.ForgetNonces()
					}
					if c.late == none {
						d.mustSend(d.c, out)
					} else {
						d.mustFail(d.c, out, c.late)
					}
				}
				equal(t, "shown to all", d.server.Shown(d.channel), c.all)
				equal(t, "shown to ann", d.server.Shown(d.dm), c.hers)
			})
		}
	}
}

// none means no failure.
const none channels.SendKind = -1

func TestD8ACommandIsAcknowledgedOnceStored(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	tried, keep := make(chan struct{}, 100), make(chan struct{})
	d.refusing(func(channels.Message) error {
		select {
		case <-keep:
			return nil
		default:
			tried <- struct{}{}
			return errors.New("the store is locked")
		}
	})
	id := d.server.Use(d.dm, d.ann, "help", "")
	<-tried
	<-tried
	if i, _ := d.server.Interaction(id); !i.Deferred.IsZero() {
		t.Error("it was acknowledged before it was stored")
	}
	close(keep)
	d.eventually("it is acknowledged", func() bool { i, _ := d.server.Interaction(id); return !i.Deferred.IsZero() })
}

func TestD8ACommandDoesNotQueue(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	d.refusing(func(m channels.Message) error {
		if m.ReplyData == "" {
			return errors.New("not now")
		}
		return nil
	})
	d.server.Say(d.dm, d.ann, "a message that holds up the others")
	d.use(d.dm, "help", "")
}

func TestA1ARedeliveredCommandHasOneIDAndIsDeferredOnce(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	told := map[string]any{
		"id": "1", "application_id": d.server.App, "type": 2, "token": "secret-of-1", "channel_id": d.dm, "version": 1,
		"data": map[string]any{"name": "help", "type": 1}, "user": d.ann,
	}
	d.server.SendEvent("INTERACTION_CREATE", told)
	d.server.SendEvent("INTERACTION_CREATE", told)
	msg := d.messages(2)
	equal(t, "ids", []string{msg[0].ID, msg[1].ID}, []string{"1", "1"})
}

func TestAnAnswerWaitsForItsDeferral(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	hold := make(chan struct{})
	d.server.AddFault(discordtest.Fault{On: "/callback", Hold: hold})
	d.server.Use(d.channel, d.ann, "memory", "")
	m := d.messages(1)[0]
	limited, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := d.c.Send(limited, answerTo(m, "k", "for ann")); err == nil {
		t.Error("it did not wait")
	}
	equal(t, "answers tried", len(d.server.Requests("PATCH /webhooks")), 0)
	close(hold)
	d.mustSend(d.c, answerTo(m, "k", "for ann"))
	equal(t, "whispered", d.server.Ephemeral(d.channel, d.ann), []string{"for ann"})
}

func TestSettleRetractsAConflict(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	m := d.use(d.channel, "help", "")
	d.c.NoReply("1") // somebody else's
	d.c.NoReply(m.ID)
	d.eventually("it is taken back", func() bool { i, _ := d.server.Interaction(m.ID); return i.Removed })
}

func TestD8CommandStateIsForgotten(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	m := d.use(d.channel, "memory", "")
	d.mustSend(d.c, answerTo(m, "k0", "first"))
	d.mustSend(d.c, answerTo(m, "k1", "second"))
	d.later(repliesKept + time.Hour)
	d.server.ExpireAndDrop()
	d.eventually("nothing is left", func() bool {
		kept, _ := d.store.Keys(t.Context(), firstReplyPrefix)
		tried, _ := d.store.Keys(t.Context(), attemptPrefix+"command ")
		return len(kept)+len(tried) == 0
	})
}

func TestACommandThatCannotBeDeferredIsAnsweredInAMessage(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	d.server.AddFault(discordtest.Fault{On: "/callback", Status: http.StatusNotFound, Code: 10062})
	d.server.Use(d.channel, d.ann, "memory", "")
	m := d.messages(1)[0]
	d.mustSend(d.c, answerTo(m, "k", "for ann"))
	equal(t, "shown to all", d.server.Shown(d.channel), []string(nil))
	equal(t, "shown to ann", d.server.Shown(d.dm), []string{"for ann"})
}

func TestNoPreviewIsShownWhileACommandWaits(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	m := d.use(d.channel, "memory", "")
	if err := d.c.Preview(t.Context(), m.Room, "k", "a secr"); err != nil {
		t.Fatal(err)
	}
	equal(t, "shown to all", d.server.Shown(d.channel), []string(nil))
	d.mustSend(d.c, answerTo(m, "k", "a secret"))
	if err := d.c.Preview(t.Context(), m.Room, "k2", "no secret"); err != nil {
		t.Fatal(err)
	}
	equal(t, "shown to all", d.server.Shown(d.channel), []string{"no secret"})
}

func TestD8ADeferralIsRetried(t *testing.T) {
	t.Parallel()
	for _, f := range []discordtest.Fault{{Status: http.StatusBadGateway}, {DropBefore: true}, {DropAfter: true}} {
		t.Run(fmt.Sprintf("%+v", f), func(t *testing.T) {
			t.Parallel()
			d := newCommandRig(t)
			broken := f
			broken.On, broken.Times = "/callback", 1
			d.server.AddFault(broken)
			m := d.use(d.channel, "memory", "")
			d.mustSend(d.c, answerTo(m, "k", "for ann"))
			equal(t, "whispered", d.server.Ephemeral(d.channel, d.ann), []string{"for ann"})
		})
	}
}
