package plain

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/memory/model"
	"familiar/persona/words"
)

// assembler orders the parts of a reply.
type assembler struct{ *composer }

// compose writes the parts in order: greeting, what was learned, answers, courtesies. If none of these applies to a
// message, it reacts to it.
func (as assembler) compose() string {
	if words := as.scene.InNeed(); words != "" {
		return words
	}
	if smallTalker(as).hushed() {
		return as.put("quiet")
	}
	var greeting []string
	if as.scene.Greeting != nil {
		greeting = greeter(as).greet()
	}
	body := append(acknowledger(as).acknowledge(), acknowledger(as).askRight()...)
	for _, line := range as.scene.Incoming {
		if q := line.Parsed.Question; q != nil {
			if said := answerer(as).reply(line, *q); said != "" {
				body = append(body, said)
			}
		}
	}
	body = append(body, smallTalker(as).courtesies(len(greeting) > 0, len(body) > 0)...)
	if len(body) == 0 && (len(greeting) == 0 || as.saidSomething()) {
		body = smallTalker(as).react()
	}
	return as.finish(as.wonder(append(greeting, body...)))
}

// finish joins the parts, adds what the person wishes every reply to begin or end with, and uses the form of address
// that they insist on.
func (as assembler) finish(parts []string) string {
	parts = slices.DeleteFunc(parts, func(p string) bool { return strings.TrimSpace(p) == "" })
	text := strings.Join(parts, " ")
	if as.mustName() && !words.Holds(text, as.scene.Address) {
		text = nameIn(text, as.scene.Address)
	}
	for _, w := range as.wishes() {
		if opening, ok := opensWith(w); ok && as.scene.Greeting == nil && !strings.HasPrefix(text, opening) {
			text = opening + sentenceGap(opening) + text
		}
		if closing, ok := closesWith(w); ok && !strings.HasSuffix(text, closing) {
			text += " " + closing
		}
	}
	if wish, ok := as.insists(); ok && words.Holds(text, as.scene.Address) {
		as.useBeliefs([]model.Belief{wish})
	}
	return model.StripInvisible(text) // removes invisible characters from quoted text
}

// wonder asks about the unknown term if the reply asks nothing else.
func (as assembler) wonder(said []string) []string {
	w := as.scene.UnknownTerm
	if w == nil || as.asked || slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, "?") }) {
		return said
	}
	as.asked = true
	return append(said, as.put("wonder", "term", w.Text))
}

// nameIn adds a name at the end of the first sentence: "Noted." becomes "Noted, Captain.".
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
	return words.Capital(name) + ": " + text
}
