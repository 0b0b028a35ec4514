package main

import (
	"fmt"
	"slices"

	"familiar/internal/cli"
	"familiar/internal/lab/talk"
)

// renderTalk shows the answers that were asked for, the table and the figures, with --json everything as one object.
func renderTalk(inv *cli.Invocation, r talk.Report, show []string) error {
	picked := pick(r.Answers, show)
	if inv.JSON {
		return cli.WriteJSON(inv.Out, struct {
			talk.Report
			Shown []talk.Answer `json:"shown,omitempty"`
		}{r, picked})
	}
	if len(picked) > 0 {
		if err := cli.RenderEach(inv, picked, newAnswerRow); err != nil {
			return err
		}
	}
	if err := cli.RenderEach(inv, append(r.Kinds, r.All), newTalkRow); err != nil {
		return err
	}
	return cli.Render(inv, talkFigures(r.All))
}

// pick returns the answers that --show selects.
func pick(answers []talk.Answer, show []string) (some []talk.Answer) {
	for _, a := range answers {
		missed := a.Recalled != nil && !*a.Recalled
		if slices.Contains(show, string(a.Score)) || missed && slices.Contains(show, unrecalled) {
			some = append(some, a)
		}
	}
	return some
}

// answerRow is one answer. Its texts stand below it.
type answerRow struct {
	Score    talk.Score `json:"score"`
	Probe    string     `json:"probe"`
	Kind     string     `json:"kind"`
	Question string     `json:"question" show:"below"`
	Answer   string     `json:"answer" show:"below"`
	Expected string     `json:"expected" show:"below"`
	Told     []string   `json:"told" show:"below"`
}

func newAnswerRow(a talk.Answer) answerRow {
	return answerRow{
		Score: a.Score, Probe: a.Probe, Kind: a.Kind, Question: "asked: " + a.Question, Answer: "answer: " + a.Answer,
		Expected: "expected: " + a.Expected, Told: a.Told,
	}
}

// talkRow is one row of the table. A column that is empty in all rows is not shown.
type talkRow struct {
	Kind     string `json:"kind"`
	Asked    int    `json:"asked"`
	Direct   rate   `json:"direct,omitempty"`
	Quote    rate   `json:"quote,omitempty"`
	Hedge    rate   `json:"hedge,omitempty"`
	Unknown  rate   `json:"unknown,omitempty"`
	Wrong    rate   `json:"wrong,omitempty"`
	Nonsense rate   `json:"nonsense,omitempty"`
	None     rate   `json:"none,omitempty"`
	Recalled string `json:"recalled,omitempty"`
}

func newTalkRow(r talk.Row) talkRow {
	of := func(s talk.Score) rate {
		f := r.Scores[s]
		return rate{f.Count, f.Share}
	}
	row := talkRow{
		Kind: r.Kind, Asked: r.Questions, Direct: of(talk.Direct), Quote: of(talk.Quote), Hedge: of(talk.Hedge), Unknown: of(talk.Unknown),
		Wrong: of(talk.Wrong), Nonsense: of(talk.Nonsense), None: of(talk.None),
	}
	if r.Recalled != nil && r.Recalled.Of > 0 {
		row.Recalled = fmt.Sprintf("%d/%d", r.Recalled.Count, r.Recalled.Of)
	}
	return row
}

// rate is a cell with a count and its share.
type rate struct {
	count int
	share float64
}

// String returns the count and the share in percent.
func (r rate) String() string { return fmt.Sprintf("%d %.0f%%", r.count, 100*r.share) }

// figureRow is one summary figure.
type figureRow struct {
	Figure string `json:"figure"`
	Share  string `json:"share"`
	Count  string `json:"count"`
}

// talkFigures returns the summary figures of all probes, without those that no question counts for.
func talkFigures(all talk.Row) (rows []figureRow) {
	add := func(name string, f talk.Figure) {
		if f.Of > 0 {
			rows = append(rows, figureRow{name, fmt.Sprintf("%.2f", f.Share), fmt.Sprintf("%d of %d", f.Count, f.Of)})
		}
	}
	add("answered or rightly quoted", all.Right)
	add("wrong or nonsense", all.Bad)
	add("unanswerable questions honest", all.Honest)
	if all.Recalled != nil {
		add("told line among the first three recalled", *all.Recalled)
	}
	return rows
}
