package scene

import (
	"cmp"
	"math"
	"slices"
	"strings"

	estimate "familiar/internal/tokens"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/words"
)

// SelectEarlier chooses from earlier statements those that add most to the notes, within a token budget. It returns
// them in the order they were said.
func SelectEarlier(told []model.Memory, s Scene) (items []recall.Item) {
	noted := notedContent(s)
	var some []scoredMemory
	for _, m := range told {
		m.Text = statements(m.Text)
		novel := 0
		for word := range words.Content(m.Text) {
			if !noted.Has(word) {
				novel++
			}
		}
		if novel > 0 {
			fade := (1 + math.Exp(-max(s.Now.Sub(m.Created).Hours()/24, 0)/earlierFade)) / 2
			some = append(some, scoredMemory{m, m.Salience * fade * float64(min(novel, maxNovelWords))})
		}
	}
	slices.SortStableFunc(some, func(a, b scoredMemory) int { return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(b.ID, a.ID)) })
	spent, sessions := 0, make(map[int64]bool)
	for _, m := range some {
		cost := estimate.Estimate(m.Text) + 1
		if !sessions[m.SessionID] {
			cost += earlierFrame
		}
		if spent+cost > earlierBudget {
			continue
		}
		spent += cost
		sessions[m.SessionID] = true
		items = append(items, earlierItem(m.Memory))
	}
	slices.SortStableFunc(items, func(a, b recall.Item) int { return cmp.Compare(a.MemoryID, b.MemoryID) })
	return items
}

// scoredMemory is a memory with its score. Questions and small talk do not count.
type scoredMemory struct {
	model.Memory
	worth float64
}

// earlierItem returns m as an item shown to the voice.
func earlierItem(m model.Memory) recall.Item {
	return recall.Item{MemoryID: m.ID, Why: whyEarlier, Room: m.RoomTitle, Lines: []model.SnippetLine{{
		PersonID: m.AuthorID, Author: m.Author, At: m.Created, Text: m.Text,
	}}}
}

// statements returns a text without its questions and small talk.
func statements(text string) string {
	var kept []string
	for _, s := range words.Sentences(words.Head(text)) {
		if r := understand.Tone(s); !strings.HasSuffix(s, "?") && !r.Phatic && !r.Farewell {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, " ")
}

// notedContent returns the content words of the notes that the voice sees anyway.
func notedContent(s Scene) words.Set {
	noted := make(words.Set)
	add := func(text string) {
		for word := range words.Content(text) {
			noted[word] = true
		}
	}
	for _, b := range s.Beliefs {
		if b.Status == model.Active {
			add(rel.Describe(b.Subject, b.Relation, b.Value))
		}
	}
	for _, l := range s.Loops {
		add(l.Text)
	}
	if s.LastTalk.ID != 0 {
		add(s.LastTalk.Text)
	}
	return noted
}

// whyEarlier is the reason given for an item that nothing in the turn asked for.
const whyEarlier = "told before"

const (
	// earlierBudget bounds the shown statements in tokens. earlierFrame is what the date and name before each session
	// take.
	earlierBudget, earlierFrame = 600, 14
	// earlierFade is the age in days at which the fading half of a memory's score has fallen to 1/e. The other half
	// does not fade.
	earlierFade = 30
	// maxNovelWords bounds how many words missing from the notes count: beyond it a longer text scores no better.
	maxNovelWords = 6
)
