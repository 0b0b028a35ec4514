package telegram

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"familiar/channels"
	"familiar/channels/telegram/telegramtest"
)

func TestA2ASendWithALostResponseIsAmbiguousAndNotRepeated(t *testing.T) {
	for name, f := range map[string]telegramtest.Fault{
		"connection dropped": {Point: telegramtest.DropsAfter},
		"half an answer":     {Point: telegramtest.GarblesAfter},
		"a gateway's page":   {Point: telegramtest.Page, Status: http.StatusBadGateway},
		"no answer":          {Point: telegramtest.Hangs},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				f.Method = "sendMessage"
				r.server.AddFault(f)
				_, err := r.send(ann, "k", "hello")
				equal(t, "kind", channels.Kind(err), channels.Ambiguous)
				equal(t, "asked", len(r.server.Calls("sendMessage")), 1)
			})
		})
	}
}

func TestA2AFailedSendMayBeRetried(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.server.AddFault(telegramtest.Fault{Method: "sendMessage", Point: telegramtest.Page, Status: http.StatusServiceUnavailable})
		_, err := r.send(ann, "k", "hello")
		equal(t, "kind of 503", channels.Kind(err), channels.Temporary)
		r.server.Revoke()
		_, err = r.send(ann, "k", "hello")
		equal(t, "kind of a revoked token", channels.Kind(err), channels.Temporary)
		r.tg.api.http = &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			return nil, errors.New("no route to host")
		}}}
		_, err = r.send(ann, "k", "hello")
		equal(t, "kind of no connection", channels.Kind(err), channels.Temporary)
	})
}

func TestA2AShutdownWaitsForSendsInFlight(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.server.AddFault(telegramtest.Fault{Method: "sendMessage", Point: telegramtest.Delays, Delay: 2 * time.Second})
		r.server.AddFault(telegramtest.Fault{Method: "sendMessage", Point: telegramtest.Hangs})
		for _, want := range []channels.SendKind{-1, channels.Ambiguous} {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(500*time.Millisecond, cancel)
			start := time.Now()
			_, err := r.tg.Send(ctx, channels.Outgoing{Room: room(ann), Key: "k", Text: "hello"})
			if want < 0 && err != nil || want >= 0 && channels.Kind(err) != want {
				t.Errorf("%v, want kind %v", err, want)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %s", took)
			}
		}
	})
}

func TestT4MarkupIsSentAsEntitiesAndLeftOutWhenRefused(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		params := func() tgbotapi.Params { return tgbotapi.Params{} }
		good := []tgbotapi.MessageEntity{{Type: "bold", Offset: 3, Length: 3}}
		if _, err := r.tg.write(t.Context(), "sendMessage", ann, params(), "😀 bee", good); err != nil {
			t.Fatal(err)
		}
		bad := []tgbotapi.MessageEntity{{Type: "bold", Offset: 1, Length: 3}}
		if _, err := r.tg.write(t.Context(), "sendMessage", ann, params(), "😀 bee", bad); err != nil {
			t.Fatal(err)
		}
		sent := r.server.Sent(ann)
		equal(t, "markup", sent[0].Entities, []telegramtest.Entity{{Type: "bold", Offset: 3, Length: 3}})
		equal(t, "markup left out", len(sent[1].Entities), 0)
		equal(t, "asked", len(r.server.Calls("sendMessage")), 3)
		for _, c := range r.server.Calls("sendMessage") {
			equal(t, "parse_mode", c.Params["parse_mode"], "")
		}
	})
}

func TestT4AnotherRefusalIsNotRetriedAsPlainText(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		bold := []tgbotapi.MessageEntity{{Type: "bold", Offset: 0, Length: 1}}
		_, err := r.tg.write(t.Context(), "sendMessage", ann, tgbotapi.Params{}, strings.Repeat("x", 4097), bold)
		if f, ok := errors.AsType[*apiError](err); !ok || !f.hasPhrase("too long") {
			t.Errorf("got %v", err)
		}
		equal(t, "asked", len(r.server.Calls("sendMessage")), 1)
	})
}

