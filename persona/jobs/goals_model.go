package jobs

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/persona/proof"
	"familiar/prompts"
)

const (
	// proposedFrom is how many of a person's last messages a model sees at most.
	proposedFrom = 50
	// longestAim is how many characters a goal may have.
	longestAim = 80
	// leastLetters is how many letters a message has at least that may state one.
	leastLetters = 12
)

// propose lets a model find goals that no wording rule finds, by memory. It shows only messages that may state one, and
// accepts only goals that the author's words prove.
func (f *scopeReader) propose(ctx context.Context, llm *asker, said []belief.BacklogItem, done *GoalsResult) map[int64][]understand.Goal {
	if llm.down {
		return nil
	}
	said = slices.DeleteFunc(slices.Clone(said), func(m belief.BacklogItem) bool { return !mayTell(m) })
	said = said[max(0, len(said)-proposedFrom):]
	if len(said) == 0 {
		return nil
	}
	lines := make([]model.Memory, len(said))
	for i, m := range said {
		lines[i] = m.Memory
	}
	p := prompts.FindGoals(prompts.FindGoalsInput{Name: f.Card.Name, Messages: numbered(lines, time.UTC), Budget: f.Settings.Filing()})
	var aims []prompts.FoundGoal
	llm.ask(ctx, p, func(text string) (err error) {
		aims, err = prompts.ParseFindGoals(text)
		return err
	})
	found := map[int64][]understand.Goal{}
	for _, a := range aims {
		if a.Line < 1 || a.Line > len(said) || !proven(a, said[a.Line-1]) {
			done.Rejected++
			continue
		}
		id := said[a.Line-1].ID
		found[id] = append(found[id], understand.Goal{Text: strings.Join(strings.Fields(a.Text), " "), Quote: a.Quote})
	}
	return found
}

// mayTell reports whether to show a message to the model: more than a greeting that states something and contains no goal
// found by the rules.
func mayTell(m belief.BacklogItem) bool {
	if !sayingMuch(m.Text) {
		return false
	}
	r := m.Analysis(time.UTC, true)
	return r.Question == nil && !r.Forget && !r.Supposes && len(r.Goals) == 0
}

// sayingMuch reports whether a text is long enough to state a goal: a dozen letters, or half of that in scripts that
// write syllables or words as letters.
func sayingMuch(said string) bool {
	letters := 0
	for _, r := range said {
		switch {
		case unicode.IsUpper(r) || unicode.IsLower(r):
			letters++
		case unicode.IsLetter(r):
			letters += 2
		}
	}
	return letters >= leastLetters
}

// proven reports whether a goal is in its message: the quote occurs there, and the goal says no more than it.
func proven(a prompts.FoundGoal, m belief.BacklogItem) bool {
	quote := proof.Quoted(strings.ToLower(a.Quote), strings.ToLower(m.Text))
	goal := strings.Join(strings.Fields(a.Text), " ")
	return quote != "" && goal != "" && utf8.RuneCountInString(goal) <= longestAim && proof.Echoes(goal, quote)
}
