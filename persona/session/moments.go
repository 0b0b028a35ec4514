package session

import (
	"fmt"
	"slices"

	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/mind"
	"familiar/persona/words"
)

// momentLines is how many lines a moment of the persona's story quotes.
const momentLines = 2

// momentRule says how to word a kind of moment: by its milestones, each with its own wording, else by the lines that
// show it.
type momentRule struct {
	Milestones map[mind.Milestone]string
	words      string
	shows      func(h talkMessage) bool
}

// MomentsOf are the wordings of moments, in the persona's first person. %s is the name of the other person.
var MomentsOf = map[model.Kind]momentRule{
	model.DefiningMoment: {
		Milestones: map[mind.Milestone]string{
			mind.Met: "I met %s.", mind.BecameClose: "%s and I have become close.", mind.OneYear: "I have known %s for a year.",
		},
	},
	model.BondMoment: {
		Milestones: map[mind.Milestone]string{mind.BecameFriend: "%s and I have become friends."},
		words:      "%s and I came closer.", shows: showsFeeling,
	},
	model.CorrectionMoment: {
		words: "%s put me right.", shows: func(h talkMessage) bool { return h.analysis.Corrects },
	},
	model.CollaborationMoment: {words: "%s got something done, and I was there for it.", shows: tellsSomething},
	model.FailureMoment: {
		words: "It did not go well between %s and me.",
		shows: func(h talkMessage) bool { return h.analysis.Warmth < 0 || h.analysis.Question != nil },
	},
	model.ValueMoment: {
		words: "%s told me how to go about things.",
		shows: func(h talkMessage) bool { return claims(h.analysis, rel.Instruction) },
	},
	model.InsightMoment: {words: "I learned a lot from %s.", shows: tellsSomething},
	model.GrowthMoment: {
		Milestones: map[mind.Milestone]string{
			mind.TenthSession: "I have talked with %s ten times.", mind.HundredthSession: "I have talked with %s a hundred times.",
			mind.HundredthMessage: "%s has written to me a hundred times.", mind.ThousandthMessage: "%s has written to me a thousand times.",
			mind.OneMonth: "I have known %s for a month.", mind.HalfAYear: "I have known %s for half a year.",
		},
	},
}

func tellsSomething(h talkMessage) bool { return h.informativeness() >= minScore }

func showsFeeling(h talkMessage) bool {
	return h.analysis.Warmth > 0 || claims(h.analysis, rel.Feeling)
}

// claims reports whether an analysis has a claim of a kind.
func claims(r understand.Analysis, kind rel.Kind) bool {
	return slices.ContainsFunc(r.Claims, func(c understand.Claim) bool { return c.Kind == kind })
}

// moments returns what the session adds to the persona's story. Each stays in its room and rests on messages from
// there.
func (e *endedSession) moments(reached map[int64][]mind.Milestone) (story []lifecycle.Inference) {
	var all []mind.Milestone
	for _, m := range mind.Milestones {
		if slices.ContainsFunc(e.people(), func(person int64) bool { return slices.Contains(reached[person], m) }) {
			all = append(all, m)
		}
	}
	for _, moment := range mind.Moments(e.total, e.meaning, all) {
		in, ok := e.atMilestone(moment, reached)
		if !ok {
			in, ok = e.shown(moment)
		}
		if ok {
			story = append(story, in)
		}
	}
	return story
}

// atMilestone words a moment by one of its milestones, with everyone who reached it. It returns false if there is none.
func (e *endedSession) atMilestone(moment mind.Moment, reached map[int64][]mind.Milestone) (lifecycle.Inference, bool) {
	for _, m := range mind.Milestones {
		words := MomentsOf[moment.Kind].Milestones[m]
		if words == "" {
			continue
		}
		var first []talkMessage
		for _, person := range e.people() {
			if slices.Contains(reached[person], m) {
				first = append(first, e.talk[slices.IndexFunc(e.talk, func(h talkMessage) bool { return h.PersonID == person })])
			}
		}
		if len(first) > 0 {
			return momentIn(moment, words, first, ""), true
		}
	}
	return lifecycle.Inference{}, false
}

// shown words a moment by the lines that show it, all from the author of the first. It returns false if there are none.
func (e *endedSession) shown(moment mind.Moment) (lifecycle.Inference, bool) {
	of := MomentsOf[moment.Kind]
	if of.shows == nil {
		return lifecycle.Inference{}, false
	}
	var lines []talkMessage
	for _, h := range e.talk {
		mine := len(lines) == 0 || h.PersonID == lines[0].PersonID
		if h.PersonID != 0 && mine && len(lines) < momentLines && of.shows(h) {
			lines = append(lines, h)
		}
	}
	if len(lines) == 0 {
		return lifecycle.Inference{}, false
	}
	quotes := ""
	for _, h := range lines {
		quotes += " " + h.quote()
	}
	return momentIn(moment, of.words, lines, quotes), true
}

// momentIn words a moment from lines. Their authors are the people it was shared with.
func momentIn(moment mind.Moment, phrase string, lines []talkMessage, quotes string) lifecycle.Inference {
	in := lifecycle.Inference{Kind: moment.Kind, Sector: model.Reflective, Salience: moment.Significance}
	var names []string
	for _, h := range lines {
		in.Sources = append(in.Sources, h.ID)
		if !slices.Contains(in.About, h.PersonID) {
			in.About, names = append(in.About, h.PersonID), append(names, h.Name)
		}
	}
	in.Text = fmt.Sprintf(phrase, words.Listed(names)) + quotes
	return in
}
