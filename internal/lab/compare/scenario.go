package compare

import (
	"embed"
	"fmt"
	"path"
	"strings"
	"time"

	"familiar/internal/spelling"
	"familiar/internal/strictyaml"
	"familiar/persona/card"
)

// Scenario is a written story: what people say to a persona in their own rooms over some weeks, what one of them says
// on returning, and which facts the persona's context should then hold.
type Scenario struct {
	// Name is the scenario's name on the command line.
	Name  string
	Title string
	Card  *card.Card
	// Person is the person whose return is probed. The context must then hold nothing that other people said.
	Person string
	// Sessions are in order of time.
	Sessions []Session
	Probe    Probe
	// Facts should be readable when Person returns. Foreign facts belong to other people and must not be.
	Facts, Foreign []Fact
}

// Session is one conversation: With sends these messages in their direct room, a minute and a half apart, and each is
// answered.
type Session struct {
	With string    `yaml:"with"`
	At   time.Time `yaml:"at"`
	Says []string  `yaml:"says"`
}

// Probe is the return: Hello, or an arrival without a message when it is empty, then the questions.
type Probe struct {
	At    time.Time  `yaml:"at"`
	Hello string     `yaml:"hello"`
	Asks  []Question `yaml:"asks"`
}

// Question is one question, and the fact that answers it.
type Question struct {
	Ask  string `yaml:"ask"`
	Fact string `yaml:"fact"`
}

// scenarioFile is the file format of a Scenario.
type scenarioFile struct {
	Title    string    `yaml:"title"`
	Persona  string    `yaml:"persona"`
	Person   string    `yaml:"person"`
	Sessions []Session `yaml:"sessions"`
	Probe    Probe     `yaml:"probe"`
	Facts    []Fact    `yaml:"facts"`
	Foreign  []Fact    `yaml:"foreign"`
}

//go:embed scenarios/*.yaml
var files embed.FS

// Names returns the names of all scenarios, in the order they are played.
func Names() []string {
	return []string{"bartender", "dojo", "archivist", "counsellor", "innkeeper", "tutor"}
}

// Load reads scenarios by name, all of them when no name is given.
func Load(names ...string) (scenarios []Scenario, err error) {
	if len(names) == 0 {
		names = Names()
	}
	for _, name := range names {
		s, err := load(name)
		if err != nil {
			return nil, err
		}
		scenarios = append(scenarios, s)
	}
	return scenarios, nil
}

func load(name string) (Scenario, error) {
	known := false
	for _, n := range Names() {
		known = known || n == name
	}
	if !known {
		hint := "take " + strings.Join(Names(), ", ")
		if near := spelling.Nearest(name, Names()); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		return Scenario{}, fmt.Errorf("there is no scenario %q: %s", name, hint)
	}
	file := path.Join("scenarios", name+".yaml")
	data, err := files.ReadFile(file)
	if err != nil {
		return Scenario{}, fmt.Errorf("read scenario %s: %w", name, err)
	}
	return read(file, data)
}

// read parses a scenario file. The error is a *strictyaml.Problems that lists every problem of the file.
func read(file string, data []byte) (Scenario, error) {
	var f scenarioFile
	doc := strictyaml.Decode(file, data, &f)
	s := Scenario{
		Name: strings.TrimSuffix(path.Base(file), ".yaml"), Title: f.Title, Person: f.Person,
		Sessions: f.Sessions, Probe: f.Probe, Facts: f.Facts, Foreign: f.Foreign,
	}
	var err error
	if s.Card, err = loadCard(f.Persona); err != nil {
		doc.Problemf("persona", "%v", err)
	}
	s.check(doc)
	return s, doc.Err()
}

// loadCard returns the persona with that name: one written for a scenario, otherwise one shipped with the product.
func loadCard(key string) (*card.Card, error) {
	file := path.Join("scenarios", key+".yaml")
	if data, err := files.ReadFile(file); err == nil {
		return card.ParseCard(file, data)
	}
	return card.LoadCard("", key)
}

// check reports problems that would make a scenario meaningless.
func (s *Scenario) check(doc *strictyaml.Document) {
	last := time.Time{}
	for i, sitting := range s.Sessions {
		at := fmt.Sprintf("sessions[%d]", i)
		if !sitting.At.After(last) {
			doc.Problemf(at+".at", "does not come after the session before")
		}
		if len(sitting.Says) == 0 {
			doc.Problemf(at+".says", "is empty")
		}
		last = sitting.At.Add(time.Duration(len(sitting.Says)) * pace)
	}
	if !s.Probe.At.After(last) {
		doc.Problemf("probe.at", "does not come after the last session")
	}
	known := make(map[string]bool, len(s.Facts))
	for i, f := range s.Facts {
		f.check(doc, fmt.Sprintf("facts[%d]", i))
		known[f.Fact] = true
	}
	for i, f := range s.Foreign {
		f.check(doc, fmt.Sprintf("foreign[%d]", i))
	}
	for i, q := range s.Probe.Asks {
		if !known[q.Fact] {
			doc.Problemf(fmt.Sprintf("probe.asks[%d].fact", i), "%q is none of the facts", q.Fact)
		}
	}
}
