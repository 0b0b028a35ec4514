// Package wording has what pages for people say in several languages. The texts are data, a file per language in the package of the
// pages: a line "key: text" each, with {slots}.
package wording

import (
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"familiar/persona/words"
)

// English is the language of those who read none of the others.
const English = "en"

// Tags are the languages, English first.
var Tags = []string{English, "de", "es", "fr"}

// Tongue is what pages say in one language.
type Tongue struct {
	// Tag is one of Tags.
	Tag   string
	texts map[string]string
}

// Load reads wordings/TAG.txt of each language in files, when the result is called for the first time. It panics if one cannot be read:
// such files are embedded.
func Load(files fs.FS) func() map[string]*Tongue {
	return sync.OnceValue(func() map[string]*Tongue {
		all := map[string]*Tongue{}
		for _, tag := range Tags {
			t := &Tongue{Tag: tag, texts: map[string]string{}}
			for _, entry := range words.Entries(files, "wordings/"+tag+".txt") {
				t.texts[entry[0]] = entry[1]
			}
			all[tag] = t
		}
		return all
	})
}

// Say words the text under key, "" if there is none. fill are pairs of a slot and what stands in it.
func (t *Tongue) Say(key string, fill ...any) string {
	pairs := make([]string, len(fill))
	for i, f := range fill {
		pairs[i] = fmt.Sprint(f)
		if i%2 == 0 {
			pairs[i] = "{" + pairs[i] + "}"
		}
	}
	return strings.NewReplacer(pairs...).Replace(t.texts[key])
}

// Keys returns the keys of all texts, in no order.
func (t *Tongue) Keys() (all []string) {
	for key := range t.texts {
		all = append(all, key)
	}
	return all
}

var matcher = sync.OnceValue(func() language.Matcher {
	var all []language.Tag
	for _, tag := range Tags {
		all = append(all, language.Make(tag))
	}
	return language.NewMatcher(all)
})

// Choose returns the tag of the language that a person chose, else of the one that their browser accepts, else English.
func Choose(chosen, accepted string) string {
	_, i := language.MatchStrings(matcher(), chosen, accepted)
	return Tags[i]
}
