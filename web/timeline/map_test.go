package timeline_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"familiar/memory"
	"familiar/memory/lifecycle"
	"familiar/memory/model"
	"familiar/web/webtest"
)

// atlas is a site with topics: bees contains two memories, one of which contains sixty; roof is without a topic.
type atlas struct {
	*site
	bees, honey, wax, roof, kit int64
	jars                        []int64
}

func newAtlas(t *testing.T) *atlas {
	t.Helper()
	a := &atlas{site: newSite(t)}
	remember := func(n *memory.Notebook, text string, o ...memory.RememberOption) int64 {
		m, err := n.Remember(t.Context(), text, o...)
		if err != nil {
			t.Fatal(err)
		}
		return m.ID
	}
	contain := func(from, to int64) {
		if _, err := a.Lifecycle.AddEdge(t.Context(), model.Edge{From: from, To: to, Kind: model.Contains, Weight: 1}); err != nil {
			t.Fatal(err)
		}
	}
	ann, kit := a.ann(t, "vela"), a.ann(t, "kit")
	a.bees = remember(ann, "All about the bees. "+xss)
	a.honey, a.wax = remember(ann, "The honey of the bees is dark."), remember(ann, "Wax is for the candles.", memory.As(model.Procedural))
	a.roof = remember(ann, "The roof leaks again.")
	a.kit = remember(kit, "Kit alone knows about the lighthouse.")
	contain(a.bees, a.honey)
	contain(a.bees, a.wax)
	for i := range 60 {
		a.jars = append(a.jars, remember(ann, fmt.Sprintf("Jar %d stands on the shelf.", i)))
		contain(a.honey, a.jars[i])
	}
	contain(a.kit, remember(kit, "The lighthouse blinks twice."))
	return a
}

func TestTheListOfTheMap(t *testing.T) {
	t.Parallel()
	a := newAtlas(t)
	for _, c := range []struct {
		query    string
		has, not []string
	}{
		{"", []string{"All about the bees", "2 below it", "Memories without a topic"}, []string{"roof", "honey", "lighthouse"}},
		{fmt.Sprintf("?topic=%d", a.bees), []string{"All topics", "The honey of the bees is dark", "60 below it", "Wax is for"}, []string{"roof", "Jar 1 "}},
		{fmt.Sprintf("?topic=%d", a.honey), []string{"All about the bees", "Jar 0 ", "Jar 49 ", "Older →"}, []string{"Jar 50 ", "roof"}},
		{fmt.Sprintf("?topic=%d&after=%d", a.honey, a.jars[49]), []string{"Jar 50 ", "Jar 59 "}, []string{"Jar 49 ", "Older →"}},
		{fmt.Sprintf("?topic=%d&sector=procedural", a.bees), []string{"Wax is for"}, []string{"is dark"}},
		{"?sector=procedural", []string{"All about the bees"}, nil},
		{"?sector=emotional", []string{"no topics yet"}, []string{"All about the bees"}},
		{"?loose=1", []string{"The roof leaks"}, []string{"Jar 1", "Wax", "lighthouse"}},
		{"?loose=1&person=999", []string{"Nothing is here"}, []string{"roof"}},
	} {
		page := a.get(t, "/p/vela/map"+c.query)
		if page.Status != http.StatusOK {
			t.Fatalf("%s is answered with %d: %s", c.query, page.Status, page.Text)
		}
		for _, text := range c.has {
			if !strings.Contains(page.Text, text) {
				t.Errorf("%s does not show %q: %s", c.query, text, page.Text)
			}
		}
		for _, text := range c.not {
			if strings.Contains(page.Text, text) {
				t.Errorf("%s shows %q: %s", c.query, text, page.Text)
			}
		}
	}
	for query, status := range map[string]int{
		fmt.Sprintf("?topic=%d", a.kit): 404, "?topic=123456": 404, "?topic=x": 422, "?sector=" + "magic": 422, "?after=-1": 422,
	} {
		if page := a.get(t, "/p/vela/map"+query); page.Status != status {
			t.Errorf("%s is answered with %d, want %d", query, page.Status, status)
		}
	}
}

// drawn is a part of what map.js reads.
type drawn struct {
	IDs   []int64
	X     []float64
	Edges [][2]int
	More  bool
}

func TestWhatTheMapDraws(t *testing.T) {
	t.Parallel()
	a := newAtlas(t)
	if _, err := a.Lifecycle.AddEdge(t.Context(), model.Edge{From: a.roof, To: a.wax, Kind: model.RelatesTo, Weight: 0.5}); err != nil {
		t.Fatal(err)
	}
	read := func(query string) (d drawn) {
		page := a.get(t, "/p/vela/map/nodes"+query)
		if err := json.Unmarshal([]byte(page.Body), &d); err != nil || page.Status != http.StatusOK {
			t.Fatalf("%s is answered with %d, %s: %v", query, page.Status, page.Body, err)
		}
		return d
	}
	all := read("")
	if len(all.IDs) != 64 || len(all.X) != 64 || all.More || slices.Contains(all.IDs, a.kit) || !slices.Contains(all.IDs, a.roof) {
		t.Errorf("the map has %d memories: %+v", len(all.IDs), all)
	}
	if len(all.Edges) != 1 || all.IDs[all.Edges[0][0]] != a.roof || all.IDs[all.Edges[0][1]] != a.wax {
		t.Errorf("the map has the edges %v", all.Edges)
	}
	if in := read(fmt.Sprintf("?topic=%d", a.honey)); len(in.IDs) != 61 || slices.Contains(in.IDs, a.roof) {
		t.Errorf("the map of a topic has %v", in.IDs)
	}
	if few := read("?sector=procedural"); !slices.Equal(few.IDs, []int64{a.bees, a.wax}) {
		t.Errorf("the map of a sector has %v", few.IDs)
	}
	m, err := a.Lifecycle.Map(t.Context(), lifecycle.Outline{Persona: "vela"}, 10)
	if err != nil || len(m.Branches) != 10 || !m.More || m.Branches[0].ID != a.bees {
		t.Errorf("a map of ten memories has %d, %t: %v", len(m.Branches), m.More, err)
	}
}

func TestOneMemoryOfTheMap(t *testing.T) {
	t.Parallel()
	a := newAtlas(t)
	page := a.get(t, fmt.Sprintf("/p/vela/map/node/%d", a.bees))
	var it struct{ Text, Author, Path string }
	if err := json.Unmarshal([]byte(page.Body), &it); err != nil || !strings.Contains(it.Text, xss) || it.Path != fmt.Sprintf("/p/vela/memory/%d", a.bees) {
		t.Errorf("the memory is told as %s: %v", page.Body, err)
	}
	for _, id := range []string{fmt.Sprint(a.kit), "999999", "x", "-1"} {
		if page := a.get(t, "/p/vela/map/node/"+id); page.Status != http.StatusNotFound {
			t.Errorf("memory %s is answered with %d", id, page.Status)
		}
	}
	if page := webtest.Get(t, a.shell, webtest.Person("vela", 1), "/p/vela/map/nodes"); page.Status != http.StatusForbidden {
		t.Errorf("a person gets the map with %d", page.Status)
	}
}
