package card

import (
	"os"
	"strings"
	"testing"
)

// TestACopyHasItsOwnName copies what people write: names whole, in part, in the genitive, across lines, quoted and in
// comments, together with words that only look alike.
func TestACopyHasItsOwnName(t *testing.T) {
	for _, tt := range []struct{ name, from, want string }{
		{
			"every form of the name",
			"name: Nell Harrow # how she is called\ndescription: >-\n  Nell's bar. Ask for Nell\n  Harrow, or Mrs Harrow.\n",
			"name: \"Mira\"\ndescription: >-\n  Mira's bar. Ask for Mira, or Mrs Mira.\n",
		},
		{
			"a longer word is another word",
			"name: Ann\ndescription: Ann is no Anna, and not annoyed.\n# Ann was here.\n",
			"name: \"Mira\"\ndescription: Mira is no Anna, and not annoyed.\n# Mira was here.\n",
		},
		{
			"a common word in a name stays a word",
			"name: The Captain\ndescription: The Captain is the captain here. The boat is old. Captain!\n",
			"name: \"Mira\"\ndescription: Mira is the captain here. The boat is old. Captain!\n",
		},
		{
			"letters beyond English",
			"name: 'Zoë Šimić'\ndescription: Zoë is not Zoëlle.\ngreetings: [\"Zoë here, {name}.\"]\n",
			"name: \"Mira\"\ndescription: Mira is not Zoëlle.\ngreetings: [\"Mira here, {name}.\"]\n",
		},
		{
			"a name like a key of the file",
			"name: voice\ndescription: A voice.\nvoice: Low.\n",
			"name: \"Mira\"\ndescription: A Mira.\nvoice: Low.\n",
		},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(CardFile(dir, "old"), []byte(tt.from), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := CopyCard(dir, "old", "mira"); err != nil || string(got) != tt.want {
			t.Errorf("%s: %v, got\n%swant\n%s", tt.name, err, got, tt.want)
		}
	}
}

// TestACopyIsValid refuses what would be a broken persona, and says why.
func TestACopyIsValid(t *testing.T) {
	for _, tt := range []struct{ from, key, want string }{
		{"name: Nell\ndescripton: Typo.\n", "mira", `did you mean "description"?`},
		{"name: >-\n  Nell\ndescription: Somebody.\n", "mira", "call it Mira"},
		{"{name: \"N\\x65ll\", description: Somebody.}\n", "mira", "line of its own"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(CardFile(dir, "old"), []byte(tt.from), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := CopyCard(dir, "old", tt.key); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q is copied as %q, %v; want %q", tt.from, got, err, tt.want)
		}
	}
	for _, key := range []string{"null", "7", "true", "a-b"} {
		if _, err := CopyCard("", "nell", key); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
}
