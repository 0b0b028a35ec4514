package session

import (
	"cmp"
	"slices"
	"strings"

	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/memory/understand/rel"
	"familiar/persona/mind"
	"familiar/persona/words"
)

// The numbers of extractive summaries are project choices.
const (
	// summaryLines and routineLines are how many lines a summary quotes, of a significant and of a routine session.
	summaryLines, routineLines = 5, 2
	// minScore and minRoutineScore are the least scores of a quoted line.
	minScore, minRoutineScore = 0.5, 1
	// nameScore is the score of a statement without a claim that names someone or something.
	nameScore = 0.5
)

// kindScores are the scores of claims, by kind.
var kindScores = map[rel.Kind]float64{
	rel.Fact: 1, rel.Taste: 1, rel.Feeling: 1, rel.Plan: 1.5, rel.Promise: 1.5, rel.Instruction: 2,
}

const (
	// correctionScore is added for a correction, which says which of two statements holds.
	correctionScore = 1
	// maxScore bounds the score of a line: a long list does not represent the session.
	maxScore = 3
)

// informativeness returns how much a line tells about the session: 0 for questions, greetings and filler.
func (h talkMessage) informativeness() float64 {
	if h.PersonID == 0 || h.analysis.Phatic || words.AsksOnly(h.Text) {
		return 0
	}
	worth := 0.0
	for _, c := range h.analysis.Claims {
		worth += kindScores[c.Kind]
	}
	if h.analysis.Corrects {
		worth += correctionScore
	}
	if worth == 0 && len(h.analysis.Entities) > 0 {
		worth = nameScore
	}
	return min(worth, maxScore)
}

// summary returns the session in its most informative lines, false if there are none. It never quotes the persona,
// whose words are no evidence.
func (e *endedSession) summary() (lifecycle.Inference, bool) {
	most, from := summaryLines, minScore
	if e.meaning.Class == mind.Routine {
		most, from = routineLines, minRoutineScore
	}
	lines := e.mostInformative(most, from)
	if len(lines) == 0 {
		return lifecycle.Inference{}, false
	}
	in := lifecycle.Inference{
		Kind: model.Summary, Sector: model.Reflective, Salience: mind.SummarySalience(e.meaning), Text: quoteAll(lines),
	}
	for _, h := range lines {
		in.Sources = append(in.Sources, h.ID)
		in.Entities = append(in.Entities, h.analysis.Entities...)
		if !slices.Contains(in.About, h.PersonID) {
			in.About = append(in.About, h.PersonID)
		}
	}
	return in, true
}

// mostInformative returns up to most lines with at least the score from, in the order they were said. Of equal lines it
// takes the earlier, and it takes none twice.
func (e *endedSession) mostInformative(most int, from float64) []talkMessage {
	var found []talkMessage
	for _, h := range e.talk {
		again := func(other talkMessage) bool {
			return other.PersonID == h.PersonID && words.SameText(other.Text, h.Text)
		}
		if h.informativeness() >= from && !slices.ContainsFunc(found, again) {
			found = append(found, h)
		}
	}
	slices.SortStableFunc(found, func(a, b talkMessage) int { return cmp.Compare(b.informativeness(), a.informativeness()) })
	found = found[:min(most, len(found))]
	slices.SortFunc(found, func(a, b talkMessage) int { return cmp.Compare(a.ID, b.ID) })
	return found
}

// quoteAll returns lines with their authors.
func quoteAll(lines []talkMessage) string {
	said := make([]string, len(lines))
	for i, h := range lines {
		said[i] = h.quoted()
	}
	return strings.Join(said, " ")
}

// quoted returns the message with its author.
func (h talkMessage) quoted() string { return words.QuotedLine(h.Name, h.Text) }

// quote returns the message in quotation marks, shortened if it is long.
func (h talkMessage) quote() string { return "“" + words.Excerpt(h.Text) + "”" }

// withLost returns a model's summary with the informative lines that it left out, so that no fact is lost.
func (e *endedSession) withLost(words string) string {
	for _, h := range e.mostInformative(summaryLines, minScore) {
		if line := h.quoted(); lifecycle.LosesContent(words, line) {
			words += " " + line
		}
	}
	return words
}
