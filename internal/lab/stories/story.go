// Package stories plays written stories to the persona with a scripted model, and examines the prompt that a real model
// would have got for the last message: which vital facts are in it, and what should not be.
package stories

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"familiar/persona/card"
)

// Story is a talk over weeks, and one message at its end that needs what was said.
type Story struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Persona string   `json:"persona"`
	People  []string `json:"people"`
	// Today is the date of the probe, YYYY-MM-DD.
	Today    string    `json:"today"`
	Sessions []Session `json:"sessions"`
	Probe    Probe     `json:"probe"`
	Vital    []Fact    `json:"vital"`
	Stale    []Fact    `json:"stale"`
	Foreign  []Fact    `json:"foreign"`
	Filing   []Filed   `json:"good_filing"`
}

// Session is one conversation, in the direct room of the person who speaks or in a group ("group:NAME").
type Session struct {
	DaysAgo int    `json:"days_ago"`
	Room    string `json:"room"`
	Turns   []Turn `json:"turns"`
}

// Turn is who said something and what. The persona's turns are by "persona".
type Turn struct{ Who, Text string }

// self is the author of the persona's turns.
const self = "persona"

// UnmarshalJSON reads ["who", "text"].
func (t *Turn) UnmarshalJSON(data []byte) error {
	var pair [2]string
	if err := json.Unmarshal(data, &pair); err != nil {
		return err
	}
	t.Who, t.Text = pair[0], pair[1]
	return nil
}

// Probe is the last message.
type Probe struct {
	DaysAgo int    `json:"days_ago"`
	Room    string `json:"room"`
	Who     string `json:"who"`
	Text    string `json:"text"`
}

// Fact is something that a prompt shows if it contains one of some lower-case wordings.
type Fact struct {
	Fact string   `json:"fact"`
	Why  string   `json:"why"`
	Any  []string `json:"any"`
}

// in reports whether a lower-case text shows the fact.
func (f Fact) in(text string) bool {
	for _, wording := range f.Any {
		if strings.Contains(text, strings.ToLower(wording)) {
			return true
		}
	}
	return false
}

// name returns what the fact is called in reports.
func (f Fact) name() string { return f.Fact + f.Why }

// Filed is one thing that a good reader files from a turn.
type Filed struct {
	Session  int    `json:"session"`
	Turn     int    `json:"turn"`
	Subject  string `json:"subject"`
	Kind     string `json:"kind"`
	Sentence string `json:"sentence"`
	Quote    string `json:"quote"`
	// Due is the date of a plan, YYYY-MM-DD, empty if it has none.
	Due string `json:"due"`
	// Replaces is the position of the earlier filing that this one changes, nil for none.
	Replaces *int `json:"replaces"`
}

// Load reads the stories of files.
func Load(files ...string) (all []Story, err error) {
	for _, file := range files {
		data, err := os.ReadFile(file) //nolint:gosec // the operator names the file
		if err != nil {
			return nil, fmt.Errorf("read stories: %w", err)
		}
		var some []Story
		reader := json.NewDecoder(bytes.NewReader(data))
		reader.DisallowUnknownFields()
		if err := reader.Decode(&some); err != nil {
			return nil, fmt.Errorf("read stories from %s: %w", file, err)
		}
		for _, s := range some {
			if err := s.check(); err != nil {
				return nil, fmt.Errorf("story %s in %s: %w", s.ID, file, err)
			}
		}
		all = append(all, some...)
	}
	return all, nil
}

// check reports the first mistake of a story.
func (s *Story) check() error {
	if s.ID == "" || len(s.Sessions) == 0 || s.Probe.Text == "" || s.Probe.Who == "" {
		return fmt.Errorf("it needs an id, sessions and a probe")
	}
	if _, err := time.Parse(time.DateOnly, s.Today); err != nil {
		return fmt.Errorf("today is no date: %q", s.Today)
	}
	for i, f := range s.Filing {
		if f.Session < 0 || f.Session >= len(s.Sessions) || f.Turn < 0 || f.Turn >= len(s.Sessions[f.Session].Turns) {
			return fmt.Errorf("filing %d is of session %d, turn %d, which does not exist", i, f.Session, f.Turn)
		}
		if said := s.Sessions[f.Session].Turns[f.Turn].Text; !strings.Contains(said, f.Quote) {
			return fmt.Errorf("filing %d: %q is not in %q", i, f.Quote, said)
		}
		if f.Replaces != nil && (*f.Replaces < 0 || *f.Replaces >= i) {
			return fmt.Errorf("filing %d replaces %d, which is not before it", i, *f.Replaces)
		}
	}
	return nil
}

// today returns the day of the probe.
func (s *Story) today() time.Time {
	day, _ := time.Parse(time.DateOnly, s.Today) // checked on loading
	return day
}

// card returns the persona's card.
func (s *Story) card() *card.Card {
	return &card.Card{Key: "story", Name: s.personaName(), Description: s.Persona, Language: "en"}
}

// personaName returns the persona's name: that of its own promises, or the last words of its description.
func (s *Story) personaName() string {
	for _, f := range s.Filing {
		if s.Sessions[f.Session].Turns[f.Turn].Who == self {
			return f.Subject
		}
	}
	name, _, _ := strings.Cut(s.Persona, ",")
	for _, call := range []string{" called ", " llamado ", " llamada ", " chamado ", " chamada ", " namens ", " appelé ", " appelée ", " chiamato ", " chiamata ", " named "} {
		if _, after, found := strings.Cut(name, call); found {
			return after
		}
	}
	_, after, found := strings.Cut(s.Persona, "、")
	if found {
		return after
	}
	return name
}
