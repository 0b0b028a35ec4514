package mind_test

import (
	"testing"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/persona/mind"
)

func TestCurious(t *testing.T) {
	once := mind.UnknownTerm{Term: "Kiipsaare", Count: 1, Last: now}
	twice := mind.UnknownTerm{Term: "Kiipsaare", Count: 2, Last: now}
	often := mind.UnknownTerm{Term: "Kiipsaare", Count: 5, Last: now}
	old := mind.UnknownTerm{Term: "Kiipsaare", Count: 5, Last: now.AddDate(0, -3, 0)}
	stranger := model.Relationship{}
	near := model.Relationship{Messages: 400, Trust: 0.8, History: 40, Notes: 60}
	for _, tt := range []struct {
		name string
		w    mind.UnknownTerm
		rel  model.Relationship
		ask  bool
	}{
		{"once, by a stranger", once, stranger, false},
		{"twice, by a stranger", twice, stranger, true},
		{"once, by somebody close", once, near, true},
		{"often", often, stranger, true},
		{"often, long ago", old, stranger, false},
	} {
		p := mind.Curious(tt.w, tt.rel, now)
		if p < 0 || p > 1 || (p >= mind.AskFrom) != tt.ask {
			t.Errorf("%s: priority %.2f, worth asking %v", tt.name, p, tt.ask)
		}
	}
	if mind.Curious(once, near, now) <= mind.Curious(once, stranger, now) || mind.Curious(often, near, now) <= mind.Curious(once, near, now) {
		t.Error("the bond and the count make no difference")
	}
}

func TestMayAsk(t *testing.T) {
	fine := mind.Occasion{Direct: true, Stage: mind.Acquaintance}
	with := func(change func(*mind.Occasion)) mind.Occasion {
		o := fine
		change(&o)
		return o
	}
	for _, tt := range []struct {
		o   mind.Occasion
		why string
	}{
		{fine, ""},
		{with(func(o *mind.Occasion) { o.Greeting = true }), ""},
		{with(func(o *mind.Occasion) { o.DueLoops = 2 }), ""},
		{with(func(o *mind.Occasion) { o.Direct = false }), mind.NotAlone},
		{with(func(o *mind.Occasion) { o.Asked = 1 }), mind.AskedAlready},
		{with(func(o *mind.Occasion) { o.Hurt = true }), mind.HardFeelings},
		{with(func(o *mind.Occasion) { o.Analysis.Warmth = -0.5 }), mind.HardFeelings},
		{with(func(o *mind.Occasion) {
			o.Analysis = understand.Analyze(understand.Utterance{Text: "I feel so sad", At: now})
		}), mind.HardFeelings},
		{with(func(o *mind.Occasion) { o.Greeting, o.DueLoops = true, 1 }), mind.LoopsFirst},
		{with(func(o *mind.Occasion) { o.Analysis.Question = &understand.Question{} }), mind.TheyAsk},
		{with(func(o *mind.Occasion) { o.Analysis.Farewell = true }), mind.Leaving},
		{with(func(o *mind.Occasion) { o.Stage = mind.Stranger }), mind.TooNew},
	} {
		if ok, why := mind.MayAsk(tt.o); ok != (tt.why == "") || why != tt.why {
			t.Errorf("%+v: %v %q, want %q", tt.o, ok, why, tt.why)
		}
	}
}

func TestExplains(t *testing.T) {
	for _, tt := range []struct {
		term, text string
		asked      bool
		want       mind.Explanation
	}{
		{"Kiipsaare", "Kiipsaare is a lighthouse on Saaremaa", false, mind.Explained},
		{"Kiipsaare", "We went to Kiipsaare again", false, mind.Unexplained},
		{"Kiipsaare", "My grandfather kept the lamp there", true, mind.Explained},
		{"Kiipsaare", "My grandfather kept the lamp there", false, mind.Unexplained},
		{"Kiipsaare", "a lighthouse", true, mind.Explained},
		{"Kiipsaare", "Why?", true, mind.Unexplained},
		{"Kiipsaare", "ok", true, mind.Unexplained},
		{"Kiipsaare", "What do you mean?", true, mind.Unexplained},
		{"Kiipsaare", "Thank you so much", true, mind.Unexplained},
		{"Kiipsaare", "I'd rather not say", true, mind.Declined},
		{"Kiipsaare", "I'd rather not say", false, mind.Unexplained},
		{"Kiipsaare", "Anyway, how about you and me", true, mind.Unexplained},
		{"Rex", "My dog is called Rex", false, mind.Explained},
		{"CRDT", "A CRDT stands for a conflict-free replicated data type", false, mind.Explained},
		{"", "is a", true, mind.Unexplained},
	} {
		r := understand.Analyze(understand.Utterance{Text: tt.text, At: now})
		if got := mind.Explains(tt.term, tt.text, r, tt.asked); got != tt.want {
			t.Errorf("%s, asked %v, %q: %q, want %q", tt.term, tt.asked, tt.text, got, tt.want)
		}
	}
}
