// Package world reads facts about the world ("the author of Dune is Frank Herbert") and follows the questions asked about
// them from fact to fact. What it knows of English stands in facts.txt, in the notation of package english. It is pure,
// and a persona can do without it.
package world

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"familiar/internal/lazyregexp"
	"familiar/memory/understand/english"
)

//go:embed facts.txt
var factsText string

// vocabulary is what facts.txt says.
type vocabulary struct {
	shapes [][]part
	// relations are the relations by their sense.
	relations map[string]*relation
	// words are senses by word, phrases those by several words with single spaces.
	words, phrases map[string]string
	// agents are the words that name who did something, kinds the senses of what a value is.
	agents, kinds map[string]bool
	// near are the senses in which people also ask for a sense.
	near  map[string][]string
	asked []asking
}

// relation is how a sense is kept: under which key, and under which when it tells who did it.
type relation struct{ key, byKey string }

// asking is one way to ask for a relation.
type asking struct {
	key     string
	pattern english.Pattern
}

// known is facts.txt, read when it is first needed.
var known = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{
		relations: map[string]*relation{}, words: map[string]string{}, phrases: map[string]string{},
		agents: map[string]bool{}, kinds: map[string]bool{}, near: map[string][]string{},
	}
	macros := map[string]string{}
	var last *relation
	for line := range strings.Lines(factsText) {
		line = strings.TrimSpace(line)
		first, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || first == "#":
		case strings.HasPrefix(rest, "= "):
			macros[first] = rest[2:]
		case first == "shape":
			v.shapes = append(v.shapes, shape(rest, macros))
		case first == "near":
			senses := strings.Fields(rest)
			v.near[senses[0]] = senses[1:]
		case first == "?":
			v.asked = append(v.asked, asking{last.key, english.Compile(rest)})
		default:
			last = v.add(line)
		}
	}
	return v
})

// shapeParts are the parts of a shape: [places], <words that name the relation>, => the relation, and other words.
var shapeParts = lazyregexp.New(`\[\w\]|<[^>]*>|=>.*|[^\[<=]+`)

func shape(notation string, macros map[string]string) (parts []part) {
	for _, at := range shapeParts.FindAllStringIndex(notation, -1) {
		p := notation[at[0]:at[1]]
		fields := strings.Fields(strings.Trim(p, "<>"))
		for i, w := range fields {
			bare := strings.TrimSuffix(w, "?")
			fields[i] = strings.Replace(w, bare, cmp.Or(macros[bare], bare), 1)
		}
		words := strings.Join(fields, " ")
		switch {
		case p[0] == '[':
			parts = append(parts, part{place: p[1:2]})
		case p[0] == '=':
			parts = append(parts, part{relation: words[len("=> "):]})
		case words != "":
			parts = append(parts, part{pattern: english.Compile(words), captures: p[0] == '<'})
		}
	}
	return parts
}

// add reads the line of a relation or of a kind: "found founded in by founded by: found founder who founder".
func (v *vocabulary) add(line string) *relation {
	head, words, _ := strings.Cut(line, ":")
	head, isKind := strings.CutPrefix(head, "kind ")
	sense, keys, _ := strings.Cut(head, " ")
	key, byKey, _ := strings.Cut(keys, ", by ")
	r := &relation{key, byKey}
	v.relations[sense], v.kinds[sense] = r, isKind
	agent := false
	for w := range strings.FieldsSeq(words) {
		switch {
		case w == "who:":
			agent = true
			continue
		case strings.Contains(w, "-"):
			v.phrases[strings.ReplaceAll(w, "-", " ")] = sense
			continue
		}
		v.words[w], v.agents[w] = sense, agent
	}
	return r
}

// Key is the key that a relation is kept under, however it is worded: "the founder of X" and "X was founded by" are one.
func Key(worded string) string {
	v := known()
	w := wordingOf(worded)
	senses := w.senses
	if len(senses) == 0 {
		senses = w.named
	}
	if len(senses) != 1 || v.relations[senses[0]] == nil {
		return worded
	}
	r := v.relations[senses[0]]
	switch {
	case slices.Contains(w.kinds, "person") && r.byKey != "":
		return r.byKey
	case r.key != "":
		return r.key
	}
	return worded
}

// Asked are the keys of the relations that a question asks for of a topic, and the topic as written.
func Asked(c english.Clause) (keys []string, topic string) {
	for i := range c.Words {
		for _, a := range known().asked {
			if m, ok := a.pattern.Find(c, i); ok && !slices.Contains(keys, a.key) {
				keys, topic = append(keys, a.key), m.Subject
			}
		}
	}
	return keys, topic
}
