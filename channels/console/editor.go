package console

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textarea"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// maxTyped is the longest text in bytes that is edited in place. The editor lays out all of its text with every key,
// and drops lines beyond the ten thousandth.
const maxTyped = 8 << 10

// beyond marks the editor's rows below its text. The editor takes no control characters, so no text can hold it.
const beyond = '\x00'

// editor is the text being typed: a text area as tall as its text, with the history and with room for long pastes.
type editor struct {
	area   textarea.Model
	prompt string

	history *history
	back    int    // how many entries back in the history the text is from, 0 for the draft
	draft   string // the text before the history was entered

	// pasted are the texts that are not edited in place. Each has a mark in the text that stands for it.
	pasted []string
}

func newEditor(prompt string, look look) editor {
	area := textarea.New()
	area.ShowLineNumbers = false
	area.CharLimit, area.MaxHeight, area.MaxWidth = 0, 0, 0
	area.EndOfBufferCharacter = beyond
	area.FocusedStyle, area.BlurredStyle = textarea.Style{}, textarea.Style{}
	area.Cursor.Style = look.cursor
	area.Cursor.SetMode(cursor.CursorStatic)
	area.SetPromptFunc(ansi.StringWidth(prompt), func(row int) string {
		if row == 0 {
			return prompt
		}
		return ""
	})
	area.KeyMap.InsertNewline.SetKeys("alt+enter", "ctrl+j")
	area.KeyMap.WordForward.SetKeys("alt+right", "alt+f", "ctrl+right")
	area.KeyMap.WordBackward.SetKeys("alt+left", "alt+b", "ctrl+left")
	area.KeyMap.Paste.SetEnabled(false) // the clipboard of the machine this runs on need not be the person's
	area.Focus()
	return editor{area: area, prompt: prompt}
}

// resize fits the editor into width columns and at most height rows.
func (e *editor) resize(width, height int) {
	e.area.SetWidth(width)
	e.area.SetHeight(height)
}

// rows are what the editor shows.
func (e *editor) rows() []string {
	rows := strings.Split(e.area.View(), "\n")
	for i, row := range rows {
		if strings.ContainsRune(row, beyond) {
			return rows[:i]
		}
		rows[i] = strings.TrimRight(row, " ") // a row as wide as the terminal breaks when it becomes narrower
	}
	return rows
}

func (e *editor) empty() bool { return e.area.LineCount() == 1 && e.area.Length() == 0 }

// press applies a key that edits.
func (e *editor) press(k tea.KeyMsg) {
	line := e.area.LineInfo()
	switch {
	case k.Paste:
		e.insert(harmless(string(k.Runes)))
		return
	case k.Type == tea.KeyRunes && !k.Alt: // what is typed quickly comes in words, and "end" is no key then
		e.area.InsertString(harmless(string(k.Runes)))
		e.area, _ = e.area.Update(nil) // brings the cursor into view
		return
	case key.Matches(k, e.area.KeyMap.LinePrevious) && e.area.Line() == 0 && line.RowOffset == 0:
		e.earlier()
		return
	case key.Matches(k, e.area.KeyMap.LineNext) && e.area.Line() == e.area.LineCount()-1 && line.RowOffset >= line.Height-1:
		e.later()
		return
	}
	e.area, _ = e.area.Update(k) // its commands only make a cursor blink
}

// insert puts text where the cursor is: itself, or a mark when it is too long to be edited or has tabs, which the
// text area would turn into spaces.
func (e *editor) insert(text string) {
	if strings.ContainsRune(text, '\t') || len(e.area.Value())+len(text) > maxTyped {
		e.pasted = append(e.pasted, text)
		text = mark(len(e.pasted), text)
	}
	e.area.InsertString(text)
	_ = e.area.View() // lays the rows out, among which Update brings the cursor's into view
	e.area, _ = e.area.Update(nil)
}

// mark stands for the n-th pasted text.
func mark(n int, text string) string {
	return fmt.Sprintf("[paste %d: %d lines, %d bytes]", n, strings.Count(text, "\n")+1, len(text))
}

// take empties the editor. It returns the whole text and how to show it, and keeps it in the history; the error is
// the history's.
func (e *editor) take() (text, shown string, err error) {
	shown = e.area.Value()
	marks := make([]string, 0, 2*len(e.pasted))
	for i, paste := range e.pasted {
		marks = append(marks, mark(i+1, paste), paste)
	}
	text = strings.NewReplacer(marks...).Replace(shown)
	if len(text) <= maxTyped {
		shown = text
	}
	e.clear()
	return text, shown, e.history.add(text)
}

// clear throws the text away.
func (e *editor) clear() {
	e.area.Reset()
	e.back, e.draft, e.pasted = 0, "", nil
}

func (e *editor) earlier() {
	entry, ok := e.history.back(e.back + 1)
	if !ok {
		return
	}
	if e.back == 0 {
		e.draft = e.area.Value()
	}
	e.back++
	e.replace(entry)
}

func (e *editor) later() {
	switch e.back {
	case 0:
	case 1:
		e.back = 0
		e.replace(e.draft)
	default:
		e.back--
		entry, _ := e.history.back(e.back) // it was there on the way back
		e.replace(entry)
	}
}

func (e *editor) replace(text string) {
	e.area.Reset()
	e.insert(text)
}
