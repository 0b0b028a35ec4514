package mind

import (
	"slices"
	"strings"

	"familiar/internal/text"
)

// Phrases that structure a conversation. The tables are English; another language adds its own.
var (
	// turning begin a message that changes the subject.
	turning = phrases(
		"by the way", "btw", "anyway", "anyways", "anyhow", "another thing", "one more thing", "something else", "different topic",
		"different question", "new topic", "new question", "next question", "changing the subject", "on another note", "on a different note",
		"let's talk about", "can we talk about", "moving on", "speaking of something else", "before i forget", "oh and another",
	)
	// fillers may precede them.
	fillers = phrases("ok", "okay", "so", "well", "oh", "and", "right", "thanks", "thank you", "great", "cool", "hmm", "alright", "now")
	// concluded say that a matter is settled.
	concluded = phrases(
		"that worked", "it works now", "that works now", "that solved it", "that fixed it", "problem solved", "all done",
		"we're done", "i'm done with", "that's all i needed", "that's all for", "that's it for", "got it working", "that answers",
		"exactly what i needed", "that helped", "that helps",
	)
	// retold remind the persona of something it was told before.
	retold = phrases(
		"i told you", "i already told", "i already said", "i've told you", "i've already", "as i said", "like i said", "you forgot",
		"don't you remember", "you don't remember", "i said that already", "i mentioned that", "we talked about this", "i just told you", "i just said",
	)
)

// cueLimit is how much of a text is searched for phrases, in bytes: they occur at its beginning.
const cueLimit = 2 << 10

// turnsAway reports whether a text begins by changing the subject.
func turnsAway(text string) bool {
	text = plain(text)
	for range 3 {
		for _, w := range fillers {
			if strings.HasPrefix(text, w) {
				text = text[len(w)-1:]
			}
		}
	}
	for _, w := range turning {
		if strings.HasPrefix(text, w) {
			return true
		}
	}
	return false
}

// concludes reports whether a text says that a matter is settled.
func concludes(text string) bool { return saysAny(plain(text), concluded) }

// remindsOfTelling reports whether a text reminds the persona of something it was told before.
func remindsOfTelling(text string) bool { return saysAny(plain(text), retold) }

// phrases returns phrases with the spaces around them in a plain text.
func phrases(list ...string) []string {
	for i, p := range list {
		list[i] = " " + p + " "
	}
	return list
}

// saysAny reports whether a plain text contains one of the phrases as whole words.
func saysAny(text string, wordings []string) bool {
	return slices.ContainsFunc(wordings, func(w string) bool { return strings.Contains(text, w) })
}

// plain returns the beginning of a text in lower case, as words with a space before and after each, for phrase
// searches.
func plain(text string) string {
	if len(text) > cueLimit {
		text = strings.ToValidUTF8(text[:cueLimit], "")
	}
	var b strings.Builder
	b.WriteByte(' ')
	for w := range strings.FieldsFuncSeq(strings.ReplaceAll(strings.ToLower(text), "’", "'"), parts) {
		if w = strings.Trim(w, "'-"); w != "" {
			b.WriteString(w)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// parts reports whether a character separates words.
func parts(r rune) bool { return !text.IsWord(r) && r != '\'' && r != '-' }