func TestT4TheLongestChunkIsAccepted(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		chunks := channels.Split(strings.Repeat("😀 word ", 2000), r.tg.Limits())
		for i, c := range chunks {
			r.mustSend(ann, fmt.Sprint("k", i), c)
		}
		equal(t, "shown", len(r.server.Sent(ann)), len(chunks))
	})
}

func TestT5OnePerSecondInAChat(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		for i := range 5 {
			r.mustSend(ann, fmt.Sprint("k", i), "hello")
		}
		sent := r.server.Sent(ann)
		for i, m := range sent[1:] {
			equal(t, "gap", m.At.Sub(sent[i].At), time.Second)
		}
	})
}

func TestT5TwentyPerMinuteInAGroup(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		for i := range 20 {
			r.mustSend(group, fmt.Sprint("k", i), "hello")
		}
		_, err := r.send(group, "k20", "too much")
		equal(t, "kind", channels.Kind(err), channels.RateLimited)
		equal(t, "asked", len(r.server.Calls("sendMessage")), 20)
		r.pass(channels.RetryAfter(err))
		r.mustSend(group, "k20", "now")
		sent := r.server.Sent(group)
		equal(t, "from the first to the twenty-first", sent[20].At.Sub(sent[0].At), time.Minute)
	})
}

func TestT5ThirtyPerSecondOverall(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		start := time.Now()
		for i := range 61 {
			r.server.AddChat(telegramtest.Chat{ID: int64(1000 + i), Type: "private"})
		}
		for i := range 61 {
			r.mustSend(int64(1000+i), "k", "hello")
		}
		equal(t, "time for 61", time.Since(start), 2*time.Second)
	})
}

func TestT5WaitingForATurnEndsWithTheContext(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.mustSend(ann, "k0", "hello")
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		start := time.Now()
		_, err := r.tg.Send(ctx, channels.Outgoing{Room: room(ann), Key: "k1", Text: "hello"})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 300*time.Millisecond {
			t.Errorf("%v after %s", err, time.Since(start))
		}
	})
}

func TestA7ALimitedChatDelaysNoOther(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.server.AddFault(telegramtest.Fault{
			Method: "sendMessage", Status: http.StatusTooManyRequests, RetryAfter: 35,
			Description: "Too Many Requests: retry after 35",
		})
		_, err := r.send(group, "k", "hello")
		equal(t, "wait", channels.RetryAfter(err), 35*time.Second)
		start := time.Now()
		r.mustSend(ann, "k", "hello")
		equal(t, "delay of another chat", time.Since(start), time.Duration(0))

		r.pass(5 * time.Second)
		topic := channels.Room{Channel: "telegram", ID: fmt.Sprint(group), Thread: "77"}
		_, err = r.tg.Send(t.Context(), channels.Outgoing{Room: topic, Key: "k2", Text: "same chat"})
		equal(t, "wait in a topic of the limited chat", channels.RetryAfter(err), 30*time.Second)
		equal(t, "asked", len(r.server.Calls("sendMessage")), 2)
		r.pass(30 * time.Second)
		r.mustSend(group, "k", "hello")
	})
}

func TestT6ABlockingUserIsMarkedUnwelcome(t *testing.T) {
	for _, c := range []struct {
		chat int64
		why  string
		want channels.SendKind
	}{
		{ann, "bot was blocked by the user", channels.Blocked},
		{ann, "user is deactivated", channels.Blocked},
		{ann, "bot can't initiate conversation with a user", channels.Blocked},
		{group, "bot was kicked from the supergroup chat", channels.Permanent},
	} {
		t.Run(c.why, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				r.server.Block(c.chat, c.why)
				_, err := r.send(c.chat, "k", "hello")
				equal(t, "kind", channels.Kind(err), c.want)
			})
		})
	}
}

func TestT10ABotCannotOpenADirectChat(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		_, err := r.send(999, "k", "hello")
		equal(t, "kind", channels.Kind(err), channels.Permanent)
	})
}

