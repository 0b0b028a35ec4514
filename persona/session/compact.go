package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"familiar/internal/text"
	size "familiar/internal/tokens"
	"familiar/memory/lexical"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/memory/understand"
	"familiar/persona/mind"
	"familiar/persona/words"
	"familiar/prompts"
)

const (
	// mostTold is how many messages one episode covers at most.
	mostTold = 40
	// toldShare bounds the size of an episode as a share of the tokens it covers, toldAtMost in tokens.
	toldShare  = 0.3
	toldAtMost = 240
	// episodeSalience is the salience of an episode. Its messages are remembered separately.
	episodeSalience = 0.4
	// lineTokens is roughly what the time and name before a message take.
	lineTokens = 10
)

// Compact compacts the older part of a long session into episodes once it approaches the size that a voice can see. It
// runs after the turn is recorded, so that no reply waits for it, and needs no model. With one, what no model has read is
// read first. What an episode leaves out is still remembered, message by message. inFront is the part of the session that
// the voice saw, including the last turn: it tells without reading anything that nothing is to be compacted.
func (k *Manager) Compact(ctx context.Context, session int64, inFront []string) error {
	if k.compacted(weights(inFront), nil) == 0 {
		return nil
	}
	untold, err := k.Store.Turns.Uncompacted(ctx, session)
	sizes := weights(bodies(untold))
	if err != nil || k.compacted(sizes, nil) == 0 {
		return err
	}
	cuts := mind.Boundaries(saidIn(untold))
	n := k.compacted(sizes, cuts)
	if n == 0 {
		return nil
	}
	k.readBefore(ctx, session, untold[n-1].ID)
	var episodes []turns.NewEpisode
	for _, part := range parts(untold[:n], cuts) {
		episodes = append(episodes, k.episode(part))
	}
	return k.Store.Turns.Compact(ctx, session, episodes)
}

// compacted returns how many of the oldest messages, with these token weights, to compact. Episodes begin at cuts.
func (k *Manager) compacted(weights []int, cuts []mind.Boundary) int {
	return mind.CompactUntil(weights, k.used(weights), k.talkBudget(), cuts)
}

// talkBudget returns how many tokens of a prompt the running session may take.
func (k *Manager) talkBudget() int {
	prompt, _ := k.Settings.Budgets()
	return prompts.TalkBudget(prompt)
}

// used returns how many tokens of the budget messages of these weights take. If there are more messages than a voice
// sees, the budget counts as used up to the point where compaction begins.
func (k *Manager) used(weights []int) (sum int) {
	for _, n := range weights {
		sum += n
	}
	if len(weights) >= k.Settings.RecentMessages {
		sum = max(sum, mind.CompactedFrom(k.talkBudget()))
	}
	return sum
}

// weights returns the tokens that each message takes in a prompt.
func weights(talk []string) []int {
	all := make([]int, len(talk))
	for i, said := range talk {
		all[i] = size.Estimate(said) + lineTokens
	}
	return all
}

// bodies returns the texts of messages.
func bodies(talk []model.Message) []string {
	all := make([]string, len(talk))
	for i, m := range talk {
		all[i] = m.Text
	}
	return all
}

// saidIn returns the messages in the form that finds the episode boundaries.
func saidIn(talk []model.Message) []mind.Said {
	all := make([]mind.Said, len(talk))
	for i, m := range talk {
		all[i] = mind.Said{Text: words.Head(m.Text), At: m.At, Self: m.PersonID == 0}
		if all[i].Self {
			continue
		}
		var stored bool
		if all[i].Reading, stored = m.Stored.Current(); !stored {
			all[i].Reading = understand.Tone(m.Text)
		}
	}
	return all
}

// parts cuts messages into episodes: at the topic boundaries, and where an episode would grow too long.
func parts(talk []model.Message, cuts []mind.Boundary) (all [][]model.Message) {
	from := 0
	upTo := func(end int) {
		for ; from < end; from = min(from+mostTold, end) {
			all = append(all, talk[from:min(from+mostTold, end)])
		}
	}
	for _, b := range cuts {
		upTo(min(b.At, len(talk)))
	}
	upTo(len(talk))
	return all
}

