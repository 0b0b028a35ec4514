package prompts

import (
	"strings"

	"familiar/internal/tokens"
)

// Sheet is what a character card adds to a persona. A stranger may have written it: its texts stand only where the persona is
// described, and in the talk under a label of their own.
type Sheet struct {
	// Instructions are the card's system prompt, Last its instructions after the talk.
	Instructions, Last    string
	Personality, Scenario string
	// Before and After stand around the description, each in the order of the lorebook.
	Before, After []string
	// Notes stand within the talk.
	Notes []SheetNote
	// Opening is how the persona greets somebody new, empty for its own words.
	Opening string
}

// SheetNote is a text within the talk.
type SheetNote struct {
	Text string
	// Depth is how many messages follow it, 0 if it comes after the last.
	Depth int
	// Own reports that the persona says it.
	Own bool
	// AuthorNote reports that it is not the lorebook's, and bounded by itself.
	AuthorNote bool
}

// LoreBudget returns the tokens of a reply's budget for what the lorebook adds; budget 0 is DefaultBudget.
func LoreBudget(budget int) int { return orDefault(budget, DefaultBudget) * shareLore / 100 }

const (
	// shareLore is what the lorebook may take, in percent of the budget. It has no share of its own: what it takes, later
	// shares lack.
	shareLore = 10
	// sheetPart is the divisor for the part of the persona's share that one text of a sheet may take.
	sheetPart = 4
)

// plain returns the sheet without marks, each text within most tokens. The lorebook's are bounded as a whole.
func (s *Sheet) plain(most int) *Sheet {
	if s == nil {
		return nil
	}
	bounded := func(text string) string { return cutMiddle(strings.TrimSpace(plain(text)), most) }
	out := *s
	out.Instructions, out.Last, out.Opening = bounded(s.Instructions), bounded(s.Last), bounded(s.Opening)
	out.Personality, out.Scenario = bounded(s.Personality), bounded(s.Scenario)
	out.Before, out.After, out.Notes = plainTexts(s.Before), plainTexts(s.After), nil
	for _, n := range s.Notes {
		if n.Text = strings.TrimSpace(plain(n.Text)); n.AuthorNote {
			n.Text = bounded(n.Text)
		}
		if n.Text != "" {
			out.Notes = append(out.Notes, n)
		}
	}
	return &out
}

func plainTexts(texts []string) (all []string) {
	for _, t := range texts {
		if t = strings.TrimSpace(plain(t)); t != "" {
			all = append(all, t)
		}
	}
	return all
}

// fields adds the sheet to the fields of the persona.
func (s *Sheet) fields(f fields) fields {
	if s != nil {
		f["Instructions"], f["Personality"], f["Scenario"] = s.Instructions, s.Personality, s.Scenario
		f["Before"], f["After"] = strings.Join(s.Before, "\n"), strings.Join(s.After, "\n")
		return f
	}
	for _, key := range []string{"Instructions", "Personality", "Scenario", "Before", "After"} {
		f[key] = ""
	}
	return f
}

// loreCost returns what the lorebook takes around the description, in tokens.
func (s *Sheet) loreCost() int {
	if s == nil {
		return 0
	}
	return linesCost(s.Before) + linesCost(s.After)
}

// talkCost returns what the sheet takes within the talk, in tokens.
func (s *Sheet) talkCost() (cost int) {
	if s == nil {
		return 0
	}
	for _, n := range s.Notes {
		cost += tokens.Estimate(sheetLabel+n.Text) + switchCost
	}
	return cost + tokens.Estimate(s.Last) + tokens.Estimate(s.Opening)
}

// sheetLabel stands before what a sheet says within the talk.
const sheetLabel = "(Your character sheet:) "

// message returns a note as a message of the talk.
func (n SheetNote) message() Message {
	if n.Own {
		return Message{Assistant, n.Text}
	}
	return Message{User, sheetLabel + n.Text}
}

// notesAt returns the notes by the place in a talk of recent and answered messages that they stand before. Those behind the
// last message are in last.
func (s *Sheet) notesAt(recent, answered int) (before map[int]transcript, last []string) {
	if s == nil {
		return nil, nil
	}
	before = map[int]transcript{}
	for _, n := range s.Notes {
		if n.Depth == 0 {
			last = append(last, sheetLabel+n.Text)
			continue
		}
		at := min(recent, max(0, recent+answered-n.Depth))
		before[at] = append(before[at], n.message())
	}
	if s.Last != "" {
		last = append(last, sheetLabel+s.Last)
	}
	return before, last
}
