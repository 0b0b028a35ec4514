package simulate

import (
	"context"
	"math"
	"strconv"
	"time"

	"familiar/memory/lifecycle"
)

// tally counts events during a life.
type tally struct {
	messages, answers        int
	greetings, recalling     int
	staleAnswers             int
	foreignAnswers           int
	staleBeliefs             int
	foreignScenes            int
	probes, exam             map[Verdict]int
	topics                   map[topic]map[Verdict]int
	months                   map[string]map[Verdict]int
	unasked                  []map[string]int // by person, by day
	unaskedAll, unaskedQuiet int
}

func newTally(people int) tally {
	t := tally{
		probes: map[Verdict]int{}, exam: map[Verdict]int{}, topics: map[topic]map[Verdict]int{}, months: map[string]map[Verdict]int{},
		unasked: make([]map[string]int, people),
	}
	for i := range t.unasked {
		t.unasked[i] = map[string]int{}
	}
	return t
}

// probe counts the answer to a question.
func (t *tally) probe(line Line, v Verdict) {
	t.probes[v]++
	if line.Exam {
		t.exam[v]++
	}
	add(t.topics, line.Asks.About, v)
	add(t.months, line.At.Format("2006-01"), v)
}

func add[K comparable](counts map[K]map[Verdict]int, key K, v Verdict) {
	if counts[key] == nil {
		counts[key] = map[Verdict]int{}
	}
	counts[key][v]++
}

// answer counts the reply to a line without a question.
func (t *tally) answer(v Verdict) {
	t.answers++
	switch v {
	case Stale:
		t.staleAnswers++
	case Foreign:
		t.foreignAnswers++
	}
}

// The quiet hours, by the clock of the person: nobody is messaged unasked in them.
const quietFrom, quietUntil = 22, 8

// unasked counts a message sent unasked, and checks what it discloses.
func (l *life) unasked(ctx context.Context, room, text string) error {
	l.tally.unaskedAll++
	who, err := strconv.Atoi(room)
	if err != nil {
		who = -1 // the group
	} else {
		at, err := l.clockOf(ctx, who)
		if err != nil {
			return err
		}
		if h := at.Hour(); h >= quietFrom || h < quietUntil {
			l.tally.unaskedQuiet++
		}
		l.tally.unasked[who][at.Format(time.DateOnly)]++
	}
	if name := l.truth.foreign(who, who < 0, text); name != "" {
		l.tally.foreignAnswers++
		l.failScene(Foreign, max(who, 0), text)
	} else if who >= 0 && l.truth.stale(who, "", text) != "" {
		l.tally.staleAnswers++
		l.failScene(Stale, who, text)
	}
	return nil
}

// clockOf returns the local time of a person, in the time zone that the persona has learned for them.
func (l *life) clockOf(ctx context.Context, who int) (time.Time, error) {
	p, err := l.Store.Log.Person(ctx, l.ids[who])
	now := l.clock.Now()
	return now.In(p.Location(now.Location())), err
}

// Sample is the state of the world at one moment.
type Sample struct {
	At       time.Time      `json:"at"`
	Messages int            `json:"messages"`
	Memories int            `json:"memories"`
	Tiers    map[string]int `json:"tiers"`
	Sectors  map[string]int `json:"sectors"`
	Beliefs  int            `json:"beliefs"`
	History  int            `json:"history"`
	Edges    int            `json:"edges"`
	Loops    int            `json:"open_loops"`
	Bytes    int64          `json:"bytes"`
	People   []Standing     `json:"people,omitempty"`
	Mood     *Mood          `json:"mood,omitempty"`
}

// Standing is a person's relationship with the persona, trust and bond 0–1.
type Standing struct {
	Person string  `json:"person"`
	Trust  float64 `json:"trust"`
	Bond   float64 `json:"bond"`
	Stage  string  `json:"stage"`
}

// Mood is the persona's mood, valence −1 to 1 and energy 0 to 1.
type Mood struct {
	Valence float64 `json:"valence"`
	Energy  float64 `json:"energy"`
}

func newSample(at time.Time, st lifecycle.Stats) Sample {
	s := Sample{
		At: at, Messages: st.Messages, Tiers: plain(st.Tiers), Sectors: plain(st.Memories), Beliefs: st.Beliefs,
		History: st.History, Loops: st.OpenLoops, Bytes: st.Bytes,
	}
	for _, n := range st.Memories {
		s.Memories += n
	}
	for _, n := range st.Edges {
		s.Edges += n
	}
	return s
}

func plain[K ~string](counts map[K]int) map[string]int {
	out := make(map[string]int, len(counts))
	for k, n := range counts {
		out[string(k)] = n
	}
	return out
}

// round rounds to three decimal places.
func round(v float64) float64 { return math.Round(v*1000) / 1000 }
