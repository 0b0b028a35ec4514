package mind

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"familiar/memory/turns"
	"familiar/persona/card"
	"familiar/persona/mind"
	"familiar/web/chart"
	"familiar/web/layout"
)

// growth is what the page on growth shows.
type growth struct {
	common
	// card is the persona's, nil if it is not known.
	card     *card.Card
	now      mind.Grown
	traits   []trait
	versions []version
	chart    chart.Timeline
	first    bool
	older    string
}

// trait is one trait with its strength on the card and as it grew.
type trait struct {
	name       string
	card, with float64
}

// version is one version with its differences to the one before.
type version struct {
	turns.GrowthVersion
	changes []mind.Change
}

func (p Pages) growth(w http.ResponseWriter, r *http.Request) error {
	c, err := p.common(r)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	before, err := optional(query, "before")
	if err != nil {
		return err
	}
	g := growth{common: c, first: before == 0}
	err = p.store.Snapshot(r.Context(), func(ctx context.Context) error {
		if g.now, err = card.Grown(ctx, p.store, c.persona); err != nil {
			return err
		}
		found, err := p.store.Turns.GrowthBefore(ctx, c.persona, int(before), pageSize+1)
		if err != nil {
			return err
		}
		g.versions, err = versions(found)
		if len(g.versions) > pageSize {
			g.versions = g.versions[:pageSize]
			g.older = older(c, query, int64(g.versions[pageSize-1].Version), "growth")
		}
		g.chart = growthChart(found, p.shell.Zone)
		return err
	})
	if err != nil {
		return err
	}
	if p.Card != nil {
		if g.card, err = p.Card(c.persona); err != nil {
			return fmt.Errorf("read the card of %s: %w", c.persona, err)
		}
		over := mind.Over(g.card.Strengths(), g.now)
		for _, t := range g.card.Traits {
			g.traits = append(g.traits, trait{t.Name, t.Strength, over[t.Name]})
		}
	}
	return p.write(w, r, layout.Page{Title: "Growth", Body: growthBody(g)})
}

// versions returns versions, newest first, each with its differences to the next one in the list.
func versions(found []turns.GrowthVersion) (all []version, err error) {
	var newer mind.Grown
	for i, v := range found {
		grown, err := card.ReadGrowth(v)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			all[i-1].changes = mind.Diff(grown, newer)
		}
		all = append(all, version{v, mind.Diff(mind.Grown{}, grown)})
		newer = grown
	}
	return all, nil
}

// growthChart shows how the traits moved.
func growthChart(found []turns.GrowthVersion, zone *time.Location) chart.Timeline {
	points := map[string][]chart.Point{}
	var names []string
	for i := len(found) - 1; i >= 0; i-- {
		grown, err := card.ReadGrowth(found[i])
		if err != nil {
			continue
		}
		for name, by := range grown.Traits {
			if points[name] == nil {
				names = append(names, name)
			}
			points[name] = append(points[name], chart.Point{At: found[i].At, Value: by})
		}
	}
	t := chart.Timeline{
		Title: "How the traits moved", About: "The distance of each trait from its strength on the card. It never exceeds 0.15.", Zone: zone,
		Panels: []chart.Panel{{Unit: "change", Range: chart.Range{Min: -0.05, Max: 0.05}, Levels: []chart.Level{{Name: "card", Value: 0}}}},
	}
	for _, name := range sorted(names) {
		t.Panels[0].Series = append(t.Panels[0].Series, chart.Series{Name: name, Shape: chart.Step, Points: points[name]})
	}
	return t
}

func (p Pages) askReset(w http.ResponseWriter, r *http.Request) error {
	c, err := p.common(r)
	if err != nil {
		return err
	}
	now, err := card.Grown(r.Context(), p.store, c.persona)
	if err != nil {
		return err
	}
	return p.write(w, r, layout.Page{Title: "Reset the growth", Body: resetBody(c, mind.Diff(now, mind.Grown{}))})
}

func (p Pages) reset(w http.ResponseWriter, r *http.Request) error {
	persona := r.PathValue("persona")
	version, err := card.ResetGrowth(r.Context(), p.store, persona)
	if err != nil {
		return err
	}
	return layout.Done(w, r, layout.Of(persona, "mind", "growth"), layout.Notice{
		Text: p.shell.NameOf(persona) + " is reset to its file (version " + strconv.Itoa(version) + "). The history is kept.",
	})
}
