// Package world reads facts about the world ("the author of Dune is Frank Herbert") and follows questions from fact to
// fact. Its English is in facts.txt, in the notation of package english. It is pure; a persona can do without it.
package world

import (
	"cmp"
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"familiar/internal/lazyregexp"
	"familiar/memory/understand/english"
)

//go:embed facts.txt
var factsText string

// vocabulary is the content of facts.txt.
type vocabulary struct {
	shapes    [][]part
	relations map[string][2]string // by sense: its key, and the key of who did it
	// senses are the senses of words, and of phrases with single spaces.
	senses map[string]string
	// words are the sets of words by name; agents are the words for the person who did something, kinds the senses that
	// say what a value is.
	words map[string]map[string]bool
}

// known returns the vocabulary, read on the first call.
var known = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{
		relations: map[string][2]string{}, senses: map[string]string{},
		words: map[string]map[string]bool{"agents": {}, "kinds": {}},
	}
	var macros []string
	for line := range strings.Lines(factsText) {
		first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case first == "" || first == "#":
		case strings.HasPrefix(rest, "= "):
			macros = append(macros, first, rest[2:])
		case first == "shape":
			v.shapes = append(v.shapes, shape(strings.NewReplacer(macros...).Replace(rest)))
		case first == "words":
			name, list, _ := strings.Cut(rest, " ")
			v.words[name] = english.Set(list)
		default:
			v.add(line)
		}
	}
	return v
})

// shapeParts matches the parts of a shape: [places], <words that name the relation>, => the relation, and other words.
var shapeParts = lazyregexp.New(`\[\w\]|<[^>]*>|=>.*|[^\[<=]+`)

func shape(notation string) (parts []part) {
	for _, at := range shapeParts.FindAllStringIndex(notation, -1) {
		p := notation[at[0]:at[1]]
		switch words := strings.Trim(p, "[]<>= "); {
		case p[0] == '[':
			parts = append(parts, part{place: words})
		case p[0] == '=':
			parts = append(parts, part{relation: words})
		case words != "":
			parts = append(parts, part{pattern: english.Compile(words), captures: p[0] == '<'})
		}
	}
	return parts
}

// add reads the line of a relation or of a kind, such as "found founded in, by founded by: found founder who: founder".
func (v *vocabulary) add(line string) {
	head, words, _ := strings.Cut(line, ":")
	head, isKind := strings.CutPrefix(head, "kind ")
	sense, keys, _ := strings.Cut(head, " ")
	key, byKey, _ := strings.Cut(keys, ", by ")
	v.relations[sense], v.words["kinds"][sense] = [2]string{key, byKey}, isKind
	what, who, _ := strings.Cut(words, "who:")
	for w := range strings.FieldsSeq(what + who) {
		v.senses[strings.ReplaceAll(w, "-", " ")] = sense
	}
	maps.Copy(v.words["agents"], english.Set(who))
}

func (v *vocabulary) is(set, word string) bool { return v.words[set][word] }

// Key returns the key of a relation however it is worded: "the founder of X" and "X was founded by" have the same.
func Key(worded string) string {
	w := wordingOf(worded)
	if len(w.senses) != 1 {
		return worded
	}
	keys := known().relations[w.senses[0]]
	if slices.Contains(w.kinds, "person") {
		return cmp.Or(keys[1], keys[0], worded)
	}
	return cmp.Or(keys[0], worded)
}
