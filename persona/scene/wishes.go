package scene

import (
	"slices"
	"strings"
	"time"

	"familiar/internal/lazyregexp"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand/rel"
	"familiar/persona/words"
)

var (
	// notCalled asks not to be called something, notNamed not to be called by any name, refusing not to hear of something.
	notCalled = lazyregexp.New(`(?i)\b(?:don['’]?t|do\s+not|stop|never|quit)\s+(?:ever\s+)?call(?:ing)?\s+me\s+(?:by\s+)?(\S+(?:\s+\S+)?)`)
	notNamed  = lazyregexp.New(`(?i)\b(?:don['’]?t|do\s+not|stop|never|quit)\s+(?:ever\s+)?(?:us(?:e|ing)|say(?:ing)?|repeat(?:ing)?)\s+my\s+name\b`)
	refusing  = lazyregexp.New(`(?i)\b(?:(?:do\s+not|don['’]?t|never|stop|quit|avoid|no\s+more)\s+(?:ever\s+)?(?:ask|mention|bring|talk|speak|remind)(?:ing)?` +
		`(?:\s+(?:me|to\s+me))?(?:\s+up)?(?:\s+(?:about|of|with))?|(?:not\s+want|don['’]?t\s+want)\s+to\s+(?:hear|talk|speak)\s+(?:about|of))\s+([^,.!]+)`)
)

// Wishes returns the person's standing wishes in their words, newest first: from the greeting, from beliefs and from
// recalled memories.
func (s *Scene) Wishes() (found []string) {
	if g := s.Greeting; g != nil {
		for _, m := range g.Instructions {
			found = append(found, m.Text)
		}
	}
	for _, b := range s.Beliefs {
		if b.Relation == rel.Wish && b.Status == model.Active && s.Owns(b) {
			found = append(found, b.Value)
		}
	}
	for _, item := range s.Recall.Items {
		for _, line := range item.Lines {
			if item.Why == recall.WhyStanding && line.Hit && line.PersonID == s.Person.ID {
				found = append(found, line.Text)
			}
		}
	}
	return found
}

// inTalk returns what the person said in the running session after a time, which recall leaves out.
func (s *Scene) inTalk(after time.Time) (said []string) {
	for _, l := range s.Recent {
		if s.IsOwn(l) && (after.IsZero() || l.At.After(after)) {
			said = append(said, words.Head(l.Text))
		}
	}
	return said
}

// Unwanted reports whether the person wishes not to be called by a name and has not asked for it since.
func (s *Scene) Unwanted(name string) bool {
	refuses := func(wish string) bool {
		if name == "" || !strings.Contains(wish, "call") && !strings.Contains(wish, "name") {
			return false // most lines
		}
		m := notCalled.FindStringSubmatch(words.Head(wish))
		return m != nil && words.Holds(m[1], name) || notNamed.MatchString(words.Head(wish))
	}
	asked, insisting := s.Insists()
	return slices.ContainsFunc(s.inTalk(asked.Updated), refuses) || !insisting && slices.ContainsFunc(s.Wishes(), refuses)
}

// Refusals returns what the person does not want to hear of.
func (s *Scene) Refusals() (topics []words.Set) {
	for _, said := range append(s.Wishes(), s.inTalk(time.Time{})...) {
		if m := refusing.FindStringSubmatch(said); m != nil {
			topics = append(topics, words.Content(m[1]))
		}
	}
	return topics
}

// Insists returns the person's wish for a form of address, false if there is none. What only a first reading of a model says
// is none.
func (s *Scene) Insists() (model.Belief, bool) {
	i := slices.IndexFunc(s.Beliefs, func(b model.Belief) bool {
		return b.Relation == rel.CallMe && b.Status == model.Active && b.SubjectPerson == s.Person.ID && !b.ByModel
	})
	if i < 0 {
		return model.Belief{}, false
	}
	return s.Beliefs[i], true
}

// IsOwn reports whether the person being answered wrote a line of the running session.
func (s *Scene) IsOwn(l Line) bool {
	return !l.Self && (s.Direct || l.PersonID != 0 && l.PersonID == s.Person.ID)
}

// The wishes that templates can fulfil. The first group is what is asked for.
var (
	greetWish = lazyregexp.New(`(?i)\b(?:greet|welcome|salute|address)\s+me\s+(?:always\s+|back\s+)?(?:with|by\s+saying):?\s+(?:the\s+words?\s+)?(.+)`)
	sayWish   = lazyregexp.New(`(?i)\bsay\s+(.+?)\s+(?:when(?:ever)?|each\s+time|every\s+time)\s+(?:i|we)\s+(?:come|return|am\s+back|write|meet|talk|say)\b`)
	openWish  = lazyregexp.New(`(?i)\b(?:start|begin|open)\s+(?:every|each|all|your)\s+(?:answers?|repl(?:y|ies)|messages?)\s+with\s+(.+)`)
	closeWish = lazyregexp.New(`(?i)\b(?:end|close|finish|sign\s+off)\s+(?:every|each|all|your)\s+(?:answers?|repl(?:y|ies)|messages?)\s+with\s+(.+)`)
	briefWish = lazyregexp.New(`(?i)\b(?:keep\s+(?:it|your\s+\w+|answers|replies)\s+(?:short|brief)|(?:be|stay)\s+brief|short\s+(?:answers|replies))\b`)
	quoted    = lazyregexp.New(`["“«]([^"”»]{1,80})["”»]|(?:^|\s)'([^']{1,80})'`)
)

// invented are things that must be newly made each time, which templates cannot do.
var invented = words.Of("joke pun haiku poem fact quote song riddle story limerick rhyme compliment smile name emoji question proverb tip hug " +
	"respect kindness language french german spanish")

// wishLength is the longest phrase that is used, in bytes: a greeting, not a speech.
const wishLength = 80

// wishedWords returns the words asked for: those in quotes, else the rest of the sentence, unless it describes
// something to invent ("a joke").
func wishedWords(pattern *lazyregexp.Regexp, wish string) (string, bool) {
	m := pattern.FindStringSubmatch(words.Head(wish))
	if m == nil {
		return "", false
	}
	if q := quoted.FindStringSubmatch(m[1]); q != nil {
		asked := strings.TrimSpace(q[1] + q[2])
		return asked, asked != ""
	}
	asked := ""
	if sentences := words.Sentences(strings.TrimSpace(m[1])); len(sentences) > 0 {
		asked = sentences[0]
	}
	for _, tail := range []string{", please", " please", " from now on", " every time", " each time", " always"} {
		asked = strings.TrimSuffix(strings.TrimRight(asked, ".,"), tail)
	}
	asked = strings.TrimSpace(asked)
	if slices.ContainsFunc(words.Tokens(asked), invented.Has) {
		return "", false
	}
	return strings.TrimPrefix(strings.TrimPrefix(asked, "a "), "an "), asked != "" && len(asked) <= wishLength
}

// GreetsWith returns the words that somebody wishes to be greeted with, false if the wish names none.
func GreetsWith(wish string) (string, bool) {
	if asked, ok := wishedWords(greetWish, wish); ok {
		return asked, true
	}
	return wishedWords(sayWish, wish)
}

// OpensWith returns the words that every reply shall begin with.
func OpensWith(wish string) (string, bool) {
	asked, ok := wishedWords(openWish, wish)
	return words.Capital(asked), ok
}

// ClosesWith returns the words that every reply shall end with.
func ClosesWith(wish string) (string, bool) { return wishedWords(closeWish, wish) }

// WantsBrief reports whether a wish is for short answers.
func WantsBrief(wish string) bool { return briefWish.MatchString(words.Head(wish)) }
