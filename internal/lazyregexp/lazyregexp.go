// Package lazyregexp is package regexp for package variables: an expression is compiled when it is first used, since a
// command that reads no text should not pay for the hundred with which texts are read.
package lazyregexp

import (
	"fmt"
	"regexp"
	"sync"
)

// Regexp is a regular expression. Its methods are those of regexp.Regexp.
type Regexp struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
}

// all are those of the program, as its packages are initialised one after the other.
var all []*Regexp

// New is the expression text, for a package variable. One that is wrong panics when it is first used; Check finds it before.
func New(text string) *Regexp {
	r := &Regexp{text: text}
	all = append(all, r)
	return r
}

// Check compiles every expression of the program. It says how many there are, and what is wrong with the first that is.
func Check() (n int, err error) {
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

// MatchString is that of regexp.Regexp, and so are the methods that follow.
func (r *Regexp) MatchString(s string) bool { return r.get().MatchString(s) }

// FindStringSubmatch finds the first match and its groups.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.get().FindStringSubmatch(s) }

// FindAllStringIndex finds where up to n matches stand.
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int { return r.get().FindAllStringIndex(s, n) }

// FindAllStringSubmatchIndex finds where up to n matches and their groups stand.
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.get().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString puts with, its groups expanded, in the place of every match.
func (r *Regexp) ReplaceAllString(s, with string) string { return r.get().ReplaceAllString(s, with) }

// ReplaceAllLiteralString puts with in the place of every match.
func (r *Regexp) ReplaceAllLiteralString(s, with string) string {
	return r.get().ReplaceAllLiteralString(s, with)
}

// ReplaceAllStringFunc puts what with makes of it in the place of every match.
func (r *Regexp) ReplaceAllStringFunc(s string, with func(string) string) string {
	return r.get().ReplaceAllStringFunc(s, with)
}
