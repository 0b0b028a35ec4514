package understand

import (
	"slices"
	"strings"

	"familiar/memory/understand/english"
	"familiar/memory/understand/reader"
)

// subject is whom a fact is about: the speaker, their kin, somebody with a name, or a thing.
type subject struct{ kin, name, thing string }

// subject returns whom the fact is about. ok is false when that is unclear.
func (l *learner) subject(f *reader.Fact) (of subject, ok bool) {
	if f.SubjectStart == f.SubjectEnd {
		return subject{name: l.teller(f)}, true
	}
	word := l.text(f.SubjectStart, f.SubjectEnd)
	low := spelled(word)
	switch low {
	case "i", "me", "we", "us":
		return subject{}, true
	case "he", "she", "they", "him", "her", "it", "his", "their", "its":
		return l.pronoun(f)
	}
	if kin := l.kinAt(f.SubjectStart); kin != "" {
		owner, others := l.owner(f.SubjectStart)
		if owner == "" && !others {
			owner = l.teller(f) // "Ben has a cat called Tom"
		}
		return subject{kin: kin, name: owner}, owner != "" || !others
	}
	if name := l.nameAt(f.SubjectStart); name != "" {
		return subject{name: name}, true
	}
	if f.Relation != "fact" && f.Relation != "favourite" && l.owned(f.SubjectStart) {
		return subject{kin: low}, true // "my wee lad"
	}
	if f.Relation == "plan" {
		return subject{thing: low}, true // "Ben's party" may be the speaker's plan
	}
	owner, others := l.owner(f.SubjectStart)
	return subject{thing: low, name: owner}, owner != "" || !others || l.partOfThing(f.SubjectStart)
}

// partOfThing reports whether the noun at the byte is of a thing rather than of somebody: "my bike's lock code".
func (l *learner) partOfThing(start int) bool {
	s, _ := sentenceAt(l.sentences, start)
	c := english.Clause{Text: l.u.Text, Words: s.Words}
	for i := 2; i < len(c.Words) && c.Words[i].Start < start; i++ {
		if before := c.Low(i - 2); c.Low(i) == "'s" && (before == "my" || before == "our" || before == "the") {
			return l.kinAt(c.Words[i-1].Start) == ""
		}
	}
	return false
}

// ownWords are the words with which people speak of themselves.
var ownWords = english.Set("i me my mine myself we us our ours im ive")

// theirs are the words for what belongs to somebody else.
var theirs = english.Set("his her their its your")

// owner returns whose relative or animal is named at the byte: empty for the speaker's own. others reports that it is somebody
// else's of whom nothing is known: "his wife", "my brother's wife".
func (l *learner) owner(start int) (name string, others bool) {
	for _, s := range l.sentences {
		c := english.Clause{Text: l.u.Text, Words: s.Words}
		for i, w := range s.Words {
			if w.Start > start || w.End <= start {
				continue
			}
			for k := i - 1; k >= max(0, i-ownedWithin); k-- {
				switch low := c.Low(k); {
				case low == "my" || low == "our":
					return "", false
				case theirs[low]:
					return "", true
				case low == "'s":
					if k > 0 && english.ProperNoun(c, k-1) {
						return l.nameAt(c.Words[k-1].Start), true
					}
					return "", true
				}
			}
		}
	}
	return "", false
}

// teller returns who the sentence of a fact is about if it begins with a name and a verb and has no word of the speaker's own:
// "Ann works at Siemens". It is empty for the speaker.
func (l *learner) teller(f *reader.Fact) string {
	s, _ := sentenceAt(l.sentences, f.Start)
	c := english.Clause{Text: l.u.Text, Words: s.Words}
	n := english.NameRun(c, 0, nameWords)
	next := c.Low(n)
	verb := english.Shared[next] || english.Auxiliaries[next] || next == "'s" || next == "now" || len(next) > 2 && (strings.HasSuffix(next, "s") || strings.HasSuffix(next, "ed") || english.ToldPast[next])
	if n == 0 || !verb || c.Words[n-1].End > f.Start || slices.ContainsFunc(s.Words, func(w english.Word) bool { return ownWords[w.Low] }) {
		return ""
	}
	return c.Span(0, n)
}

// nameAt returns the whole name that the word at the byte belongs to, empty if it is none.
func (l *learner) nameAt(start int) string {
	for _, s := range l.sentences {
		c := english.Clause{Text: l.u.Text, Words: s.Words}
		for i := 0; i < len(c.Words); i++ {
			n := english.NameRun(c, i, nameWords)
			if n == 0 {
				continue
			}
			if c.Words[i].Start <= start && start < c.Words[i+n-1].End {
				return c.Span(i, i+n)
			}
			i += n - 1
		}
	}
	return ""
}

// nameWords is the longest name in words.
const nameWords = 4

// ownedWithin is how many words before a noun "my" may be.
const ownedWithin = 3

// owned reports whether the noun at the byte is the speaker's: "my wee lad".
func (l *learner) owned(start int) bool {
	for _, s := range l.sentences {
		for i, w := range s.Words {
			for k := max(i-ownedWithin, 0); w.Start == start && k < i; k++ {
				if low := s.Words[k].Low; low == "my" || low == "our" {
					return true
				}
			}
		}
	}
	return false
}

// kinAt returns the kin that the word at the byte names, empty for none.
func (l *learner) kinAt(start int) string {
	for _, s := range l.sentences {
		c := english.Clause{Text: l.u.Text, Words: s.Words}
		for i, w := range s.Words {
			if w.Start > start || w.End <= start {
				continue
			}
			for _, from := range [...]int{max(i-1, 0), i} { // "best friend"
				if kin, _, end := english.KinAt(c, from); kin != "" && end > i {
					return kin
				}
			}
		}
	}
	return ""
}

// pronoun returns whom a pronoun means: the last person or animal that the passage tells of before.
func (l *learner) pronoun(f *reader.Fact) (of subject, ok bool) {
	for _, o := range l.passage.Facts {
		if o.Start >= f.Start {
			break
		}
		at := -1
		switch {
		case o.SubjectStart < o.SubjectEnd && o.SubjectEnd <= f.SubjectStart:
			at = o.SubjectStart
		case o.Relation == "person" || o.Relation == "pet":
			at = lastWordStart(l.u.Text, o)
		}
		if at < 0 {
			continue
		}
		if kin := l.kinAt(at); kin != "" {
			of, ok = subject{kin: kin}, true
		}
	}
	return of, ok
}

// antecedent returns the last animal or relative that was mentioned before the fact, in the utterance or in the persona's words:
// "his name is Rex" names the dog. It is empty for none.
func (l *learner) antecedent(f *reader.Fact) (kin string) {
	kind := "role"
	if f.Relation == "pet_name" {
		kind = "animal"
	}
	for _, text := range [...]string{l.u.Text[:f.Start], l.u.Before} {
		for _, w := range english.Words(text) {
			if key, _, ok := english.KeyWord(kind, w.Low); ok {
				kin = key
			}
		}
		if kin != "" {
			return kin
		}
	}
	return ""
}

func lastWordStart(text string, f reader.Fact) int {
	return f.Start + strings.LastIndexByte(text[f.Start:f.End], ' ') + 1
}
