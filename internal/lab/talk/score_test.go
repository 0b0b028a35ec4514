package talk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestScore(t *testing.T) {
	for _, c := range []struct {
		name, expected, forbidden, answer string
		want                              Score
	}{
		{"own words", "porto", "", "You live in Porto.", Direct},
		{"a part of the words", "pier|harbou?r", "", "By the HARBOR.", Direct},
		{"only quoted", "porto", "", "On Monday you said: “we moved to Porto”.", Quote},
		{"two quotations", "porto", "", "You said “hello” and “off to\nPorto”.", Quote},
		{"denied and quoted", "porto", "", "I don't know that. You did say “off to Porto”.", Hedge},
		{"denied with a curly apostrophe", "porto", "", "I haven’t been told.", Unknown},
		{"denied, quoted, beside it", "porto", "", "I don't know. You said “hello”.", Nonsense},
		{"right and denied", "porto", "", "No idea about the rest, but you live in Porto.", Direct},
		{"beside it", "porto", "", "What a day.", Nonsense},
		{"forbidden", "porto", "lisbon", "You live in Lisbon, or in Porto.", Wrong},
		{"forbidden in a quotation", "porto", "lisbon", "You said: “I left Lisbon”.", Wrong},
		{"forbidden in a quotation beside the answer", "porto", "lisbon", "You said: “from Lisbon to Porto”.", Quote},
		{"allowed by what stands before it", "porto", "(?<!left )lisbon", "You left Lisbon for Porto.", Direct},
		{"allowed by what stands after it", `\bno\b(?! idea)`, "", "I have no idea.", Unknown},
		{"no as a word", "no", "", "I know.", Nonsense},
		{"no", "no|never", "", "No, you sold it.", Direct},
		{"over lines", "monday.*friday", "", "On Monday\nand Friday.", Direct},
		{"honest", "UNKNOWN", "", "Nobody has told me.", Direct},
		{"honest, with a quotation", "UNKNOWN", "", "Nobody has told me. You said “hello”.", Hedge},
		{"not honest", "UNKNOWN", "", "You have two cats.", Nonsense},
		{"honest or a guess", "UNKNOWN|cat", "", "A cat, I think.", Direct},
		{"anything", "", "lisbon", "Hello there.", Direct},
		{"anything but what is forbidden", "", "lisbon", "Is Lisbon nice?", Wrong},
		{"anything but a forbidden quotation", "", "lisbon", "“Lisbon”, you said.", Wrong},
		{"silence", "porto", "", "", None},
	} {
		r, err := compile(c.expected, c.forbidden)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := r.score(c.answer); got != c.want {
			t.Errorf("%s: %q for %q is %s, want %s", c.name, c.answer, c.expected, got, c.want)
		}
	}
}

func TestReadNamesWhatIsWrong(t *testing.T) {
	good := `{"id": "1", "cat": "pets", "who": "Ann", "told": ["hello"], "asks": [["who?", "ann", ""]]}`
	for text, want := range map[string]string{
		`{}`:                          "expected a JSON list of probes",
		`[]`:                          "the list is empty",
		`[` + good + `,` + good + `]`: `probe 2: the id "1" was used before`,
		`[{"id": "1"}]`:               `probe 1: "who" is missing`,
		`[{"who": "Ann"}]`:            `probe 1: "id" is missing`,
		`[{"id": "1", "who": "Ann"}]`: `probe 1: "told" is empty`,
		strings.Replace("["+good+"]", `["hello"]`, `["hello", " "]`, 1):        `probe 1: a message in "told" is empty`,
		strings.Replace("["+good+"]", `[["who?", "ann", ""]]`, `[]`, 1):        `probe 1: "asks" is empty`,
		strings.Replace("["+good+"]", `"who?", "ann", ""`, `"who?", "ann"`, 1): `probe 1: a question is [question, expected, forbidden], not ["who?", "ann"]`,
		strings.Replace("["+good+"]", `"who?"`, `""`, 1):                       "probe 1: a question is empty",
		strings.Replace("["+good+"]", `"ann"`, `"an(n"`, 1):                    `probe 1: the expression "an(n"`,
		strings.Replace("["+good+"]", `"told"`, `"ago": [0], "told"`, 1):       `probe 1: "ago" is [0]`,
		strings.Replace("["+good+"]", `"told"`, `"fill": -1, "told"`, 1):       `probe 1: "fill" is -1`,
	} {
		file := filepath.Join(t.TempDir(), "probes.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(file); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s\nfails with %v, want %q and the file", text, err, want)
		}
	}
}
