package transfer

import (
	"bytes"
	"fmt"
	"html"
	"strings"
)

// pageHead is the head of the page: it loads nothing and runs nothing.
const pageHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>%[1]s</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; }
td { padding: .1em .8em .1em 0; vertical-align: top; }
td.at, td.who { white-space: nowrap; color: #666; }
td.text { white-space: pre-wrap; }
</style>
</head>
<body>
<h1>%[1]s</h1>
`

// html returns the page as HTML. All of its texts are escaped.
func (p *page) html() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, pageHead, html.EscapeString("What is known of "+strings.Join(p.Names, ", ")))
	about := fmt.Sprintf("Accounts: %s. Known since %s.", strings.Join(p.Accounts, ", "), p.Since)
	if p.Timezone != "" {
		about += " Timezone: " + p.Timezone + "."
	}
	fmt.Fprintf(&b, "<p>%s %s holds the same and all details for programs.</p>\n", html.EscapeString(about), archiveData)
	writeLines(&b, "Training of models with what was said", p.Training)
	writeLines(&b, "What is believed", p.Beliefs)
	writeLines(&b, "Open topics", p.Open)
	writeLines(&b, "What was noted and inferred", p.Noted)
	for _, r := range p.Rooms {
		writeLines(&b, "Said: "+r.Title, r.Lines)
	}
	b.WriteString("</body>\n</html>\n")
	return b.Bytes()
}

// writeLines writes lines under a heading, or nothing if there are none.
func writeLines(b *bytes.Buffer, heading string, lines []pageLine) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "<h2>%s</h2>\n<table>\n", html.EscapeString(heading))
	for _, l := range lines {
		fmt.Fprintf(b, "<tr><td class=\"at\">%s</td><td class=\"who\">%s</td><td class=\"text\">%s</td></tr>\n",
			html.EscapeString(l.At), html.EscapeString(l.Who), html.EscapeString(l.Text))
	}
	b.WriteString("</table>\n")
}
