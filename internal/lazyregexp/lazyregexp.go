// Package lazyregexp wraps regexp for package variables: an expression is compiled at its first use, because commands
// that parse no text should not pay for the hundred expressions that parse text.
package lazyregexp

import (
	"fmt"
	"regexp"
	"sync"
)

// Regexp is a regular expression. Its methods are those of regexp.Regexp. A text that cannot match is mostly told by a
// few strings of which every match contains one; only the others are matched.
type Regexp struct {
	text     string
	read     sync.Once
	need     need
	once     sync.Once
	compiled *regexp.Regexp
}

// all holds the expressions of the program.
var (
	mu  sync.Mutex
	all []*Regexp
)

// New returns the expression text, for a package variable. An invalid one panics at its first use; Check finds it
// earlier.
func New(text string) *Regexp {
	r := &Regexp{text: text}
	mu.Lock()
	defer mu.Unlock()
	all = append(all, r)
	return r
}

// Check compiles every expression of the program. It returns their number and the first error.
func Check() (n int, err error) {
	mu.Lock()
	defer mu.Unlock()
	for _, r := range all {
		if _, err := regexp.Compile(r.text); err != nil {
			return len(all), fmt.Errorf("compile a package's expression: %w", err)
		}
	}
	return len(all), nil
}

func (r *Regexp) get() *regexp.Regexp {
	r.once.Do(r.compile)
	return r.compiled
}

func (r *Regexp) compile() { r.compiled = regexp.MustCompile(r.text) }

// mayMatch reports whether s contains what every match contains.
func (r *Regexp) mayMatch(s string) bool {
	r.read.Do(r.readNeed)
	return r.need.metBy(s)
}

func (r *Regexp) readNeed() { r.need = needOf(r.text) }

// MatchString is like regexp.Regexp.MatchString; the following methods correspond likewise.
func (r *Regexp) MatchString(s string) bool { return r.mayMatch(s) && r.get().MatchString(s) }

// FindStringSubmatch returns the first match and its groups.
func (r *Regexp) FindStringSubmatch(s string) []string {
	if !r.mayMatch(s) {
		return nil
	}
	return r.get().FindStringSubmatch(s)
}

// FindAllStringIndex returns the positions of up to n matches.
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	if !r.mayMatch(s) {
		return nil
	}
	return r.get().FindAllStringIndex(s, n)
}

// FindAllStringSubmatchIndex returns the positions of up to n matches and their groups.
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	if !r.mayMatch(s) {
		return nil
	}
	return r.get().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString replaces every match by with, with its groups expanded.
func (r *Regexp) ReplaceAllString(s, with string) string {
	if !r.mayMatch(s) {
		return s
	}
	return r.get().ReplaceAllString(s, with)
}

// ReplaceAllLiteralString replaces every match by with.
func (r *Regexp) ReplaceAllLiteralString(s, with string) string {
	if !r.mayMatch(s) {
		return s
	}
	return r.get().ReplaceAllLiteralString(s, with)
}

// ReplaceAllStringFunc replaces every match by the result of with.
func (r *Regexp) ReplaceAllStringFunc(s string, with func(string) string) string {
	if !r.mayMatch(s) {
		return s
	}
	return r.get().ReplaceAllStringFunc(s, with)
}
