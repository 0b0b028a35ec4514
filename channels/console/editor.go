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

// maxInline is the longest text in bytes that is edited in place. The text area lays out its whole text on every key,
// and drops lines beyond the ten thousandth.
const maxInline = 8 << 10

// belowText marks the rows below the text. The text area accepts no control characters, so no text can contain it.
const belowText = '\x00'

// editor is the text being typed: a text area as tall as its text, with history and support for long pastes.
type editor struct {
	area   textarea.Model
	prompt string

	history *history
	back    int    // how many entries back in the history the text is from, 0 for the draft
	draft   string // the text before the history was opened

	// pasted are the texts not edited in place. A mark in the text represents each.
	pasted []string
}

func newEditor(prompt string, look styles) editor {
	area := textarea.New()
	area.ShowLineNumbers = false
	area.CharLimit, area.MaxHeight, area.MaxWidth = 0, 0, 0
	area.EndOfBufferCharacter = belowText
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
	area.KeyMap.Paste.SetEnabled(false) // the clipboard of this machine may not be the person's
	area.Focus()
	return editor{area: area, prompt: prompt}
}

// resize fits the editor into width columns and at most height rows.
func (e *editor) resize(width, height int) {
	e.area.SetWidth(width)
	e.area.SetHeight(height)
}

// rows returns the visible rows.
func (e *editor) rows() []string {
	rows := strings.Split(e.area.View(), "\n")
	for i, row := range rows {
		if strings.ContainsRune(row, belowText) {
			return rows[:i]
		}
		rows[i] = strings.TrimRight(row, " ") // a row as wide as the terminal would wrap when the terminal gets narrower
	}
	return rows
}

func (e *editor) empty() bool { return e.area.LineCount() == 1 && e.area.Length() == 0 }

// press applies an editing key.
func (e *editor) press(k tea.KeyMsg) {
	line := e.area.LineInfo()
	switch {
	case k.Paste:
		e.insert(sanitize(string(k.Runes)))
		return
	case k.Type == tea.KeyRunes && !k.Alt: // fast typing arrives as words, and "end" is then not a key
		e.area.InsertString(sanitize(string(k.Runes)))
		e.area, _ = e.area.Update(nil) // scrolls to the cursor
		return
	case key.Matches(k, e.area.KeyMap.LinePrevious) && e.area.Line() == 0 && line.RowOffset == 0:
		e.earlier()
		return
	case key.Matches(k, e.area.KeyMap.LineNext) && e.area.Line() == e.area.LineCount()-1 && line.RowOffset >= line.Height-1:
		e.later()
		return
	}
	e.area, _ = e.area.Update(k) // its commands only blink the cursor
}

// insert inserts text at the cursor: literally, or as a mark if it is too long to edit or contains tabs, which the text
// area would replace by spaces.
func (e *editor) insert(text string) {
	if strings.ContainsRune(text, '\t') || len(e.area.Value())+len(text) > maxInline {
		e.pasted = append(e.pasted, text)
		text = pasteMark(len(e.pasted), text)
	}
	e.area.InsertString(text)
	_ = e.area.View() // View lays out the rows, so that Update can scroll to the cursor
	e.area, _ = e.area.Update(nil)
}

// pasteMark returns the mark of the n-th pasted text.
func pasteMark(n int, text string) string {
	return fmt.Sprintf("[paste %d: %d lines, %d bytes]", n, strings.Count(text, "\n")+1, len(text))
}

// take clears the editor. It returns the full text and its display form, and adds it to the history; the error is from
// the history.
func (e *editor) take() (text, shown string, err error) {
	shown = e.area.Value()
	marks := make([]string, 0, 2*len(e.pasted))
	for i, paste := range e.pasted {
		marks = append(marks, pasteMark(i+1, paste), paste)
	}
	text = strings.NewReplacer(marks...).Replace(shown)
	if len(text) <= maxInline {
		shown = text
	}
	e.clear()
	return text, shown, e.history.add(text)
}

// clear discards the text.
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
		entry, _ := e.history.back(e.back) // it existed on the way back
		e.replace(entry)
	}
}

func (e *editor) replace(text string) {
	e.area.Reset()
	e.insert(text)
}
