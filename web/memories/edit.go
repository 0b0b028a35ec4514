package memories

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"familiar/internal/memoryapi"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/web/layout"
)

// edit changes a memory and answers the request.
type edit func(w http.ResponseWriter, r *http.Request, m model.Memory) error

// edits are the changes of one memory, by the last part of their path.
func (p Pages) edits() map[string]edit {
	return map[string]edit{
		"pin":      p.curate("pin", "Pinned: it is in every context and does not fade.", undoTo("unpin")),
		"unpin":    p.curate("unpin", "Not pinned any more: it fades like others from now.", undoTo("pin")),
		"promote":  p.curate("promote", "Moved a tier up.", undoTier),
		"demote":   p.curate("demote", "Moved a tier down.", undoTier),
		"archive":  p.curate("archive", "Archived: only a strong match finds it.", undoTier),
		"boost":    p.curate("boost", "It matters more now.", undoSalience),
		"diminish": p.curate("diminish", "It matters less now.", undoSalience),
		"tier":     p.setTier,
		"salience": p.setSalience,
		"expire":   p.expire,
		"tag":      p.tag,
		"untag":    p.untag,
		"link":     p.link,
		"unlink":   p.unlink,
		"forget":   p.forget,
	}
}

// pathOf returns the path of a memory's page, or of something on it.
func pathOf(m model.Memory, parts ...string) string {
	return layout.Of(m.Persona, append([]string{"memory", idText(m.ID)}, parts...)...)
}

// done leads to the page of a memory with a notice.
func done(w http.ResponseWriter, r *http.Request, m model.Memory, text, undo string, fields url.Values) error {
	n := layout.Notice{Text: text, Fields: fields}
	if undo != "" {
		n.Undo = pathOf(m, undo)
	}
	return layout.Done(w, r, pathOf(m), n)
}

// undo says how a change of a memory, given as it was before, is taken back.
type undo func(before model.Memory) (path string, fields url.Values)

func undoTo(path string) undo { return func(model.Memory) (string, url.Values) { return path, nil } }

func undoTier(before model.Memory) (string, url.Values) {
	return "tier", url.Values{"tier": {string(before.Tier)}}
}

func undoSalience(before model.Memory) (string, url.Values) {
	return "salience", url.Values{"salience": {strconv.FormatFloat(before.Salience, 'g', -1, 64)}}
}

// curate changes the life of a memory as programs do it.
func (p Pages) curate(action, text string, back undo) edit {
	return func(w http.ResponseWriter, r *http.Request, m model.Memory) error {
		if _, err := p.client(m.Persona).Curate(r.Context(), memoryapi.CurateInput{ID: m.ID, Action: action}); err != nil {
			return err
		}
		path, fields := back(m)
		return done(w, r, m, text, path, fields)
	}
}

func (p Pages) setTier(w http.ResponseWriter, r *http.Request, m model.Memory) error {
	tier := model.Tier(r.FormValue("tier"))
	if !slices.Contains(model.Tiers, tier) {
		return layout.Invalid(fmt.Errorf("there is no tier %q", tier))
	}
	if _, err := p.Store.Lifecycle.MoveTier(r.Context(), m.ID, func(model.Tier) model.Tier { return tier }); err != nil {
		return err
	}
	return done(w, r, m, "It is in the tier "+string(tier)+".", "", nil)
}

func (p Pages) setSalience(w http.ResponseWriter, r *http.Request, m model.Memory) error {
	salience, err := strconv.ParseFloat(r.FormValue("salience"), 64)
	if err != nil || !(salience >= 0 && salience <= 1) {
		return layout.Invalid(errors.New("how much it matters is a number from 0 to 1"))
	}
	if _, err := p.Store.Lifecycle.SetSalience(r.Context(), m.ID, salience); err != nil {
		return err
	}
	return done(w, r, m, "It matters "+layout.Percent(salience)+".", "", nil)
}

// expire sets when a memory ends: a day, a moment when it is undone, or never.
func (p Pages) expire(w http.ResponseWriter, r *http.Request, m model.Memory) error {
	at, err := p.readEnd(r.FormValue("on"), r.FormValue("at"))
	if err != nil {
		return layout.Invalid(err)
	}
	if _, err := p.Store.Lifecycle.Expire(r.Context(), m.ID, at); err != nil {
		return err
	}
	fields := url.Values{}
	if !m.Expires.IsZero() {
		fields.Set("at", m.Expires.UTC().Format(time.RFC3339Nano))
	}
	text := "It does not expire any more."
	if !at.IsZero() {
		text = "It expires at the beginning of " + at.In(p.Zone).Format("2 January 2006") + "."
	}
	return done(w, r, m, text, "expire", fields)
}

