// Package request reads what people ask of their memory in plain words as the command that does it: "forget what I told you
// about my shift". It reads only what asks for that and nothing else. What has a fixed form is a sentence of sentences.txt;
// what is to be forgotten can be said in any order and is read by the classes of words in requests.txt. Pure.
package request

import (
	_ "embed"
	"strings"
	"sync"

	"familiar/internal/lazyregexp"
	"familiar/internal/recent"
	"familiar/internal/text"
)

// Command is a command with its arguments.
type Command struct{ Name, Args string }

// wordLimit is how many words a request has at most: whoever says more says something else too.
const wordLimit = 24

//go:embed requests.txt
var requestsFile string

// tongue is how people ask in one language: classes of words by name.
type tongue map[string]map[string]bool

// tags are the languages, in the order in which they are tried.
var tags = []string{"en", "de", "es", "fr"}

var tongues = sync.OnceValue(func() (inOrder []tongue) {
	all := map[string]tongue{}
	for name, list := range text.Lists(requestsFile) {
		tag, class, _ := strings.Cut(name, " ")
		if all[tag] == nil {
			all[tag] = tongue{}
		}
		all[tag][class] = map[string]bool{}
		for w := range strings.FieldsSeq(list) {
			all[tag][class][w] = true
		}
	}
	for _, tag := range tags {
		inOrder = append(inOrder, all[tag])
	}
	return inOrder
})

// word is a word of a message in lower case without accents, with its place.
type word struct {
	plain      string
	start, end int
}

// message is one message as its words.
type message struct {
	tongue
	said  string
	words []word
}

// Read returns the command that a text asks for, false if it asks for none or says something else too.
func Read(said string) (Command, bool) {
	c := lately(said)
	return c, c.Name != ""
}

// lately keeps the last results: a message that waits is read several times.
var lately = recent.Texts(64, 1<<10, func(said string) Command {
	c, _ := read(said)
	return c
})

// read is Read without what was kept.
func read(said string) (Command, bool) {
	words := split(said)
	if len(words) == 0 || len(words) > wordLimit || strings.Contains(strings.TrimRight(strings.TrimSpace(said), ".!?"), "\n") {
		return Command{}, false
	}
	for i, t := range tongues() {
		if c, ok := asksBySentence(tags[i], said, words); ok {
			return c, true
		}
		m := message{tongue: t, said: said, words: words}
		for _, read := range []func(message) (Command, bool){message.forgets, message.silences, message.untrains} {
			if c, ok := read(m); ok {
				return c, true
			}
		}
	}
	return Command{}, false
}

// Asks reports whether a text asks for a command, and nothing else.
func Asks(said string) bool {
	_, ok := Read(said)
	return ok
}

// IsYes reports whether a text says yes and nothing else.
func IsYes(said string) bool { return says(said, "yes") }

// IsNo reports whether a text says no and nothing else.
func IsNo(said string) bool { return says(said, "no") }

// says reports whether a text consists of a few words of a class.
func says(said, class string) bool {
	words := split(said)
	if len(words) == 0 || len(words) > 4 || strings.Contains(said, "?") {
		return false
	}
	for _, t := range tongues() {
		if m := (message{tongue: t, words: words}); m.only(class) && text.Plain(strings.TrimSpace(said)) != "" {
			return true
		}
	}
	return false
}

// parted replaces what parts words by as many spaces.
var parted = strings.NewReplacer("'", " ", "’", "   ", "-", " ")

// split returns the words of a text; apostrophes and hyphens part them.
func split(said string) (words []word) {
	apart := parted.Replace(said)
	for start, end := range text.Words(apart, nil) {
		words = append(words, word{text.Plain(apart[start:end]), start, end})
	}
	return words
}

// is reports whether the word i is in one of some classes.
func (m message) is(i int, classes ...string) bool {
	if i < 0 || i >= len(m.words) {
		return false
	}
	for _, class := range classes {
		if m.tongue[class][m.words[i].plain] {
			return true
		}
	}
	return false
}

