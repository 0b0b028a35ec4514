package discord

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/discord/discordtest"
)

var _ channels.Asker = (*Channel)(nil)

// ask puts a question in a channel and returns its message id.
func (d *commandRig) ask(channel string) string {
	d.t.Helper()
	q := channels.Question{Outgoing: channels.Outgoing{Room: room(channel), Key: "reply-12-0", Text: "May I?"}, ID: "reply-12", Yes: "Yes", No: "No"}
	receipt, err := d.c.Ask(d.t.Context(), q)
	if err != nil {
		d.t.Fatal(err)
	}
	return receipt.ID
}

func TestS3APressTakesTheButtonsAway(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	id := d.ask(d.dm)
	press := d.server.Press(d.dm, id, d.ann, "Yes")
	m := d.messages(1)[0]
	if want := (channels.Press{Question: "reply-12", Yes: true}); m.Press != want || m.ReplyTo != id || !m.Direct || m.Author.Handle.ID != d.ann.ID || m.ID != press {
		t.Errorf("received %+v", m)
	}
	d.eventually("the buttons are gone", func() bool { return len(d.buttons(d.dm, id)) == 0 })
	if i, _ := d.server.Interaction(press); i.Deferred.IsZero() || i.Told != "" {
		t.Errorf("answered %+v", i)
	}
}

// TestS3APressIsStoredBeforeItIsAcknowledged has the store refuse it at first.
func TestS3APressIsStoredBeforeItIsAcknowledged(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	id := d.ask(d.dm)
	refusals := 2
	d.refusing(func(channels.Message) error {
		if refusals--; refusals >= 0 {
			return errors.New("the store is locked")
		}
		return nil
	})
	press := d.server.Press(d.dm, id, d.ann, "No")
	d.eventually("the press is answered", func() bool { i, _ := d.server.Interaction(press); return !i.Deferred.IsZero() })
	if all := d.all(); len(all) != 1 || all[0].Press.Yes {
		t.Errorf("received %+v", all)
	}
}

func TestS3AForgedButtonDoesNothing(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	id := d.ask(d.channel)
	press := d.server.PressData(d.channel, id, d.ann, "/forget yes")
	d.eventually("the press is answered", func() bool { i, _ := d.server.Interaction(press); return !i.Deferred.IsZero() })
	if len(d.all()) > 0 || len(d.buttons(d.channel, id)) != 2 {
		t.Errorf("received %+v", d.all())
	}
}

// TestD7AnEndedQuestionMentionsNobody also checks that only the buttons go, and that a failure is told.
func TestD7AnEndedQuestionMentionsNobody(t *testing.T) {
	t.Parallel()
	d := newCommandRig(t)
	id := d.ask(d.channel)
	d.server.AddFault(discordtest.Fault{On: "/messages/" + id, Times: 1, Status: http.StatusInternalServerError})
	if err := d.c.EndQuestion(t.Context(), room(d.channel), id); err == nil {
		t.Error("a failure is not told")
	}
	if err := d.c.EndQuestion(t.Context(), room(d.channel), id); err != nil {
		t.Fatal(err)
	}
	for _, m := range d.server.Messages(d.channel) {
		if m.ID == id && (m.Content != "May I?" || len(m.Buttons()) > 0 || string(m.Allowed) != `{"parse":[],"replied_user":false}`) {
			t.Errorf("shown %+v %s", m, m.Allowed)
		}
	}
}

// TestD5AQuestionIsShownOnce loses the response to it, within Discord's memory of nonces and after that.
func TestD5AQuestionIsShownOnce(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]time.Duration{"soon": 0, "late": 10 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newCommandRig(t)
			d.server.AddFault(discordtest.Fault{On: "POST /api/v9/channels/", Times: 1, DropAfter: true})
			q := channels.Question{Outgoing: channels.Outgoing{Room: room(d.dm), Key: "reply-12-0", Text: "May I?"}, ID: "reply-12", Yes: "Yes", No: "No"}
			if _, err := d.c.Ask(t.Context(), q); channels.Kind(err) != channels.Ambiguous {
				t.Fatalf("the lost response gives %v", err)
			}
			d.later(wait)
			id := d.ask(d.dm)
			if got := d.server.Shown(d.dm); len(got) != 1 || len(d.buttons(d.dm, id)) != 2 {
				t.Errorf("shown %q with %q", got, d.buttons(d.dm, id))
			}
		})
	}
}
