package mind

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"familiar/memory/model"
	"familiar/persona/mind"
	"familiar/web/layout"
)

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// messagePath returns where a message stands in its conversation.
func messagePath(c common, room, message int64) string {
	return layout.Path(url.Values{"message": {decimal(message)}}, "p", c.persona, "conversations", decimal(room)) + "#m" + decimal(message)
}

// signed formats a figure that goes up and down.
func signed(x float64) string { return fmt.Sprintf("%+.2f", x) }

func figure(x float64) string { return fmt.Sprintf("%.2f", x) }

// readable words a name from a closed list: "following_up" is "following up".
func readable(name string) string { return strings.ReplaceAll(name, "_", " ") }

// moved words what moved the mood in a session.
func moved(f mind.SessionFacts) string {
	var parts []string
	for _, c := range []struct {
		n           int
		one, plural string
	}{
		{f.Warm, "warm message", ""},
		{f.Hostile, "hostile message", ""},
		{f.Achieved, "thing achieved", "things achieved"},
		{f.Corrections, "correction", ""},
	} {
		if c.n > 0 {
			parts = append(parts, english.Plural(c.n, c.one, c.plural))
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("nothing of note in %s", english.Plural(f.Messages, "message", ""))
	}
	return english.OxfordWordSeries(parts, "and")
}

func lower(s string) string { return strings.ToLower(s) }

// cutAt is how many characters of a text a list shows.
const cutAt = 400

// cut shortens a text of which the whole is a click away.
func cut(text string) string {
	if runes := []rune(text); len(runes) > cutAt {
		return string(runes[:cutAt]) + "…"
	}
	return text
}

// change words a figure of a change.
func change(c mind.Change, x float64) string {
	if c.Part == "skill" {
		return fmt.Sprintf("%.3f", x)
	}
	return fmt.Sprintf("%+.3f", x)
}

// kindOf says what a memory is.
func kindOf(m model.Memory) string { return readable(cmp.Or(string(m.Kind), string(m.Sector))) }

// site names a page that was read.
func site(n reading) string { return cmp.Or(n.Title, n.Host()) }
