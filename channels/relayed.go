package channels

import "strings"

// The kinds of attachments that hold words of somebody else than the author: a forwarded message, one that another bot wrote
// for the author, and a preview of a page.
const (
	Forwarded = "forwarded"
	ViaBot    = "via bot"
	Embedded  = "embed"
)

// relayed are the beginnings of the notes that stand for them in a text.
var relayed = []string{"[" + Forwarded + ": ", "[" + ViaBot + ": ", "[" + Embedded + ": "}

// OwnWords returns a text in which spaces stand for the words that its author only passes on: quoted lines, which begin with ">",
// and notes about what was forwarded. Positions stay the same.
func OwnWords(text string) string {
	if !strings.ContainsAny(text, ">[") {
		return text // most texts
	}
	own := []byte(text)
	for at := 0; at < len(text); {
		end := at + len(text[at:])
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if strings.HasPrefix(strings.TrimLeft(text[at:end], " \t"), ">") {
			erase(own[at:end])
		}
		at = end
	}
	for _, mark := range relayed {
		for at := 0; ; {
			i := strings.Index(text[at:], mark)
			if i < 0 {
				break
			}
			end := len(text)
			if j := strings.IndexByte(text[at+i:], ']'); j >= 0 {
				end = at + i + j + 1
			}
			erase(own[at+i : end])
			at = end
		}
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
