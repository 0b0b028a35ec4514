package persona_test

// S3, S16: a question may be answered by a button, by whom it was put to, while it is open, once.

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/channels/telegram/telegramtest"
	"familiar/internal/llm/llmtest"
	"familiar/memory/memorytest"
	"familiar/persona"
	"familiar/persona/tool"
)

// buttons is a desk whose network has buttons.
type buttons struct {
	*desk
	// fail, if set, decides what an "ask" or an "end" returns.
	fail func(what string) error

	mu    sync.Mutex
	asked []channels.Question
	ended []string
}

func (b *buttons) failing(what string) error {
	if b.fail == nil {
		return nil
	}
	return b.fail(what)
}

func (b *buttons) Ask(ctx context.Context, q channels.Question) (channels.Receipt, error) {
	if err := b.failing("ask"); err != nil {
		return channels.Receipt{}, err
	}
	receipt, err := b.Send(ctx, q.Outgoing)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil {
		b.asked = append(b.asked, q)
	}
	return receipt, err
}

func (b *buttons) EndQuestion(_ context.Context, _ channels.Room, of string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = append(b.ended, of)
	return b.failing("end")
}

// last returns the question that was put last.
func (b *buttons) last(t *testing.T) channels.Question {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.asked) == 0 {
		t.Fatal("nothing was asked with buttons")
	}
	return b.asked[len(b.asked)-1]
}

// over returns the messages whose buttons were to be removed.
func (b *buttons) over() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.ended)
}

// withButtons gives the persona a channel with buttons.
func withButtons(b *buttons, more func(*persona.Parts)) func(*persona.Parts) {
	return func(p *persona.Parts) {
		b.desk = p.Channels[0].(*desk)
		p.Channels = []channels.Channel{b}
		if more != nil {
			more(p)
		}
	}
}

// press returns the press of a button of q.
func (s *stage) press(who string, q channels.Question, yes bool) channels.Message {
	m := s.message(who, "")
	m.ID, m.Room, m.ReplyTo, m.Press, m.Complete = "press~"+m.ID, q.Room, q.Key, channels.Press{Question: q.ID, Yes: yes}, true
	m.Direct = q.Room.ID == who
	return m
}

// refused returns what somebody is told whose press does not count.
func (s *stage) refused(m channels.Message) string {
	s.t.Helper()
	err := s.engine.Accept(s.t.Context(), m)
	s.rest()
	not, ok := errors.AsType[*channels.NotTaken](err)
	if !ok {
		s.t.Errorf("a press that does not count gives %v", err)
		return ""
	}
	return not.Notice
}

func TestS3AButtonMakesTheCallOnce(t *testing.T) {
	made, b := 0, &buttons{}
	s, _ := tooled(t, withButtons(b, confirmed(t, &made)), append(booking, llmtest.Says("It is table 7."))...)
	s.say("ann", "Book me a table for two.")
	q := b.last(t)
	if made != 0 || q.Yes != "Yes" || q.No != "No" || !strings.Contains(q.Text, "May I use book for that?") || len(channels.Press{Question: q.ID, Yes: true}.Data()) > 64 {
		t.Fatalf("%d calls, asked %+v", made, q)
	}
	first, second := s.press("ann", q, true), s.press("ann", q, true)
	s.hear(first)
	s.hear(first) // the network hands it over again
	if err := s.engine.Accept(t.Context(), second); err != nil {
		if _, ok := errors.AsType[*channels.NotTaken](err); !ok {
			t.Fatal(err)
		}
	}
	s.rest()
	if got := s.desk.in(q.Room); made != 1 || len(got) != 2 || got[1].Text != "It is table 7." || got[1].ReplyTo != q.Key {
		t.Errorf("%d calls, shown %+v", made, got)
	}
	if err := s.engine.Accept(t.Context(), first); err != nil { // and once more, when all is over
		t.Errorf("what was taken before gives %v", err)
	}
	if s.say("ann", "yes"); made != 1 {
		t.Errorf("a word after the press made %d calls", made)
	}
}

