package prompts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

const dayLayout = "Mon 2006-01-02"

// where describes the room, if there is anything to say about it.
func (in ReplyInput) where() []Note {
	if title := oneLine(in.RoomTitle); title != "" {
		return []Note{{Text: "room: " + speaker(title, in.Card.Name), Why: "where it is said", place: inRoom}}
	}
	return nil
}

// who names the person.
func (in ReplyInput) who() []Note {
	p := in.Person
	if p.Name == "" && p.Address == "" {
		return []Note{{Text: "person: you do not know their name", Why: "whom it answers", place: ofPerson}}
	}
	person := "person: " + speaker(p.Name, in.Card.Name)
	if p.Address != "" && p.Address != p.Name {
		person += "; wants to be called " + speaker(p.Address, in.Card.Name)
	}
	return []Note{{Text: person, Why: "whom it answers", place: ofPerson}}
}

// bond describes the relationship with the person.
func (in ReplyInput) bond() []Note {
	p := in.Person
	if p.Name == "" && p.Address == "" {
		return nil
	}
	var bond []string
	if p.Stage != "" {
		bond = append(bond, p.Stage)
	}
	switch {
	case p.Met.IsZero(), p.Sessions <= 1 && p.Met.Format(time.DateOnly) == in.Now.Format(time.DateOnly):
		bond = append(bond, "you meet for the first time today")
	case p.Timeline != "":
		bond = append(bond, oneLine(p.Timeline))
	default:
		bond = append(bond, "you met on "+p.Met.Format("2006-01-02"))
	}
	if p.Sessions > 1 {
		bond = append(bond, fmt.Sprintf("%d talks so far", p.Sessions))
	}
	if manner := styleAdvice[p.Style]; manner != "" {
		bond = append(bond, manner)
	}
	return []Note{{Text: "relationship: " + strings.Join(bond, "; "), Why: "how close they are", place: changing}}
}

// place is where a note about a person stands in the prompt: what changes least comes first.
type place int

// The places of notes. In a group, where successive answers are for different people, what is known of everybody comes before
// what is known of one.
const (
	inRoom place = iota
	ofEverybody
	ofPerson
	fact
	open
	changing
)

// arrange sorts notes by their places. Facts are in the order they were told: a new one comes behind what a provider has
// cached, and of two that disagree the newer one is further down.
func arrange(notes []Note) []Note {
	slices.SortStableFunc(notes, func(a, b Note) int {
		return cmp.Or(cmp.Compare(a.place, b.place), a.told.Compare(b.told))
	})
	return notes
}

// styleAdvice is the advice for a person's style.
var styleAdvice = map[string]string{
	"direct":      "they write briefly: be brief",
	"detailed":    "they go into detail: so may you",
	"exploratory": "they ask a lot: leave room for questions",
}

// known is what stays the same during a conversation, one line each, the most important first.
func (in ReplyInput) known() (lines []Note) {
	self := in.Card.Name
	add := func(at place, text, why string) { lines = append(lines, Note{Text: text, Why: why, place: at}) }
	if in.Portrait != "" {
		add(ofPerson, "portrait: "+oneLine(in.Portrait), "who they are, written from facts and checked against them")
	}
	for _, e := range in.Preferences {
		add(ofPerson, "wish: "+e.text(), "a standing wish, never cut"+e.since())
	}
	for _, e := range in.Pinned {
		add(ofPerson, "pinned | "+e.line(self), "pinned")
	}
	for _, l := range in.Loops {
		if !l.FollowUp && l.Kind != openQuestion {
			add(open, l.line(), "still open")
		}
	}
	facts := fact
	if !in.Direct {
		facts = ofEverybody
	}
	for _, f := range in.Facts {
		lines = append(lines, Note{Text: f.line(self), Why: f.Why, place: facts, told: f.Told})
	}
	for _, g := range in.Goals {
		if !g.Ask {
			add(open, g.line(), "a goal of theirs")
		}
	}
	if in.Notepad != "" {
		add(open, "notepad: "+oneLine(in.Notepad), "what the persona noted down for itself")
	}
	for _, e := range in.Lessons {
		add(open, "lesson: "+e.text(), "what the persona resolved to do")
	}
	return lines
}

