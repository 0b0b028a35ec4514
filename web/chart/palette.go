package chart

import (
	"strconv"
	"strings"
)

// colours are those of the series in the light theme, and in files. chart.css repeats them, and those of the dark theme.
// Each differs from all others with each of the usual colour vision deficiencies (palette_test.go).
var colours = [...]string{"#1043bd", "#b22605", "#1b8770", "#86267b", "#a18500", "#048fe0", "#5a1f10", "#2b3649"}

// kinds is how many series look different from each other. Further ones look like the first ones.
const kinds = len(colours)

// dashes are those of lines by series, "" for a solid line.
var dashes = [kinds]string{"", "7 3", "2 3", "9 3 2 3", "14 4", "4 4", "12 3 2 3 2 3", "1 2"}

// symbols are those of points by series, as paths around the origin.
var symbols = [kinds]string{
	"M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
	"M-3.2 -3.2H3.2V3.2H-3.2z",
	"M0 -4.2L4.2 3.2H-4.2z",
	"M0 -4.6L4.6 0L0 4.6L-4.6 0z",
	"M0 4.2L4.2 -3.2H-4.2z",
	"M-4 -1.3H-1.3V-4H1.3V-1.3H4V1.3H1.3V4H-1.3V1.3H-4z",
	"M-4.5 -1.6H4.5V1.6H-4.5z",
	"M-1.6 -4.5H1.6V4.5H-1.6z",
}

// textures are the dashes of the line that is drawn over bars in the colour of the page, with its width in parts of the
// bar's: stripes, dots and centre lines.
var textures = [kinds]struct {
	dash  string
	width float64
}{{"", 0}, {"2 6", 1}, {"", .2}, {"3 5", .3}, {"1.5 2.5", 1}, {"8 4", .2}, {"2 14", 1}, {"", .5}}

// seriesClass is the class that has the colour of a series, and dashClass the one that has its dashes.
func seriesClass(i int) string { return "chart-s" + strconv.Itoa(i%kinds+1) }

func dashClass(i int) string { return "chart-d" + strconv.Itoa(i%kinds+1) }

// files has what the classes of chart.css stand for in files.
var files = map[string]string{
	"chart-grid":     ` stroke="#d4d4d8"`,
	"chart-base":     ` stroke="#71717a"`,
	"chart-tick":     ` fill="#52525b" font-size="12"`,
	"chart-line":     ` fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round"`,
	"chart-faint":    ` fill="none" stroke="#a1a1aa" stroke-width="1"`,
	"chart-area":     ` fill="currentColor" fill-opacity="0.16"`,
	"chart-symbol":   ` fill="currentColor" stroke="#ffffff"`,
	"chart-level":    ` stroke="#71717a" stroke-dasharray="4 3"`,
	"chart-note":     ` fill="#3f3f46" font-size="12" stroke="#ffffff" stroke-width="3" stroke-linejoin="round" paint-order="stroke"`,
	"chart-moment":   ` stroke="#71717a" stroke-dasharray="1 3"`,
	"chart-moment-s": ` fill="#3f3f46"`,
	"chart-hit":      ` fill="none" pointer-events="all"`,
	"chart-heading":  ` fill="#18181b" font-size="14" font-weight="600"`,
	"chart-title":    ` fill="#18181b" font-size="18" font-weight="600"`,
}

// looks returns the attributes of classes in a file.
func looks(classes string) string {
	var b strings.Builder
	for class := range strings.FieldsSeq(classes) {
		b.WriteString(files[class])
	}
	return b.String()
}

func init() {
	for i := range kinds {
		files[seriesClass(i)] = ` color="` + colours[i] + `"`
		if dashes[i] != "" {
			files[dashClass(i)] = ` stroke-dasharray="` + dashes[i] + `"`
		}
	}
}