func TestS3OnlyTheAnswerOfThePersonCounts(t *testing.T) {
	for name, tt := range map[string]struct {
		then    func(t *testing.T, s *stage, q channels.Question)
		outcome string
	}{
		"a no": {func(_ *testing.T, s *stage, q channels.Question) { s.answer(s.press("ann", q, false)) }, "book declined"},
		"a foreign press": {func(t *testing.T, s *stage, q channels.Question) {
			if told := s.refused(s.press("ben", q, true)); told != "This question is for somebody else." {
				t.Errorf("told %q", told)
			}
		}, "book waiting"},
		"a press in another room": {func(t *testing.T, s *stage, q channels.Question) {
			m := s.press("ann", q, true)
			m.Room.ID = "elsewhere"
			s.refused(m)
		}, "book waiting"},
		"a late press": {func(t *testing.T, s *stage, q channels.Question) {
			s.clock.Advance(11 * time.Minute)
			if told := s.refused(s.press("ann", q, true)); !strings.HasPrefix(told, "This question is over") {
				t.Errorf("told %q", told)
			}
		}, "book waiting"},
		"a press after something else": {func(t *testing.T, s *stage, q channels.Question) {
			s.say("ann", "What is the weather?")
			s.answer(s.press("ann", q, true))
		}, "book dropped"},
		"a forged question": {func(t *testing.T, s *stage, q channels.Question) {
			q.ID = "reply-0123456789abcdef"
			s.refused(s.press("ann", q, true))
		}, "book waiting"},
		"a press that the gate lets nobody hear": {func(_ *testing.T, s *stage, q channels.Question) {
			m := s.press("ann", q, true)
			m.Addressed = false
			s.answer(m)
		}, "book waiting"},
	} {
		t.Run(name, func(t *testing.T) {
			made, b := 0, &buttons{}
			s, _ := tooled(t, withButtons(b, confirmed(t, &made)), append(slices.Clone(booking), llmtest.Says("Fine."))...)
			s.say("ann", "Book me a table for two.")
			tt.then(t, s, b.last(t))
			if got := strings.Join(s.calls(), "|"); made != 0 || got != tt.outcome {
				t.Errorf("%d calls, recorded %s, want %s", made, got, tt.outcome)
			}
		})
	}
}

// TestS3APressIsAnOldQuestionsOnly presses a button of the question before.
func TestS3APressIsAnOldQuestionsOnly(t *testing.T) {
	made, b := 0, &buttons{}
	s, _ := tooled(t, withButtons(b, confirmed(t, &made)), slices.Concat(booking, booking, []llmtest.Answer{llmtest.Says("It is table 7.")})...)
	s.say("ann", "Book me a table for two.")
	old := b.last(t)
	s.say("ann", "Book me a table for three.")
	s.answer(s.press("ann", old, true))
	if made != 0 {
		t.Fatalf("the old question made %d calls", made)
	}
	if s.answer(s.press("ann", b.last(t), true)); made != 1 {
		t.Errorf("the new question made %d calls", made)
	}
}

// TestR1APressIsNotLost stops the process right after the press was accepted, and answers it to the next one.
func TestR1APressIsNotLost(t *testing.T) {
	made, b := 0, &buttons{}
	clock := &memorytest.Clock{}
	store := memorytest.OpenAt(t, clock)
	s, _ := tooledOn(t, store, clock, withButtons(b, confirmed(t, &made)), booking...)
	s.say("ann", "Book me a table for two.")
	q := b.last(t)
	press := s.press("ann", q, true)
	s.quit()
	if err := s.engine.Accept(t.Context(), press); err != nil {
		t.Fatal(err)
	}
	b = &buttons{}
	s, _ = tooledOn(t, store, clock, withButtons(b, confirmed(t, &made)), llmtest.Says("It is table 7."))
	s.rest()
	if got := s.desk.in(q.Room); made != 1 || len(got) != 1 || got[0].Text != "It is table 7." {
		t.Errorf("%d calls, shown %+v", made, got)
	}
	if got := strings.Join(s.calls(), "|"); got != "book done" {
		t.Errorf("recorded %s", got)
	}
}

// TestR1ACallThatAPressBeganIsNotRepeated stops the process while the call is under way.
func TestR1ACallThatAPressBeganIsNotRepeated(t *testing.T) {
	made, b := 0, &buttons{}
	clock := &memorytest.Clock{}
	store := memorytest.OpenAt(t, clock)
	begun := make(chan struct{})
	call := func(ctx context.Context, _ tool.Use) (tool.Result, error) {
		made++
		close(begun)
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	}
	s, _ := tooledOn(t, store, clock, withButtons(b, asking(t, doing{changing{tallied{returning{"book", "", tool.Deny}, new(int)}}, call})), booking...)
	s.say("ann", "Book me a table for two.")
	s.hear(s.press("ann", b.last(t), true))
	<-begun
	s.quit()
	clock.Advance(time.Hour) // the question has expired, which the answer has not
	s, provider := tooledOn(t, store, clock, withButtons(&buttons{}, confirmed(t, &made)), llmtest.Says("I am not sure."))
	s.rest()
	results := toolResults(last(provider))
	if made != 1 || len(results) != 1 || !strings.Contains(results[0], "it is not known whether it was done") {
		t.Errorf("%d calls, told %q", made, results)
	}
}

