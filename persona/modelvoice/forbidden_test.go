package modelvoice_test

// C2: an answer that speaks of what the person or the operator asked to leave alone is not said and not shown: the model is
// asked once more, then the sentences are left out, then the plain voice answers.

import (
	"slices"
	"strings"
	"testing"

	"familiar/memory/memorytest"
	"familiar/memory/model"
	"familiar/memory/understand/rel"
	"familiar/persona/modelvoice"
	"familiar/persona/plain"
	"familiar/persona/scene"
)

// wishScene is Ana, who wishes that her divorce is never mentioned, saying something.
func wishScene(said string) scene.Scene {
	s := asked()
	s.Incoming = []scene.Line{{PersonID: s.Person.ID, Name: s.Person.Name, Text: said, At: s.Now}}
	s.Beliefs = []model.Belief{{Relation: rel.Wish, Status: model.Active, SubjectPerson: s.Person.ID, AuthorID: s.Person.ID, Value: "never mention my divorce"}}
	return s
}

func TestC2ForbiddenTopicsAreNotSaid(t *testing.T) {
	const clean = "Lovely to hear from you."
	for name, tt := range map[string]struct {
		said    string
		answers []string
		want    string
		tries   int
		voice   string
	}{
		"nothing forbidden":        {"hello, i am back", []string{clean}, clean, 1, "model"},
		"a better second try":      {"hello, i am back", []string{"Hello! Is the divorce over?", clean}, clean, 2, "model"},
		"the sentence is left out": {"hello, i am back", []string{"Hello! Is the divorce over?", "Good to see you, Ana. You were getting divorced. How was the sea?"}, "Good to see you, Ana. How was the sea?", 2, "model"},
		"nothing is left":          {"hello, i am back", []string{"Is the divorce over?", "And your divorce?"}, "", 2, "plain"},
		"they brought it up":       {"my divorce is through", []string{"The divorce is through, at last."}, "The divorce is through, at last.", 1, "model"},
	} {
		t.Run(name, func(t *testing.T) {
			var all []given
			for _, a := range tt.answers {
				all = append(all, given{text: a})
			}
			for _, streaming := range []bool{true, false} {
				m, server := client(t, all...)
				meter := modelvoice.Meter{Store: memorytest.Open(t), Persona: "mira", Now: new(memorytest.Clock).Now}
				voice := modelvoice.Fallback(modelvoice.NewVoice(m, meter, 0, 0), plain.New())
				var shown []string
				show := func(soFar string) { shown = append(shown, soFar) }
				if !streaming {
					show = nil
				}
				got, err := voice.Reply(t.Context(), wishScene(tt.said), show)
				if err != nil || got.Voice != tt.voice || tt.want != "" && got.Text != tt.want || len(server.Requests()) != tt.tries {
					t.Errorf("Reply = %+v, %v after %d requests", got, err, len(server.Requests()))
				}
				if !strings.Contains(tt.said, "divorce") && (strings.Contains(got.Text, "divorc") || slices.ContainsFunc(shown, func(x string) bool { return strings.Contains(x, "divorc") })) {
					t.Errorf("said %q, shown %q", got.Text, shown)
				}
				if tt.tries > 1 {
					if last := server.Requests()[1].Prompt(); !strings.Contains(last, "never mention my divorce") || !strings.Contains(last, "is to be left alone") {
						t.Errorf("the second prompt does not name the wish: %s", last)
					}
				}
			}
		})
	}
}
