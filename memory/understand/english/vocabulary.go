// Package english holds the knowledge of English for parsing: words, sentences, function words, names, clauses and a
// notation for wordings (Pattern).
package english

import (
	_ "embed"
	"strings"

	"familiar/internal/text"
)

// The English vocabulary of the parser. Another language needs another file like this one, like words.txt, like
// relations.txt and like tone.go.

//go:embed words.txt
var wordTable string

// lists are the word lists in words.txt by name.
var lists = func() map[string]map[string]bool {
	sets := map[string]map[string]bool{}
	for name, words := range text.Lists(wordTable) {
		sets[name] = Set(words)
	}
	return sets
}()

type pair struct{ head, tail string }

// contractions that no rule about apostrophes covers.
var contractions = map[string]pair{
	"im": {"i", "am"}, "ive": {"i", "have"}, "dont": {"do", "not"}, "doesnt": {"does", "not"}, "didnt": {"did", "not"},
	"cant": {"can", "not"}, "can't": {"can", "not"}, "cannot": {"can", "not"}, "wont": {"will", "not"},
	"won't": {"will", "not"}, "isnt": {"is", "not"}, "wasnt": {"was", "not"}, "arent": {"are", "not"},
	"whats": {"what", "is"}, "wheres": {"where", "is"}, "whos": {"who", "is"}, "whens": {"when", "is"},
	"thats": {"that", "is"}, "gonna": {"going", "to"}, "wanna": {"want", "to"}, "gotta": {"got", "to"},
	"youre": {"you", "are"}, "shes": {"she", "is"}, "hes": {"he", "is"}, "ain't": {"is", "not"},
}

// spellings maps spelling variants to one form.
var spellings = map[string]string{
	"favorite": "favourite", "fav": "favourite", "fave": "favourite", "favorites": "favourites", "ur": "your", "u": "you",
	"neighbor": "neighbour", "bday": "birthday", "b-day": "birthday", "color": "colour", "colors": "colours", "luv": "love",
}

// isAfter holds the words after which 's means "is" and is not a possessive.
var isAfter = lists["before is"]

// Adverbs may stand between a subject and its verb without changing the claim.
var Adverbs = lists["adverbs"]

// Function words never are, begin or end a value or a name.
var Function = lists["function"]

// calendarWords holds the days, months and seasons, which are capitalised but are not names.
var calendarWords = lists["calendar"]

// Months holds the names of the months and their abbreviations.
var Months = lists["months"]

// notNames holds words that follow "I'm", "my name is" and the like but are not names. After words that only
// introduce a name they count when capitalised: "my name is Christian".
var notNames = lists["not names"]

// Animals maps the words for animals to their keys.
var Animals = map[string]string{
	"dog": "dog", "puppy": "dog", "pup": "dog", "doggo": "dog", "doggy": "dog", "labrador": "dog", "poodle": "dog", "corgi": "dog",
	"beagle": "dog", "terrier": "dog", "retriever": "dog", "cat": "cat", "kitten": "cat", "kitty": "cat", "tomcat": "cat",
	"rabbit": "rabbit", "bunny": "rabbit", "hamster": "hamster", "parrot": "parrot", "budgie": "budgie", "bird": "bird",
	"horse": "horse", "pony": "horse", "fish": "fish", "goldfish": "goldfish", "turtle": "turtle", "tortoise": "tortoise",
	"snake": "snake", "lizard": "lizard", "gecko": "gecko", "ferret": "ferret", "hedgehog": "hedgehog", "mouse": "mouse",
	"rat": "rat", "chicken": "chicken", "hen": "chicken", "duck": "duck", "goat": "goat", "pig": "pig", "sheep": "sheep",
	"cow": "cow", "donkey": "donkey", "iguana": "iguana", "chinchilla": "chinchilla", "canary": "canary", "cockatiel": "cockatiel",
	"spider": "spider", "tarantula": "tarantula", "frog": "frog", "pet": "pet", "animal": "pet", "axolotl": "axolotl", "llama": "llama",
	"alpaca": "alpaca", "parakeet": "parakeet", "guinea-pig": "guinea pig",
}

// role is a relationship to a person.
type role struct {
	Key string
	// Many reports that a person may have several.
	Many bool
}

