// The requirements that these tests are named after:
//
// C1: people in danger are recognized by rules alone, in every language that recall reads: who may harm themselves, who is
// harmed by others, who has nothing to eat or nowhere to stay. Figures of speech, stories, accidents and denials are not
// taken for danger. What is said then names whom to reach, by country.
package care

import (
	_ "embed"
	"strings"
	"testing"
)

//go:embed testdata/said.txt
var saidFile string

// TestC1RulesReadDanger reads what people say in every language.
func TestC1RulesReadDanger(t *testing.T) {
	for line := range strings.Lines(saidFile) {
		want, said, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		if want == "none" {
			want = ""
		}
		if got := Read(said); string(got.Danger) != want {
			t.Errorf("%q: %+v, want %q", said, got, want)
		}
	}
}

// TestEveryLanguageIsWhole reads the embedded files.
func TestEveryLanguageIsWhole(t *testing.T) {
	if n := len(readers().byTag); n != 9 {
		t.Errorf("%d languages", n)
	}
	for tag, x := range readers().byTag {
		for _, d := range dangers {
			if len(x.replies[d]) < 100 || x.contacts == "" {
				t.Errorf("%s: the reply for %s is %q, contacts %q", tag, d, x.replies[d], x.contacts)
			}
		}
	}
}

// TestC1ContactsFollowTheCountry asks for contacts by timezone, by the setting, and by neither.
func TestC1ContactsFollowTheCountry(t *testing.T) {
	for name, tt := range map[string]struct {
		of           Contacts
		danger       Danger
		zone         string
		want, absent string
	}{
		"their own timezone":       {Contacts{Country: "DE"}, Self, "Europe/London", "116 123", "TelefonSeelsorge"},
		"the home's country":       {Contacts{Country: "de"}, Self, "", "TelefonSeelsorge", "116 016"},
		"another danger":           {Contacts{Country: "DE"}, Harm, "", "116 016", "TelefonSeelsorge"},
		"somebody else's danger":   {Contacts{Country: "US"}, Other, "", "988", "211"},
		"hunger":                   {Contacts{Country: "US"}, Need, "", "211", "988"},
		"the operator's own":       {Contacts{"US", map[string][]string{"US": {"Campus nurse: 555"}}}, Self, "", "Campus nurse: 555", "988"},
		"an unknown place":         {Contacts{Country: "DE"}, Self, "Etc/GMT-2", "TelefonSeelsorge", "988"},
		"no country at all":        {Contacts{}, Self, "", "", "112"},
		"a country without a list": {Contacts{Country: "XX"}, Self, "", "", "112"},
	} {
		got := strings.Join(tt.of.For(tt.danger, tt.zone), "\n")
		if !strings.Contains(got, tt.want) || strings.Contains(got, tt.absent) || (got == "") != (tt.want == "") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// BenchmarkC1Gate reads an everyday message, as every message is read.
func BenchmarkC1Gate(b *testing.B) {
	const said = "So I went to the market with my sister this morning, and we found the tiles for the kitchen after all! She says " +
		"hello, by the way. Do you remember what I told you about the garden? I'd like to plant the beans next week if it stays warm."
	b.ReportAllocs()
	read(said)
	for b.Loop() {
		read(said)
		Foreign(said)
	}
}
