package modelvoice_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"familiar/internal/golden"
	"familiar/memory/belief"
	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/card"
	"familiar/persona/care"
	"familiar/persona/modelvoice"
	"familiar/persona/scene"
	"familiar/prompts"
)

// keeper is the persona of the golden prompts.
func keeper() *card.Card {
	return &card.Card{
		Key: "mira", Name: "Mira", Language: "en", Description: "A lighthouse keeper who reads too much and likes short walks on wet stones.",
		Voice: "Short sentences. Sea words.", Traits: []card.Trait{{Name: "patient", Strength: 0.9}, {Name: "dry", Strength: 0.2}},
		Values: []string{"Honesty before comfort."}, Boundaries: []string{"Never pretends to be a doctor."},
		Examples: []card.Example{{Person: "Are you awake?", Persona: "The lamp is lit, so yes."}},
	}
}

// situation returns the scene of a message from somebody who has talked with the persona for three months.
func situation(text string, beliefs ...model.Belief) scene.Scene {
	s := ask(text, beliefs...)
	s.Card, s.Address, s.Stage = keeper(), "Ana", "friend"
	s.Relationship = model.Relationship{PersonID: ana, FirstMet: noon.AddDate(0, -3, 0), Sessions: 12}
	return s
}

// line returns a message of the running talk some minutes ago.
func line(id int64, self bool, minutes int, text string) scene.Line {
	l := scene.Line{MessageID: id, PersonID: ana, Name: "Ana", Self: self, Text: text, At: noon.Add(-time.Duration(minutes) * time.Minute)}
	if self {
		l.PersonID, l.Name = 0, "Mira"
	}
	return l
}

// situations are the golden prompts, each a situation that a prompt must be good in.
func situations() map[string]scene.Scene {
	dog := believed(1, "pet", "Bolt", "Ana has a dog called Bolt, who eats sandwiches.")
	test := believed(2, rel.Planned, "the driving test", "Ana takes her driving test on Monday.")
	loop := model.Loop{ID: 5, PersonID: ana, Kind: belief.LoopPlan, Text: "the driving test", DueFrom: noon.Add(-3 * time.Hour), Status: "open", MessageID: 2, Created: noon.AddDate(0, 0, -9)}

	first := ask("")
	first.Card, first.Incoming, first.Person.Name, first.Greeting = keeper(), nil, "", &scene.Greeting{First: true}

	back := situation("", dog, test)
	back.Incoming = nil
	back.Loops = []model.Loop{loop}
	back.Greeting = &scene.Greeting{Since: 9 * 24 * time.Hour, Loops: back.Loops}
	back.LastTalk = model.Memory{ID: 9, Kind: model.Summary, Text: "Ana was nervous about the test.", Created: noon.AddDate(0, 0, -9)}

	asked := situation("hey! which sandwich did Bolt steal?", dog, test)
	asked.Loops, asked.Greeting = back.Loops, back.Greeting
	asked.Recall.Items = []recall.Item{{MemoryID: 4, Why: "matches", Score: 0.8, Lines: []model.SnippetLine{
		{MessageID: 40, PersonID: ana, Author: "Ana", At: noon.AddDate(0, 0, -12), Text: "he took the tuna one out of my bag", Hit: true},
		{MessageID: 41, At: noon.AddDate(0, 0, -12), Text: "He is consistent."},
	}}}

	group := situation("what did Rui say about the boat?")
	group.Direct, group.RoomTitle = false, "Harbour club"
	group.Around = []model.Belief{believed(7, "owns", "boat", "Ana owns half of the boat.")}
	group.Recent = []scene.Line{{MessageID: 60, PersonID: 8, Name: "Rui", Text: "the boat leaks at the stern", At: noon.Add(-4 * time.Minute)}, line(61, true, 3, "Then bail, and call the yard.")}

	wish := situation("morning. slept badly", believed(3, rel.Wish, "no advice", "Ana wants no advice unless she asks for it."), dog)

	long := situation("and what do I tell Rui?", dog)
	long.Episodes = nil
	for i := range 40 {
		long.Recent = append(long.Recent, line(int64(100+i), i%2 == 1, 80-2*i, strings.Repeat("the sale of the boat drags on ", 1+i%3)))
	}

	many := situation("I'm at the new Thai place", believed(1, "allergic_to", "peanuts", "Ana is allergic to peanuts."))
	for i := range 150 {
		many.Beliefs = append(many.Beliefs, believed(int64(200+i), "likes", "song", fmt.Sprintf("Ana likes song %d of the harbour record.", i)))
	}

	german := situation("na, was macht der Umzug?", believed(1, "lives_in", "Köln", "Ana wohnt in Köln."), believed(2, rel.Planned, "Umzug nach Kiel", "Ana zieht am 9. Mai nach Kiel."))

	old := believed(20, rel.Planned, "the party on Friday", "The party is on Friday.")
	old.Status, old.SupersededBy, old.ReplacedWhy, old.Updated = model.Superseded, 21, belief.ChangeChanged, noon.AddDate(0, 0, -2)
	moved := believed(21, rel.Planned, "the party", "The party has moved to Sunday 10 May.")
	stale := situation("so when is it again?", old, moved)
	stale.Loops = []model.Loop{{ID: 8, PersonID: ana, Kind: belief.LoopPlan, Text: "the party", DueFrom: noon.AddDate(0, 0, 6), Status: "open", MessageID: 21, Created: noon.AddDate(0, 0, -2)}}
	stale.Recall.Items = []recall.Item{{MemoryID: 6, Why: "matches", Lines: []model.SnippetLine{
		{MessageID: 20, PersonID: ana, Author: "Ana", At: noon.AddDate(0, 0, -9), Text: "the party on Friday", Hit: true},
	}}}

	crisis := situation("i've got pills here and i don't care any more", dog)
	crisis.Care = scene.Care{Danger: care.Self, Since: noon.Add(-time.Hour), Reach: []string{"Samaritans: 116 123"}}
	crisis.Recent = []scene.Line{line(70, false, 9, "everybody would be better off without me"), line(71, true, 8, "I'm here. Tell me what happened.")}

	return map[string]scene.Scene{
		"crisis":        crisis,
		"first-meeting": first, "return": back, "greeting-with-question": asked, "group": group, "wish": wish, "long-talk": long, "many-facts": many,
		"another-language": german, "stale-plan": stale,
	}
}

