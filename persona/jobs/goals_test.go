package jobs_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory/belief"
	"familiar/persona/jobs"
)

// pursue runs the goals job once.
func (w *world) pursue() jobs.GoalsResult {
	w.t.Helper()
	done, err := w.night.GoalsOnce(w.t.Context(), w.run("goals"), w.clock.Now())
	if err != nil {
		w.t.Fatal(err)
	}
	return done
}

// followed returns the texts of the open loops of a kind that may be mentioned to a person in a room.
func (w *world) followed(room, who, kind string) (texts []string) {
	w.t.Helper()
	loops, err := w.Beliefs.TrackedLoops(w.t.Context(), w.hearing(room), w.person(who), kind)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, l := range loops {
		texts = append(texts, l.Text)
	}
	slices.Sort(texts)
	return texts
}

func (w *world) goal(room, who string) belief.TrackedLoop {
	w.t.Helper()
	goals, err := w.Beliefs.TrackedLoops(w.t.Context(), w.hearing(room), w.person(who), belief.LoopGoal)
	if err != nil || len(goals) != 1 {
		w.t.Fatalf("goals of %s: %+v, %v", who, goals, err)
	}
	return goals[0]
}

// forget forgets a message.
func (w *world) forget(message int64) {
	w.t.Helper()
	ids, err := w.Log.MemoriesFromMessages(w.t.Context(), []int64{message})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, id := range ids {
		if _, err := w.Eraser.Forget(w.t.Context(), id); err != nil {
			w.t.Fatal(err)
		}
	}
}

func TestAGoalIsFollowedToItsEnd(t *testing.T) {
	w := newWorld(t)
	w.say("", "ann", "I want to write a novel.")
	w.rest(24 * time.Hour)
	if done := w.pursue(); done.Set != 1 {
		t.Fatalf("set %+v", done)
	}
	w.say("", "ann", "I finished chapter 3 today.")
	w.say("", "ann", "My novel is on my mind all day.")
	w.rest(24 * time.Hour)
	w.pursue()
	if g := w.goal("ann", "ann"); g.Text != "writing a novel" || g.Steps != 1 || g.Mentions != 2 || !g.Last.After(g.Created) {
		t.Errorf("on the way: %+v", g)
	}
	w.say("", "ann", "I finished my novel!")
	w.rest(24 * time.Hour)
	if done := w.pursue(); done.Reached != 1 {
		t.Errorf("at the end: %+v", done)
	}
	if left := w.followed("ann", "ann", belief.LoopGoal); len(left) != 0 {
		t.Errorf("still after %q", left)
	}
}

func TestAReportedSuccessReachesTheGoal(t *testing.T) {
	w := newWorld(t)
	w.say("", "ann", "I want to run a marathon.")
	w.pursue()
	w.replies["ann"] = "How is running a marathon coming along?"
	w.say("", "ann", "Hello!")
	w.say("", "ann", "I did it")
	if done := w.pursue(); done.Reached != 1 {
		t.Errorf("asked after it: %+v", done)
	}
}

func TestAGoalBecomesAnother(t *testing.T) {
	w := newWorld(t)
	first := w.say("", "ann", "I want to learn the guitar.")
	w.pursue()
	second := w.say("", "ann", "I want to teach the guitar.")
	w.pursue()
	if got := w.followed("ann", "ann", belief.LoopGoal); !slices.Equal(got, []string{"teaching the guitar"}) {
		t.Fatalf("evolved into %q", got)
	}
	if rows := w.query(`SELECT a.text || ' > ' || b.text FROM open_loops a JOIN open_loops b ON b.id = a.evolved_into`); rows !=
		"learning the guitar > teaching the guitar\n" {
		t.Errorf("evolved: %q", rows)
	}
	// Without its successor, the first goal is restored.
	w.forget(second)
	if got := w.followed("ann", "ann", belief.LoopGoal); !slices.Equal(got, []string{"learning the guitar"}) {
		t.Errorf("after forgetting what it became: %q", got)
	}
	w.forget(first)
	if got := w.query(`SELECT text FROM open_loops`); got != "" {
		t.Errorf("left of what was forgotten: %q", got)
	}
}

func TestAGoalIsForgottenWithItsMessage(t *testing.T) {
	w := newWorld(t)
	named := w.say("", "ann", "I want to restore a wooden boat.")
	w.say("", "ann", "The boat needs a new mast.")
	w.pursue()
	if g := w.goal("ann", "ann"); g.Mentions != 2 {
		t.Fatalf("received of %+v", g)
	}
	w.forget(named)
	if got := w.query(`SELECT text FROM open_loops`); got != "" {
		t.Errorf("its words live on: %q", got)
	}
}

func TestForgottenMessagesYieldNoGoal(t *testing.T) {
	w := newWorld(t)
	w.forget(w.say("", "ann", "I want to learn Spanish."))
	if done := w.pursue(); done.Set != 0 {
		t.Errorf("%+v", done)
	}
}

func TestGoalsKeepTheirAudience(t *testing.T) {
	w := newWorld(t)
	w.say("", "ann", "I want to quit smoking.")
	w.say("club", "ann", "I want to learn Spanish.")
	w.say("club", "bob", "I want to build a shed.")
	w.say("", "bob", "hello")
	w.pursue()
	for _, tt := range []struct {
		room, who string
		want      []string
	}{
		{"ann", "ann", []string{"learning Spanish", "quitting smoking"}},
		{"club", "ann", []string{"learning Spanish"}},
		{"club", "bob", []string{"building a shed"}},
		{"bob", "ann", []string{"learning Spanish"}},
	} {
		if got := w.followed(tt.room, tt.who, belief.LoopGoal); !slices.Equal(got, tt.want) {
			t.Errorf("in %s of %s: %q, want %q", tt.room, tt.who, got, tt.want)
		}
	}
}

func TestGoalsReadNothingTwice(t *testing.T) {
	w := newWorld(t)
	w.say("", "ann", "I want to learn Spanish.")
	w.say("club", "bob", "The weather is fine.")
	w.pursue()
	before := w.all()
	if done := w.pursue(); done != (jobs.GoalsResult{}) {
		t.Errorf("a second run: %+v", done)
	}
	if after := w.all(); after != before {
		t.Error("a run with nothing new wrote something")
	}
}

func TestAGoalsRunIsReverted(t *testing.T) {
	w := newWorld(t)
	w.say("", "ann", "I want to learn Spanish.")
	w.pursue()
	if rows := strings.TrimSpace(w.query(`SELECT DISTINCT job_run_id FROM open_loop_sources`)); rows != "1" {
		t.Errorf("sources carry run %q", rows)
	}
}

// all returns everything that goals, curiosity and growth write.
func (w *world) all() string {
	return w.query(`SELECT 'loop ' || id || text || status || coalesce(closed_at, 0) FROM open_loops
		UNION ALL SELECT 'source ' || loop_id || kind || message_id || coalesce(job_run_id, 0) FROM open_loop_sources
		UNION ALL SELECT 'mark ' || job || audience || ref || memory_id || job_run_id FROM job_marks
		UNION ALL SELECT 'growth ' || version || state FROM growth UNION ALL SELECT 'memory ' || id FROM memories ORDER BY 1`)
}
