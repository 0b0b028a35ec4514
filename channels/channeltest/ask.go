package channeltest

import (
	"context"
	"slices"
	"testing"

	"familiar/channels"
)

// asked puts a question, twice if that is safe.
func asked(t *testing.T, n Network) (channels.Asker, channels.Receipt) {
	t.Helper()
	asker, ok := n.Channel.(channels.Asker)
	if !ok {
		t.Skip("the network has no buttons")
	}
	if n.Buttons == nil || n.Press == nil || n.Told == nil {
		t.Fatal("the channel has buttons, which its tests cannot press")
	}
	q := channels.Question{
		Outgoing: channels.Outgoing{Room: n.Room, Key: "asked-0", Text: "May I?"}, ID: "asked", Yes: "Yes", No: "No",
	}
	var receipt channels.Receipt
	eventually(t, "the question is put", func() bool {
		var err error
		receipt, err = asker.Ask(context.Background(), q)
		return err == nil
	})
	if channels.LimitsOf(n.Channel).Idempotent {
		if again, err := asker.Ask(context.Background(), q); err != nil || again != receipt {
			t.Errorf("put again the receipt is %+v, %v, was %+v", again, err, receipt)
		}
	}
	if got := n.Buttons(receipt); !slices.Equal(got, []string{"Yes", "No"}) || receipt.ID == "" {
		t.Fatalf("message %q has the buttons %q", receipt.ID, got)
	}
	q.Room.ID = "nowhere"
	if _, err := asker.Ask(context.Background(), q); err == nil {
		t.Error("a question to a room that does not exist is no error")
	}
	return asker, receipt
}

// pressed answers a question, and ends it twice.
func pressed(t *testing.T, n Network) {
	s := run(t, n, 0)
	n.Say("one", "good morning")
	s.messages(1)
	asker, receipt := asked(t, n)
	n.Press(receipt, "No")
	n.Press(receipt, "No")
	received := s.messages(3)
	m := received[1]
	if want := (channels.Press{Question: "asked"}); m.Press != want || m.Action != channels.Post || !m.Addressed || m.ReplyTo != receipt.ID ||
		m.Room != n.Room || m.Author.Handle != received[0].Author.Handle {
		t.Errorf("received %+v", m)
	}
	if received[2].ID == m.ID {
		t.Error("two presses share an id")
	}
	for range 2 {
		if err := asker.EndQuestion(context.Background(), n.Room, receipt.ID); err != nil {
			t.Errorf("end the question: %v", err)
		}
	}
	if got := n.Buttons(receipt); len(got) > 0 {
		t.Errorf("the buttons %q are left", got)
	}
	if got := n.Told(); len(got) > 0 {
		t.Errorf("told %q", got)
	}
	if got := n.Shown(); !slices.Equal(got, []string{"May I?"}) {
		t.Errorf("shown %q", got)
	}
}

// notTaken presses a button in vain.
func notTaken(t *testing.T, n Network) {
	s := run(t, n, 0)
	s.mu.Lock()
	s.not = &channels.NotTaken{Notice: "This is not for you."}
	s.mu.Unlock()
	n.Say("one", "good morning")
	s.messages(1)
	_, receipt := asked(t, n)
	n.Press(receipt, "Yes")
	eventually(t, "the person is told", func() bool { return slices.Equal(n.Told(), []string{"This is not for you."}) })
	n.Say("two", "are you there?")
	if m := s.messages(3)[2]; m.Text != "are you there?" {
		t.Errorf("received %+v", m)
	}
	if len(n.Buttons(receipt)) == 0 {
		t.Error("the buttons are gone")
	}
}
