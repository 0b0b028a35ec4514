package console

import (
	"fmt"
	"io"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// blank returns an empty editor of 38 columns with a prompt.
func blank(t testing.TB) *editor {
	t.Helper()
	e := newEditor("> ", newStyles(io.Discard, false))
	e.resize(40, 10)
	h, err := openHistory("", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	e.history = h
	return &e
}

func letters(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }
func paste(s string) tea.KeyMsg   { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true} }

func TestEditorKeepsWhatIsPasted(t *testing.T) {
	long := strings.Repeat("a line of text\n", 80_000)
	tests := []struct {
		name  string
		keys  []tea.KeyMsg
		text  string
		marks bool
	}{
		{"lines", []tea.KeyMsg{letters("see: "), paste("a\r\nb\rc")}, "see: a\nb\nc", false},
		{"controls are dropped", []tea.KeyMsg{paste("a\x1b[31mb\x07")}, "a[31mb", false},
		{"tabs", []tea.KeyMsg{paste("a\tb")}, "a\tb", true},
		{"more than fits the editor", []tea.KeyMsg{letters("see: "), paste(long), letters("!")}, "see: " + long + "!", true},
		{"bit by bit", []tea.KeyMsg{paste(long[:maxInline-10]), paste(long[:maxInline])}, long[:maxInline-10] + long[:maxInline], true},
		{"a paste like the mark of another", []tea.KeyMsg{paste("\t[paste 2: 1 lines, 2 bytes]"), paste("\tx")}, "\t[paste 2: 1 lines, 2 bytes]\tx", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := blank(t)
			for _, k := range tt.keys {
				e.press(k)
			}
			if marked := strings.Contains(strings.Join(e.rows(), " "), "[paste 1"); marked != tt.marks {
				t.Errorf("shows\n%s", strings.Join(e.rows(), "\n"))
			}
			if got, shown, err := e.take(); got != tt.text || err != nil {
				t.Errorf("took %.100q, shown as %.100q, %v; want %.100q", got, shown, err, tt.text)
			}
			e.press(tea.KeyMsg{Type: tea.KeyUp})
			if got, _, _ := e.take(); got != tt.text {
				t.Errorf("the history gives %.100q", got)
			}
		})
	}
}

// Words that are names of keys are text, also when several letters arrive at once.
func TestEditorTakesWordsForWords(t *testing.T) {
	e := blank(t)
	words := []string{"up", "down", "left", "right", "home", "end", "delete", "backspace", "enter", "ctrl+u", "alt+b"}
	for _, w := range words {
		e.press(letters(w))
		e.press(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(" ")})
	}
	if got, want := e.area.Value(), strings.Join(words, " ")+" "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEditorHistory(t *testing.T) {
	e := blank(t)
	for _, entry := range []string{"first", "second\nand more", "second\nand more"} {
		e.insert(entry)
		if _, _, err := e.take(); err != nil {
			t.Fatal(err)
		}
	}
	e.press(letters("draft"))
	for i, step := range []struct {
		key  tea.KeyType
		want string
	}{
		{tea.KeyUp, "second\nand more"},
		{tea.KeyUp, "second\nand more"}, // its first line
		{tea.KeyUp, "first"},
		{tea.KeyUp, "first"},
		{tea.KeyDown, "second\nand more"},
		{tea.KeyDown, "draft"},
		{tea.KeyDown, "draft"},
	} {
		if e.press(tea.KeyMsg{Type: step.key}); e.area.Value() != step.want {
			t.Fatalf("after step %d: %q, want %q", i, e.area.Value(), step.want)
		}
	}
}

// Whatever is typed, the editor fits its space and holds exactly the text.
func FuzzEditor(f *testing.F) {
	f.Add("hello 日本 👨‍👩‍👧 שלום\nand a longer line that does not fit into the row", 12, []byte{1, 2, 3, 4, 5, 6, 7, 8})
	keys := []tea.KeyType{
		tea.KeyLeft, tea.KeyRight, tea.KeyUp, tea.KeyDown, tea.KeyHome, tea.KeyEnd, tea.KeyBackspace, tea.KeyDelete,
		tea.KeyCtrlK, tea.KeyCtrlU, tea.KeyCtrlW, tea.KeyCtrlJ, tea.KeySpace,
	}
	f.Fuzz(func(t *testing.T, text string, width int, presses []byte) {
		if width < 8 || width > 120 || len(text) > 1<<10 || len(presses) > 64 {
			t.Skip()
		}
		e := blank(t)
		e.resize(width, 5)
		e.press(paste(text))
		for _, p := range presses {
			e.press(tea.KeyMsg{Type: keys[int(p)%len(keys)]})
			rows := e.rows()
			if len(rows) < 1 || len(rows) > 5 {
				t.Fatalf("%d rows", len(rows))
			}
			if joined := strings.Join(rows, ""); strings.ContainsRune(joined, belowText) {
				t.Fatalf("rows %q", rows)
			}
		}
	})
}

// The cost of a key in the longest text that is edited in place.
func BenchmarkEditorKey(b *testing.B) {
	e := blank(b)
	e.insert(strings.Repeat("word ", maxInline/5))
	for i := range b.N {
		e.press(letters(fmt.Sprint(i % 10)))
		e.rows()
	}
}
