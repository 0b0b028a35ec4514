package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/channeltest"
	"familiar/channels/discord/discordtest"
)

const create = "POST /api/v9/channels/"

func TestD4ChunksAreCountedInUTF16(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	dm := d.server.DM(d.server.Person("ann"))
	c := d.channel()
	for _, text := range []string{strings.Repeat("word ", 1000), strings.Repeat("😀", 3000), strings.Repeat("👩‍👩‍👧‍👦 ", 400)} {
		chunks := channels.Split(text, c.Limits())
		for i, chunk := range chunks {
			d.mustSend(c, say(dm, fmt.Sprintf("%s-%d", text[:4], i), chunk))
		}
		if len(chunks) < 3 {
			t.Errorf("%d chunks of a text for three", len(chunks))
		}
	}
}

func TestD5AChunkWithALostResponseIsShownOnce(t *testing.T) {
	t.Parallel()
	lost := []discordtest.Fault{{DropAfter: true}, {DropBefore: true}, {Status: 500}, {Status: 502}, {Garble: true}}
	for _, f := range lost {
		for _, soon := range []bool{true, false} {
			for _, restart := range []bool{false, true} {
				t.Run(fmt.Sprintf("%+v soon %v restart %v", f, soon, restart), func(t *testing.T) {
					t.Parallel()
					d := newRig(t)
					dm := d.server.DM(d.server.Person("ann"))
					c := d.channel()
					d.mustSend(c, say(dm, "k0", "the same"))
					broken := f
					broken.On, broken.Times = create+dm+"/messages", 1
					d.server.AddFault(broken)
					d.mustFail(c, say(dm, "k1", "the same"), channels.Ambiguous)
					if restart {
						d.store = d.store.Copy()
						c = d.channel()
					}
					if !soon {
						d.server.ForgetNonces()
						d.later(10 * time.Minute)
					}
					id := d.mustSend(c, say(dm, "k1", "the same"))
					equal(t, "sent again", d.mustSend(c, say(dm, "k1", "the same")), id)
					equal(t, "shown", d.server.Shown(dm), []string{"the same", "the same"})
				})
			}
		}
	}
}

func TestD5FirstAttemptsNeedNoLookup(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	dm := d.server.DM(d.server.Person("ann"))
	c := d.channel()
	for i := range 3 {
		d.mustSend(c, say(dm, fmt.Sprint(i), "yes"))
		d.later(time.Hour)
		c = d.channel() // and another start
	}
	equal(t, "shown", d.server.Shown(dm), []string{"yes", "yes", "yes"})
	equal(t, "look-ups", len(d.server.Requests("GET /channels/")), 0)
	for _, r := range d.server.Requests("POST /channels/") {
		var p payload
		if err := json.Unmarshal(r.Body, &p); err != nil || len(p.Nonce) != 25 || !p.Enforce {
			t.Errorf("sent %s", r.Body)
		}
	}
}

func TestD5ARejectedChunkIsSentUnderTheSameKey(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	dm := d.server.DM(d.server.Person("ann"))
	c := d.channel()
	d.server.AddFault(discordtest.Fault{On: create + dm, Times: 1, Status: http.StatusTooManyRequests, RetryAfter: time.Millisecond})
	d.mustFail(c, say(dm, "k", "hello"), channels.RateLimited)
	d.later(time.Hour)
	d.mustSend(c, say(dm, "k", "hello"))
	equal(t, "shown", d.server.Shown(dm), []string{"hello"})
	equal(t, "look-ups", len(d.server.Requests("GET /channels/")), 0)
}

func TestSendNeedsItsNote(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	dm := d.server.DM(d.server.Person("ann"))
	d.store.BeforePut(func(_, _ string) error { return fmt.Errorf("the store is locked") })
	d.mustFail(d.channel(), say(dm, "k", "hello"), channels.Temporary)
	equal(t, "requests", len(d.server.Requests("")), 0)
}

