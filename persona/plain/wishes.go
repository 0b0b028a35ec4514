package plain

import (
	"slices"
	"strings"

	"familiar/internal/lazyregexp"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand/rel"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// wishes returns the person's standing wishes in their words, newest first: from the greeting, from beliefs and from
// recalled memories.
func (co *composer) wishes() []string {
	var found []string
	if g := co.scene.Greeting; g != nil {
		for _, m := range g.Instructions {
			found = append(found, m.Text)
		}
	}
	for _, b := range co.scene.Beliefs {
		if b.Relation == rel.Wish && b.Status == model.Active && co.ownBelief(b) {
			found = append(found, b.Value)
		}
	}
	for _, item := range co.scene.Recall.Items {
		if item.Why != recall.WhyStanding {
			continue
		}
		for _, line := range item.Lines {
			if line.Hit && line.PersonID == co.scene.Person.ID {
				found = append(found, line.Text)
			}
		}
	}
	return found
}

// The wishes that templates can fulfil. The first group is the words asked for.
var (
	greetWish = lazyregexp.New(`(?i)\b(?:greet|welcome|salute|address)\s+me\s+(?:always\s+|back\s+)?(?:with|by\s+saying):?\s+(?:the\s+words?\s+)?(.+)`)
	sayWish   = lazyregexp.New(`(?i)\bsay\s+(.+?)\s+(?:when(?:ever)?|each\s+time|every\s+time)\s+(?:i|we)\s+(?:come|return|am\s+back|write|meet|talk|say)\b`)
	openWish  = lazyregexp.New(`(?i)\b(?:start|begin|open)\s+(?:every|each|all|your)\s+(?:answers?|repl(?:y|ies)|messages?)\s+with\s+(.+)`)
	closeWish = lazyregexp.New(`(?i)\b(?:end|close|finish|sign\s+off)\s+(?:every|each|all|your)\s+(?:answers?|repl(?:y|ies)|messages?)\s+with\s+(.+)`)
	briefWish = lazyregexp.New(`(?i)\b(?:keep\s+(?:it|your\s+\w+|answers|replies)\s+(?:short|brief)|(?:be|stay)\s+brief|short\s+(?:answers|replies))\b`)
	quoted    = lazyregexp.New(`["“«]([^"”»]{1,80})["”»]|(?:^|\s)'([^']{1,80})'`)
)

// greetsWith returns the words someone wishes to be greeted with, false if the wish names no words.
func greetsWith(wish string) (string, bool) {
	if words, ok := wishedWords(greetWish, wish); ok {
		return words, true
	}
	return wishedWords(sayWish, wish)
}

// opensWith returns the words that every reply shall begin with.
func opensWith(wish string) (string, bool) {
	phrase, ok := wishedWords(openWish, wish)
	return words.Capital(phrase), ok
}

// notCalled asks not to be called something.
var notCalled = lazyregexp.New(`(?i)\b(?:don['’]?t|do\s+not|stop|never|quit)\s+(?:ever\s+)?call(?:ing)?\s+me\s+(?:by\s+)?(\S+(?:\s+\S+)?)`)

// notNamed asks not to be called by any name.
var notNamed = lazyregexp.New(`(?i)\b(?:don['’]?t|do\s+not|stop|never|quit)\s+(?:ever\s+)?(?:us(?:e|ing)|say(?:ing)?|repeat(?:ing)?)\s+my\s+name\b`)

// unwanted reports whether the person wishes not to be called by a name and has not asked for it since.
func (co *composer) unwanted(name string) bool {
	if name == "" {
		return false
	}
	refuses := func(wish string) bool {
		if !strings.Contains(wish, "call") && !strings.Contains(wish, "name") {
			return false // most lines
		}
		m := notCalled.FindStringSubmatch(words.Head(wish))
		return m != nil && words.Holds(m[1], name) || notNamed.MatchString(words.Head(wish))
	}
	asked, insisting := co.insists()
	// Recall leaves out the running session.
	said := slices.ContainsFunc(co.scene.Recent, func(l scene.Line) bool {
		own := !l.Self && (co.scene.Direct || l.PersonID == co.scene.Person.ID)
		return own && (!insisting || l.At.After(asked.Updated)) && refuses(l.Text)
	})
	return said || !insisting && slices.ContainsFunc(co.wishes(), refuses)
}

// closesWith returns the words that every reply shall end with.
func closesWith(wish string) (string, bool) { return wishedWords(closeWish, wish) }

// wantsBrief reports whether someone wishes for short answers.
func wantsBrief(wish string) bool { return briefWish.MatchString(words.Head(wish)) }

// wishLength is the longest phrase that is used, in bytes: a greeting, not a speech.
const wishLength = 80

// made are things that must be newly invented each time, which templates cannot do.
var made = words.Of("joke pun haiku poem fact quote song riddle story limerick rhyme compliment smile name emoji question proverb tip hug " +
	"respect kindness language french german spanish")

// wishedWords returns the words asked for: those in quotes, else the rest of the sentence, unless it describes
// something to invent ("a joke").
func wishedWords(pattern *lazyregexp.Regexp, wish string) (string, bool) {
	m := pattern.FindStringSubmatch(words.Head(wish))
	if m == nil {
		return "", false
	}
	if q := quoted.FindStringSubmatch(m[1]); q != nil {
		return strings.TrimSpace(q[1] + q[2]), true
	}
	asked, _, _ := strings.Cut(strings.TrimSpace(m[1]), "\n")
	if parts := words.Sentences(asked); len(parts) > 0 {
		asked = parts[0]
	}
	for _, tail := range []string{", please", " please", " from now on", " every time", " each time", " always"} {
		asked = strings.TrimSuffix(strings.TrimRight(asked, ".,"), tail)
	}
	asked = strings.TrimSpace(asked)
	for _, w := range words.Tokens(asked) {
		if made.Has(w) {
			return "", false
		}
	}
	return strings.TrimPrefix(strings.TrimPrefix(asked, "a "), "an "), asked != "" && len(asked) <= wishLength
}
