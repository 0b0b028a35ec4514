package memories

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"familiar/memory"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/web/layout"
)

// listView is what the page with the list shows.
type listView struct {
	persona   string
	query     query
	audiences []entry.NamedAudience
	rows      []row
	// weak are hits that match only slightly.
	weak []row
	// nothing reports that nothing relevant to the search is known.
	nothing      bool
	newer, older string
}

// row is one memory in a list.
type row struct {
	model.Memory
	// where names who may see it.
	where string
	// score and reasons are those of a hit.
	score   float64
	reasons []recall.Reason
}

func (v listView) path(values url.Values) string {
	return layout.Path(values, "p", v.persona, "memory")
}

func (p Pages) list(w http.ResponseWriter, r *http.Request) error {
	v := listView{persona: r.PathValue("persona"), query: readQuery(r.URL.Query(), p.Zone)}
	err := p.Store.Snapshot(r.Context(), func(ctx context.Context) (err error) {
		if v.audiences, err = p.Store.Entries.Audiences(ctx, v.persona, maxAudiences); err != nil {
			return err
		}
		if v.query.problem() == "" && v.query.words == "" {
			return p.fillList(ctx, &v)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if v.query.problem() == "" && v.query.words != "" {
		if err := p.search(r.Context(), &v); err != nil {
			return err
		}
	}
	page := p.page(r, "Memory")
	page.Body = listPage(v)
	return p.shell.Write(w, r, page)
}

// fillList reads the page of a list without words.
func (p Pages) fillList(ctx context.Context, v *listView) error {
	q, err := v.query, error(nil)
	var found []model.Memory
	filter := q.filter()
	if filter.Persona = v.persona; q.audience.Kind == "" {
		found, err = p.Store.Entries.ListMemories(ctx, filter)
	} else {
		var sees memory.Visibility
		if sees, err = p.visibility(ctx, v.persona, q); err != nil {
			return err
		}
		found, err = p.Store.Entries.Visible(ctx, sees, filter)
	}
	if err != nil {
		return err
	}
	more := len(found) > pageSize
	switch {
	case more && q.after != 0:
		found = found[1:] // the surplus row is the newest
	case more:
		found = found[:pageSize]
	}
	for _, m := range found {
		v.rows = append(v.rows, v.row(m))
	}
	v.link(more)
	return nil
}

// link sets the links to the pages before and after.
func (v *listView) link(more bool) {
	if len(v.rows) == 0 {
		return
	}
	first, last := v.rows[0].ID, v.rows[len(v.rows)-1].ID
	if q := v.query; q.before != 0 || q.after != 0 && more {
		v.newer = v.path(q.with("after", strconv.FormatInt(first, 10)))
	}
	if q := v.query; q.after != 0 || more {
		v.older = v.path(q.with("before", strconv.FormatInt(last, 10)))
	}
}

// search fills in the hits for the words of the query.
func (p Pages) search(ctx context.Context, v *listView) error {
	sees, err := p.visibility(ctx, v.persona, v.query)
	if err != nil {
		return err
	}
	q := recall.Query{Text: v.query.words, Now: p.Now().In(p.Zone), Limit: hitLimit, Selection: v.query.selection(), Explain: true}
	if v.query.audience.Kind == model.Private {
		q.Asker = v.query.audience.Ref
	}
	if p.Prepare != nil {
		q = p.Prepare(ctx, v.persona, q)
	}
	found, err := p.Store.Recall.Find(ctx, sees, q)
	if err != nil {
		return err
	}
	v.nothing = found.Nothing
	for _, h := range found.Hits {
		if h.Own {
			continue
		}
		is := v.row(h.Memory)
		is.score, is.reasons = h.Score, h.Reasons
		if h.Weak {
			v.weak = append(v.weak, is)
		} else {
			v.rows = append(v.rows, is)
		}
	}
	return nil
}

func (v listView) row(m model.Memory) row {
	return row{Memory: m, where: audienceName(v.audiences, m.Audience, m.RoomTitle)}
}
