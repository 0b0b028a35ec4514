package recall

import (
	"familiar/internal/recent"
	"familiar/memory/understand/retraction"
)

// maxParsedTexts is how many parsed texts are cached at least, and maxParsedBytes how long each is at most.
const (
	maxParsedTexts = 1024
	maxParsedBytes = 1 << 10
)

var parsedTexts = recent.New(maxParsedTexts, retraction.Parse)

// parseText is retraction.Parse: with each turn the same running talk is looked through for what was taken back. The result is
// shared: do not change it.
func parseText(text string) retraction.Earlier {
	if len(text) > maxParsedBytes {
		return retraction.Parse(text)
	}
	return parsedTexts.Get(text)
}
