package sentences

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// read returns the messages of all files of a folder.
func read(t *testing.T, folder string) map[string][]Sentence {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", folder, len(files), err)
	}
	all := map[string][]Sentence{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if all[f], err = Parse(string(data)); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
	return all
}

const (
	// opening is how many words of a message may not begin another message of the file.
	opening = 5
	// leastTrained and leastHeld are how many messages there are at least.
	leastTrained, leastHeld = 5600, 550
)

func TestFiles(t *testing.T) {
	trained := map[string]string{}
	for _, c := range []struct {
		folder string
		least  int
	}{{"train", leastTrained}, {"held", leastHeld}} {
		n := 0
		classes, relations := map[string]int{}, map[string]int{}
		for file, all := range read(t, c.folder) {
			n += len(all)
			seen := map[string]int{}
			for _, s := range all {
				classes[s.Class]++
				for _, m := range s.Marks {
					relations[m.Relation]++
				}
				if key, long := begins(s.Text); long {
					if line := seen[key]; line > 0 {
						t.Errorf("%s:%d begins like line %d: %q", file, s.Line, line, s.Text)
					}
					seen[key] = s.Line
				}
				if c.folder == "train" {
					trained[letters(s.Text)] = file
				} else if in := trained[letters(s.Text)]; in != "" && len(strings.Fields(s.Text)) > opening {
					t.Errorf("%s:%d is also in %s: %q", file, s.Line, in, s.Text)
				}
			}
		}
		if n < c.least {
			t.Errorf("%s: %d messages, want %d", c.folder, n, c.least)
		}
		for _, class := range Classes {
			if classes[class] == 0 {
				t.Errorf("%s: no message of the class %s", c.folder, class)
			}
		}
		for _, r := range Relations {
			if relations[r] == 0 {
				t.Errorf("%s: no mark of the relation %s", c.folder, r)
			}
		}
	}
}

// letters returns a message in lower case without anything but a–z and spaces.
func letters(message string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || 'a' <= r && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(message))
}

// begins returns the first words of a message, and whether it has more than those.
func begins(message string) (key string, long bool) {
	words := strings.Fields(letters(message))
	return strings.Join(words[:min(len(words), opening)], " "), len(words) > opening
}

func TestParse(t *testing.T) {
	file := "# heading\n\nchanges\tmy Ana moved from [~lives_in@ana|Łódź] to [lives_in@Ana|York], no [!diet|meat]\n"
	all, err := Parse(file)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d messages, %v", len(all), err)
	}
	s := all[0]
	if s.Line != 3 || s.Class != "changes" || s.Text != "my Ana moved from Łódź to York, no meat" || len(s.Marks) != 3 {
		t.Fatalf("%+v", s)
	}
	for i, want := range []struct {
		value string
		Mark
	}{
		{"Łódź", Mark{Relation: "lives_in", Subject: "ana", Replaced: true}},
		{"York", Mark{Relation: "lives_in", Subject: "Ana"}},
		{"meat", Mark{Relation: "diet", Denied: true}},
	} {
		got := s.Marks[i]
		value := s.Text[got.Start:got.End]
		got.Start, got.End = 0, 0
		if value != want.value || got != want.Mark {
			t.Errorf("mark %d: %q %+v, want %+v", i, value, got, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for line, want := range map[string]string{
		"states no tab":                     "one tab",
		"states\ta\tb":                      "one tab",
		"says\thello there":                 "unknown class",
		"states\t":                          "empty",
		"states\ti am [agee|16]":            "unknown relation",
		"states\ti am [age|16":              "not closed",
		"states\ti am [age|[from|Bonn]]":    "mark inside",
		"states\ti am age|16]":              "outside a mark",
		"states\ti am [age 16]":             "needs one",
		"states\ti am [age|16|17]":          "needs one",
		"states\ti am [age| ]":              "no value",
		"states\the is [age@|16]":           "empty subject",
		"states\the is [age@my brother|16]": "not in the message",
	} {
		_, err := Parse("chats\tok then\n" + line)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "line 2: ") {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("states\ti am [age|16]")
	f.Add("corrects\tnot [~person_name@nephew|Liam], my nephew is [person_name@nephew|Leon]")
	f.Fuzz(func(t *testing.T, file string) {
		all, err := Parse(file)
		if err != nil {
			return
		}
		for _, s := range all {
			end := 0
			for _, m := range s.Marks {
				if m.Start < end || m.End <= m.Start || m.End > len(s.Text) || m.Denied && m.Replaced {
					t.Fatalf("%+v after byte %d of %q", m, end, s.Text)
				}
				end = m.End
			}
		}
	})
}
