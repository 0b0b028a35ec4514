// Package timeline has the pages that show the memory of a persona over time and as a map: the store as it was on any day, and
// topics with what belongs to them.
package timeline

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"familiar/memory"
	"familiar/memory/history"
	"familiar/web/layout"
)

// Pages are the pages of one store. Its fields do not change once it serves.
type Pages struct {
	Store *memory.Store
	Now   func() time.Time
	// Zone is the zone of days.
	Zone *time.Location

	shell *layout.Shell
	films films
}

// Mount has shell answer with the pages.
func (p *Pages) Mount(shell *layout.Shell) {
	p.shell = shell
	if p.Zone == nil {
		p.Zone = time.UTC
	}
	p.films.now = p.Now
	p.films.shoot = func(ctx context.Context, persona string) (*film, error) {
		return shoot(ctx, p.Store.History, persona, p.Now().In(p.Zone))
	}
	shell.Get("/p/{persona}/time", p.time)
	shell.Get("/p/{persona}/time/lives", p.lives)
	shell.Get("/p/{persona}/map", p.mapPage)
	shell.Get("/p/{persona}/map/nodes", p.nodes)
	shell.Get("/p/{persona}/map/node/{id}", p.node)
}

// maxItems is how many entries a list on the page has, maxPage one that is shown alone.
const (
	maxItems = 12
	maxPage  = 50
)

// spans are the times around a day that can be chosen, in days.
var spans = []span{{"day", "this day", 1}, {"week", "the week up to it", 7}, {"month", "the 30 days up to it", 30}}

type span struct {
	key, name string
	days      int
}

// dayView is the page of one day.
type dayView struct {
	persona  string
	film     *film
	index    int
	span     span
	complete time.Time
	lists    []list
	// only is the id of the list that is shown alone, "" for all, from where on.
	only string
	from int
	// forgotten is how many memories were forgotten per day.
	forgotten []change
}

// list is something that happened to several memories or beliefs.
type list struct {
	id, title, none string
	items           []item
	// all counts them, shown or not.
	all     int
	changes []change
	read    func(context.Context, *dayView, []change) ([]item, error)
}

// item is a memory or a belief with the day on which something happened to it.
type item struct {
	text, path, about string
	// person leads to the person that it is about, "" for none.
	person string
	day    time.Time
}

// time answers GET /p/{persona}/time.
func (p *Pages) time(w http.ResponseWriter, r *http.Request) error {
	v := dayView{persona: r.PathValue("persona"), span: spans[1]}
	var err error
	if v.film, err = p.films.of(r.Context(), v.persona); err != nil {
		return err
	}
	if v.index, err = p.chosenDay(v.film, r.FormValue("day")); err != nil {
		return layout.Invalid(err)
	}
	for _, s := range spans {
		if s.key == r.FormValue("span") {
			v.span = s
		}
	}
	from, err := number(r, "from")
	if err != nil {
		return layout.Invalid(err)
	}
	v.only, v.from = r.FormValue("list"), int(min(from, maxLives))
	if v.film.complete.After(v.film.days[0].at) {
		v.complete = v.film.complete
	}
	err = p.Store.Snapshot(r.Context(), func(ctx context.Context) error { return p.fill(ctx, &v) })
	if err != nil {
		return err
	}
	return p.shell.Write(w, r, layout.Page{Title: "Time", Section: layout.Memory, Persona: v.persona, Body: timePage(v)})
}

func (p *Pages) chosenDay(f *film, name string) (int, error) {
	if name == "" {
		return len(f.days) - 1, nil
	}
	t, err := time.ParseInLocation(time.DateOnly, name, p.Zone)
	if err != nil {
		return 0, errors.New("that is no day: write it like 2026-03-01")
	}
	return f.index(t), nil
}

// fill reads what happened around the day.
func (p *Pages) fill(ctx context.Context, v *dayView) error {
	f := v.film
	a := f.around(max(0, v.index-v.span.days+1), v.index)
	v.forgotten = a.forgotten
	v.lists = []list{
		{id: "learned", title: "Became known", none: "No fact became known.", changes: a.learned, read: p.facts},
		{id: "ended", title: "Stopped holding", none: "No fact stopped holding.", changes: a.doubted, read: p.facts},
		{id: "faded", title: "Faded", none: "No memory faded.", changes: a.faded, read: p.memories},
		{id: "stored", title: "New memories", none: "Nothing new was remembered.", changes: a.stored, read: p.memories},
		{id: "gone", title: "Replaced or expired", none: "No memory was replaced or expired.", changes: a.ended, read: p.memories},
	}
	if i := slices.IndexFunc(v.lists, func(l list) bool { return l.id == v.only }); i >= 0 {
		v.lists = v.lists[i : i+1]
	} else {
		v.only, v.from = "", 0
	}
	for i := range v.lists {
		l := &v.lists[i]
		l.all = len(l.changes)
		shown := l.changes[min(v.from, l.all):]
		var err error
		if l.items, err = l.read(ctx, v, shown[:min(len(shown), v.rows())]); err != nil {
			return err
		}
	}
	return nil
}

