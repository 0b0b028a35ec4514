package memories

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/history"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/memory/turns"
	"familiar/web/chart"
	"familiar/web/layout"
)

// How much of what belongs to a memory its page shows.
const (
	maxVersions, maxEdges, maxChildren, maxAnswers, maxSources = 10, 50, 50, 20, 50
	// curvePoints is how many points a decay curve has between its changes, maxChanges how many changes its table shows.
	curvePoints, maxChanges = 120, 50
)

// memoryView is what the page of one memory shows.
type memoryView struct {
	model.Memory
	where    string
	sources  []model.Message
	versions []model.Memory
	edges    []edgeView
	// above are the summaries that contain it, the nearest last.
	above    []lifecycle.Node
	children []model.Memory
	// moreChildren reports that it contains more.
	moreChildren bool
	answers      []turns.Shaped
	life         *history.Life
	threshold    float64
	now          time.Time
	zone         *time.Location
}

// edgeView is an edge with the memory at its other end.
type edgeView struct {
	model.Edge
	other model.Memory
	// outgoing reports that it begins at the memory of the page.
	outgoing bool
}

func (p Pages) memory(w http.ResponseWriter, r *http.Request) error {
	m, err := p.read(r)
	if err != nil {
		return err
	}
	v := memoryView{Memory: m, now: p.Now(), zone: p.Zone}
	err = p.Store.Snapshot(r.Context(), func(ctx context.Context) error {
		for _, part := range []func(context.Context, *memoryView) error{p.readOrigin, p.readEdges, p.readTree, p.readLife} {
			if err := part(ctx, &v); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	page := p.page(r, memoryName(m.ID))
	page.Body = memoryPage(v)
	return p.shell.Write(w, r, page)
}

// readOrigin reads where a memory came from and what became of it.
func (p Pages) readOrigin(ctx context.Context, v *memoryView) (err error) {
	known, err := p.Store.Entries.Audiences(ctx, v.Persona, maxAudiences)
	if err != nil {
		return err
	}
	v.where = audienceName(known, v.Audience, v.RoomTitle)
	if v.sources, err = p.Store.Log.Messages(ctx, v.Sources[:min(maxSources, len(v.Sources))]); err != nil {
		return err
	}
	if v.versions, err = p.Store.Lifecycle.Versions(ctx, v.ID, maxVersions); err != nil {
		return err
	}
	v.answers, err = p.Store.Turns.ShapedBy(ctx, v.ID, maxAnswers)
	return err
}

// readEdges reads the edges of a memory with their other ends.
func (p Pages) readEdges(ctx context.Context, v *memoryView) error {
	edges, err := p.Store.Lifecycle.Edges(ctx, v.Persona, v.ID, maxEdges)
	if err != nil || len(edges) == 0 {
		return err
	}
	ids := make([]int64, len(edges))
	for i, e := range edges {
		ids[i] = e.From + e.To - v.ID
	}
	others, err := p.Store.Entries.ListMemories(ctx, entry.MemoryFilter{Persona: v.Persona, IDs: ids})
	if err != nil {
		return err
	}
	byID := make(map[int64]model.Memory, len(others))
	for _, m := range others {
		byID[m.ID] = m
	}
	for i, e := range edges {
		if other, found := byID[ids[i]]; found {
			v.edges = append(v.edges, edgeView{Edge: e, other: other, outgoing: e.From == v.ID})
		}
	}
	return nil
}

// maxDepth is how far up the tree of summaries the page looks.
const maxDepth = 10

// readTree reads what contains a memory and what it contains.
func (p Pages) readTree(ctx context.Context, v *memoryView) error {
	for at := v.ID; len(v.above) < maxDepth; at = v.above[0].Memory.ID {
		parent, err := p.Store.Lifecycle.Parent(ctx, at)
		if errors.Is(err, memory.ErrNotFound) {
			break
		}
		if err != nil {
			return err
		}
		v.above = append([]lifecycle.Node{parent}, v.above...)
	}
	children, err := p.Store.Entries.ListMemories(ctx, entry.MemoryFilter{Persona: v.Persona, Within: v.ID, Limit: maxChildren + 1})
	v.children, v.moreChildren = children[:min(maxChildren, len(children))], len(children) > maxChildren
	return err
}

func (p Pages) readLife(ctx context.Context, v *memoryView) (err error) {
	v.life, v.threshold, err = p.Store.History.Life(ctx, v.Persona, v.ID)
	return err
}

// curve returns the chart of how the memory faded and will fade.
func (v memoryView) curve() chart.Timeline {
	until := v.now.Add(v.now.Sub(v.life.Stored) / 4)
	if until.Before(v.now.AddDate(0, 1, 0)) {
		until = v.now.AddDate(0, 1, 0)
	}
	var points []chart.Point
	for _, at := range v.life.Curve(v.life.Stored, until, curvePoints) {
		points = append(points, chart.Point{At: at.At, Value: at.Retention})
	}
	var marks []chart.Mark
	for _, c := range v.changes() {
		if c.Change == history.Used || c.Change == history.Reinforced {
			marks = append(marks, chart.Mark{Name: changeName(c.Change), At: c.At})
		}
	}
	t := chart.Decay("What is left of it", points, marks, v.threshold)
	t.Zone = v.zone
	t.About = "A use or a reinforcement makes it stronger; below the line it becomes dormant. After today, unless somebody speaks of it."
	return t
}

// changes returns what changed in the life of the memory, newest first.
func (v memoryView) changes() (all []history.Point) {
	for _, c := range v.life.Curve(v.life.Stored, v.now, 2) {
		if c.Change != "" {
			all = append([]history.Point{c}, all...)
		}
	}
	return all[:min(maxChanges, len(all))]
}

func changeName(c history.Change) string {
	switch c {
	case history.Begun:
		return "stored"
	case history.Used:
		return "used in a reply"
	case history.Reinforced:
		return "found important by a job"
	case history.Moved:
		return "moved to another tier"
	case history.Pinned:
		return "pinned or unpinned"
	}
	return string(c)
}

// messagePath returns the path of a message in its conversation.
func messagePath(persona string, room, message int64) string {
	return layout.Path(url.Values{"message": {idText(message)}}, "p", persona, "conversations", idText(room)) + "#m" + idText(message)
}

// answerPath returns the path of the page that says why an answer was given.
func answerPath(persona string, a turns.Shaped) string {
	return layout.Of(persona, "conversations", idText(a.RoomID), idText(a.Message))
}

// edgeWords words how memories are related, from the first to the second and back.
var edgeWords = map[model.EdgeKind][2]string{
	model.RelatesTo:   {"relates to", "relates to"},
	model.Contradicts: {"contradicts", "is contradicted by"},
	model.Contains:    {"contains", "is contained in"},
	model.MergedInto:  {"was merged into", "took in"},
	model.Refines:     {"refines", "is refined by"},
	model.DependsOn:   {"depends on", "is needed by"},
	model.CausedBy:    {"was caused by", "caused"},
	model.Prevents:    {"prevents", "is prevented by"},
	model.Implies:     {"implies", "is implied by"},
}

func (e edgeView) words() string {
	if e.outgoing {
		return edgeWords[e.Kind][0]
	}
	return edgeWords[e.Kind][1]
}

// fields are the fields of a form that removes the edge.
func (e edgeView) fields() url.Values {
	f := url.Values{"kind": {string(e.Kind)}, "other": {idText(e.other.ID)}, "weight": {decimalExact(e.Weight)}}
	if !e.outgoing {
		f.Set("from", "other")
	}
	return f
}
