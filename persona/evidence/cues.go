package evidence

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"familiar/internal/recent"
	"familiar/internal/text"
	"familiar/memory/concept"
)

//go:embed cues/*.txt common.txt weights.txt network.bin
var embedded embed.FS

// language holds what is known of the words of one language.
type language struct {
	tag     string
	lexicon *concept.Lexicon
	// asks holds the phrases that ask for a kind of answer, by kind.
	asks [kinds][][]string
	// self are words for oneself, others those for other people, frame those of questions that carry no topic. places,
	// numbers and takesBack are words of statements.
	self, others, frame, places, numbers, what map[string]bool
	takesBack, supposes, exclaims              [][]string
	// common holds how common a stem is, 0–1.
	common map[string]float64
	// parse reads a text, authorStems a name.
	parse       func(string) *parse
	authorStems func(string) []string
}

// kind is a kind of answer.
type kind int

const (
	times kind = iota
	number
	who
	where
	why
	kinds
)

// kindNames are the names of the lists of the kinds.
var kindNames = [kinds]string{"when", "number", "who", "where", "why"}

// languages are those with cues and concepts, English first.
var languages = map[string]func() *language{
	"en": lazily("en"), "de": lazily("de"), "es": lazily("es"), "fr": lazily("fr"),
}

func lazily(tag string) func() *language {
	return sync.OnceValue(func() *language { return read(tag) })
}

// languageOf returns the language of a BCP 47 primary subtag, English for others.
func languageOf(tag string) *language {
	if get, known := languages[tag]; known {
		return get()
	}
	return languages["en"]()
}

func read(tag string) *language {
	data, err := embedded.ReadFile("cues/" + tag + ".txt")
	if err != nil {
		panic(err) // the files are embedded: a test reads each
	}
	lists := text.Lists(string(data))
	l := &language{
		tag: tag, lexicon: concept.For(tag), self: set(lists["self"]), others: set(lists["others"]), frame: set(lists["frame"]),
		places: set(lists["places"]), numbers: set(lists["numbers"]), takesBack: phrases(lists["takes back"]), what: set(lists["what"]), supposes: phrases(lists["supposes"]), exclaims: phrases(lists["exclaims"]),
	}
	for k, name := range kindNames {
		l.asks[k] = phrases(lists[name])
	}
	l.common = l.commonStems(tag)
	l.parse = recent.Texts(parsesKept, parsedBytes, l.newParse)
	l.authorStems = recent.Texts(parsesKept, parsedBytes, func(name string) []string { return stemsOf(l.tokens(name)) })
	return l
}

// commonStems reads how common the stems of a language are: common.txt has a line per language: its tag, then the stems that
// several training messages use outside names, the commonest first.
func (l *language) commonStems(tag string) map[string]float64 {
	data, err := embedded.ReadFile("common.txt")
	if err != nil {
		panic(err)
	}
	shares := map[string]float64{}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] != tag {
			continue
		}
		for nth, stem := range fields[1:] {
			shares[stem] = max(0, 1-float64(nth)/commonest)
		}
	}
	return shares
}

// commonest is how many stems count as common.
const commonest = 400

func set(list string) map[string]bool {
	in := map[string]bool{}
	for w := range text.PlainWords(list) {
		in[w] = true
	}
	return in
}

// phrases returns the words of the phrases of a list, without accents.
func phrases(list string) (split [][]string) {
	for p := range strings.SplitSeq(list, ",") {
		if words := slices.Collect(text.PlainWords(p)); len(words) > 0 {
			split = append(split, words)
		}
	}
	return split
}

// holds reports whether words contain one of the phrases.
func holds(words []string, phrases [][]string) bool {
	for i := range words {
		for _, p := range phrases {
			if i+len(p) <= len(words) && slices.Equal(words[i:i+len(p)], p) {
				return true
			}
		}
	}
	return false
}
