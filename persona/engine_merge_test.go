package persona_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"familiar/channels"
	"familiar/persona/scene"
)

// held is a voice that answers one text only after its release.
type held struct {
	echo
	text           string
	begun, release chan struct{}
	once           sync.Once
}

func (v *held) Reply(ctx context.Context, s scene.Scene, show func(string)) (scene.Reply, error) {
	if s.Incoming[0].Text == v.text {
		v.once.Do(func() { close(v.begun) })
		<-v.release
	}
	return v.echo.Reply(ctx, s, show)
}

// TestW2AnswerDuringAMergeReachesOnlyItsRoom has the asker turn out to be a known person while the
// answer is composed; then a new person writes.
func TestW2AnswerDuringAMergeReachesOnlyItsRoom(t *testing.T) {
	t.Parallel()
	v := &held{text: "this is a secret", begun: make(chan struct{}), release: make(chan struct{})}
	s := play(t, withVoice(v))
	s.say("number", "hello")
	secret, zed := s.message("hidden", v.text), s.message("zed", "good day")
	met := make(chan struct{})
	s.desk.refuse = func(out channels.Outgoing) error {
		if out.Room == zed.Room && out.ReplyTo == zed.ID {
			close(met)
		}
		return nil
	}
	s.hear(secret)
	<-v.begun
	move := s.message("number", "")
	move.Action, move.TargetID = channels.Move, "hidden"
	s.hear(move)
	s.hear(zed)
	<-met
	close(v.release)
	s.rest()
	if said := s.desk.in(zed.Room); len(said) != 1 {
		t.Errorf("zed is told %+v", said)
	}
	if said := s.desk.in(secret.Room); len(said) != 1 || !strings.Contains(said[0].Text, "secret") {
		t.Errorf("who asked is told %+v", said)
	}
	h, _ := s.hearing(zed.Room)
	recent, err := s.store.Recall.Recent(t.Context(), h, 10)
	if err != nil || len(recent) != 2 {
		t.Errorf("in zed's room stands %+v, %v", recent, err)
	}
}
