package jobs

import (
	"slices"
	"strings"
	"unicode"

	"familiar/memory/lexical"
)

// topic is something that was mentioned.
type topic struct {
	// key identifies the topic: the stem of its last word, or a name in lower case.
	key string
	// shown is how to refer to it: "the garden", "music", "Bolt". own reports that it belongs to the author: "my
	// garden" becomes "their garden" or "Ann's garden".
	shown string
	own   bool
}

// of returns the topic with its owner, "Ann's" or "their", if it has one.
func (t topic) of(whose string) string {
	if t.own {
		return whose + " " + t.shown
	}
	return t.shown
}

// set returns the set of the words in a list.
func set(list string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		words[w] = true
	}
	return words
}

var (
	// owning and pointing precede a topic. leading precede one that needs no article.
	owning   = set("my our")
	pointing = set("the a an this that")
	leading  = set("about at of with playing play played into")
	// describing stand between those and the topic.
	describing = set("old new little big small own whole long short young blue red green white black brown yellow dark bright first last next " +
		"favourite favorite good great bad nice lovely beautiful huge tiny other same best worst broken wooden secret")
	// vague are words that are never topics.
	vague = set("thing things stuff lot bit way ways time times day days week weeks weekend month months year years hour hours minute minutes " +
		"moment morning afternoon evening night tonight today yesterday tomorrow one ones kind sort rest end start part point idea question " +
		"problem reason case fact sense people person somebody someone something anything everything nothing everyone everybody while " +
		"few couple pair number half middle course mind hand side all it him her them me you us myself home word words name " +
		"i he she we they what which who how when where if and or but so not no yes very really just too also again now then here there")
)

// topicsOf returns the topics of a text without duplicates: its entities, and the nouns after an article or the like.
// The rules are English; in other languages it finds only the entities.
func topicsOf(text string, names []string) (topics []topic) {
	low := strings.ToLower(text)
	add := func(t topic) {
		if t.key != "" && !slices.ContainsFunc(topics, func(known topic) bool { return known.key == t.key }) {
			topics = append(topics, t)
		}
	}
	for _, name := range names {
		if at := strings.Index(low, name); at >= 0 && len(low) == len(text) {
			add(topic{key: name, shown: text[at : at+len(name)]})
		}
	}
	for _, sentence := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".,;:!?\n()\"", r) }) {
		words := strings.Fields(sentence)
		for i, w := range words {
			words[i] = bare(w)
		}
		for i := range words {
			add(topicAt(words, i))
		}
	}
	return topics
}

// topicAt returns the topic after the bare word at i, or the zero topic.
func topicAt(words []string, i int) topic {
	lead := words[i]
	heard := lead == "to" && i > 0 && strings.HasPrefix(words[i-1], "listen")
	if !owning[lead] && !pointing[lead] && !leading[lead] && !heard {
		return topic{}
	}
	var phrase []string
	for _, low := range words[i+1:] {
		if low == "" || vague[low] || owning[low] || pointing[low] || leading[low] {
			break
		}
		phrase = append(phrase, low)
		if !describing[low] && !strings.HasSuffix(low, "ing") {
			break
		}
	}
	if len(phrase) == 0 || describing[phrase[len(phrase)-1]] {
		return topic{}
	}
	stems := lexical.English.Terms(phrase[len(phrase)-1])
	if len(stems) == 0 {
		return topic{}
	}
	t := topic{key: stems[0], shown: strings.Join(phrase, " "), own: owning[lead]}
	if pointing[lead] {
		t.shown = "the " + t.shown
	}
	return t
}

// bare returns a word in lower case without a possessive ending, "" if it contains anything but letters.
func bare(word string) string {
	word = strings.ToLower(strings.Trim(word, "'’*_"))
	if strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) {
		return ""
	}
	return word
}
