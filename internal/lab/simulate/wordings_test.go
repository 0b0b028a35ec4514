package simulate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// embedded returns the embedded wordings.
func embedded(t *testing.T) wordings {
	t.Helper()
	words, err := readWordings()
	if err != nil {
		t.Fatal(err)
	}
	return words
}

func TestEverySectionHasEnoughWordings(t *testing.T) {
	words := embedded(t)
	for section := range words {
		least := 40
		switch last := section[strings.LastIndexByte(section, ' ')+1:]; last {
		case "asked":
			least = 14
		case "changed", "ended", "corrected":
			least = 20
		}
		if forms[section].least != least {
			t.Errorf("[%s] demands %d wordings, want %d", section, forms[section].least, least)
		}
		if n := len(words[section]); n < least {
			t.Errorf("[%s] has %d wordings, want at least %d", section, n, least)
		}
	}
	for about := range topics {
		for _, section := range []string{string(about), string(about) + " asked"} {
			if words[section] == nil {
				t.Errorf("[%s] is missing", section)
			}
		}
	}
}

// TestWordingsNameNobody checks that every name in a script comes from the script, not from a wording.
func TestWordingsNameNobody(t *testing.T) {
	named := newTruth(1)
	for _, l := range []*nameList{firstNames, cities, pets, misheard, kin, employers, therapists} {
		for _, name := range l.names {
			named.owners[strings.ToLower(name)] = 0
		}
	}
	words := embedded(t)
	for _, section := range slices.Sorted(maps.Keys(words)) {
		for _, wording := range words[section] {
			if name := named.foreign(-1, false, wording); name != "" {
				t.Errorf("[%s] %q names %s", section, wording, name)
			}
		}
	}
}

func TestWrongWordingsAreErrors(t *testing.T) {
	for file, want := range map[string]string{
		"[shoe]":                                 `x.txt: line 1: unknown section: "[shoe]"`,
		"[home]\nI'm in {value}\n\n[home]":       `x.txt: line 4: this section exists already: write it once: "[home]"`,
		"I'm in {value}":                         `x.txt: line 1: a wording before the first section: "I'm in {value}"`,
		"[home]\nI'm in {value}\nI'm in {value}": `x.txt: line 3: the section holds this wording already: "I'm in {value}"`,
		"[home]\nI'm home":                       `x.txt: line 2: in [home]: {value} is missing: "I'm home"`,
		"[job]\nI work":                          `x.txt: line 2: in [job]: {a value} or {value} is missing: "I work"`,
		"[pet]\nmy {kind} is {value}, {old}":     `x.txt: line 2: in [pet]: unknown placeholder {old}: "my {kind} is {value}, {old}"`,
		"[pet]\nmy {kind} is {Value}":            `x.txt: line 2: in [pet]: a brace that belongs to no placeholder: "my {kind} is {Value}"`,
		"[pet]\nmy {kind} is {value":             `x.txt: line 2: in [pet]: a brace that belongs to no placeholder: "my {kind} is {value"`,
		"[allergy]\nno {value} please":           "section [allergy] has 1 wordings: write at least 40",
	} {
		_, err := readWordingsOf(fstest.MapFS{"wordings/x.txt": {Data: []byte(file)}})
		if err == nil || err.Error() != want {
			t.Errorf("%q gives the error\n%v, want\n%s", file, err, want)
		}
	}
}

func TestAWordingComesAgainOnlyAfterAllOthers(t *testing.T) {
	const section, sayings = "home asked", 5
	all := wordings{}
	for i := range sayings {
		all[section] = append(all[section], fmt.Sprint("where ", i))
	}
	draw := func(seed uint64) (drawn []string) {
		book, rng := newPhrasebook(all), random(seed, 1)
		for range 3 * sayings {
			drawn = append(drawn, book.next(rng, section))
		}
		return drawn
	}
	drawn := draw(1)
	for i := 0; i < len(drawn); i += sayings {
		if round := slices.Sorted(slices.Values(drawn[i : i+sayings])); !slices.Equal(round, all[section]) {
			t.Errorf("round %d draws %q", i/sayings, round)
		}
	}
	if !slices.Equal(drawn, draw(1)) || slices.Equal(drawn, draw(2)) {
		t.Error("the seed does not decide the order")
	}
}

func TestPlaceholdersAreFilled(t *testing.T) {
	b := blanks{value: "electrician", kind: "dog", old: "nurse", when: "tomorrow"}
	const wording = "{kind}: {a value}, {value} not {old} {when}"
	if got, want := b.fill(wording), "dog: an electrician, electrician not nurse tomorrow"; got != want {
		t.Errorf("%q is filled as %q, want %q", wording, got, want)
	}
	for _, l := range testScript(t, Settings{Days: 200, People: 10, Seed: 1, Start: Start}, newCast(Settings{Days: 200, People: 10, Seed: 1})) {
		if l.Text == "" || strings.ContainsAny(l.Text, "{}") || strings.Contains(l.Text, "  ") {
			t.Errorf("%q has a gap", l.Text)
		}
	}
}