// rows is how many entries a list has.
func (v dayView) rows() int {
	if v.only != "" {
		return maxPage
	}
	return maxItems
}

// list returns the address of a list that is shown alone, "" if it has nothing there.
func (v dayView) list(l list, from int) string {
	if from < 0 || from >= l.all {
		return ""
	}
	q := url.Values{"day": {v.day().at.Format(time.DateOnly)}, "span": {v.span.key}, "list": {l.id}}
	if from > 0 {
		q.Set("from", strconv.Itoa(from))
	}
	return layout.Path(q, "p", v.persona, "time")
}

// memories returns the texts of memories. One that was forgotten meanwhile is left out.
func (p *Pages) memories(ctx context.Context, v *dayView, changes []change) (items []item, err error) {
	for _, c := range changes {
		m, err := p.Store.Entries.Memory(ctx, c.id)
		if errors.Is(err, memory.ErrNotFound) || err == nil && m.Persona != v.persona {
			continue
		}
		if err != nil {
			return nil, err
		}
		items = append(items, item{
			text: short(m.Text), about: m.Author, day: v.film.days[c.day].at,
			path: layout.Of(v.persona, "memory", strconv.FormatInt(m.ID, 10)),
		})
	}
	return items, nil
}

// facts returns beliefs as lines.
func (p *Pages) facts(ctx context.Context, v *dayView, changes []change) (items []item, err error) {
	ids := make([]int64, len(changes))
	for i, c := range changes {
		ids[i] = c.id
	}
	found, err := p.Store.History.Held(ctx, v.persona, ids)
	if err != nil {
		return nil, err
	}
	byID := map[int64]history.Held{}
	for _, h := range found {
		byID[h.ID] = h
	}
	for _, c := range changes {
		h, left := byID[c.id]
		if !left {
			continue
		}
		one := item{text: short(h.Value), about: h.Subject + " · " + strings.ReplaceAll(h.Relation, "_", " "), day: v.film.days[c.day].at}
		if h.Memory != 0 {
			one.path = layout.Of(v.persona, "memory", strconv.FormatInt(h.Memory, 10))
		}
		if h.Person != 0 {
			one.person = layout.Of(v.persona, "people", strconv.FormatInt(h.Person, 10))
		}
		items = append(items, one)
	}
	return items, nil
}

// maxText is how many characters of a text a list shows.
const maxText = 240

func short(text string) string {
	if runes := []rune(text); len(runes) > maxText {
		return string(runes[:maxText]) + "…"
	}
	return text
}

// lives answers GET /p/{persona}/time/lives with what time.js draws.
func (p *Pages) lives(w http.ResponseWriter, r *http.Request) error {
	f, err := p.films.of(r.Context(), r.PathValue("persona"))
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		_, _ = w.Write(f.lives) // a browser that went away needs nothing
		return nil
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(f.lives))
	if err != nil {
		return fmt.Errorf("unpack lives: %w", err)
	}
	_, _ = io.Copy(w, unpacked)
	return nil
}

// path returns the address of the page on another day.
func (v dayView) path(index int) string {
	index = min(max(index, 0), len(v.film.days)-1)
	return v.at(index, v.span.key)
}

func (v dayView) at(index int, span string) string {
	return layout.Of(v.persona, "time") + "?" + url.Values{"day": {v.film.days[index].at.Format(time.DateOnly)}, "span": {span}}.Encode()
}

// day returns the day that is shown.
func (v dayView) day() day { return v.film.days[v.index] }

// empty reports that there is nothing to show yet.
func (v dayView) empty() bool {
	return v.film.all == 0 && len(v.film.held) == 0 && v.day().counts.Forgotten == 0
}

// milestones are some days over the whole time, the last one first.
func (v dayView) milestones() (some []int) {
	last := len(v.film.days) - 1
	rows := min(12, last+1)
	for i := range rows {
		some = append(some, last-i*last/max(rows-1, 1))
	}
	return some
}

// memories words a number of them.
func memories(n int64) string {
	if n == 1 {
		return "one memory"
	}
	return layout.Number(n) + " memories"
}

// classes are the classes of memories with what they mean.
var classes = []struct{ name, meaning string }{
	{"Fresh", "at least half is left, or pinned"},
	{"Fading", "at least a tenth is left"},
	{"Faded", "less is left, but it is still found like any other"},
	{"Dormant", "found only by a strong match"},
}
