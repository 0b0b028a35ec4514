package scene

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"

	"familiar/internal/recent"
	"familiar/internal/text"
	"familiar/persona/words"
)

//go:embed need.txt
var needFile string

// needs is how people of one language speak of ending their life.
type needs struct {
	phrases     map[string][][]string // by their first word
	unless, not words.Set
	reply       string
}

var needLanguages = sync.OnceValue(func() (all []needs) {
	lists := text.Lists(needFile)
	for _, tag := range []string{"en", "de", "es", "fr"} {
		n := needs{phrases: map[string][][]string{}, unless: words.Set{}, not: words.Set{}, reply: strings.TrimSpace(lists[tag+" reply"])}
		for phrase := range strings.SplitSeq(lists[tag+" phrases"], ",") {
			p := slices.Collect(text.PlainWords(phrase))
			n.phrases[p[0]] = append(n.phrases[p[0]], p)
		}
		for w := range text.PlainWords(lists[tag+" unless"]) {
			n.unless[w] = true
		}
		for w := range text.PlainWords(lists[tag+" not"]) {
			n.not[w] = true
		}
		all = append(all, n)
	}
	return all
})

// InNeed returns the fixed reply to someone who speaks of ending their life. It precedes and replaces everything else,
// in the same plain words whatever the persona's manner.
func (s Scene) InNeed() string {
	for _, line := range OwnLines(s) {
		if n := needIn(line.Text); n != nil {
			return n.reply
		}
	}
	return ""
}

// careTime is for how long somebody who spoke of ending their life is met with care.
const careTime = 7 * 24 * time.Hour

// NeedsCare reports whether the person spoke of ending their life before, as far as the sources tell: those of Scene.Sources.
func (s Scene) NeedsCare(sources []Source) bool {
	return slices.ContainsFunc(sources, func(x Source) bool { return x.Own && s.Now.Sub(x.At) < careTime && Despairs(x.Text) })
}

// Despairs reports whether a text speaks of ending its author's life. No greeting brings it up.
func Despairs(said string) bool { return needIn(said) != nil }

// needIn returns the language in which a text speaks of ending its author's life, nil if it does not. With every turn, it is
// asked of all that the person said lately.
var needIn = recent.Texts(1000, 2000, findNeed)

func findNeed(said string) *needs {
	all := slices.Collect(text.PlainWords(words.Head(said)))
	for i := range needLanguages() {
		if n := &needLanguages()[i]; n.in(all) {
			return n
		}
	}
	return nil
}

// unlessReach is within how many words after a phrase one of unless stands.
const unlessReach = 3

func (n *needs) in(all []string) bool {
	for i, first := range all {
		for _, p := range n.phrases[first] {
			end := i + len(p)
			if end > len(all) || !slices.Equal(all[i:end], p) || i > 0 && n.not[all[i-1]] {
				continue
			}
			if !slices.ContainsFunc(all[end:min(len(all), end+unlessReach)], func(w string) bool { return n.unless[w] }) {
				return true
			}
		}
	}
	return false
}
