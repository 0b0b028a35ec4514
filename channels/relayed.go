package channels

import (
	"regexp"
	"strings"
)

// The kinds of attachments that hold words of somebody else than the author: a forwarded message, one that another bot wrote
// for the author, and a preview of a page.
const (
	Forwarded = "forwarded"
	ViaBot    = "via bot"
	Embedded  = "embed"
)

// relayed matches a quoted line, and the note that stands for such an attachment in a text.
var relayed = regexp.MustCompile(`(?m)^[ \t]*>.*$|\[(?:` + Forwarded + `|` + ViaBot + `|` + Embedded + `): [^\]]*\]?`)

// OwnWords returns a text in which spaces stand for the words that its author only passes on: quoted lines, which begin with ">",
// and notes about what was forwarded. Positions stay the same.
func OwnWords(text string) string {
	if !strings.ContainsAny(text, ">[") {
		return text // most texts
	}
	own := []byte(text)
	for _, at := range relayed.FindAllStringIndex(text, -1) {
		erase(own[at[0]:at[1]])
	}
	return string(own)
}

// erase overwrites everything but line breaks with spaces.
func erase(part []byte) {
	for i, b := range part {
		if b != '\n' {
			part[i] = ' '
		}
	}
}
