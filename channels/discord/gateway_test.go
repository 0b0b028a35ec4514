package discord

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/discord/discordtest"
)

func TestD1IntentsAreExplicit(t *testing.T) {
	t.Parallel()
	const plain = discordtest.IntentGuilds | discordtest.IntentGuildMessages | discordtest.IntentGuildReactions |
		discordtest.IntentDirectMessages | discordtest.IntentDirectReactions
	for _, content := range []bool{false, true} {
		t.Run(fmt.Sprintf("content %v", content), func(t *testing.T) {
			t.Parallel()
			d := newRig(t)
			d.run(d.channel(func(o *Options) { o.MessageContent = content }))
			want := plain
			if content {
				want |= discordtest.IntentMessageContent
			}
			equal(t, "intents", d.server.Identifies()[0].Intents, want)
		})
	}
}

func TestD1WithoutMessageContentMentionsAreReceivedAndReported(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.server.WithholdContent()
	ann := d.server.Person("ann")
	channel := d.server.Text(d.server.Guild("home"), "talk")
	d.run(d.channel())
	d.server.Say(channel, ann, "nobody is meant")
	d.server.Say(channel, ann, "<@"+d.server.Bot.ID+"> hello")
	equal(t, "received", texts(d.messages(1)), []string{"hello"})
	last := d.last()
	if last.Phase != channels.Connected || !strings.Contains(last.NextStep, "Message Content Intent") {
		t.Errorf("reported %+v, want it connected with the switch named", last)
	}
}

func TestD2FatalClosesEndRun(t *testing.T) {
	t.Parallel()
	for _, code := range []int{4004, 4010, 4011, 4012, 4013, 4014} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			t.Parallel()
			d := newRig(t)
			d.server.Refuse(code)
			err := d.start(d.channel(func(o *Options) { o.MessageContent = false })).ended()
			e, ok := errors.AsType[*channels.StateError](err)
			if !ok || !e.State.Fatal() || e.State.Problem == "" || e.State.NextStep == "" {
				t.Fatalf("Run ended with %v, want a fatal state with a sentence and what to do", err)
			}
			equal(t, "sessions asked for", len(d.server.Identifies()), 1)
			equal(t, "last report", d.last(), e.State)
		})
	}
}

func TestD2ARefusedTokenIsNeverRetried(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	c := d.channel(func(o *Options) { o.Token = "a wrong one" })
	if err := d.start(c).ended(); !isFatal(err) {
		t.Fatalf("Run ended with %v, want a fatal state", err)
	}
	asked := len(d.server.Requests(""))
	d.mustFail(c, say(d.server.DM(d.server.Person("ann")), "k", "hello"), channels.Temporary)
	equal(t, "requests", len(d.server.Requests("")), asked)
}

func isFatal(err error) bool {
	e, ok := errors.AsType[*channels.StateError](err)
	return ok && e.State.Fatal()
}

func TestD2OtherClosesReconnectWithoutLoss(t *testing.T) {
	t.Parallel()
	ends := map[string]func(*discordtest.Server){
		"broken off":       (*discordtest.Server).Drop,
		"expired":          (*discordtest.Server).ExpireAndDrop,
		"session invalid":  (*discordtest.Server).ExpireSessions,
		"asked to":         (*discordtest.Server).Reconnect,
		"unknown error":    func(s *discordtest.Server) { s.CloseWith(4000) },
		"sequence invalid": func(s *discordtest.Server) { s.CloseWith(4007) },
		"too many frames":  func(s *discordtest.Server) { s.CloseWith(4008) },
		"timed out":        func(s *discordtest.Server) { s.CloseWith(4009) },
		"going away":       func(s *discordtest.Server) { s.CloseWith(1001) },
	}
	for what, end := range ends {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			d := newRig(t)
			ann := d.server.Person("ann")
			dm := d.server.DM(ann)
			d.run(d.channel())
			d.server.Say(dm, ann, "one")
			d.messages(1)
			end(d.server)
			d.server.Say(dm, ann, "two")
			d.messages(2)
			d.eventually("it is connected again", func() bool { return d.connections() >= 2 })
			d.server.Say(dm, ann, "three")
			d.messages(3)
			equal(t, "received", texts(d.all()), []string{"one", "two", "three"})
		})
	}
}

func TestD2AResumedSessionDeliversMissedActions(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	d.run(d.channel())
	id := d.server.Say(dm, ann, "one")
	d.messages(1)
	d.server.Drop()
	d.server.Edit(dm, id, "two")
	d.server.React(dm, id, ann, "👍", true)
	msg := d.messages(3)
	equal(t, "acts", []channels.Action{msg[1].Action, msg[2].Action}, []channels.Action{channels.Edit, channels.React})
	equal(t, "resumes", d.server.Resumes(), 1)
}

