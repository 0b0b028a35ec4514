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

// SelectEarlier chooses from what was told: the weightiest first, as long as it says what no note says. What is chosen
// comes in the order it was said.
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

// scoredMemory is what one memory tells beside questions and small talk.
type scoredMemory struct {
	model.Memory
	worth float64
}

func earlierItem(m model.Memory) recall.Item {
	return recall.Item{MemoryID: m.ID, Why: whyEarlier, Room: m.RoomTitle, Lines: []model.SnippetLine{{
		PersonID: m.AuthorID, Author: m.Author, At: m.Created, Text: m.Text,
	}}}
}

// statements returns a text without its questions and its small talk.
func statements(text string) string {
	var kept []string
	for _, s := range words.Sentences(words.Head(text)) {
		if r := understand.Tone(s); !strings.HasSuffix(s, "?") && !r.Phatic && !r.Farewell {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, " ")
}

// notedContent returns the words of what is shown to the voice anyway.
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

// whyEarlier is why something is shown to the voice that nobody asked about.
const whyEarlier = "told before"

const (
	// earlierBudget is how much is shown, in tokens, toldFrame what the date and the name before each session take.
	earlierBudget, earlierFrame = 600, 14
	// earlierFade is the age in days at which half of what can fade of a memory's worth is lost to 1/e; the other half stays.
	earlierFade = 30
	// maxNovelWords is how many words that are not in the notes count: past that a longer text is no better.
	maxNovelWords = 6
)
