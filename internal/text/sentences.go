package text

import (
	"slices"
	"strings"
)

// Sentences splits a text after full stops, question marks and exclamation marks that a space follows, but not within
// "Dr. Nwosu" or "23. Mai". The parts concatenate to the text.
func Sentences(text string) []string {
	var parts []string
	start := 0
	for i := 0; i+1 < len(text); i++ {
		if strings.IndexByte(".!?", text[i]) >= 0 && text[i+1] == ' ' && (text[i] != '.' || !abbreviates(text, i)) {
			parts = append(parts, text[start:i+1])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

// titles are the abbreviations that stand before a name or a number, in the languages that are spoken most here.
var titles = strings.Fields("dr dra prof mr mrs ms mme mlle st sr sra srta hr fr ing nr bzw ca vs")

// ordinalMonths are the months in the languages that write the day before them with a full stop.
var ordinalMonths = strings.Fields(`januar jänner februar feber märz april mai juni juli august september oktober november dezember
	marts mars maj desember december`)

// abbreviates reports whether the full stop at i belongs to an abbreviation or to the day of a date.
func abbreviates(text string, i int) bool {
	before := text[strings.LastIndexByte(text[:i], ' ')+1 : i]
	if len(before) <= 2 && strings.Trim(before, "0123456789") == "" && before != "" {
		next, _, _ := strings.Cut(text[i+2:], " ")
		return slices.Contains(ordinalMonths, strings.ToLower(strings.TrimRight(next, ".,;:!?")))
	}
	return len(before) <= 4 && slices.Contains(titles, strings.ToLower(strings.TrimLeft(before, `("“„«`)))
}
