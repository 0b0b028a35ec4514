package plain

import "testing"

// TestEventsAndActivitiesInIng checks plans as they are stored, that is, without an article before the name of an event.
func TestEventsAndActivitiesInIng(t *testing.T) {
	for text, want := range map[string]eventForm{
		"driving test": eventNoun, "driving theory test": eventNoun, "driving lessons": eventNoun, "swimming lesson": eventNoun,
		"swimming lesson in Turku": eventNoun, "cooking class": eventNoun, "cooking classes with Jo": eventNoun,
		"wedding rehearsal": eventNoun, "building inspection": eventNoun, "parking meeting": eventNoun, "running club": eventNoun,
		"rowing race": eventNoun, "housewarming party": eventNoun, "boxing match": eventNoun, "hearing test": eventNoun,
		"training session": eventNoun, "reading group": eventNoun, "training plan": eventNoun, "meeting": eventNoun,
		"meeting with Bob": eventNoun, "training for the marathon": eventNoun, "wedding in Rome": eventNoun,
		"opening night of the play": eventNoun, "driving test and an interview": eventNoun,

		"meeting Bob": eventGerund, "meeting my boss": eventGerund, "meeting friends": eventGerund, "meeting mum": eventGerund,
		"meeting up with Bob": eventGerund, "building a shed": eventGerund, "recording our album": eventGerund,
		"swimming": eventGerund, "swimming with Jo": eventGerund, "visiting friends": eventGerund, "driving to Oslo": eventGerund,
		"driving my mum to her test": eventGerund, "running the marathon": eventGerund, "running errands": eventGerund,
		"playing football": eventGerund, "learning Estonian": eventGerund, "moving house": eventGerund, "cooking dinner": eventGerund,
		"having surgery": eventNoun, "starting therapy": eventGerund, "attending rehearsal": eventGerund, "seeing dentist": eventGerund, "taking exams": eventGerund,
		"fixing the kitchen sink": eventGerund, "picking up mum from the airport": eventGerund, "visiting mum": eventGerund,
	} {
		if got := eventOf(text, May); got.form != want {
			t.Errorf("%q is %q (%d), want form %d", text, got.words, got.form, want)
		}
	}
}
