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
	// mostTold is how many messages one episode tells at most.
	mostTold = 40
	// toldShare is which share of the tokens of what it tells an episode may take, toldAtMost how many.
	toldShare  = 0.3
	toldAtMost = 240
	// episodeSalience is that of an episode: what it tells is remembered by itself.
	episodeSalience = 0.4
	// lineTokens is about what the time and the name before a message take.
	lineTokens = 10
)

// Compact folds the older part of a long talk into episodes, once the talk nears what a voice has room for. It is done
// when the turn is recorded, so that nobody waits for it, and without a model: what is left out of an episode is still
// remembered, each message by itself.
//
// inFront is the part of the session that stood in front of the voice, the last turn included.
func (k *Manager) Compact(ctx context.Context, session int64, inFront []model.Message) error {
	if k.compacted(weights(inFront), nil) == 0 {
		return nil
	}
	untold, err := k.Store.Turns.Uncompacted(ctx, session)
	sizes := weights(untold)
	if err != nil || k.compacted(sizes, nil) == 0 {
		return err
	}
	cuts := mind.Boundaries(saidIn(untold))
	n := k.compacted(sizes, cuts)
	if n == 0 {
		return nil
	}
	var episodes []turns.NewEpisode
	for _, part := range parts(untold[:n], cuts) {
		episodes = append(episodes, k.episode(part))
	}
	return k.Store.Turns.Compact(ctx, session, episodes)
}

// compacted returns how many of the oldest messages of such weights are to be folded, where episodes begin at cuts.
func (k *Manager) compacted(weights []int, cuts []mind.Boundary) int {
	return mind.CompactUntil(weights, k.used(weights), k.talkBudget(), cuts)
}

// talkBudget returns how many tokens of a prompt the running session may take.
func (k *Manager) talkBudget() int { return prompts.TalkBudget(k.Settings.PromptBudget) }

// used returns how many tokens messages of such weights take of the budget; more of them than a voice sees fill it as
// far as folding begins.
func (k *Manager) used(weights []int) (sum int) {
	for _, n := range weights {
		sum += n
	}
	if len(weights) >= k.Settings.RecentMessages {
		sum = max(sum, mind.CompactedFrom(k.talkBudget()))
	}
	return sum
}

// weights returns the tokens that messages take in a prompt.
func weights(talk []model.Message) []int {
	all := make([]int, len(talk))
	for i, m := range talk {
		all[i] = size.Estimate(m.Text) + lineTokens
	}
	return all
}

// saidIn returns a talk as episodes are found in it.
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

// parts cuts messages into episodes: where one begins, and where one would grow too long.
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

// episode tells messages in words from them: the sentences that tell the most, each with who said it, in order. The
// persona's own words are told only where nobody else spoke.
func (k *Manager) episode(part []model.Message) turns.NewEpisode {
	episode := turns.NewEpisode{Salience: episodeSalience}
	room := 0
	for i, n := range weights(part) {
		room += n
		episode.Sources = append(episode.Sources, part[i].ID)
	}
	told := sentencesOf(part)
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

// sentence is one of a message's, with its place and how much it tells.
type sentence struct {
	message, place int
	text           string
	worth          float64
}

// sentencesOf returns the sentences that messages of people begin with, as far as head reads; of what the persona said
// where that is all there is.
func sentencesOf(part []model.Message) (all []sentence) {
	own := !slices.ContainsFunc(part, func(m model.Message) bool { return m.PersonID != 0 })
	lang := lexical.Detect(strings.Join(textsOf(part), "\n"))
	heard := map[string]bool{}
	for i, m := range part {
		if m.PersonID == 0 && !own {
			continue
		}
		understood := m.Analysis()
		for j, said := range text.Sentences(words.Head(m.Text)) {
			if said = words.Cut(strings.Join(strings.Fields(said), " "), words.ShownRunes); said != "" {
				all = append(all, sentence{i, j, said, worthOf(said, understood, lang, heard)})
			}
		}
	}
	return all
}

// worthOf returns how much a sentence of a message with such an analysis tells that was not heard before it: a word counts
// once, a name or a number three times, a claim five; a question half.
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

// retell quotes sentences with who said them. A quotation holds no marks of quotation of its own, so that nobody's words
// are taken for another's.
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
