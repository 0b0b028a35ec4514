package jobs

import (
	"context"
	"slices"
	"strings"
	"time"

	"familiar/memory/belief"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/prompts"
)

const (
	// proposedFrom is how many of a person's last messages a model sees at most.
	proposedFrom = 50
	// longestAim is how many words a goal may have.
	longestAim = 10
)

// ofOneself are words of which every statement about oneself contains one.
var ofOneself = []string{"i", "i'm", "i'd", "i've", "i'll", "my", "me", "we", "we're", "our"}

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
	p := prompts.FindGoals(prompts.FindGoalsInput{Name: f.Card.Name, Messages: numbered(lines, time.UTC), Budget: f.Settings.FilingBudget})
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

// mayTell reports whether to show a message to the model: more than a few words of one's own that state something and
// contain no goal found by the rules.
func mayTell(m belief.BacklogItem) bool {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(m.Text, "’", "'")))
	own := slices.ContainsFunc(words, func(w string) bool { return slices.Contains(ofOneself, strings.Trim(w, ".,;:!?\"“”()")) })
	if len(words) < 4 || !own {
		return false
	}
	r := m.Analysis(time.UTC, true)
	return r.Question == nil && !r.Forget && !r.Supposes && len(r.Goals) == 0
}

// proven reports whether a goal is in its message: the quote occurs there, and the goal adds nothing to it except the
// activity.
func proven(a prompts.FoundGoal, m belief.BacklogItem) bool {
	words := strings.Fields(strings.ToLower(a.Text))
	quote := strings.Join(strings.Fields(strings.ToLower(a.Quote)), " ")
	text := strings.Join(strings.Fields(strings.ToLower(m.Text)), " ")
	if len(words) < 2 || len(words) > longestAim || !strings.HasSuffix(words[0], "ing") || quote == "" || !strings.Contains(text, quote) {
		return false
	}
	told := lexical.English.Terms(quote)
	object := lexical.English.Terms(strings.Join(words[1:], " "))
	return len(object) > 0 && !slices.ContainsFunc(object, func(t string) bool { return !slices.Contains(told, t) })
}
