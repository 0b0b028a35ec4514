package reader

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"familiar/internal/text"
	"familiar/memory/concept"
	"familiar/memory/lexical"
	"familiar/memory/wordvec"
)

// shape is how a token is written.
type shape uint8

// The shapes.
const (
	small shape = iota
	capital
	shouted
	digits
	mark
	lineEnd // a mark that ends a sentence
	shapes
)

// hash identifies a word or a feature.
type hash uint64

// token is one word, number or mark of a text, with what the features need to know of it.
type token struct {
	start, end int
	shape      shape
	// word is the word in lower case without apostrophes, in its usual spelling; stem the form that its inflections share.
	word, stem hash
	// head and tail are its first four and last three letters.
	head, tail hash
	// means are the concepts that it is part of.
	means [meanings]hash
	// group and wide stand for the words that keep the same company, 0 if none are known.
	group, wide hash
}

// meanings is the number of concepts kept per token.
const meanings = 3

// usual maps spellings of chats to the usual ones.
var usual = map[string]string{
	"u": "you", "ur": "your", "n": "and", "r": "are", "w": "with", "bf": "boyfriend", "gf": "girlfriend", "bday": "birthday",
	"tmrw": "tomorrow", "tmr": "tomorrow", "tomoz": "tomorrow", "cos": "because", "cuz": "because", "bc": "because", "coz": "because",
	"ppl": "people", "rly": "really", "sry": "sorry", "soz": "sorry", "thx": "thanks", "pls": "please", "plz": "please",
	"fave": "favourite", "fav": "favourite", "favorite": "favourite", "color": "colour", "yr": "year", "yrs": "years",
	"gonna": "going", "wanna": "want", "gotta": "got", "moms": "mums", "mom": "mum", "mam": "mum", "mama": "mum", "me": "me", "omg": "wow",
	"rn": "now", "tho": "though", "thru": "through", "bro": "brother", "sis": "sister", "uni": "university", "yo": "old", "innit": "right",
}

// joined holds the words whose "'s" is a verb and part of the token, as chats write it ("its", "thats").
var joined = map[string]bool{
	"it": true, "that": true, "he": true, "she": true, "there": true, "what": true, "who": true, "where": true, "how": true, "let": true, "here": true,
}

// tokenLimit is the number of tokens that are read together.
const tokenLimit = 64

// tokenize appends the tokens of said to tokens. Words are split from numbers ("34yo") and from a possessive 's.
func tokenize(said string, tokens []token) []token {
	for i := 0; i < len(said); {
		r, n := rune(said[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(said[i:])
		}
		switch {
		case unicode.IsSpace(r):
			i += n
		case unicode.IsDigit(r):
			end := i + n
			for end < len(said) && said[end] >= '0' && said[end] <= '9' {
				end++
			}
			tokens = append(tokens, token{start: i, end: end, shape: digits})
			i = end
		case text.IsWord(r):
			from := i
			i = wordEnd(said, i)
			tokens = appendWord(tokens, said, from, i)
		default:
			t := token{start: i, end: i + n, shape: mark}
			if r == '.' || r == '!' || r == '?' || r == '\n' || r == '…' {
				t.shape = lineEnd
			}
			tokens = append(tokens, t)
			i += n
		}
	}
	return tokens
}

// wordEnd returns the end of the letters from start, with apostrophes between them.
func wordEnd(said string, start int) int {
	i := start
	for i < len(said) {
		r, n := utf8.DecodeRuneInString(said[i:])
		if text.IsWord(r) && !unicode.IsDigit(r) {
			i += n
			continue
		}
		if r == '\'' || r == '’' {
			if next, _ := utf8.DecodeRuneInString(said[i+n:]); text.IsWord(next) && !unicode.IsDigit(next) {
				i += n
				continue
			}
		}
		break
	}
	return i
}

// appendWord appends the one or two tokens of the word said[from:to].
func appendWord(tokens []token, said string, from, to int) []token {
	at, width := strings.IndexByte(said[from:to], '\''), 1
	if at < 0 {
		at, width = strings.Index(said[from:to], "’"), len("’")
	}
	if at < 0 {
		return append(tokens, token{start: from, end: to})
	}
	before, after := said[from:from+at], said[from+at+width:to]
	switch {
	case strings.EqualFold(after, "s") && !joined[strings.ToLower(before)]:
		return append(tokens, token{start: from, end: from + at}, token{start: from + at, end: to})
	case len(before) <= 2 && len(after) > 1 && !elides[strings.ToLower(before)]:
		return append(tokens, token{start: from, end: from + at}, token{start: from + at + width, end: to}) // "l'école"
	}
	return append(tokens, token{start: from, end: to})
}

// elides holds the short English words whose apostrophe stands for letters of a verb: "I've", "we're".
var elides = map[string]bool{"i": true, "we": true, "he": true, "it": true}

const (
	hashStart = 14695981039346656037
	hashPrime = 1099511628211
)

func hashOf(s string) hash {
	h := uint64(hashStart)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * hashPrime
	}
	return hash(h)
}