// TestS3WithoutButtonsTheWordsStay has the network refuse the buttons, for good or for now.
func TestS3WithoutButtonsTheWordsStay(t *testing.T) {
	for name, tt := range map[string]struct {
		err     error
		buttons bool
	}{
		"it takes none":     {&channels.SendError{Kind: channels.Permanent, Err: errors.New("BUTTON_DATA_INVALID")}, false},
		"a 500, then taken": {&channels.SendError{Kind: channels.Ambiguous, Err: errors.New("internal server error")}, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tried, b := 0, &buttons{}
				b.fail = func(string) error {
					if tried++; tried == 1 {
						return tt.err
					}
					return nil
				}
				s := play(t, withButtons(b, func(p *persona.Parts) { p.Now = time.Now }))
				s.hear(s.message("ann", "/forget me"))
				time.Sleep(time.Minute)
				synctest.Wait()
				if got := s.desk.in(channels.Room{Channel: "desk", ID: "ann"}); len(got) != 1 || (len(b.asked) == 1) != tt.buttons {
					t.Errorf("shown %+v, asked %+v", got, b.asked)
				}
				s.quit()
			})
		})
	}
}

// TestS12ForgetMeByAButton also checks that another message drops the question, and that buttons go with their question.
func TestS12ForgetMeByAButton(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &buttons{}
		s := play(t, withButtons(b, func(p *persona.Parts) { p.Now = time.Now }))
		say := func(m channels.Message) {
			m.At = time.Now()
			s.hear(m)
			time.Sleep(5 * time.Second)
		}
		say(s.message("ann", "Ich heiße Ann und mein Papagei heißt Gulliver."))
		say(s.message("ann", "/forget me"))
		dropped := b.last(t)
		if dropped.Yes != "Ja" || dropped.No != "Nein" {
			t.Errorf("asked %+v", dropped)
		}
		say(s.message("ann", "Wie geht es dir?"))
		if got := b.over(); !slices.Equal(got, []string{dropped.Key}) {
			t.Errorf("ended %q", got)
		}
		if told := s.refused(s.press("ann", dropped, true)); told == "" || s.counted(`SELECT count(*) FROM people`) == 0 {
			t.Error("a dropped question was answered")
		}
		say(s.message("ann", "/forget me"))
		say(s.press("ann", b.last(t), false))
		say(s.message("ann", "/forget me"))
		say(s.press("ann", b.last(t), true))
		if n := s.counted(`SELECT count(*) FROM people`); n != 0 {
			t.Errorf("%d people are left", n)
		}
		if n := s.counted(`SELECT count(*) FROM asks`); n != 0 || len(b.over()) != 3 {
			t.Errorf("%d questions are left, ended %q", n, b.over())
		}
		s.quit()
	})
}

// TestS3ButtonsGoWhenTheQuestionExpires has the network refuse the removal, stops the process before, or neither.
func TestS3ButtonsGoWhenTheQuestionExpires(t *testing.T) {
	for name, tt := range map[string]struct {
		err     error
		restart bool
		ends    int
	}{
		"at once":                      {nil, false, 1},
		"the network is down":          {&channels.SendError{Kind: channels.Temporary, Err: errors.New("down")}, false, 3},
		"the message cannot be edited": {&channels.SendError{Kind: channels.Permanent, Err: errors.New("too old")}, false, 1},
		"in the next process":          {nil, true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				clock := &memorytest.Clock{}
				store := memorytest.OpenAt(t, clock)
				b := &buttons{}
				b.fail = func(what string) error {
					if what == "end" {
						return tt.err
					}
					return nil
				}
				tweak := func(p *persona.Parts) { p.Now = time.Now }
				s := playOn(t, store, clock, withButtons(b, tweak))
				s.hear(s.message("ann", "/forget me"))
				time.Sleep(9 * time.Minute)
				if len(b.over()) != 0 {
					t.Fatal("the buttons went too soon")
				}
				if tt.restart {
					s.quit()
					time.Sleep(time.Hour)
					s = playOn(t, store, clock, withButtons(b, tweak))
				}
				time.Sleep(10 * time.Minute)
				if len(b.over()) != tt.ends || s.counted(`SELECT count(*) FROM asks`) != 0 {
					t.Errorf("ended %q, %d left", b.over(), s.counted(`SELECT count(*) FROM asks`))
				}
				s.quit()
			})
		})
	}
}

