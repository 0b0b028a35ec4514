package plain

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"familiar/internal/lazyregexp"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/memory/when"
	"familiar/persona/scene"
	"familiar/persona/words"
)

// planner answers what is planned and when something is or was.
type planner struct{ *composer }

// dated is something with a time: an open loop or a plan among the beliefs.
type dated struct {
	event       event
	content     words.Set
	from, until time.Time
	belief      *model.Belief
}

// schedule returns everything the person expects: open loops, then believed plans without a loop, their own and those
// of others.
func (pl planner) schedule() []dated {
	var all []dated
	for _, l := range pl.scene.Loops {
		if l.Kind != "question" && l.Status != "closed" {
			all = append(all, dated{event: pl.loopEvent(l), content: words.Content(l.Text), from: l.DueFrom, until: scene.LoopEnd(l)})
		}
	}
	for i := range pl.scene.Beliefs {
		b := &pl.scene.Beliefs[i]
		if b.Relation != rel.Planned || b.Status != model.Active || !pl.ownBelief(*b) && b.AuthorID != pl.scene.Person.ID {
			continue
		}
		subject := pl.subjectOf(*b)
		d := dated{
			event:   eventOf(b.Value, b.Created.In(pl.scene.Now.Location())).of(subject),
			content: words.Content(subject + " " + b.Value), from: b.ValidFrom, until: b.ValidTo, belief: b,
		}
		if !slices.ContainsFunc(all, func(o dated) bool { return words.Shared(o.content, d.content) == len(d.content) }) {
			all = append(all, d)
		}
	}
	return all
}

// plansAsked asks for plans in general: "what plans do I have?"
var plansAsked = lazyregexp.New(`(?i)^(?:(?:any|other|more|my)\s+)?(?:plans|planned|appointments)(?:\s+(?:do i )?have)?$`)

// freeTalk asks whether nothing is planned: "am I free on Saturday?"
var freeTalk = words.Of("free busy available booked")

// asksPlans reports whether a person asks for their plans without naming one.
func asksPlans(line scene.Line, q understand.Question) bool {
	if len(q.Relations) > 0 || !asksOfSelf(line, q) {
		return false
	}
	if plansAsked.MatchString(q.About) {
		return true
	}
	left := words.Tokens(withoutTimes(q.About, line.At))
	return q.YesNo && q.Span != nil && len(left) == 1 && freeTalk.Has(left[0])
}

// aboutPlan answers whether something is planned: "am I flying tomorrow?" It leaves unplanned things to other answers.
func (pl planner) aboutPlan(line scene.Line, q understand.Question) string {
	if !q.YesNo || len(q.Relations) > 0 || !asksOfSelf(line, q) {
		return ""
	}
	deed := words.Content(withoutTimes(words.Head(line.Text), line.At))
	if len(deed) == 0 {
		return ""
	}
	for _, d := range pl.schedule() {
		if words.Shared(deed, d.content) < len(deed) || d.from.IsZero() || !d.until.After(pl.scene.Now) {
			continue
		}
		said := pl.sayDated(d)
		if q.Span == nil || d.from.Before(q.Span.Until) && d.until.After(q.Span.From) {
			return pl.put("plan.yes") + " " + said
		}
		return pl.put("plan.not.then") + " " + said
	}
	return pl.calledOff(deed)
}

// calledOff says that what is asked for was called off, "" if it was not.
func (pl planner) calledOff(deed words.Set) string {
	for _, b := range pl.scene.Beliefs {
		if b.Relation == rel.Planned && b.Status != model.Active && pl.ownBelief(b) && b.ValidTo.After(pl.scene.Now) && words.SharedWith(deed, b.Value) == len(deed) {
			return pl.put("plan.off", "thing", eventOf(b.Value, b.Created.In(pl.scene.Now.Location())).words)
		}
	}
	return ""
}

