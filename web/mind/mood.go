package mind

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"slices"
	"time"

	"familiar/memory/conversation"
	"familiar/memory/turns"
	"familiar/persona/mind"
	"familiar/persona/session"
	"familiar/web/chart"
	"familiar/web/layout"
)

// moods is what the page on the mood shows.
type moods struct {
	common
	window window
	// felt are the moods in the window, oldest first. now is the last of them.
	felt  []turns.Mood
	chart chart.Timeline
	// moves are the sessions that moved the mood most, the latest first.
	moves []move
}

// window is how far back the page looks.
type window struct {
	word, name string
	days       int
}

var windows = []window{{"month", "30 days", 30}, {"quarter", "90 days", 90}, {"year", "a year", 365}}

func windowOf(word string) window {
	for _, w := range windows {
		if w.word == word {
			return w
		}
	}
	return windows[0]
}

// move is what one session did to the mood.
type move struct {
	before, after turns.Mood
	session       conversation.Session
	// why is what moved it, in words.
	why string
}

func word(m turns.Mood) string { return mind.MoodWord(mind.Mood{Valence: m.Valence, Energy: m.Energy}) }

func (m move) size() float64 {
	return math.Abs(m.after.Valence-m.before.Valence) + math.Abs(m.after.Energy-m.before.Energy)
}

// shownMoves is how many sessions are shown.
const shownMoves = 12

func (p Pages) mood(w http.ResponseWriter, r *http.Request) error {
	c, err := p.common(r)
	if err != nil {
		return err
	}
	m := moods{common: c, window: windowOf(r.URL.Query().Get("window"))}
	since := c.now.AddDate(0, 0, -m.window.days)
	err = p.store.Snapshot(r.Context(), func(ctx context.Context) error {
		if m.felt, err = p.store.Turns.Moods(ctx, c.persona, since); err != nil {
			return err
		}
		m.chart = moodChart(m.felt, c.now, p.shell.Zone)
		m.moves, err = p.moves(ctx, c.persona, m.felt)
		return err
	})
	if err != nil {
		return err
	}
	return p.write(w, r, layout.Page{Title: "Mood", Body: moodBody(m)})
}

func moodChart(felt []turns.Mood, until time.Time, zone *time.Location) chart.Timeline {
	valence, energy := make([]chart.Point, 0, len(felt)), make([]chart.Point, 0, len(felt))
	for _, m := range felt {
		valence = append(valence, chart.Point{At: m.At, Value: m.Valence})
		energy = append(energy, chart.Point{At: m.At, Value: m.Energy})
	}
	return chart.Timeline{
		Title: "Mood after each session", Until: until, Zone: zone,
		About: "Valence says how glad it was, energy how awake. Between sessions half of a mood is gone in a day.",
		Panels: []chart.Panel{
			{Unit: "valence, −1 to 1", Range: chart.Range{Min: -1, Max: 1}, Series: []chart.Series{{Name: "valence", Points: valence}}, Levels: []chart.Level{{Name: "neutral", Value: 0}}},
			{Unit: "energy, 0 to 1", Range: chart.Range{Min: 0, Max: 1}, Series: []chart.Series{{Name: "energy", Points: energy}}},
		},
	}
}

// moves returns the sessions that moved the mood most, the latest first.
func (p Pages) moves(ctx context.Context, persona string, felt []turns.Mood) (most []move, err error) {
	for i := 1; i < len(felt); i++ {
		most = append(most, move{before: felt[i-1], after: felt[i]})
	}
	slices.SortStableFunc(most, func(a, b move) int { return cmp.Compare(b.size(), a.size()) })
	most = most[:min(len(most), shownMoves)]
	slices.SortStableFunc(most, func(a, b move) int { return b.after.At.Compare(a.after.At) })
	var ids []int64
	for _, m := range most {
		ids = append(ids, m.after.SessionID)
	}
	known, err := p.store.Conversations.Sessions(ctx, persona, ids)
	if err != nil {
		return nil, err
	}
	for i := range most {
		m := &most[i]
		m.session = known[m.after.SessionID]
		if m.why, err = p.whyMoved(ctx, m.after.SessionID); err != nil {
			return nil, err
		}
	}
	return most, nil
}

// whyMoved words what happened in a session, as it counted for the mood.
func (p Pages) whyMoved(ctx context.Context, id int64) (string, error) {
	s, err := p.store.Turns.Session(ctx, id)
	if err != nil {
		return "", err
	}
	messages, err := p.store.Turns.SessionMessages(ctx, id)
	if err != nil {
		return "", err
	}
	tallies, err := p.store.Turns.Tally(ctx, s)
	if err != nil {
		return "", err
	}
	return moved(session.Facts(messages, tallies)), nil
}
