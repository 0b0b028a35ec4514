package telegram

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/channels/telegram/telegramtest"
)

const day = 24 * time.Hour

func TestA1ARedeliveredEventAfterARestartIsTheSame(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		body := map[string]any{"chat": r.server.Chat(ann), "from": telegramtest.Person(ann, "Ann"), "text": "hello"}
		id, _ := r.server.Message(body)
		synctest.Wait()
		r.server.Redeliver(id, "message", body)
		synctest.Wait()
		r.restart()
		r.server.Redeliver(id, "message", body)
		heard := r.messages()
		if len(heard) != 3 {
			t.Fatalf("received %d times", len(heard))
		}
		for _, m := range heard {
			equal(t, "id", m.ID, heard[0].ID)
		}
	})
}

func TestT1APollNamesWhatItWantsAndIsHeld(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		polls := r.server.Calls("getUpdates")
		last := polls[len(polls)-1]
		equal(t, "timeout", last.Params["timeout"], "30")
		equal(t, "limit", last.Params["limit"], "100")
		equal(t, "kinds", last.Params["allowed_updates"],
			`["message","edited_message","callback_query","message_reaction","my_chat_member"]`)
		r.pass(5 * time.Minute)
		if more := len(r.server.Calls("getUpdates")) - len(polls); more != 10 {
			t.Errorf("%d polls in five quiet minutes, want 10", more)
		}
	})
}

func TestT2OffsetIsSentOnlyAfterTheRowsAreCommitted(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.store.BeforePut(func(key, value string) error {
			if strings.HasPrefix(key, "offset/") && len(r.server.Pending()) == 0 {
				t.Errorf("confirmed before %s = %s was on disk", key, value)
			}
			return nil
		})
		r.refuse = 3
		r.serve()
		id, _ := r.server.Say(ann, ann, "hello")
		r.pass(50 * time.Millisecond)
		equal(t, "pending while it is refused", r.server.Pending(), []int64{id})
		r.pass(time.Second)
		equal(t, "received", r.texts(), []string{"hello"})
		equal(t, "pending once it is stored", len(r.server.Pending()), 0)
		equal(t, "cursor", strings.Fields(r.store.Value("offset/7000"))[0], "1001")
	})
}

func TestT2NothingIsConfirmedUntilTheCursorIsStored(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		r.store.BeforePut(diskFull)
		id, _ := r.server.Say(ann, ann, "hello")
		r.pass(time.Second)
		equal(t, "pending", r.server.Pending(), []int64{id})
		r.store.BeforePut(nil)
		r.pass(time.Minute)
		equal(t, "pending at last", len(r.server.Pending()), 0)
	})
}

func TestT2TheCursorSurvivesARestart(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		r.server.Say(ann, ann, "before")
		synctest.Wait()
		_ = r.stop()
		r.server.Say(ann, ann, "between")
		r.restart()
		equal(t, "received", r.texts(), []string{"before", "between"})
	})
}

func TestT2UpdateIDsMayJumpAndRestart(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		r.server.Say(ann, ann, "one")
		synctest.Wait()
		r.server.SetNextID(900_000)
		r.server.Say(ann, ann, "two")
		synctest.Wait()
		r.server.SetNextID(17)
		r.server.Say(ann, ann, "three")
		synctest.Wait()
		equal(t, "cursor", strings.Fields(r.store.Value("offset/7000"))[0], "18")
		_ = r.stop()
		r.store.Set("offset/7000", fmt.Sprint("900001 ", time.Now().Unix()))
		<-time.After(8 * day)
		r.server.Say(ann, ann, "while it was away")
		r.restart()
		r.server.Say(ann, ann, "four")
		equal(t, "received", r.texts(), []string{"one", "two", "three", "while it was away", "four"})
		equal(t, "pending", len(r.server.Pending()), 0)
	})
}

func TestT2UpdatesBehindAStaleCursorAreConfirmed(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.store.Set("offset/7000", fmt.Sprint("1001 ", time.Now().Add(-7*day).Unix()))
		r.server.Say(ann, ann, "hello")
		r.serve()
		equal(t, "received", r.texts(), []string{"hello"})
		equal(t, "pending", len(r.server.Pending()), 0)
	})
}

func TestT3AnotherPollerIsNamedAndWaitedOut(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.server.AddFault(telegramtest.Fault{
			Method: "getUpdates", Times: 6, Status: http.StatusConflict,
			Description: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
		})
		start := time.Now()
		r.serve()
		equal(t, "phase", r.state().Phase, channels.Transient)
		equal(t, "says", r.state().Problem, "another poller uses this token")
		r.pass(10 * time.Minute)
		equal(t, "phase in the end", r.state().Phase, channels.Connected)
		var pauses []time.Duration
		for _, c := range r.server.Calls("getUpdates")[:7] {
			pauses = append(pauses, c.At.Sub(start).Round(time.Second))
			start = c.At
		}
		equal(t, "pauses", pauses, []time.Duration{
			0, 5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second, time.Minute, time.Minute,
		})
	})
}

