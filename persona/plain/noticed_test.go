package plain

import (
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/persona/mind"
	"familiar/persona/scene"
)

func TestObservationsAddressTheirSubject(t *testing.T) {
	for observed, want := range map[string]string{
		"Ann comes back to chess again and again.":          "you come back to chess again and again",
		"Ann has lately begun to talk about their garden.":  "you have lately begun to talk about your garden",
		"Ann relies on Sundays for her garden.":             "",
		"Ann tries a new recipe every week.":                "you try a new recipe every week",
		"Ann watches the harbour in the evening.":           "you watch the harbour in the evening",
		"Ann tends to talk about work when feeling low.":    "",
		"Ann used to talk about chess, and no longer does.": "",
		"Ann has had to put right names more than once.":    "",
		"Ann says she is fine.":                             "",
		"Bob comes back to chess again and again.":          "",
		"Ann comes back to chess. Bob does not.":            "",
		"Ann":                                               "",
		"":                                                  "",
	} {
		if got, _ := scene.ToThem(observed, "Ann"); got != want {
			t.Errorf("%q: %q, want %q", observed, got, want)
		}
	}
}

// observed returns a job's observation about Ann, days ago.
func observed(id int64, text string, days int) model.Memory {
	m := remembered(id, text, 0.8, days)
	m.Origin, m.AuthorID, m.Author, m.Kind = model.OriginJob, 0, "", model.Observation
	return m
}

func TestGreetSaysObservationsAfterDueTopics(t *testing.T) {
	in := cameBack()
	in.Name, in.Relationship.Sessions = "Ann", 12
	in.Loops = []model.Loop{interview}
	in.Observed = []model.Memory{observed(60, "Ann comes back to chess again and again.", 2), observed(61, "Ann likes rain.", 3)}
	in.Known = []model.Memory{remembered(40, "I ran a charity race", 0.6, 3)}
	g := scene.Greet(in)
	if want := []string{"loop:1:after", "memory:60"}; !slices.Equal(broughtUp(g), want) {
		t.Errorf("brings up %v, want %v", broughtUp(g), want)
	}
	s := greetingScene(in)
	text := expect(t, s, "interview", "you come back to chess").Text
	if strings.Index(text, "interview") > strings.Index(text, "chess") {
		t.Errorf("what is due comes late: %q", text)
	}
	for name, tweak := range map[string]func(*scene.GreetingInput){
		"twice":         func(in *scene.GreetingInput) { in.Greeted = map[string]time.Time{"memory:60": May, "memory:61": May} },
		"in a group":    func(in *scene.GreetingInput) { in.Direct = false },
		"to a stranger": func(in *scene.GreetingInput) { in.Relationship.Sessions = 0 },
		"late":          func(in *scene.GreetingInput) { in.Now = in.Now.AddDate(0, 0, 20) },
	} {
		in := in
		tweak(&in)
		if g := scene.Greet(in); len(g.Observed) > 0 {
			t.Errorf("%s: says %q", name, g.Observed[0].Text)
		}
	}
	if mind.Stage(in.Relationship, in.Now) == mind.Stranger {
		t.Error("the test needs somebody known")
	}
}

// guilt are words that could make people feel that they owe the persona their time.
var guilt = []string{
	"long time", "finally", "where have you been", "where were you", "missed you", "miss you", "at last", "you forgot", "forgotten me",
	"lonely", "alone without", "abandon", "ignored", "ignoring", "you never write", "you didn't write", "haven't heard", "not heard from you",
	"so long", "been waiting", "waited for you", "thought you", "you disappeared", "you left", "didn't answer", "haven't answered",
	"no answer from", "been a while", "come back sooner", "should have",
}
