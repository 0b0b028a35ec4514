package phrase

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"familiar/internal/text"
)

// Classes are named alternatives: "$kin" in a pattern stands for the words of the class kin.
type Classes map[string]Class

// Class is a set of words and of beginnings of words. Patterns share it.
type Class struct{ element }

// NewClass returns the class of words that are written as in a pattern.
func NewClass(words []string) Class {
	c := Class{element{whole: make(map[string]bool, len(words))}}
	for _, w := range words {
		c.add(w)
	}
	return c
}

// Set is a set of patterns, each with a value that it stands for. A pattern is a list of elements:
//
//	kill          a word
//	kill|hurt     one of several words
//	suicid*       a word that begins so
//	$kin          a word of a class; also among alternatives
//	really?       a word that may be missing, neither the first nor the last
//	~3            up to three words of any kind in the same sentence
//
// The words are compared as Words returns them. The zero Set is empty.
type Set[V any] struct {
	// Common reports whether a word is too common to look for patterns by it; nil for none. It is asked by Add.
	Common   func(word string) bool
	patterns []pattern[V]
	// whole and begins lead from a word, or its beginning, to the patterns whose anchor it is. lengths are those of the keys
	// of begins.
	whole, begins map[string][]int
	lengths       []int
}

type pattern[V any] struct {
	elements []element
	stops    map[string]bool
	value    V
	// anchor is the element that the pattern is found by, the one with the fewest common words. Between least and most
	// words stand before it.
	anchor, least, most int
}

type element struct {
	whole    map[string]bool
	begins   []string
	gap      int
	optional bool
}

// span returns how few and how many words the element takes.
func (e *element) span() (least, most int) {
	switch {
	case e.gap > 0:
		return 0, e.gap
	case e.optional:
		return 0, 1
	}
	return 1, 1
}

func (e *element) matches(word string) bool {
	if e.whole[word] {
		return true
	}
	for _, b := range e.begins {
		if strings.HasPrefix(word, b) {
			return true
		}
	}
	return false
}

// Add adds a pattern, whose gaps do not reach across the words of stops. It fails if the pattern is malformed or names a
// class that is not there.
func (s *Set[V]) Add(source string, classes Classes, stops map[string]bool, value V) error {
	p := pattern[V]{value: value, stops: stops}
	for field := range strings.FieldsSeq(source) {
		e, err := parse(field, classes)
		if err != nil {
			return fmt.Errorf("pattern %q: %w", source, err)
		}
		p.elements = append(p.elements, e)
	}
	if len(p.elements) == 0 || p.elements[0].free() || p.elements[len(p.elements)-1].free() {
		return fmt.Errorf("pattern %q: the first and the last element must be words", source)
	}
	s.findAnchor(&p)
	n := len(s.patterns)
	s.patterns = append(s.patterns, p)
	if s.whole == nil {
		s.whole, s.begins = map[string][]int{}, map[string][]int{}
	}
	for w := range p.elements[p.anchor].whole {
		s.whole[w] = append(s.whole[w], n)
	}
	for _, b := range p.elements[p.anchor].begins {
		s.begins[b] = append(s.begins[b], n)
		if !slices.Contains(s.lengths, len(b)) {
			s.lengths = append(s.lengths, len(b))
		}
	}
	return nil
}

// findAnchor finds the element that a pattern is looked for by.
func (s *Set[V]) findAnchor(p *pattern[V]) {
	fewest, least, most := -1, 0, 0
	for i := range p.elements {
		e := &p.elements[i]
		if !e.free() {
			common := 0
			for w := range e.whole {
				if s.Common != nil && s.Common(w) {
					common++
				}
			}
			if fewest < 0 || common < fewest {
				fewest, p.anchor, p.least, p.most = common, i, least, most
			}
		}
		few, many := e.span()
		least, most = least+few, most+many
	}
}

// free reports whether the element may match nothing.
func (e *element) free() bool { return e.gap > 0 || e.optional }

func parse(field string, classes Classes) (e element, err error) {
	if n, ok := strings.CutPrefix(field, "~"); ok {
		if _, err := fmt.Sscanf(n, "%d", &e.gap); err != nil || e.gap < 1 {
			return e, fmt.Errorf("%q is no gap", field)
		}
		return e, nil
	}
	field, e.optional = strings.CutSuffix(field, "?")
	if name, ok := strings.CutPrefix(field, "$"); ok {
		if class, known := classes[name]; known {
			e.whole, e.begins = class.whole, class.begins
			return e, nil
		}
	}
	e.whole = map[string]bool{}
	for word := range strings.SplitSeq(field, "|") {
		if name, ok := strings.CutPrefix(word, "$"); ok {
			class, known := classes[name]
			if !known {
				return e, fmt.Errorf("there is no class %s", name)
			}
			maps.Copy(e.whole, class.whole)
			e.begins = append(e.begins, class.begins...)
			continue
		}
		e.add(word)
	}
	return e, nil
}

func (e *element) add(word string) {
	if start, ok := strings.CutSuffix(word, "*"); ok {
		e.begins = append(e.begins, text.Plain(start))
		return
	}
	e.whole[text.Plain(word)] = true
}

// Each yields the value of each pattern that occurs in the words and where, from word from to before word to, until yield
// returns false. A pattern does not reach across the end of a sentence.
func (s *Set[V]) Each(words []Word, yield func(value V, from, to int) bool) {
	if len(s.patterns) == 0 {
		return
	}
	try := func(candidates []int, at int) bool {
		for _, n := range candidates {
			p := &s.patterns[n]
			for i := max(0, at-p.most); i <= at-p.least; i++ {
				if !p.elements[0].matches(words[i].Text) {
					continue
				}
				if to := match(p.elements[1:], words, i+1, p.stops); to > at && !yield(p.value, i, to) {
					return false
				}
			}
		}
		return true
	}
	for i := range words {
		w := words[i].Text
		if !try(s.whole[w], i) {
			return
		}
		for _, n := range s.lengths {
			if n <= len(w) && !try(s.begins[w[:n]], i) {
				return
			}
		}
	}
}

// Has reports whether any pattern occurs in the words.
func (s *Set[V]) Has(words []Word) (found bool) {
	s.Each(words, func(V, int, int) bool {
		found = true
		return false
	})
	return found
}

// match returns the word after the elements where they match the words from i on, else 0.
func match(elements []element, words []Word, i int, stops map[string]bool) int {
	if len(elements) == 0 {
		return i
	}
	e := &elements[0]
	if e.free() {
		if to := match(elements[1:], words, i, stops); to > 0 {
			return to
		}
	}
	if e.gap > 0 {
		for n := 1; n <= e.gap && i+n <= len(words) && !words[i+n-1].Breaks && !stops[words[i+n-1].Text]; n++ {
			if to := match(elements[1:], words, i+n, stops); to > 0 {
				return to
			}
		}
		return 0
	}
	if i >= len(words) || words[i].Breaks || !e.matches(words[i].Text) {
		return 0
	}
	return match(elements[1:], words, i+1, stops)
}
