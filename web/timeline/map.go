package timeline

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"familiar/memory"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/web/layout"
)

const (
	// maxNodes is how many memories a map shows.
	maxNodes = 3000
	// pageRows is how many entries a page of the list has.
	pageRows = 50
	// maxPeople is how many people can be chosen from.
	maxPeople = 200
)

// mapView is the page of the map.
type mapView struct {
	persona string
	outline lifecycle.Outline
	people  []model.Person
	// path leads to the topic that is shown, which is its last; it is empty for all topics.
	path []lifecycle.Branch
	// loose reports that the list has the memories without a topic.
	loose    bool
	branches []lifecycle.Branch
	more     bool
}

func outlineOf(r *http.Request) (lifecycle.Outline, error) {
	o := lifecycle.Outline{Persona: r.PathValue("persona"), Sector: model.Sector(r.FormValue("sector"))}
	if o.Sector != "" && !slices.Contains(sectors, o.Sector) {
		return o, fmt.Errorf("%q is not a sector: choose one of the list", o.Sector)
	}
	var err error
	if o.Within, err = number(r, "topic"); err == nil {
		o.Person, err = number(r, "person")
	}
	return o, err
}

// number reads a field that is an id, 0 when it is empty.
func number(r *http.Request, name string) (int64, error) {
	text := r.FormValue(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s must be a number", name)
	}
	return n, nil
}

// mapPage answers GET /p/{persona}/map.
func (p *Pages) mapPage(w http.ResponseWriter, r *http.Request) error {
	v := mapView{persona: r.PathValue("persona"), loose: r.FormValue("loose") != ""}
	var err error
	if v.outline, err = outlineOf(r); err != nil {
		return layout.Invalid(err)
	}
	var after lifecycle.Place
	below, err := number(r, "below")
	if err == nil {
		after.ID, err = number(r, "after")
	}
	if err != nil {
		return layout.Invalid(err)
	}
	after.Children = int(below)
	err = p.Store.Snapshot(r.Context(), func(ctx context.Context) error { return p.fillMap(ctx, &v, after) })
	if err != nil {
		return err
	}
	return p.shell.Write(w, r, layout.Page{Title: "Map", Section: layout.Memory, Persona: v.persona, Body: mapOf(v)})
}

func (p *Pages) fillMap(ctx context.Context, v *mapView, after lifecycle.Place) (err error) {
	if v.people, err = p.Store.Lifecycle.Heard(ctx, v.persona, maxPeople); err != nil {
		return err
	}
	if v.path, err = p.Store.Lifecycle.PathTo(ctx, v.persona, v.outline.Within); err != nil {
		return err
	}
	if v.loose {
		v.branches, err = p.Store.Lifecycle.Loose(ctx, v.outline, after.ID, pageRows+1)
	} else {
		v.branches, err = p.Store.Lifecycle.Branches(ctx, v.outline, after, pageRows+1)
	}
	if len(v.branches) > pageRows {
		v.branches, v.more = v.branches[:pageRows], true
	}
	return err
}

// drawing is what map.js draws, a list for each thing that a node has.
type drawing struct {
	IDs      []int64   `json:"ids"`
	X        []float64 `json:"x"`
	Y        []float64 `json:"y"`
	R        []float64 `json:"r"`
	Sector   []int     `json:"sector"`
	Left     []int     `json:"left"` // percent
	Children []int     `json:"children"`
	// Groups are the circles around what belongs together: x, y, radius.
	Groups [][3]float64 `json:"groups"`
	Labels []string     `json:"labels"`
	// Edges are pairs of nodes.
	Edges   [][2]int       `json:"edges"`
	Sectors []model.Sector `json:"sectors"`
	More    bool           `json:"more"`
}

// nodes answers GET /p/{persona}/map/nodes with what map.js draws.
func (p *Pages) nodes(w http.ResponseWriter, r *http.Request) error {
	o, err := outlineOf(r)
	if err != nil {
		return layout.Invalid(err)
	}
	if _, err := p.Store.Lifecycle.PathTo(r.Context(), o.Persona, o.Within); err != nil {
		return err
	}
	m, err := p.Store.Lifecycle.Map(r.Context(), o, maxNodes)
	if err != nil {
		return err
	}
	people, err := p.Store.Lifecycle.Heard(r.Context(), o.Persona, maxPeople)
	if err != nil {
		return err
	}
	return answerJSON(w, draw(m, people))
}

