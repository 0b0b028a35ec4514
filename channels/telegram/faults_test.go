package telegram

// A8: a failed send is retried as far as a double is impossible or worth it. T1: a poll is held by the network. T3: dead
// connections are replaced, and messages arrive again soon after an outage. T5: edits count as messages. channels.md has the
// whole list.

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/channels/registry"
	"familiar/channels/telegram/telegramtest"
)

func TestA8AnUnknownOutcomeIsSentOnceMoreUnlessHeld(t *testing.T) {
	for choice, want := range map[UnknownOutcome]bool{Resend: true, Hold: false, "": true} {
		own, _ := Registration.Section.New().(*Settings)
		if err := own.Token.UnmarshalText([]byte("env:TELEGRAM_TOKEN")); err != nil {
			t.Fatal(err)
		}
		own.Token = own.Token.Within("", func(string) (string, bool) { return token, true })
		if choice != "" {
			if err := own.UnknownOutcome.UnmarshalText([]byte(choice)); err != nil {
				t.Fatal(err)
			}
		}
		channel, err := Registration.New(t.Context(), own, registry.Setup{})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "sends once more with "+string(choice), channels.LimitsOf(channel).ResendUnknown, want)
	}
	if err := new(UnknownOutcome).UnmarshalText([]byte("twice")); err == nil {
		t.Error("an unknown choice is accepted")
	}
}

// lostAnswers are the ways in which the response to a request is lost. The first three do not tell whether it was executed.
var lostAnswers = map[string]telegramtest.Fault{
	"reset before":   {Point: telegramtest.DropsBefore},
	"500":            {Point: telegramtest.Answers, Status: http.StatusInternalServerError, Description: "Internal Server Error"},
	"502":            {Point: telegramtest.Page, Status: http.StatusBadGateway},
	"reset after":    {Point: telegramtest.DropsAfter},
	"half an answer": {Point: telegramtest.GarblesAfter},
	"timeout":        {Point: telegramtest.HangsAfter},
}

// TestA8ALostFirstPreviewRepeatsNothingOfTheReply loses the response to the message that the reply would have replaced.
func TestA8ALostFirstPreviewRepeatsNothingOfTheReply(t *testing.T) {
	for name, f := range lostAnswers {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				f.Method = "sendMessage"
				r.server.AddFault(f)
				for _, soFar := range []string{"A heron", "A heron stood", "A heron stood in the reeds."} {
					r.preview(ann, "k-0", soFar)
					r.pass(20 * time.Second)
				}
				r.mustSend(ann, "k-0", "A heron stood in the reeds.")
				texts := slices.DeleteFunc(r.server.Texts(ann), func(text string) bool { return text == previewStart })
				equal(t, "shown", texts, []string{"A heron stood in the reeds."})
				equal(t, "asked", len(r.server.Calls("sendMessage")), 2)
			})
		})
	}
}

// TestA8ALostEditIsRepeatedByTheNext loses the response to an edit of a preview, and to the one that completes it.
func TestA8ALostEditIsRepeatedByTheNext(t *testing.T) {
	for name, f := range lostAnswers {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				f.Method, f.Times = "editMessageText", 2
				r.preview(ann, "k-0", "A heron")
				r.pass(2 * time.Second)
				r.server.AddFault(f)
				r.preview(ann, "k-0", "A heron stood in the reeds.")
				r.pass(20 * time.Second)
				_, err := r.send(ann, "k-0", "A heron stood in the reeds.")
				equal(t, "kind", channels.Kind(err), channels.Temporary)
				r.mustSend(ann, "k-0", "A heron stood in the reeds.")
				equal(t, "shown", r.server.Texts(ann), []string{"A heron stood in the reeds."})
			})
		})
	}
}

