package persona_test

// T3, A8: after an outage a reply is sent within seconds, and a wait that the network asked for is kept.

import (
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
	"familiar/persona"
)

func TestT3AReplyIsSentAsSoonAsTheNetworkIsBack(t *testing.T) {
	for name, tc := range map[string]struct {
		failure error
		atOnce  bool
	}{
		"unreachable": {down, true},
		"limited":     {limited, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := play(t, func(p *persona.Parts) { p.Voice, p.Now = &echo{}, time.Now })
				sends := &outcomes{list: make([]error, 1000)}
				for i := range sends.list {
					sends.list[i] = tc.failure
				}
				s.desk.refuse = sends.next
				m := s.message("ann", "hi")
				s.hear(m)
				time.Sleep(3*time.Hour + 10*time.Second)
				before := len(sends.began())
				s.engine.Reachable("other", true)
				synctest.Wait()
				if len(sends.began()) != before {
					t.Error("sent when another network was back")
				}
				s.engine.Reachable("desk", true)
				synctest.Wait()
				if sent := len(sends.began()) > before; sent != tc.atOnce {
					t.Errorf("sent at once %v, want %v", sent, tc.atOnce)
				}
				before = len(sends.began())
				time.Sleep(10 * time.Second)
				if len(sends.began()) != before {
					t.Error("sent again and again")
				}
				sends.succeed()
				s.engine.Reachable("desk", true)
				synctest.Wait()
				if shown := s.desk.count(m.Room) == 1; shown != tc.atOnce {
					t.Errorf("shown %v, want %v", shown, tc.atOnce)
				}
				s.quit()
			})
		})
	}
}

// TestA8OneMoreSendWaitsForTheNetwork until its return, or for five minutes.
func TestA8OneMoreSendWaitsForTheNetwork(t *testing.T) {
	for name, tc := range map[string]struct {
		outage, after time.Duration
	}{
		"no outage":        {0, 3 * time.Second},
		"a short one":      {time.Second, 3 * time.Second},
		"a minute":         {time.Minute, time.Minute},
		"known to be long": {time.Hour, 5*time.Minute + 3*time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := play(t, func(p *persona.Parts) {
					p.Voice, p.Now, p.Channels = &echo{}, time.Now, []channels.Channel{resending{p.Channels[0].(*desk)}}
				})
				sends := &outcomes{list: []error{unknown}}
				s.desk.refuse = sends.next
				s.hear(s.message("ann", "hi"))
				synctest.Wait()
				if tc.outage > 0 {
					s.engine.Reachable("desk", false)
					time.Sleep(tc.outage)
				}
				s.engine.Reachable("desk", true)
				time.Sleep(time.Hour)
				if len(sends.began()) != 2 || sends.began()[1].Sub(sends.began()[0]) != tc.after {
					t.Errorf("sent at %v, want one more after %s", sends.began(), tc.after)
				}
				s.quit()
			})
		})
	}
}
