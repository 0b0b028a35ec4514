package persona

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/persona/mind"
	"familiar/prompts"
)

func TestObservationsAreTurnedToWhomTheyAreOf(t *testing.T) {
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
		if got, _ := toThem(observed, "Ann"); got != want {
			t.Errorf("%q: %q, want %q", observed, got, want)
		}
	}
}

// observed is what a job noticed of Ann, days ago.
func observed(id int64, text string, days int) model.Memory {
	m := remembered(id, text, 0.8, days)
	m.Origin, m.AuthorID, m.Author, m.Kind = model.Inferred, 0, "", model.Observation
	return m
}

func TestGreetSaysWhatWasNoticedAfterWhatIsDue(t *testing.T) {
	in := cameBack()
	in.Name, in.Relationship.Sessions = "Ann", 12
	in.Loops = []model.Loop{interview}
	in.Observed = []model.Memory{observed(60, "Ann comes back to chess again and again.", 2), observed(61, "Ann likes rain.", 3)}
	in.Known = []model.Memory{remembered(40, "I ran a charity race", 0.6, 3)}
	g := Greet(in)
	if want := []string{"loop:1:after", "memory:60"}; !slices.Equal(broughtUp(g), want) {
		t.Errorf("brings up %v, want %v", broughtUp(g), want)
	}
	s := greetingScene(in)
	text := expect(t, s, "interview", "you come back to chess").Text
	if strings.Index(text, "interview") > strings.Index(text, "chess") {
		t.Errorf("what is due comes late: %q", text)
	}
	for name, tweak := range map[string]func(*GreetingInput){
		"twice":         func(in *GreetingInput) { in.Greeted = map[string]time.Time{"memory:60": may, "memory:61": may} },
		"in a group":    func(in *GreetingInput) { in.Direct = false },
		"to a stranger": func(in *GreetingInput) { in.Relationship.Sessions = 0 },
		"late":          func(in *GreetingInput) { in.Now = in.Now.AddDate(0, 0, 20) },
	} {
		in := in
		tweak(&in)
		if g := Greet(in); len(g.Observed) > 0 {
			t.Errorf("%s: says %q", name, g.Observed[0].Text)
		}
	}
	if mind.Stage(in.Relationship, in.Now) == mind.Stranger {
		t.Error("the test needs somebody known")
	}
}

// guilt are words by which somebody could be made to feel that they owe the persona their time.
var guilt = []string{
	"long time", "finally", "where have you been", "where were you", "missed you", "miss you", "at last", "you forgot", "forgotten me",
	"lonely", "alone without", "abandon", "ignored", "ignoring", "you never write", "you didn't write", "haven't heard", "not heard from you",
	"so long", "been waiting", "waited for you", "thought you", "you disappeared", "you left", "didn't answer", "haven't answered",
	"no answer from", "been a while", "come back sooner", "should have",
}

// TestNoWordingMakesAnybodyFeelGuiltyForBeingAway looks at every template there is and at what a model is told.
func TestNoWordingMakesAnybodyFeelGuiltyForBeingAway(t *testing.T) {
	for key, variants := range wordings {
		for _, v := range variants {
			for _, g := range guilt {
				if strings.Contains(strings.ToLower(v), g) {
					t.Errorf("%s: %q holds %q", key, v, g)
				}
			}
		}
	}
	for _, unasked := range []string{"", "loop:1:after"} {
		in := cameBack()
		in.Relationship.LastSeen = may.AddDate(-2, 0, 0)
		in.Loops, in.Unasked = []model.Loop{interview}, unasked
		prompt := fmt.Sprint(prompts.Reply(replyInput(greetingScene(in), 0)))
		if !strings.Contains(prompt, "Never make anybody feel guilty for being away") || !strings.Contains(prompt, "needs no comment") {
			t.Errorf("the model is not told so:\n%s", prompt)
		}
	}
}

func TestWhoIsToldToBeQuietIs(t *testing.T) {
	for text, quiet := range map[string]bool{
		"Please don't write first.":                                  true,
		"please don't write to me first, I prefer to come to you":    true,
		"don’t message me unless I write":                            true,
		"I like you but please never text me first":                  true,
		"Stop messaging me first!":                                   true,
		"please stop checking in on me":                              true,
		"From now on don't contact me out of the blue.":              true,
		"Why don't you write first?":                                 false,
		"I never write first drafts":                                 false,
		"My boss said don't write the first chapter yet":             false,
		"Don't write that down first":                                false,
		"I don't text people first, they text me":                    false,
		"the teacher told us never to write first and revise later.": false,
	} {
		if got := !quietSince(time.Time{}, text, may).IsZero(); got != quiet {
			t.Errorf("%q: %v", text, got)
		}
	}
	was := may.AddDate(0, -1, 0)
	for text, back := range map[string]bool{
		"you can write first again": true, "feel free to message me first": true, "ok, you may text me again.": true,
		"can you write first?": false, "don't write first": false, "I had soup": false,
	} {
		got := quietSince(was, text, may)
		if got.IsZero() != back || !back && !got.Equal(was) {
			t.Errorf("%q: since %v", text, got)
		}
	}
}

func TestZonesAreFoundByNameAndCity(t *testing.T) {
	for said, want := range map[string]string{
		"Europe/Lisbon": "Europe/Lisbon", "europe/lisbon": "Europe/Lisbon", "lisbon": "Europe/Lisbon", "New York": "America/New_York",
		" America/Argentina/Buenos_Aires.": "America/Argentina/Buenos_Aires", "utc": "UTC", "etc/gmt+3": "Etc/GMT+3",
	} {
		if got, near := zoneNamed(said); got != want {
			t.Errorf("%q: %q, near %q", said, got, near)
		}
	}
	for said, want := range map[string]string{
		"Europe/Lisbonn": "Europe/Lisbon", "tokio": "Asia/Tokyo", "Local": "", "": "", "../../etc/passwd": "", "etc/../../passwd": "",
		"Xyzzyplugh": "", "CET+1": "",
	} {
		if got, near := zoneNamed(said); got != "" || near != want {
			t.Errorf("%q: %q, near %q, want %q", said, got, near, want)
		}
	}
}
