package character

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"familiar/memory"
	"familiar/persona/card"
	"familiar/persona/mind"
	"familiar/web/layout"
)

// versionRow is a kept version as the history lists it.
type versionRow struct {
	Number  int
	At      time.Time
	From    string
	Present bool
}

// origins word what brought a version.
var origins = map[card.Change]string{
	card.Found: "as it was found", card.Edited: "edited in an editor", card.Set: "set on the command line", card.Imported: "imported",
	card.Reloaded: "the file was changed", card.Reverted: "an earlier version, brought back", card.Restored: "restored from a checkpoint", card.Paged: "changed on this page",
}

func origin(c card.Change) string { return cmp.Or(origins[c], string(c)) }

// growthRow is a version of a persona's growth with what it changed.
type growthRow struct {
	Version int
	At      time.Time
	Changes []mind.Change
}

// maxGrowth is how many versions of growth the history shows.
const maxGrowth = 20

func (p *Pages) showHistory(w http.ResponseWriter, r *http.Request) error {
	o, err := p.read(r)
	if err != nil {
		return err
	}
	versions, err := card.Versions(p.Dir, o.key)
	if err != nil {
		return err
	}
	var rows []versionRow
	present := false
	for _, v := range slices.Backward(versions) {
		text, err := v.Text()
		if err != nil {
			return err
		}
		first := !present && bytes.Equal(text, o.text)
		present = present || first
		rows = append(rows, versionRow{v.Number, v.At, origin(v.Change), first})
	}
	grown, err := p.growth(r, o.key)
	if err != nil {
		return err
	}
	return p.shell.Write(w, r, layout.Page{
		Title: "History of " + o.name(), Section: layout.Character, Persona: o.key, Body: p.historyPage(o, rows, grown),
	})
}

// growth returns the newest versions of a persona's growth.
func (p *Pages) growth(r *http.Request, key string) (rows []growthRow, _ error) {
	versions, err := p.Store.Turns.GrowthHistory(r.Context(), key, maxGrowth+1)
	if err != nil {
		return nil, err
	}
	for i, v := range versions[:min(len(versions), maxGrowth)] {
		now, err := card.ReadGrowth(v)
		if err != nil {
			return nil, err
		}
		var before mind.Grown
		if i+1 < len(versions) {
			if before, err = card.ReadGrowth(versions[i+1]); err != nil {
				return nil, err
			}
		}
		rows = append(rows, growthRow{v.Version, v.At, mind.Diff(before, now)})
	}
	return rows, nil
}

// showVersion shows what one version changed, and how it differs from the file.
func (p *Pages) showVersion(w http.ResponseWriter, r *http.Request) error {
	o, err := p.read(r)
	if err != nil {
		return err
	}
	versions, err := card.Versions(p.Dir, o.key)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(versions, func(v card.Version) bool { return strconv.Itoa(v.Number) == r.PathValue("number") })
	if at < 0 {
		return memory.ErrNotFound
	}
	v := versions[at]
	text, err := v.Text()
	if err != nil {
		return err
	}
	var before []byte
	if at > 0 {
		if before, err = versions[at-1].Text(); err != nil {
			return err
		}
	}
	view := versionView{
		persona: o, row: versionRow{v.Number, v.At, origin(v.Change), bytes.Equal(text, o.text)},
		changed: difference(before, text), toNow: difference(text, o.text), first: at == 0, text: string(text),
	}
	return p.shell.Write(w, r, layout.Page{
		Title: fmt.Sprintf("Version %d of %s", v.Number, o.name()), Section: layout.Character, Persona: o.key, Body: p.versionPage(view),
	})
}

// versionView is a version as its page shows it.
type versionView struct {
	persona
	row versionRow
	// changed is how it differs from the version before it, toNow how the file differs from it.
	changed, toNow []diffLine
	first          bool
	text           string
}

// restore brings an earlier version back.
func (p *Pages) restore(w http.ResponseWriter, r *http.Request) error {
	if err := limited(w, r, maxForm); err != nil {
		return err
	}
	o, err := p.read(r)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(r.PostForm.Get("number"))
	if err != nil {
		return memory.ErrNotFound
	}
	v, err := card.FindVersion(p.Dir, o.key, number)
	if err != nil {
		return memory.ErrNotFound
	}
	text, err := v.Text()
	if err != nil {
		return err
	}
	if r.PostForm.Get("base") != o.mark() {
		return layout.Invalid(errors.New("the persona was changed since this page was made, and nothing was brought back: look at its history, and choose there"))
	}
	if _, err := card.ParseCard(card.CardFile(p.Dir, o.key), text); err != nil {
		return layout.Invalid(fmt.Errorf("version %d is no valid persona any more: %w", number, err))
	}
	if _, err := card.Replace(r.Context(), p.Dir, o.key, o.text, text, card.Reverted, p.Now()); err != nil {
		if errors.Is(err, card.ErrOutdated) {
			return layout.Invalid(err)
		}
		return err
	}
	back := cmp.Or(r.PostForm.Get("back"), layout.Of(o.key, "character", "history"))
	return p.saved(w, r, back, o, text, fmt.Sprintf("Version %d is back.", number))
}

// kept returns the newest version with a mark and its number, 0 if none has it.
func (p *Pages) kept(key, mark string) (text []byte, number int) {
	versions, err := card.Versions(p.Dir, key)
	if err != nil || mark == "" {
		return nil, 0
	}
	for _, v := range slices.Backward(versions) {
		if text, err := v.Text(); err == nil && card.Mark(text) == mark {
			return text, v.Number
		}
	}
	return nil, 0
}
