package plain

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/memory/model"
	"familiar/persona/words"
)

// assembler puts the parts of a reply in order.
type assembler struct{ *composer }

// compose says everything in its order: greeting, what was learned, answers, courtesies; and a reaction when there was
// something said and none of these answers it.
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
	for _, line := range as.scene.Heard {
		if q := line.Heard.Question; q != nil {
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

// finish joins the parts, frames them as the person asked for, and sees to it that who insists on a form of address
// is called by it.
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
	return model.StripInvisible(text) // who pastes unseen characters gets the words back without them
}

// wonder asks what the persona would like to know, at the end of an answer that asks nothing else.
func (as assembler) wonder(said []string) []string {
	w := as.scene.UnknownTerm
	if w == nil || as.asked || slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, "?") }) {
		return said
	}
	as.asked = true
	return append(said, as.put("wonder", "term", w.Text))
}

// nameIn calls someone by name at the end of the first sentence: "Noted." becomes "Noted, Captain.".
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
