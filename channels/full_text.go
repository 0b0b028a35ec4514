package channels

import "strings"

// FullText returns the message as it is remembered: its text, followed by a note in brackets for each attachment, such
// as "[image: a dog on a beach]" or, if the persona saw it, "[image: Rex; seen: a dog on a beach]". "[spoken]" follows words
// that were spoken. Brackets in a caption become parentheses, so that a note cannot end early.
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
	if a.Speech == OwnSpeech && a.Hearing == Heard {
		return spokenNote
	}
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
	seen := oneLine(a.Seen)
	switch {
	case seen != "" && a.Speech != NoSpeech:
		kind += heardMark + seen
	case seen != "":
		kind += seenMark + seen
	case unheardNotes[a.Hearing] != "":
		kind += "; " + unheardNotes[a.Hearing]
	}
	return "[" + kind + "]"
}

// Said returns a full text without what its author did not say: what the persona saw and heard in the attachments, quoted
// lines, and what was forwarded. Spaces stand for the latter two.
func Said(fullText string) string {
	fullText = strings.ReplaceAll(OwnWords(fullText), " "+spokenNote, "")
	var said strings.Builder
	for {
		before, mark, after := cutPerceived(fullText)
		said.WriteString(before)
		if mark == "" {
			return said.String()
		}
		end := strings.IndexByte(after, ']')
		if end < 0 || strings.LastIndexByte(before, '[') <= strings.LastIndexByte(before, ']') {
			said.WriteString(mark) // it is part of no note
			end = 0
		}
		fullText = after[end:]
	}
}

// seenMark stands before what the persona saw, heardMark before what is said in a recording that its author passes on.
const (
	seenMark  = "; seen: "
	heardMark = "; heard: "
)

// cutPerceived cuts a text at the first of these marks, which is "" if there is none.
func cutPerceived(text string) (before, mark, after string) {
	at := -1
	for _, m := range []string{seenMark, heardMark} {
		if i := strings.Index(text, m); i >= 0 && (at < 0 || i < at) {
			at, mark = i, m
		}
	}
	if at < 0 {
		return text, "", ""
	}
	return text[:at], mark, text[at+len(mark):]
}

var unbracket = strings.NewReplacer("[", "(", "]", ")")

func oneLine(s string) string { return unbracket.Replace(strings.Join(strings.Fields(s), " ")) }