func TestD6ALimitIsHonouredExactlyAndDelaysNoOtherChannel(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.freeze()
	busy, calm := d.server.DM(d.server.Person("ann")), d.server.DM(d.server.Person("bob"))
	c := d.channel()
	d.server.AddFault(discordtest.Fault{On: create + busy, Times: 1, Status: http.StatusTooManyRequests, RetryAfter: 1234 * time.Millisecond})
	e := d.mustFail(c, say(busy, "k", "hello"), channels.RateLimited)
	equal(t, "retry after", e.RetryAfter, 1234*time.Millisecond)
	e = d.mustFail(c, say(busy, "k", "hello"), channels.RateLimited) // Discord is not asked before that
	if e.RetryAfter <= 0 || e.RetryAfter > 1234*time.Millisecond {
		t.Errorf("retry after %s", e.RetryAfter)
	}
	d.mustSend(c, say(calm, "k", "hello")) // A7
	equal(t, "requests", len(d.server.Requests("POST /channels/"+busy)), 1)
	d.later(2 * time.Second)
	d.mustSend(c, say(busy, "k", "hello"))
}

func TestD6TheHeadersSayWhenALimitIsSpent(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.freeze()
	d.server.Limit(2, time.Hour)
	dm := d.server.DM(d.server.Person("ann"))
	c := d.channel()
	d.mustSend(c, say(dm, "1", "one"))
	d.mustSend(c, say(dm, "2", "two"))
	e := d.mustFail(c, say(dm, "3", "three"), channels.RateLimited)
	if e.RetryAfter < 59*time.Minute {
		t.Errorf("retry after %s, want about an hour", e.RetryAfter)
	}
	equal(t, "requests", len(d.server.Requests("POST /channels/")), 2)
}

func TestD6TheGlobalLimitHoldsBackEverything(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.freeze()
	one, other := d.server.DM(d.server.Person("ann")), d.server.DM(d.server.Person("bob"))
	c := d.channel()
	d.server.AddFault(discordtest.Fault{On: create + one, Times: 1, Status: 429, RetryAfter: time.Minute, Global: true})
	d.mustFail(c, say(one, "k", "hello"), channels.RateLimited)
	d.mustFail(c, say(other, "k", "hello"), channels.RateLimited)
	equal(t, "requests", len(d.server.Requests("POST /channels/")), 1)
}

func TestD6NoMoreThanFiftyRequestsInASecond(t *testing.T) {
	t.Parallel()
	l, at := newLimits(), time.Unix(1000, 0)
	for i := range globalPerSecond {
		if wait, err := l.reserve(call{method: "GET", path: fmt.Sprint(i)}, at); wait != 0 || err != nil {
			t.Fatalf("request %d waits %s, %v", i, wait, err)
		}
	}
	if wait, _ := l.reserve(call{method: "GET", path: "one more"}, at.Add(300*time.Millisecond)); wait != 700*time.Millisecond {
		t.Errorf("one more waits %s, want for the next second", wait)
	}
	if wait, _ := l.reserve(call{method: "POST", path: "of a command", anonymous: true}, at); wait != 0 {
		t.Errorf("the answer of a command waits %s", wait)
	}
	if wait, _ := l.reserve(call{method: "GET", path: "one more"}, at.Add(time.Second)); wait != 0 {
		t.Errorf("in the next second it waits %s", wait)
	}
}

func TestLimitsForgetIdleEntries(t *testing.T) {
	t.Parallel()
	l, at := newLimits(), time.Unix(1000, 0)
	spent := http.Header{"X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset-After": {"1"}}
	for i := range 5 * maxRoutes {
		at = at.Add(10 * time.Millisecond)
		l.update(call{path: fmt.Sprint(i)}, spent, nil, at)
	}
	if len(l.routes) > 2*maxRoutes {
		t.Errorf("%d routes are remembered", len(l.routes))
	}
}

func TestD6After403AChannelIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	channel := d.server.Text(d.server.Guild("home"), "talk")
	d.server.Forbid(channel, 50013)
	c := d.channel()
	for range 3 {
		d.mustFail(c, say(channel, "k", "hello"), channels.Permanent)
	}
	equal(t, "requests", len(d.server.Requests("POST /channels/")), 1)
	d.server.Forbid(channel, 0)
	d.later(forbiddenFor + time.Second)
	d.mustSend(c, say(channel, "k", "hello"))
}

func TestD11ClosedDirectMessagesMarkUnwelcome(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	d.server.Block(ann)
	d.mustFail(d.channel(), say(d.server.DM(ann), "k", "hello"), channels.Blocked)
}

