package stories

import (
	"context"
	"regexp"
	"strings"

	"golang.org/x/sync/errgroup"

	"familiar/persona/words"
	"familiar/prompts"
)

// Report is what the prompt for a story's probe shows.
type Report struct {
	Story string `json:"story"`
	// Vital counts the facts that should be shown. Missing are those that are not; Stale and Foreign are those that are shown and should
	// not be.
	Vital   int      `json:"vital"`
	Missing []string `json:"missing,omitempty"`
	Stale   []string `json:"stale,omitempty"`
	Foreign []string `json:"foreign,omitempty"`
	// Repeated are entries whose content another entry has. Marked are quotes with a mark inside.
	Repeated []string `json:"repeated,omitempty"`
	Marked   []string `json:"marked,omitempty"`
	// Tokens is the size of the prompt. Prefix is the mean common prefix of successive prompts in the story's talks, as a
	// share of the shorter.
	Tokens int     `json:"tokens"`
	Prefix float64 `json:"prefix"`
	// Faults lists the jobs that failed and, with a real model, what else did.
	Faults []string `json:"faults,omitempty"`
	// Bad is what came of bad answers, nil without them.
	Bad *BadAnswers `json:"bad_answers,omitempty"`
	// Beliefs are what the persona believes in the end, and what it believed before, with the evidence.
	Beliefs []string `json:"beliefs"`
	// Verdict is the judge's, and Talk what was said, with a real model. Without a verdict, Faults say why.
	Verdict *prompts.Verdict `json:"verdict,omitempty"`
	Talk    []Line           `json:"talk,omitempty"`
	// Prompt is the prompt's text, Said what the persona said to the probe.
	Prompt string `json:"prompt"`
	Said   string `json:"said"`
}

// BadAnswers is what came of a story's bad answers.
type BadAnswers struct {
	// Said counts what the persona said, Makeshift what of it the plain voice said because no answer of the model could be
	// said. Unfit lists what should not have been said, and why.
	Said      int      `json:"said"`
	Makeshift int      `json:"makeshift"`
	Unfit     []string `json:"unfit,omitempty"`
	// False counts the false claims that were filed with real quotes. Displaced lists the facts that somebody told of themselves
	// and that one of them replaced, FalseShown those that the last prompt shows.
	False      int      `json:"false"`
	Displaced  []string `json:"displaced,omitempty"`
	FalseShown []string `json:"false_shown,omitempty"`
}

// atOnce is the number of stories played in parallel, liveAtOnce that with a real model.
const atOnce, liveAtOnce = 4, 2

// Run plays the stories, each in a temporary home of its own. With a real model, a story that fails has the error among its
// faults, and the others go on.
func Run(ctx context.Context, parts Parts, all []Story) ([]Report, error) {
	reports := make([]Report, len(all))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	if parts.Live != nil {
		g.SetLimit(liveAtOnce)
	}
	for i := range all {
		g.Go(func() (err error) {
			reports[i], err = play(ctx, parts, &all[i])
			if err != nil && parts.Live != nil && ctx.Err() == nil {
				reports[i] = Report{Story: all[i].ID, Faults: []string{err.Error()}}
				return nil
			}
			return err
		})
	}
	return reports, g.Wait()
}

// examine returns what a prompt shows of a story.
func examine(s *Story, p prompts.Prompt) Report {
	text := wholeText(p)
	r := Report{Story: s.ID, Vital: len(s.Vital), Tokens: p.Tokens(), Prompt: text}
	lower := strings.ToLower(strings.ReplaceAll(text, "⏎ ", ""))
	r.Missing = names(s.Vital, func(f Fact) bool { return !f.in(lower) })
	r.Stale = names(s.Stale, func(f Fact) bool { return f.in(lower) })
	r.Foreign = names(s.Foreign, func(f Fact) bool { return f.in(lower) })
	entries := make([]string, len(p.Notes))
	for i, n := range p.Notes {
		entries[i] = n.Text
	}
	r.Repeated = repeated(entries)
	for _, e := range entries {
		if mark.MatchString(e) {
			r.Marked = append(r.Marked, e)
		}
	}
	return r
}

func names(facts []Fact, wanted func(Fact) bool) (all []string) {
	for _, f := range facts {
		if wanted(f) {
			all = append(all, f.name())
		}
	}
	return all
}

// wholeText returns everything that a prompt shows, in order.
func wholeText(p prompts.Prompt) string {
	var b strings.Builder
	b.WriteString(p.System)
	for _, m := range p.Messages {
		b.WriteString("\n--- " + string(m.Role) + "\n" + m.Text)
	}
	return b.String()
}

// commonPrefix returns how much of the shorter of two prompts both begin with, 0–1.
func commonPrefix(a, b prompts.Prompt) float64 {
	x, y := wholeText(a), wholeText(b)
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return float64(n) / float64(max(1, min(len(x), len(y))))
}

