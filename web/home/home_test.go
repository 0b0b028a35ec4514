package home_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"familiar/web/home"
	"familiar/web/layout"
	"familiar/web/webtest"
)

// start is the time of the tests' clock when they begin: that of a synctest bubble.
var start = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

func newSite(p *home.Pages) http.Handler {
	shell := &layout.Shell{
		Personas: func() []layout.Persona { return []layout.Persona{{Key: "vela", Name: "Vela"}} },
		Now:      time.Now, Zone: time.UTC, Log: slog.New(slog.DiscardHandler),
	}
	p.Now = time.Now
	p.Mount(shell)
	return shell
}

func TestPageSaysWhatRunsAndWaits(t *testing.T) {
	t.Parallel()
	site := newSite(&home.Pages{
		Overview: func(context.Context) (home.Overview, error) {
			return home.Overview{
				Running: "familiar run", Since: start, Version: "v1.2", Problems: []string{"the disk is full"}, Next: "read `familiar doctor`",
				Personas: []home.Persona{{Key: "vela", Name: "Vela <i>", Voice: "model voice: ollama llama"}},
				Networks: []home.Network{{Name: "telegram", State: "refused", Account: "@bot", Problem: "the token is revoked", NextStep: "ask BotFather", Unsent: 3, Dead: 4}},
				Queues:   home.Queues{Waiting: 11, Unsent: 12, Dead: 6, Unanswered: 7}, Database: 3 << 20,
				Jobs:   []home.Job{{Name: "dream", Last: start, Ended: "failed", Next: start.Add(time.Hour)}, {Name: "learn", Needs: "a model"}},
				Spent:  home.Spent{Tokens: 12345, Dollars: 0.5},
				Limits: []home.Limit{{Name: "tokens_per_day", Used: "900", Of: "1000", Share: 0.9}},
			}, nil
		},
		Glance: func(context.Context) []home.Finding {
			return []home.Finding{{Check: "backup", Text: "there is none", NextStep: "make one", Stops: true}}
		},
	})
	a := webtest.Get(t, site, webtest.Operator, "/")
	for _, says := range []string{
		"“familiar run” v1.2 serves this home, since 1 Jan 2000 00:00", "not ready the disk is full", "first read familiar doctor", "Vela <i> model voice: ollama llama",
		"telegram refused @bot the token is revoked → ask BotFather 3 to send, 4 dead letters", "11 messages wait", "12 replies wait", "13 were given up",
		"12,345 tokens today, $0.50", "3.0 MiB of memory", "dream 1 Jan 2000 00:00 failed 1 Jan 2000 01:00", "learn never needs a model", "tokens_per_day 900 1000 90 %",
		"problem backup there is none → make one",
	} {
		if !strings.Contains(a.Text, says) {
			t.Errorf("the page does not say %q:\n%s", says, a.Text)
		}
	}
	if strings.Contains(a.Body, "Vela <i>") {
		t.Error("a name is not escaped")
	}
	if strings.Contains(webtest.Get(t, site, webtest.Viewer, "/").Body, `action="/check"`) {
		t.Error("a viewer is offered the check")
	}
}

// TestSlowChecksHoldUpNobody has a check that takes a minute, which many ask for.
func TestSlowChecksHoldUpNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var looks atomic.Int32
		site := newSite(&home.Pages{
			Overview: func(context.Context) (home.Overview, error) { return home.Overview{}, nil },
			Glance: func(ctx context.Context) []home.Finding {
				looks.Add(1)
				select {
				case <-time.After(30 * time.Second):
				case <-ctx.Done():
				}
				return []home.Finding{{Text: "a slow finding"}}
			},
		})
		for range 5 {
			asked := time.Now()
			if a := webtest.Get(t, site, webtest.Operator, "/"); !strings.Contains(a.Text, "Being checked") {
				t.Errorf("the page says %s", a.Text)
			}
			if took := time.Since(asked); took > 100*time.Millisecond {
				t.Errorf("the page took %v", took)
			}
		}
		time.Sleep(time.Minute)
		for range 3 {
			if a := webtest.Get(t, site, webtest.Operator, "/"); !strings.Contains(a.Text, "a slow finding") {
				t.Errorf("the page says %s", a.Text)
			}
		}
		if n := looks.Load(); n != 1 {
			t.Errorf("looked %d times", n)
		}
		time.Sleep(10 * time.Minute)
		webtest.Get(t, site, webtest.Operator, "/")
		time.Sleep(time.Minute)
		if n := looks.Load(); n != 2 {
			t.Errorf("after ten minutes it looked %d times", n)
		}
	})
}

func TestCheckLooksAtEverything(t *testing.T) {
	t.Parallel()
	site := newSite(&home.Pages{
		Overview: func(context.Context) (home.Overview, error) { return home.Overview{}, nil },
		Glance:   func(context.Context) []home.Finding { return nil },
		Check:    func(context.Context) []home.Finding { return []home.Finding{{Text: "the model is deaf"}} },
	})
	if a := webtest.Follow(t, site, webtest.Operator, "/check", nil); !strings.Contains(a.Text, "What they found is below") || !strings.Contains(a.Text, "the model is deaf") {
		t.Errorf("the page says %s", a.Text)
	}
}

func TestBrokenOverviewIsAnErrorPage(t *testing.T) {
	t.Parallel()
	site := newSite(&home.Pages{Overview: func(context.Context) (home.Overview, error) { return home.Overview{}, errors.New("boom") }})
	if a := webtest.Get(t, site, webtest.Operator, "/"); a.Status != http.StatusInternalServerError || strings.Contains(a.Body, "boom") {
		t.Errorf("%d: %s", a.Status, a.Text)
	}
}
