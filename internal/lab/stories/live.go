package stories

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"familiar/internal/lab/judge"
	"familiar/internal/lab/page"
	"familiar/persona/modelvoice"
	"familiar/prompts"
)

// Live makes the stories be played with a real model: the persona's turns are then its own.
type Live struct {
	// Judge rates what the persona said, nil for the model that does its work.
	Judge modelvoice.Model
}

// Line is one message of a story that was played with a real model.
type Line struct {
	At time.Time `json:"at"`
	// Room is the group's name, empty in a direct room. Name is the author's.
	Room string `json:"room,omitempty"`
	Name string `json:"name"`
	Self bool   `json:"self,omitempty"`
	Text string `json:"text"`
	// Fault is why the plain voice stepped in.
	Fault string `json:"fault,omitempty"`
}

// answers returns the judge's input: the talk before the probe in its room, and the probe.
func (r Report) answers(s *Story) prompts.JudgeInput {
	in := prompts.JudgeInput{Name: s.personaName(), Character: s.Persona, Told: facts(s.Vital), Outdated: facts(s.Stale), Private: facts(s.Foreign)}
	for _, l := range r.Talk[r.lastTalk(s):] {
		in.Talk = append(in.Talk, prompts.Entry{Name: l.Name, Self: l.Self, Text: l.Text, At: l.At})
	}
	return in
}

// lastTalk returns where the talk before the probe begins.
func (r Report) lastTalk(s *Story) (from int) {
	begins := s.today().AddDate(0, 0, -s.Sessions[len(s.Sessions)-1].DaysAgo)
	for from < len(r.Talk)-1 && r.Talk[from].At.Before(begins) {
		from++
	}
	return from
}

func facts(all []Fact) (said []string) {
	for _, f := range all {
		said = append(said, f.name())
	}
	return said
}

// judge rates what was said. An error is a fault of the story.
func (r *Report) judge(ctx context.Context, m modelvoice.Model, s *Story) {
	if m == nil {
		return
	}
	verdict, err := judge.Ask(ctx, m, r.answers(s))
	if err != nil {
		r.Faults = append(r.Faults, err.Error())
	}
	r.Verdict = verdict
}

// Transcripts writes stories that were played with a real model as Markdown: the judge's marks, what the last prompt showed,
// what went wrong, and what was said.
func Transcripts(out io.Writer, reports []Report) error {
	p := &page.Page{}
	p.Line("# Stories with a real model\n")
	names, verdicts := make([]string, len(reports)), make([]*prompts.Verdict, len(reports))
	for i, r := range reports {
		names[i], verdicts[i] = page.Escape(r.Story), r.Verdict
	}
	p.Verdicts(names, verdicts)
	for _, r := range reports {
		p.Line("\n## %s\n", page.Escape(r.Story))
		p.Line("The last prompt shows %d of %d vital facts, %d stale and %d foreign ones.", r.Vital-len(r.Missing), r.Vital, len(r.Stale), len(r.Foreign))
		for _, missing := range r.Missing {
			p.Line("\nMissing: %s", page.Escape(missing))
		}
		for _, fault := range r.Faults {
			p.Line("\nFault: %s", page.Escape(fault))
		}
		talk(p, r.Talk)
	}
	return p.Write(out)
}

// talk writes what was said, with a heading for each day and room.
func talk(p *page.Page, lines []Line) {
	heading := ""
	for _, l := range lines {
		where := l.At.Format("Monday, 2 January 2006")
		if l.Room != "" {
			where += ", in " + l.Room
		}
		if where != heading {
			heading = where
			p.Line("\n### %s\n", page.Escape(where))
		}
		text := page.Said(strings.ReplaceAll(l.Text, "\n", " ⏎ "))
		if l.Fault != "" {
			text += " *(" + page.Escape(fmt.Sprintf("the plain voice, as %s", l.Fault)) + ")*"
		}
		p.Line("- **%s:** %s", page.Escape(l.Name), text)
	}
}
