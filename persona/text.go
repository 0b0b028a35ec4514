package persona

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"familiar/internal/lazyregexp"
	"familiar/memory/belief"
)

// cut keeps the first n runes of s.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
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

// attached are the notes on what came with a message: nobody said them.
var attached = lazyregexp.New(`\s*\[(?:image|audio|video|file|sticker|voice|location)\b[^\]]*(?:\]|$)`)

// unattached is a text without the notes on what came with it.
func unattached(text string) string {
	if !strings.Contains(text, "[") {
		return text
	}
	return attached.ReplaceAllString(text, "")
}

// listed joins values as one says them: "a", "a and b", "a, b and c".
func listed(values []string) string {
	switch n := len(values); n {
	case 0:
		return ""
	case 1:
		return values[0]
	default:
		return strings.Join(values[:n-1], ", ") + " and " + values[n-1]
	}
}

// plainWord is a word in lower case without the punctuation around it.
func plainWord(w string) string { return strings.ToLower(bareWord(w)) }

// bareWord is a word without the punctuation around it, its apostrophe made plain.
func bareWord(w string) string { return strings.Trim(plainApostrophe(w), ".,;:!?\"“”()") }

func plainApostrophe(w string) string { return strings.ReplaceAll(w, "’", "'") }

// sameText says that two texts are the same but for case and the space around them.
func sameText(a, b string) bool { return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) }

// asksOnly says that a text holds nothing but questions.
func asksOnly(text string) bool {
	if text = head(text); !strings.Contains(text, "?") {
		return false
	}
	parts := sentences(unattached(text))
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(s string) bool { return !strings.HasSuffix(s, "?") })
}

// shownRunes cuts a remembered line in a list.
const shownRunes = 240

// asksQuiet says that a text is nothing but the wish for silence: "stop", "please be quiet".
func asksQuiet(text string) bool {
	if len(text) > quietLimit {
		return false
	}
	said := slices.DeleteFunc(tokens(text), aroundQuiet.has)
	return quietWords[strings.Join(said, " ")]
}

// quietLimit is how long a wish for silence may be, in bytes.
const quietLimit = 60

var (
	// aroundQuiet are the words that may stand around a wish for silence.
	aroundQuiet = words("please ok okay now just oh hey thanks")
	quietWords  = map[string]bool{
		"stop": true, "cancel": true, "abort": true, "stop it": true, "stop talking": true, "stop that": true, "stop stop": true,
		"be quiet": true, "quiet": true, "hush": true, "shush": true, "shut up": true, "leave me alone": true, "be silent": true,
	}
)

// ownWords are those and the words for oneself with others.
var ownWords = words("i me my mine myself i'm i've i'd i'll im ive we us our ours we're we've we'll")

// capital begins a text with a capital letter.
func capital(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

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

// stated is a text without its questions, which tell nothing; one that only asks is left whole.
func stated(text string) string {
	if !strings.Contains(text, "?") || asksOnly(text) {
		return text
	}
	return strings.Join(slices.DeleteFunc(sentences(head(text)), func(s string) bool { return strings.HasSuffix(s, "?") }), " ")
}