// describe fills in what the features need to know of each token. It returns the language of the text.
func describe(whole, said string, tokens []token) string {
	lang := lexical.DetectByFunctionWords(whole).Tag()
	lexicon := concept.For(lang)
	if lexicon == nil {
		lang, lexicon = "en", concept.For("en")
	}
	var room [tokenLimit]string
	stems := room[:0]
	for i := range tokens {
		t := &tokens[i]
		written := said[t.start:t.end]
		if t.shape >= digits {
			t.word, t.stem = hashOf(written), hashOf(written)
			if t.shape == digits {
				t.word = hashOf("0000000"[:min(len(written), 7)])
			}
			stems = append(stems, written)
			continue
		}
		w := lookUp(lexicon, lang, written)
		t.shape, t.word, t.stem, t.head, t.tail = w.shape, w.word, hashOf(w.stem), w.head, w.tail
		t.group, t.wide = w.group, w.wide
		stems = append(stems, w.stem)
	}
	for _, m := range lexicon.In(stems) {
		key := hashOf(m.Concept.Key())
		if m.Kind != 0 {
			key++
		}
		for i := m.From; i < m.To; i++ {
			tokens[i].mean(key)
		}
	}
	return lang
}

// written is what the features need to know of a word as it is written.
type written struct {
	shape                         shape
	word, head, tail, group, wide hash
	stem                          string
}

func newWritten(lexicon *concept.Lexicon, lang, word string) written {
	low := plain(word)
	w := written{shape: shapeOf(word), word: hashOf(low), head: hashOf(low[:min(4, len(low))]), tail: hashOf(low[max(0, len(low)-3):]), stem: lexicon.Stem(low)}
	if pronouns[w.word] {
		w.shape = small // "I'm" names nobody
	}
	if lang == "en" || w.shape == capital && lang != "de" {
		group, wide := wordvec.Find(low).Group()
		w.group, w.wide = hash(group), hash(wide)
	}
	return w
}

// lately holds words that were read, by language: most words of most messages.
var lately = struct {
	sync.Mutex
	words map[string]map[string]written
}{words: map[string]map[string]written{}}

const (
	// latelyLimit is how many words of a language are held, cachedLength the longest of them in bytes.
	latelyLimit  = 4096
	cachedLength = 20
)

// lookUp returns what is known of a word.
func lookUp(lexicon *concept.Lexicon, lang, word string) written {
	if len(word) > cachedLength {
		return newWritten(lexicon, lang, word)
	}
	lately.Lock()
	defer lately.Unlock()
	known := lately.words[lang]
	w, ok := known[word]
	if !ok {
		if known == nil || len(known) >= latelyLimit {
			known = map[string]written{}
			lately.words[lang] = known
		}
		w = newWritten(lexicon, lang, word)
		known[strings.Clone(word)] = w
	}
	return w
}

func (t *token) mean(key hash) {
	for i := range t.means {
		if t.means[i] == 0 {
			t.means[i] = key
			return
		}
	}
}

// plain returns a word in lower case, without apostrophes, and as most people spell it.
func plain(written string) string {
	low := text.Lower(written)
	if strings.ContainsAny(low, "'’") {
		low = apostrophes.Replace(low)
	}
	if u, ok := usual[low]; ok {
		return u
	}
	return low
}

var apostrophes = strings.NewReplacer("'", "", "’", "")

func shapeOf(written string) shape {
	r, n := utf8.DecodeRuneInString(written)
	if !unicode.IsUpper(r) {
		return small
	}
	if next, _ := utf8.DecodeRuneInString(written[n:]); unicode.IsUpper(next) {
		return shouted
	}
	return capital
}
