package channels

import "strings"

// FullText returns the message as it is remembered: its text, followed by a note in brackets for each attachment, such
// as "[image: a dog on a beach]" or, if the persona saw it, "[image: Rex; seen: a dog on a beach]". Brackets in a caption
// become parentheses, so that a note cannot end early.
func (m Message) FullText() string {
	said := strings.TrimSpace(m.Text)
	if len(m.Attachments) == 0 {
		return said
	}
	var b strings.Builder
	b.WriteString(said)
	for _, a := range m.Attachments {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(a.note())
	}
	return b.String()
}

func (a Attachment) note() string {
	kind := oneLine(a.Kind)
	if kind == "" {
		kind = "file"
	}
	about := oneLine(a.Caption)
	if about == "" {
		about = oneLine(a.Name)
	}
	if about != "" {
		kind += ": " + about
	}
	if seen := oneLine(a.Seen); seen != "" {
		kind += seenMark + seen
	}
	return "[" + kind + "]"
}

// Said returns a full text without what its author did not say: what the persona saw in the attachments, quoted lines, and
// what was forwarded. Spaces stand for the latter two.
func Said(fullText string) string {
	fullText = OwnWords(fullText)
	var said strings.Builder
	for {
		before, after, found := strings.Cut(fullText, seenMark)
		said.WriteString(before)
		if !found {
			return said.String()
		}
		end := strings.IndexByte(after, ']')
		if end < 0 || strings.LastIndexByte(before, '[') <= strings.LastIndexByte(before, ']') {
			said.WriteString(seenMark) // it is part of no note
			end = 0
		}
		fullText = after[end:]
	}
}

// seenMark stands before what the persona saw.
const seenMark = "; seen: "

var unbracket = strings.NewReplacer("[", "(", "]", ")")

func oneLine(s string) string { return unbracket.Replace(strings.Join(strings.Fields(s), " ")) }
