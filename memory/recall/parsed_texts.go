package recall

import (
	"sync"

	"familiar/memory/understand/retraction"
)

// maxParsedTexts bounds how many parsed texts are cached, and maxParsedBytes how long each is. When the cache is full, all of
// them are dropped.
const (
	maxParsedTexts = 2048
	maxParsedBytes = 1 << 10
)

// parsedTexts keeps texts as retraction.Parse reads them: with each turn the same running talk is looked through for what was
// taken back. Its zero value is empty and ready; a nil one keeps nothing.
type parsedTexts struct {
	mu    sync.Mutex
	texts map[string]retraction.Earlier
}

// parse is retraction.Parse. The result is shared: do not change it.
func (c *parsedTexts) parse(text string) retraction.Earlier {
	if c == nil || len(text) > maxParsedBytes {
		return retraction.Parse(text)
	}
	c.mu.Lock()
	e, known := c.texts[text]
	c.mu.Unlock()
	if known {
		return e
	}
	e = retraction.Parse(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.texts == nil || len(c.texts) >= maxParsedTexts {
		c.texts = map[string]retraction.Earlier{}
	}
	c.texts[text] = e
	return e
}
