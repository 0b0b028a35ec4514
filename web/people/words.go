package people

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"familiar/memory/belief"
	"familiar/memory/erase"
	"familiar/memory/model"
	"familiar/persona/mind"
	"familiar/web/layout"
)

// counted returns a number of things.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return layout.Number(n) + " " + many
}

// sessions tells how many sessions two had. One that runs is not counted yet.
func sessions(r model.Relationship) string {
	if r.Sessions == 0 {
		return "first session"
	}
	return counted(r.Sessions, "session", "sessions")
}

// otherNames returns the names that differ from the one that is shown.
func otherNames(shown string, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return strings.EqualFold(name, shown) })
}

// quoteShown is how much of a quote a list shows, in characters.
const quoteShown = 140

func shortened(text string) string {
	if utf8.RuneCountInString(text) <= quoteShown {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:quoteShown])) + "…"
}

// lastQuote returns the latest words for a fact, nil if none are left.
func lastQuote(b model.Belief) *model.Evidence {
	for i := len(b.Evidence) - 1; i >= 0; i-- {
		if e := b.Evidence[i]; e.Stance > 0 && e.Quote != "" {
			return &e
		}
	}
	return nil
}

// often words how often two talk, "" if it is too early to tell.
func often(r model.Relationship) string {
	if f := mind.Often(r); f != mind.TooEarly {
		return ", " + string(f)
	}
	return ""
}

func loopKind(l model.Loop) string {
	switch {
	case l.Own && l.Kind == belief.LoopPromise:
		return "the persona promised"
	case l.Own && l.Kind == belief.LoopQuestion:
		return "the persona asked"
	}
	return l.Kind
}

// milestoneNames are what the kinds of milestones are called.
var milestoneNames = map[mind.Milestone]string{
	mind.Met: "First met", mind.FirstCorrection: "First correction", mind.FirstAchievement: "First thing achieved together",
	mind.BecameFriend: "Became friends", mind.BecameClose: "Became close", mind.TenthSession: "10th conversation",
	mind.HundredthSession: "100th conversation", mind.HundredthMessage: "100th message", mind.ThousandthMessage: "1,000th message",
	mind.OneMonth: "A month", mind.HalfAYear: "Half a year", mind.OneYear: "A year",
}

func milestone(kind string) string {
	if name, known := milestoneNames[mind.Milestone(kind)]; known {
		return name
	}
	return strings.ReplaceAll(kind, "_", " ")
}

// talkPath is where a conversation begins.
func talkPath(s subject, t talk) string { return said(s.persona, t.RoomID, t.First) }

// factsTab is the tab of the facts that hold, or of those that do not any more.
func factsTab(ended bool) string {
	if ended {
		return "ended"
	}
	return "held"
}

// parts returns what goes, each kind by itself.
func parts(gone erase.ForgetResult) []string { return strings.Split(gone.String(), ", ") }

// described names what describes the field of a correction.
func described(problem string) string {
	if problem != "" {
		return "text-hint text-problem"
	}
	return "text-hint"
}

// heading tells whose words a greeting has.
func heading(g imagined) string {
	if g.byModel {
		return "It would say, in its own voice"
	}
	return "It would say"
}

func idText(id int64) string { return strconv.FormatInt(id, 10) }