func TestT7AnswersGoToTheirTopicAfterDeletion(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		_, asked := r.server.Say(group, ann, "why?")
		topic := channels.Room{Channel: "telegram", ID: fmt.Sprint(group), Thread: "77"}
		for _, out := range []channels.Outgoing{
			{Room: topic, Key: "1", Text: "because", ReplyTo: fmt.Sprint(asked)},
			{Room: topic, Key: "2", Text: "gone", ReplyTo: "5"},
			{Room: room(group), Key: "3", Text: "general"},
		} {
			if _, err := r.tg.Send(t.Context(), out); err != nil {
				t.Fatal(err)
			}
		}
		sent := r.server.Sent(group)
		equal(t, "threads", []int{sent[0].Thread, sent[1].Thread, sent[2].Thread}, []int{77, 77, 0})
		equal(t, "answered", []int{sent[0].ReplyTo, sent[1].ReplyTo}, []int{asked, 0})
		topic.Thread = "78"
		_, err := r.tg.Send(t.Context(), channels.Outgoing{Room: topic, Key: "4", Text: "nowhere"})
		equal(t, "kind of a topic that is gone", channels.Kind(err), channels.Permanent)
	})
}

func (r *rig) preview(chat int64, key, text string) {
	r.Helper()
	if err := r.tg.Preview(r.Context(), room(chat), key, text); err != nil {
		fmt.Fprintln(r, err)
	}
}

func TestT5APreviewGrowsAndIsFinished(t *testing.T) {
	for chat, gap := range map[int64]time.Duration{ann: time.Second, group: 3 * time.Second} {
		t.Run(fmt.Sprint(gap), func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				text := ""
				for range 100 { // ten seconds
					text += "word "
					r.preview(chat, "k-0", text)
					r.pass(100 * time.Millisecond)
				}
				edits := r.server.Calls("editMessageText")
				if n := len(edits); n < int(10*time.Second/gap)-1 || n > int(10*time.Second/gap) {
					t.Errorf("%d edits in ten seconds", n)
				}
				for i := range edits[1:] {
					if d := edits[i+1].At.Sub(edits[i].At); d < gap {
						t.Errorf("edits %s apart", d)
					}
				}
				receipt := r.mustSend(chat, "k-0", "the end")
				sent := r.server.Sent(chat)
				if len(sent) != 1 || sent[0].Text != "the end" || fmt.Sprint(sent[0].ID) != receipt.ID {
					t.Errorf("shown %+v, receipt %+v", sent, receipt)
				}
				r.mustSend(chat, "k-1", "and more")
				equal(t, "shown", r.server.Texts(chat), []string{"the end", "and more"})
			})
		})
	}
}

func TestT5NotModifiedIsSuccess(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.preview(ann, "k-0", "done")
		r.pass(2 * time.Second)
		r.preview(ann, "k-0", "done")
		first := r.mustSend(ann, "k-0", "done")
		again := r.mustSend(ann, "k-0", "done")
		equal(t, "receipt", again, first)
		equal(t, "shown", r.server.Texts(ann), []string{"done"})
	})
}

func TestT5PreviewsLeaveAGroupsLimitToReplies(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		for i := range 60 {
			r.preview(group, "k-0", strings.Repeat("word ", i+1))
			r.pass(time.Second)
		}
		start := time.Now()
		for i := range 5 {
			r.mustSend(group, fmt.Sprint("k-", i), "the end")
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("the answer waited %s", took)
		}
	})
}

func TestA2APreviewedReplyIsShownOnceAcrossARestart(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		r.preview(ann, "k-0", "half of")
		r.restart()
		r.preview(ann, "k-0", "half of the answ")
		r.mustSend(ann, "k-0", "half of the answer")
		equal(t, "shown", r.server.Texts(ann), []string{"half of the answer"})
		r.restart()
		r.mustSend(ann, "k-0", "half of the answer")
		equal(t, "shown after sending again", r.server.Texts(ann), []string{"half of the answer"})
		_ = r.stop()
		<-time.After(2 * day)
		r.restart()
		r.pass(time.Second)
		if keys, _ := r.store.Keys(t.Context(), previewKey); len(keys) > 0 {
			t.Errorf("stored forever: %v", keys)
		}
	})
}

