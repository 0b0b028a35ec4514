package whatsapp

import (
	"errors"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/whatsapp/whatsapptest"
)

// fatal returns the state with which Run ended.
func (s *running) fatal() channels.State {
	s.t.Helper()
	var e *channels.StateError
	if err := s.ended(); !errors.As(err, &e) || !e.State.Fatal() || e.State.Problem == "" || e.State.NextStep == "" {
		s.t.Fatalf("Run ended with %v, want a *StateError that tells what to do", err)
	}
	return e.State
}

func TestW9AnUnlinkedClientStopsAndSaysHowToRelink(t *testing.T) {
	r := newRig(t)
	s := r.start()
	r.server.Unlink(ownPhone)
	if state := s.fatal(); state.Phase != channels.LoggedOut || !strings.Contains(state.NextStep, "login") {
		t.Errorf("ended with %+v", state)
	}
	if again := r.run(r.channel()).fatal(); again.Phase != channels.LoggedOut {
		t.Errorf("run again it ended with %+v", again)
	}
	r.login(LoginOptions{Show: r.scan})
	if state := r.lastState(); state.Fatal() {
		t.Errorf("linked again it is still %+v", state)
	}
	r.start()
}

func TestW9AReplacedClientStops(t *testing.T) {
	r := newRig(t)
	s := r.start()
	before := r.server.Count("login", ownPhone)
	r.server.Replace(ownPhone)
	if state := s.fatal(); state.Phase != channels.Refused {
		t.Errorf("ended with %+v", state)
	}
	if n := r.server.Count("login", ownPhone); n != before {
		t.Errorf("it came back %d times", n-before)
	}
}

func TestW9AnOutdatedClientStops(t *testing.T) {
	r := newRig(t)
	r.server.Refuse(ownPhone, 405, 0)
	if state := r.run(r.channel()).fatal(); state.Phase != channels.Refused || !strings.Contains(state.NextStep, "update") {
		t.Errorf("ended with %+v", state)
	}
}

func TestW9ADisconnectedClientReconnects(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	r.server.Cut(ownPhone)
	eventually(t, "it is told", func() bool { return r.hasReported(channels.Transient) })
	eventually(t, "it is connected again", func() bool { return r.inPhase(channels.Connected) })
	r.says(ann, ownJID, "still there?")
	if m := s.next(0); m.Text != "still there?" {
		t.Errorf("received %+v", m)
	}
	if n := r.server.Count("login", ownPhone); n > 3 { // once when linked, once at the start, once now
		t.Errorf("%d logins for one lost connection", n)
	}
}

func TestA14AStartWithTheNetworkDownIsNoFailure(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	ann.Disconnect()
	r.server.Down(true)
	s := r.run(r.channel())
	eventually(t, "it says that it is not connected", func() bool { return r.hasReported(channels.Transient) })
	_, err := s.Send(t.Context(), channels.Outgoing{Room: channels.Room{Channel: Name, ID: ann.JID().String()}, Key: "k", Text: "hi", ReplyTo: "x"})
	var e *channels.SendError
	if !errors.As(err, &e) || e.Kind != channels.Temporary {
		t.Errorf("send without a network: %v, want it to be tried again", err)
	}
	r.server.Down(false)
	eventually(t, "it is connected", func() bool { return r.inPhase(channels.Connected) })
}

func TestW8ATemporaryBanIsWaitedOutAlsoByANewProcess(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	r.says(ann, ownJID, "hello")
	m := s.next(0)
	r.server.Refuse(ownPhone, 402, time.Hour)
	logins := r.server.Count("login", ownPhone)
	r.server.Cut(ownPhone)
	eventually(t, "the operator is alerted", func() bool { return strings.Contains(r.lastState().Problem, "banned") })
	_, err := s.reply("k", m, "hi")
	if e := (*channels.SendError)(nil); !errors.As(err, &e) || e.Kind == channels.Permanent {
		t.Errorf("send while banned: %v, want it stored for later", err)
	}
	s.stop()
	s = r.run(r.channel())
	eventually(t, "a new process knows", func() bool { return strings.Contains(r.lastState().Problem, "banned") })
	s.stop()
	if n := r.server.Count("login", ownPhone); n != logins+1 {
		t.Errorf("it tried %d times to come back", n-logins)
	}
	r.server.Refuse(ownPhone, 0, 0)
	r.advanceClock(2 * time.Hour)
	r.start()
}

func TestW9APhoneThatIsAwayForTwelveDaysIsAWarning(t *testing.T) {
	r := newRig(t)
	s := r.start()
	s.stop()
	r.advanceClock(11 * 24 * time.Hour)
	s = r.start()
	if says := r.lastState().Problem; says != "" {
		t.Errorf("warned after 11 days: %s", says)
	}
	s.stop()
	r.advanceClock(2 * 24 * time.Hour)
	s = r.start()
	defer s.stop()
	if state := r.lastState(); !strings.Contains(state.Problem, "13 days") || state.NextStep == "" {
		t.Errorf("after 13 days: %+v", state)
	}
}

func TestW9OtherRefusalsCanBeRetried(t *testing.T) {
	r := newRig(t)
	r.server.AddFault(whatsapptest.Fault{At: whatsapptest.LoggingIn, Phone: ownPhone, Effect: whatsapptest.Refuse, Code: 400})
	err := r.run(r.channel()).ended()
	if e := (*channels.StateError)(nil); err == nil || errors.As(err, &e) {
		t.Fatalf("Run ended with %v, want an error that is no StateError", err)
	}
	r.start()
}

func TestA14ABusyNetworkIsRetried(t *testing.T) {
	r := newRig(t)
	r.server.AddFault(whatsapptest.Fault{At: whatsapptest.Dialing, Effect: whatsapptest.Refuse, Code: 503})
	r.start()
	if !r.hasReported(channels.Transient) {
		t.Error("the operator was not notified")
	}
}
