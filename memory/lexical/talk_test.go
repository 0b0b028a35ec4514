package lexical

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// spoken is a conversation in one language: its lines, and questions in other words with the line that answers each.
type spoken struct {
	lines     []said
	questions []asked
}

type said struct{ who, text string }

type asked struct {
	text string
	line int // from 0
}

// talks reads testdata/talk, one file per language by its tag.
func talks(t *testing.T) map[string]spoken {
	t.Helper()
	files, err := filepath.Glob("testdata/talk/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no talks: %v", err)
	}
	all := map[string]spoken{}
	for _, f := range files {
		content, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var s spoken
		for line := range strings.Lines(string(content)) {
			line = strings.TrimSpace(line)
			who, text, _ := strings.Cut(line, ": ")
			switch question, isOne := strings.CutPrefix(line, "? "); {
			case line == "":
			case isOne:
				s.questions = append(s.questions, asked{text: question})
			case strings.HasPrefix(line, "= "):
				n, err := strconv.Atoi(line[2:])
				if err != nil {
					t.Fatalf("%s: %v", f, err)
				}
				s.questions[len(s.questions)-1].line = n - 1
			default:
				s.lines = append(s.lines, said{who, text})
			}
		}
		all[strings.TrimSuffix(filepath.Base(f), ".txt")] = s
	}
	return all
}

// hear adds a conversation to x as one session and returns the ordinal of its first line.
func hear(x *Index, s spoken, thread int64) int {
	begins := len(x.rows)
	authors := map[string]int64{}
	for i, l := range s.lines {
		if authors[l.who] == 0 {
			authors[l.who] = 10*thread + int64(len(authors)) + 1
			x.Name(authors[l.who], l.who)
		}
		x.Add(Document{Text: l.text, Author: authors[l.who], Thread: thread, At: (100*thread + int64(i)) * hour})
	}
	return begins
}

// missed returns the questions whose line is not among the first three results.
func missed(x *Index, s spoken, begins int) (misses []string) {
	for _, q := range s.questions {
		found := ordinals(Search([]*Index{x}, Query{Text: q.text, Limit: 3}))
		if !slices.Contains(found, begins+q.line) {
			misses = append(misses, q.text)
		}
	}
	return misses
}

func TestConversationsAreFoundInEachLanguage(t *testing.T) {
	for tag, s := range talks(t) {
		t.Run(tag, func(t *testing.T) {
			x := New(English)
			misses := missed(x, s, hear(x, s, 1))
			if len(misses) > 0 {
				t.Errorf("%d of %d questions found nothing in time:\n%s", len(misses), len(s.questions), strings.Join(misses, "\n"))
			}
			if main := x.talk.most(English); main != Named(tag) {
				t.Errorf("the talk is taken for %s", main.Tag())
			}
			t.Logf("recall@3 %d of %d, languages %v, missed %q", len(s.questions)-len(misses), len(s.questions), x.talk, misses)
		})
	}
}

func TestConversationsAreFoundInAMixedRoom(t *testing.T) {
	all := talks(t)
	x := New(English)
	begins := map[string]int{}
	for i, tag := range slices.Sorted(maps.Keys(all)) {
		begins[tag] = hear(x, all[tag], int64(i+1))
	}
	for tag, s := range all {
		if misses := missed(x, s, begins[tag]); len(misses) > 0 {
			t.Errorf("%s: %d of %d questions found nothing in time:\n%s", tag, len(misses), len(s.questions), strings.Join(misses, "\n"))
		}
	}
}
