// Package retraction finds the parts of an earlier message that a later message by the same person retracts or
// changes.
package retraction

import (
	"slices"
	"strings"

	"familiar/internal/text"
	"familiar/memory/understand/english"
)

// withdrawals lists the words, and sequences of words, that come before something that is not or no longer true.
var withdrawals = [][]string{
	{"not"},
	{"no", "longer"},
	{"instead", "of"},
	{"rather", "than"},
	{"left"},
	{"leaving"},
	{"moved", "out", "of"},
	{"quit"},
	{"stopped"},
	{"gave", "up"},
	{"given", "up"},
	{"sold"},
	{"lost"},
	{"cancelled"},
	{"canceled"},
	{"used", "to"},
}

// withdrawnWithin is how many words after a withdrawal the thing may come: "not in the left".
const withdrawnWithin = 3

// moving holds the words that tell that somebody is somewhere else now. amending holds those that tell that an amount
// has changed.
var (
	moving   = english.Set("now instead changed moved")
	amending = english.Set("now instead changed down up only reduced raised increased lowered halved doubled")
)

// placing holds the prepositions before a place, a time or a manner: "we live on", "I come at".
var placing = english.Set("in on at with for to as by from")

// unspecific holds the words that two sentences may share without being about the same thing.
var unspecific = english.Set("have has had will would can could get got going go went come came make made take took give gave put let say said tell told " +
	"think thought know knew want like need feel felt today now here there still just really very much many more some any every always never again " +
	"only also even too one two day week month year time thing people about after before until since yes well sure okay good new old last next first " +
	"be been being do does did don't doesn't didn't")

// List holds the messages that may retract or change what the same person said before. They are numbered from 0 in
// the order they are added.
type List struct {
	all []withdrawal
	// back holds the numbers of the messages that retract a word, by that word. amending holds the numbers of those
	// that tell another amount or place.
	back     map[string][]int
	amending []int
}

// withdrawal is one message of a List.
type withdrawal struct {
	words []spoken
	// moves reports that a place may have changed, amends that an amount may have.
	moves, amends bool
}

// spoken is a normalized word with the word before it, the byte where it ends in its text, and whether the clause
// continues after it.
type spoken struct {
	word, after string
	end         int
	on          bool
}

// triggers holds the words that a withdrawal or a move must contain.
var triggers = func() map[string]bool {
	words := english.Set("any anymore")
	for w := range moving {
		words[w] = true
	}
	for _, w := range withdrawals {
		words[w[0]] = true
	}
	return words
}()

// longestTrigger is the length of the longest trigger in bytes.
const longestTrigger = 12

// lengths holds, by the first letter, a bit for each length of a word that is a trigger or amends.
var lengths = func() (bits [1 << 8]uint16) {
	for _, words := range []map[string]bool{triggers, amending} {
		for w := range words {
			bits[w[0]] |= 1 << len(w)
		}
	}
	return bits
}()

// triggered reports whether a text may contain a withdrawal. It is a cheap test because it runs on every recalled
// line and most contain none.
func triggered(text string) bool {
	counts := strings.ContainsAny(text, "0123456789")
	var word [longestTrigger]byte
	n := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z' {
			if n < longestTrigger {
				word[n] = text[i] | 0x20
			}
			n++
			continue
		}
		if n > 0 && n <= longestTrigger && lengths[word[0]]&(1<<n) != 0 && (triggers[string(word[:n])] || counts && amending[string(word[:n])]) {
			return true
		}
		n = 0
	}
	return false
}

// overtakenLimit is how many bytes of a text are read, both for what it retracts and for what may be retracted of it.
// It is longer than a chat message and bounds the comparison of every word with every other.
const overtakenLimit = 4 << 10

// Add reads the first 4 KiB of a text for what it retracts or changes. It reports whether there may be something;
// only then does the text get a number.
func (w *List) Add(text string) bool {
	if text = text[:min(len(text), overtakenLimit)]; !triggered(text) {
		return false
	}
	said := withdrawal{words: spokenWords(text)}
	n, found := len(w.all), false
	for i := range said.words {
		said.moves = said.moves || moving[said.words[i].word]
		said.amends = said.amends || amending[said.words[i].word]
		for _, thing := range said.takenBackAt(i) {
			if w.back == nil {
				w.back = map[string][]int{}
			}
			if numbers := w.back[thing]; len(numbers) == 0 || numbers[len(numbers)-1] != n {
				w.back[thing] = append(numbers, n)
			}
			found = true
		}
	}
	if said.moves || said.amends {
		w.amending, found = append(w.amending, n), true
	}
	if found {
		w.all = append(w.all, said)
	}
	return found
}

// takenBackAt returns the words that the wording at word i retracts.
func (w withdrawal) takenBackAt(i int) (taken []string) {
	for _, words := range withdrawals {
		if beginWith(w.words[i:], words) {
			taken = append(taken, things(w.words[i+len(words):])...)
		}
	}
	if w.words[i].word == "anymore" || w.words[i].word == "any" && beginWith(w.words[i:], []string{"any", "more"}) {
		taken = append(taken, things(w.words[max(0, i-withdrawnWithin):i])...) // "I can't do Mondays any more"
	}
	return taken
}

// things returns the specific words within reach in the same clause.
func things(words []spoken) (found []string) {
	for _, w := range words[:min(len(words), withdrawnWithin)] {
		if specific(w.word) {
			found = append(found, w.word)
		}
		if !w.on {
			break
		}
	}
	return found
}

// Earlier is a text that a later one may retract.
type Earlier struct {
	words []spoken
	// amounts holds the positions of numbers before their unit. places holds the positions where a phrase with a
	// place begins: "live on".
	amounts, places []int
}