// aboutDay answers what is planned at the time that the question names.
func (pl planner) aboutDay(_ scene.Line, q understand.Question) string {
	if q.Span == nil || q.Subject != "" || !slices.Contains(q.Relations, rel.Planned) {
		return ""
	}
	var found []dated
	for _, d := range pl.schedule() {
		end := d.until
		if !end.After(d.from) {
			end = d.from.Add(time.Minute)
		}
		if !d.from.IsZero() && d.from.Before(q.Span.Until) && end.After(q.Span.From) {
			found = append(found, d)
		}
	}
	if len(found) == 0 {
		if q.Span.Until.After(pl.scene.Now) {
			return pl.put("day.free", "when", sayTime(q.Span.From, q.Span.Until, pl.scene.Now))
		}
		return "" // the past is answered from quotes
	}
	slices.SortStableFunc(found, func(a, b dated) int { return a.from.Compare(b.from) })
	var things []string
	for _, d := range found {
		things = append(things, d.event.listed())
		if d.belief != nil {
			pl.useBeliefs([]model.Belief{*d.belief})
		}
	}
	return pl.put("day.plans", "when", sayTime(q.Span.From, q.Span.Until, pl.scene.Now), "things", words.Listed(things))
}

// whenWas answers when something is or was: from plans, else from the line that mentions it, with its author, its date,
// and the date that follows from it.
func (pl planner) whenWas(line scene.Line, q understand.Question) string {
	asksPlans := slices.Contains(q.Relations, rel.Planned)
	if !q.When && !asksPlans {
		return ""
	}
	if d, ok := pl.scheduled(q); ok && (q.Subject == "" || d.content[words.Stem(strings.ToLower(firstWord(q.Subject)))]) {
		return pl.sayDated(d) // "when is the meeting with Paul?" asks about the meeting
	}
	if q.Subject == "" {
		if asksPlans && !q.When {
			return pl.allPlans()
		}
	}
	if !q.When {
		return ""
	}
	if deed := words.Content(q.About); len(deed) > 0 && asksOfSelf(line, q) {
		if off := pl.calledOff(deed); off != "" {
			return off
		}
	}
	quotes := quoter(pl).linesFor(line, q)
	if len(quotes) == 0 {
		return ""
	}
	own := asksOfSelf(line, q)
	if howLong.MatchString(words.Head(line.Text)) {
		best := preferred(quotes, func(f found) bool { return duration.MatchString(f.line.Text) })
		pl.useLine(best)
		return quoter(pl).quote(best, own)
	}
	return pl.sayWhen(preferred(quotes, func(f found) bool {
		t, ok := pl.timesIn(f)
		return ok && within(t.span, q, line.Text)
	}), own)
}

var (
	// howLong asks for a duration; "how long ago" asks for a time.
	howLong = lazyregexp.New(`(?i)\bhow\s+long\s+(?:have|has|had|did|do|does|was|were|is|am|are)\b`)
	// duration matches a duration.
	duration = lazyregexp.New(`(?i)\b(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|few|several|many)\s+(?:hours?|days?|weeks?|months?|years?|decades?)\b|\bsince\b`)
	// yearNamed matches a year.
	yearNamed = lazyregexp.New(`\b(?:19|20)\d\d\b`)
)

// nearlyAs is the share of the best coverage that another quote needs to be preferred.
const nearlyAs = 0.75

// preferred returns the first quote with the information asked for if it covers the question nearly as well as the best
// one; otherwise the best one.
func preferred(quotes []found, tells func(found) bool) found {
	best := quotes[0]
	for _, f := range quotes {
		if f.wanted == best.wanted && f.coverage >= nearlyAs*best.coverage && tells(f) {
			return f
		}
	}
	return best
}

// within reports whether a time lies in the one that the question names, in any year if it names none.
func within(told when.Span, q understand.Question, asked string) bool {
	if q.Span == nil || q.Span.Vague && q.Span.Until.Sub(q.Span.From) > 32*24*time.Hour {
		return true
	}
	if yearNamed.MatchString(asked) || q.Span.Until.Sub(q.Span.From) < 28*24*time.Hour {
		return told.From.Before(q.Span.Until) && told.Until.After(q.Span.From)
	}
	return told.From.Month() == q.Span.From.Month()
}

// scheduled returns the scheduled item that a question is about.
func (pl planner) scheduled(q understand.Question) (dated, bool) {
	content := words.Content(q.About + " " + q.Value)
	var found []dated
	for _, d := range pl.schedule() {
		if fits(content, d.content) {
			found = append(found, d)
		}
	}
	if len(found) == 0 {
		return dated{}, false
	}
	return slices.MaxFunc(found, func(a, b dated) int {
		return cmp.Or(
			cmp.Compare(words.Shared(content, a.content), words.Shared(content, b.content)),
			cmp.Compare(rank(!a.from.IsZero()), rank(!b.from.IsZero())), a.from.Compare(b.from))
	}), true
}

