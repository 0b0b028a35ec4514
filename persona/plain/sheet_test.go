package plain

import (
	"strings"
	"testing"

	"familiar/persona/card"
	"familiar/persona/lore"
	"familiar/persona/scene"
)

// barkeeper is a persona that was made from a character card.
func barkeeper(t *testing.T) *card.Card {
	t.Helper()
	book, err := lore.Read([]byte(`{"entries":[
		{"keys":["bar","kettle"],"content":"{{char}}'s bar is called The Copper Kettle. It closes at two in the morning."},
		{"keys":["dog"],"content":"The dog of the bar is a grey lurcher named Biscuit."},
		{"keys":["owner"],"content":"@@dont_activate\nThe owner is secretly Captain Holt."}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return &card.Card{
		Key: "mo", Name: "Mo Tanner", Description: "{{char}} tends bar in the harbour town of Wexley. {{char}} grew up on a herring boat.",
		Sheet: card.Sheet{
			Nickname: "Mo", Scenario: "It is raining, and {{user}} is the only guest.", Lore: lore.Compile(book),
			FirstMessages:  []string{"*Mo looks up.* Wet out there, {{user}}.", "Back again, {{user}}?", "The usual, {{user}}?"},
			GroupGreetings: []string{"Evening, all of you."}, Dialogue: "<START>\n{{user}}: What do you serve?\n{{char}}: Rum, {{user}}. Mostly rum.",
		},
	}
}

func TestThePersonaKnowsItsOwnCard(t *testing.T) {
	for text, want := range map[string]string{
		"what's the name of the bar?":             "The Copper Kettle",
		"What is the bar called?":                 "The Copper Kettle",
		"when does the bar close?":                "two in the morning",
		"what's your bar called?":                 "The Copper Kettle",
		"what is the dog's name?":                 "Biscuit",
		"what do you serve?":                      "Rum, Ann. Mostly rum.",
		"which town do you live in?":              "Wexley",
		"who is the owner?":                       "!Holt",
		"what's the name of my dog?":              "!Biscuit",
		"what's the capital of Peru?":             "!“",
		"when is my appointment?":                 "!“",
		"what did my sister say about the house?": "!“",
	} {
		s := annScene(heardLine(text))
		s.Card = barkeeper(t)
		t.Run(text, func(t *testing.T) { expect(t, s, want, "!{{") })
	}
}

func TestFirstMessagesGreet(t *testing.T) {
	s := annScene()
	s.Card, s.Greeting = barkeeper(t), &scene.Greeting{First: true}
	expect(t, s, "Wet out there, Ann.")
	s.Greeting = &scene.Greeting{Opening: 0}
	expect(t, s, "Back again, Ann?")
	s.Greeting.Opening = 1
	expect(t, s, "The usual, Ann?")
	s.Direct = false
	expect(t, s, "Evening, all of you.")
}

// TestS11TextOfPeopleIsNotExpanded checks that a name with a placeholder stays a name, and that what people say is repeated as
// they said it.
func TestS11TextOfPeopleIsNotExpanded(t *testing.T) {
	s := annScene()
	s.Card, s.Greeting = barkeeper(t), &scene.Greeting{First: true}
	s.Address = "{{char}} {{roll:6}}"
	if said := speakPlainly(t, s).Text; !strings.Contains(said, "Wet out there, char roll 6.") {
		t.Errorf("it says %q", said)
	}
	s = annScene(heardLine("what did I say about {{char}}?"))
	s.Card = barkeeper(t)
	if said := speakPlainly(t, s).Text; strings.Contains(said, "{{") && !strings.Contains(said, "{{char}}") {
		t.Errorf("it says %q", said)
	}
}
