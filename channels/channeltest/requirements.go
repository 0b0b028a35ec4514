package channeltest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/channels"
)

// ignoresOwn relies on order: the persona's own message comes before the one that ends the test.
func ignoresOwn(t *testing.T, n Network) {
	if n.SayAsBot == nil {
		t.Skip("the network does not tell the persona what it said")
	}
	s := run(t, n, 0)
	n.Say("one", "good morning")
	s.messages(1)
	n.SayAsBot("good morning to you")
	n.Say("two", "how are you?")
	if received := s.messages(2); received[1].Text != "how are you?" {
		t.Errorf("received %+v", received[1])
	}
}

// logsNoSecret runs a channel successfully, then with refused credentials, and reads the logs.
func logsNoSecret(t *testing.T, n Network) {
	if n.Logs == nil {
		t.Skip("the network knows no secret")
	}
	s := run(t, n, 0)
	n.Say("one", "good morning")
	s.messages(1)
	send(t, n, "key", "good morning to you")
	output := []string{}
	if n.Refuse != nil {
		n.Refuse()
		err := s.ended()
		_, unsent := n.Channel.Send(context.Background(), channels.Outgoing{Room: n.Room, Key: "other", Text: "hello"})
		if err == nil || unsent == nil {
			t.Fatalf("refused, Run ended with %v and Send with %v", err, unsent)
		}
		output = append(output, err.Error(), unsent.Error())
	}
	output = append(output, n.Logs())
	for _, secret := range n.Secrets {
		for _, text := range output {
			if i := strings.Index(text, secret); i >= 0 {
				t.Errorf("a secret is told: …%s", text[max(0, i-80):i])
			}
		}
	}
}

func edited(t *testing.T, n Network) {
	if n.Edit == nil {
		t.Skip("the network tells of no edits")
	}
	s := run(t, n, 0)
	n.Say("one", "good mroning")
	sent := s.messages(1)[0]
	n.Edit("one", "good morning")
	checkAction(t, s.messages(2)[1], sent, channels.Edit, "good morning")
	n.Edit("one", "good evening")
	checkAction(t, s.messages(3)[2], sent, channels.Edit, "good evening")
	if received := s.messages(3); received[1].ID == received[2].ID {
		t.Error("two edits share an id")
	}
}

func deleted(t *testing.T, n Network) {
	if n.Delete == nil {
		t.Skip("the network tells of no deletions")
	}
	s := run(t, n, 0)
	n.Say("one", "good morning")
	sent := s.messages(1)[0]
	n.Delete("one")
	checkAction(t, s.messages(2)[1], sent, channels.Delete, "")
}

func checkAction(t *testing.T, got, sent channels.Message, act channels.Action, text string) {
	t.Helper()
	if got.Action != act || got.TargetID != sent.ID || got.ID == sent.ID || got.Room != sent.Room || got.Text != text {
		t.Errorf("received %+v, want that it %s %q to %q", got, act, sent.ID, text)
	}
	if act == channels.Edit && got.Author.Handle != sent.Author.Handle {
		t.Errorf("edited by %+v, said by %+v", got.Author, sent.Author)
	}
}

// runsAgain checks what the supervisor relies on.
func runsAgain(t *testing.T, n Network) {
	if n.States == nil {
		t.Skip("it is run once")
	}
	for _, text := range []string{"good morning", "good evening"} {
		s := run(t, n, 0)
		n.Say(text, text)
		eventually(t, "the message is received", func() bool {
			return slices.ContainsFunc(s.messages(1), func(m channels.Message) bool { return m.Text == text })
		})
		s.end()
	}
}

func reportsState(t *testing.T, n Network) {
	if n.States == nil {
		t.Skip("it has no connection")
	}
	s := run(t, n, 0)
	n.Say("one", "good morning")
	s.messages(1)
	var states []channels.State
	eventually(t, "it is connected", func() bool {
		states = n.States()
		return len(states) > 0 && states[len(states)-1].Phase == channels.Connected
	})
	if states[0].Phase != channels.Connecting {
		t.Errorf("at first it is %s", states[0].Phase)
	}
	if last := states[len(states)-1]; last.Account == "" {
		t.Errorf("connected, it does not say as whom: %+v", last)
	}
}

func endsWhenRefused(t *testing.T, n Network) {
	if n.Refuse == nil {
		t.Skip("the network asks for no credentials")
	}
	s := run(t, n, 0)
	n.Say("one", "good morning")
	s.messages(1)
	n.Refuse()
	err := s.ended()
	final, ok := errors.AsType[*channels.StateError](err)
	switch {
	case !ok:
		t.Errorf("Run ended with %v, want a *channels.StateError", err)
	case !final.State.Fatal() || final.State.Problem == "" || final.State.NextStep == "":
		t.Errorf("Run ended with %+v: it says not what is the matter or not what to do", final.State)
	}
}

// everyKind gives each kind its own network, so that no kind is hidden by another.
func everyKind(t *testing.T, open func(t *testing.T) Network) {
	for kind := range open(t).Kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			n := open(t)
			s := run(t, n, 0)
			n.Say("one", "good morning")
			s.messages(1)
			n.Kinds[kind]()
			n.Say("two", "did you see it?")
			if m := s.messages(2)[1]; strings.TrimSpace(m.Text) == "" && len(m.Attachments) == 0 || m.Text == "did you see it?" {
				t.Errorf("received %+v", m)
			} else if _, fetches := n.Channel.(channels.FileFetcher); !fetches && slices.ContainsFunc(m.Attachments, func(a channels.Attachment) bool { return a.Ref != "" }) {
				t.Errorf("received %+v, which the channel cannot fetch", m.Attachments)
			}
		})
	}
}

// ended returns the error with which Run ended by itself.
func (s *running) ended() error {
	s.t.Helper()
	select {
	case err := <-s.done:
		s.done <- nil // for the end of the test
		return err
	case <-time.After(patience):
		s.t.Fatal("Run did not end")
		return nil
	}
}

// voiceShown sends a reply as a voice message, twice if that is safe, and then a text.
func voiceShown(t *testing.T, n Network) {
	v, ok := n.Channel.(channels.VoiceSender)
	if !ok || n.Voices == nil {
		t.Skip("the network has no voice messages")
	}
	run(t, n, 0)
	spoken := channels.VoiceMessage{
		Outgoing: channels.Outgoing{Room: n.Room, Key: "aloud", Text: "good morning"}, Audio: []byte("OggS good morning"),
		Length: 1500 * time.Millisecond, Waveform: []byte{0, 50, 100},
	}
	var first channels.Receipt
	eventually(t, "a voice message is sent", func() (sent bool) {
		var err error
		first, err = v.SendVoice(context.Background(), spoken)
		return err == nil
	})
	if channels.LimitsOf(n.Channel).Idempotent {
		if again, err := v.SendVoice(context.Background(), spoken); err != nil || again != first {
			t.Errorf("sent again the receipt is %+v, %v, was %+v", again, err, first)
		}
	}
	send(t, n, "other", "the end")
	eventually(t, "the last chunk is shown", func() bool { return slices.Contains(n.Shown(), "the end") })
	if got := n.Voices(); len(got) != 1 || string(got[0]) != string(spoken.Audio) || first.ID == "" {
		t.Errorf("shown %q under %q", got, first.ID)
	}
	spoken.Room.ID = "nowhere"
	if _, err := v.SendVoice(context.Background(), spoken); err == nil {
		t.Error("a voice message to a room that does not exist is no error")
	}
}
