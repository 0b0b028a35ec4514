package mind_test

import (
	"testing"
	"time"

	"familiar/memory/understand"
	"familiar/persona/mind"
)

func TestToward(t *testing.T) {
	goals := []mind.Goal{{Text: "writing a novel"}, {Text: "running a marathon"}, {Text: "learning the guitar"}, {Text: "passing my driving test"}}
	for _, tt := range []struct {
		said  string
		asked int
		which int
		how   mind.Progress
	}{
		{"I finished my novel!", -1, 0, mind.GoalReached},
		{"I finished the third chapter of my novel", -1, 0, mind.GoalStep},
		{"finished chapter 3", -1, 0, mind.GoalStep},
		{"my novel is driving me mad", -1, 0, mind.GoalAgain},
		{"Should I give up on the novel?", -1, 0, mind.GoalAgain},
		{"I haven't finished my novel", -1, 0, mind.GoalAgain},
		{"ran 10k today", -1, 1, mind.GoalStep},
		{"I ran 12 km this morning", -1, 1, mind.GoalStep},
		{"I ran the marathon!", -1, 1, mind.GoalReached},
		{"I hope I finish the marathon", -1, 1, mind.GoalAgain},
		{"learned a new song today", -1, 2, mind.GoalStep},
		{"I practised the guitar for an hour", -1, 2, mind.GoalStep},
		{"I passed my driving test", -1, 3, mind.GoalReached},
		{"I did it!", 3, 3, mind.GoalReached},
		{"I did it!", -1, -1, mind.NoProgress},
		{"I did it!", 17, -1, mind.NoProgress},
		{"I will have finished chapter 3 by May", -1, -1, mind.NoProgress},
		{"I finished my soup", -1, -1, mind.NoProgress},
		{"Is chapter 3 finished?", -1, -1, mind.NoProgress},
		{"", 0, -1, mind.NoProgress},
	} {
		r := understand.Analyze(understand.Utterance{Text: tt.said, At: now})
		if which, how := mind.Toward(goals, tt.said, r, tt.asked); which != tt.which || how != tt.how {
			t.Errorf("%q: %q of goal %d, want %q of %d", tt.said, how, which, tt.how, tt.which)
		}
	}
	two := []mind.Goal{{Text: "writing a novel"}, {Text: "finishing my thesis"}}
	if which, how := mind.Toward(two, "finished chapter 3", understand.Analysis{}, -1); which != -1 {
		t.Errorf("%q of goal %d, though either could be meant", how, which)
	}
	if which, how := mind.Toward(nil, "finished chapter 3", understand.Analysis{}, 0); which != -1 || how != mind.NoProgress {
		t.Errorf("%q of goal %d of none", how, which)
	}
}

func TestGoalsChange(t *testing.T) {
	for _, tt := range []struct {
		old, is       string
		same, evolved bool
	}{
		{"learning the guitar", "learning guitar", true, false},
		{"learning the guitar", "writing songs on the guitar", false, true},
		{"building a boat", "sailing the boat", false, true},
		{"writing songs on the guitar", "learning the guitar", false, false},
		{"learning Spanish", "learning French", false, false},
		{"running a marathon", "writing a novel", false, false},
		{"", "writing a novel", false, false},
		{"", "", false, false},
	} {
		if same, evolved := mind.SameGoal(tt.old, tt.is), mind.Evolves(tt.old, tt.is); same != tt.same || evolved != tt.evolved {
			t.Errorf("%q to %q: same %v, evolved %v", tt.old, tt.is, same, evolved)
		}
	}
}

func TestAGoalGrowsStaleAndLessUrgent(t *testing.T) {
	g := mind.Goal{Text: "learning the guitar", Touched: now, Mentions: 3, Steps: 1}
	if g.Stale(now.Add(14*24*time.Hour-time.Second)) || !g.Stale(now.AddDate(0, 0, 14)) {
		t.Error("a goal is stale after 14 days")
	}
	last := 2.0
	for day := range 400 {
		p := g.Priority(now.AddDate(0, 0, day))
		if p < 0 || p > 1 || p >= last {
			t.Fatalf("priority %v on day %d after %v", p, day, last)
		}
		last = p
	}
	more := g
	more.Steps++
	if more.Priority(now) <= g.Priority(now) {
		t.Error("a step makes no difference")
	}
}
