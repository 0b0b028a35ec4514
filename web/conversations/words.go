package conversations

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"familiar/memory/conversation"
	"familiar/memory/log"
	"familiar/memory/model"
)

// roomKind says what kind of room it is.
func roomKind(r conversation.Room) string {
	if r.Direct {
		return "direct"
	}
	return "group of " + english.Plural(r.People, "person", "people")
}

// note is what came with a message beside its words: a picture, a recording, a file.
type note struct {
	// kind is "image" and the like. about is its caption or name, perceived what the persona saw or heard in it.
	kind, about, perceived string
}

// attached matches a note at the end of a message, as channels.Message.FullText writes it.
var attached = regexp.MustCompile(`\s*\[([^\[\]]+)\]$`)

// kinds are those of attachments that channels name.
var kinds = regexp.MustCompile(`^(?i)(image|picture|photo|video|audio|voice|voice note|voice message|recording|file|document|sticker|gif|animation|` +
	`location|contact|poll|attachment|message|view-once message|notice|forwarded|link)$`)

// marks stand in a note before what the persona perceived.
var marks = []string{"; seen: ", "; heard: ", "; not heard", "; no words in it"}

// split divides a message into its words, whether they were spoken, and notes on what came with them.
func split(text string) (words string, spoken bool, notes []note) {
	for {
		at := attached.FindStringSubmatchIndex(text)
		if at == nil {
			return text, spoken, notes
		}
		inside := text[at[2]:at[3]]
		if n := readNote(inside); kinds.MatchString(n.kind) {
			notes = append([]note{n}, notes...)
		} else if inside == "spoken" {
			spoken = true
		} else {
			return text, spoken, notes // somebody wrote the brackets
		}
		text = text[:at[0]]
	}
}

// wordsOf returns the words of a message, or what came with it if it has none.
func wordsOf(text string) string {
	words, _, notes := split(text)
	if words == "" && len(notes) > 0 {
		return notes[0].kind
	}
	return words
}

func readNote(inside string) (n note) {
	for _, m := range marks {
		if before, after, found := strings.Cut(inside, m); found {
			inside, n.perceived = before, strings.TrimPrefix(m, "; ")+after
			break
		}
	}
	n.kind, n.about, _ = strings.Cut(inside, ": ")
	return n
}

// took words how long something took.
func took(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// delivery words what became of a text on its way to the network, "" if it was delivered. Kind is that of a badge.
func delivery(o *log.OutboxEntry) (kind, text string) {
	if o == nil {
		return "", ""
	}
	switch o.State() {
	case log.Waiting:
		return "warn", "waits to be sent"
	case log.DeadLetter:
		if o.MaybeShown {
			return "bad", "perhaps not delivered"
		}
		return "bad", "not delivered"
	case log.Dropped:
		return "muted", "not delivered, and dropped"
	}
	return "", ""
}

// gone words why a message has no text.
func gone(m conversation.Said) string {
	switch {
	case m.Delivery != nil && m.Delivery.State() == log.Dropped:
		return "This was never delivered, and its text was dropped."
	case m.PersonID == 0:
		return "This answer was taken back, or went with what it was made from."
	}
	return "This was taken back or forgotten."
}

// title words what a session is.
func title(s conversation.Session) string {
	about := english.Plural(s.Messages, "message", "")
	if s.Ended.IsZero() {
		return about + ", still going on"
	}
	if s.Class != "" && s.Class != model.Routine {
		return about + ", " + strings.ReplaceAll(s.Class, "_", " ")
	}
	return about
}

// foldAt is how many characters of a text a list shows.
const foldAt = 600

// fold divides a text into what a list shows of it and the rest.
func fold(text string) (start, rest string) {
	runes := []rune(text)
	if len(runes) <= foldAt {
		return text, ""
	}
	return string(runes[:foldAt]), string(runes[foldAt:])
}
