package channels

import "strings"

// fence is one fenced code block in a text, by byte offsets: the opening line is [start, body), the code is
// [body, shut), the closing line without its newline is [shut, end). A fence nobody closed has shut and end at the
// end of the text.
type fence struct {
	start, body, shut, end int
	// opener is the opening line without its newline and indentation, marker its run of backticks or tildes.
	opener, marker string
}

// fences finds the fenced code blocks of text in order, by the rules of CommonMark 0.31 section 4.5.
func fences(text string) []fence {
	var found []fence
	open := false
	for at := 0; at < len(text); {
		line, next := lineAt(text, at)
		marker, info := fenceMarker(line)
		switch {
		case open && closes(found[len(found)-1].marker, marker, info):
			last := &found[len(found)-1]
			last.shut, last.end, open = at, at+len(line), false
		case !open && opens(marker, info):
			found = append(found, fence{
				start: at, body: next, shut: len(text), end: len(text),
				opener: marker + info, marker: marker,
			})
			open = true
		}
		at = next
	}
	return found
}

// lineAt returns the line that starts at offset at, without its newline, and where the next one starts.
func lineAt(text string, at int) (line string, next int) {
	line, _, ended := strings.Cut(text[at:], "\n")
	next = at + len(line)
	if ended {
		next++
	}
	return line, next
}

// fenceMarker reads the run of three or more backticks or tildes that starts line, and what follows it.
func fenceMarker(line string) (marker, info string) {
	bare := strings.TrimLeft(line, " ")
	if len(line)-len(bare) > 3 || bare == "" {
		return "", ""
	}
	after := strings.TrimLeft(bare, bare[:1])
	run := len(bare) - len(after)
	if run < 3 || bare[0] != '`' && bare[0] != '~' {
		return "", ""
	}
	return bare[:run], strings.TrimRight(after, "\r")
}

func opens(marker, info string) bool {
	return marker != "" && (marker[0] != '`' || !strings.Contains(info, "`"))
}

func closes(open, marker, info string) bool {
	return strings.HasPrefix(marker, open) && strings.TrimSpace(info) == ""
}
