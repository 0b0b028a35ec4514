package plain

import (
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/memory/model"
	"familiar/persona/scene"
)

// cameBack returns the scene of Ann's return after two days.
func cameBack() scene.GreetingInput {
	return scene.GreetingInput{
		Now: May, Person: annID, Direct: true, Gap: 6 * time.Hour,
		Relationship: model.Relationship{Sessions: 3, Messages: 12, FirstMet: May.AddDate(0, -1, 0), LastSeen: May.AddDate(0, 0, -2)},
	}
}

func remembered(id int64, text string, salience float64, daysAgo int) model.Memory {
	return model.Memory{
		ID: id, AuthorID: annID, Author: "Ann", Origin: model.OriginMessage, Sector: model.Episodic, Text: text, Salience: salience,
		Audience: model.Audience{Kind: model.Private, Ref: annID}, Created: May.AddDate(0, 0, -daysAgo),
	}
}

// broughtUp returns a greeting without its opening.
func broughtUp(g *scene.Greeting) []string {
	return slices.DeleteFunc(slices.Clone(g.Subjects), func(s string) bool { return strings.HasPrefix(s, "opening:") })
}

func TestConsecutiveGreetingsOpenDifferently(t *testing.T) {
	for n := 2; n <= 9; n++ {
		in, last := cameBack(), -1
		in.Greeted = make(map[string]time.Time)
		for day := range 2 * scene.Openings {
			in.Now = May.AddDate(0, 0, day)
			g := scene.Greet(in)
			if g.Opening%n == last {
				t.Errorf("of %d openings, number %d twice in a row on day %d", n, last, day)
			}
			last = g.Opening % n
			for _, subject := range g.Subjects {
				in.Greeted[subject] = in.Now
			}
		}
	}
}

func TestGreetOnlyAfterTheGap(t *testing.T) {
	in := cameBack()
	if g := scene.Greet(in); g == nil || g.First || g.Since != 48*time.Hour {
		t.Errorf("after two days: %+v", g)
	}
	in.Relationship.LastSeen = May.Add(-5 * time.Hour)
	if g := scene.Greet(in); g != nil {
		t.Errorf("after five hours: %+v", g)
	}
	in.Relationship = model.Relationship{}
	if g := scene.Greet(in); g == nil || !g.First {
		t.Errorf("never met: %+v", g)
	}
}

func TestGreetBringsUp(t *testing.T) {
	closed, stale, far, undated := interview, interview, exam, photos
	closed.Status = "closed"
	stale.DueFrom, stale.DueUntil = May.AddDate(-1, 0, 0), May.AddDate(-1, 0, 1)
	far.DueFrom, far.DueUntil = May.AddDate(0, 0, 20), May.AddDate(0, 0, 21)
	today := exam
	today.DueFrom, today.DueUntil = May.Add(-2*time.Hour), May.Add(9*time.Hour)
	race := remembered(40, "I ran a charity race", 0.6, 3)
	tests := []struct {
		name  string
		loops []model.Loop
		known []model.Memory
		want  []string
	}{
		{"what is over first, then what is ahead", []model.Loop{exam, interview}, nil, []string{"loop:1:after", "loop:2:ahead"}},
		{"what is today is ahead", []model.Loop{today}, nil, []string{"loop:2:ahead"}},
		{"nothing closed, stale, far or undated", []model.Loop{closed, stale, far, undated}, nil, nil},
		{"one memory beside a loop", []model.Loop{interview}, []model.Memory{race, remembered(41, "I planted roses", 0.6, 3)}, []string{"loop:1:after", "memory:41"}},
		{"salient and recent ones first", nil, []model.Memory{remembered(42, "I baked bread", 0.5, 2), remembered(43, "I lost my keys", 0.6, 60), race}, []string{"memory:40", "memory:42"}},
		{"nothing slight", nil, []model.Memory{remembered(44, "the bus was late", 0.2, 1)}, nil},
		{"not what the loop is about", []model.Loop{interview}, []model.Memory{remembered(45, "I have a job interview on Monday", 0.65, 3)}, []string{"loop:1:after"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := cameBack()
			in.Loops, in.Known = tt.loops, tt.known
			if g := scene.Greet(in); !slices.Equal(broughtUp(g), tt.want) {
				t.Errorf("brings up %v, want %v", g.Subjects, tt.want)
			}
		})
	}
}

