package plain

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/memory/understand/english"
	"familiar/persona/words"
)

var (
	// neverVerbs look like -ing forms of verbs and are none.
	neverVerbs = words.Of("wedding evening morning thing king spring string ring wing something anything nothing everything")
	// namedInIng are -ing forms that name an event by themselves: "the meeting", but also "meeting Bob".
	namedInIng = words.Of("meeting training hearing viewing fitting outing screening briefing opening building christening gathering " +
		"reading recording rehearsing")
	// takesEvents are verbs whose object may be an event without an article: "having surgery", "seeing dentist".
	takesEvents = words.Of("having taking giving attending missing skipping starting beginning finishing doing getting leading joining " +
		"holding hosting arranging organizing organising cancelling canceling rescheduling postponing booking catching boarding " +
		"sitting passing teaching watching seeing visiting changing switching preparing")
	// takesMeals are verbs whose object may be a meal: "cooking dinner", but "cooking class".
	takesMeals = words.Of("cooking making eating serving ordering grabbing buying")
	meals      = words.Of("breakfast brunch lunch dinner supper")
	// eventHeads end the names of events, with those that english.IsEvent knows.
	eventHeads = words.Of("inspection club course session school group camp competition contest tournament championship league final " +
		"festival exhibition fair show gala ball event review assessment evaluation hearing briefing tour trial reunion retreat " +
		"circle choir team night day weekend licence license")
	// afterEvents are prepositions that follow the name of an event: "the meeting with Bob".
	afterEvents = words.Of("with at about on in for of from to by near before after until till during and or")
)

// namesActivity reports whether a plan's words tell an activity, "visiting my mum", and do not name an event. The
// names of many events begin with an -ing form: "driving test". What follows it tells them apart: English gives the
// object of a verb an article if it can be counted and is one, so a test after a bare "driving" belongs to the name.
func namesActivity(fields []string) bool {
	first := words.PlainWord(fields[0])
	if !strings.HasSuffix(first, "ing") || len(first) <= 4 || neverVerbs.Has(first) {
		return false
	}
	head := headAfter(fields)
	_, relative := english.Roles[head]
	switch {
	case head == "" && namedInIng.Has(first):
		return len(fields) > 1 && !afterEvents.Has(words.PlainWord(fields[1]))
	case head == "" || relative || takesEvents.Has(first) || meals.Has(head) && takesMeals.Has(first):
		return true
	case isEvent(head):
		return false
	}
	return !namedInIng.Has(first) || english.Singular(head) != head // "the training plan", but "meeting friends"
}

// isEvent reports whether a noun names an event: "test", "classes".
func isEvent(noun string) bool {
	for _, one := range []string{noun, strings.TrimSuffix(noun, "s"), strings.TrimSuffix(noun, "es")} {
		if english.IsEvent(one) || eventHeads.Has(one) {
			return true
		}
	}
	return false
}

// headAfter returns the last of the common words after the first: "test" of "driving test in Turku". It is empty if
// another kind of word follows the first: an article, a preposition, a pronoun or a name.
func headAfter(fields []string) (head string) {
	for _, field := range fields[1:] {
		w := words.PlainWord(field)
		if initial, _ := utf8.DecodeRuneInString(field); unicode.IsUpper(initial) || w == "" || english.Function[w] ||
			articles.Has(w) || afterEvents.Has(w) || strings.HasSuffix(w, "'s") {
			break
		}
		head = w
	}
	return head
}
