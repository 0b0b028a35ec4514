// Package spelling finds the known word a misspelled one most likely means.
package spelling

// Nearest returns the known word closest to word by edit distance, the earlier one in a tie. It returns "" if none is
// close enough to be a typing error: if more than a third of the longer word, or more than three letters, would have to
// change.
func Nearest(word string, known []string) string {
	best, bestDistance := "", maxEdits+1
	for _, k := range known {
		d := distance([]rune(word), []rune(k))
		if d < bestDistance && d <= allowedEdits(word, k) {
			best, bestDistance = k, d
		}
	}
	return best
}

// maxEdits limits the distance regardless of length: a hint for a more distant word misleads more than it helps.
const maxEdits = 3

func allowedEdits(a, b string) int {
	longer := max(len([]rune(a)), len([]rune(b)))
	return min(max(1, longer/3), maxEdits)
}

// distance returns the optimal string alignment distance: insertions, deletions, substitutions and swaps of two
// adjacent letters each cost one.
func distance(a, b []rune) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
