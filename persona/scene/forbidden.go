package scene

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"familiar/internal/phrase"
	"familiar/internal/recent"
	"familiar/internal/text"
	"familiar/memory/lexical"
	"familiar/persona/words"
)

//go:embed forbidden.txt
var forbiddenFile string

// Topic is something that somebody asked the persona not to speak of.
type Topic struct {
	// Wish is what asks for it, in its author's words.
	Wish string
	// stems are the content words, names those of them that are names. needed is how many of them tell that a sentence
	// speaks of the topic; a name tells it alone.
	stems, names map[string]bool
	needed       int
	lang         *lexical.Language
	text         string // in Japanese, in place of the words
}

// In reports whether a text speaks of the topic.
func (t *Topic) In(said string) bool {
	if t.text != "" {
		return strings.Contains(said, t.text)
	}
	found := map[string]bool{}
	for _, w := range phrase.Words(said, topicWords) {
		stem := t.known(w.Text)
		if stem == "" {
			continue
		}
		if found[stem] = true; t.names[stem] || len(found) >= t.needed {
			return true
		}
	}
	return false
}

const (
	// topicWords is how many words of a text are looked at.
	topicWords = 2000
	// compoundRunes is from what length on a word of the topic also counts as the beginning of a longer word.
	compoundRunes = 6
	// freeWords is how many content words a topic has of which one alone tells it; of more, two must come together.
	freeWords = 2
)

// known returns the word of the topic that a word is a form of, "" if of none.
func (t *Topic) known(word string) string {
	stem, _ := t.lang.Stem(word)
	if t.stems[stem] {
		return stem
	}
	for s := range t.stems {
		if utf8.RuneCountInString(s) >= compoundRunes && strings.HasPrefix(stem, s) {
			return s
		}
	}
	return ""
}

// Forbidden returns what the persona must not speak of now: by the person's standing wishes, what they asked in this talk,
// and the operator's limits, without what the messages being answered bring up themselves.
func (s *Scene) Forbidden() (topics []Topic) {
	for _, wish := range s.Wishes() {
		topics = append(topics, topicsOf(wish, true)...)
	}
	for _, l := range slices.Concat(s.Recent, s.Incoming) {
		if s.IsOwn(l) {
			topics = append(topics, requestedTopics(words.Head(l.Text))...)
		}
	}
	if s.Card != nil {
		for _, limit := range s.Card.Boundaries {
			topics = append(topics, topicsOf(limit, true)...)
		}
	}
	own := OwnLines(*s)
	return slices.DeleteFunc(topics, func(t Topic) bool {
		return slices.ContainsFunc(own, func(l Line) bool { return t.In(l.Text) })
	})
}

// speaking is how people of one language ask not to speak of something.
type speaking struct {
	lang                                                     *lexical.Language
	self, want, verbs, talk, say, about, not, cut, or, light map[string]bool
}

var speakingIn = sync.OnceValue(func() map[string]*speaking {
	lists := text.Lists(forbiddenFile)
	all := map[string]*speaking{}
	for name := range lists {
		tag, _, _ := strings.Cut(name, " ")
		if all[tag] != nil {
			continue
		}
		of := func(section string) map[string]bool {
			set := map[string]bool{}
			for _, w := range phrase.Words(lists[tag+" "+section], topicWords) {
				set[w.Text] = true
			}
			return set
		}
		all[tag] = &speaking{nil, of("self"), of("want"), of("verbs"), of("talk"), of("say"), of("about"), of("not"), of("cut"), of("or"), of("light")}
	}
	return all
})

// topicsOf returns what a text asks not to speak of. Where the text is not known to be a wish, only a request counts: a
// sentence that begins with the verb or its negation.
func topicsOf(said string, wish bool) (topics []Topic) {
	lang := lexical.Detect(said)
	if lang.Tag() == "ja" {
		return japaneseTopic(said)
	}
	table := speakingIn()[lang.Tag()]
	if table == nil {
		return nil
	}
	sp := *table
	sp.lang = lang
	all := phrase.Words(said, topicWords)
	for len(all) > 0 {
		n := 1
		for n < len(all) && !all[n].Breaks {
			n++
		}
		topics = append(topics, sp.topics(said, all[:n], wish)...)
		all = all[n:]
	}
	return topics
}

// requestedTopics returns what a message asks not to speak of. It is asked of the whole talk with every turn.
var requestedTopics = recent.Texts(1000, 2000, func(said string) []Topic { return topicsOf(said, false) })