func TestGreetNeverRepeatsATopic(t *testing.T) {
	in := cameBack()
	in.Loops = []model.Loop{interview, exam}
	in.Known = []model.Memory{remembered(40, "I ran a charity race", 0.6, 3), remembered(41, "I planted roses", 0.6, 4)}
	in.Greeted = make(map[string]time.Time)
	for range 5 {
		for _, subject := range broughtUp(scene.Greet(in)) {
			if _, before := in.Greeted[subject]; before {
				t.Fatalf("%s twice", subject)
			}
			in.Greeted[subject] = May
		}
	}
	if len(in.Greeted) != 4 {
		t.Errorf("brought up %v", in.Greeted)
	}
	in.Now = May.AddDate(0, 0, 5) // the exam is over now
	if g := scene.Greet(in); !slices.Equal(broughtUp(g), []string{"loop:2:after"}) {
		t.Errorf("then brings up %v", g.Subjects)
	}
}

func TestGreetLeavesOut(t *testing.T) {
	someoneElse, inferred, old, wish := remembered(1, "I have a secret", 0.9, 1), remembered(2, "Ann seems tired", 0.9, 1),
		remembered(3, "I ran a race", 0.9, 1), remembered(4, "always be nice to my cat", 0.9, 1)
	someoneElse.AuthorID, inferred.Origin, old.SupersededBy, wish.Instruction = melanieID, model.OriginJob, 9, true
	for _, m := range []model.Memory{
		someoneElse, inferred, old, wish, remembered(5, "what should I cook tonight?", 0.9, 1), remembered(6, "hi", 0.9, 1),
		remembered(7, "my dog Rex ate my shoe", 0.9, 1),
	} {
		in := cameBack()
		in.Known = []model.Memory{m}
		rex := told("pet_name:dog", "Rex")
		rex.Status = model.Superseded
		in.Beliefs = []model.Belief{rex, told("pet_name:dog", "Milo")}
		if g := scene.Greet(in); len(g.Recalled) > 0 {
			t.Errorf("brings up %q", m.Text)
		}
	}
}

func TestS2GreetingInAGroupKeepsSecrets(t *testing.T) {
	in := cameBack()
	in.Direct = false
	private, heard := interview, exam
	private.Audience = model.Audience{Kind: model.Private, Ref: annID}
	heard.Audience = model.Audience{Kind: model.InRoom, Ref: 5}
	feeling, open := remembered(8, "I feel so alone since the divorce", 0.9, 1), remembered(9, "I ran a charity race", 0.6, 1)
	feeling.Sector, feeling.Audience, open.Audience = model.Emotional, heard.Audience, heard.Audience
	wish := remembered(10, "always greet me with my secret name", 0.9, 1)
	wish.Instruction = true
	in.Loops = []model.Loop{private, heard}
	in.Known = []model.Memory{remembered(11, "I am pregnant", 0.9, 1), feeling, open, wish}
	g := scene.Greet(in)
	if want := []string{"loop:2:ahead", "memory:9"}; !slices.Equal(broughtUp(g), want) {
		t.Errorf("a group hears %v, want %v", g.Subjects, want)
	}
	if len(g.Instructions) > 0 {
		t.Errorf("a group hears the wish %v", g.Instructions)
	}
}

func TestGreetKnowsTheWishes(t *testing.T) {
	wish, other := remembered(1, "always greet me with Ahoy", 0.8, 9), remembered(2, "never use emojis with me", 0.8, 9)
	wish.Instruction, other.Instruction = true, true
	in := cameBack()
	in.Known = []model.Memory{other, wish}
	if g := scene.Greet(in); len(g.Instructions) != 1 || g.Instructions[0].ID != 1 {
		t.Errorf("wishes: %v", g.Instructions)
	}
}

// greetingScene is Ann's scene with a greeting made from in.
func greetingScene(in scene.GreetingInput, lines ...scene.Line) scene.Scene {
	s := annScene(lines...)
	s.Greeting, s.Loops = scene.Greet(in), in.Loops
	return s
}

