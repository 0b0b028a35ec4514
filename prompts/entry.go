package prompts

import (
	"strings"
	"time"
	"unicode"

	"familiar/internal/recent"
)

// lineBreak represents a line break in an entry.
const lineBreak = " ⏎ "

// nameRunes is the longest name shown; networks allow much longer ones.
const nameRunes = 40

// timeLayout is the format of an entry's time.
const timeLayout = "Mon 2006-01-02 15:04"

// Entry is one message as a prompt quotes it.
type Entry struct {
	// Name is the speaker's name, ignored if Self or Note.
	Name string
	// Self reports that the persona spoke. Note reports a text without a speaker: the operator's lore or the persona's
	// own note.
	Self, Note bool
	Text       string
	// At is shown in its own time zone; the zero time is not shown.
	At time.Time
}

// line returns the entry on one line: time, speaker, text. self is the persona's name.
func (e Entry) line(self string) string {
	return e.head(self) + oneLine(e.Text)
}

// said returns the entry on one line without its time.
func (e Entry) said(self string) string {
	e.At = time.Time{}
	return e.line(self)
}

// text returns the entry's words on one line.
func (e Entry) text() string { return oneLine(e.Text) }

// since returns the day of the entry as a part of a reason, "" if it has none.
func (e Entry) since() string {
	if e.At.IsZero() {
		return ""
	}
	return ", of " + e.At.Format(dayLayout)
}

func (e Entry) head(self string) string {
	who := speaker(e.Name, self)
	switch {
	case e.Self:
		who = "you"
	case e.Note:
		who = "note"
	}
	if e.At.IsZero() {
		return who + ": "
	}
	return e.At.Format(timeLayout) + " | " + who + ": "
}

// reserved are names that an entry or a chat format uses for other speakers.
var reserved = map[string]bool{
	"you": true, "system": true, "assistant": true, "user": true, "human": true, "model": true, "tool": true,
	"developer": true, "operator": true, "note": true,
}

// speaker returns a name that is safe before a colon. A name that imitates the persona or a role is marked as a
// person's.
func speaker(name, self string) string {
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(":|<>[]{}⏎", r) || unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, oneLine(name))
	name = strings.Join(strings.Fields(name), " ")
	if runes := []rune(name); len(runes) > nameRunes {
		name = strings.TrimSpace(string(runes[:nameRunes])) + "…"
	}
	normalized := normalizedLetters(name)
	switch {
	case normalized == "":
		return "somebody"
	case reserved[normalized] || normalized == normalizedLetters(self):
		return name + " (a person of that name)"
	}
	return name
}

// oneLine returns text on one line, without characters that hide or reorder others, and with chat-format marks broken
// up. Most of a prompt is the same as in the turn before.
var oneLine = recent.Texts(keptLines, keptBytes, singleLine)

// The lines that are kept: more than a few prompts have.
const keptLines, keptBytes = 4000, 1 << 10

func singleLine(text string) string {
	lines := strings.Split(plain(text), "\n")
	kept := lines[:0]
	for _, l := range lines {
		if l = strings.TrimRightFunc(l, unicode.IsSpace); l != "" {
			kept = append(kept, l)
		}
	}
	return strings.TrimSpace(strings.Join(kept, lineBreak))
}

// plain removes invisible characters (control, format, bidi and zero-width characters, fillers, variation selectors
// except for emoji) and breaks up the marks that tell models who speaks. Line breaks of every kind become \n, tabs
// become spaces.
func plain(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	text = strings.Map(func(r rune) rune {
		switch {
		case ' ' <= r && r <= '~': // the common case, without a table lookup
			return r
		case r == '\n', r == '\r', r == '\v', r == '\f', r == 0x85, r == 0x2028, r == 0x2029:
			return '\n'
		case r == '\t':
			return ' '
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r), unicode.Is(invisible, r):
			return -1
		}
		return r
	}, text)
	return withoutFence(breakMarks.Replace(text))
}

// invisible are letters and marks that show nothing: fillers and selectors, which can carry hidden text.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034F, Hi: 0x034F, Stride: 1},
		{Lo: 0x115F, Hi: 0x1160, Stride: 1},
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1},
		{Lo: 0x180B, Hi: 0x180F, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xFE00, Hi: 0xFE0E, Stride: 1},
		{Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0xE0000, Hi: 0xE0FFF, Stride: 1}},
}

// breakMarks inserts a space into the marks of common chat formats: a local server may interpret them as a change of
// role anywhere in the text. The order matters: "<|>" contains two marks.
var breakMarks = strings.NewReplacer(
	"<|>", "< | >", "<|", "< |", "|>", "| >",
	"[INST]", "[ INST]", "[/INST]", "[ /INST]", "[inst]", "[ inst]", "[/inst]", "[ /inst]",
	"<<SYS>>", "< <SYS> >", "<</SYS>>", "< </SYS> >",
	"<s>", "< s>", "</s>", "< /s>", "<bos>", "< bos>", "<eos>", "< eos>",
	"<start_of_turn>", "< start_of_turn>", "<end_of_turn>", "< end_of_turn>",
)