// Parse reads the first 4 KiB of a text for what may be retracted.
func Parse(text string) Earlier {
	e := Earlier{words: spokenWords(text[:min(len(text), overtakenLimit)])}
	for i, w := range e.words {
		if i+1 < len(e.words) && numeral(w.word) && specific(e.words[i+1].word) && !numeral(e.words[i+1].word) {
			e.amounts = append(e.amounts, i)
		}
		if i >= 2 && i+1 < len(e.words) && placing[w.word] && specific(e.words[i-1].word) {
			e.places = append(e.places, i-2)
		}
	}
	return e
}

// Of finds the first part of e that a message of the list retracts and returns the byte after that part. Only
// messages whose number by accepts count. "The right knee, not the left" retracts "left" in "my left knee was
// operated on", "down to 25 milligrams of it" retracts "50 milligrams", and "we live on Linden Hill now" retracts the
// place in "we live on Quay Street". The two texts must be about the same thing: they share another word than the
// retracted one. This is a guess from words alone. Use it only to mark the earlier text.
func (w *List) Of(e Earlier, by func(number int) bool) (at int, ok bool) {
	if len(w.all) == 0 {
		return 0, false
	}
	for _, o := range e.words {
		for _, n := range w.back[o.word] {
			if by(n) && (w.all[n].shares(e.words, o.word) || w.all[n].places(o.after, o.word)) {
				return o.end, true
			}
		}
	}
	if len(e.amounts)+len(e.places) == 0 {
		return 0, false
	}
	for _, n := range w.amending {
		if by(n) {
			if at, ok := w.all[n].changes(e); ok {
				return at, ok
			}
		}
	}
	return 0, false
}

// changes returns the byte after an amount or a place in e that the withdrawal replaces.
func (w withdrawal) changes(e Earlier) (at int, ok bool) {
	for _, i := range e.amounts {
		if unit := e.words[i+1]; w.amends && w.otherAmount(e.words[i].word, unit.word) && w.shares(e.words, unit.word) {
			return unit.end, true
		}
	}
	for _, i := range e.places {
		if w.moves && w.otherPlace(e.words[i:]) {
			return clauseEnd(e.words[i+3:]), true
		}
	}
	return 0, false
}

// otherAmount reports whether the withdrawal has another number before the same unit.
func (w withdrawal) otherAmount(number, unit string) bool {
	for i := range len(w.words) - 1 {
		if n := w.words[i].word; w.words[i+1].word == unit && numeral(n) && n != number {
			return true
		}
	}
	return false
}

// otherPlace reports whether the withdrawal has the first three words of old, such as "we live on", with something
// else after them.
func (w withdrawal) otherPlace(old []spoken) bool {
	for i := range len(w.words) - 3 {
		if same := w.words[i].word == old[0].word && w.words[i+1].word == old[1].word && w.words[i+2].word == old[2].word; same {
			return !slices.Equal(phrase(w.words[i+3:]), phrase(old[3:]))
		}
	}
	return false
}

// phrase returns the first word of words, or the article and the word after it.
func phrase(words []spoken) []string {
	if len(words) > 1 && (words[0].word == "a" || words[0].word == "an" || words[0].word == "the") {
		return []string{words[0].word, words[1].word}
	}
	return []string{words[0].word}
}

// places reports whether thing follows the same preposition in both texts: "from Riga".
func (w withdrawal) places(before, thing string) bool {
	if !placing[before] {
		return false
	}
	return slices.ContainsFunc(w.words, func(v spoken) bool { return v.word == thing && v.after == before })
}

// shares reports whether both texts share a specific word other than thing.
func (w withdrawal) shares(old []spoken, thing string) bool {
	return slices.ContainsFunc(old, func(o spoken) bool {
		return o.word != thing && specific(o.word) && slices.ContainsFunc(w.words, func(v spoken) bool { return sameStem(v.word, o.word) })
	})
}

// clauseEnd returns the byte where the first clause of words ends.
func clauseEnd(words []spoken) int {
	for _, w := range words {
		if !w.on {
			return w.end
		}
	}
	return words[len(words)-1].end
}

// beginWith reports whether words begin with the given ones.
func beginWith(words []spoken, with []string) bool {
	if len(words) < len(with) {
		return false
	}
	for i, w := range with {
		if words[i].word != w {
			return false
		}
	}
	return true
}

// bytesPerWord is the approximate length of a word, used to allocate space.
const bytesPerWord = 5

// spokenWords returns the words of a text.
func spokenWords(said string) []spoken {
	words := make([]spoken, 0, len(said)/bytesPerWord+1)
	for t := range text.Tokens(said, apostrophes) {
		after := ""
		if n := len(words); n > 0 && words[n-1].on {
			after = words[n-1].word
		}
		words = append(words, spoken{word: t.Norm, after: after, end: t.End, on: strings.HasPrefix(said[t.End:], " ")})
	}
	return words
}

// apostrophes accepts only an apostrophe inside a word.
func apostrophes(_, mark, after rune) bool {
	return (mark == '\'' || mark == '’') && text.IsWord(after)
}

// sameStem reports whether two words are equal without their endings.
func sameStem(a, b string) bool {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a == b || n >= stemLeast && endings[a[n:]] && endings[b[n:]]
}

// stemLeast is the length in bytes of the shortest stem that two words may share.
const stemLeast = 4

var endings = map[string]bool{"": true, "s": true, "ed": true, "d": true, "ing": true, "es": true}

// specific reports whether a word carries the topic of a sentence.
func specific(w string) bool {
	return !english.Function[w] && !unspecific[w] && (len(w) > 2 || numeral(w))
}

// numeral reports whether a word is a number in digits.
func numeral(w string) bool { return w != "" && strings.Trim(w, "0123456789") == "" }
