package words

import (
	"fmt"
	"regexp"
	"strings"
)

// QuotedLine returns what somebody said as a part of a summary, shortened if it is long: Ana: “I'm off to Faro.”
func QuotedLine(name, said string) string { return fmt.Sprintf("%s: “%s”", name, Excerpt(said)) }

var quotedLine = regexp.MustCompile(`(?:^|\s)[^“”.!?\n]{1,60}: “[^”]*”`)

// WithoutQuotedLines returns a summary without the lines that QuotedLine made.
func WithoutQuotedLines(summary string) string {
	return strings.TrimSpace(quotedLine.ReplaceAllString(summary, ""))
}
