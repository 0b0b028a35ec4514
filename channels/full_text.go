package channels

import "strings"

// FullText is the message as it is remembered: its text, and for each attachment a note in brackets with what is known of
// it, "[image: a dog on a beach]". Brackets inside a caption become parentheses, so that a note ends where it seems to.
func (m Message) FullText() string {
	text := strings.TrimSpace(m.Text)
	if len(m.Attachments) == 0 {
		return text
	}
	var b strings.Builder
	b.WriteString(text)
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
	if about == "" {
		return "[" + kind + "]"
	}
	return "[" + kind + ": " + about + "]"
}

var unbracket = strings.NewReplacer("[", "(", "]", ")")

func oneLine(s string) string { return unbracket.Replace(strings.Join(strings.Fields(s), " ")) }
