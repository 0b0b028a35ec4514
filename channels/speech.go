package channels

import "strings"

// Speech says whose words a recording holds.
type Speech string

// The kinds of recordings.
const (
	// NoSpeech is an attachment that is no recording.
	NoSpeech Speech = ""
	// OwnSpeech was recorded in the chat: the words are its author's.
	OwnSpeech Speech = "own"
	// PassedOn is an audio file, or a recording that was forwarded: its author need not have said it.
	PassedOn Speech = "passed on"
)

// Hearing is what became of a recording.
type Hearing string

// What may become of a recording.
const (
	// Unheard is a recording that nobody has listened to yet.
	Unheard Hearing = ""
	// Heard is a recording whose words are known.
	Heard Hearing = "heard"
	// Silent is a recording without words.
	Silent Hearing = "silent"
	// TooLong is one that is longer or larger than is listened to.
	TooLong Hearing = "too long"
	// NoFormat is one in a format that cannot be read.
	NoFormat Hearing = "format"
	// OverCap is one that a cap on the use of models forbids.
	OverCap Hearing = "cap"
	// Failed is one that could not be fetched or listened to.
	Failed Hearing = "failed"
	// Deaf is one that came while the persona could not listen at all.
	Deaf Hearing = "deaf"
)

// unheardNotes say in a note why the words of a recording are not known.
var unheardNotes = map[Hearing]string{
	Silent: "no words in it", TooLong: "not heard, it is too long", NoFormat: "not heard, its format is unknown",
	OverCap: "not heard, a limit is reached", Failed: "not heard", Deaf: "not heard",
}

// spokenNote marks the words before it as spoken: they were written down by a machine and may be misheard.
const spokenNote = "[spoken]"

// IsSpoken reports whether words of a full text were spoken.
func IsSpoken(fullText string) bool { return strings.Contains(fullText, spokenNote) }

// Recordings returns the places of the attachments that nobody has listened to yet.
func (m Message) Recordings() (places []int) {
	for i, a := range m.Attachments {
		if a.Speech != NoSpeech && a.Hearing == Unheard && (a.Ref != "" || a.Path != "") {
			places = append(places, i)
		}
	}
	return places
}

// Spoken reports whether words of the message were spoken. Such a message is no command, since words may be misheard.
func (m Message) Spoken() bool {
	for _, a := range m.Attachments {
		if a.Speech == OwnSpeech && a.Hearing == Heard {
			return true
		}
	}
	return false
}

// OnlySpoken reports whether all of the message was spoken.
func (m Message) OnlySpoken() bool {
	for _, a := range m.Attachments {
		if a.Speech != OwnSpeech || a.Hearing != Heard {
			return false
		}
	}
	return len(m.Attachments) > 0
}

// WithSpeech returns m with what became of its recording at a place: if it was heard, with its words as the author's own or as
// what they passed on.
func (m Message) WithSpeech(place int, h Hearing, words string) Message {
	all := make([]Attachment, len(m.Attachments))
	copy(all, m.Attachments)
	m.Attachments = all
	a := &m.Attachments[place]
	words = oneLine(words)
	switch a.Hearing = h; {
	case h != Heard:
	case words == "":
		a.Hearing = Silent
	case a.Speech == OwnSpeech:
		m.Text = strings.TrimSpace(m.Text + "\n" + plainly(words))
	default:
		a.Seen = words
	}
	return m
}

// plainly returns spoken words without what would mark them as a quotation or a command.
func plainly(words string) string { return strings.TrimLeft(words, "> \t/") }

// UnheardOnly returns why nothing of m is known but that it has a recording, false if there is anything else in it.
func (m Message) UnheardOnly() (why Hearing, only bool) {
	if strings.TrimSpace(m.Text) != "" {
		return "", false
	}
	for _, a := range m.Attachments {
		if a.Speech == NoSpeech || a.Hearing == Heard || a.Hearing == Unheard {
			return "", false
		}
		why = a.Hearing
	}
	return why, why != ""
}
