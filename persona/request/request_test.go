package request

import (
	"os"
	"strings"
	"testing"
)

// wordings returns the lines of a file: what is meant, and what was said.
func wordings(t *testing.T, file string) (all [][2]string) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if want, said, found := strings.Cut(strings.TrimSpace(line), "\t"); found {
			all = append(all, [2]string{want, said})
		}
	}
	return all
}

// meant returns a reading as the files write it.
func meant(said string) string {
	c, ok := Read(said)
	if !ok {
		return "-"
	}
	return strings.TrimSpace(c.Name + " " + c.Args)
}

// right reports whether a reading is what was meant; the words of a topic may have others around them.
func right(got, want string) bool {
	if topic, ok := strings.CutPrefix(want, "forget "); ok && topic != "me" {
		return strings.HasPrefix(got, "forget ") && strings.Contains(got, topic)
	}
	return got == want
}

func TestPlainWordsAskForCommands(t *testing.T) {
	for _, w := range wordings(t, "build.txt") {
		if got := meant(w[1]); !right(got, w[0]) {
			t.Errorf("%q reads as %q, want %q", w[1], got, w[0])
		}
	}
}

// TestHeldOutWordings asks for wordings for which no rule was written: most of them must be read, and nothing may be read
// in what asks for nothing.
func TestHeldOutWordings(t *testing.T) {
	var asked, read int
	for _, w := range wordings(t, "held.txt") {
		got := meant(w[1])
		if w[0] == "-" {
			if got != "-" {
				t.Errorf("%q reads as %q, though it asks for nothing", w[1], got)
			}
			continue
		}
		if asked++; right(got, w[0]) {
			read++
		} else {
			t.Logf("%q reads as %q, want %q", w[1], got, w[0])
		}
	}
	t.Logf("%d of %d held-out wordings are read", read, asked)
	if read*100 < asked*heldPercent {
		t.Errorf("only %d of %d held-out wordings are read", read, asked)
	}
}

// heldPercent is how many in a hundred of the held-out wordings are read at least.
const heldPercent = 80

func TestYesIsNothingElse(t *testing.T) {
	for _, said := range []string{"yes", "Yes.", "yes please", "ja", "Ja, bitte!", "sí", "Sí, por favor", "oui", "Oui !", "ok", "go ahead"} {
		if !IsYes(said) {
			t.Errorf("%q is no yes", said)
		}
	}
	for _, said := range []string{"", "no", "yes?", "yes but not the dog", "yesterday", "nein", "do you?", "I said yes to him"} {
		if IsYes(said) {
			t.Errorf("%q is a yes", said)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("forget what I told you about my shift")
	f.Add("l’oubli d’hier’’")
	f.Fuzz(func(t *testing.T, said string) {
		if c, ok := Read(said); ok && (c.Name == "" || !strings.Contains(said, c.Args) && c.Args != "me" && c.Args != "last 10 minutes") {
			t.Errorf("%q reads as %+v", said, c)
		}
		IsYes(said)
	})
}