// TestS3AQuestionOnTelegram answers one there, twice, while the removal of its buttons fails, and once more when it is over.
func TestS3AQuestionOnTelegram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := playTelegram(t, &echo{}, false)
		s.server.Say(telegramAnn, telegramAnn, "/forget me")
		time.Sleep(5 * time.Second)
		sent := s.server.Sent(telegramAnn)
		if len(sent) != 1 || len(sent[0].Buttons) != 2 {
			t.Fatalf("shown %+v", sent)
		}
		s.server.AddFault(telegramtest.Fault{Method: "editMessageReplyMarkup", Times: 2, Point: telegramtest.Answers, Status: http.StatusInternalServerError, Description: "Internal"})
		yes := sent[0].Buttons[0].Data
		presses := []string{s.server.Press(telegramAnn, telegramAnn, sent[0].ID, "No"), s.server.Press(telegramAnn, telegramAnn, sent[0].ID, "No")}
		time.Sleep(time.Minute)
		presses = append(presses, s.server.PressData(telegramAnn, telegramAnn, sent[0].ID, yes))
		time.Sleep(time.Minute)
		if told, ok := s.server.Told(presses[0]); !ok || told.Text != "" {
			t.Errorf("the first press is answered %+v, %v", told, ok)
		}
		if told, ok := s.server.Told(presses[2]); !ok || !told.Alert || !strings.HasPrefix(told.Text, "This question is over") {
			t.Errorf("the late press is answered %+v, %v", told, ok)
		}
		if sent = s.server.Sent(telegramAnn); len(sent) != 2 || len(sent[0].Buttons) > 0 || s.counted(`SELECT count(*) FROM people`) != 1 {
			t.Errorf("shown %+v", sent)
		}
		s.end()
	})
}

// TestS3AQuestionInAGroup is put to everybody's eyes, and to one person.
func TestS3AQuestionInAGroup(t *testing.T) {
	made, b := 0, &buttons{}
	s, _ := tooled(t, withButtons(b, confirmed(t, &made)), append(slices.Clone(booking), llmtest.Says("It is table 7."))...)
	s.answer(s.group("ann", "Tess, book me a table.", true))
	q := b.last(t)
	if told := s.refused(s.press("ben", q, true)); made != 0 || told != "This question is for somebody else." {
		t.Errorf("%d calls, told %q", made, told)
	}
	if s.answer(s.press("ann", q, true)); made != 1 {
		t.Errorf("%d calls after the press of who was asked", made)
	}
}

// TestS3AQuestionOnDiscord answers one there that a message asked for, and one that a command of the app did, whose answer only the person
// sees.
func TestS3AQuestionOnDiscord(t *testing.T) {
	t.Parallel()
	d := atDiscord(t)
	ann := d.server.Person("ann")
	room := d.server.DM(ann)
	open := func() (ids []string) {
		for _, m := range slices.Concat(d.server.Messages(room), d.server.EphemeralMessages(room, ann)) {
			if len(m.Buttons()) > 0 {
				ids = append(ids, m.ID)
			}
		}
		return ids
	}
	d.server.Say(room, ann, "Hello, I am Ann.")
	answered(t, func() []string { return d.server.Shown(room) }, 1)
	d.server.Say(room, ann, "/forget me")
	d.server.Press(room, answered(t, open, 1)[0], ann, "No")
	answered(t, func() []string {
		return slices.DeleteFunc(d.server.Shown(room), func(text string) bool { return text != "Then nothing is forgotten." })
	}, 1)
	d.server.Use(room, ann, "forget", "me")
	press := d.server.Press(room, answered(t, open, 1)[0], ann, "Yes")
	answered(t, func() []string {
		return slices.DeleteFunc(d.server.Shown(room), func(text string) bool { return !strings.HasPrefix(text, "Forgotten for good") })
	}, 1)
	d.rest()
	if i, _ := d.server.Interaction(press); i.Deferred.IsZero() || i.Told != "" {
		t.Errorf("the press is answered %+v", i)
	}
	if left := open(); len(left) > 0 {
		t.Errorf("the buttons of %q are left", left)
	}
	if n := d.counted(`SELECT count(*) FROM people`); n != 0 {
		t.Errorf("%d people are left", n)
	}
}
