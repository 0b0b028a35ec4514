package claim

import "strings"

// carriers are the nouns for what a thing comes in: who is done with jazz is done with jazz records.
var carriers = set("music record album song tune track playlist concert gig band radio food dish cuisine meal recipe film movie book novel story " +
	"comic series show game match video thing stuff")

// fused are heads that, after these words, are another thing: ice cream is no cream.
var fused = map[string]map[string]bool{
	"cream": set("ice sun shaving"), "dog": set("hot"), "butter": set("peanut almond"), "pig": set("guinea"), "fish": set("star jelly"),
	"cake": set("pan"), "milk": set("oat almond soy coconut"), "bread": set("ginger"), "horse": set("sea"), "potato": set("sweet"), "chocolate": set("hot"),
}

// Includes says that what is said of a whole kind of thing is said of this one as well: "jazz" includes "old jazz
// records" and "spicy curry" is a "curry", but jazz dance classes are not jazz.
func Includes(kind, thing string) bool {
	wide, narrow := strings.Fields(fold(kind)), strings.Fields(fold(thing))
	for i := 0; len(wide) > 0 && i+len(wide) <= len(narrow); i++ {
		if startsWith(narrow[i:], wide) && (i == 0 || !fused[singular(narrow[i])][narrow[i-1]]) && allCarriers(narrow[i+len(wide):]) {
			return true
		}
	}
	return false
}

func startsWith(words, start []string) bool {
	for i, w := range start {
		if singular(words[i]) != singular(w) {
			return false
		}
	}
	return true
}

func allCarriers(words []string) bool {
	for _, w := range words {
		if !carriers[w] && !carriers[singular(w)] {
			return false
		}
	}
	return true
}
