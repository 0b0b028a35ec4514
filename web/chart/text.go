package chart

import "github.com/rivo/uniseg"

// letters returns how many letters a reader sees in a text.
func letters(text string) int { return uniseg.GraphemeClusterCount(text) }

// short returns a text of at most some letters.
func short(text string, most int) string {
	if letters(text) <= most {
		return text
	}
	rest, state, cut := text, -1, 0
	for range most - 1 {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		cut += len(cluster)
	}
	return text[:cut] + "…"
}
