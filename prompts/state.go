package prompts

import (
	"fmt"
	"strings"
	"time"
)

const dayLayout = "Mon 2006-01-02"

// who describes the room and the person, one line each.
func (in ReplyInput) who() []string {
	var lines []string
	if title := oneLine(in.RoomTitle); title != "" {
		lines = append(lines, "room: "+speaker(title, in.Card.Name))
	}
	p := in.Person
	if p.Name == "" && p.Address == "" {
		return append(lines, "person: you do not know their name")
	}
	person := "person: " + speaker(p.Name, in.Card.Name)
	if p.Address != "" && p.Address != p.Name {
		person += "; wants to be called " + speaker(p.Address, in.Card.Name)
	}
	lines = append(lines, person)
	var bond []string
	if p.Stage != "" {
		bond = append(bond, p.Stage)
	}
	switch {
	case p.Met.IsZero():
		bond = append(bond, "you meet for the first time")
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
	return append(lines, "relationship: "+strings.Join(bond, "; "))
}

// styleAdvice is the advice for a person's style.
var styleAdvice = map[string]string{
	"direct":      "they write briefly: be brief",
	"detailed":    "they go into detail: so may you",
	"exploratory": "they ask a lot: leave room for questions",
}

// pinned is the state for every prompt, one line each, the most important first.
func (in ReplyInput) pinned() (lines []string) {
	self := in.Card.Name
	each := func(mark string, entries ...Entry) {
		for _, e := range entries {
			lines = append(lines, mark+" | "+e.line(self))
		}
	}
	if in.Mood != "" {
		lines = append(lines, "your mood: "+oneLine(in.Mood))
	}
	each("standing wish", in.Preferences...)
	for _, l := range in.Loops {
		lines = append(lines, l.line())
	}
	for _, g := range in.Goals {
		lines = append(lines, g.line())
	}
	each("pinned", in.Pinned...)
	if in.LastConversation.Text != "" {
		each("last talk, summed up", in.LastConversation)
	}
	for _, b := range in.Beliefs {
		lines = append(lines, b.line(self))
	}
	each("reached together", in.Milestones...)
	each("noticed", in.Observations...)
	each("lesson", in.Lessons...)
	if wonder := unknownTermLine(in.UnknownTerm); wonder != "" {
		lines = append(lines, wonder)
	}
	return lines
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

// line returns the belief as a note, with its author.
func (b Belief) line(self string) string {
	kind := "known"
	if b.Past {
		kind = "was so, is not any more"
	}
	if b.Unsure {
		kind += ", unsure"
	}
	if b.Hearsay {
		kind += ", hearsay"
	}
	source := ""
	if b.Author != "" {
		source = speaker(b.Author, self) + "'s word"
	}
	if !b.At.IsZero() {
		source = strings.TrimSpace(source + " of " + b.At.Format("2006-01-02"))
	}
	if source != "" {
		kind += " (" + source + ")"
	}
	return kind + ": " + oneLine(b.Text)
}

// Silence is the answer of a model that prefers not to write first.
const Silence = "SILENCE"

// Silent reports whether a model's answer is Silence.
func Silent(answer string) bool {
	return strings.EqualFold(strings.Trim(answer, " \t\n.()[]*\"'"), Silence)
}

// line tells the model why and how to greet.
func (a *Arrival) line() string {
	switch {
	case a == nil:
		return ""
	case a.Proactive:
		return "Nobody has written just now: you write first, because a note says to ask how something went or to wish them well. " +
			"Do that in one or two sentences, and nothing else. You last heard from them " + approximate(a.Since) + " ago; that needs no " +
			"comment, and they owe you no answer. If what was said last makes it out of place, answer with the one word " + Silence + "."
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
		{7 * day, "about a week", "weeks"},
		{day, "a day", "days"},
		{time.Hour, "about an hour", "hours"},
	} {
		switch n := int(d / unit.size); n {
		case 0:
		case 1:
			return unit.one
		default:
			return fmt.Sprintf("%d %s", n, unit.many)
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
	return fields{
		"Name": c.Name, "Description": c.Description, "Voice": c.Voice, "Traits": strings.Join(c.Traits, ", "),
		"Values": strings.Join(c.Values, "; "), "Boundaries": c.Boundaries,
	}
}

func plainEach(texts []string) []string {
	var out []string
	for _, t := range texts {
		out = append(out, oneLine(t))
	}
	return out
}

// texts returns all texts of the input that the fence must not occur in: everything not written by the program.
func (in ReplyInput) texts() []string {
	all := []string{
		in.RoomTitle, in.Person.Name, in.Person.Address, in.Person.Stage, in.Card.Name, in.Card.Description,
		in.Card.Voice, in.Card.Language, in.Person.Timeline, in.Mood,
	}
	all = append(all, in.Card.Traits...)
	all = append(all, in.Card.Values...)
	all = append(all, in.Card.Boundaries...)
	for _, e := range in.Card.Examples {
		all = append(all, e.Person, e.Persona)
	}
	for _, b := range in.Beliefs {
		all = append(all, b.Text, b.Author)
	}
	for _, l := range in.Loops {
		all = append(all, l.Kind, l.Text)
	}
	for _, e := range in.Episodes {
		all = append(all, e.Text)
	}
	for _, g := range in.Goals {
		all = append(all, g.Text)
	}
	all = append(all, in.UnknownTerm)
	for _, r := range in.Recalled {
		all = append(all, r.Room)
		all = append(all, entryTexts(r.Lines)...)
	}
	for _, entries := range [][]Entry{
		in.Preferences, in.Pinned, in.Milestones, in.Observations, in.Lessons, {in.LastConversation}, in.Recent, in.ToAnswer,
	} {
		all = append(all, entryTexts(entries)...)
	}
	return all
}

func entryTexts(entries []Entry) []string {
	var all []string
	for _, e := range entries {
		all = append(all, e.texts()...)
	}
	return all
}
