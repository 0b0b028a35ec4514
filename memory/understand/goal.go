package understand

import (
	"strings"
	"time"

	"familiar/memory/understand/english"
	"familiar/memory/when"
)

// Goal is something a speaker works toward for longer than a day or two.
type Goal struct {
	// Text is the goal as an activity: "learning the guitar".
	Text string `json:",omitzero"`
	// Quote is the part of the text that contains the goal.
	Quote string `json:",omitzero"`
	// Span is the time to reach it, nil when no time was named.
	Span *when.Span `json:",omitzero"`
}

// goalWording is a wording for a goal.
type goalWording struct {
	pattern english.Pattern
	// named reports that the wording itself names a goal, so that any verb is accepted. activity reports that the
	// slot begins with an -ing form.
	named, activity bool
}

var goalWordings = []goalWording{
	{english.Compile("my|our goal|dream|ambition|resolution|aim|target is to {thing}"), true, false},
	{english.Compile("my|our goal|dream|ambition|resolution|aim|target for|this ... is to {thing}"), true, false},
	{english.Compile("my|our goal|dream|ambition|resolution|aim|target is {doing}"), true, true},
	{english.Compile("I dream~ of {doing}"), true, true},
	{english.Compile("I want~ to {thing}"), false, false},
	{english.Compile("I would like|love to {thing}"), false, false},
	{english.Compile("I am~ going|planning|hoping|trying|determined to {thing}"), false, false},
	{english.Compile("I plan~ to {thing}"), false, false},
	{english.Compile("I hope~ to {thing}"), false, false},
	{english.Compile("I have~ decided|resolved to {thing}"), false, false},
	{english.Compile("I decided|resolved to {thing}"), false, false},
	{english.Compile("i|we have been {doing}"), false, true},
	{english.Compile("i|we started|began {doing}"), false, true},
	{english.Compile("I am~ {doing}"), false, true},
}

// undertakings maps the verbs of activities that take weeks to their object: "a" is a thing with its article, "bare"
// also a bare noun ("learn Spanish"), "for" also a purpose ("train for a marathon"), "to" also a bare noun or an
// activity.
var undertakings = map[string]string{
	"build": "a", "write": "a", "finish": "a", "complete": "a", "publish": "a", "renovate": "a", "restore": "a", "translate": "a",
	"compose": "a", "record": "a", "launch": "a", "climb": "a", "run": "a", "develop": "a", "design": "a", "create": "a", "pass": "a",
	"open": "a", "become": "a", "win": "a", "organise": "a", "organize": "a",
	"learn": "to", "master": "bare", "quit": "bare", "lose": "bare", "study": "for", "practise": "for", "practice": "for",
	"train": "for", "save": "for", "prepare": "for",
}

// pursuits holds the same by their -ing forms.
var pursuits = func() map[string]string {
	m := make(map[string]string, len(undertakings))
	for verb, takes := range undertakings {
		m[english.Gerund(verb)] = takes
	}
	return m
}()

// longer are the -ing forms that name a goal by themselves with "on" or "toward" after them.
var longer = english.CompileAll("working on|towards|toward a|an|my|our", "giving up", "getting fit|healthy|healthier|stronger|better|fitter|into|in shape|better")

// longerTo are the infinitives of the same.
var longerTo = english.CompileAll("give up", "get fit|healthy|healthier|stronger|fitter|better", "get in shape", "stop smoking|drinking", "work on|towards|toward a|an|my|our")

// noGoal holds the words that turn a lasting verb into a momentary one.
var noGoal = english.Set("it this that more about away out something anything everything you him her them us me myself early soon again now here there " +
	"with from in on at by off over to up down back as if home sense touch track time hope mind control interest patience " +
	"conversation chat talk message text email letter note list review report sentence word question answer door window tab file")

// soon is the time before an end within which a goal counts as a plan.
const soon = 3 * 24 * time.Hour

// goals reads what the speaker works toward.
func (r *reading) goals() {
	for n, s := range r.sentences {
		if s.Asks {
			continue
		}
		believed := believable(s)
		for _, c := range r.clauses(n) {
			if english.Question(c) || supposes(c) || len(c.Words) > 0 && c.Words[0].Start >= believed {
				continue
			}
			if g, ok := r.goal(c); ok {
				r.out.Goals = append(r.out.Goals, g)
			}
		}
	}
}

// goal returns the goal of a clause.
func (r *reading) goal(c english.Clause) (Goal, bool) {
	bare := r.withoutTimes(c)
	span := r.spanIn(c, nil)
	if span != nil && span.Until.Sub(r.u.At) < soon {
		return Goal{}, false
	}
	i := english.SkipLeads(bare, 0)
	for _, w := range goalWordings {
		m, ok := w.pattern.Find(bare, i)
		if !ok || m.Subject != "" || m.Kin != "" || !w.lasts(bare, m) {
			continue
		}
		text := bare.Joined(m.From, m.To)
		if !w.activity {
			text = asActivity(bare, m)
		}
		if strings.TrimSpace(text) == "" {
			return Goal{}, false
		}
		return Goal{Text: text, Quote: c.Span(0, len(c.Words)), Span: span}, true
	}
	return Goal{}, false
}

// lasts reports whether the match is something that takes time.
func (w goalWording) lasts(c english.Clause, m english.Match) bool {
	first := c.Low(m.From)
	if w.named {
		return !english.Function[first]
	}
	if w.activity {
		if _, ok := longer.Find(c, m.From); ok {
			return true
		}
		return isObject(c, m.From+1, pursuits[first])
	}
	if _, ok := longerTo.Find(c, m.From); ok {
		return true
	}
	return isObject(c, m.From+1, undertakings[first])
}

// isObject reports whether the words from i can be the object of a lasting verb.
func isObject(c english.Clause, i int, takes string) bool {
	w, next := c.Low(i), c.Low(i+1)
	if takes == "for" || takes == "to" {
		switch {
		case takes == "for" && (w == "for" || w == "up" && next == "for"):
			return next != "" && !noGoal[next]
		case takes == "to" && (w == "to" || w == "how" && next == "to"):
			return c.Low(i+1) != ""
		}
	}
	if english.Counts[w] || w == "my" || w == "our" || w == "the" {
		return takes != "" && next != "" && !noGoal[next]
	}
	return takes != "" && takes != "a" && w != "" && !english.Function[w] && !noGoal[w]
}