// TestGoldenSituations compares the prompts of situations with those that were reviewed.
func TestGoldenSituations(t *testing.T) {
	for name, s := range situations() {
		t.Run(name, func(t *testing.T) {
			for i := range s.Incoming {
				s.Incoming[i].Parsed = understand.Analyze(understand.Utterance{Text: s.Incoming[i].Text, At: noon})
			}
			checkGolden(t, name, modelvoice.ReplyPrompt(s))
		})
	}
}

// TestGoldenPictureAndTool asks a model that sees and uses tools: the first prompt has a picture, the second what the first
// looked up.
func TestGoldenPictureAndTool(t *testing.T) {
	m := &curious{}
	s := situation("is that the yard I told you about?")
	s.Incoming[0].Text = "is that the yard I told you about? [image]"
	s.Incoming[0].Pictures = []scene.Picture{{MIME: "image/jpeg", Data: []byte("not looked at")}}
	s.Lookup = func(context.Context, string) ([]recall.Item, error) {
		return []recall.Item{{MemoryID: 4, Lines: []model.SnippetLine{
			{MessageID: 40, PersonID: ana, Author: "Ana", At: noon.AddDate(0, -1, 0), Text: "the yard has a green crane and a red shed", Hit: true},
		}}}, nil
	}
	store := memorytest.Open(t)
	v := modelvoice.NewVoice(m, modelvoice.Meter{Store: store, Persona: "mira", Now: func() time.Time { return noon }}, 0, 0)
	if got, err := v.Reply(t.Context(), s, nil); err != nil || got.Text != "Green crane, red shed: that's the one." || len(m.asked) != 2 {
		t.Fatalf("replied %+v, %v, after %d prompts", got, err, len(m.asked))
	}
	checkGolden(t, "vision", m.asked[0])
	checkGolden(t, "tool-result", m.asked[1])
}

// curious is a model that sees, and that looks something up before it answers.
type curious struct{ asked []prompts.Prompt }

func (c *curious) Can() prompts.Abilities { return prompts.Abilities{Tools: true, Images: true} }

func (c *curious) Generate(_ context.Context, p prompts.Prompt, _ func(string)) (prompts.Answer, error) {
	c.asked = append(c.asked, p)
	if len(c.asked) == 1 {
		round := &prompts.Round{Calls: []prompts.Call{{ID: "1", Name: "recall", Arguments: `{"query":"yard"}`}}}
		return prompts.Answer{Asked: round, Stop: prompts.StopEnd, Requests: 1}, nil
	}
	return prompts.Answer{Text: "Green crane, red shed: that's the one.", Stop: prompts.StopEnd, Requests: 1}, nil
}

// checkGolden compares a prompt with the one that was reviewed.
func checkGolden(t *testing.T, name string, p prompts.Prompt) {
	t.Helper()
	got := ""
	for _, tool := range p.Tools {
		got += "--- tool " + tool.Name + "\n" + tool.Description + "\n" + string(tool.Parameters) + "\n\n"
	}
	got += "--- system\n" + p.System + "\n"
	for _, m := range p.Messages {
		got += "\n--- " + string(m.Role) + "\n" + m.Text + "\n"
	}
	for _, picture := range p.Images {
		got += fmt.Sprintf("\n--- picture, %s, %d bytes\n", picture.MIME, len(picture.Data))
	}
	for _, r := range p.Rounds {
		for i, c := range r.Calls {
			got += "\n--- call of " + c.Name + "\n" + c.Arguments + "\n--- result\n" + r.Results[i] + "\n"
		}
	}
	golden.Check(t, filepath.Join("testdata", name+".golden"), got)
}
