package jobs

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"familiar/memory/model"
	"familiar/memory/understand"
	"familiar/memory/understand/rel"
	"familiar/persona/mind"
)

// The thresholds of patterns, for at most fifty messages of a person.
const (
	// recurringSessions is in how many sessions a topic must come up to be recurring, or a feeling to be typical.
	recurringSessions = 3
	// feltLift is how many times likelier a topic must be in sessions with a feeling than in the others.
	feltLift = 2
	// habitDays is on how many days a topic must come up to be a habit. habitShare is the share of them that must fall
	// on one weekday or time of day. habitElse is the greatest share of all the person's days that may fall there,
	// since otherwise it only shows when they talk.
	habitDays  = 4
	habitShare = 0.75
	habitElse  = 0.5
	// changeSessions is how many sessions each half needs to tell that a topic appeared or disappeared.
	changeSessions = 4
	// strongFeeling is the least intensity of a feeling; memory uses the same threshold.
	strongFeeling = 0.5
	// mostSources bounds the messages that a pattern refers to, the newest.
	mostSources = 12
)

// saying is one message, analyzed for patterns.
type saying struct {
	model.Memory
	at      time.Time // in the person's timezone
	topics  []topic
	feeling string // "" for none
}

// sayings analyzes a person's messages. Names of the person and of the persona are no topics.
func sayings(said []model.Memory, zone *time.Location, self string) []saying {
	all := make([]saying, len(said))
	for i, m := range said {
		names := slices.DeleteFunc(slices.Clone(m.Entities), func(name string) bool {
			return strings.EqualFold(name, m.Author) || strings.EqualFold(name, self)
		})
		all[i] = saying{Memory: m, at: m.Created.In(zone), topics: topicsOf(m.Text, names), feeling: feelingOf(m)}
	}
	return all
}

// feelingOf returns the feeling that a message expresses strongly, "" if there is none.
func feelingOf(m model.Memory) string {
	if !namesFeeling(m) {
		return "" // looking costs less than decoding an analysis
	}
	for _, c := range m.Stored.Or(understand.Utterance{Text: m.Text, At: m.Created}).Claims {
		if c.Kind == rel.Feeling && c.Subject == "" && !c.Negates && isStrong(c.Value) {
			return c.Value
		}
	}
	return ""
}

// namesFeeling reports whether a text contains a word for a strong feeling.
func namesFeeling(m model.Memory) bool { return slices.ContainsFunc(strings.Fields(m.Text), isStrong) }

// isStrong reports whether a word names a strong feeling.
func isStrong(word string) bool {
	return understand.Intensity(strings.Trim(word, ".,;!?")) >= strongFeeling
}

// form is the kind of a pattern, the more significant first.
type form int

const (
	felt form = iota
	habitual
	begun
	ended
	recurring
)

// pattern is a regularity in what someone said.
type pattern struct {
	form  form
	topic topic
	// detail is what the topic goes with: a feeling, "on Sundays", "in the evening".
	detail string
	// weight is the significance of the pattern, 0–1.
	weight float64
	found  []saying
}

// sources returns the messages that a pattern rests on.
func (p pattern) sources() (messages []int64) {
	for _, s := range p.found[max(0, len(p.found)-mostSources):] {
		messages = append(messages, s.Sources...)
	}
	return messages
}

// sessions returns the set of sessions of the given messages.
func sessions(found []saying) map[int64]bool {
	ids := map[int64]bool{}
	for _, s := range found {
		ids[s.SessionID] = true
	}
	return ids
}

// patterns returns the regularities in one person's messages, given oldest first: the most significant pattern of each
// topic, most significant first. It only counts and is deterministic.
func patterns(said []saying) (all []pattern) {
	byTopic := map[string][]saying{}
	shown := map[string]topic{}
	for _, s := range said {
		for _, t := range s.topics {
			byTopic[t.key], shown[t.key] = append(byTopic[t.key], s), t
		}
	}
	for _, key := range slices.Sorted(maps.Keys(byTopic)) {
		found := byTopic[key]
		if len(sessions(found)) < recurringSessions {
			continue
		}
		for _, find := range []func(said, found []saying) (pattern, bool){whenFelt, byHabit, overTime, again} {
			if p, ok := find(said, found); ok {
				p.topic = shown[key]
				all = append(all, p)
				break
			}
		}
	}
	slices.SortStableFunc(all, func(a, b pattern) int {
		return cmp.Or(cmp.Compare(a.form, b.form), cmp.Compare(b.weight, a.weight))
	})
	return all
}

