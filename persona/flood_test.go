package persona_test

// S16: a flood is answered at a bounded rate, and nothing of it is lost.

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/internal/llm"
	"familiar/memory/budget"
	"familiar/memory/memorytest"
	"familiar/persona"
)

// perMinute is the rate of the tests.
const perMinute = 20

// flood plays on virtual time and sends what make returns, 10 messages a second for a minute.
func flood(t *testing.T, tweak func(*persona.Parts), say func(s *stage, i int) channels.Message) (s *stage, answered int) {
	s = play(t, func(p *persona.Parts) {
		p.Voice, p.Now, p.Settings.AnswersPerMinute = &echo{}, time.Now, perMinute
		if tweak != nil {
			tweak(p)
		}
	})
	for i := range 600 {
		m := say(s, i)
		m.At = time.Now()
		s.hear(m)
		time.Sleep(100 * time.Millisecond)
	}
	synctest.Wait()
	s.desk.mu.Lock()
	answered = len(s.desk.sent)
	s.desk.mu.Unlock()
	return s, answered
}

// stored counts the messages of everybody but the persona.
func (s *stage) stored() (n int) {
	s.t.Helper()
	db := memorytest.SQL(s.t, s.store.Path())
	defer db.Close()
	if err := db.QueryRow(`SELECT count(*) FROM messages WHERE person_id IS NOT NULL`).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

func TestS16AFloodIsAnsweredAtABoundedRate(t *testing.T) {
	for name, c := range map[string]struct {
		say func(s *stage, i int) channels.Message
		// kept is whether the messages become part of the talk.
		kept bool
	}{
		"one person": {func(s *stage, i int) channels.Message { return s.message("eve", fmt.Sprintf("spam %d", i)) }, true},
		"a group": {func(s *stage, i int) channels.Message {
			return s.group(fmt.Sprintf("eve%d", i%7), fmt.Sprintf("@tess spam %d", i), true)
		}, true},
		"commands": {func(s *stage, _ int) channels.Message { return s.message("eve", "/help") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, answered := flood(t, nil, c.say)
				if most := 2 * perMinute; answered > most || answered < perMinute {
					t.Errorf("600 messages in a minute got %d answers, at most %d are allowed", answered, most)
				}
				if c.kept {
					s.rest()
					if n := s.stored(); n != 600 {
						t.Errorf("%d of 600 messages are stored", n)
					}
				}
				s.quit()
			})
		})
	}
}

// TestS16AFloodIsToldOfOnce: a room that is written to too fast is told so once, and again only when it was calm in between.
func TestS16AFloodIsToldOfOnce(t *testing.T) {
	const notice = "Too many messages at once"
	synctest.Test(t, func(t *testing.T) {
		notices := func(s *stage) (n int) {
			for _, said := range s.desk.in(s.message("eve", "").Room) {
				if strings.Contains(said.Text, notice) {
					n++
				}
			}
			return n
		}
		s, answered := flood(t, nil, func(s *stage, i int) channels.Message { return s.message("eve", fmt.Sprintf("spam number %d", i)) })
		if n := notices(s); n != 1 || answered > 2*perMinute {
			t.Fatalf("she is told %d times, with %d answers", n, answered)
		}
		time.Sleep(5 * time.Minute)
		for i := range 600 {
			m := s.message("eve", fmt.Sprintf("more spam %d", i))
			m.At = time.Now()
			s.hear(m)
			time.Sleep(100 * time.Millisecond)
		}
		synctest.Wait()
		if n := notices(s); n != 2 {
			t.Errorf("after a calm she was told %d times in all", n)
		}
		m := s.message("ann", "hello")
		m.At = time.Now()
		s.hear(m)
		synctest.Wait()
		for _, said := range s.desk.in(m.Room) {
			if strings.Contains(said.Text, notice) {
				t.Error("Ann is told of Eve's flood")
			}
		}
		s.quit()
	})
}

// TestS16AFloodDoesNotSlowOthers: another room is answered at once.
func TestS16AFloodDoesNotSlowOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := flood(t, nil, func(s *stage, i int) channels.Message { return s.message("eve", fmt.Sprintf("spam %d", i)) })
		m := s.message("ann", "hello")
		m.At = time.Now()
		s.hear(m)
		synctest.Wait()
		if n := s.desk.count(m.Room); n != 1 {
			t.Errorf("Ann got %d answers", n)
		}
		s.quit()
	})
}

// TestS16AFullRoomCapStopsCallsInThatRoom: the model is not asked there any more, for whoever speaks, and elsewhere it is.
func TestS16AFullRoomCapStopsCallsInThatRoom(t *testing.T) {
	m := llm.Script(llm.Step{Text: "One."}, llm.Step{Text: "Two."}, llm.Step{Text: "Three."})
	s := play(t, func(p *persona.Parts) {
		informed(p, m, budget.Caps{RoomDay: budget.Amount{Tokens: 1}})
		p.Settings.AnswersPerMinute = 0
	})
	s.answer(s.group("ann", "@tess hello", true))
	s.answer(s.group("bob", "@tess hello", true))
	s.say("ann", "Hello.")
	if n := len(m.Prompts()); n != 0 {
		t.Errorf("%d calls above the cap of their room", n)
	}
}

// TestS16AnIdleHourAsksNoModel: without anybody speaking nothing is asked.
func TestS16AnIdleHourAsksNoModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := llm.Script(llm.Step{Text: "Hello."}, llm.Step{Text: "Why?"})
		s := play(t, func(p *persona.Parts) {
			p.Now = time.Now
			informed(p, m, budget.Caps{})
		})
		s.say("ann", "Hello.")
		before := len(m.Prompts())
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := len(m.Prompts()); n != before || before != 1 {
			t.Errorf("%d calls for one message, %d after an idle hour", before, n)
		}
		for _, p := range m.Prompts() {
			if p.MaxTokens <= 0 {
				t.Errorf("prompt %s has no limit on its answer", p.Name)
			}
		}
		s.quit()
	})
}