// TestPreviewsAreStoredUnderOneKeyForEachChat has many replies previewed, after those of an earlier version: what a process finds when it
// starts does not grow with the replies.
func TestPreviewsAreStoredUnderOneKeyForEachChat(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		equal(t, "error", r.store.Put(t.Context(), previewKey+"reply-0123", "1 2 3"), nil)
		r.serve()
		for i := range 10 {
			key := fmt.Sprint("k-", i)
			r.preview(ann, key, "half")
			r.pass(2 * time.Second)
			r.mustSend(ann, key, "whole "+key)
			r.pass(2 * time.Second)
		}
		r.restart()
		r.pass(time.Second)
		keys, err := r.store.Keys(t.Context(), previewKey)
		equal(t, "error", err, nil)
		equal(t, "keys", len(keys), 1)
		equal(t, "the chat is in the key, for who is erased", strings.HasSuffix(keys[0], fmt.Sprint("/", ann)), true)
		shown := r.server.Texts(ann)
		r.mustSend(ann, "k-9", "whole k-9")
		equal(t, "shown after sending again", r.server.Texts(ann), shown)
		r.pass(3 * day)
		keys, err = r.store.Keys(t.Context(), previewKey)
		equal(t, "error", err, nil)
		equal(t, "keys days later, without a restart", len(keys), 0)
	})
}

func TestA2ASendBeforeRunFinishesItsPreview(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.preview(ann, "k-0", "half of")
		r.server.AddChat(telegramtest.Chat{ID: ann + 1, Type: "private"})
		r.preview(ann+1, "k-1", "half of")
		r.tg.api.closeIdle()
		r.open()
		r.mustSend(ann, "k-0", "half of the answer")
		r.preview(ann+1, "k-1", "half of the ans")
		equal(t, "settled", r.server.Texts(ann), []string{"half of the answer"})
		equal(t, "grown", r.server.Texts(ann+1), []string{"half of the ans"})
	})
}

func TestA2AFinalEditWithALostResponseMayBeRetried(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.preview(ann, "k-0", "half")
		r.server.AddFault(telegramtest.Fault{Method: "editMessageText", Point: telegramtest.DropsAfter})
		_, err := r.send(ann, "k-0", "whole")
		equal(t, "kind", channels.Kind(err), channels.Temporary)
		if err == nil {
			t.Error("no error")
		}
		r.mustSend(ann, "k-0", "whole")
		equal(t, "shown", r.server.Texts(ann), []string{"whole"})
	})
}

func TestAPreviewWithALostStartIsNotRepeated(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.server.AddFault(telegramtest.Fault{Method: "sendMessage", Times: 3, Point: telegramtest.DropsAfter})
		for range 5 {
			r.preview(ann, "k-0", "half")
			r.pass(2 * time.Second)
		}
		r.server.ClearFaults()
		r.mustSend(ann, "k-0", "whole")
		equal(t, "shown", r.server.Texts(ann), []string{"…", "whole"})
	})
}

func TestADeletedPreviewIsSentAgain(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.preview(ann, "k-0", "half")
		id := r.server.Sent(ann)[0].ID
		err := r.tg.api.call(t.Context(), "deleteMessage", tgbotapi.Params{"chat_id": fmt.Sprint(ann), "message_id": fmt.Sprint(id)}, nil)
		equal(t, "error", err, nil)
		r.mustSend(ann, "k-0", "whole")
		equal(t, "shown", r.server.Texts(ann), []string{"whole"})
	})
}

