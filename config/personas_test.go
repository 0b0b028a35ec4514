package config

import (
	"fmt"
	"strings"
	"testing"

	"familiar/channels/all"
)

func parsePersonas(text string) (*Config, error) {
	return Parse("/home", []byte(text), nil, all.Sections()...)
}

func TestPersonasThatCanBeFoundAreServed(t *testing.T) {
	c, err := parsePersonas("persona: nell\npersonas:\n  otto: {model: {temperature: 1}}\n  mira: {mentions: true}\n  nell: {channels: [telegram]}\n  zoe: {rooms: [console/a]}\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(c.Served()); got != "[nell mira zoe]" {
		t.Errorf("served are %s", got)
	}
	if c.OnlyPersona = true; len(c.Served()) != 1 {
		t.Errorf("alone, %v are served", c.Served())
	}
}

func TestPersonasProblems(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"  a: {rooms: [telegram/1]}\n  b: {rooms: [telegram/1]}\n", `personas.b.rooms: "telegram/1" is claimed by a too: leave it to one of them`},
		{"  a: {channels: [telegram]}\n  b: {channels: [telegram]}\n", `"telegram" is claimed by a too`},
		{"  a: {servers: [discord/1]}\n  b: {servers: [discord/1]}\n", `"discord/1" is claimed by a too`},
		{"  a: {channels: [telegramm]}\n", `"telegramm" names no channel`},
		{"  a: {rooms: [telegram]}\n", `"telegram" is no room: write CHANNEL/ID`},
		{"  a: {rooms: [fax/1]}\n", `"fax/1" names no channel`},
		{"  a: {servers: [discord]}\n", `"discord" is no server`},
		{"  a: {mention: true}\n", `did you mean "mentions"?`},
	} {
		_, err := parsePersonas("personas:\n" + c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, "  p%d: {selectable: true}\n", i)
	}
	if _, err := parsePersonas("personas:\n" + many.String()); err == nil || !strings.Contains(err.Error(), "serves 1001 personas: one process serves at most 100") {
		t.Errorf("1,000 personas: %v", err)
	}
}
