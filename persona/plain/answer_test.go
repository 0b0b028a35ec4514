package plain

import (
	"strings"
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/persona/scene"
)

func TestPlainAnswersSmallTalk(t *testing.T) {
	for _, tt := range []struct {
		text  string
		parts []string
	}{
		{"what time is it?", []string{"15:00"}},
		{"what day is it today?", []string{"Wednesday, 20 May 2026"}},
		{"what's the date?", []string{"20 May 2026"}},
		{"2+2?", []string{"!memory", "!told me yet", "!will you?"}},
		{"who won the world cup in 1998?", []string{"!will you?"}},
		{"guess what", []string{"!told", "!know that"}},
		{"why?", []string{"mean"}},
		{"Wie geht es dir und was ist das?", []string{"weiß"}},
		{"Ich wohne in Berlin und habe einen Hund", []string{"!English", "!weiß ich nicht"}},
		{"Привет, как дела?", []string{"English"}},
		{"stop", []string{"!keep that in mind", "!told"}},
		{"please be quiet", []string{"!told"}},
		{"I don't want to talk about it", []string{"!keep that in mind", "!told me"}},
		{"sorry, I didn't mean that", []string{"!sorry"}},
		{"😢", []string{"?"}},
		{"What a day. We walked for hours.", []string{"!know that", "!told me yet"}},
		{"Happy new year!", []string{"you", "!nice"}},
		{"please remind me to buy milk", []string{"!I see", "!following"}},
		{"did you sleep well?", []string{"!take care", "!until next time"}},
		{"can you help me?", []string{"!told me yet", "!will you"}},
		{"that was rude", []string{"!I see"}},
		{"maybe", []string{"!Maybe?"}},
		{"I am not happy", []string{"!feeling happy", "!feel happy"}},
		{"I'm not tired", []string{"!tired", "!slowly"}},
		{"could be better", []string{"!good to hear", "!lovely", "!nice"}},
		{"you look nice today", []string{"!beyond", "!listening than"}},
		{"where's my umbrella?", []string{"know", "!Will rain"}},
		{"do you think it will rain tomorrow?", []string{"!belongs to people"}},
		{"do you want to know a secret?", []string{"!taste"}},
		{"nothing much, you?", []string{"!making it up", "!say of myself"}},
		{"forget what I said", []string{"/forget"}},
		{"I got the job", []string{"!I see"}},
		{"my grandfather passed away", []string{"!lovely", "!good to hear"}},
	} {
		expect(t, annScene(heardLine(tt.text)), tt.parts...)
	}
}

func TestPlainRepeatsWhatWasJustSaid(t *testing.T) {
	recent := []scene.Line{
		{MessageID: 3, PersonID: annID, Name: "Ann", Text: "I saw an owl", At: May.Add(-time.Minute)},
		{Self: true, Name: "Nova", Text: "I see, Ann.", At: May.Add(-time.Minute)},
	}
	for _, text := range []string{"what did I just say?", "what were we talking about?", "where were we?"} {
		s := annScene(heardLine(text))
		s.Recent = recent
		if speech := expect(t, s, "“I saw an owl”"); len(speech.Quoted) != 1 {
			t.Errorf("quoted %v", speech.Quoted)
		}
	}
	s := annScene(heardLine("what did you say?"))
	s.Recent = recent
	expect(t, s, "“I see, Ann.”")
	expect(t, annScene(heardLine("what were we talking about?")), "!owl")
}

func TestPlainDoesNotCallAPlaceAnEvent(t *testing.T) {
	s := annScene(heardLine("I'm going to Rome next week"))
	expect(t, s, "Rome next week", "!the Rome")
	s = annScene(heardLine("I'm going to the dentist tomorrow"))
	expect(t, s, "the dentist tomorrow")
}

func TestPlainAcknowledgesTwoNamesOnce(t *testing.T) {
	line := heardLine("my name is Patrick but everybody calls me Paddy")
	s := annScene(line)
	first, second := told("name", "Patrick"), told("name", "Paddy")
	s.Changes = append(s.Changes, model.BeliefChange{Kind: "new", Belief: first}, model.BeliefChange{Kind: "changed", Belief: second, Old: "Patrick"})
	if text := expect(t, s, "Paddy", "!Noted").Text; strings.Contains(text, "Patrick") {
		t.Errorf("%q", text)
	}
}

func TestPlainKnowsSinceWhenTheyTalk(t *testing.T) {
	s := annScene(heardLine("when did we first meet?"))
	s.Relationship.FirstMet = May.AddDate(0, 0, -5)
	expect(t, s, "on 15 May")
	s = annScene(heardLine("when did we last talk?"))
	s.Relationship.FirstMet, s.Greeting = May.AddDate(0, 0, -5), &scene.Greeting{Since: 24 * time.Hour}
	expect(t, s, "yesterday")
	expect(t, annScene(heardLine("when did we first meet?")), "!on ", "!told")
}

func TestPlainIgnoresNoise(t *testing.T) {
	for _, text := range []string{"ugh", "meh", "asdfghjkl", "123", "xD", "gtg", ":)", "k"} {
		expect(t, annScene(heardLine(text)), "!"+text)
	}
}