func TestT3TwoThatPollEndEachOther(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		other := newAPI(token, r.server.URL, r.server.Client())
		defer other.closeIdle()
		params := map[string]string{"timeout": "40"}
		lost := make(chan error, 1)
		go func() { lost <- other.call(t.Context(), "getUpdates", params, nil) }()
		synctest.Wait()
		equal(t, "says", r.state().Problem, "another poller uses this token")
		r.pass(5 * time.Second)
		if f, ok := errors.AsType[*apiError](<-lost); !ok || f.code != http.StatusConflict {
			t.Errorf("the other was not ended: %v", f)
		}
		r.server.Say(ann, ann, "hello")
		equal(t, "received", r.texts(), []string{"hello"})
		equal(t, "phase", r.state().Phase, channels.Connected)
	})
}

func TestA2AStoredMessageIsRedeliveredAsTheSame(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		r.store.BeforePut(diskFull) // the process dies before the cursor is on disk
		r.server.Say(ann, ann, "one")
		_, _ = r.server.Message(photo(r.server, ann, ann, "a1", "p1", "two"))
		_, _ = r.server.Message(photo(r.server, ann, ann, "a1", "p2", ""))
		r.pass(5 * time.Second)
		before := len(r.messages())
		_ = r.stop()
		r.store.BeforePut(nil)
		r.restart()
		r.pass(5 * time.Second)
		ids := make(map[string]string)
		for _, m := range r.messages() {
			if id, ok := ids[m.Text]; ok && id != m.ID {
				t.Errorf("%q is %s and %s", m.Text, id, m.ID)
			}
			ids[m.Text] = m.ID
		}
		if len(ids) != 2 || before == 0 || len(r.server.Pending()) > 0 {
			t.Errorf("received %v, %d before the kill, pending %v", ids, before, r.server.Pending())
		}
	})
}

func TestT3ASetWebhookIsNamed(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.server.SetWebhook("https://hooks.example.org/very-secret-path")
		r.serve()
		s := r.state()
		equal(t, "phase", s.Phase, channels.Transient)
		if !strings.Contains(s.Problem, "webhook is set for this bot at hooks.example.org") || strings.Contains(s.Problem, "secret") {
			t.Errorf("says %q", s.Problem)
		}
		r.server.SetWebhook("")
		r.pass(2 * time.Minute)
		equal(t, "phase in the end", r.state().Phase, channels.Connected)
	})
}

func TestT3ATokenThatIsNotAcceptedEndsRun(t *testing.T) {
	cases := map[string]func(r *rig){
		"unknown":   func(r *rig) { r.server.Revoke(); r.serve() },
		"malformed": func(r *rig) { r.tg.api.token = "not a token"; r.serve() },
		"revoked later": func(r *rig) {
			r.serve()
			r.server.Revoke()
		},
	}
	for name, arrange := range cases {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				arrange(r)
				r.pass(time.Minute)
				equal(t, "phase", r.state().Phase, channels.Refused)
				fatal, ok := errors.AsType[*channels.StateError](r.stop())
				if !ok || !fatal.State.Fatal() || !strings.Contains(fatal.State.NextStep, "@BotFather") {
					t.Errorf("Run ended with %v", fatal)
				}
				calls := len(r.server.Calls("getMe"))
				r.pass(time.Hour)
				equal(t, "calls after the end", len(r.server.Calls("getMe")), calls)
			})
		})
	}
}

func TestT3DeadConnectionsAreReplaced(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		old := r.tg.api.client()
		r.tg.api.own = true
		r.server.AddFault(telegramtest.Fault{Method: "getUpdates", Times: 100, Point: telegramtest.Hangs})
		r.server.Say(ann, ann, "are you there?")
		r.pass(90 * time.Second)
		if r.tg.api.client() != old {
			t.Error("recreated too soon")
		}
		r.pass(time.Minute)
		if r.tg.api.client() == old {
			t.Error("not recreated")
		}
		equal(t, "phase", r.state().Phase, channels.Transient)
	})
}

func TestT3TheBacklogOfAColdStartIsReceived(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		var want []string
		for i := range 250 {
			text := strings.Repeat("x", i%7+1)
			want = append(want, text)
			r.server.Say(ann, ann, text)
		}
		r.serve()
		equal(t, "received", r.texts(), want)
		var phases []channels.Phase
		for _, s := range r.states {
			phases = append(phases, s.Phase)
		}
		equal(t, "phases", phases, []channels.Phase{channels.Connecting, channels.Backfilling, channels.Connected})
	})
}

