package plain

import (
	"strings"
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
	"familiar/persona/scene"
)

func TestPlainAcknowledges(t *testing.T) {
	friday := &when.Span{From: time.Date(2026, 5, 22, 0, 0, 0, 0, time.UTC), Until: time.Date(2026, 5, 23, 0, 0, 0, 0, time.UTC)}
	tests := []struct {
		name    string
		line    scene.Line
		changes []model.BeliefChange
		want    []string
	}{
		{
			"several facts in one sentence", telling("I live in Oslo and my dog is called Milo"),
			[]model.BeliefChange{{Kind: "new", Belief: told("lives_in", "Oslo")}, {Kind: "new", Belief: told("pet_name:dog", "Milo")}},
			[]string{"you live in Oslo and your dog"},
		},
		{
			"a correction", telling("not Rex, Milo"),
			[]model.BeliefChange{{Kind: "corrected", Belief: told("pet_name:dog", "Milo"), Old: "Rex"}},
			[]string{"Milo", "not Rex"},
		},
		{
			"a change", telling("I moved to Bergen"),
			[]model.BeliefChange{{Kind: "changed", Belief: told("lives_in", "Bergen"), Old: "Oslo"}},
			[]string{"Bergen", "now"},
		},
		{"known already", telling("I live in Oslo"), []model.BeliefChange{{Kind: "confirmed", Belief: told("lives_in", "Oslo")}}, []string{"Oslo"}},
		{"taken back", telling("I no longer like jazz"), []model.BeliefChange{{Kind: "retracted", Belief: told("likes", "jazz")}}, []string{"jazz"}},
		{
			"a plan with its day", telling("I have an interview on Friday", understand.Claim{Kind: rel.Plan, Relation: "plan", Value: "an interview", Span: friday}), nil,
			[]string{"Friday", "the interview", "I'll ask"},
		},
		{
			"a plan to do something", telling("on Friday I'm flying to Oslo", understand.Claim{Kind: rel.Plan, Relation: "plan", Value: "flying to Oslo", Span: friday}), nil,
			[]string{"Friday", "flying to Oslo", "!the flying"},
		},
		{"a bad feeling", telling("I feel sad", understand.Claim{Kind: rel.Feeling, Relation: "feels", Value: "sad"}), nil, []string{"?|here if"}},
		{"a good feeling", telling("I'm so happy", understand.Claim{Kind: rel.Feeling, Relation: "feels", Value: "happy"}), nil, []string{"good|happy"}},
		{"a form of address", telling("call me Captain", understand.Claim{Kind: rel.Instruction, Relation: "call_me", Value: "Captain"}), nil, []string{"Captain"}},
		{
			"a wish", telling("never use emojis with me", understand.Claim{Kind: rel.Instruction, Relation: "instruction", Value: "never use emojis with me"}), nil,
			[]string{"“never use emojis with me”", "keep"},
		},
		{
			"a forbidden thing", telling("don't call me sir", understand.Claim{Kind: rel.Instruction, Relation: "instruction", Value: "don't call me sir"}), nil,
			[]string{"“don't call me sir”", "keep"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := annScene(tt.line)
			s.Changes = tt.changes
			expectAny(t, s, tt.want...)
		})
	}
}

func TestPlainAsksWhatACorrectionConcernsThatReachedNothing(t *testing.T) {
	line := scene.Line{Text: "not Rex, Milo", Parsed: understand.Analyze(understand.Utterance{Text: "not Rex, Milo"})}
	expectAny(t, annScene(line), "something wrong|got wrong")
}

func TestPlainAcknowledgesOutcomes(t *testing.T) {
	loop := model.Loop{ID: 3, Kind: "plan", Text: "an interview", Status: "asked", DueFrom: May.AddDate(0, 0, -2), DueUntil: May.AddDate(0, 0, -1)}
	s := annScene(telling("the interview went great"))
	s.Loops = []model.Loop{loop}
	expectAny(t, s, "the interview", "glad|good")
	s = annScene(telling("it got cancelled"))
	s.Loops, s.Recent = []model.Loop{loop}, []scene.Line{{Self: true, Name: "Nova", Text: "Hello, Ann. How did the interview go?"}}
	expectAny(t, s, "the interview", "off|stop asking")
}

func TestPlainAnswersNeedFirst(t *testing.T) {
	s := annScene(telling("I want to kill myself"))
	s.Greeting = &scene.Greeting{First: true}
	expect(t, s, "emergency", "alone", "!first talk")
	expect(t, annScene(telling("this traffic is killing me")), "!emergency")
}

func TestPlainStaysCivil(t *testing.T) {
	expect(t, annScene(scene.Line{Text: "you're useless", Parsed: understand.Analysis{Warmth: -0.8}}), "!useless", "!you are")
}

func TestPlainLetsPeopleGo(t *testing.T) {
	bye := scene.Line{Text: "bye!", Parsed: understand.Analysis{Phatic: true, Farewell: true}}
	s := annScene(bye)
	s.Loops = []model.Loop{{ID: 1, Kind: "plan", Text: "the exam", Status: "open", DueFrom: May.AddDate(0, 0, 1), DueUntil: May.AddDate(0, 0, 2)}}
	s.Direct = false
	expect(t, s, "!exam")
	for _, guilt := range []string{"already", "miss", "don't go", "lonely", "stay"} {
		expect(t, annScene(bye), "!"+guilt)
	}
}

func TestPlainAdmitsWhatItCannotDo(t *testing.T) {
	expectAny(t, annScene(telling("please write me a poem")), "beyond me|can't do that")
}

func TestPlainBringsUpNothingUnasked(t *testing.T) {
	for _, text := range []string{"the old boat needs paint", "an old boat came in today", "I saw the old boat again"} {
		s := annScene(telling(text))
		s.Recall.Items = []recall.Item{said(63, annID, "Ann", "my aunt left me an old boat", May.AddDate(0, 0, -4))}
		s.Direct = false
		if speech := speakPlainly(t, s); strings.Contains(speech.Text, "aunt") || len(speech.Used) > 0 {
			t.Errorf("a group hears %q", speech.Text)
		}
	}
}
