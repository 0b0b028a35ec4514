package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"time"
	"unicode"

	"github.com/rivo/uniseg"
	"golang.org/x/term"
)

// render shows rows, structs with json tags: as a JSON array with --json; on a terminal as an aligned table under
// the tags as headings, its longest column cut to fit; else one line a row, cells separated by tabs, without headings,
// so that other programs can read it.
func render[T any](a *app, rows []T) error {
	if a.json {
		if rows == nil {
			rows = []T{}
		}
		return writeJSON(a.out, rows)
	}
	names, cells := table(rows)
	if a.width > 0 {
		return writeTable(a.out, a.width, append([][]string{names}, cells...))
	}
	for _, row := range cells {
		if _, err := fmt.Fprintln(a.out, strings.Join(row, "\t")); err != nil {
			return err
		}
	}
	return nil
}

// renderOne shows one thing: as a JSON object with --json, else a line for each field that has a value.
func renderOne[T any](a *app, thing T) error {
	if a.json {
		return writeJSON(a.out, thing)
	}
	names, cells := table([]T{thing})
	var lines [][]string
	for i, name := range names {
		if cells[0][i] != "" {
			lines = append(lines, []string{name, cells[0][i]})
		}
	}
	return writeTable(a.out, 0, lines)
}

func writeJSON(out io.Writer, value any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(value)
}

// table turns structs into headings and cells.
func table[T any](rows []T) (names []string, cells [][]string) {
	var shown [][]int
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			names, shown = append(names, strings.ToUpper(strings.ReplaceAll(name, "_", " "))), append(shown, f.Index)
		}
	}
	for _, row := range rows {
		line := make([]string, len(shown))
		for i, index := range shown {
			line[i] = cell(reflect.ValueOf(row).FieldByIndex(index))
		}
		cells = append(cells, line)
	}
	return names, cells
}

// cell is a value on one line. Control characters are dropped: what is shown may have been written by anybody, and a
// terminal obeys it.
func cell(value reflect.Value) string {
	switch v := value.Interface().(type) {
	case time.Time:
		if v.IsZero() {
			return ""
		}
		return v.Format("2006-01-02 15:04")
	case bool:
		if v {
			return "yes"
		}
		return ""
	}
	if value.Kind() == reflect.Slice {
		items := make([]string, value.Len())
		for i := range items {
			items[i] = cell(value.Index(i))
		}
		return strings.Join(items, ", ")
	}
	return oneLine(fmt.Sprint(value.Interface()))
}

// oneLine folds white space to single spaces and drops what is not printable.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, strings.Join(strings.Fields(text), " "))
}

// writeTable aligns rows; with a width, the longest column is cut so that every row fits.
func writeTable(out io.Writer, width int, rows [][]string) error {
	const gap = 2
	widths := columnWidths(rows)
	total := gap * (len(widths) - 1)
	longest := 0
	for i, w := range widths {
		total += w
		if w > widths[longest] {
			longest = i
		}
	}
	if width > 0 && total > width {
		widths[longest] = max(1, widths[longest]-(total-width))
	}
	for _, row := range rows {
		var line strings.Builder
		for i, text := range row {
			text = truncate(text, widths[i])
			line.WriteString(text)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-uniseg.StringWidth(text)+gap))
			}
		}
		if _, err := fmt.Fprintln(out, strings.TrimRight(line.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

func columnWidths(rows [][]string) []int {
	var widths []int
	for _, row := range rows {
		for i, text := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], uniseg.StringWidth(text))
		}
	}
	return widths
}

// truncate cuts text to width columns, the last of them an ellipsis, without cutting a character in two.
func truncate(text string, width int) string {
	if uniseg.StringWidth(text) <= width {
		return text
	}
	var cut strings.Builder
	left := width - 1
	for g := uniseg.NewGraphemes(text); g.Next(); {
		if left -= g.Width(); left < 0 {
			break
		}
		cut.WriteString(g.Str())
	}
	return cut.String() + "…"
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// terminalWidth is the width of a terminal in columns, 0 when out is none.
func terminalWidth(out io.Writer) int {
	if !isTerminal(out) {
		return 0
	}
	width, _, err := term.GetSize(int(out.(*os.File).Fd()))
	if err != nil || width <= 0 {
		return 80 // a terminal that does not say: what they have always been
	}
	return width
}
