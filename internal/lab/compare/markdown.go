package compare

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Markdown writes the reports for readers: the figures, each fact under each mind, the conversations side by side, each
// mind's context, and everything said before.
func Markdown(out io.Writer, reports []Report) error {
	w := &page{}
	w.line("# Side by side")
	w.line("")
	w.line("The same stories, played to a mind that remembers nothing (%s), to one that searches all that was ever said (%s), "+
		"and to the persona with its record, beliefs and jobs (%s). A fact counts when it can be read in what is in front of the "+
		"mind at the moment somebody comes back.", Stateless, Flat, Full)
	w.line("")
	w.figures(reports)
	for _, r := range reports {
		w.story(r)
	}
	_, err := io.WriteString(out, w.String())
	return err
}

// page builds a Markdown document.
type page struct{ strings.Builder }

func (w *page) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// row writes one row of a table.
func (w *page) row(cells ...string) { w.line("| %s |", strings.Join(cells, " | ")) }

// figures writes the figures of all minds in one table.
func (w *page) figures(reports []Report) {
	w.row("story", "mind", "facts", "share", "stale", "wrong", "foreign", "answerable", "tokens")
	w.row("---", "---", "---:", "---:", "---:", "---:", "---:", "---:", "---:")
	for _, r := range reports {
		for _, m := range r.Modes {
			w.row(r.Scenario, m.Mode, fmt.Sprintf("%d of %d", m.Present, m.Facts), fmt.Sprintf("%.2f", m.Share),
				fmt.Sprint(m.Stale), fmt.Sprint(m.Wrong), fmt.Sprint(m.Others), fmt.Sprintf("%d of %d", m.Answerable, m.Asked),
				fmt.Sprint(m.Tokens))
		}
	}
}

func (w *page) story(r Report) {
	w.line("\n## %s: %s\n", escape(r.Scenario), escape(r.Title))
	w.line("%s comes back to %s.\n", escape(r.Person), escape(r.Persona))
	w.facts(r)
	w.verdicts(r)
	w.talks(r)
	w.contexts(r)
	w.before(r)
}

// facts writes what can be read of each fact under each mind.
func (w *page) facts(r Report) {
	w.line("### What can be read when %s comes back\n", escape(r.Person))
	names, rules := []string{"fact"}, []string{"---"}
	for _, m := range r.Modes {
		names, rules = append(names, m.Mode), append(rules, ":-:")
	}
	w.row(names...)
	w.row(rules...)
	for i := range r.Modes[0].Found {
		cells := []string{escape(r.Modes[0].Found[i].Fact)}
		for _, m := range r.Modes {
			cells = append(cells, m.Found[i].String())
		}
		w.row(cells...)
	}
	for _, m := range r.Modes {
		for _, f := range m.Foreign {
			w.line("\n%s also shows what is somebody else's: %s", m.Mode, escape(f))
		}
	}
	w.line("")
}

// String describes in a word or two how the fact appears.
func (f Found) String() string {
	var words []string
	for _, w := range []struct {
		so   bool
		word string
	}{{f.Present, "yes"}, {f.Stale, "stale"}, {f.Wrong, "wrong"}} {
		if w.so {
			words = append(words, w.word)
		}
	}
	if len(words) == 0 {
		return "–"
	}
	return strings.Join(words, ", ")
}

// verdicts writes the judge's verdicts and the faults.
func (w *page) verdicts(r Report) {
	judged := false
	for _, m := range r.Modes {
		if v := m.Verdict; v != nil {
			if !judged {
				w.row("judged, 1–5", "recall", "relevance", "personality", "insight", "naturalness", "why")
				w.row("---", "---:", "---:", "---:", "---:", "---:", "---")
			}
			judged = true
			w.row(m.Mode, fmt.Sprint(v.Recall), fmt.Sprint(v.Relevance), fmt.Sprint(v.Personality), fmt.Sprint(v.Insight),
				fmt.Sprint(v.Naturalness), escape(v.Why))
		}
	}
	for _, m := range r.Modes {
		if m.Fault != "" {
			w.line("\n%s: %s", m.Mode, escape(m.Fault))
		}
	}
	for _, f := range r.Faults {
		w.line("\n%s", escape(f))
	}
	w.line("")
}

// talks writes the probes side by side.
func (w *page) talks(r Report) {
	w.line("### The talk, side by side\n")
	names, rules := []string{escape(r.Person)}, []string{"---"}
	for _, m := range r.Modes {
		names, rules = append(names, m.Mode), append(rules, "---")
	}
	w.row(names...)
	w.row(rules...)
	for i, step := range r.Modes[0].Steps {
		cells := []string{said(step.Said)}
		for _, m := range r.Modes {
			cells = append(cells, said(m.Steps[i].Reply))
		}
		w.row(cells...)
	}
	w.line("")
}

// said returns an escaped message, or a placeholder when it is empty.
func said(text string) string {
	if text == "" {
		return "*nothing*"
	}
	return escape(text)
}

// contexts writes the context of each mind.
func (w *page) contexts(r Report) {
	for _, m := range r.Modes {
		w.line("### In front of %s\n", m.Mode)
		for _, step := range m.Steps {
			w.line("%s (%d tokens)\n", said(step.Said), step.Tokens)
			w.line("```text")
			for _, line := range step.Context {
				w.line("%s", strings.ReplaceAll(line, "```", "'''"))
			}
			w.line("```\n")
		}
	}
}

// before is all that was said before.
func (w *page) before(r Report) {
	w.line("### Before")
	with, at := "", time.Time{}
	for _, line := range r.Said {
		if line.With != with || line.At.Sub(at) > time.Hour {
			w.line("\n%s, %s\n", escape(line.With), line.At.Format("Monday, 2 January 2006, 15:04"))
		}
		with, at = line.With, line.At
		w.line("- **%s:** %s", escape(line.Name), said(line.Text))
	}
}

// escape is a text on one line of Markdown that means nothing but itself.
func escape(text string) string {
	return marks.Replace(strings.Join(strings.Fields(text), " "))
}

var marks = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`)