func (p Pages) readEnd(day, moment string) (at time.Time, err error) {
	switch {
	case moment != "":
		at, err = time.Parse(time.RFC3339Nano, moment)
	case day != "":
		at, err = time.ParseInLocation(time.DateOnly, day, p.Zone)
	default:
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, errors.New("write the day as 2026-03-01")
	}
	if !at.After(p.Now()) {
		return time.Time{}, errors.New("choose a day after today: to have it gone at once, forget it")
	}
	return at, nil
}

func (p Pages) tag(w http.ResponseWriter, r *http.Request, m model.Memory) error {
	tag := r.FormValue("tag")
	left, err := p.Store.Entries.Tag(r.Context(), m.ID, tag)
	switch {
	case errors.Is(err, memory.ErrNotFound):
		return err
	case err != nil:
		return layout.Invalid(errors.New("a tag needs at least one letter or digit"))
	case len(left) == len(m.Tags):
		return done(w, r, m, "It has this tag already.", "", nil)
	}
	return done(w, r, m, fmt.Sprintf("Tagged %q.", tag), "untag", url.Values{"tag": {tag}})
}

func (p Pages) untag(w http.ResponseWriter, r *http.Request, m model.Memory) error {
	tag := r.FormValue("tag")
	if _, err := p.Store.Entries.Untag(r.Context(), m.ID, tag); err != nil {
		return err
	}
	return done(w, r, m, fmt.Sprintf("The tag %q is removed.", tag), "tag", url.Values{"tag": {tag}})
}

// readLink reads an edge that begins or ends at a memory.
func readLink(r *http.Request, m model.Memory) (in memoryapi.LinkInput, err error) {
	in = memoryapi.LinkInput{From: m.ID, Kind: r.FormValue("kind")}
	other := strings.TrimPrefix(strings.TrimSpace(r.FormValue("other")), "#")
	if in.To, err = strconv.ParseInt(other, 10, 64); err != nil || in.To <= 0 {
		return in, layout.Invalid(errors.New("write the number of the other memory, such as 12"))
	}
	if r.FormValue("from") == "other" {
		in.From, in.To = in.To, in.From
	}
	if text := r.FormValue("weight"); text != "" {
		if in.Weight, err = strconv.ParseFloat(text, 64); err != nil || !(in.Weight >= 0 && in.Weight <= 1) {
			return in, layout.Invalid(errors.New("the weight is a number from 0 to 1"))
		}
	}
	return in, nil
}

func (p Pages) link(w http.ResponseWriter, r *http.Request, m model.Memory) error {
	in, err := readLink(r, m)
	if err != nil {
		return err
	}
	_, err = p.client(m.Persona).Link(r.Context(), in)
	switch {
	case errors.Is(err, memoryapi.ErrNotFound):
		return layout.Invalid(fmt.Errorf("memory %d does not exist", in.From+in.To-m.ID))
	case errors.Is(err, memoryapi.ErrInvalid):
		return layout.Invalid(err)
	case err != nil:
		return err
	}
	return done(w, r, m, fmt.Sprintf("Linked with memory %d.", in.From+in.To-m.ID), "unlink", linkFields(m, in, 0))
}

func (p Pages) unlink(w http.ResponseWriter, r *http.Request, m model.Memory) error {
	in, err := readLink(r, m)
	if err != nil {
		return err
	}
	weight := in.Weight
	in.Remove = true
	if _, err := p.client(m.Persona).Link(r.Context(), in); err != nil {
		return err
	}
	return done(w, r, m, fmt.Sprintf("The link with memory %d is removed.", in.From+in.To-m.ID), "link", linkFields(m, in, weight))
}

// linkFields are the fields of a form about an edge, as readLink reads them.
func linkFields(m model.Memory, in memoryapi.LinkInput, weight float64) url.Values {
	fields := url.Values{"kind": {in.Kind}, "other": {idText(in.To)}}
	if in.To == m.ID {
		fields = url.Values{"kind": {in.Kind}, "other": {idText(in.From)}, "from": {"other"}}
	}
	if weight > 0 {
		fields.Set("weight", strconv.FormatFloat(weight, 'g', -1, 64))
	}
	return fields
}

// confirmForget asks before a memory is forgotten and says what goes with it.
func (p Pages) confirmForget(w http.ResponseWriter, r *http.Request) error {
	m, err := p.read(r)
	if err != nil {
		return err
	}
	would, err := p.Store.Eraser.CountForgotten(r.Context(), []int64{m.ID})
	if err != nil {
		return err
	}
	page := p.page(r, "Forget a memory")
	page.Body = forgetPage(m, would)
	return p.shell.Write(w, r, page)
}

func (p Pages) forget(w http.ResponseWriter, r *http.Request, m model.Memory) error {
	gone, err := p.Forget(r.Context(), m.ID)
	if err != nil {
		return err
	}
	return layout.Done(w, r, layout.Of(m.Persona, "memory"), layout.Notice{Text: fmt.Sprintf("Forgotten: %s.", gone)})
}
