package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/internal/lazyregexp"
	"familiar/memory/belief"
)

// Cut returns the first n runes of s.
func Cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Excerpt returns a text for quoting: on one line, cut at a word if it is long, without quotation marks of its own, notes
// about attachments and marks of what has changed since: a quote carries its own date.
func Excerpt(text string) string {
	for _, mark := range []string{belief.MarkRetold, belief.MarkChanged} {
		text = strings.ReplaceAll(text, " "+mark, "")
	}
	if bare := unattached(Head(text)); strings.TrimSpace(bare) != "" {
		text = bare
	}
	text = strings.NewReplacer("“", "", "”", "", "\"", "").Replace(strings.Join(strings.Fields(Head(text)), " "))
	if utf8.RuneCountInString(text) <= QuoteLimit {
		return strings.TrimRight(text, ".")
	}
	text = Cut(text, QuoteLimit)
	if i := strings.LastIndexByte(text, ' '); i > 0 {
		text = text[:i]
	}
	return strings.TrimRight(text, " .,;:") + "…"
}

// ExcerptAbout returns an excerpt that starts with the sentence closest to a topic if the text is long, and ends when
// enough is quoted.
func ExcerptAbout(text string, topic Set) string {
	text = Head(text)
	if utf8.RuneCountInString(text) <= quoteWhole {
		return Excerpt(text)
	}
	parts := Sentences(Stated(text))
	best, most := 0, 0
	for i, s := range parts {
		if n := SharedWith(topic, s); n > most {
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
	return Excerpt(chosen)
}

// attached are the notes about attachments, which the author did not write.
var attached = lazyregexp.New(`\s*\[(?:image|audio|video|file|sticker|voice|location|forwarded|via bot|embed)\b[^\]]*(?:\]|$)`)

// unattached returns a text without the notes about attachments.
func unattached(text string) string {
	if !strings.Contains(text, "[") {
		return text
	}
	return attached.ReplaceAllString(text, "")
}

// Listed joins values in prose: "a", "a and b", "a, b and c".
func Listed(values []string) string {
	switch n := len(values); n {
	case 0:
		return ""
	case 1:
		return values[0]
	default:
		return strings.Join(values[:n-1], ", ") + " and " + values[n-1]
	}
}

// PlainWord returns a word in lower case without surrounding punctuation.
func PlainWord(w string) string { return strings.ToLower(BareWord(w)) }

// BareWord returns a word without surrounding punctuation and with plain apostrophes.
func BareWord(w string) string { return strings.Trim(PlainApostrophe(w), ".,;:!?\"“”()") }

// PlainApostrophe replaces typographic apostrophes with plain ones.
func PlainApostrophe(w string) string { return strings.ReplaceAll(w, "’", "'") }

// SameText reports whether two texts are equal except for case and surrounding space.
func SameText(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) }

// AsksOnly reports whether a text contains nothing but questions.
func AsksOnly(text string) bool {
	if text = Head(text); !strings.Contains(text, "?") {
		return false
	}
	parts := Sentences(unattached(text))
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(s string) bool { return !strings.HasSuffix(s, "?") })
}

// ShownRunes is the length of a memory in a list, in runes.
const ShownRunes = 240

// AsksQuiet reports whether a text only asks for silence: "stop", "please be quiet".
func AsksQuiet(text string) bool {
	if len(text) > quietLimit {
		return false
	}
	said := slices.DeleteFunc(Tokens(text), aroundQuiet.Has)
	return quietWords[strings.Join(said, " ")]
}

// quietLimit is the longest request for silence, in bytes.
const quietLimit = 60

var (
	// aroundQuiet are words that may surround a request for silence.
	aroundQuiet = Of("please ok okay now just oh hey thanks")
	quietWords  = map[string]bool{
		"stop": true, "cancel": true, "abort": true, "stop it": true, "stop talking": true, "stop that": true, "stop stop": true,
		"be quiet": true, "quiet": true, "hush": true, "shush": true, "shut up": true, "leave me alone": true, "be silent": true,
	}
)

// OwnWords are the first-person words, singular and plural.
var OwnWords = Of("i me my mine myself i'm i've i'd i'll im ive we us our ours we're we've we'll")

// Capital capitalizes a text.
func Capital(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

const (
	// QuoteLimit is the longest quote, in characters: two lines of a chat.
	QuoteLimit = 220
	// quoteWhole is the length up to which a text is quoted unchanged. Of a longer one, the sentences about the topic
	// are quoted.
	quoteWhole = 90
	// quoteWanted is how much to quote if whole sentences can be left out.
	quoteWanted = 160
	// TwoQuotes is the greatest length of two quotes together.
	TwoQuotes = 260
)

// Stated returns a text without its questions, or the whole text if it only asks.
func Stated(text string) string {
	if !strings.Contains(text, "?") || AsksOnly(text) {
		return text
	}
	return strings.Join(slices.DeleteFunc(Sentences(Head(text)), func(s string) bool { return strings.HasSuffix(s, "?") }), " ")
}
