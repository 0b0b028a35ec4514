package rel

import (
	"strings"

	"familiar/memory/understand/english"
)

// carriers holds the nouns for the form that a thing comes in: a dislike of jazz includes jazz records.
var carriers = english.Set("music record album song tune track playlist concert gig band radio food dish cuisine meal recipe film movie book novel story " +
	"comic series show game match video thing stuff")

// fused maps heads to the words before them that make another thing: ice cream is not cream.
var fused = map[string]map[string]bool{
	"cream": english.Set("ice sun shaving"), "dog": english.Set("hot"), "butter": english.Set("peanut almond"), "pig": english.Set("guinea"), "fish": english.Set("star jelly"),
	"cake": english.Set("pan"), "milk": english.Set("oat almond soy coconut"), "bread": english.Set("ginger"), "horse": english.Set("sea"), "potato": english.Set("sweet"), "chocolate": english.Set("hot"),
}

// Includes reports whether a statement about the whole kind also holds for the thing: "jazz" includes "old jazz
// records" and "curry" includes "spicy curry", but "jazz" does not include jazz dance classes.
func Includes(kind, thing string) bool {
	wide, narrow := strings.Fields(english.Normalize(kind)), strings.Fields(english.Normalize(thing))
	for i := 0; len(wide) > 0 && i+len(wide) <= len(narrow); i++ {
		if startsWith(narrow[i:], wide) && (i == 0 || !fused[english.Singular(narrow[i])][narrow[i-1]]) && allCarriers(narrow[i+len(wide):]) {
			return true
		}
	}
	return false
}

func startsWith(words, start []string) bool {
	for i, w := range start {
		if english.Singular(words[i]) != english.Singular(w) {
			return false
		}
	}
	return true
}

func allCarriers(words []string) bool {
	for _, w := range words {
		if !carriers[w] && !carriers[english.Singular(w)] {
			return false
		}
	}
	return true
}
