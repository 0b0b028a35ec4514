package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/rivo/uniseg"
	"golang.org/x/term"
)

// Render shows rows, structs with JSON tags. With --json they are a JSON array. On a terminal they are an aligned table
// with the tags as headings; empty columns are left out, cells are cut to fit (text before numbers), and fields tagged
// show:"below" stand uncut below their row. Otherwise each row is one line of tab-separated cells, uncut and without
// headings, for other programs.
func Render[T any](inv *Invocation, rows []T) error {
	if inv.JSON {
		if rows == nil {
			rows = []T{}
		}
		return WriteJSON(inv.Out, rows)
	}
	columns, cells := table(rows)
	if inv.width > 0 {
		return writeRows(inv.Out, inv.width, columns, cells)
	}
	for _, row := range cells {
		if _, err := fmt.Fprintln(inv.Out, strings.Join(row, "\t")); err != nil {
			return err
		}
	}
	return nil
}

// RenderEach renders one row for each of the values.
func RenderEach[V, T any](inv *Invocation, values []V, row func(V) T) error {
	rows := make([]T, len(values))
	for i, v := range values {
		rows[i] = row(v)
	}
	return Render(inv, rows)
}

// RenderOne shows one value: as a JSON object with --json, otherwise one line for each non-empty field.
func RenderOne[T any](inv *Invocation, thing T) error {
	if inv.JSON {
		return WriteJSON(inv.Out, thing)
	}
	columns, cells := table([]T{thing})
	var lines [][]string
	for i, c := range columns {
		if cells[0][i] != "" {
			lines = append(lines, []string{c.heading, cells[0][i]})
		}
	}
	return writeTable(inv.Out, columnWidths(lines), lines)
}

// RenderDone says in a line what was done, and shows thing instead with --json.
func RenderDone[T any](inv *Invocation, thing T, format string, args ...any) error {
	if inv.JSON {
		return WriteJSON(inv.Out, thing)
	}
	_, err := fmt.Fprintf(inv.Out, format+"\n", args...)
	return err
}

// WriteJSON writes value as indented JSON.
func WriteJSON(out io.Writer, value any) error {
	enc := lineWriter(out)
	enc.SetIndent("", "  ")
	return enc.Encode(value)
}

// lineWriter returns an encoder that writes one JSON value per line.
func lineWriter(out io.Writer) *json.Encoder {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc
}

// field is one column of a table.
type field struct {
	heading string
	// text reports that its cells are free text, which is still readable when it is cut.
	text bool
	// optional reports that a zero value counts as empty, as in JSON.
	optional bool
	// below reports that its cells are shown uncut below their row on a terminal.
	below bool
}

// table turns structs into columns and cells.
func table[T any](rows []T) (columns []field, cells [][]string) {
	var shown [][]int
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			heading := strings.ToUpper(strings.ReplaceAll(name, "_", " "))
			words := f.Type.Kind() == reflect.String || f.Type.Kind() == reflect.Slice
			columns = append(columns, field{heading, words, strings.HasPrefix(options, "omit"), f.Tag.Get("show") == "below"})
			shown = append(shown, f.Index)
		}
	}
	for _, row := range rows {
		line := make([]string, len(shown))
		for i, index := range shown {
			if value := reflect.ValueOf(row).FieldByIndex(index); !columns[i].optional || !value.IsZero() {
				line[i] = cell(value)
			}
		}
		cells = append(cells, line)
	}
	return columns, cells
}

// cell formats a value on one line without control characters. The text may come from anybody, and a terminal executes
// control characters.
func cell(value reflect.Value) string {
	if value.Kind() == reflect.Pointer && !value.IsNil() {
		value = value.Elem()
	}
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
	return OneLine(fmt.Sprint(value.Interface()))
}

// OneLine replaces white space by single spaces and removes characters that are not printable.
func OneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, strings.Join(strings.Fields(text), " "))
}

// writeRows shows rows with headings. Lines are at most width columns wide, except the texts below rows.
func writeRows(out io.Writer, width int, columns []field, rows [][]string) error {
	columns, rows, below := splitBelow(dropEmpty(columns, rows))
	lines := [][]string{make([]string, len(columns))}
	for i, c := range columns {
		lines[0][i] = c.heading
	}
	lines = append(lines, rows...)
	widths := columnWidths(lines)
	fit(widths, columns, width)
	if err := writeTable(out, widths, lines[:1]); err != nil {
		return err
	}
	for i := range rows {
		if err := writeTable(out, widths, rows[i:i+1]); err != nil {
			return err
		}
		for _, text := range below[i] {
			if _, err := fmt.Fprintln(out, strings.Repeat(" ", gap)+text); err != nil {
				return err
			}
		}
	}
	return nil
}

// splitBelow removes the columns that are shown below rows, and returns their texts for each row.
func splitBelow(columns []field, rows [][]string) (kept []field, cells, below [][]string) {
	cells, below = make([][]string, len(rows)), make([][]string, len(rows))
	for i, c := range columns {
		if !c.below {
			kept = append(kept, c)
		}
		for r, row := range rows {
			switch {
			case !c.below:
				cells[r] = append(cells[r], row[i])
			case row[i] != "":
				below[r] = append(below[r], row[i])
			}
		}
	}
	return kept, cells, below
}

// dropEmpty removes the columns that are empty in every row. A table without rows keeps all columns.
func dropEmpty(columns []field, rows [][]string) (kept []field, cells [][]string) {
	if len(rows) == 0 {
		return columns, rows
	}
	cells = make([][]string, len(rows))
	for i, c := range columns {
		if !slices.ContainsFunc(rows, func(row []string) bool { return row[i] != "" }) {
			continue
		}
		kept = append(kept, c)
		for r, row := range rows {
			cells[r] = append(cells[r], row[i])
		}
	}
	return kept, cells
}

const (
	// gap is the space between two columns.
	gap = 2
	// minTextWidth is the width to which text is cut before numbers and times are: shorter text is not readable.
	minTextWidth = 10
)

// fit reduces widths to the width of the terminal: first the widest text columns, then the widest of all.
func fit(widths []int, columns []field, width int) {
	total := gap * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	for ; total > width; total-- {
		widest := -1
		for i, w := range widths {
			if columns[i].text && w > minTextWidth && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			widest = slices.Index(widths, slices.Max(widths))
		}
		if widths[widest] == 1 {
			return // narrower than one letter per column: no table fits
		}
		widths[widest]--
	}
}

// writeTable writes rows aligned in columns of these widths.
func writeTable(out io.Writer, widths []int, rows [][]string) error {
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

// truncate cuts text to width columns, the last of them an ellipsis, without splitting a character.
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

// terminalWidth returns the width of a terminal in columns, 0 if out is not a terminal.
func terminalWidth(out io.Writer) int {
	if !isTerminal(out) {
		return 0
	}
	width, _, err := term.GetSize(int(out.(*os.File).Fd()))
	if err != nil || width <= 0 {
		return 80 // the traditional width, for a terminal that does not report one
	}
	return width
}
