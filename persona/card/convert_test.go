package card_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"familiar/persona/card"
	"familiar/persona/character"
	"familiar/persona/lore"
	"familiar/persona/macro"
)

// texts are what cards have in their fields: everything that YAML could misread.
var texts = []string{
	"Plain.", "Two\nlines", "  spaces around \n", "tabs\tand: colons # and marks", "- a list?\n- no", "{{char}}: {{user}}", "'quotes' \"both\" \\n",
	"yes", "null", "0x1F", "---\n...", "trailing space \nnext", "\r\nWindows\r\nlines", "控制 \u0000\u0007 and \u2028", "%TAG !x", "a\n\n\nb\n  indented\n\ttab", "|", ">-\n", "!!binary x", "*Mo looks up.*", "@@depth 4", "&anchor", "\ufeffmark",
}

// TestEveryTextOfACardMakesAPersona checks that any text becomes a valid persona file, and that the card that is made from it
// again is the one that it was made from.
func TestEveryTextOfACardMakesAPersona(t *testing.T) {
	for i, text := range texts {
		other := texts[(i+7)%len(texts)]
		source := parseJSON(t, map[string]any{
			"name": "Mo " + text, "description": text, "personality": other, "scenario": text, "first_mes": text, "mes_example": other,
			"alternate_greetings": []string{other, "", text}, "group_only_greetings": []string{text}, "system_prompt": text,
			"post_history_instructions": other, "extensions": map[string]any{"depth_prompt": map[string]any{"prompt": text, "depth": 3, "role": "user"}, "own": text},
			"tags": []string{"x"}, "creator": text,
		})
		file, err := card.FromCharacter("mo", source)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		c, err := card.ParseCard("mo.yaml", file)
		if err != nil {
			t.Errorf("%q: %v\n%s", text, err, file)
			continue
		}
		again, err := card.ToCharacter(c, source)
		if err != nil {
			t.Fatal(err)
		}
		if before, after := written(t, source), written(t, again); !bytes.Equal(before, after) {
			t.Errorf("%q: the card was\n%s\nis\n%s", text, before, after)
		}
	}
}

func parseJSON(t *testing.T, data map[string]any) *character.Character {
	t.Helper()
	text, err := json.Marshal(map[string]any{"spec": "chara_card_v3", "spec_version": "3.0", "data": data})
	if err != nil {
		t.Fatal(err)
	}
	c, err := character.ParseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func written(t *testing.T, c *character.Character) []byte {
	t.Helper()
	data, err := c.JSON(character.V3)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestOnlyWhatChangedInThePersonaIsExported(t *testing.T) {
	source := parseJSON(t, map[string]any{
		"name": "Mo", "description": " kept\r\nas it was ", "first_mes": "Hi", "mood": "calm", "alternate_greetings": []string{"", "Yo"},
		"character_book": map[string]any{"entries": []any{map[string]any{"keys": []string{"bar"}, "content": "x"}}, "own": 1},
	})
	file, err := card.FromCharacter("mo", source)
	if err != nil {
		t.Fatal(err)
	}
	c, err := card.ParseCard("mo.yaml", append(file, "values: [Patience.]\ntraits: {warm: 0.9}\n"...))
	if err != nil {
		t.Fatal(err)
	}
	c.Sheet.Scenario, c.Sheet.Lore = "A ship.", lore.Compile(source.Book)
	made, err := card.ToCharacter(c, source)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Data map[string]any `json:"data"`
	}
	if err := json.Unmarshal(written(t, made), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"description": " kept\r\nas it was ", "first_mes": "Hi", "mood": "calm", "alternate_greetings": []any{"", "Yo"}, "scenario": "A ship.",
		"personality":    "Character: very warm\nWhat matters to {{char}}: Patience.",
		"character_book": map[string]any{"entries": []any{map[string]any{"keys": []any{"bar"}, "content": "x"}}, "own": 1.0},
	}
	for key, value := range want {
		if !reflect.DeepEqual(got.Data[key], value) {
			t.Errorf("%s is %#v, want %#v", key, got.Data[key], value)
		}
	}
}

func TestBuiltInPersonasBecomeCards(t *testing.T) {
	c, err := card.LoadCard(t.TempDir(), "nell")
	if err != nil {
		t.Fatal(err)
	}
	made, err := card.ToCharacter(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if made.Name != c.Name || !strings.Contains(made.Personality, "Limits: ") || !strings.Contains(made.Examples, "{{char}}: ") || strings.Contains(made.FirstMessage, "{name}") {
		t.Errorf("%+v", made)
	}
}

func TestExampleDialogues(t *testing.T) {
	c := &card.Card{Name: "Mo", Sheet: card.Sheet{Dialogue: "<START>\n{{user}}: Hi\nthere\n{{char}}: Sit.\n*nods*\n{{user}}: Rum?\nMo: Always, {{user}}.\n<start>\n{{char}}: Closing time.\n<START>\n*It rains.*"}}
	got := c.Filled(macro.Values{User: "Ana"}).Examples
	want := []card.Example{{Person: "Hi\nthere", Persona: "Sit.\n*nods*"}, {Person: "Rum?", Persona: "Always, Ana."}, {Persona: "Closing time."}, {Persona: "*It rains.*"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestLoreBesideAPersona(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mo.yaml"), []byte("name: Mo\ndescription: x\nauthor_note: {text: hi, depth: 2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := card.LoadCard(dir, "mo")
	if err != nil || c.Sheet.Lore != nil || c.Sheet.Note != (character.Note{Text: "hi", Depth: 2, Role: "system"}) {
		t.Fatalf("%+v, %v", c, err)
	}
	if err := os.WriteFile(card.LoreFile(dir, "mo"), []byte(`{"entries":[`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := card.LoadCard(dir, "mo"); err == nil || !strings.Contains(err.Error(), "mo.lore.json") {
		t.Errorf("a damaged lorebook gives %v", err)
	}
	if all, err := card.Cards(dir); err != nil || len(all) != 3 {
		t.Errorf("%d personas, %v", len(all), err)
	}
}

func TestKeyOf(t *testing.T) {
	for name, want := range map[string]string{"Zoë O'Neil": "zoe-oneil", "  Mo  (v2) ": "mo-v2", "李雷": "", strings.Repeat("ab ", 30): "ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-a"} {
		if got := card.KeyOf(name); got != want || got != "" && !card.ValidKey(got) {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}