func TestA14AStartWaitsForAnUnreachableNetwork(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.server.AddFault(telegramtest.Fault{Method: "getMe", Times: 3, Point: telegramtest.DropsBefore})
		r.server.AddFault(telegramtest.Fault{Method: "getMe", Times: 2, Point: telegramtest.Page, Status: http.StatusBadGateway})
		r.server.AddFault(telegramtest.Fault{Method: "getMe", Status: http.StatusTooManyRequests, RetryAfter: 30, Description: "Too Many Requests: retry after 30"})
		r.serve()
		s := r.state()
		equal(t, "phase", s.Phase, channels.Transient)
		if s.Problem == "" || s.NextStep == "" {
			t.Errorf("state %+v does not say what is the matter and what to do", s)
		}
		r.pass(3 * time.Minute)
		asked := r.server.Calls("getMe")
		if last := len(asked) - 1; asked[last].At.Sub(asked[last-1].At) != 30*time.Second {
			t.Error("did not wait as long as the network asked")
		}
		equal(t, "state in the end", r.state(), channels.State{Phase: channels.Connected, Account: "@familiar_bot"})
	})
}

func TestA13RunEndsWhileThePollIsHeld(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		start := time.Now()
		err := r.stop()
		if err == nil || time.Since(start) > 0 {
			t.Errorf("ended with %v after %s", err, time.Since(start))
		}
	})
}

func TestT9PrivacyModeIsReportedWithAGroup(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.rooms = []channels.Room{room(ann), room(group)}
		r.serve()
		s := r.state()
		equal(t, "phase", s.Phase, channels.Connected)
		if !strings.Contains(s.NextStep, "/setprivacy") {
			t.Errorf("state %+v does not say how to change privacy mode", s)
		}
		account, err := r.tg.Account(t.Context())
		equal(t, "account", account, Account{Name: "@familiar_bot"})
		equal(t, "error", err, nil)
	})
}

// TestChatsAreReceivedInParallel: while the messages of one chat cannot be stored, those of the others are, and no update
// after the first unstored one is confirmed.
func TestChatsAreReceivedInParallel(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		const bea = int64(43)
		r.server.Say(bea, bea, "bea 1")
		for _, text := range []string{"2", "3"} {
			r.server.Say(ann, ann, "ann "+text)
			r.server.Say(bea, bea, "bea "+text)
		}
		hold := make(chan struct{})
		var refuse atomic.Bool
		refuse.Store(true)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- r.tg.Run(ctx, func(ctx context.Context, m channels.Message) error {
				if m.Room == room(ann) {
					if <-hold; refuse.CompareAndSwap(true, false) {
						return errors.New("the store is locked")
					}
				}
				return r.accept(ctx, m)
			})
		}()
		r.stop = func() error { cancel(); return <-done }
		equal(t, "received", r.texts(), []string{"bea 1", "bea 2", "bea 3"})
		hold <- struct{}{} // and is refused
		synctest.Wait()
		equal(t, "pending", len(r.server.Pending()), 5) // the next poll confirms what is stored
		r.pass(time.Second)
		equal(t, "pending after the next poll", len(r.server.Pending()), 4)
		equal(t, "received again", r.texts(), []string{"bea 1", "bea 2", "bea 3", "bea 2", "bea 3"})
		close(hold)
		r.pass(time.Second)
		equal(t, "received at last", r.texts()[5:], []string{"ann 2", "ann 3"})
		r.pass(time.Second)
		equal(t, "pending at last", len(r.server.Pending()), 0)
	})
}

func photo(server *telegramtest.Server, chat, from int64, album, file, caption string) map[string]any {
	m := map[string]any{
		"chat": server.Chat(chat), "from": telegramtest.Person(from, "Ann"),
		"photo": []any{map[string]any{"file_id": "small" + file, "width": 1}, map[string]any{"file_id": file, "width": 9}},
	}
	if album != "" {
		m["media_group_id"] = album
	}
	if caption != "" {
		m["caption"] = caption
	}
	return m
}

func TestT10AnAlbumIsOneMessage(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		_, first := r.server.Message(photo(r.server, ann, ann, "a1", "p1", "our garden"))
		r.pass(300 * time.Millisecond)
		r.server.Message(photo(r.server, ann, ann, "a1", "p2", ""))
		r.server.Say(ann, ann, "in between")
		r.pass(300 * time.Millisecond)
		r.server.Message(photo(r.server, ann, ann, "a1", "p3", "and the pond"))
		equal(t, "received while it grows", r.texts(), []string(nil))
		r.pass(2 * time.Second)
		equal(t, "received", r.texts(), []string{"our garden\nand the pond", "in between"})
		m := r.messages()[0]
		equal(t, "id", m.ID, id10(first))
		equal(t, "pictures", len(m.Attachments), 3)
		equal(t, "pending", len(r.server.Pending()), 0)
	})
}

