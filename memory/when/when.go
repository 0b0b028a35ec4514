// Package when reads dates out of speech: "on Friday", "last week", "in May", "7 May 2023", "three days ago",
// "when did …". Every expression is resolved against the moment it was said, in the speaker's timezone.
//
// The reading is by tables of words (words.go) and a few rules over tokens. The other languages that recall reads name
// fewer times in more regular ways: each is a tongue, a set of tables in tongues.go under the rules of tongue.go, and
// Japanese, which parts no words, has patterns of its own. Weeks run from Monday to Monday. A date written as 05/07 is read nowhere the same and is left alone.
package when

import "time"

// Span is a stretch of time named in a text: [From, Until).
type Span struct {
	From, Until time.Time `json:",omitzero"`
	// Text is the expression as written, Start and End its byte offsets.
	Text       string `json:",omitzero"`
	Start, End int    `json:",omitzero"`
	// Future says that the wording points ahead ("on Friday", "next week", "tomorrow"), Past that it points back
	// ("last Friday", "yesterday", "two years ago"). Neither is set for a bare date or month.
	Future, Past bool `json:",omitzero"`
	// Vague says that the span is wider than a day.
	Vague bool `json:",omitzero"`
	// Clock says that only a time of day was named ("at 4pm"): the day is taken to be the one it was said on.
	Clock bool `json:",omitzero"`
}

// On is the same hours on the day of another time: a bare "4pm" is said of the day that was spoken of.
func (s Span) On(day time.Time) Span {
	y, m, d := day.In(s.From.Location()).Date()
	from := time.Date(y, m, d, s.From.Hour(), s.From.Minute(), 0, 0, s.From.Location())
	s.From, s.Until = from, from.Add(s.Until.Sub(s.From))
	s.Clock, s.Past, s.Future = false, false, true
	return s
}