// episode describes messages by quoting the most informative sentences with their authors, in order. It quotes the
// persona only if no one else spoke.
func (k *Manager) episode(part []model.Message) turns.NewEpisode {
	episode := turns.NewEpisode{Salience: episodeSalience}
	room := 0
	for i, n := range weights(bodies(part)) {
		room += n
		episode.Sources = append(episode.Sources, part[i].ID)
	}
	told := sentencesOf(part, k.Card.WithoutFacts)
	slices.SortStableFunc(told, func(a, b sentence) int { return cmp.Compare(b.worth, a.worth) })
	left := min(toldAtMost, max(int(toldShare*float64(room)), lineTokens))
	kept := told[:0]
	for _, s := range told {
		if cost := size.Estimate(s.text) + 2; len(kept) == 0 || cost <= left {
			kept, left = append(kept, s), left-cost
		}
	}
	slices.SortFunc(kept, func(a, b sentence) int { return cmp.Or(a.message-b.message, a.place-b.place) })
	episode.Text = k.retell(part, kept)
	return episode
}

// sentence is a sentence of a message, with its position and score.
type sentence struct {
	message, place int
	text           string
	worth          float64
}

// sentencesOf returns the first sentences of people's messages, or of the persona's if there are no others. Messages
// without a stored analysis are analysed, withoutFacts about the world if so.
func sentencesOf(part []model.Message, withoutFacts bool) (all []sentence) {
	own := !slices.ContainsFunc(part, func(m model.Message) bool { return m.PersonID != 0 })
	lang := lexical.Detect(strings.Join(textsOf(part), "\n"))
	heard := map[string]bool{}
	for i, m := range part {
		if m.PersonID == 0 && !own {
			continue
		}
		understood := m.Analysis(withoutFacts)
		for j, said := range text.Sentences(words.Head(m.Text)) {
			if said = words.Cut(strings.Join(strings.Fields(said), " "), words.ShownRunes); said != "" {
				all = append(all, sentence{i, j, said, worthOf(said, understood, lang, heard)})
			}
		}
	}
	return all
}

// worthOf scores what a sentence adds to the earlier ones: 1 for a new word, 3 for a name or number, 5 for a claim,
// half for a question.
func worthOf(text string, understood understand.Analysis, lang *lexical.Language, heard map[string]bool) (worth float64) {
	for _, t := range lang.Terms(text) {
		if !heard[t] {
			heard[t] = true
			worth++
		}
	}
	for _, c := range understood.Claims {
		if quote := strings.Join(strings.Fields(c.Quote), " "); quote != "" && strings.Contains(text, quote) {
			worth += 5
		}
	}
	for _, name := range understood.Entities {
		if strings.Contains(text, name) {
			worth += 2
		}
	}
	for _, w := range strings.Fields(text) {
		if strings.ContainsFunc(w, unicode.IsDigit) {
			worth += 2
		}
	}
	if strings.HasSuffix(text, "?") {
		worth /= 2
	}
	return worth
}

// retell quotes sentences with their authors. It removes quotation marks inside quotes, so that no text can pose as
// another person's.
func (k *Manager) retell(part []model.Message, kept []sentence) string {
	var b strings.Builder
	last := -1
	for _, s := range kept {
		m := part[s.message]
		name := m.Name
		if m.PersonID == 0 {
			name = k.Card.Name
		}
		switch {
		case last < 0:
			fmt.Fprintf(&b, "%s: “", unquoted(name))
		case part[last].PersonID == m.PersonID:
			b.WriteString(" … ")
		default:
			fmt.Fprintf(&b, "” %s: “", unquoted(name))
		}
		b.WriteString(unquoted(s.text))
		last = s.message
	}
	return b.String() + "”"
}

var quoteMarks = strings.NewReplacer("“", "'", "”", "'", "\"", "'")

func unquoted(text string) string { return quoteMarks.Replace(text) }

func textsOf(talk []model.Message) []string {
	all := make([]string, len(talk))
	for i, m := range talk {
		all[i] = words.Head(m.Text)
	}
	return all
}
