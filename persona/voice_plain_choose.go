package persona

import (
	"hash/fnv"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/memory"
	"familiar/memory/claim"
)

// put says the wording under key: the variant is chosen by a hash of what is answered, so that the same scene gets
// the same words, and moved on when the persona used that wording in what it said last. fill are pairs of a slot and
// its text; a slot {x} has a twin {X} that begins with a capital. {,} is how the person is called, after a comma.
func (sp *speaking) put(key string, fill ...string) string {
	return sp.putFrom(sp.hash(key), key, fill...)
}

// turn says the wording under key whose turn it is: no greeting opens like the one before.
func (sp *speaking) turn(key string) string {
	return sp.putFrom(uint32(sp.scene.Greeting.Opening), key)
}

// putFrom is put beginning with the variant of that number.
func (sp *speaking) putFrom(number uint32, key string, fill ...string) string {
	variants := wordings[key]
	if own := wordings[key+"."+sp.manner]; len(own) > 0 {
		variants = own
	}
	name := ""
	if sp.names(key) {
		name = ", " + sp.scene.Address
	}
	pairs := []string{"{,}", name}
	for i := 0; i+1 < len(fill); i += 2 {
		slot := fill[i]
		if bare, dotted := strings.CutSuffix(fill[i+1], "."); dotted { // "Washington D.C." ends a sentence with one full stop
			pairs = append(pairs, "{"+slot+"}.", bare+".", "{"+capital(slot)+"}.", capital(bare)+".")
		}
		pairs = append(pairs, "{"+slot+"}", fill[i+1], "{"+capital(slot)+"}", capital(fill[i+1]))
	}
	replacer := strings.NewReplacer(pairs...)
	start := int(number % uint32(len(variants)))
	for i := range variants {
		template := variants[(start+i)%len(variants)]
		text := replacer.Replace(template)
		if i < len(variants)-1 && repeats(sp.lastSaid, template, text) {
			continue
		}
		if name != "" && strings.Contains(template, "{,}") {
			sp.named = true
		}
		return text
	}
	return ""
}

// hash spreads what is answered, salted by what the choice is about.
func (sp *speaking) hash(salt string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(salt))
	h.Write([]byte{0})
	h.Write([]byte(sp.seed))
	return h.Sum32()
}

// sometimes is true for one in n answers, always the same ones.
func (sp *speaking) sometimes(salt string, n uint32) bool { return sp.hash(salt)%n == 0 }

// repeats says that last already used this wording: the same words, or all the fixed parts of the template in order.
func repeats(last, template, text string) bool {
	if last == "" {
		return false
	}
	if strings.Contains(last, strings.TrimRight(text, ".!?")) {
		return true
	}
	const telling = 6 // shorter fixed parts, ", " and ".", are in every sentence
	found, rest := false, last
	for _, part := range fixedParts(template) {
		if len(part) < telling {
			continue
		}
		_, after, ok := strings.Cut(rest, part)
		if !ok {
			return false
		}
		found, rest = true, after
	}
	return found
}

// fixedParts are the parts of a template between its slots.
func fixedParts(template string) []string {
	var parts []string
	for template != "" {
		before, rest, ok := strings.Cut(template, "{")
		parts = append(parts, strings.TrimSpace(before))
		if !ok {
			break
		}
		_, template, _ = strings.Cut(rest, "}")
	}
	return parts
}

// names says whether this wording may call the person by name: once per answer, always when it must be done, and
// otherwise now and then.
func (sp *speaking) names(key string) bool {
	if sp.scene.Address == "" || sp.named {
		return false
	}
	return sp.mustName() || sp.sometimes("name "+key, 3)
}

// mustName says that the answer must call the person by name: they asked for a form of address, are being greeted,
// or others are listening.
func (sp *speaking) mustName() bool {
	s := sp.scene
	_, insisting := sp.insists()
	return s.Address != "" && (s.Greeting != nil || !s.Direct || insisting)
}

// insists is the wish of the person to be called as they are, false when they have none.
func (sp *speaking) insists() (memory.Belief, bool) {
	for _, b := range sp.scene.Beliefs {
		if b.Relation == claim.CallMe && b.Status == memory.Active && b.SubjectPerson == sp.scene.Person.ID {
			return b, true
		}
	}
	return memory.Belief{}, false
}

// nameIn calls somebody by name at the end of the first sentence: "Noted." becomes "Noted, Captain.".
func nameIn(text, name string) string {
	for i, r := range text {
		if r != '.' && r != '!' && r != '?' {
			continue
		}
		before, rest := text[:i], text[i:]
		last, _ := utf8.DecodeLastRuneInString(before)
		ends := len(rest) == 1 || rest[1] == ' '
		if ends && (unicode.IsLetter(last) || unicode.IsDigit(last)) {
			return before + ", " + name + rest
		}
	}
	return capital(name) + ": " + text
}

// The words by which a card's traits and voice show a manner of speaking.
var manners = []struct {
	name  string
	words wordSet
}{
	{"formal", words("formal butler reserved precise dignified polite courteous proper stern")},
	{"playful", words("playful witty humorous funny cheeky mischievous teasing whimsical goofy")},
	{"warm", words("warm kind caring gentle empathetic affectionate friendly tender loving compassionate")},
}

// mannerOf is how a persona speaks by its card: the manner of its strongest trait that shows one, else of its voice.
func mannerOf(c *Card) string {
	found, strongest := "", 0.0
	for _, t := range c.Traits {
		if m := mannerIn(t.Name); m != "" && t.Strength > strongest {
			found, strongest = m, t.Strength
		}
	}
	if found != "" {
		return found
	}
	return mannerIn(c.Voice)
}

// mannerIn is the first manner a text names.
func mannerIn(text string) string {
	for _, w := range tokens(text) {
		for _, m := range manners {
			if m.words.has(w) {
				return m.name
			}
		}
	}
	return ""
}