func TestT10AnAlbumIsCompleteAfterARestart(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		r.server.Message(photo(r.server, ann, ann, "a1", "p1", "our garden"))
		r.server.Message(photo(r.server, ann, ann, "a1", "p2", ""))
		r.pass(200 * time.Millisecond)
		r.restart()
		r.pass(2 * time.Second)
		if heard := r.messages(); len(heard) != 1 || len(heard[0].Attachments) != 2 {
			t.Errorf("received %+v", heard)
		}
	})
}

func TestT6AGroupThatBecomesASupergroupMoves(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.server.AddChat(telegramtest.Chat{ID: -5, Type: "group", Title: "Old"})
		r.serve()
		r.server.Migrate(-5, -1005)
		m := r.messages()[0]
		equal(t, "move", []string{string(m.Action), m.Room.ID, m.TargetID}, []string{"moves", "-5", "-1005"})
		_, err := r.send(-5, "k", "hello")
		e, _ := errors.AsType[*channels.SendError](err)
		equal(t, "kind", e.Kind, channels.Moved)
		equal(t, "to", e.NewRoomID, "-1005")
		r.mustSend(-1005, "k", "hello")
		equal(t, "shown", r.server.Texts(-1005), []string{"hello"})
	})
}

func TestA15FilesAreFetchedUnderTheCap(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.files = channels.Files{Dir: t.TempDir(), MaxSize: 10}
		r.open()
		r.server.AddFile("v1", "voice/file_1.oga", []byte("sound"))
		r.server.AddFile("d1", "../../documents/big.pdf", []byte("far too much"))
		r.serve()
		say := func(kind string, file map[string]any) {
			r.server.Message(map[string]any{"chat": r.server.Chat(ann), "from": telegramtest.Person(ann, "Ann"), kind: file})
		}
		say("voice", map[string]any{"file_id": "v1", "duration": 2})
		say("document", map[string]any{"file_id": "d1", "file_name": "big.pdf"})
		say("video", map[string]any{"file_id": "gone"})
		heard := r.messages()
		if len(heard) != 3 {
			t.Fatalf("received %+v", heard)
		}
		kept, err := os.ReadFile(heard[0].Attachments[0].Path)
		equal(t, "stored", string(kept), "sound")
		equal(t, "error", err, nil)
		equal(t, "where", heard[0].Attachments[0].Path, filepath.Join(r.files.Dir, "telegram-Uv1.oga"))
		for _, m := range heard[1:] {
			equal(t, "path of what cannot be had", m.Attachments[0].Path, "")
		}
		left, _ := os.ReadDir(r.files.Dir)
		equal(t, "files", len(left), 1)
	})
}

func TestA4NothingOfAStrangerIsFetched(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.files = channels.Files{Dir: t.TempDir(), MaxSize: 10}
		r.hears = func(_ context.Context, m channels.Message) bool { return m.Author.Name == "Bob" }
		r.open()
		r.server.AddFile("v1", "voice/file_1.oga", []byte("sound"))
		r.serve()
		for _, name := range []string{"Ann", "Bob"} {
			r.server.Message(map[string]any{
				"chat": r.server.Chat(ann), "from": telegramtest.Person(ann, name), "voice": map[string]any{"file_id": "v1", "duration": 2},
			})
		}
		heard := r.messages()
		if len(heard) != 2 || heard[0].Attachments[0].Path != "" || heard[1].Attachments[0].Path == "" {
			t.Errorf("received %+v", heard)
		}
	})
}

func TestA15AnUnreadableUpdateBlocksNoOther(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		r.server.Update("message_reaction", map[string]any{"message_id": "a word", "chat": 3})
		r.server.Message(map[string]any{
			"chat": r.server.Chat(ann), "from": telegramtest.Person(ann, "Ann"), "photo": "no list",
		})
		r.server.Say(ann, ann, "and now?")
		var said []string
		for _, m := range r.messages() {
			said = append(said, m.FullText())
		}
		equal(t, "received", said, []string{"[unreadable message]", "and now?"})
		if !strings.Contains(r.out.String(), "level=ERROR") {
			t.Error("the operator is not notified")
		}
	})
}

func TestA14LosingAccessToAChatIsReported(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.serve()
		r.server.Update("my_chat_member", map[string]any{
			"chat": r.server.Chat(group), "from": telegramtest.Person(ann, "Ann"), "date": 1,
			"old_chat_member": map[string]any{"status": "member"}, "new_chat_member": map[string]any{"status": "kicked"},
		})
		equal(t, "received", len(r.messages()), 0)
		if !strings.Contains(r.out.String(), "is=kicked") {
			t.Error("the operator is not notified")
		}
		equal(t, "pending", len(r.server.Pending()), 0)
	})
}
