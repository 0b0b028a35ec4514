package markdown

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Shown parses md as every network shows it. No text hides where a link leads: its address follows it, and there are no
// spans of the kind Link. Apps make links of addresses by themselves; those of other schemes than http and https are
// broken by an invisible character, except in code, because a tg:// address can open a chat or change a setting.
func Shown(md string) Document {
	return Parse(md).withAddresses().withoutSchemes()
}

// withAddresses writes the address of each link after its text and removes the link.
func (d Document) withAddresses() Document {
	var addresses []insertion
	for _, s := range d.Spans {
		if address := address(s.Info); s.Kind == Link && address != "" && address != d.Text[s.Start:s.End] {
			addresses = append(addresses, insertion{s.End, " (" + address + ")"})
		}
	}
	return d.insert(addresses).Map(func(s Span) (Span, bool) { return s, s.Kind != Link })
}

var scheme = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://`)

// withoutSchemes breaks the addresses outside code that do not lead to the web.
func (d Document) withoutSchemes() Document {
	var breaks []insertion
	for _, m := range scheme.FindAllStringIndex(d.Text, -1) {
		if name := strings.ToLower(d.Text[m[0]:m[1]]); name != "http://" && name != "https://" && !d.isCode(m[0], m[1]) {
			breaks = append(breaks, insertion{m[1] - len("//"), "\u200b"})
		}
	}
	return d.insert(breaks)
}

// isCode reports whether the text from start to end is in code.
func (d Document) isCode(start, end int) bool {
	return slices.ContainsFunc(d.Spans, func(s Span) bool { return (s.Kind == Code || s.Kind == Pre) && s.Start <= start && end <= s.End })
}

// address returns the target of a link as it is written in text: on one line, and so that networks find its end.
func address(target string) string {
	return strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", "[", "%5B", "]", "%5D", "\n", "", "\r", "", "\t", "").Replace(target)
}

// insertion is text to insert before the byte at of a Document's text.
type insertion struct {
	at   int
	text string
}

// insert returns d with further text. What is inserted at an end of a span is outside it.
func (d Document) insert(all []insertion) Document {
	if len(all) == 0 {
		return d
	}
	all = slices.SortedStableFunc(slices.Values(all), func(a, b insertion) int { return cmp.Compare(a.at, b.at) })
	var text strings.Builder
	at := 0
	for _, in := range all {
		text.WriteString(d.Text[at:in.at] + in.text)
		at = in.at
	}
	text.WriteString(d.Text[at:])
	before := func(p int) (bytes int) {
		for _, in := range all {
			if in.at < p {
				bytes += len(in.text)
			}
		}
		return bytes
	}
	spans := make([]Span, len(d.Spans))
	for i, s := range d.Spans {
		spans[i] = Span{s.Start + before(s.Start+1), s.End + before(s.End), s.Kind, s.Info}
	}
	return Document{Text: text.String(), Spans: spans}
}
