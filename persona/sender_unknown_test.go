package persona_test

// A8: a reply that could not be sent is not lost without a word. What happens after a send whose outcome is unknown, on a
// network without idempotency keys.

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/memory/memorytest"
	"familiar/persona"
)

// resending is a network without keys on which a reply is worth a double.
type resending struct{ *desk }

func (resending) Limits() channels.Limits { return channels.Limits{Text: 20, ResendUnknown: true} }

// What a send does: it succeeds, is certainly not shown, is asked to wait, or nobody knows.
var (
	accepted error
	down     = &channels.SendError{Kind: channels.Temporary, Err: errors.New("no route to host")}
	limited  = &channels.SendError{Kind: channels.RateLimited, RetryAfter: time.Minute, Err: errors.New("too many requests")}
	unknown  = &channels.SendError{Kind: channels.Ambiguous, Err: errors.New("no answer")}
)

// outcomes has the sends of a desk end as listed, and all further ones succeed. It records when each began.
type outcomes struct {
	mu   sync.Mutex
	list []error
	at   []time.Time
}

func (o *outcomes) next(channels.Outgoing) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.at = append(o.at, time.Now())
	if len(o.at) > len(o.list) {
		return nil
	}
	return o.list[len(o.at)-1]
}

// began returns when each send began.
func (o *outcomes) began() []time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.at)
}

// succeed ends the list.
func (o *outcomes) succeed() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list = nil
}

func TestA8AnUnknownOutcomeIsSentOnceMore(t *testing.T) {
	for name, tc := range map[string]struct {
		said        string
		list        []error
		tries, dead int
	}{
		"once unknown":                    {"hi", []error{unknown}, 2, 0},
		"twice unknown":                   {"hi", []error{unknown, unknown}, 2, 1},
		"not shown before":                {"hi", []error{down, down, unknown}, 4, 0},
		"not shown in between":            {"hi", []error{unknown, down, unknown}, 3, 1},
		"limited in between":              {"hi", []error{unknown, limited, limited, accepted}, 4, 0},
		"limited in between, and unknown": {"hi", []error{unknown, limited, limited, unknown}, 4, 1},
		"each chunk":                      {"one two three four five six", []error{unknown, accepted, unknown, accepted}, 4, 0},
		"a chunk twice":                   {"one two three four five six", []error{unknown, accepted, unknown, unknown}, 4, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := play(t, func(p *persona.Parts) {
					p.Voice, p.Now, p.Channels = &echo{}, time.Now, []channels.Channel{resending{p.Channels[0].(*desk)}}
				})
				sends := &outcomes{list: tc.list}
				s.desk.refuse = sends.next
				s.hear(s.message("ann", tc.said))
				time.Sleep(time.Hour)
				if len(sends.began()) != tc.tries || s.dead() != tc.dead {
					t.Errorf("tried %d times, %d dead letters, want %d and %d", len(sends.began()), s.dead(), tc.tries, tc.dead)
				}
				for i, err := range tc.list {
					if errors.Is(err, unknown) && i+1 < len(sends.began()) {
						if pause := sends.began()[i+1].Sub(sends.began()[i]); pause < time.Second || pause > 5*time.Second {
							t.Errorf("sent once more after %s", pause)
						}
					}
				}
				s.quit()
			})
		})
	}
}

// TestA8ADeadLetterOfAnUnknownOutcomeIsNamed lets the next reply pass, and keeps the cause for the operator.
func TestA8ADeadLetterOfAnUnknownOutcomeIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := play(t, func(p *persona.Parts) {
			p.Voice, p.Now, p.Channels = &echo{}, time.Now, []channels.Channel{resending{p.Channels[0].(*desk)}}
		})
		s.desk.refuse = (&outcomes{list: []error{unknown, unknown}}).next
		s.hear(s.message("ann", "one"))
		time.Sleep(time.Second)
		s.hear(s.message("ann", "two"))
		time.Sleep(time.Minute)
		var said []string
		for _, out := range s.desk.in(channels.Room{Channel: "desk", ID: "ann"}) {
			said = append(said, out.Text)
		}
		dead, err := s.store.Log.DeadLetters(t.Context(), "tess")
		if err != nil || len(dead) != 1 || !strings.Contains(dead[0].LastError, "ambiguous: no answer") {
			t.Errorf("dead letters %+v, %v", dead, err)
		}
		if !slices.Equal(said, []string{"heard: two"}) {
			t.Errorf("said %q", said)
		}
		s.quit()
	})
}

// TestA8AnUnknownOutcomeIsRememberedAcrossARestart stops the process between the two sends, and during the first.
func TestA8AnUnknownOutcomeIsRememberedAcrossARestart(t *testing.T) {
	for name, tc := range map[string]struct {
		stopDuring bool
		second     error
		dead       int
	}{
		"stopped between, then shown":     {false, accepted, 0},
		"stopped between, then unknown":   {false, unknown, 1},
		"stopped during one, then shown":  {true, accepted, 0},
		"stopped during one, and unknown": {true, unknown, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				clock := new(memorytest.Clock)
				store := memorytest.OpenAt(t, clock)
				begin := func(first error, during func()) (*stage, *outcomes) {
					sends := &outcomes{list: []error{first, unknown}}
					s := playOn(t, store, clock, func(p *persona.Parts) {
						d := p.Channels[0].(*desk)
						p.Voice, p.Now, p.Channels = &echo{}, time.Now, []channels.Channel{resending{d}}
						d.refuse = func(out channels.Outgoing) error {
							during()
							return sends.next(out)
						}
					})
					return s, sends
				}
				var s *stage
				s, sends := begin(unknown, func() {
					if tc.stopDuring {
						s.stop()
					}
				})
				s.hear(s.message("ann", "hi"))
				time.Sleep(time.Second)
				s.quit()
				if len(sends.began()) != 1 || s.dead() != 0 {
					t.Fatalf("before the restart: tried %d times, %d dead letters", len(sends.began()), s.dead())
				}
				s, sends = begin(tc.second, func() {})
				time.Sleep(time.Hour)
				if len(sends.began()) != 1 || s.dead() != tc.dead {
					t.Errorf("after the restart: tried %d times, %d dead letters, want 1 and %d", len(sends.began()), s.dead(), tc.dead)
				}
				s.quit()
			})
		})
	}
}