// current is what matters for this answer, one line each, the most important first.
func (in ReplyInput) current() (lines []Note) {
	add := func(text, why string) { lines = append(lines, Note{Text: text, Why: why}) }
	for _, l := range in.Loops {
		if l.FollowUp {
			add(l.line(), "due, and not asked about yet")
		}
	}
	for _, f := range in.Bearing {
		add(f.line(in.Card.Name), f.Why)
	}
	for _, g := range in.Goals {
		if g.Ask {
			add(g.line(), "a goal to ask about now")
		}
	}
	if in.Web != "" {
		add("you read this, and may tell them once where it helps | "+oneLine(in.Web), "read on the web about something they care for")
	}
	if in.LastConversation.Text != "" {
		add("last talk, summed up: "+in.LastConversation.text(), "what was said last"+in.LastConversation.since())
	}
	return lines
}

// recalled is what was recalled, one line each: the first of a passage begins with "- ", the others are indented.
func (in ReplyInput) recalled() (lines []Note) {
	for _, r := range in.Recalled {
		for i, e := range r.Lines {
			mark := "  "
			if i == 0 {
				mark = "- "
				if title := oneLine(r.Room); title != "" {
					mark += "in " + speaker(title, in.Card.Name) + " | "
				}
			}
			lines = append(lines, Note{Text: mark + e.line(in.Card.Name), Why: r.Why})
		}
	}
	return lines
}

// openQuestion is the kind of a loop that matters least: a question that nobody answered.
const openQuestion = "question"

// beside is what may colour this answer, one line each.
func (in ReplyInput) beside() (lines []Note) {
	add := func(text, why string) { lines = append(lines, Note{Text: text, Why: why}) }
	for _, l := range in.Loops {
		if !l.FollowUp && l.Kind == openQuestion {
			add(l.line(), "nobody answered it")
		}
	}
	for _, e := range in.Milestones {
		add("reached together: "+e.text(), "a recent milestone")
	}
	for _, e := range in.Observations {
		add("noticed, nobody said so: "+e.text(), "inferred from several talks")
	}
	if in.Confirm.Text != "" {
		add(in.Confirm.line(), "only a model read it")
	}
	if in.Mood != "" {
		add("your mood: "+oneLine(in.Mood), "how the persona feels now")
	}
	if wonder := unknownTermLine(in.UnknownTerm); wonder != "" {
		add(wonder, "a word that nobody explained")
	}
	return lines
}

// line returns the question as a note.
func (c Confirm) line() string {
	note := "perhaps misunderstood, ask whether it is right when it fits: " + oneLine(c.Text)
	if c.Instead != "" {
		note += " (so far: " + oneLine(c.Instead) + ")"
	}
	return note
}

// episodes returns the summaries of the earlier conversation, one line each.
func (in ReplyInput) episodes() (lines []string) {
	for _, e := range in.Episodes {
		lines = append(lines, e.line())
	}
	return lines
}

// line returns the episode as a note, with its time.
func (e Episode) line() string {
	until := e.Until.Format("15:04")
	if e.Until.Format(dayLayout) != e.From.Format(dayLayout) {
		until = e.Until.Format(timeLayout)
	}
	return "summed up | " + e.From.Format(timeLayout) + " to " + until + ": " + oneLine(e.Text)
}

// line returns the loop as a note.
func (l Loop) line() string {
	note := "open " + oneLine(l.Kind)
	if l.Own {
		note = "your own " + oneLine(l.Kind) + " to them, still open"
	}
	if !l.Due.IsZero() {
		note += " for " + l.Due.Format(dayLayout)
	}
	switch {
	case l.FollowUp && l.Own:
		note += " (keep it or speak of it now)"
	case l.FollowUp && l.Upcoming:
		note += " (wish them well)"
	case l.FollowUp:
		note += " (ask how it went)"
	}
	return note + ": " + oneLine(l.Text)
}

