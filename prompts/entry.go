package prompts

import (
	"strings"
	"time"
	"unicode"
)

// lineBreak stands for a line break inside an entry.
const lineBreak = " ⏎ "

// nameRunes is the longest name shown; networks allow far longer ones.
const nameRunes = 40

// stampLayout is how an entry shows when it was said.
const stampLayout = "Mon 2006-01-02 15:04"

// Entry is one thing somebody said, as a prompt quotes it.
type Entry struct {
	// Name is the speaker's, ignored where Self or Note.
	Name string
	// Self says that the persona spoke; Note that nobody did: it is the operator's lore or the persona's own note.
	Self, Note bool
	Text       string
	// At is shown in its own location; the zero time is not shown.
	At time.Time
}

// line is the entry on one line: when, who, what. self is the persona's name.
func (e Entry) line(self string) string {
	return e.head(self) + oneLine(e.Text)
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
	return e.At.Format(stampLayout) + " | " + who + ": "
}

// texts is what of the entry other people wrote.
func (e Entry) texts() []string { return []string{e.Name, e.Text} }

// reserved are names that an entry or a chat format uses for somebody else.
var reserved = map[string]bool{
	"you": true, "system": true, "assistant": true, "user": true, "human": true, "model": true, "tool": true,
	"developer": true, "operator": true, "note": true,
}

// speaker is a name fit to stand before a colon. One that claims to be the persona, a role or nobody is marked as a
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
	folded := bare(name)
	switch {
	case folded == "":
		return "somebody"
	case reserved[folded] || folded == bare(self):
		return name + " (a person of that name)"
	}
	return name
}

// oneLine is a text without characters that hide or rearrange others, on one line, chat formats' own marks broken up.
func oneLine(text string) string {
	lines := strings.Split(plain(text), "\n")
	kept := lines[:0]
	for _, l := range lines {
		if l = strings.TrimRightFunc(l, unicode.IsSpace); l != "" {
			kept = append(kept, l)
		}
	}
	return strings.TrimSpace(strings.Join(kept, lineBreak))
}

// plain drops what cannot be seen (control, format, bidi and zero-width characters, fillers, variation selectors
// beyond the emoji's) and breaks up the marks with which models are told who speaks. Line breaks of every kind
// become \n, tabs become spaces.
func plain(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	text = strings.Map(func(r rune) rune {
		switch {
		case ' ' <= r && r <= '~': // most, without asking the tables
			return r
		case r == '\n', r == '\r', r == '\v', r == '\f', r == 0x85, r == 0x2028, r == 0x2029:
			return '\n'
		case r == '\t':
			return ' '
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r), unicode.Is(hidden, r):
			return -1
		}
		return r
	}, text)
	return breakMarks.Replace(text)
}

// hidden are letters and marks that show nothing: fillers and selectors, which can carry text nobody sees.
var hidden = &unicode.RangeTable{
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

// breakMarks parts the marks of common chat formats with a space. A local server may read them as a change of role
// wherever they stand. The order matters: "<|>" holds two of them.
var breakMarks = strings.NewReplacer(
	"<|>", "< | >", "<|", "< |", "|>", "| >",
	"[INST]", "[ INST]", "[/INST]", "[ /INST]", "[inst]", "[ inst]", "[/inst]", "[ /inst]",
	"<<SYS>>", "< <SYS> >", "<</SYS>>", "< </SYS> >",
	"<s>", "< s>", "</s>", "< /s>", "<bos>", "< bos>", "<eos>", "< eos>",
	"<start_of_turn>", "< start_of_turn>", "<end_of_turn>", "< end_of_turn>",
)
