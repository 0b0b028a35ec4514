package web

import (
	"slices"
	"strings"

	"familiar/internal/tokens"
	"familiar/persona/words"
)

// passages returns the parts of a page that fit within a limit of tokens: those that say most about something, in their order, or
// the beginning if nothing does.
func passages(markdown, about string, limit int) string {
	if tokens.Fits(markdown, limit) {
		return markdown
	}
	parts := strings.Split(markdown, "\n\n")
	wanted := words.Content(about)
	order := make([]int, len(parts))
	scores := make([]int, len(parts))
	for i, part := range parts {
		order[i], scores[i] = i, words.SharedWith(wanted, part)
	}
	slices.SortStableFunc(order, func(a, b int) int { return scores[b] - scores[a] })
	var kept []int
	used := 0
	for _, i := range order {
		if used += tokens.Estimate(parts[i]) + 1; used > limit && len(kept) > 0 {
			break
		}
		kept = append(kept, i)
	}
	slices.Sort(kept)
	var b strings.Builder
	for n, i := range kept {
		if n > 0 && kept[n-1] != i-1 {
			b.WriteString("[…]\n\n")
		}
		b.WriteString(parts[i] + "\n\n")
	}
	return strings.TrimSpace(b.String())
}
