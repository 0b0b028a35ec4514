package plain

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"familiar/internal/lazyregexp"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/mind"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// overview tells people what is known about them and what they asked of the persona.
type overview struct{ *composer }

var (
	// aboutMe asks for everything known about the asker.
	aboutMe = lazyregexp.New(`(?i)\b(?:what|anything|everything|something|all)\b.{0,40}\b(?:know|remember|learn(?:ed|t)?|recall|told|hear|heard)\b.{0,20}\b(?:about\s+(?:me|myself)|of\s+me)\b|` +
		`\b(?:know|remember|tell\s+me)\s+(?:anything|everything|something|all)?\s*about\s+(?:me|myself)\b|^\s*do\s+you\s+(?:know|remember)\s+me\s*\??\s*$|^\s*what\s+do\s+you\s+(?:know|remember)\s*\??\s*$|` +
		`^\s*what\s+(?:all\s+)?have\s+i\s+told\s+you\s+(?:so\s+far|already|until\s+now|about\s+myself)\s*\??\s*$`)
	// aboutMore asks for what was not said yet.
	aboutMore = lazyregexp.New(`(?i)\b(?:else|more)\b`)
	// aboutWish asks for the standing wishes.
	aboutWish = lazyregexp.New(`(?i)\bwhat\b.{0,30}\b(?:ask(?:ed)?|tell|told|instruct(?:ed)?)\s+you\s+to\b|\bmy\s+(?:standing\s+)?(?:instructions|wishes)\b`)
)

// The most facts listed about someone, fewer for people who like short answers and in groups.
const (
	overviewFacts      = 8
	overviewFactsBrief = 3
	// overviewValues bounds the values of one relation.
	overviewValues = 4
)

// aboutMemory answers what is known about the person: their facts, then their open loops.
func (ov overview) aboutMemory(line scene.Line, q understand.Question) string {
	named := len(q.Relations) == 0 && !q.Who && sameName(q.About, ov.scene.Person.Name) // "tell me about Ann", says Ann
	if !named && !aboutMe.MatchString(words.Head(line.Text)) {
		return ""
	}
	most := overviewFacts
	if ov.brief() || !ov.scene.Direct {
		most = overviewFactsBrief
	}
	more := aboutMore.MatchString(words.Head(line.Text))
	facts := ov.overview(most, more)
	things := ov.openThings()
	if more {
		things = nil
		if len(facts) == 0 {
			return ov.put("overview.all")
		}
	}
	heard := ""
	if ov.scene.Direct && !more {
		heard = ov.overheard()
	}
	if len(facts) == 0 && len(things) == 0 && heard == "" {
		return ov.put("overview.none")
	}
	var parts []string
	if len(facts) > 0 {
		flowing := make([]string, len(facts))
		for i := range facts {
			flowing[i] = running(facts, i)
		}
		parts = append(parts, ov.put("overview.facts", "facts", words.Listed(flowing)))
	}
	if len(things) > 0 && ov.scene.Direct {
		parts = append(parts, ov.put("overview.loops", "things", words.Listed(things)))
	}
	if heard != "" {
		parts = append(parts, heard)
	}
	return strings.Join(parts, " ")
}

// overheard states what others said about the person, with the author of the latest statement.
func (ov overview) overheard() string {
	var who string
	var told []model.Belief
	for _, b := range ov.scene.Beliefs {
		of := b.Status == model.Active && ov.ownBelief(b) && ov.secondHand(b) && !spokenElsewhere.Has(b.Relation)
		if !of || len(told) == overviewFactsBrief || who != "" && b.Author != who {
			continue
		}
		who, told = b.Author, append(told, b)
	}
	if len(told) == 0 {
		return ""
	}
	ov.useBeliefs(told)
	return ov.put("overview.heard", "who", who, "facts", words.Listed(ov.facts(told)))
}

// overview returns the facts about the person, their own statements first, with the values of a relation joined. With
// more set, it returns only what was not just said.
func (ov overview) overview(most int, more bool) []string {
	var facts []string
	done := maps.Clone(spokenElsewhere)
	own := slices.DeleteFunc(slices.Clone(ov.scene.Beliefs), func(b model.Belief) bool {
		return b.Status != model.Active || !ov.ownBelief(b) || ov.secondHand(b) ||
			mind.Uncertain(mind.Confidence(b.Evidence, ov.scene.Now))
	})
	slices.SortStableFunc(own, func(a, b model.Belief) int { return cmp.Compare(rel.Rank(a.Relation), rel.Rank(b.Relation)) })
	for _, b := range own {
		if done.Has(b.Relation) || len(facts) == most {
			continue
		}
		done[b.Relation] = true
		var values []string
		var same []model.Belief
		for _, other := range own {
			if other.Relation == b.Relation && len(values) < overviewValues {
				values, same = append(values, other.Value), append(same, other)
			}
		}
		fact := rel.Describe("", b.Relation, words.Listed(values))
		if more && strings.Contains(ov.lastSaid, fact) {
			continue
		}
		ov.useBeliefs(same)
		facts = append(facts, fact)
	}
	return facts
}

// openThings words the person's open loops that are still ahead.
func (ov overview) openThings() []string {
	var things []string
	for _, d := range planner(ov).schedule() {
		if d.from.IsZero() || !d.until.After(ov.scene.Now) || len(things) == overviewFactsBrief {
			continue
		}
		things = append(things, d.event.listed()+" "+sayTime(d.from, d.until, ov.scene.Now))
	}
	return things
}

// aboutWishes answers what the person asked of the persona.
func (ov overview) aboutWishes(line scene.Line, q understand.Question) string {
	if !aboutWish.MatchString(words.Head(line.Text)) && !slices.Contains(q.Relations, rel.Wish) {
		return ""
	}
	var asked []string
	for _, w := range ov.distinctWishes() {
		asked = append(asked, "“"+w+"”")
	}
	if len(asked) == 0 {
		return ov.put("wishes.none")
	}
	return ov.put("wishes.list", "wishes", words.Listed(asked))
}

// distinctWishes returns the standing wishes without repetitions, such as "please always call me Captain" after "always
// call me Captain".
func (ov overview) distinctWishes() []string {
	var distinct []string
	for _, w := range ov.wishes() {
		w = strings.TrimRight(words.Excerpt(w), "!")
		for _, polite := range []string{"please ", "Please "} {
			w = strings.TrimPrefix(w, polite)
		}
		again := slices.ContainsFunc(distinct, func(d string) bool { return words.Holds(d, w) || words.Holds(w, d) })
		if !again {
			distinct = append(distinct, w)
		}
	}
	return distinct
}
