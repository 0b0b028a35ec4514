package care

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"familiar/internal/phrase"
	"familiar/memory/lexical"
)

//go:embed tongues/*.txt
var tongueFiles embed.FS

// spacelessTag is the language whose words no spaces separate.
const spacelessTag = "ja"

// tongue is how people of one language speak of danger.
type tongue struct {
	tag string
	// related is the tag of a language so close that what doubts it in one doubts it in the other.
	related      string
	not, through map[string]bool
	unless       *phrase.Set[bool]
	unlessOf     map[Danger]*phrase.Set[bool]
	grave        *phrase.Set[bool]
	replies      map[Danger]string
	contacts     string
	texts        map[string][]string // of a language without spaces, by section
}

// meaning is what a pattern stands for.
type meaning struct {
	tongue *tongue
	danger Danger
}

// reading is what all languages are read with.
type reading struct {
	spaced    phrase.Set[meaning]
	spaceless []*tongue
	byTag     map[string]*tongue
}

var readers = sync.OnceValue(func() *reading {
	r, err := load()
	if err != nil {
		panic("care: " + err.Error())
	}
	return r
})

func load() (*reading, error) {
	files, err := tongueFiles.ReadDir("tongues")
	if err != nil {
		return nil, err
	}
	r := &reading{byTag: map[string]*tongue{}}
	r.spaced.Common = lexical.IsFunctionWord
	for _, f := range files {
		text, err := tongueFiles.ReadFile("tongues/" + f.Name())
		if err != nil {
			return nil, err
		}
		tag := strings.TrimSuffix(f.Name(), ".txt")
		if err := r.add(tag, string(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	return r, nil
}

// add adds a language.
func (r *reading) add(tag, file string) error {
	found := sections(file)
	t := &tongue{
		tag: tag, related: strings.TrimSpace(found["related"]), not: wordsOf(found["not"]), through: wordsOf(found["through"]), unlessOf: map[Danger]*phrase.Set[bool]{},
		replies: map[Danger]string{}, contacts: strings.TrimSpace(found["contacts"]),
	}
	r.byTag[tag] = t
	for _, d := range dangers {
		t.replies[d] = strings.TrimSpace(found["reply "+string(d)])
	}
	if tag == spacelessTag {
		t.texts = map[string][]string{}
		for name, list := range found {
			t.texts[name] = patterns(list)
		}
		r.spaceless = append(r.spaceless, t)
		return nil
	}
	classes := phrase.Classes{}
	for name, list := range found {
		if class, ok := strings.CutPrefix(name, "class "); ok {
			classes[class] = phrase.NewClass(spelled(list))
		}
	}
	for _, d := range append([]Danger{None}, dangers...) {
		section := string(d)
		if d == None {
			section = "maybe"
		}
		for _, p := range patterns(found[section]) {
			if err := r.spaced.Add(p, classes, t.not, meaning{t, d}); err != nil {
				return err
			}
		}
	}
	var err error
	set := func(section string) *phrase.Set[bool] {
		s := &phrase.Set[bool]{}
		for _, p := range patterns(found[section]) {
			if failed := s.Add(p, classes, nil, true); failed != nil && err == nil {
				err = failed
			}
		}
		return s
	}
	t.unless, t.grave = set("unless"), set("grave")
	for _, d := range dangers {
		t.unlessOf[d] = set("unless " + string(d))
	}
	return err
}

// sections returns the sections of a file by name. A section continues on indented lines.
func sections(file string) map[string]string {
	found, name := map[string]string{}, ""
	for line := range strings.Lines(file) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if !strings.HasPrefix(line, " ") {
			if head, rest, ok := strings.Cut(line, ":"); ok {
				name, line = head, rest
			}
		}
		found[name] += line
	}
	return found
}

// patterns returns the patterns of a section.
func patterns(list string) []string {
	all := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == '\n' })
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return slices.DeleteFunc(all, func(p string) bool { return p == "" })
}

// spelled returns the words of a list as package phrase writes them.
func spelled(list string) (all []string) {
	for w := range strings.FieldsSeq(list) {
		all = append(all, strings.ReplaceAll(w, "'", ""))
	}
	return all
}

// wordsOf returns the words of a list as a set.
func wordsOf(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range phrase.Words(list, wordLimit) {
		set[w.Text] = true
	}
	return set
}

// readSpaceless reads a text of a language without spaces, sentence by sentence.
func (t *tongue) readSpaceless(said string, found *Signal) {
	if !strings.ContainsFunc(said, func(r rune) bool {
		return r >= utf8.RuneSelf && unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han)
	}) {
		return
	}
	for part := range strings.FieldsFuncSeq(said, func(r rune) bool { return strings.ContainsRune("。！？!?\n", r) }) {
		for _, d := range dangers {
			switch {
			case !holds(part, t.texts[string(d)]):
			case (holds(part, t.texts["unless"]) || holds(part, t.texts["unless "+string(d)])) && !holds(part, t.texts["grave"]):
				found.Maybe = true
			default:
				found.take(d, t.tag)
			}
		}
		found.Maybe = found.Maybe || holds(part, t.texts["maybe"])
	}
}

// holds reports whether a text holds one of the patterns.
func holds(said string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return holdsInOrder(said, p) })
}

// spacelessGap is how many bytes may stand at a ~: eight characters.
const spacelessGap = 24

// holdsInOrder reports whether a text holds the parts of a pattern in order and close together.
func holdsInOrder(said, pattern string) bool {
	first, rest, more := strings.Cut(pattern, "~")
	for {
		i := strings.Index(said, first)
		if i < 0 {
			return false
		}
		said = said[i+len(first):]
		if !more || holdsInOrder(said[:min(len(said), spacelessGap+len(rest))], rest) {
			return true
		}
	}
}
