package plain

import (
	"slices"
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/scene"
)

// interview was on Monday, exam is on Friday, as seen from may, a Wednesday.
var (
	interview = model.Loop{
		ID: 1, Kind: "plan", Text: "job interview", Status: "open",
		DueFrom: time.Date(2026, 5, 18, 0, 0, 0, 0, time.UTC), DueUntil: time.Date(2026, 5, 19, 0, 0, 0, 0, time.UTC),
	}
	exam = model.Loop{
		ID: 2, Kind: "plan", Text: "the chemistry exam", Status: "open",
		DueFrom: time.Date(2026, 5, 22, 0, 0, 0, 0, time.UTC), DueUntil: time.Date(2026, 5, 23, 0, 0, 0, 0, time.UTC),
	}
	photos = model.Loop{ID: 3, Kind: "promise", Text: "send you the photos", Status: "open"}
	visit  = model.Loop{
		ID: 4, Kind: "plan", Text: "visit my mum", Status: "asked",
		DueFrom: time.Date(2026, 5, 16, 0, 0, 0, 0, time.UTC), DueUntil: time.Date(2026, 5, 18, 0, 0, 0, 0, time.UTC),
	}
)

func TestAnsweredLoops(t *testing.T) {
	asks := "Good morning, Ann. How did the job interview go?"
	tests := []struct {
		text, before string
		want         []int64
	}{
		{"the interview went great", "", []int64{1}},
		{"My interview was a disaster", "", []int64{1}},
		{"I had my interview, it was fine", "", []int64{1}},
		{"They cancelled the interview", "", []int64{1}},
		{"the chemistry exam got cancelled", "", []int64{2}},
		{"I passed the exam!", "", []int64{2}},
		{"sent the photos", "", []int64{3}},
		{"it went well, thanks", asks, []int64{1}},
		{"Great!", asks, []int64{1}},
		{"it got cancelled", asks, []int64{1}},
		{"I didn't go", asks, []int64{1}},
		{"it was lovely", "You were going to visit your mum — how did it go?", []int64{4}},
		{"it was lovely", "You'd planned to visit your mum. How was it?", []int64{4}},

		{"it went well", asks + "\nHello to you too.", []int64{1}},

		{"it got cancelled", "", nil},
		{"Great!", "What's new?", nil},
		{"the interview hasn't happened yet", "", nil},
		{"I hope the interview went well", "", nil},
		{"I bought a suit for the interview", "", nil},
		{"I finished the slides for the exam", "", nil},
		{"the exam was moved to the big hall", "", nil},
		{"all good", "The chemistry exam is on Friday. All set?", nil},
		{"my dog is great", asks, []int64{1}},
		{"", asks, nil},
	}
	loops := []model.Loop{interview, exam, photos, visit}
	for _, tt := range tests {
		got := scene.AnsweredLoops(loops, scene.Line{Text: tt.text, At: May}, tt.before)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q after %q closes %v, want %v", tt.text, tt.before, got, tt.want)
		}
	}
}

func TestQuestionsAndNewPlansCloseNothing(t *testing.T) {
	asked := scene.Line{Text: "how do you think the interview went", At: May, Parsed: understand.Analysis{Question: &understand.Question{}}}
	again := scene.Line{
		Text: "the interview was moved, I have the interview on Friday", At: May,
		Parsed: understand.Analysis{Claims: []understand.Claim{{Kind: rel.Plan, Value: "the interview"}}},
	}
	for _, line := range []scene.Line{asked, again} {
		if got := scene.AnsweredLoops([]model.Loop{interview}, line, ""); got != nil {
			t.Errorf("%q closes %v", line.Text, got)
		}
	}
}

func FuzzAnsweredLoops(f *testing.F) {
	f.Add("the interview went great", "How did it go?", "an interview")
	f.Add("’ - ' é\xff", "?", "\x00")
	f.Fuzz(func(t *testing.T, text, before, thing string) {
		l := model.Loop{ID: 9, Text: thing, Status: "open"}
		for _, id := range scene.AnsweredLoops([]model.Loop{l}, scene.Line{Text: text, At: May}, before) {
			if id != l.ID {
				t.Fatalf("closed %d", id)
			}
		}
	})
}
