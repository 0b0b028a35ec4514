// Package spelling finds the word somebody most likely meant.
package spelling

// Nearest returns the known word closest to word by edit distance, ties going to the earlier one. It returns "" when
// none is close enough to be a slip of the keys: more than a third of the longer word, or more than three letters,
// would have to change.
func Nearest(word string, known []string) string {
	best, bestDistance := "", maxSlips+1
	for _, k := range known {
		d := distance([]rune(word), []rune(k))
		if d < bestDistance && d <= slips(word, k) {
			best, bestDistance = k, d
		}
	}
	return best
}

// maxSlips bounds how far off a word may be however long it is: past that a hint misleads more than it helps.
const maxSlips = 3

func slips(a, b string) int {
	longer := max(len([]rune(a)), len([]rune(b)))
	return min(max(1, longer/3), maxSlips)
}

// distance is the optimal string alignment distance: insertions, deletions, substitutions and swaps of two
// neighbouring letters each cost one.
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
