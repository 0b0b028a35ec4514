package modelvoice

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"familiar/memory/belief"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/memory/understand/rel"
	"familiar/persona/mind"
	"familiar/persona/scene"
	"familiar/prompts"
)

// ReplyInput converts a scene into the input of a prompt of budget tokens, 0 for the default. Recalled text is
// shortened if it exceeds its share.
func ReplyInput(s scene.Scene, budget int) prompts.ReplyInput {
	in := prompts.ReplyInput{
		Budget: budget, Card: s.Card.Prompt(), Now: s.Now, Direct: s.Direct, RoomTitle: s.RoomTitle,
		Person: prompts.Person{
			Name: s.Person.Name, Address: s.Address, Stage: s.Stage, Style: s.Style,
			Met: inZoneOf(s.Relationship.FirstMet, s.Now), Sessions: s.Relationship.Sessions,
			Timeline: s.Timeline,
		},
		Mood: s.Mood, AfterFallback: s.AfterFallback, Episodes: promptEpisodes(s),
		Goals:      promptGoals(s),
		Milestones: notes(s.Milestones), Observations: memoryEntries(s.Observations, s), Lessons: memoryEntries(s.Lessons, s),
		NothingFound: s.Recall.Nothing && len(s.Incoming) > 0,
		Beliefs:      promptBeliefs(s), Loops: promptLoops(s),
		ToAnswer: entries(s.Incoming, s.Now), Recent: entries(s.Recent, s.Now),
	}
	if s.LastTalk.Text != "" {
		in.LastConversation = memoryEntries([]model.Memory{s.LastTalk}, s)[0]
	}
	in.Recalled = append(in.Recalled, earlierByDay(s)...)
	for _, item := range recall.Compress(s.Recall.Items, s.Question(), prompts.RecallBudget(budget)) {
		switch item.Why {
		case recall.WhyStanding:
			in.Preferences = append(in.Preferences, passage(item, s).Lines...)
		case recall.WhyPinned:
			in.Pinned = append(in.Pinned, passage(item, s).Lines...)
		default:
			in.Recalled = append(in.Recalled, passage(item, s))
		}
	}
	if s.UnknownTerm != nil {
		in.UnknownTerm = s.UnknownTerm.Text
	}
	if g := s.Greeting; g != nil {
		in.Arrival = &prompts.Arrival{First: g.First, Proactive: g.Proactive, Since: g.Since}
		in.Preferences = append(in.Preferences, memoryEntries(g.Instructions, s)...)
		for _, m := range g.Observed {
			noted := prompts.Entry{Note: true, Text: "you noticed, nobody said so: " + m.Text, At: inZoneOf(m.Created, s.Now)}
			in.Recalled = append(in.Recalled, prompts.Recalled{Lines: []prompts.Entry{noted}})
		}
		for _, m := range memoryEntries(g.Recalled, s) {
			in.Recalled = append(in.Recalled, prompts.Recalled{Lines: []prompts.Entry{m}})
		}
	}
	return in
}

// notes returns the program's own texts as entries.
func notes(texts []string) (out []prompts.Entry) {
	for _, text := range texts {
		out = append(out, prompts.Entry{Note: true, Text: text})
	}
	return out
}

func promptEpisodes(s scene.Scene) (out []prompts.Episode) {
	for _, e := range s.Episodes {
		out = append(out, prompts.Episode{From: inZoneOf(e.From, s.Now), Until: inZoneOf(e.Until, s.Now), Text: e.Text})
	}
	return out
}

// inZoneOf returns a time in the person's timezone. The zero time stays zero.
func inZoneOf(at, now time.Time) time.Time {
	if at.IsZero() {
		return at
	}
	return at.In(now.Location())
}

func entries(lines []scene.Line, now time.Time) (out []prompts.Entry) {
	for _, l := range lines {
		out = append(out, prompts.Entry{Name: l.Name, Self: l.Self, Text: l.Text, At: inZoneOf(l.At, now)})
	}
	return out
}

// passage converts a packed item. A line without an author is the persona's own if it was said in a room. Otherwise it
// is a note: the operator's lore or the text of a job.
func passage(item recall.Item, s scene.Scene) prompts.Recalled {
	r := prompts.Recalled{Room: item.Room}
	for _, l := range item.Lines {
		r.Lines = append(r.Lines, prompts.Entry{
			Name: l.Author, Self: l.PersonID == 0 && l.MessageID != 0, Note: l.PersonID == 0 && l.MessageID == 0,
			Text: l.Text, At: inZoneOf(l.At, s.Now),
		})
	}
	return r
}