// requestWithin is within how many words a request has its verb and its negation.
const requestWithin = 3

// topics returns what one sentence asks not to speak of.
func (sp *speaking) topics(said string, sentence []phrase.Word, wish bool) (topics []Topic) {
	no := slices.IndexFunc(sentence, func(w phrase.Word) bool { return sp.not[w.Text] })
	verb := slices.IndexFunc(sp.untilCut(sentence, no), func(w phrase.Word) bool { return sp.verbs[w.Text] || sp.talk[w.Text] || sp.say[w.Text] })
	if verb < 0 || no < 0 || !wish && min(verb, no) >= requestWithin {
		return nil
	}
	of := func(set map[string]bool) func(phrase.Word) bool {
		return func(w phrase.Word) bool { return set[w.Text] }
	}
	if !wish && slices.ContainsFunc(sentence[:verb], of(sp.self)) && !slices.ContainsFunc(sentence, of(sp.want)) {
		return nil
	}
	from := verb + 1
	if sp.lang.Tag() != "de" && sp.lang.Tag() != "nl" || no <= verb {
		from = max(from, no+1)
	}
	exact := sp.say[sentence[verb].Text]
	if sp.talk[sentence[verb].Text] && !sp.verbs[sentence[verb].Text] {
		at := slices.IndexFunc(sentence, func(w phrase.Word) bool { return sp.about[w.Text] })
		if at < 0 {
			return nil
		}
		from = at + 1
	}
	t := sp.newTopic(said, sentence)
	flush := func() {
		if len(t.stems) > 0 {
			if t.needed = 1; exact {
				t.needed = len(t.stems)
			} else if len(t.stems) > freeWords {
				t.needed = freeWords
			}
			topics = append(topics, t)
		}
		t = sp.newTopic(said, sentence)
	}
	for i := from; i < len(sentence); i++ {
		w := sentence[i]
		switch {
		case sp.cut[w.Text] && len(t.stems) > 0:
			flush()
			return topics
		case sp.or[w.Text]:
			flush()
			continue
		}
		if stem, function := sp.lang.Stem(w.Text); !function && !sp.ignores(w.Text) && utf8.RuneCountInString(w.Text) > 1 {
			t.stems[stem] = true
			if first, _ := utf8.DecodeRuneInString(said[w.Start:]); unicode.IsUpper(first) && sp.lang.Tag() != "de" {
				t.names[stem] = true
			}
		}
	}
	flush()
	return topics
}

// untilCut returns the sentence up to where another clause begins after word no.
func (sp *speaking) untilCut(sentence []phrase.Word, no int) []phrase.Word {
	for i := max(no, 0) + 1; i < len(sentence); i++ {
		if sp.cut[sentence[i].Text] && !sp.about[sentence[i].Text] {
			return sentence[:i]
		}
	}
	return sentence
}

// ignores reports whether a word is no topic.
func (sp *speaking) ignores(word string) bool {
	for _, set := range []map[string]bool{sp.light, sp.not, sp.verbs, sp.talk, sp.about} {
		if set[word] {
			return true
		}
	}
	return false
}

func (sp *speaking) newTopic(said string, sentence []phrase.Word) Topic {
	return Topic{Wish: said[sentence[0].Start:sentence[len(sentence)-1].End], stems: map[string]bool{}, names: map[string]bool{}, lang: sp.lang}
}

// japanese are the endings of requests not to speak of what stands before them.
var japanese = []string{"の話", "について", "のこと", "に触れ", "の名前"}

// japaneseTopic returns what a Japanese text asks not to speak of.
func japaneseTopic(said string) []Topic {
	for part := range strings.FieldsFuncSeq(said, func(r rune) bool { return strings.ContainsRune("。！？!?\n、", r) }) {
		if !strings.Contains(part, "ないで") && !strings.Contains(part, "やめて") && !strings.Contains(part, "しない") {
			continue
		}
		for _, end := range japanese {
			topic, _, found := strings.Cut(part, end)
			for _, lead := range []string{"お願い", "もう", "二度と", "私の", "僕の", "俺の", "絶対に"} {
				topic = strings.TrimPrefix(topic, lead)
			}
			if found && topic != "" {
				return []Topic{{Wish: part, text: topic}}
			}
		}
	}
	return nil
}

// Words returns the words of the topic as they are compared, sorted, for display in tests.
func (t *Topic) Words() []string {
	if t.text != "" {
		return []string{t.text}
	}
	return slices.Sorted(maps.Keys(t.stems))
}
