package console

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

func TestHarmless(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain", "hello\tthere\nyou", "hello\tthere\nyou"},
		{"colours and title", "a\x1b[31mb\x1b]0;pwned\x07c", "a[31mb]0;pwnedc"},
		{"C1 controls", "a\u009b2Jb\u0085c", "a2Jbc"},
		{"carriage return cannot overwrite", "safe\rEVIL\r\nx\bx", "safe\nEVIL\nxx"},
		{"invalid bytes", "a\xff\x9bb", "a\uFFFDb"},
		{"direction overrides", "a\u202Egpj.exe\u2066b", "agpj.exeb"},
		{"right to left letters", "שלום عليكم", "שלום عليكم"},
		{"joined emoji", "👨‍👩‍👧", "👨‍👩‍👧"},
		{"line separator", "a\u2028b", "a\nb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := sanitize(tt.text); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHang(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{"> "}},
		{"wraps under the text", "one two three", []string{"> one two", "  three"}},
		{"a word longer than the row", "abcdefghij", []string{"> abcdefgh", "  ij"}},
		{"lines stay lines", "a\n\n  b", []string{"> a", "  ", "    b"}},
		{"wide characters take two columns", "日本語日本", []string{"> 日本語日", "  本"}},
		{"an emoji is not torn", "1234567👨‍👩‍👧", []string{"> 1234567", "  👨‍👩‍👧"}},
		{"tab", "a\tb", []string{"> a    b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := hangingIndent("> ", tt.text, 10); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("The quick 狐 jumps 👨‍👩‍👧 over\n\nthe שלום dog", 9)
	f.Fuzz(func(t *testing.T, text string, width int) {
		if width < 4 || width > 200 {
			t.Skip()
		}
		text = sanitize(text)
		rows := wrap(text, width)
		for _, row := range rows {
			if strings.ContainsFunc(row, unicode.IsControl) {
				t.Errorf("control character in row %q", row)
			}
			if got := ansi.StringWidth(row); got > width {
				t.Errorf("row %q takes %d columns of %d", row, got, width)
			}
		}
		// At a row break, spaces are dropped, and with them invisible characters.
		letters := func(s string) string {
			return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
				return unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.M)
			}), "")
		}
		if got := letters(strings.Join(rows, "")); got != letters(text) {
			t.Errorf("%q became %q", text, rows)
		}
	})
}
