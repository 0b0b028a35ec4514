package concept

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"familiar/internal/text"
	"familiar/memory/lexical"
)

var (
	keyLine  = regexp.MustCompile(`^\[[a-z]+(_[a-z]+)*\]$`)
	listLine = regexp.MustCompile(`^(?:(?:en|de|es|fr) [=>]|near =) \S.*$`)
)

const (
	leastConcepts = 800
	// mostConcepts is how many concepts one word may mean: a word that means everything helps nobody.
	mostConcepts = 6
	mostWords    = 4
	mostNear     = 5
)

// TestForm reads the files strictly.
func TestForm(t *testing.T) {
	entries, err := files.ReadDir("words")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := files.ReadFile("words/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		before, heading := "", ""
		for i, l := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
			switch {
			case l == "" && before != "", strings.HasPrefix(l, "# "), keyLine.MatchString(l):
				heading = ""
			case !listLine.MatchString(l):
				t.Errorf("%s:%d: %q is no line", e.Name(), i+1, l)
			default:
				if next := l[:strings.IndexAny(l, "=>")+1]; order(next) <= order(heading) {
					t.Errorf("%s:%d: %q after %q", e.Name(), i+1, next, heading)
				} else {
					heading = next
				}
			}
			before = l
		}
	}
}

func order(heading string) int {
	return slices.Index([]string{"", "en =", "en >", "de =", "de >", "es =", "es >", "fr =", "fr >", "near ="}, heading)
}

func TestConcepts(t *testing.T) {
	has := map[string]map[string]bool{}
	key := ""
	for l := range lines() {
		if l.key == "" {
			if !l.kinds {
				has[key][l.name] = true
			}
			continue
		}
		if key = l.key; has[key] != nil {
			t.Errorf("[%s] occurs twice", key)
		}
		has[key] = map[string]bool{}
	}
	if len(has) < leastConcepts {
		t.Errorf("%d concepts", len(has))
	}
	for key, names := range has {
		for _, l := range lexicons {
			if !names[l.tag] {
				t.Errorf("[%s] has no words in %s", key, l.tag)
			}
		}
	}
	for l := range lines() {
		switch {
		case l.key != "":
			key = l.key
		case l.name == "near":
			near := slices.Collect(items(l.items))
			for _, n := range near {
				if has[n] == nil || n == key {
					t.Errorf("[%s] is near %q", key, n)
				}
			}
			if slices.Sort(near); len(near) > mostNear || len(slices.Compact(near)) < len(near) {
				t.Errorf("[%s] is near %q", key, l.items)
			}
		}
	}
}

// TestWords checks each item: not empty, not too long, once in its concept, and a single word no function word.
func TestWords(t *testing.T) {
	var key, name string
	seen := map[string]bool{}
	for l := range lines() {
		if l.key != "" {
			key = l.key
			continue
		}
		if l.name == "near" {
			continue
		}
		if l.name != name || !l.kinds {
			clear(seen)
		}
		name = l.name
		for item := range items(l.items) {
			n := 0
			for range text.Words(item, nil) {
				n++
			}
			if n == 0 || strings.TrimSpace(item) != item || len(strings.Fields(item)) > mostWords {
				t.Errorf("[%s] %s: item %q", key, l.name, item)
			}
			if low := text.Lower(item); seen[low] {
				t.Errorf("[%s] %s: %q occurs twice", key, l.name, item)
			} else {
				seen[low] = true
			}
			if n == 1 && len(lexical.Named(l.name).Terms(item)) == 0 {
				t.Errorf("[%s] %s: %q is a function word", key, l.name, item)
			}
		}
	}
}

func TestNoWordMeansTooMuch(t *testing.T) {
	for _, l := range lexicons {
		lex := l.get()
		if 4*len(lex.nodes) > 3*slotCount {
			t.Errorf("%s: %d nodes in %d slots", l.tag, len(lex.nodes), slotCount)
		}
		for n := node(1); int(n) < len(lex.nodes); n++ {
			if in := lex.meaningsOf(n); len(in) > mostConcepts {
				var keys []string
				for _, m := range in {
					keys = append(keys, m.concept.Key())
				}
				t.Errorf("%s: %q means %q", l.tag, lex.phrase(n), keys)
			}
		}
	}
}

// phrase returns the stems that lead to a node.
func (l *Lexicon) phrase(n node) string {
	if before := l.nodes[n].after; before != root {
		return l.phrase(before) + " " + l.stemOf(n)
	}
	return l.stemOf(n)
}
