package character

import (
	"bytes"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// diffLine is one line of a difference.
type diffLine struct {
	// Kind is ' ' for a line of both texts, '-' and '+' for one of the earlier and the later one, '@' where lines are left out.
	Kind byte
	Text string
}

// difference returns how two texts differ, nil if they do not.
func difference(before, after []byte) (lines []diffLine) {
	if bytes.Equal(before, after) {
		return nil
	}
	changed := string(diff.Diff("before", before, "after", after))
	hunk := false
	for line := range strings.Lines(changed) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "@@"):
			if hunk {
				lines = append(lines, diffLine{Kind: '@'})
			}
			hunk = true
		case hunk && line != "":
			lines = append(lines, diffLine{line[0], line[1:]})
		}
	}
	return lines
}
