package lifecycle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"familiar/memory/belief"
	"familiar/memory/lexical"
	"familiar/memory/model"
)

const (
	// quotedLines is how many lines a summary quotes, quotedRunes how much of each.
	quotedLines = 5
	quotedRunes = 160
	// sharedShare is the share of the members that must contain a name or word for the summary to mention it.
	sharedShare = 0.5
	// sharedWords is how many words name the subject of a cluster whose members share no name.
	sharedWords = 3
)

// summaryOf returns a memory that says what members, oldest first, have in common, in their own words: who said them,
// about what, how often and when, with a few quotes. It is deterministic and invents nothing.
func summaryOf(members []model.Memory) model.Memory {
	first, last := members[0], members[len(members)-1]
	s := model.Memory{Persona: first.Persona, Audience: first.Audience, Origin: model.OriginJob, Sector: model.Semantic, Entities: sharedNames(members)}
	about := s.Entities
	if len(about) == 0 {
		about = sharedTerms(members)
	}
	for _, m := range members {
		s.Salience = max(s.Salience, m.Salience)
	}
	dates := first.Created.Format(time.DateOnly)
	if until := last.Created.Format(time.DateOnly); until != dates {
		dates += " to " + until
	}
	who := cmp.Or(model.CleanName(first.Author), "Summed up")
	s.Text = fmt.Sprintf("%s on %s, %d times, %s: %s", who, strings.Join(about, ", "), len(members), dates, strings.Join(quotes(members), " "))
	return s
}

// quotes returns a few of the members' lines, spread from the oldest to the newest, without duplicates.
func quotes(members []model.Memory) (lines []string) {
	n := min(quotedLines, len(members))
	for i := range n {
		text := belief.CleanText(members[i*(len(members)-1)/max(n-1, 1)].Text)
		if utf8.RuneCountInString(text) > quotedRunes {
			text = string([]rune(text)[:quotedRunes-1]) + "…"
		}
		if line := "“" + text + "”"; !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// sharedNames returns the names that enough members contain, the most frequent first.
func sharedNames(members []model.Memory) []string {
	return shared(members, func(m model.Memory) []string { return m.Entities })
}

// sharedTerms returns the words that enough members contain, as first written, the most frequent first.
func sharedTerms(members []model.Memory) []string {
	texts := make([]string, len(members))
	for i, m := range members {
		texts[i] = m.Text
	}
	gist, written := lexical.GistOf(texts...), map[string]string{}
	words := shared(members, func(m model.Memory) (terms []string) {
		for word := range lexical.Words(m.Text) {
			for _, term := range gist.Terms(word) {
				if written[term] == "" {
					written[term] = word
				}
				if !slices.Contains(terms, term) {
					terms = append(terms, term)
				}
			}
		}
		return terms
	})
	words = words[:min(sharedWords, len(words))]
	for i, term := range words {
		words[i] = written[term]
	}
	return words
}

// shared returns what enough members have, the most frequent first, then in order.
func shared(members []model.Memory, of func(model.Memory) []string) []string {
	counts := map[string]int{}
	for _, m := range members {
		for _, word := range of(m) {
			counts[word]++
		}
	}
	words := slices.DeleteFunc(slices.Sorted(maps.Keys(counts)), func(word string) bool {
		return float64(counts[word]) < sharedShare*float64(len(members))
	})
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	return words
}
