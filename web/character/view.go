package character

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"familiar/persona/lore"
	"familiar/web/layout"
)

// describedBy names what describes a control to screen readers.
func describedBy(f field) string { return "hint-" + f.name + " problem-" + f.name }

// isSingle reports whether a field has one control, which its label names.
func (f field) isSingle() bool {
	return f.kind == line || f.kind == prose || f.kind == items || f.kind == choice
}

// boxed returns a text for a box of several lines, of which browsers drop the first line if it is empty.
func boxed(text string) string { return "\n" + text }

// inPairs returns the pairs of a field, and so many empty ones.
func inPairs(held []string, empty int) (all [][]string) {
	for pair := range slices.Chunk(held, 2) {
		all = append(all, append(slices.Clone(pair), "")[:2])
	}
	for range empty {
		all = append(all, []string{"", ""})
	}
	return all
}

// shown returns what a field holds as text.
func shown(f field, held []string) string {
	switch f.kind {
	case items:
		return joinItems(held)
	case texts:
		return strings.Join(held, "\n\n")
	case pairs:
		var out []string
		for pair := range slices.Chunk(held, 2) {
			out = append(out, "– "+strings.Join(pair, "\n– "))
		}
		return strings.Join(out, "\n\n")
	case named:
		var out []string
		for pair := range slices.Chunk(held, 2) {
			out = append(out, strings.Join(pair, " "))
		}
		return strings.Join(out, "\n")
	case sectors:
		var out []string
		for pair := range slices.Chunk(withSectors(held), 2) {
			out = append(out, strings.Join(pair, " "))
		}
		return strings.Join(out, "\n")
	case choice:
		for _, o := range f.options {
			if o.value == held[0] {
				return o.label
			}
		}
	case note:
		if held[0] == "" {
			return ""
		}
		return held[0] + "\n(" + held[1] + " messages before the end, as " + held[2] + ")"
	}
	return strings.Join(held, "\n")
}

// orNothing is a text, or words for none.
func orNothing(text string) string {
	if text == "" {
		return "(nothing)"
	}
	return text
}

// cut returns the beginning of a text.
func cut(text string, letters int) string {
	if runes := []rune(text); len(runes) > letters {
		return string(runes[:letters]) + "…"
	}
	return text
}

// entryTitle names an entry.
func entryTitle(number int, e *lore.Entry) string {
	return fmt.Sprintf("%d. %s", number, cut(e.Title(), 80))
}

// title is the heading of an entry's page.
func (v entryView) title() string {
	if v.number == 0 {
		return v.name() + ": a new entry"
	}
	return fmt.Sprintf("%s: entry %d", v.name(), v.number)
}

// page returns the entries that a page lists.
func (v loreView) page() (all []*lore.Entry) {
	entries := v.entries()
	for i := v.from; i < min(v.from+entriesPerPage, len(entries)); i++ {
		all = append(all, &entries[i])
	}
	return all
}

func (v loreView) pagePath(from int) string {
	return layout.Path(url.Values{"from": {strconv.Itoa(from)}}, "p", v.key, "character", "lore")
}