func TestD2AServerThatRefusesAResumeGetsANewSession(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.run(d.channel())
	d.server.Refuse(4009)
	d.server.Drop()
	d.eventually("the resume is refused", func() bool {
		last := d.last()
		return last.Phase == channels.Transient && strings.Contains(last.Problem, "4009")
	})
	d.server.Refuse(0)
	d.eventually("it is connected again", func() bool { return d.connections() >= 2 })
	if n := len(d.server.Identifies()); n < 2 {
		t.Errorf("%d sessions were asked for, want another", n)
	}
}

func TestD2AnUnansweredResumeGetsANewSession(t *testing.T) {
	t.Parallel()
	if slowest := answerTimeout + 2*firstPause + firstPause; slowest > 30*time.Second {
		t.Errorf("a new session is asked for after %s", slowest)
	}
	d := newRig(t)
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	c := d.channel()
	c.answerTimeout = 300 * time.Millisecond
	d.run(c)
	d.server.Say(dm, ann, "one")
	d.messages(1)
	d.server.IgnoreResumes(true)
	d.server.Drop()
	d.server.Say(dm, ann, "two")
	equal(t, "received", texts(d.messages(2)), []string{"one", "two"})
	d.eventually("it is connected again", func() bool { return d.connections() >= 2 })
	equal(t, "resumes asked for", d.server.IgnoredResumes(), 1)
	equal(t, "sessions asked for", len(d.server.Identifies()), 2)
	d.server.Say(dm, ann, "three")
	equal(t, "received", texts(d.messages(3)), []string{"one", "two", "three"})
}

func TestD2AFatalCloseAfterAnExpiredSessionIsSeen(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	r := d.run(d.channel())
	d.server.Refuse(4010)
	d.server.ExpireAndDrop() // the library then identifies by itself and does not report the close code
	if err := r.ended(); !isFatal(err) {
		t.Errorf("Run ended with %v, want a fatal state", err)
	}
}

func TestD2UnansweredHeartbeatsEndAConnection(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.server.Heartbeat(20 * time.Millisecond)
	d.run(d.channel())
	d.server.IgnoreHeartbeats(true)
	d.eventually("it connects again", func() bool { return d.server.Resumes() > 0 })
	d.server.IgnoreHeartbeats(false)
}

func TestD2NoSessionIsAskedForWhenNoneIsLeft(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.server.LimitSessions(0)
	d.start(d.channel())
	d.eventually("it says so", func() bool {
		last := d.last()
		return last.Phase == channels.Transient && strings.Contains(last.Problem, "no new session allowed today")
	})
	equal(t, "sessions asked for", len(d.server.Identifies()), 0)
}

func TestBrokenFramesAreSkipped(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	d.run(d.channel())
	d.server.Garble()
	d.server.SendEvent("MESSAGE_CREATE", "no object")
	d.server.SendEvent("SOMETHING_NEW", map[string]any{"a": 1})
	d.server.Say(dm, ann, "still there?")
	equal(t, "received", texts(d.messages(1)), []string{"still there?"})
}

func TestLargeEventsComeCompressed(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	d.run(d.channel())
	long := strings.Repeat("0123456789", 1000)
	d.server.Say(dm, ann, long)
	equal(t, "length", len(d.messages(1)[0].Text), len(long))
	if d.server.Compressed() < 2 {
		t.Error("nothing was compressed")
	}
}

func TestA14AStartWithoutNetworkWaitsForIt(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.server.AddFault(discordtest.Fault{On: "/gateway", DropBefore: true})
	d.start(d.channel())
	d.eventually("it says so", func() bool {
		last := d.last()
		return last.Phase == channels.Transient && last.Problem != "" && last.NextStep != ""
	})
	d.server.ClearFaults()
	d.eventually("it is connected", func() bool { return d.connections() > 0 })
	var phases []channels.Phase
	for _, s := range d.reported() {
		if len(phases) == 0 || phases[len(phases)-1] != s.Phase {
			phases = append(phases, s.Phase)
		}
	}
	equal(t, "phases", phases, []channels.Phase{channels.Connecting, channels.Transient, channels.Backfilling, channels.Connected})
	equal(t, "account", d.last().Account, d.server.Bot.Username)
}

func TestA13RunEndsWhileNothingAnswers(t *testing.T) {
	t.Parallel()
	for _, on := range []string{"/gateway", "/channels/"} {
		t.Run(on, func(t *testing.T) {
			t.Parallel()
			d := newRig(t)
			hold := make(chan struct{})
			t.Cleanup(func() { close(hold) })
			d.server.AddFault(discordtest.Fault{On: on, Hold: hold})
			dm := d.server.DM(d.server.Person("ann"))
			d.rooms = []channels.Room{room(dm)}
			r := d.start(d.channel())
			d.eventually("it has begun", func() bool { return len(d.reported()) > 0 })
			r.end()
		})
	}
}
