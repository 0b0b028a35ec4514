// Package when finds time expressions in text: "on Friday", "last week", "in May", "7 May 2023", "three days ago",
// "when did …". It resolves each expression against the time of the message, in the author's timezone.
//
// English is parsed with word tables (words.go) and rules over tokens. The other languages that recall supports have one
// set of tables each (locales.go) and share the rules in locale.go. Japanese, which does not separate words, has its own
// patterns. Weeks run from Monday to Monday. Dates like 05/07 are ignored, because countries read them differently.
package when

import "time"

// Span is a time interval [From, Until) that a text names.
type Span struct {
	From, Until time.Time `json:",omitzero"`
	// Text is the expression as written, Start and End are its byte offsets.
	Text       string `json:",omitzero"`
	Start, End int    `json:",omitzero"`
	// Future reports that the wording refers to the future ("on Friday", "next week", "tomorrow"), Past that it refers
	// to the past ("last Friday", "yesterday", "two years ago"). Neither is set for a bare date or month.
	Future, Past bool `json:",omitzero"`
	// Vague reports that the span is longer than a day.
	Vague bool `json:",omitzero"`
	// Clock reports that the text names only a time of day ("at 4pm"), which is taken to be on the day of the message.
	Clock bool `json:",omitzero"`
}

// On returns the same hours on the date of day, for a bare "4pm" in talk about another day.
func (s Span) On(day time.Time) Span {
	y, m, d := day.In(s.From.Location()).Date()
	from := time.Date(y, m, d, s.From.Hour(), s.From.Minute(), 0, 0, s.From.Location())
	s.From, s.Until = from, from.Add(s.Until.Sub(s.From))
	s.Clock, s.Past, s.Future = false, false, true
	return s
}