// fits reports whether a question and a scheduled item are about the same: the shares of their common words add up to
// nearly one. A single word of a longer question is not enough, nor is "the tournament" for "my first chess tournament
// in Riga".
func fits(asked, thing words.Set) bool {
	const nearly = 0.9
	common := float64(words.Shared(asked, thing))
	ofAsked := common / max(float64(len(asked)), 1)
	return ofAsked >= nearly/2 && ofAsked+common/float64(len(thing)) >= nearly
}

// sayDated words the time of a scheduled item.
func (pl planner) sayDated(d dated) string {
	if d.belief != nil {
		pl.useBeliefs([]model.Belief{*d.belief})
	}
	key := "when.ahead"
	switch {
	case d.from.IsZero():
		key = "when.open"
	case !d.until.After(pl.scene.Now):
		key = "when.past"
	}
	switch d.event.form {
	case eventGerund:
		key += ".gerund"
	case eventVerb:
		key += ".verb"
	}
	return pl.put(key, "thing", d.event.words, "when", sayTime(d.from, d.until, pl.scene.Now))
}

// plansListed bounds how many plans are listed at once.
const plansListed = 5

// allPlans lists what is coming up.
func (pl planner) allPlans() string {
	var ahead []dated
	for _, d := range pl.schedule() {
		if d.from.IsZero() || d.until.After(pl.scene.Now) {
			ahead = append(ahead, d)
		}
	}
	if len(ahead) == 0 {
		return pl.put("plans.none")
	}
	slices.SortStableFunc(ahead, func(a, b dated) int {
		return cmp.Or(cmp.Compare(rank(a.from.IsZero()), rank(b.from.IsZero())), a.from.Compare(b.from))
	})
	var told []string
	for _, d := range ahead[:min(len(ahead), plansListed)] {
		thing := d.event.listed()
		if !d.from.IsZero() {
			thing += " " + sayTime(d.from, d.until, pl.scene.Now)
		}
		told = append(told, thing)
	}
	return pl.put("plans.list", "things", words.Listed(told))
}

// timed is the sentence of a line that tells a time.
type timed struct {
	text string
	span when.Span
}

// timesIn returns the sentence of a quoted line that names a time and is closest to the question, false if there is
// none. Past times win over others in the same sentence.
func (pl planner) timesIn(f found) (timed, bool) {
	at := f.line.At.In(pl.scene.Now.Location())
	best, score := timed{}, -1
	for _, sentence := range words.Sentences(words.Head(f.line.Text)) {
		spans := when.Find(sentence, at)
		if n := words.Shared(f.topic, words.Content(sentence)); len(spans) == 0 || n <= score {
			continue
		} else {
			score = n
		}
		best = timed{sentence, spans[0]}
		for _, s := range spans {
			if s.Past {
				best.span = s
				break
			}
		}
	}
	return best, score >= 0
}

// sayWhen words when something was from the line that mentions it. own reports that askers asked about themselves. Lore
// states its own times and has no date of its own.
func (pl planner) sayWhen(f found, own bool) string {
	pl.useLine(f)
	if f.isLore() {
		return quoter(pl).quote(f, own)
	}
	fill := quoter(pl).quoteFill(f)
	key := "said.when"
	switch {
	case !f.asker && own:
		key = "notyou.when"
	case !f.asker:
		key = "other.when"
	}
	t, ok := pl.timesIn(f)
	if !ok {
		return pl.put(f.wording(key+".open"), fill...)
	}
	if t.span.From.After(pl.scene.Now) && len(wordings[key+".ahead"]) > 0 {
		key += ".ahead"
	}
	fill = append(fill, "when", sayTime(t.span.From, t.span.Until, pl.scene.Now))
	if told, ok := indirect(t.text, f.line.At.In(pl.scene.Now.Location()), pl.scene.Now); ok && f.asker && !t.span.From.After(pl.scene.Now) {
		key, fill = "told.when", append(fill, "what", told)
	}
	return pl.put(f.wording(key), fill...)
}