// TestThePreviewOfACancelledAnswerIsDeleted cancels in this process and in the next.
func TestThePreviewOfACancelledAnswerIsDeleted(t *testing.T) {
	for _, restarted := range []bool{false, true} {
		bubble(t, func(t *testing.T, r *rig) {
			r.mustSend(ann, "k-0", "before")
			r.pass(2 * time.Second)
			r.preview(ann, "k-1", "half")
			equal(t, "shown", r.server.Texts(ann), []string{"before", "…"})
			if restarted {
				r.restart()
			}
			for _, key := range []string{"k-0", "k-1", "k-1", "k-2"} {
				equal(t, "error of "+key, r.tg.CancelPreview(t.Context(), room(ann), key), nil)
			}
			equal(t, "left", r.server.Texts(ann), []string{"before"})
			keys, err := r.store.Keys(t.Context(), previewKey)
			equal(t, "stored", len(keys), 0)
			equal(t, "error", err, nil)
		})
	}
}

func TestA9TypingIsShownUnlessTheChatIsLimited(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		topic := channels.Room{Channel: "telegram", ID: fmt.Sprint(group), Thread: "77"}
		for _, on := range []bool{true, false} {
			if err := r.tg.Typing(t.Context(), topic, on); err != nil {
				t.Fatal(err)
			}
		}
		calls := r.server.Calls("sendChatAction")
		equal(t, "asked", len(calls), 1)
		equal(t, "action", []string{calls[0].Params["action"], calls[0].Params["message_thread_id"]}, []string{"typing", "77"})
		r.tg.pace.hold(group, time.Minute)
		if err := r.tg.Typing(t.Context(), topic, true); err != nil {
			t.Fatal(err)
		}
		equal(t, "asked while limited", len(r.server.Calls("sendChatAction")), 1)
	})
}

func TestReactionsAreSent(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		_, id := r.server.Say(ann, ann, "hello")
		for emoji, want := range map[string]string{"👍": `[{"type":"emoji","emoji":"👍"}]`, "": `[]`} {
			if err := r.tg.React(t.Context(), room(ann), fmt.Sprint(id), emoji); err != nil {
				t.Fatal(err)
			}
			equal(t, "reaction", r.server.Reaction(ann, id), want)
		}
	})
}

func TestA11NoErrorContainsTheToken(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.files = channels.Files{Dir: t.TempDir(), MaxSize: 1 << 20}
		r.open()
		r.serve()
		for _, point := range []telegramtest.Point{
			telegramtest.DropsBefore, telegramtest.DropsAfter, telegramtest.GarblesAfter, telegramtest.Hangs,
		} {
			for _, method := range []string{"sendMessage", "getUpdates", "getFile", "sendChatAction"} {
				r.server.AddFault(telegramtest.Fault{Method: method, Point: point})
			}
			_, _ = r.send(ann, "k", "hello")
			fmt.Fprintln(r, r.tg.Typing(t.Context(), room(ann), true))
			r.server.Message(map[string]any{
				"chat": r.server.Chat(ann), "from": telegramtest.Person(ann, "Ann"), "voice": map[string]any{"file_id": "v"},
			})
			r.pass(2 * time.Minute)
		}
		r.tg.api.endpoint = "http://\x7f"
		_, err := r.tg.Account(t.Context())
		fmt.Fprintln(r, err)
		_, err = r.tg.api.download(t.Context(), "x")
		fmt.Fprintln(r, err)
		synctest.Wait()
		r.mu.Lock()
		defer r.mu.Unlock()
		if !strings.Contains(r.out.String(), "TOKEN") {
			t.Error("no error named a URL: the test proves nothing")
		}
	})
}

// TestA2AnUnrecordedSendIsRepeated documents the limit of a network without keys: a repeated send is shown
// twice.
func TestA2AnUnrecordedSendIsRepeated(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		r.mustSend(ann, "k-0", "hello")
		r.restart()
		r.mustSend(ann, "k-0", "hello")
		equal(t, "shown", r.server.Texts(ann), []string{"hello", "hello"})
		equal(t, "idempotent", r.tg.Limits().Idempotent, false)
	})
}
