package memories

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"familiar/memory"
	"familiar/memory/access"
	"familiar/memory/entry"
	"familiar/memory/model"
	"familiar/memory/recall"
)

const (
	// pageSize is how many memories a list shows, hitLimit how many hits a search shows, weak ones included.
	pageSize, hitLimit = 50, 30
	// maxReasons is how many parts of a score are shown.
	maxReasons = 8
	// maxQuery is how long a query may be, in characters.
	maxQuery = 2000
	// maxAudiences is how many people and groups the filters offer.
	maxAudiences = 100
)

// sectors and origins are what the filters offer.
var (
	sectors = []model.Sector{model.Episodic, model.Semantic, model.Procedural, model.Emotional, model.Reflective}
	origins = []model.Origin{model.OriginMessage, model.OriginOperator, model.OriginJob}
)

// query is what a list or a search was asked for.
type query struct {
	words    string
	sector   model.Sector
	tier     model.Tier
	origin   model.Origin
	tag      string
	audience model.Audience
	// shared adds to an audience what may also be used there.
	shared      bool
	person      int64
	from, until time.Time
	// before and after are the memories next to the page that is shown, 0 for none.
	before, after int64
	// problems says what is wrong with the query, by field.
	problems map[string]string
	values   url.Values
}

// readQuery reads a query. Days begin in zone.
func readQuery(values url.Values, zone *time.Location) query {
	q := query{words: strings.TrimSpace(strings.ToValidUTF8(values.Get("q"), "")), values: values, problems: map[string]string{}}
	if n := utf8.RuneCountInString(q.words); n > maxQuery {
		q.problems["q"] = fmt.Sprintf("The search has %d characters: use at most %d.", n, maxQuery)
	}
	q.sector = choice(&q, "sector", sectors)
	q.tier = choice(&q, "tier", model.Tiers)
	q.origin = choice(&q, "origin", origins)
	q.tag, q.shared = values.Get("tag"), values.Get("shared") != ""
	q.audience = q.readAudience()
	q.person, q.before, q.after = q.number("person"), q.number("before"), q.number("after")
	q.from, q.until = q.day("from", zone), q.day("until", zone)
	if !q.until.IsZero() {
		q.until = q.until.AddDate(0, 0, 1)
	}
	if !q.from.IsZero() && !q.until.IsZero() && !q.from.Before(q.until) {
		q.problems["until"] = "The last day is before the first."
	}
	return q
}

// choice reads one of the values that a filter offers.
func choice[T ~string](q *query, name string, of []T) T {
	chosen := T(q.values.Get(name))
	if chosen != "" && !slices.Contains(of, chosen) {
		q.problems[name] = "There is no such " + name + "."
		return ""
	}
	return chosen
}

func (q *query) number(name string) int64 {
	text := q.values.Get(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		q.problems[name] = "This is no number of a " + cmp.Or(map[string]string{"person": "person"}[name], "memory") + "."
		return 0
	}
	return n
}

func (q *query) day(name string, zone *time.Location) time.Time {
	text := q.values.Get(name)
	if text == "" {
		return time.Time{}
	}
	day, err := time.ParseInLocation(time.DateOnly, text, zone)
	if err != nil {
		q.problems[name] = "Write a day such as 2026-03-01."
	}
	return day
}

// readAudience reads an audience as audienceValue writes it.
func (q *query) readAudience() model.Audience {
	text := q.values.Get("in")
	kind, ref, _ := strings.Cut(text, ":")
	a := model.Audience{Kind: model.AudienceKind(kind)}
	var err error
	if a.Kind != model.World {
		a.Ref, err = strconv.ParseInt(ref, 10, 64)
	}
	if text == "" {
		return model.Audience{}
	}
	if !slices.Contains([]model.AudienceKind{model.World, model.Private, model.InRoom}, a.Kind) || err != nil {
		q.problems["in"] = "There is no such person or group."
		return model.Audience{}
	}
	return a
}

func audienceValue(a model.Audience) string {
	switch a.Kind {
	case "":
		return ""
	case model.World:
		return string(a.Kind)
	}
	return fmt.Sprintf("%s:%d", a.Kind, a.Ref)
}

// filtered reports whether anything but words narrows the query.
func (q query) filtered() bool {
	return q.sector != "" || q.tier != "" || q.origin != "" || q.tag != "" || q.audience.Kind != "" || q.person != 0 || !q.from.IsZero() || !q.until.IsZero()
}

// problem returns what is wrong with the query, "" for nothing.
func (q query) problem() string {
	for _, field := range []string{"q", "in", "person", "sector", "tier", "origin", "from", "until", "before", "after"} {
		if text := q.problems[field]; text != "" {
			return text
		}
	}
	return ""
}

// with returns the query's values with one changed, on the first page.
func (q query) with(name, value string) url.Values {
	values := url.Values{}
	for key, all := range q.values {
		if len(all) > 0 && all[0] != "" && key != "before" && key != "after" && key != name {
			values.Set(key, all[0])
		}
	}
	if value != "" {
		values.Set(name, value)
	}
	return values
}

func (q query) filter() entry.MemoryFilter {
	return entry.MemoryFilter{
		PersonID: q.person, Sector: q.sector, Tier: q.tier, Origin: q.origin, Tag: q.tag, From: q.from, Until: q.until,
		Before: q.before, After: q.after, Limit: pageSize + 1,
	}
}

func (q query) selection() recall.Selection {
	s := recall.Selection{Before: q.until, Tag: q.tag, Tier: q.tier, Origin: q.origin, PersonID: q.person}
	if q.sector != "" {
		s.Sectors = []model.Sector{q.sector}
	}
	if !q.from.IsZero() {
		s.After = q.from.Add(-time.Millisecond)
	}
	return s
}

// visibility returns what a query of an operator looks through.
func (p Pages) visibility(ctx context.Context, persona string, q query) (memory.Visibility, error) {
	switch {
	case q.shared && q.audience.Kind == model.Private:
		return p.Store.Access.Visibility(ctx, access.Grant{Kind: access.Person, Persona: persona, PersonID: q.audience.Ref})
	case q.shared && q.audience.Kind == model.InRoom:
		return p.Store.Access.Visibility(ctx, access.Grant{Kind: access.Room, Persona: persona, RoomID: q.audience.Ref})
	}
	all, err := p.Store.Access.Visibility(ctx, access.Grant{Kind: access.Operator, Persona: persona})
	if err == nil && q.audience.Kind != "" {
		all = all.Only(q.audience)
	}
	return all, err
}
