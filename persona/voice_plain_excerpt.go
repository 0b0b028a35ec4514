package persona

import (
	"strings"
	"unicode/utf8"

	"familiar/internal/lazyregexp"
	"familiar/memory/belief"
)

const (
	// quoteLimit is the longest quote, in characters: two lines of a chat.
	quoteLimit = 220
	// quoteWhole is up to where a text is quoted as it is: of a longer one, the sentences about the topic.
	quoteWhole = 90
	// quoteWanted is how much is quoted where whole sentences can be left out.
	quoteWanted = 160
	// twoQuotes is how long two quotes may be together.
	twoQuotes = 260
)

// attached are the notes on what came with a message: nobody said them.
var attached = lazyregexp.New(`\s*\[(?:image|audio|video|file|sticker|voice|location)\b[^\]]*(?:\]|$)`)

// unattached is a text without the notes on what came with it.
func unattached(text string) string {
	if !strings.Contains(text, "[") {
		return text
	}
	return attached.ReplaceAllString(text, "")
}

// excerptAbout is an excerpt that, of a longer text, begins with the sentence nearest to a topic and ends where enough
// was quoted.
func excerptAbout(text string, topic wordSet) string {
	for _, mark := range []string{belief.MarkRetold, belief.MarkChanged} {
		text = strings.ReplaceAll(text, " "+mark, "") // a quote says when it was said
	}
	if bare := unattached(head(text)); strings.TrimSpace(bare) != "" {
		text = bare
	}
	text = head(text)
	if utf8.RuneCountInString(text) <= quoteWhole {
		return excerpt(text)
	}
	parts := sentences(stated(text))
	best, most := 0, 0
	for i, s := range parts {
		if n := sharedWith(topic, s); n > most {
			best, most = i, n
		}
	}
	chosen := parts[best]
	for _, s := range parts[best+1:] {
		if utf8.RuneCountInString(chosen)+utf8.RuneCountInString(s) > quoteWanted {
			break
		}
		chosen += " " + s
	}
	return excerpt(chosen)
}

// excerpt is a text as it is quoted: on one line, cut at a word when it is long, without quotation marks of its own.
func excerpt(text string) string {
	text = strings.NewReplacer("“", "", "”", "", "\"", "").Replace(strings.Join(strings.Fields(head(text)), " "))
	if utf8.RuneCountInString(text) <= quoteLimit {
		return strings.TrimRight(text, ".")
	}
	text = cut(text, quoteLimit)
	if i := strings.LastIndexByte(text, ' '); i > 0 {
		text = text[:i]
	}
	return strings.TrimRight(text, " .,;:") + "…"
}