func TestPlainGreets(t *testing.T) {
	t.Run("with what is open first", func(t *testing.T) {
		in := cameBack()
		in.Loops = []model.Loop{interview}
		in.Known = []model.Memory{remembered(40, "I ran a charity race", 0.6, 3)}
		speech := expect(t, greetingScene(in), "Ann", "the job interview", "charity race")
		if strings.Index(speech.Text, "interview") > strings.Index(speech.Text, "race") {
			t.Errorf("the loop comes late: %q", speech.Text)
		}
		if !slices.Equal(speech.Used, []int64{40}) {
			t.Errorf("used %v", speech.Used)
		}
	})
	t.Run("and answers what was asked in the same breath", func(t *testing.T) {
		in := cameBack()
		in.Loops = []model.Loop{interview}
		s := greetingScene(in, asking("hi! where do I live?", claimLivesIn))
		s.Beliefs = []model.Belief{told("lives_in", "Oslo")}
		expect(t, s, "Ann", "the job interview", "Oslo")
	})
	t.Run("without asking what was just answered", func(t *testing.T) {
		in := cameBack()
		in.Loops = []model.Loop{interview}
		expect(t, greetingScene(in, telling("the interview went great")), "interview", "!did the job interview", "!how did")
	})
	t.Run("in the card's own words", func(t *testing.T) {
		s := greetingScene(cameBack())
		card := *nova
		card.Greetings = []string{"Ahoy, {name}! The lamp is lit."}
		s.Card = &card
		expect(t, s, "Ahoy, Ann! The lamp is lit.")
		s.Address = ""
		expect(t, s, "Ahoy! The lamp is lit.")
	})
	t.Run("as the person wished", func(t *testing.T) {
		in := cameBack()
		wish := remembered(1, "please always greet me with “Ahoy”", 0.8, 9)
		wish.Instruction = true
		in.Known = []model.Memory{wish}
		s := greetingScene(in)
		s.Address = "Captain"
		if text := expect(t, s).Text; !strings.HasPrefix(text, "Ahoy, Captain") {
			t.Errorf("%q", text)
		}
	})
	t.Run("whom it has never met", func(t *testing.T) {
		in := cameBack()
		in.Relationship = model.Relationship{}
		expect(t, greetingScene(in), "I'm Nova", "Ann")
		s := greetingScene(in)
		s.Address, s.Person.Name = "", ""
		expect(t, s, "Nova", "?")
	})
	t.Run("without reproach however long it was", func(t *testing.T) {
		in := cameBack()
		in.Relationship.LastSeen = May.AddDate(-2, 0, 0)
		for _, reproach := range []string{"long time", "finally", "where have you been", "years", "missed", "at last", "forgot"} {
			expect(t, greetingScene(in), "!"+reproach)
		}
	})
}

func TestGreetingWishes(t *testing.T) {
	for wish, want := range map[string]string{
		"always greet me with Ahoy":                        "Ahoy",
		"Please greet me with \"Guten Morgen\" every day":  "Guten Morgen",
		"from now on welcome me back with: hello sunshine": "hello sunshine",
		"say 'good to see you' whenever I come back":       "good to see you",
		"always greet me with a joke":                      "",
		"never greet anybody":                              "",
		"greet me with ":                                   "",
	} {
		got, _ := scene.GreetsWith(wish)
		if got != want {
			t.Errorf("%q: %q, want %q", wish, got, want)
		}
	}
}

func TestGreetingsAvoidPainfulTopics(t *testing.T) {
	in := scene.GreetingInput{
		Now: May, Person: annID, Direct: true,
		Known: []model.Memory{{
			ID: 4, AuthorID: annID, Origin: model.OriginMessage, Salience: 0.9, Created: May.AddDate(0, 0, -3),
			Text: "Yeah, family is great. After the accident, I've thought a lot about how much I need mine.",
		}},
	}
	if g := scene.Greet(in); g == nil || !g.First || len(g.Recalled) != 0 {
		t.Errorf("met with %+v", g)
	}
}
