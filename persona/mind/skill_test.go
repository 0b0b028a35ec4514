package mind_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"familiar/persona/mind"
)

// practised returns one session the given number of days ago.
func practised(days float64, successes, failures int) mind.Practice {
	return mind.Practice{At: now.Add(-time.Duration(days * 24 * float64(time.Hour))), Successes: successes, Failures: failures}
}

func TestSkilled(t *testing.T) {
	half := math.Exp2(-1)
	for _, tt := range []struct {
		name    string
		history []mind.Practice
		want    float64
		trend   mind.Trend
	}{
		{"never", nil, 0.5, mind.Fresh},
		{"once", []mind.Practice{practised(0, 1, 0)}, 0.5 + 1.0/3/2, mind.Fresh},
		{"failed once", []mind.Practice{practised(0, 0, 1)}, 0.5 - 0.7/2.7/2, mind.Fresh},
		{"two weeks ago it counts half", []mind.Practice{practised(14, 4, 0)}, 0.5 + 4*half/(4*half+2)/2, mind.Fresh},
		{
			"not for 44 days: half the way back",
			[]mind.Practice{practised(44, 8, 0)},
			0.5 + 8*math.Exp2(-44.0/14)/(8*math.Exp2(-44.0/14)+2)/2/2, mind.Fresh,
		},
		{"not yet done", []mind.Practice{practised(-1, 5, 0)}, 0.5, mind.Fresh},
	} {
		got := mind.Skilled(tt.history, now)
		if math.Abs(got.Confidence-tt.want) > 1e-9 || got.Trend != tt.trend {
			t.Errorf("%s: %+v, want %.4f and %s", tt.name, got, tt.want, tt.trend)
		}
	}
}

// weeks returns one session a week, the latest today. Each entry is successes and failures, earliest first.
func weeks(each ...[2]int) (history []mind.Practice) {
	for i, e := range each {
		history = append(history, practised(float64(7*(len(each)-1-i)), e[0], e[1]))
	}
	return history
}

func TestTrend(t *testing.T) {
	good, bad := [2]int{3, 0}, [2]int{0, 3}
	for _, tt := range []struct {
		name    string
		history []mind.Practice
		want    mind.Trend
		good    bool
		weak    bool
	}{
		{"better", weeks(bad, bad, bad, bad, good, good), mind.Improving, false, false},
		{"worse", weeks(good, good, good, good, bad, bad), mind.Declining, false, false},
		{"as ever", weeks(good, good, good, good, good, good, good, good), mind.Stable, true, false},
		{"never well", weeks(bad, bad, bad, bad, bad, bad, bad, bad), mind.Stable, false, true},
		{"all of it lately", []mind.Practice{practised(3, 1, 0), practised(2, 1, 0), practised(1, 1, 0), practised(0, 1, 0)}, mind.Fresh, true, false},
		{"a strength out of use", []mind.Practice{practised(100, 5, 0), practised(80, 5, 0), practised(60, 5, 0), practised(50, 5, 0)}, mind.Declining, false, false},
		{"a weakness out of use", []mind.Practice{practised(100, 0, 5), practised(80, 0, 5), practised(60, 0, 5), practised(50, 0, 5)}, mind.Stable, false, false},
	} {
		f := mind.Skilled(tt.history, now)
		if f.Trend != tt.want || f.Strength() != tt.good || f.Weakness() != tt.weak {
			t.Errorf("%s: %+v, want %s", tt.name, f, tt.want)
		}
	}
}

func TestSkillProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 2000 {
		var history []mind.Practice
		for range rng.IntN(30) {
			history = append(history, practised(rng.Float64()*200, rng.IntN(6), rng.IntN(6)))
		}
		f := mind.Skilled(history, now)
		if f.Confidence < 0 || f.Confidence > 1 || f.Peak < 0.5 || f.Peak > 1 || f.Peak < f.Confidence && f.Confidence > 0.5 {
			t.Fatalf("%+v out of range for %+v", f, history)
		}
		shuffled := slices.Clone(history)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if g := mind.Skilled(shuffled, now); math.Abs(g.Confidence-f.Confidence) > 1e-9 || g.Trend != f.Trend {
			t.Fatalf("the order matters: %+v and %+v", f, g)
		}
		if up := mind.Skilled(append(history, practised(0, 1, 0)), now); up.Confidence < f.Confidence-1e-9 {
			t.Fatalf("a success lowered %v to %v", f.Confidence, up.Confidence)
		}
		if down := mind.Skilled(append(history, practised(0, 0, 1)), now); down.Confidence > f.Confidence+1e-9 && f.Confidence > 0.5 {
			t.Fatalf("a failure raised %v to %v", f.Confidence, down.Confidence)
		}
		later := mind.Skilled(history, now.AddDate(2, 0, 0))
		if math.Abs(later.Confidence-0.5) > 1e-6 {
			t.Fatalf("two years without practice leave %v", later.Confidence)
		}
	}
}

func TestPractised(t *testing.T) {
	f := mind.SessionFacts{
		Messages: 6, Warm: 1, Feelings: 1, Learned: 3, Corrections: 1, Achieved: 1, GoalTouched: 1, Recalled: 2, Reminded: 1,
		Answered: 2, Unanswered: 1, AskedAfter: 2, Greeted: 1,
	}
	want := map[mind.Skill]mind.Practice{
		mind.Remembering: {At: now, Successes: 2, Failures: 1},
		mind.Answering:   {At: now, Successes: 2, Failures: 1},
		mind.Listening:   {At: now, Successes: 3, Failures: 1},
		mind.FollowingUp: {At: now, Successes: 1, Failures: 1},
		mind.Greeting:    {At: now, Successes: 1},
		mind.Comforting:  {At: now, Successes: 1},
		mind.Encouraging: {At: now, Successes: 1},
	}
	got := mind.Practised(f, now)
	for _, s := range mind.Skills {
		if got[s] != want[s] {
			t.Errorf("%s: %+v, want %+v", s, got[s], want[s])
		}
	}
	if len(mind.Practised(mind.SessionFacts{Messages: 3}, now)) != 0 {
		t.Error("small talk practised something")
	}
	hurt := mind.Practised(mind.SessionFacts{Messages: 3, Greeted: 1, Hostile: 1}, now)
	if hurt[mind.Greeting].Failures != 1 || hurt[mind.Mending].Failures != 1 || len(hurt) != 2 {
		t.Errorf("a hostile talk: %+v", hurt)
	}
	if mended := mind.Practised(mind.SessionFacts{Messages: 9, Hostile: 1, Warm: 2}, now); mended[mind.Mending].Successes != 1 {
		t.Errorf("a repaired conversation: %+v", mended)
	}
}
