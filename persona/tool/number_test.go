package tool

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

var numeric = json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer"},"sum":{"type":"number","maximum":1e300},"ref":{"type":"string"},
	"kind":{"enum":[1,12345678901234567]},"list":{"type":"array","items":{"type":"integer"}},"in":{"type":"object","properties":{"id":{"type":"integer"}}}}}`)

func numericTool() scripted {
	return scripted{Spec{Name: "pay", Description: "d", Parameters: numeric, Default: Allow}, echo}
}

// TestS4NumbersKeepTheirDigits gives numbers that no float64 holds.
func TestS4NumbersKeepTheirDigits(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"id":12345678901234567}`:                             `{"id":12345678901234567}`,
		`{"id":-98765432109876543210987}`:                      `{"id":-98765432109876543210987}`,
		`{"id":"12345678901234567"}`:                           `{"id":12345678901234567}`,
		`{"id":["+12_345_678_901_234_567"]}`:                   `{"id":12345678901234567}`,
		`{"id":"00012345678901234567"}`:                        `{"id":12345678901234567}`,
		"```json\n{id: 12345678901234567,}\n```":               `{"id":12345678901234567}`,
		`"{\"id\":12345678901234567}"`:                         `{"id":12345678901234567}`,
		`{"id":1.2345678901234567e16}`:                         `{"id":12345678901234567}`,
		`{"id":12345678901234567.0}`:                           `{"id":12345678901234567}`,
		`{"sum":0.1000000000000000055511}`:                     `{"sum":0.1000000000000000055511}`,
		`{"sum":".5"}`:                                         `{"sum":0.5}`,
		`{"ref":12345678901234567}`:                            `{"ref":"12345678901234567"}`,
		`{"ref":1.0}`:                                          `{"ref":"1.0"}`,
		`{"kind":12345678901234567}`:                           `{"kind":12345678901234567}`,
		`{"list":[12345678901234567,"12345678901234569",5.0]}`: `{"list":[12345678901234567,12345678901234569,5]}`,
		`{"list":"[12345678901234567]"}`:                       `{"list":[12345678901234567]}`,
		`{"in":{"id":12345678901234567}}`:                      `{"in":{"id":12345678901234567}}`,
		`{"in":"{\"id\":12345678901234567}"}`:                  `{"in":{"id":12345678901234567}}`,
		`{"other":{"id":12345678901234567}}`:                   `{"other":{"id":12345678901234567}}`,
		`{"other":1e-999999999}`:                               `{"other":1e-999999999}`,
	} {
		if got := runnerOf(t, Rules{}, numericTool()).one("pay", arguments); got.Err != nil || got.Text != want {
			t.Errorf("%s became %q, %v; want %s", arguments, got.Text, got.Err, want)
		}
	}
}

func TestNumbersThatDoNotFitAreTold(t *testing.T) {
	for _, arguments := range []string{
		`{"id":5.5}`, `{"id":12345678901234567.5}`, `{"id":1e400}`, `{"id":"0x10"}`, `{"id":"+"}`, `{"id":"e5"}`, `{"id":"NaN"}`, `{"sum":1e301}`, `{"sum":"Infinity"}`, `{"in":{"id":0.5}}`,
		`{"kind":2}`,
	} {
		if got := runnerOf(t, Rules{}, numericTool()).one("pay", arguments); got.Err == nil || !strings.Contains(got.Text, "pay needs") && !strings.Contains(got.Text, "are wrong") {
			t.Errorf("%s is taken: %q", arguments, got.Text)
		}
	}
}

// TestACallWrittenTwiceIsOne writes the same number in two ways.
func TestACallWrittenTwiceIsOne(t *testing.T) {
	r := runnerOf(t, Rules{}, numericTool())
	if got := r.one("pay", `{"id":1000}`); got.Err != nil {
		t.Fatal(got.Err)
	}
	if got := r.one("pay", `{"id":1e3}`); !errors.Is(got.Err, errRepeated) {
		t.Errorf("made again: %+v", got)
	}
}

// TestAToolThatIsGivenUpMayAskForItsHelper asks for it while the runner makes other calls. The race detector watches.
func TestAToolThatIsGivenUpMayAskForItsHelper(t *testing.T) {
	free, ended := make(chan struct{}), make(chan int)
	late := wideTool("late", func(_ context.Context, u Use) (Result, error) {
		<-free
		ended <- u.Helper(2).limits.Calls
		return Result{}, nil
	})
	late.Spec_.Timeout = time.Millisecond
	r := runnerOf(t, Rules{}, late, wideTool("web_search", echo))
	r.limits.Calls = 4
	if got := r.one("late", `{"query":"x"}`); got.Err == nil {
		t.Fatal("it was not given up")
	}
	close(free)
	r.one("web_search", `{"query":"x"}`)
	r.one("web_search", `{"query":"y"}`)
	if calls := <-ended; calls != 2 {
		t.Errorf("the helper may make %d calls, want the 2 of those that were left when the tool was called", calls)
	}
}

// TestS16AHelperThatIsGivenUpCountsWhole gives up a tool that has a helper: what the helper may still call is taken off the answer's.
func TestS16AHelperThatIsGivenUpCountsWhole(t *testing.T) {
	asked := make(chan struct{})
	helped := wideTool("helped", func(ctx context.Context, u Use) (Result, error) {
		u.Helper(5)
		close(asked)
		<-ctx.Done()
		return Result{}, ctx.Err()
	})
	helped.Spec_.Timeout = 50 * time.Millisecond
	r := runnerOf(t, Rules{}, helped)
	r.one("helped", `{"query":"x"}`)
	<-asked
	if r.calls != 6 {
		t.Errorf("%d calls count, want the tool's and 5 of its helper", r.calls)
	}
}