func TestT5EditsThatChangeNothingAreNotSent(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		long := strings.Repeat("word ", 1000) // its first chunk stays the same
		for i := range 10 {
			r.preview(ann, "k-0", long+strings.Repeat("more ", i))
			r.pass(2 * time.Second)
		}
		equal(t, "edits", len(r.server.Calls("editMessageText")), 1)
		first := channels.Split(long, r.tg.Limits())[0]
		begun := time.Now()
		r.mustSend(ann, "k-0", first)
		equal(t, "edits with the end", len(r.server.Calls("editMessageText")), 1)
		equal(t, "waited", time.Since(begun), 0)
		r.mustSend(ann, "k-0", "**the end**")
		equal(t, "edits with markup", len(r.server.Calls("editMessageText")), 2)
		equal(t, "shown", r.server.Texts(ann), []string{"the end"})
	})
}

func TestT1AServerThatHoldsNoPollIsAskedOnceASecond(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.server.AnswerPollsAtOnce()
		r.serve()
		before := len(r.server.Calls("getUpdates"))
		r.pass(5 * time.Minute)
		if n := len(r.server.Calls("getUpdates")) - before; n < 299 || n > 301 {
			t.Errorf("%d polls in five minutes", n)
		}
		r.server.Say(ann, ann, "hello")
		r.pass(time.Second)
		equal(t, "received", r.texts(), []string{"hello"})
		for range 250 {
			r.server.Say(ann, ann, "and more")
		}
		r.pass(time.Second)
		equal(t, "received of many", len(r.texts()), 251)
	})
}

// TestT3MessagesArriveWithinSecondsOfAnOutage has an outage of an hour, before the first poll and later.
func TestT3MessagesArriveWithinSecondsOfAnOutage(t *testing.T) {
	for name, f := range lostAnswers {
		for _, method := range []string{"getMe", "getUpdates"} {
			t.Run(name+" of "+method, func(t *testing.T) {
				bubble(t, func(t *testing.T, r *rig) {
					r.tg.host.Jitter = func(most time.Duration) time.Duration { return most }
					f.Method, f.Times = method, 1_000_000
					r.server.AddFault(f)
					r.serve()
					r.pass(time.Hour)
					equal(t, "phase", r.state().Phase, channels.Transient)
					if n := len(r.states); n > 5 {
						t.Errorf("%d states reported", n)
					}
					r.server.Say(ann, ann, "are you there?")
					asked := len(r.server.Calls(method))
					for len(r.server.Calls(method)) == asked { // the network returns between two requests
						r.pass(100 * time.Millisecond)
					}
					if f.Point == telegramtest.HangsAfter {
						r.pass(responseTimeout)
					}
					r.server.ClearFaults()
					r.pass(5 * time.Second)
					equal(t, "received", r.texts(), []string{"are you there?"})
				})
			})
		}
	}
}

// TestT3ASuccessfulCallEndsTheWaitOfThePoll: the network is back, and the poll need not wait.
func TestT3ASuccessfulCallEndsTheWaitOfThePoll(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.server.AddFault(telegramtest.Fault{Method: "getUpdates", Times: 100, Point: telegramtest.DropsBefore})
		r.serve()
		polls := func() []telegramtest.Call { return r.server.Calls("getUpdates") }
		for len(polls()) < 4 {
			r.pass(100 * time.Millisecond)
		}
		r.server.ClearFaults()
		last := polls()[3].At
		r.mustSend(ann, "k", "hello") // within the shortest pause
		r.pass(2 * networkMax)
		equal(t, "the next poll comes after", polls()[4].At.Sub(last), pollFloor)
		equal(t, "phase", r.state().Phase, channels.Connected)
	})
}

// TestT3ASuccessfulCallEndsNoOtherWait: another poller, a limit.
func TestT3ASuccessfulCallEndsNoOtherWait(t *testing.T) {
	for name, f := range map[string]telegramtest.Fault{
		"another poller": {Status: http.StatusConflict, Description: "Conflict: terminated by other getUpdates request"},
		"a limit":        {Status: http.StatusTooManyRequests, RetryAfter: 5, Description: "Too Many Requests: retry after 5"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				f.Method = "getUpdates"
				r.server.AddFault(f)
				r.serve()
				for range 4 {
					r.pass(time.Second)
					r.mustSend(ann, "k", "hello")
				}
				equal(t, "polls", len(r.server.Calls("getUpdates")), 1)
				r.pass(time.Second)
				synctest.Wait()
				equal(t, "phase", r.state().Phase, channels.Connected)
			})
		})
	}
}