func TestD11AReturningUserIsAnswered(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	d.server.Forbid(dm, 50007)
	c := d.channel()
	d.run(c)
	d.mustFail(c, say(dm, "k", "hello"), channels.Blocked)
	d.server.Forbid(dm, 0)
	d.server.Say(dm, ann, "now you may")
	d.messages(1)
	d.mustSend(c, say(dm, "k", "hello"))
}

func TestD7NobodyIsMentioned(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	channel := d.server.Text(d.server.Guild("home"), "talk")
	asked := d.server.Say(channel, ann, "hello?")
	c := d.channel()
	out := say(channel, "k", "@everyone hello <@"+ann.ID+">")
	out.ReplyTo = asked
	d.mustSend(c, out)
	if err := c.Preview(context.Background(), room(channel), "k2", "@here"); err != nil {
		t.Fatal(err)
	}
	d.mustSend(c, say(channel, "k2", "@here again"))
	gone := say(channel, "k3", "to what was deleted")
	gone.ReplyTo = asked
	d.server.Delete(channel, asked)
	d.mustSend(c, gone)
	said := d.server.Messages(channel)
	equal(t, "messages", len(said), 3)
	for _, m := range said {
		equal(t, "allowed mentions of "+m.Content, string(m.Allowed), `{"parse":[],"replied_user":false}`)
	}
	equal(t, "answers", said[0].Reference.MessageID, asked)
}

func TestD9TypingIsShownEveryEightSeconds(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.freeze()
	dm := d.server.DM(d.server.Person("ann"))
	c := d.channel()
	show := func(on bool) {
		t.Helper()
		if err := c.Typing(context.Background(), room(dm), on); err != nil {
			t.Fatal(err)
		}
	}
	show(true)
	show(false)
	d.later(4 * time.Second)
	show(true)
	equal(t, "shown within eight seconds", d.server.TypingCount(dm), 1)
	d.later(5 * time.Second)
	show(true)
	equal(t, "shown after eight seconds", d.server.TypingCount(dm), 2)
	d.mustSend(c, say(dm, "k", "hello")) // which ends it
	show(true)
	equal(t, "shown after a message", d.server.TypingCount(dm), 3)
}

func TestAPreviewBecomesTheMessage(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"at once", "restarted", "restarted late", "killed before its id was kept"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			d := newRig(t)
			d.freeze()
			dm := d.server.DM(d.server.Person("ann"))
			c := d.channel()
			left := []*channeltest.StateStore{}
			for _, soFar := range []string{"Once", "Once upon", "Once upon a"} {
				if err := c.Preview(context.Background(), room(dm), "k", soFar); err != nil {
					t.Fatal(err)
				}
				left = append(left, d.store.Copy())
			}
			equal(t, "shown first", d.server.Shown(dm), []string{"Once"}) // the others came too soon
			d.later(previewInterval)
			if err := c.Preview(context.Background(), room(dm), "k", "Once upon a time"); err != nil {
				t.Fatal(err)
			}
			equal(t, "shown then", d.server.Shown(dm), []string{"Once upon a time"})
			switch how {
			case "restarted":
				d.store = left[0]
				c = d.channel()
			case "restarted late":
				d.store = left[0]
				c = d.channel()
				d.server.ForgetNonces()
				d.later(time.Hour)
			case "killed before its id was kept":
				d.store = left[0]
				d.store.Set(attemptPrefix+dm, fmt.Sprintf(`{"nonce":%q,"began":%q}`, nonceOf("k"), d.now().Format(time.RFC3339Nano)))
				c = d.channel()
			}
			d.mustSend(c, say(dm, "k", "Once upon a time there was a bot."))
			equal(t, "shown", d.server.Shown(dm), []string{"Once upon a time there was a bot."})
		})
	}
}

func TestADeletedPreviewIsSentAgain(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	dm := d.server.DM(d.server.Person("ann"))
	c := d.channel()
	if err := c.Preview(context.Background(), room(dm), "k", "Once"); err != nil {
		t.Fatal(err)
	}
	d.server.Delete(dm, d.server.Messages(dm)[0].ID)
	d.mustSend(c, say(dm, "k", "Once upon a time"))
	equal(t, "shown", d.server.Shown(dm), []string{"Once upon a time"})
}