// line returns the fact as a note.
func (f Fact) line(self string) string {
	var about []string
	if f.Says != "" {
		about = append(about, speaker(f.Says, self)+" says")
	}
	if f.Unsure {
		about = append(about, "unsure")
	}
	if !f.Until.IsZero() {
		about = append(about, "until "+f.Until.Format(dayLayout)+", no longer so")
	}
	if len(about) == 0 {
		return "- " + oneLine(f.Text)
	}
	return "- (" + strings.Join(about, ", ") + ") " + oneLine(f.Text)
}

// Silence is the answer of a model that prefers not to write first.
const Silence = "SILENCE"

// Silent reports whether a model's answer is Silence.
func Silent(answer string) bool {
	return strings.EqualFold(strings.Trim(answer, " \t\n.()[]*\"'"), Silence)
}

// line tells the model why and how to greet. asked reports that there are messages to answer.
func (a *Arrival) line(asked bool) string {
	switch {
	case a == nil:
		return ""
	case a.Proactive:
		return "Nobody has written just now: you write first, because a note says to ask how something went or to wish them well. " +
			"Do that in one or two sentences, and nothing else. You last heard from them " + approximate(a.Since) + " ago; that needs no " +
			"comment, and they owe you no answer. If what was said last makes it out of place, answer with the one word " + Silence + "."
	case a.First && !asked && a.Opening != "":
		return "Somebody you have never met has come in. Open with this, in these words or close to them, in their language: " + a.Opening
	case a.First && asked:
		return "You have never met. Answer what they say; that you say who you are can come with it."
	case asked:
		return "They are back after " + approximate(a.Since) + ". Answer what they say; a greeting and one thing worth asking about may come with it. " +
			"Being away needs no comment."
	case a.First:
		return "Somebody you have never met has come in. Welcome them in a sentence or two and say who you are."
	}
	return "They are back after " + approximate(a.Since) + ". Greet them in a sentence or two. If a note says to ask how " +
		"something went, ask that first; else pick up one thing worth it, or nothing. Being away needs no comment."
}

// approximate returns a duration in everyday words.
func approximate(d time.Duration) string {
	const day = 24 * time.Hour
	for _, unit := range []struct {
		size      time.Duration
		one, many string
	}{
		{365 * day, "about a year", "years"},
		{30 * day, "about a month", "months"},
		{7 * day, "", "weeks"}, // the days of one week say more
		{day, "a day", "days"},
		{time.Hour, "about an hour", "hours"},
	} {
		switch n := int(d / unit.size); {
		case n > 1:
			return fmt.Sprintf("%d %s", n, unit.many)
		case n == 1 && unit.one != "":
			return unit.one
		}
	}
	return "a short while"
}

// plain returns the card without invisible characters. The operator's words stay unchanged otherwise.
func (c Card) plain() Card {
	c.Name, c.Description, c.Voice = oneLine(c.Name), strings.TrimSpace(plain(c.Description)), oneLine(c.Voice)
	c.Traits, c.Values, c.Boundaries = plainEach(c.Traits), plainEach(c.Values), plainEach(c.Boundaries)
	return c
}

// fields returns the card as template fields.
func (c Card) fields() fields {
	return c.Sheet.fields(fields{
		"Name": c.Name, "Description": c.Description, "Voice": c.Voice, "Traits": phrases(c.Traits, ", "),
		"Values": phrases(c.Values, "; "), "Boundaries": c.Boundaries,
	})
}

func plainEach(texts []string) []string {
	var out []string
	for _, t := range texts {
		out = append(out, oneLine(t))
	}
	return out
}

// phrases joins phrases or short sentences, whose own full stops would stand before the mark between them.
func phrases(all []string, between string) string {
	bare := make([]string, len(all))
	for i, text := range all {
		bare[i] = strings.TrimRight(text, ".;, ")
	}
	return strings.Join(bare, between)
}
