package gate_test

import (
	"testing"

	"familiar/channels"
	"familiar/channels/gate"
)

// TestWhoPausedThePersonaIsIgnored checks that only what adds nothing passes.
func TestWhoPausedThePersonaIsIgnored(t *testing.T) {
	p := gate.Policy{Direct: gate.Anyone, Default: gate.Group{Mode: gate.Open}}
	for action, want := range map[channels.Action]gate.Verdict{channels.Post: gate.Ignore, channels.Edit: gate.Ignore, channels.Delete: gate.Pass} {
		for _, direct := range []bool{true, false} {
			f := gate.Facts{Message: channels.Message{Action: action, Direct: direct, Addressed: true}, Paused: true, Known: true}
			if got := p.Judge(f); got != want {
				t.Errorf("action %v, direct %v: %v, want %v", action, direct, got, want)
			}
		}
	}
}
