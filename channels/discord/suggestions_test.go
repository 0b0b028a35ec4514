package discord

import (
	"encoding/json"
	"fmt"
	"testing"

	"familiar/channels"
)

var languages = channels.Command{
	Name: "language", Help: channels.Localized{"en": "x"}, Options: []channels.Option{{
		Name: "language", Help: channels.Localized{"en": "x"}, Suggestions: []string{"Danish", "English", "Spanish", "deutsch"},
	}},
}

func TestD8ValuesAreSuggestedWhileSomebodyTypes(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	ann := d.server.Person("ann")
	dm := d.server.DM(ann)
	c := d.channel()
	c.Commands([]channels.Command{languages})
	d.run(c)
	if !d.server.Commands()[0].Options[0].Autocomplete {
		t.Error("Discord does not ask for suggestions")
	}
	id := d.server.Type(dm, ann, "language", "language", "d")
	d.eventually("values are suggested", func() bool { i, _ := d.server.Interaction(id); return i.Suggested != nil })
	i, _ := d.server.Interaction(id)
	equal(t, "suggested", i.Suggested, []string{"Danish", "deutsch"})
	d.server.Use(dm, ann, "language", "Klingon")
	equal(t, "any other is valid", d.messages(1)[0].Text, "/language Klingon")
}

func TestSuggestionsFitWhatWasTyped(t *testing.T) {
	many := make([]string, 40)
	for i := range many {
		many[i] = fmt.Sprint("zone", i)
	}
	zones := channels.Command{Options: []channels.Option{{Name: "zone", Suggestions: many}}}
	for _, c := range []struct {
		k     channels.Command
		o     option
		count int
	}{
		{languages, option{Name: "language", Value: json.RawMessage(`"ISH"`), Focused: true}, 3},
		{languages, option{Name: "language", Value: json.RawMessage(`""`), Focused: true}, 4},
		{languages, option{Name: "language", Value: json.RawMessage(`""`)}, 0},
		{languages, option{Name: "other", Value: json.RawMessage(`""`), Focused: true}, 0},
		{zones, option{Name: "zone", Value: json.RawMessage(`"zone"`), Focused: true}, 25},
	} {
		if got := suggestions([]option{c.o}, c.k); len(got) != c.count {
			t.Errorf("%s: %v", c.o.Value, got)
		}
	}
}