func draw(m lifecycle.Map, people []model.Person) drawing {
	at := make(map[int64]int, len(m.Branches))
	nodes, groups := place(m.Branches)
	d := drawing{Sectors: sectors, More: m.More}
	for i, b := range m.Branches {
		at[b.ID] = i
		d.IDs = append(d.IDs, b.ID)
		d.X, d.Y, d.R = append(d.X, tenth(nodes[i].x)), append(d.Y, tenth(nodes[i].y)), append(d.R, tenth(nodes[i].r))
		d.Sector = append(d.Sector, slices.Index(sectors, b.Sector))
		d.Left = append(d.Left, int(math.Round(100*b.Left)))
		d.Children = append(d.Children, b.Children)
	}
	for _, g := range groups {
		d.Groups = append(d.Groups, [3]float64{tenth(g.x), tenth(g.y), tenth(g.r)})
		if g.branch >= 0 {
			d.Labels = append(d.Labels, label(m.Branches[g.branch].Text))
		} else {
			d.Labels = append(d.Labels, label(whose(m.Branches[g.first].Author, people)))
		}
	}
	for _, e := range m.Edges {
		d.Edges = append(d.Edges, [2]int{at[e.From], at[e.To]})
	}
	return d
}

func tenth(x float64) float64 { return math.Round(10*x) / 10 }

// maxLabel is how many characters of a text stand on the map.
const maxLabel = 42

func label(text string) string {
	text, _, _ = strings.Cut(text, ": “") // a summary names its topic before its quotes
	if runes := []rune(text); len(runes) > maxLabel {
		return string(runes[:maxLabel]) + "…"
	}
	return text
}

// whose names the cluster of what an author said that is in no topic.
func whose(author int64, people []model.Person) string {
	if author == 0 {
		return "The persona"
	}
	for _, p := range people {
		if p.ID == author {
			return p.Name
		}
	}
	return "No topic"
}

// node answers GET /p/{persona}/map/node/{id} with one memory.
func (p *Pages) node(w http.ResponseWriter, r *http.Request) error {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return memory.ErrNotFound
	}
	m, err := p.Store.Entries.Memory(r.Context(), id)
	if err == nil && m.Persona != r.PathValue("persona") {
		err = memory.ErrNotFound
	}
	if err != nil {
		return err
	}
	return answerJSON(w, struct {
		Text   string `json:"text"`
		Author string `json:"author"`
		Day    string `json:"day"`
		Path   string `json:"path"`
	}{short(m.Text), m.Author, m.Created.In(p.Zone).Format("2 Jan 2006"), layout.Of(m.Persona, "memory", strconv.FormatInt(m.ID, 10))})
}

func answerJSON(w http.ResponseWriter, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write an answer as JSON: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(body) // a browser that went away needs nothing
	return nil
}

// query returns the choices of the page with other values in some fields, "" to leave one out.
func (v mapView) query(changes ...string) url.Values {
	q := url.Values{}
	set := func(name, value string) {
		q.Del(name)
		if value != "" && value != "0" {
			q.Set(name, value)
		}
	}
	set("topic", fmt.Sprint(v.outline.Within))
	set("person", fmt.Sprint(v.outline.Person))
	set("sector", string(v.outline.Sector))
	if v.loose {
		set("loose", "1")
	}
	for i := 0; i+1 < len(changes); i += 2 {
		set(changes[i], changes[i+1])
	}
	return q
}

func (v mapView) link(changes ...string) string {
	return layout.Path(v.query(changes...), "p", v.persona, "map")
}

// older returns the next page of the list, "" for none.
func (v mapView) older() string {
	if !v.more {
		return ""
	}
	last := v.branches[len(v.branches)-1]
	return v.link("after", fmt.Sprint(last.ID), "below", fmt.Sprint(last.Children))
}