// has reports whether one of the words from up to until is in one of some classes.
func (m message) has(from, until int, classes ...string) bool {
	return m.first(from, until, classes...) >= 0
}

// first returns the first of the words from up to until in one of some classes, -1 for none.
func (m message) first(from, until int, classes ...string) int {
	for i := max(from, 0); i < min(until, len(m.words)); i++ {
		if m.is(i, classes...) {
			return i
		}
	}
	return -1
}

// only reports whether every word is in one of some classes.
func (m message) only(classes ...string) bool {
	for i := range m.words {
		if !m.is(i, classes...) {
			return false
		}
	}
	return true
}

// lead returns how many words stand before a request, and whether they let its speaker ask: "I want you to", not "I".
func (m message) lead() (n int, asks bool) {
	for m.is(n, "lead") {
		n++
	}
	return n, !m.has(0, n, "self") || m.has(0, n, "you") || m.has(n, n+2, "you")
}

// forgets reads a request to forget what the person told: a verb of forgetting first, or last after "can you", and words
// that tell what of, which must speak of telling, of everything, or of something of their own.
func (m message) forgets() (Command, bool) {
	n, asks := m.lead()
	verb, from, until := n, n+1, len(m.words)
	if last := len(m.words) - 1; !m.is(verb, "erase") && n > 1 && m.has(0, n, "you") && m.is(last, "erase") {
		verb, from, until = last, n, last
	} else if m.first(n, n+6, "erase") > n && m.has(0, n, "you") { // what stands between belongs to the verb: "dass du bitte"
		return Command{}, false
	}
	if !asks || !m.is(verb, "erase") || m.has(0, n, "not") || m.has(verb+1, verb+2, "not") {
		return Command{}, false
	}
	told := m.has(from, until, "tell")
	if !told && !m.has(from, until, "all") && (!m.is(verb, "forget") || !m.has(from, until, "own") || m.has(from, until, "self")) {
		return Command{}, false
	}
	if !told && !m.has(from, until, "about") && !m.is(verb, "forget") {
		return Command{}, false
	}
	topic := m.topic(from, until)
	if number.MatchString(topic) { // /forget would take it for the number of a memory and not ask
		return Command{}, false
	}
	if topic != "" {
		return Command{"forget", topic}, true
	}
	switch {
	case m.has(from, until, "just"):
		return Command{"forget", "last 10 minutes"}, true
	case m.has(from, until, "all"):
		return Command{"forget", "me"}, true
	}
	return Command{}, false
}

// number matches how /memory numbers memories and facts.
var number = lazyregexp.New(`^#?[fF]?[0-9]+$`)

// topic returns what is named in some words, from the first word that names something to the last.
func (m message) topic(from, until int) string {
	first, last := -1, -1
	for i := from; i < until; i++ {
		if m.is(i, "light", "tell", "lead", "all", "about") {
			continue
		}
		if last = i; first < 0 {
			first = i
		}
	}
	if first < 0 {
		return ""
	}
	return m.said[m.words[first].start:m.words[last].end]
}

// silences reads a request that the persona no longer writes first: it consists of nothing else.
func (m message) silences() (Command, bool) {
	n := len(m.words)
	asked, _ := m.lead()
	write := m.first(0, n, "write")
	if write < 0 || !m.has(0, n, "not") || !m.has(0, n, "first") || strings.HasSuffix(strings.TrimSpace(m.said), "?") {
		return Command{}, false
	}
	ok := m.has(0, n, "me", "you") && m.only("lead", "not", "write", "first", "you", "me", "light", "own", "all", "about") || m.is(asked, "not") && m.only("not", "write", "first", "light", "lead")
	if m.is(0, "self") && !m.has(1, write, "you") {
		ok = false
	}
	return Command{Name: "quiet"}, ok
}