// again finds a recurring topic.
func again(said, found []saying) (pattern, bool) {
	share := float64(len(sessions(found))) / float64(len(sessions(said)))
	return pattern{form: recurring, weight: share, found: found}, true
}

// whenFelt finds a topic that goes with a feeling: it is feltLift times likelier in sessions with that feeling.
func whenFelt(said, found []saying) (best pattern, ok bool) {
	feelings := map[string][]saying{}
	for _, s := range said {
		if s.feeling != "" {
			feelings[s.feeling] = append(feelings[s.feeling], s)
		}
	}
	all, with := float64(len(sessions(said))), sessions(found)
	for _, feeling := range slices.Sorted(maps.Keys(feelings)) {
		when := sessions(feelings[feeling])
		both := 0.0
		for id := range when {
			if with[id] {
				both++
			}
		}
		others := all - float64(len(when))
		if both < recurringSessions || others < recurringSessions {
			continue
		}
		// Adding a half avoids a division by zero for topics that never come up otherwise.
		lift := both / float64(len(when)) / ((float64(len(with)) - both + 0.5) / (others + 1))
		if weight := 1 - 1/lift; lift >= feltLift && weight > best.weight {
			inThem := func(s saying) bool { return when[s.SessionID] }
			best, ok = pattern{form: felt, detail: feeling, weight: weight, found: only(merged(found, feelings[feeling]), inThem)}, true
		}
	}
	return best, ok
}

// merged merges two sorted lists.
func merged(a, b []saying) []saying {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(a, b saying) int { return cmp.Compare(a.ID, b.ID) })
	return slices.CompactFunc(all, func(a, b saying) bool { return a.ID == b.ID })
}

// only returns the messages that satisfy a condition.
func only(found []saying, holds func(saying) bool) (some []saying) {
	for _, s := range found {
		if holds(s) {
			some = append(some, s)
		}
	}
	return some
}

// byHabit finds a topic that comes up on one weekday or at one time of the day.
func byHabit(said, found []saying) (best pattern, ok bool) {
	for _, of := range []func(time.Time) string{weekdayOf, partOf} {
		all, with := days(said, of), days(found, of)
		for _, when := range slices.Sorted(maps.Keys(with)) {
			share := float64(len(with[when])) / float64(total(with))
			otherwise := float64(len(all[when])) / float64(total(all))
			if total(with) >= habitDays && len(with[when]) >= recurringSessions && share >= habitShare && otherwise <= habitElse && share > best.weight {
				then := func(s saying) bool { return of(s.at) == when }
				best, ok = pattern{form: habitual, detail: when, weight: share, found: only(found, then)}, true
			}
		}
	}
	return best, ok
}

// days groups the dates of messages by the given key.
func days(found []saying, of func(time.Time) string) map[string]map[string]bool {
	sets := map[string]map[string]bool{}
	for _, s := range found {
		when := of(s.at)
		if sets[when] == nil {
			sets[when] = map[string]bool{}
		}
		sets[when][s.at.Format(time.DateOnly)] = true
	}
	return sets
}

func total(sets map[string]map[string]bool) (n int) {
	for _, set := range sets {
		n += len(set)
	}
	return n
}

func weekdayOf(at time.Time) string { return "on " + at.Weekday().String() + "s" }

func partOf(at time.Time) string {
	part := mind.PartOfDay(at)
	if part == mind.Night {
		return "at night"
	}
	return "in the " + string(part)
}

// overTime finds a topic that appeared or disappeared: it recurs in one half of the sessions and is missing from the
// other.
func overTime(said, found []saying) (pattern, bool) {
	order := slices.Sorted(maps.Keys(sessions(said)))
	half := len(order) / 2
	if half < changeSessions {
		return pattern{}, false
	}
	late := len(only(found, func(s saying) bool { return s.SessionID >= order[half] }))
	p := pattern{form: begun, weight: float64(len(sessions(found))) / float64(len(order)), found: found}
	switch late {
	case len(found):
		return p, true
	case 0:
		p.form = ended
		return p, true
	}
	return p, false
}
