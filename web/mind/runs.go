package mind

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"familiar/memory"
	"familiar/memory/erase"
	"familiar/memory/jobrun"
	"familiar/web/layout"
)

// with returns a query with a number in a field.
func with(query url.Values, field string, n int64) url.Values {
	changed := url.Values{field: {decimal(n)}}
	for name, values := range query {
		if name != field {
			changed[name] = values
		}
	}
	return changed
}

// runList is what the page of runs shows.
type runList struct {
	common
	job   string
	names []string
	runs  []jobrun.Run
	first bool
	older string
}

func (p Pages) runs(w http.ResponseWriter, r *http.Request) error {
	c, err := p.common(r)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	before, err := optional(query, "before")
	if err != nil {
		return err
	}
	l := runList{common: c, job: query.Get("job"), first: before == 0}
	err = p.store.Snapshot(r.Context(), func(ctx context.Context) error {
		last, err := p.store.Jobs.LastRuns(ctx, c.persona)
		if err != nil {
			return err
		}
		for _, r := range last {
			l.names = append(l.names, r.Job)
		}
		l.runs, err = p.store.Jobs.Runs(ctx, jobrun.Filter{Persona: c.persona, Job: l.job, Before: before, Limit: pageSize + 1})
		return err
	})
	if err != nil {
		return err
	}
	if len(l.runs) > pageSize {
		l.runs = l.runs[:pageSize]
		l.older = older(c, query, l.runs[pageSize-1].ID, "runs")
	}
	return p.write(w, r, layout.Page{Title: "Job runs", Body: runsBody(l), Live: []string{"runs"}})
}

// oneRun is what the page of a run shows.
type oneRun struct {
	common
	run  jobrun.Run
	made erase.RunOutput
}

// empty reports that nothing is left of what the run made.
func (o oneRun) empty() bool {
	m := o.made
	return len(m.Memories)+len(m.Edges)+len(m.Evidence)+len(m.Loops)+len(m.Growth)+len(m.Proactive) == 0
}

// most is how much of each kind a page shows.
const most = 50

func (p Pages) readRun(r *http.Request) (o oneRun, err error) {
	if o.common, err = p.common(r); err != nil {
		return o, err
	}
	id, err := number(r.PathValue("run"))
	if err != nil {
		return o, err
	}
	err = p.store.Snapshot(r.Context(), func(ctx context.Context) error {
		if o.run, err = p.store.Jobs.Run(ctx, id); err != nil {
			return err
		}
		if o.run.Persona != o.persona {
			return memory.ErrNotFound
		}
		o.made, err = p.store.Eraser.RunOutput(ctx, o.persona, id)
		return err
	})
	return o, err
}

func (p Pages) run(w http.ResponseWriter, r *http.Request) error {
	o, err := p.readRun(r)
	if err != nil {
		return err
	}
	return p.write(w, r, layout.Page{Title: "Run " + decimal(o.run.ID), Body: runBody(o)})
}

func (p Pages) askRevert(w http.ResponseWriter, r *http.Request) error {
	o, err := p.readRun(r)
	if err != nil {
		return err
	}
	return p.write(w, r, layout.Page{Title: "Revert a run", Body: revertBody(o)})
}

func (p Pages) revert(w http.ResponseWriter, r *http.Request) error {
	o, err := p.readRun(r)
	if err != nil {
		return err
	}
	done, err := p.store.Eraser.Revert(r.Context(), o.persona, o.run.ID)
	if errors.Is(err, memory.ErrNotFound) {
		return layout.Invalid(fmt.Errorf("nothing is left of what run %d made", o.run.ID))
	}
	if err != nil {
		return err
	}
	return layout.Done(w, r, o.path(nil, "runs", decimal(o.run.ID)), layout.Notice{Text: "The run is reverted: " + done.String() + "."})
}