// mark matches a note within somebody's words, such as "[no longer current]".
var mark = regexp.MustCompile(`\[[\pL][^\]]*\]`)

// The number of content words from which an entry can repeat another, and the share of them that the other must have.
const (
	repeatedWords = 4
	repeatedShare = 0.9
)

// repeated returns the entries whose content words are nearly all in another entry.
func repeated(entries []string) (all []string) {
	sets := make([]words.Set, len(entries))
	for i, e := range entries {
		sets[i] = words.Content(body(e))
	}
	for i := range entries {
		for j := range entries {
			same := len(sets[i]) == len(sets[j]) && i < j // of two equal entries, only the second repeats
			if i == j || same || len(sets[i]) < repeatedWords || len(sets[i]) > len(sets[j]) {
				continue
			}
			if float64(words.Shared(sets[i], sets[j])) >= repeatedShare*float64(len(sets[i])) {
				all = append(all, entries[i])
				break
			}
		}
	}
	return all
}

// head matches what stands before an entry's words: its date and its author, or what kind of note it is.
var head = regexp.MustCompile(`^(?:- )?(?:in [^|]*\| )?(?:[\pL ]*\| )?(?:\pL{3} )?(?:\d{4}-\d{2}-\d{2}[^|]*\| )?[^:]{1,60}: `)

// body returns an entry without its head.
func body(entry string) string { return head.ReplaceAllString(entry, "") }

func mean(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

// Total sums up the reports of several stories.
type Total struct {
	Stories int `json:"stories"`
	// Vital is the share of the vital facts that are shown.
	Vital    float64 `json:"vital"`
	Stale    int     `json:"stale"`
	Foreign  int     `json:"foreign"`
	Repeated int     `json:"repeated"`
	Marked   int     `json:"marked"`
	// Tokens and Prefix are means.
	Tokens float64 `json:"tokens"`
	Prefix float64 `json:"prefix"`
	Faults int     `json:"faults"`
	// Bad are the sums of what came of bad answers, nil without them.
	Bad *BadTotal `json:"bad_answers,omitempty"`
	// Judged is what the judge found, nil without a real model.
	Judged *Judged `json:"judged,omitempty"`
}

// Judged sums up verdicts.
type Judged struct {
	// Stories counts those with a verdict.
	Stories int        `json:"stories"`
	Marks   []MeanMark `json:"marks"`
}

// MeanMark is the mean rating of one aspect, 1–5.
type MeanMark struct {
	Of   string  `json:"of"`
	Mean float64 `json:"mean"`
}

// judged sums up the verdicts of stories that were played with a real model, nil if none was.
func judged(reports []Report) *Judged {
	var j Judged
	live := false
	for _, r := range reports {
		live = live || len(r.Talk) > 0
		if r.Verdict == nil {
			continue
		}
		j.Stories++
		for i, m := range r.Verdict.Marks() {
			if i == len(j.Marks) {
				j.Marks = append(j.Marks, MeanMark{Of: m.Of})
			}
			j.Marks[i].Mean += float64(m.Given)
		}
	}
	for i := range j.Marks {
		j.Marks[i].Mean /= float64(j.Stories)
	}
	if !live {
		return nil
	}
	return &j
}

// BadTotal sums up what came of the bad answers of several stories; see BadAnswers.
type BadTotal struct {
	Said       int `json:"said"`
	Makeshift  int `json:"makeshift"`
	Unfit      int `json:"unfit"`
	False      int `json:"false"`
	Displaced  int `json:"displaced"`
	FalseShown int `json:"false_shown"`
}

func (t *BadTotal) add(b *BadAnswers) {
	t.Said, t.Makeshift, t.Unfit = t.Said+b.Said, t.Makeshift+b.Makeshift, t.Unfit+len(b.Unfit)
	t.False, t.Displaced, t.FalseShown = t.False+b.False, t.Displaced+len(b.Displaced), t.FalseShown+len(b.FalseShown)
}

// Sum returns the total of reports.
func Sum(reports []Report) Total {
	t := Total{Stories: len(reports)}
	vital, missing := 0, 0
	var prefixes, sizes []float64
	for _, r := range reports {
		vital, missing = vital+r.Vital, missing+len(r.Missing)
		t.Stale, t.Foreign = t.Stale+len(r.Stale), t.Foreign+len(r.Foreign)
		t.Repeated, t.Marked, t.Faults = t.Repeated+len(r.Repeated), t.Marked+len(r.Marked), t.Faults+len(r.Faults)
		if r.Bad != nil {
			if t.Bad == nil {
				t.Bad = &BadTotal{}
			}
			t.Bad.add(r.Bad)
		}
		prefixes, sizes = append(prefixes, r.Prefix), append(sizes, float64(r.Tokens))
	}
	t.Vital = float64(vital-missing) / float64(max(1, vital))
	t.Tokens, t.Prefix, t.Judged = mean(sizes), mean(prefixes), judged(reports)
	return t
}
