package scene

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"familiar/memory/when"
	"familiar/persona/proof"
	"familiar/persona/words"
)

// Note is something that the person said and a voice files, in a sentence.
type Note struct {
	Text string
	// Line is the message of Scene.Incoming that says it, Quote the part of it that does.
	Line  int
	Quote string
}

// Reminder is something that the person asked to be reminded of.
type Reminder struct {
	Note
	Due when.Span
	// ByRules reports that no model read it: nothing but the reminder is filed.
	ByRules bool
}

// At is when the person is reminded: a day without a time of day means the morning.
func (r Reminder) At() time.Time {
	if r.Due.Until.Sub(r.Due.From) < shortestDay {
		return r.Due.From
	}
	y, m, d := r.Due.From.Date()
	return time.Date(y, m, d, when.MorningHour, 0, 0, 0, r.Due.From.Location())
}

// shortestDay is the length from which a time is a day or more: clocks may change in a day.
const shortestDay = 20 * time.Hour

// Why something is not filed. The texts are for the model that asked for it.
var (
	errNobody  = errors.New("nobody said anything that could be noted")
	errNothing = errors.New("there is nothing to note")
	errLong    = fmt.Errorf("it is longer than %d characters", longestNote)
	errUnsaid  = errors.New("they did not say that: note it in their own words")
	errAsks    = errors.New("a question is nothing to note")
	errDate    = errors.New("the time is none that could be read: write it as 2026-05-01 or 2026-05-01T09:00")
	errPast    = errors.New("that time is over")
	errFar     = fmt.Errorf("that is more than %d years ahead", farthestYears)
)

const (
	// longestNote is how long a note may be, in characters.
	longestNote = 300
	// farthestYears is how far ahead a reminder may be.
	farthestYears = 5
)

// NewNote returns text as a note of what the person says in the messages to answer. Names and numbers in it must have been
// said in the talk: a model that answers may be wrong, or may be told by somebody else's words to note something.
func (s *Scene) NewNote(text string) (Note, error) {
	text = strings.Join(strings.Fields(text), " ")
	switch {
	case text == "":
		return Note{}, errNothing
	case utf8.RuneCountInString(text) > longestNote:
		return Note{}, errLong
	case strings.HasSuffix(text, "?"):
		return Note{}, errAsks
	}
	line := s.lineFor(text)
	if line < 0 {
		return Note{}, errNobody
	}
	said, others := s.record()
	if missing := proof.NewRecord(append(others, said...)...).Lacks(text); len(missing) > 0 {
		return Note{}, fmt.Errorf("they did not say %s: note only what they said", strings.Join(missing, ", "))
	}
	if !proof.Echoes(text, strings.Join(append(said, proof.Names(text)...), "\n")) {
		return Note{}, errUnsaid
	}
	return Note{Text: text, Line: line, Quote: quoteFor(text, s.Incoming[line].Text)}, nil
}

// lineFor returns which of the person's messages to answer shares most with a note, the last of those that share the same,
// -1 if there is none.
func (s *Scene) lineFor(note string) int {
	at, best := -1, -1
	for i, l := range s.Incoming {
		if l.PersonID != s.Person.ID && l.PersonID != 0 {
			continue
		}
		if shared := words.SharedWith(words.Content(note), l.Text); shared >= best {
			at, best = i, shared
		}
	}
	return at
}

// record returns what the person said in the talk, with the days that it means, and what else may stand in a note: the
// words of others, names, and what is known.
func (s *Scene) record() (said, others []string) {
	others = []string{s.Person.Name, s.Address, s.Card.Name, s.Now.Format(calendarLayout)}
	for _, l := range slices.Concat(s.Recent, s.Incoming) {
		if l.Self || l.PersonID != s.Person.ID && l.PersonID != 0 {
			others = append(others, l.Text, l.Name)
			continue
		}
		said = append(said, l.Text, l.Name)
		for _, span := range when.Find(l.Text, s.Now) {
			said = append(said, span.From.Format(calendarLayout))
		}
	}
	for _, b := range s.Beliefs {
		others = append(others, b.Value, b.Subject)
	}
	return said, others
}

// calendarLayout is a day in the words and numbers that a note may use for it.
const calendarLayout = "2006 1 2 Monday January 15:04"

// quoteFor returns the sentence of a message that shares most with a note.
func quoteFor(note, said string) string {
	about := words.Content(note)
	sentences := proof.Sentences(said)
	if len(sentences) == 0 {
		return said
	}
	return strings.TrimSpace(slices.MaxFunc(sentences, func(a, b string) int {
		return cmp.Compare(words.SharedWith(about, a), words.SharedWith(about, b))
	}))
}

// NewReminder returns a reminder of text at a time: a date, a date with a time, or what people say.
func (s *Scene) NewReminder(text, at string) (Reminder, error) {
	due, ok := s.due(strings.TrimSpace(at))
	switch {
	case !ok:
		return Reminder{}, errDate
	case !due.Until.After(s.Now):
		return Reminder{}, errPast
	case due.From.After(s.Now.AddDate(farthestYears, 0, 0)):
		return Reminder{}, errFar
	}
	n, err := s.NewNote(text)
	r := Reminder{Note: n, Due: due}
	if err == nil && !r.At().After(s.Now) {
		r.Due.From = s.Now.Add(time.Minute) // today, and the morning is over
	}
	return r, err
}

// dueLayouts are the forms of a time, the most exact first. All but the first are in the person's zone.
var dueLayouts = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"}

// due reads a time.
func (s *Scene) due(at string) (when.Span, bool) {
	for _, layout := range dueLayouts {
		if t, err := time.ParseInLocation(layout, at, s.Now.Location()); err == nil {
			t = t.In(s.Now.Location())
			return when.Span{From: t, Until: t.Add(time.Hour), Text: at}, true
		}
	}
	if t, err := time.ParseInLocation(time.DateOnly, at, s.Now.Location()); err == nil {
		return when.Span{From: t, Until: t.AddDate(0, 0, 1), Text: at}, true
	}
	spans := when.Find(at, s.Now)
	if len(spans) == 0 {
		return when.Span{}, false
	}
	return spans[0], true
}