// earlierByDay returns the earlier statements with one entry per day. A date and a name before each sentence would take
// more room than the sentences.
func earlierByDay(s scene.Scene) (out []prompts.Recalled) {
	for _, item := range s.Earlier {
		r := passage(item, s)
		if n := len(out); n > 0 && out[n-1].Room == r.Room && sameDay(out[n-1].Lines[0].At, r.Lines[0].At) {
			out[n-1].Lines[0].Text += "\n" + r.Lines[0].Text
			continue
		}
		out = append(out, r)
	}
	return out
}

func sameDay(a, b time.Time) bool { return a.Format(time.DateOnly) == b.Format(time.DateOnly) }

func memoryEntries(memories []model.Memory, s scene.Scene) (out []prompts.Entry) {
	for _, m := range memories {
		out = append(out, prompts.Entry{
			Name: m.Author, Note: m.AuthorID == 0, Text: m.Text, At: inZoneOf(m.Created, s.Now),
		})
	}
	return out
}

// promptLoops returns the person's open loops, those to ask about now first.
func promptLoops(s scene.Scene) (out []prompts.Loop) {
	asked := make(map[int64]bool)
	if s.Greeting != nil {
		for _, l := range s.Greeting.Loops {
			asked[l.ID] = true
			open := promptLoop(l, s.Now)
			open.FollowUp, open.Upcoming = true, !scene.HasPassed(l, s.Now)
			out = append(out, open)
		}
	}
	for _, l := range s.Loops {
		if !asked[l.ID] {
			out = append(out, promptLoop(l, s.Now))
		}
	}
	return out
}

func promptLoop(l model.Loop, now time.Time) prompts.Loop {
	return prompts.Loop{Own: l.Own && l.Kind == belief.LoopPromise, Kind: l.Kind, Text: l.Text, Due: inZoneOf(l.DueFrom, now)}
}

// promptBeliefs returns the beliefs to show, best first: those this turn changed, those asked for, then the newest. A
// value that was never true is not shown. A former value is shown only if the question asks about the past.
func promptBeliefs(s scene.Scene) (out []prompts.Belief) {
	asked, before := askedRelations(s.Incoming)
	fresh := make(map[string]bool)
	for _, c := range s.Changes {
		fresh[beliefKey(c.Belief)] = true
	}
	var shown []model.Belief
	for _, b := range s.Beliefs {
		former := b.Status == model.Superseded && b.ReplacedWhy == belief.ChangeChanged && before
		if b.Status == model.Active || former {
			shown = append(shown, b)
		}
	}
	rank := func(b model.Belief) int {
		switch {
		case fresh[beliefKey(b)]:
			return 0
		case asked[b.Relation]:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(shown, func(a, b model.Belief) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), b.Updated.Compare(a.Updated), cmp.Compare(b.ID, a.ID))
	})
	for _, b := range shown {
		out = append(out, promptBelief(b, s))
	}
	return out
}

// beliefKey identifies a belief. Those of this turn have no ID yet.
func beliefKey(b model.Belief) string {
	return strings.Join([]string{fmt.Sprint(b.SubjectPerson), b.Subject, b.Relation, b.Value}, "\x00")
}

// askedRelations returns the relations that the messages ask for. before reports that they ask for an earlier value.
func askedRelations(heard []scene.Line) (asked map[string]bool, before bool) {
	asked = make(map[string]bool)
	for _, line := range heard {
		if q := line.Parsed.Question; q != nil {
			before = before || q.Before
			for _, r := range q.Relations {
				asked[r] = true
			}
		}
	}
	return asked, before
}

func promptBelief(b model.Belief, s scene.Scene) prompts.Belief {
	subject := b.Subject
	switch {
	case b.SubjectPerson != 0 && b.SubjectPerson == s.Person.ID && s.Person.Name != "":
		subject = s.Person.Name
	case subject == "" && b.SubjectPerson == b.AuthorID:
		subject = b.Author
	}
	return prompts.Belief{
		Text: rel.Describe(subject, b.Relation, b.Value), Author: b.Author, At: inZoneOf(b.Updated, s.Now),
		Unsure:  mind.Uncertain(mind.Confidence(b.Evidence, s.Now)),
		Hearsay: mind.OnlyHearsay(b.Evidence), Past: b.Status == model.Superseded,
	}
}

// promptGoals returns the goals for the prompt. One of them is asked about when someone returns and nothing else is
// due.
func promptGoals(s scene.Scene) (out []prompts.Goal) {
	ask, due := scene.GoalToAskAfter(s.Goals, s.Now)
	due = due && s.Greeting != nil && len(s.Greeting.Loops) == 0
	for _, g := range s.Goals {
		out = append(out, prompts.Goal{
			Text: g.Text, Last: inZoneOf(g.Last, s.Now), Steps: g.Steps, Stale: scene.GoalOf(g).Stale(s.Now), Ask: due && g.ID == ask.ID,
		})
	}
	return out
}
