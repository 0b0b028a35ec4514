package card

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"familiar/internal/strictyaml"
	"familiar/memory/model"
)

func TestBuiltInPersonasAreComplete(t *testing.T) {
	entries, err := Cards(filepath.Join(t.TempDir(), "missing"))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 2 {
		t.Fatalf("built in are %+v", entries)
	}
	for _, e := range entries {
		if e.Err != nil {
			t.Errorf("%s: %v", e.Key, e.Err)
			continue
		}
		c := e.Card
		if c.Key != e.Key || !e.BuiltIn || e.Shadows {
			t.Errorf("entry %+v", e)
		}
		if len(c.Traits) < 4 || len(c.Values) < 3 || len(c.Boundaries) < 3 || c.Voice == "" {
			t.Errorf("%s has little character: %+v", c.Key, c)
		}
		if len(c.Greetings) < 3 || len(c.Greetings) > 5 || len(c.Examples) < 4 || len(c.Sectors) != 5 {
			t.Errorf("%s: %d greetings, %d examples, %d sectors", c.Key, len(c.Greetings), len(c.Examples), len(c.Sectors))
		}
	}
}

func TestParseCard(t *testing.T) {
	card, err := ParseCard("/x/ada-2.yaml", []byte(`
name: Ada
description: Counts things.
traits:
  - exact: 0.9
  - calm: 0.1
greetings: ["Hello, {name}."]
examples:
  - {person: Hi, persona: One.}
sectors: {semantic: 2}
fading: {semantic: 0.01}
timezone: Europe/Lisbon
`))
	if err != nil {
		t.Fatal(err)
	}
	if card.Key != "ada-2" || card.Name != "Ada" || card.Language != "en" || card.Zone.String() != "Europe/Lisbon" {
		t.Errorf("got %+v", card)
	}
	if off, err := ParseCard("ada.yaml", []byte("name: Ada\ndescription: Counts.\nworld_facts: false\n")); err != nil || !off.WithoutFacts || card.WithoutFacts {
		t.Errorf("world_facts: false makes %+v, %v", off, err)
	}
	if len(card.Traits) != 2 || card.Traits[0] != (Trait{"exact", 0.9}) || card.Sectors[model.Semantic] != 2 || card.Rates[model.Semantic] != 0.01 {
		t.Errorf("traits %+v, sectors %+v, rates %v", card.Traits, card.Sectors, card.Rates)
	}
}

func TestCardProblems(t *testing.T) {
	const whole = "name: Ada\ndescription: Counts.\n"
	for _, c := range []struct{ text, want string }{
		{"description: d\n", "a.yaml: name: is missing"},
		{"name: Ada\n", "a.yaml: description: is missing"},
		{"name: \"A\\nB\"\ndescription: d\n", "a.yaml:1:1: name: must be one line"},
		{"name: " + strings.Repeat("a", 61) + "\ndescription: d\n", "a.yaml:1:1: name: is longer than 60"},
		{whole + "voice: " + strings.Repeat("a", 40001) + "\n", "a.yaml:3:1: voice: is 40001 letters long"},
		{whole + "trait: {}\n", `a.yaml:3:1: unknown key "trait": did you mean "traits"?`},
		{whole + "traits: {zeal: 1.5}\n", "a.yaml:3:10: traits.zeal: is 1.5: take 0 to 1"},
		{whole + "traits: {zeal: very}\n", "a.yaml:3:16: traits.zeal: takes a number, not this text"},
		{whole + "sectors: {semantik: 1}\n", "a.yaml:3:11: sectors.semantik: is no sector of memory: did you mean semantic?"},
		{whole + "fading: {semantic: 0}\n", "a.yaml:3:10: fading.semantic: is 0: take 0.0001 to 1"},
		{whole + "fading: {reflectiv: 0.1}\n", "a.yaml:3:10: fading.reflectiv: is no sector of memory: did you mean reflective?"},
		{whole + "sectors: {semantic: 9}\n", "a.yaml:3:11: sectors.semantic: is 9: take 0 to 5"},
		{whole + "values: [\"\"]\n", "a.yaml:3:10: values[0]: is empty"},
		{whole + "greetings: [\"Hi {nmae}\"]\n", "a.yaml:3:13: greetings[0]: has braces that are not {name}"},
		{whole + "examples:\n  - person: hi\n", "examples[0].persona: is missing"},
		{whole + "timezone: Moon/Base\n", `a.yaml:3:1: timezone: "Moon/Base" is no timezone`},
		{whole + "language: not a tag\n", `a.yaml:3:1: language: "not a tag" is no language tag`},
	} {
		_, err := ParseCard("a.yaml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestEveryCardProblemIsReportedAtOnce(t *testing.T) {
	_, err := ParseCard("Bad Name.yaml", []byte("nam: x\ntraits: {a: 2}\nvalues: [\"\"]\n"))
	var all *strictyaml.Problems
	if !errors.As(err, &all) || len(all.List) != 6 {
		t.Errorf("got %v", err)
	}
}

func TestHomePersonaWinsOverBuiltIn(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("nell.yaml", "name: My Nell\ndescription: Mine.\n")
	write("broken.yaml", "nome: x\n")
	write("My Own.yaml", "name: x\n")
	write("old.yml", "name: x\n")
	write("notes.txt", "x")
	card, err := LoadCard(dir, "nell")
	if err != nil || card.Name != "My Nell" {
		t.Fatalf("got %+v, %v", card, err)
	}
	entries, err := Cards(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		mark := ""
		if e.Shadows {
			mark += "+"
		}
		if e.Err != nil {
			mark += "!"
		}
		got = append(got, e.Key+mark)
	}
	if want := "ambrose broken! nell+ My Own! old!"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUnknownPersonaNamesTheNearest(t *testing.T) {
	for key, want := range map[string]string{
		"nel":         `did you mean "nell"?`,
		"zzz":         "familiar persona list",
		"../etc/pass": "familiar persona list",
		"":            "familiar persona list",
	} {
		_, err := LoadCard(t.TempDir(), key)
		if !errors.Is(err, ErrNoCard) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", key, err)
		}
	}
}

func TestBlankCardIsAValidPersona(t *testing.T) {
	for _, key := range []string{"ada", "0", "null"} {
		card, err := ParseCard(key+".yaml", BlankCard(key))
		if err != nil || !strings.EqualFold(card.Name, key) || strings.Contains(card.Description, "{") {
			t.Errorf("%s: %+v, %v", key, card, err)
		}
	}
}

func FuzzParseCard(f *testing.F) {
	f.Add(string(BlankCard("a")))
	f.Add("name: a\ntraits: [a: 1, {b: 2}]\nexamples: [{person: a}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		card, err := ParseCard("a.yaml", []byte(text))
		if (card == nil) == (err == nil) {
			t.Fatalf("card %v, error %v", card, err)
		}
		if card == nil {
			return
		}
		for _, trait := range card.Traits {
			if !(trait.Strength >= 0 && trait.Strength <= 1) {
				t.Errorf("trait %+v", trait)
			}
		}
	})
}