// Roles maps the words for roles to their keys.
var Roles = map[string]role{
	"wife": {"wife", false}, "husband": {"husband", false}, "hubby": {"husband", false}, "partner": {"partner", false},
	"girlfriend": {"girlfriend", false}, "gf": {"girlfriend", false}, "boyfriend": {"boyfriend", false}, "bf": {"boyfriend", false},
	"fiancé": {"fiancé", false}, "fiancée": {"fiancée", false}, "fiance": {"fiancé", false}, "fiancee": {"fiancée", false},
	"spouse": {"spouse", false}, "mother": {"mother", false}, "mum": {"mother", false}, "mom": {"mother", false},
	"mummy": {"mother", false}, "mama": {"mother", false}, "father": {"father", false}, "dad": {"father", false},
	"daddy": {"father", false}, "papa": {"father", false}, "boss": {"boss", false}, "manager": {"boss", false},
	"son": {"son", true}, "daughter": {"daughter", true}, "child": {"child", true}, "kid": {"child", true}, "baby": {"baby", true},
	"brother": {"brother", true}, "sister": {"sister", true}, "sibling": {"sibling", true}, "twin": {"twin", false},
	"friend": {"friend", true}, "best-friend": {"best friend", false}, "cousin": {"cousin", true}, "aunt": {"aunt", true},
	"uncle": {"uncle", true}, "niece": {"niece", true}, "nephew": {"nephew", true}, "grandmother": {"grandmother", true},
	"grandma": {"grandmother", true}, "granny": {"grandmother", true}, "grandfather": {"grandfather", true},
	"grandpa": {"grandfather", true}, "granddad": {"grandfather", true}, "roommate": {"roommate", true},
	"flatmate": {"flatmate", true}, "colleague": {"colleague", true}, "coworker": {"colleague", true},
	"neighbour": {"neighbour", true}, "teacher": {"teacher", true}, "doctor": {"doctor", false}, "therapist": {"therapist", false},
	"mentor": {"mentor", false}, "grandson": {"grandson", true}, "granddaughter": {"granddaughter", true},
	"parent": {"parent", true}, "grandparent": {"grandparent", true}, "father-in-law": {"father-in-law", false},
	"mother-in-law": {"mother-in-law", false}, "brother-in-law": {"brother-in-law", true}, "sister-in-law": {"sister-in-law", true},
	"stepmother": {"stepmother", false}, "stepfather": {"stepfather", false}, "godmother": {"godmother", false}, "landlord": {"landlord", false},
	"nan": {"grandmother", true}, "nana": {"grandmother", true}, "nanna": {"grandmother", true}, "gran": {"grandmother", true},
	"grandad": {"grandfather", true}, "gramps": {"grandfather", true}, "mam": {"mother", false}, "sis": {"sister", true},
	"bro": {"brother", true}, "auntie": {"aunt", true}, "missus": {"wife", false}, "bestie": {"best friend", false},
	"mate": {"friend", true}, "pal": {"friend", true}, "stepdad": {"stepfather", false}, "stepmum": {"stepmother", false},
	"stepmom": {"stepmother", false},
}

// Singular returns the singular of an English noun, as far as the lexicons here need it.
func Singular(w string) string {
	switch {
	case w == "mice":
		return "mouse"
	case w == "children":
		return "child"
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ss"):
		return w
	case strings.HasSuffix(w, "s") && len(w) > 3:
		return w[:len(w)-1]
	}
	return w
}

// Third returns a verb's third person singular.
func Third(verb string) string {
	switch verb {
	case "am":
		return "is"
	case "have":
		return "has"
	}
	switch last := verb[len(verb)-1]; {
	case last == 'y' && !strings.ContainsRune("aeiou", rune(verb[len(verb)-2])):
		return verb[:len(verb)-1] + "ies"
	case strings.HasSuffix(verb, "sh"), strings.HasSuffix(verb, "ch"), last == 's', last == 'x', last == 'o':
		return verb + "es"
	}
	return verb + "s"
}

// Gerund returns a verb's -ing form.
func Gerund(verb string) string {
	n := len(verb)
	vowel := func(i int) bool { return i >= 0 && i < n && strings.IndexByte("aeiou", verb[i]) >= 0 }
	switch {
	case n < 2 || verb == "be" || verb == "see":
		return verb + "ing"
	case strings.HasSuffix(verb, "ie"):
		return verb[:n-2] + "ying"
	case verb[n-1] == 'e' && !strings.HasSuffix(verb, "ee"):
		return verb[:n-1] + "ing"
	case n == 3 && !vowel(0) && vowel(1) && !vowel(2) && strings.IndexByte("wxy", verb[2]) < 0, verb == "begin" || verb == "swim" || verb == "stop" || verb == "plan" || verb == "quit":
		return verb + verb[n-1:] + "ing"
	}
	return verb + "ing"
}

// Determiners begin a noun phrase.
var Determiners = lists["determiners"]

// Passing holds nouns for a momentary state and nouns that begin a figure of speech. Neither is worth remembering.
var Passing = lists["passing"]
