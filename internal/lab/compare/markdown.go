package compare

import (
	"fmt"
	"io"
	"strings"
	"time"

	"familiar/internal/lab/page"
	"familiar/prompts"
)

// Markdown writes the reports for readers: the figures, each fact under each mind, the conversations side by side, each
// mind's context, and everything said before.
func Markdown(out io.Writer, reports []Report) error {
	w := &sheet{}
	w.Line("# Side by side")
	w.Line("")
	w.Line("The same stories, played to a mind that remembers nothing (%s), to one that searches all that was ever said (%s), "+
		"and to the persona with its record, beliefs and jobs (%s). A fact counts when it can be read in what is in front of the "+
		"mind at the moment somebody comes back.", Stateless, Flat, Full)
	w.Line("")
	w.figures(reports)
	for _, r := range reports {
		w.story(r)
	}
	return w.Write(out)
}

// sheet is the page with the methods for its parts.
type sheet struct{ page.Page }

// figures writes the figures of all minds in one table.
func (w *sheet) figures(reports []Report) {
	w.Row("story", "mind", "facts", "share", "stale", "wrong", "foreign", "answerable", "tokens")
	w.Row("---", "---", "---:", "---:", "---:", "---:", "---:", "---:", "---:")
	for _, r := range reports {
		for _, m := range r.Modes {
			w.Row(r.Scenario, m.Mode, fmt.Sprintf("%d of %d", m.Present, m.Facts), fmt.Sprintf("%.2f", m.Share),
				fmt.Sprint(m.Stale), fmt.Sprint(m.Wrong), fmt.Sprint(m.Others), fmt.Sprintf("%d of %d", m.Answerable, m.Asked),
				fmt.Sprint(m.Tokens))
		}
	}
}

func (w *sheet) story(r Report) {
	w.Line("\n## %s: %s\n", page.Escape(r.Scenario), page.Escape(r.Title))
	w.Line("%s comes back to %s.\n", page.Escape(r.Person), page.Escape(r.Persona))
	w.facts(r)
	w.verdicts(r)
	w.talks(r)
	w.contexts(r)
	w.before(r)
}

// modes returns the names of the minds.
func (r Report) modes() (names []string) {
	for _, m := range r.Modes {
		names = append(names, m.Mode)
	}
	return names
}

// facts writes what can be read of each fact under each mind.
func (w *sheet) facts(r Report) {
	w.Line("### What can be read when %s comes back\n", page.Escape(r.Person))
	w.Head("---", ":-:", append([]string{"fact"}, r.modes()...)...)
	for i := range r.Modes[0].Found {
		cells := []string{page.Escape(r.Modes[0].Found[i].Fact)}
		for _, m := range r.Modes {
			cells = append(cells, m.Found[i].String())
		}
		w.Row(cells...)
	}
	for _, m := range r.Modes {
		for _, f := range m.Foreign {
			w.Line("\n%s also shows what is somebody else's: %s", m.Mode, page.Escape(f))
		}
	}
	w.Line("")
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
func (w *sheet) verdicts(r Report) {
	verdicts := make([]*prompts.Verdict, len(r.Modes))
	for i, m := range r.Modes {
		verdicts[i] = m.Verdict
	}
	w.Verdicts(r.modes(), verdicts)
	for _, m := range r.Modes {
		if m.Fault != "" {
			w.Line("\n%s: %s", m.Mode, page.Escape(m.Fault))
		}
	}
	for _, f := range r.Faults {
		w.Line("\n%s", page.Escape(f))
	}
	w.Line("")
}

// talks writes the probes side by side.
func (w *sheet) talks(r Report) {
	w.Line("### The talk, side by side\n")
	w.Head("---", "---", append([]string{page.Escape(r.Person)}, r.modes()...)...)
	for i, step := range r.Modes[0].Steps {
		cells := []string{page.Said(step.Said)}
		for _, m := range r.Modes {
			cells = append(cells, page.Said(m.Steps[i].Reply))
		}
		w.Row(cells...)
	}
	w.Line("")
}

// contexts writes the context of each mind.
func (w *sheet) contexts(r Report) {
	for _, m := range r.Modes {
		w.Line("### In front of %s\n", m.Mode)
		for _, step := range m.Steps {
			w.Line("%s (%d tokens)\n", page.Said(step.Said), step.Tokens)
			w.Line("```text")
			for _, line := range step.Context {
				w.Line("%s", strings.ReplaceAll(line, "```", "'''"))
			}
			w.Line("```\n")
		}
	}
}

// before is all that was said before.
func (w *sheet) before(r Report) {
	w.Line("### Before")
	with, at := "", time.Time{}
	for _, line := range r.Said {
		if line.With != with || line.At.Sub(at) > time.Hour {
			w.Line("\n%s, %s\n", page.Escape(line.With), line.At.Format("Monday, 2 January 2006, 15:04"))
		}
		with, at = line.With, line.At
		w.Line("- **%s:** %s", page.Escape(line.Name), page.Said(line.Text))
	}
}
