package memories

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/dustin/go-humanize/english"

	"familiar/memory/entry"
	"familiar/memory/erase"
	"familiar/memory/model"
)

// originNames, sectorNames and tierNames word what filters offer.
var (
	originNames = map[model.Origin]string{
		model.OriginMessage: "said by people", model.OriginOperator: "told by the operator", model.OriginJob: "concluded by the persona",
	}
	sectorNames = map[model.Sector]string{
		model.Episodic: "episodic: what happened", model.Semantic: "semantic: facts", model.Procedural: "procedural: how to do things",
		model.Emotional: "emotional: feelings", model.Reflective: "reflective: conclusions",
	}
	tierNames = map[model.Tier]string{
		model.Sensory: "sensory: passing remarks", model.Short: "short: recent", model.Long: "long: lasting",
		model.Dormant: "dormant: faded, found by a strong match only",
	}
)

// by says whose words a memory is.
func by(m model.Memory) string {
	switch {
	case m.Author != "":
		return m.Author
	case m.Origin == model.OriginOperator:
		return "the operator"
	}
	return cmp.Or(strings.ReplaceAll(string(m.Kind), "_", " "), "summary of similar memories")
}

// audienceName names who may see something. title is the title of the room it came from.
func audienceName(known []entry.NamedAudience, a model.Audience, title string) string {
	name := ""
	for _, k := range known {
		if k.Audience == a {
			name = k.Name
		}
	}
	switch a.Kind {
	case model.World:
		return "for everybody"
	case model.Private:
		return "private with " + cmp.Or(name, "person "+strconv.FormatInt(a.Ref, 10))
	}
	return "in " + cmp.Or(name, title, "group "+strconv.FormatInt(a.Ref, 10))
}

// shown is how many characters of a text a list shows.
const shown = 420

// cut shortens a text to what a list shows, at a word.
func cut(text string) (part string, whole bool) {
	runes := []rune(text)
	if len(runes) <= shown {
		return text, true
	}
	part = string(runes[:shown])
	if i := strings.LastIndexAny(part, " \n\t"); i > len(part)/2 {
		part = part[:i]
	}
	return part + "…", false
}

// decimal is a number with two places.
func decimal(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }

// memoryName names a memory in links.
func memoryName(id int64) string { return fmt.Sprintf("Memory %d", id) }

func idText(id int64) string { return strconv.FormatInt(id, 10) }

// option is one choice of a filter.
type option struct {
	value, label string
	chosen       bool
}

// options returns what a filter offers.
func options[T ~string](of []T, chosen T, labels map[T]string) (all []option) {
	for _, o := range of {
		all = append(all, option{string(o), labels[o], o == chosen})
	}
	return all
}

// offered returns the audiences that a filter offers, and the chosen one.
func offered(known []entry.NamedAudience, chosen model.Audience) []entry.NamedAudience {
	if chosen.Kind == "" || slices.ContainsFunc(known, func(a entry.NamedAudience) bool { return a.Audience == chosen }) {
		return known
	}
	return append([]entry.NamedAudience{{Audience: chosen}}, known...)
}

// offeredPeople returns the people that a filter offers, and the chosen one.
func offeredPeople(known []entry.NamedAudience, chosen int64) (people []entry.NamedAudience) {
	for _, a := range known {
		if a.Kind == model.Private {
			people = append(people, a)
		}
	}
	if chosen == 0 {
		return people
	}
	return offered(people, model.Audience{Kind: model.Private, Ref: chosen})
}

func audienceOption(a entry.NamedAudience) string {
	switch a.Kind {
	case model.World:
		return "Everybody (lore)"
	case model.Private:
		return "Only " + personOption(a)
	}
	return "The group " + cmp.Or(a.Name, idText(a.Ref))
}

func personOption(a entry.NamedAudience) string { return cmp.Or(a.Name, "person "+idText(a.Ref)) }

// invalid returns the attributes of a field that is wrong.
func invalid(q query, field string) templ.Attributes {
	if q.problems[field] == "" {
		return nil
	}
	return templ.Attributes{"aria-invalid": "true", "aria-describedby": "query-problem"}
}

func weakTitle(n int) string {
	return english.Plural(n, "weaker match", "weaker matches")
}

// short is the beginning of a text on one line.
func short(text string) string { return beginning(strings.Join(strings.Fields(text), " "), 120) }

// first is the beginning of a text as it was written.
func first(text string) string { return beginning(text, 1000) }

func beginning(text string, characters int) string {
	if runes := []rune(text); len(runes) > characters {
		return string(runes[:characters]) + "…"
	}
	return text
}

// decimalExact is a number with all its places.
func decimalExact(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// dayOf is a day as a field has it, "" for the zero time.
func dayOf(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(zone).Format(time.DateOnly)
}

// erasureName words why something was erased.
func erasureName(kind string) string {
	switch kind {
	case erase.KindForget:
		return "a memory was forgotten"
	case erase.KindPerson:
		return "a person was erased"
	case erase.KindDelete:
		return "a message was deleted"
	case erase.KindExpire:
		return "its time was up"
	case erase.KindDrop:
		return "a message was dropped unsent"
	case erase.KindWithdraw:
		return "a consent to training was taken back"
	}
	return kind
}
