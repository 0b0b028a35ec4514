package bench

import (
	"math"
	"testing"
	"time"
)

func set(ids ...int64) map[int64]bool {
	m := map[int64]bool{}
	for _, id := range ids {
		m[id] = true
	}
	return m
}

func TestAnswerScore(t *testing.T) {
	ranked := []int64{9, 8, 8, 1, 7, 6, 5, 2, 4, 3, 11, 12} // without the second 8, 1 is third and 2 seventh
	a := answer{
		gold: set(1, 2, 50, 12), goldSessions: set(100, 300, 600, 700), ranked: ranked,
		sessions: []int64{200, 100, 100, 400, 300, 500, 600}, packed: []int64{1, 50, 9, 1},
	}
	got := a.score()
	want := RecallScore{
		Questions: 1, RecallAt5: 0.25, RecallAt10: 0.5, RecallAt20: 0.75, MRR: 1.0 / 3, SessionRecallAt5: 0.5,
		ContextRecall1000: 0.5,
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if none := (answer{gold: set(1), goldSessions: set(1)}).score(); none != (RecallScore{Questions: 1}) {
		t.Errorf("of nothing recalled: %+v", none)
	}
}

func TestTallyIsTheMean(t *testing.T) {
	var of tally
	if of.score() != (RecallScore{}) {
		t.Errorf("of no questions: %+v", of.score())
	}
	of.add(answer{gold: set(1), goldSessions: set(1), ranked: []int64{1}, sessions: []int64{1}, packed: []int64{1}})
	of.add(answer{gold: set(1), goldSessions: set(1)})
	of.add(answer{gold: set(1), goldSessions: set(1), ranked: []int64{2, 1}})
	got := of.score()
	if got.Questions != 3 || math.Abs(got.RecallAt5-2.0/3) > 1e-9 || math.Abs(got.MRR-0.5) > 1e-9 ||
		math.Abs(got.ContextRecall1000-1.0/3) > 1e-9 {
		t.Errorf("got %+v", got)
	}
}

func TestQuantiles(t *testing.T) {
	var times []time.Duration
	for i := range 100 {
		times = append(times, time.Duration(100-i)*time.Millisecond)
	}
	if got := quantiles(times); got != (Quantiles3{P50: 51, P95: 96, P99: 100}) {
		t.Errorf("got %+v", got)
	}
}
