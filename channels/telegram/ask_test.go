package telegram

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/telegram/telegramtest"
)

var question = channels.Question{
	Outgoing: channels.Outgoing{Room: room(ann), Key: "reply-12-0", Text: "May I book *it*?"}, ID: "reply-12", Yes: "Yes", No: "No",
}

func TestS3APressIsReceivedAndAcknowledged(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		receipt, err := r.tg.Ask(t.Context(), question)
		if err != nil {
			t.Fatal(err)
		}
		r.pass(time.Hour)
		pressed := time.Now().UTC()
		sent := r.server.Sent(ann)[0]
		press := r.server.Press(ann, ann, sent.ID, "Yes")
		m := r.messages()[0]
		equal(t, "received", m.Press, channels.Press{Question: "reply-12", Yes: true})
		equal(t, "about", []string{m.ReplyTo, m.Author.Handle.ID}, []string{receipt.ID, "42"})
		equal(t, "pressed at", m.At, pressed)
		if told, ok := r.server.Told(press); !ok || told.Text != "" {
			t.Errorf("answered %+v, %v", told, ok)
		}
	})
}

// TestS3AForgedButtonDoesNothing presses what is no button of a question, and what has no message. Telegram wants an answer all the same.
func TestS3AForgedButtonDoesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		for _, data := range []string{"yes", "/forget yes", "Reply 1/y", "/y", "", strings.Repeat("a", 63) + "/y"} {
			if _, ok := r.server.Told(r.server.PressData(ann, ann, 5, data)); ok {
				t.Fatal("it was answered before it was read")
			}
		}
		r.server.Update("callback_query", map[string]any{"id": "inline", "from": telegramtest.Person(ann, "Ann"), "data": "reply-12/y"})
		equal(t, "received", len(r.messages()), 0)
		equal(t, "answered", len(r.server.Calls("answerCallbackQuery")), 7)
		equal(t, "pending", len(r.server.Pending()), 0)
	})
}

// TestS3AnAnswerThatFailsLosesNothing has Telegram fail when it is told that a press arrived.
func TestS3AnAnswerThatFailsLosesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		r.server.AddFault(telegramtest.Fault{Method: "answerCallbackQuery", Point: telegramtest.Answers, Status: http.StatusInternalServerError, Description: "Internal"})
		r.server.PressData(ann, ann, 5, "reply-12/n")
		r.server.Say(ann, ann, "hello")
		equal(t, "received", r.texts(), []string{"", "hello"})
	})
}

// TestR1APressThatIsNotStoredComesAgain has the store refuse a press.
func TestR1APressThatIsNotStoredComesAgain(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		r.refuse = 2
		press := r.server.PressData(ann, ann, 5, "reply-12/n")
		r.pass(time.Minute)
		equal(t, "received", len(r.messages()), 1)
		if _, ok := r.server.Told(press); !ok {
			t.Error("the press is not answered")
		}
	})
}

// TestS3TheFinalPreviewGetsTheButtons puts a question that was shown while it grew.
func TestS3TheFinalPreviewGetsTheButtons(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		q := question
		q.Text = "May I?"
		for range 2 {
			if err := r.tg.Preview(t.Context(), q.Room, q.Key, q.Text); err != nil {
				t.Fatal(err)
			}
			r.pass(5 * time.Second)
		}
		for range 2 { // the first response may have been lost
			if _, err := r.tg.Ask(t.Context(), q); err != nil {
				t.Fatal(err)
			}
		}
		sent := r.server.Sent(ann)
		if len(sent) != 1 || len(sent[0].Buttons) != 2 || sent[0].Text != q.Text {
			t.Errorf("shown %+v", sent)
		}
	})
}

func TestS3ALostQuestionIsAmbiguous(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		for point, want := range map[telegramtest.Point]channels.SendKind{telegramtest.DropsAfter: channels.Ambiguous, telegramtest.Answers: channels.Ambiguous} {
			r.server.AddFault(telegramtest.Fault{Method: "sendMessage", Point: point, Status: http.StatusBadGateway, Description: "Bad Gateway"})
			_, err := r.tg.Ask(context.Background(), question)
			equal(t, "kind", channels.Kind(err), want)
		}
		r.server.AddFault(telegramtest.Fault{Method: "editMessageReplyMarkup", Point: telegramtest.Answers, Status: http.StatusTooManyRequests, RetryAfter: 7, Description: "Too Many Requests"})
		err := r.tg.EndQuestion(context.Background(), room(ann), "5")
		equal(t, "kind", channels.Kind(err), channels.RateLimited)
		r.pass(8 * time.Second)
		equal(t, "of what is gone", r.tg.EndQuestion(context.Background(), room(ann), "5"), nil)
	})
}
