package plain

import (
	"hash/fnv"
	"strings"

	"familiar/memory/model"
	"familiar/memory/understand/rel"
	"familiar/persona/card"
	"familiar/persona/words"
)

// put words the template under key. A hash of the text being answered chooses the variant, so that the same scene gets
// the same words; it takes the next one if the persona's last message used that variant. fill are pairs of a slot and
// its text; a slot {x} has a twin {X} that starts with a capital. {,} is the form of address after a comma.
func (co *composer) put(key string, fill ...string) string {
	return co.putFrom(co.hash(key), key, fill...)
}

// turn words the template under key in rotation, so that no greeting opens like the one before.
func (co *composer) turn(key string) string {
	return co.putFrom(uint32(co.scene.Greeting.Opening), key)
}

// putFrom is put, starting with the variant of that number.
func (co *composer) putFrom(number uint32, key string, fill ...string) string {
	variants := wordings[key]
	if own := wordings[key+"."+co.manner]; len(own) > 0 {
		variants = own
	}
	name := ""
	if co.names(key) {
		name = ", " + co.scene.Address
	}
	pairs := []string{"{,}", name}
	for i := 0; i+1 < len(fill); i += 2 {
		slot := fill[i]
		if bare, dotted := strings.CutSuffix(fill[i+1], "."); dotted { // "Washington D.C." ends a sentence with one full stop
			pairs = append(pairs, "{"+slot+"}.", bare+".", "{"+words.Capital(slot)+"}.", words.Capital(bare)+".")
		}
		pairs = append(pairs, "{"+slot+"}", fill[i+1], "{"+words.Capital(slot)+"}", words.Capital(fill[i+1]))
	}
	start := int(number % uint32(len(variants)))
	for i := range variants {
		template := variants[(start+i)%len(variants)]
		text := filled(template, pairs)
		if i < len(variants)-1 && repeats(co.lastSaid, template, text) {
			continue
		}
		if name != "" && strings.Contains(template, "{,}") {
			co.named = true
		}
		return text
	}
	return ""
}

// filled returns a template with its slots replaced. pairs are slots in braces, each with its text; the first that fits
// counts.
func filled(template string, pairs []string) string {
	var b strings.Builder
	b.Grow(2 * len(template))
	for {
		i := strings.IndexByte(template, '{')
		if i < 0 {
			b.WriteString(template)
			return b.String()
		}
		b.WriteString(template[:i])
		slot, text := "{", "{"
		for k := 0; k+1 < len(pairs); k += 2 {
			if strings.HasPrefix(template[i:], pairs[k]) {
				slot, text = pairs[k], pairs[k+1]
				break
			}
		}
		b.WriteString(text)
		template = template[i+len(slot):]
	}
}

// hash returns a hash of the text being answered, salted with the subject of the choice.
func (co *composer) hash(salt string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(salt))
	h.Write([]byte{0})
	h.Write([]byte(co.seed))
	return h.Sum32()
}

// sometimes returns true for one in n replies, always the same ones.
func (co *composer) sometimes(salt string, n uint32) bool { return co.hash(salt)%n == 0 }

// repeats reports whether last already used this template: the same words, or all its fixed parts in order.
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

// fixedParts returns the parts of a template between its slots.
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

// names reports whether this template may address the person by name: once per reply, always if required, and otherwise
// occasionally.
func (co *composer) names(key string) bool {
	if co.scene.Address == "" || co.named {
		return false
	}
	return co.mustName() || co.sometimes("name "+key, 3)
}

// mustName reports whether the reply must address the person by name: they asked for a form of address, are being
// greeted, or others are listening.
func (co *composer) mustName() bool {
	s := co.scene
	_, insisting := co.insists()
	return s.Address != "" && (s.Greeting != nil || !s.Direct || insisting)
}

// insists returns the person's wish for a form of address, false if there is none.
func (co *composer) insists() (model.Belief, bool) {
	for _, b := range co.scene.Beliefs {
		if b.Relation == rel.CallMe && b.Status == model.Active && b.SubjectPerson == co.scene.Person.ID {
			return b, true
		}
	}
	return model.Belief{}, false
}

// manners are the words by which a card's traits and voice show a manner of speaking.
var manners = []struct {
	name  string
	words words.Set
}{
	{"formal", words.Of("formal butler reserved precise dignified polite courteous proper stern")},
	{"playful", words.Of("playful witty humorous funny cheeky mischievous teasing whimsical goofy")},
	{"warm", words.Of("warm kind caring gentle empathetic affectionate friendly tender loving compassionate")},
}

// mannerOf returns the manner of a card: that of its strongest trait with one, else that of its voice.
func mannerOf(c *card.Card) string {
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

// mannerIn returns the first manner that a text names.
func mannerIn(text string) string {
	for w := range words.Each(text) {
		for _, m := range manners {
			if m.words.Has(w) {
				return m.name
			}
		}
	}
	return ""
}

// sentenceGap separates requested words from the answer.
func sentenceGap(opening string) string {
	if strings.ContainsAny(opening[len(opening)-1:], ".!?") {
		return " "
	}
	return "! "
}

// endSentence adds a full stop to a text without an end mark.
func endSentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?") || strings.HasSuffix(text, "…") || strings.HasSuffix(text, "”") {
		return text
	}
	return text + "."
}