func TestAPreviewNeverHidesAnEarlierChunk(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	dm := d.server.DM(d.server.Person("ann"))
	c := d.channel()
	d.server.AddFault(discordtest.Fault{On: create + dm, Times: 1, DropAfter: true})
	d.mustFail(c, say(dm, "first", "the first"), channels.Ambiguous)
	if err := c.Preview(context.Background(), room(dm), "second", "the sec"); err != nil {
		t.Fatal(err)
	}
	d.server.ForgetNonces()
	d.later(time.Hour)
	d.mustSend(c, say(dm, "first", "the first"))
	d.mustSend(c, say(dm, "second", "the second"))
	equal(t, "shown", d.server.Shown(dm), []string{"the first", "the second"})
}

// TestThePreviewOfACancelledAnswerIsDeleted cancels in this process and in the next.
func TestThePreviewOfACancelledAnswerIsDeleted(t *testing.T) {
	t.Parallel()
	for _, restarted := range []bool{false, true} {
		t.Run(fmt.Sprintf("restarted %v", restarted), func(t *testing.T) {
			t.Parallel()
			d := newRig(t)
			dm := d.server.DM(d.server.Person("ann"))
			c := d.channel()
			d.mustSend(c, say(dm, "before", "before"))
			if err := c.CancelPreview(context.Background(), room(dm), "before"); err != nil {
				t.Fatal(err) // the reply was sent: it stays
			}
			if err := c.Preview(context.Background(), room(dm), "k", "half"); err != nil {
				t.Fatal(err)
			}
			equal(t, "shown", d.server.Shown(dm), []string{"before", "half"})
			if restarted {
				d.store = d.store.Copy()
				c = d.channel()
			}
			d.server.AddFault(discordtest.Fault{On: "DELETE /api/v9/channels/" + dm, Times: 1, Status: 429, RetryAfter: time.Millisecond})
			d.server.AddFault(discordtest.Fault{On: "DELETE /api/v9/channels/" + dm, Times: 1, DropAfter: true})
			for _, key := range []string{"other", "k", "k"} {
				if err := c.CancelPreview(context.Background(), room(dm), key); err != nil {
					t.Fatal(err)
				}
			}
			equal(t, "left", d.server.Shown(dm), []string{"before"})
			d.later(previewInterval)
			if err := c.Preview(context.Background(), room(dm), "next", "the ne"); err != nil {
				t.Fatal(err)
			}
			d.mustSend(c, say(dm, "next", "the next"))
			equal(t, "shown", d.server.Shown(dm), []string{"before", "the next"})
		})
	}
}

func TestALongPreviewIsCut(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	dm := d.server.DM(d.server.Person("ann"))
	if err := d.channel().Preview(context.Background(), room(dm), "k", strings.Repeat("😀", 3000)); err != nil {
		t.Fatal(err)
	}
	if shown := d.server.Shown(dm); len(shown) != 1 || !strings.HasSuffix(shown[0], "😀…") {
		t.Errorf("shown %q", shown)
	}
}

func TestReactAddsAndRemoves(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	id := d.server.Say(dm, ann, "hello")
	c := d.channel()
	for _, emoji := range []string{"👍", "❤️", "blob:123"} {
		if err := c.React(context.Background(), room(dm), id, emoji); err != nil {
			t.Fatal(err)
		}
	}
	got := d.server.Reactions(dm, id)
	slices.Sort(got)
	equal(t, "put", got, []string{"blob", "❤️", "👍"})
	if err := c.React(context.Background(), room(dm), id, ""); err != nil {
		t.Fatal(err)
	}
	equal(t, "left", d.server.Reactions(dm, id), []string(nil))
	if err := c.React(context.Background(), room(dm), "1", "👍"); channels.Kind(err) != channels.Permanent {
		t.Errorf("a reaction to nothing gives %v", err)
	}
}

func TestSendIsTemporaryWhileNothingIsReached(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.mustFail(d.channel(func(o *Options) { o.Endpoint = "http://127.0.0.1:1" }), say("1", "k", "hello"), channels.Temporary)
}
