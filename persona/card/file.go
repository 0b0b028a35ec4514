package card

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"

	"familiar/internal/spelling"
	"familiar/internal/strictyaml"
	"familiar/memory/model"
	"familiar/persona/character"
	"familiar/persona/lore"
)

// cardFile is the file format of a Card.
type cardFile struct {
	Name        string                  `yaml:"name"`
	Description string                  `yaml:"description"`
	Traits      strictyaml.Map[float64] `yaml:"traits"`
	Values      []string                `yaml:"values"`
	Voice       string                  `yaml:"voice"`
	Boundaries  []string                `yaml:"boundaries"`
	Greetings   []string                `yaml:"greetings"`
	Interests   []string                `yaml:"interests"`
	Examples    []exampleFile           `yaml:"examples"`
	Sectors     strictyaml.Map[float64] `yaml:"sectors"`
	Fading      strictyaml.Map[float64] `yaml:"fading"`
	Timezone    string                  `yaml:"timezone"`
	Language    string                  `yaml:"language"`
	WorldFacts  bool                    `yaml:"world_facts"`
	Rating      string                  `yaml:"rating"`

	Nickname       string   `yaml:"nickname"`
	Personality    string   `yaml:"personality"`
	Scenario       string   `yaml:"scenario"`
	FirstMessages  []string `yaml:"first_messages"`
	GroupGreetings []string `yaml:"group_greetings"`
	Dialogue       string   `yaml:"example_dialogue"`
	SystemPrompt   string   `yaml:"system_prompt"`
	PostHistory    string   `yaml:"post_history_instructions"`
	AuthorNote     noteFile `yaml:"author_note"`
}

// noteFile is the author's note.
type noteFile struct {
	Text  string `yaml:"text"`
	Depth int    `yaml:"depth"`
	Role  string `yaml:"role"`
}

type exampleFile struct {
	Person  string `yaml:"person"`
	Persona string `yaml:"persona"`
}

const (
	// MaxName is the longest name, in runes: it heads every line the persona says.
	MaxName = 60
	// maxProse is the longest prose, in runes. Character cards are long; a prompt cuts what it has no room for.
	maxProse = 40_000
	// maxNoteDepth is how far back an author's note may stand, in messages.
	maxNoteDepth = 1000
	// maxSector is the greatest sector weight. Above it the other sectors would never be recalled.
	maxSector = 5
)

// ParseCard parses a persona file. The key is the file's name without extension. The error is a *strictyaml.Problems
// with all problems, in the order of the lines.
func ParseCard(file string, data []byte) (*Card, error) {
	f := cardFile{Language: "en", WorldFacts: true, Rating: ratingEveryone, AuthorNote: noteFile{Depth: 4, Role: lore.RoleSystem}}
	check := cardCheck{strictyaml.Decode(file, data, &f)}
	key := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if !ValidKey(key) {
		check.Problemf("file name", "%q cannot be a key: rename the file to 1–%d of a–z, 0–9 and -", key, maxKey)
	}
	card := &Card{
		Key:          key,
		Name:         check.name(f.Name),
		Description:  check.prose("description", f.Description),
		Traits:       check.traits(f.Traits),
		Values:       check.lines("values", f.Values),
		Voice:        check.prose("voice", f.Voice),
		Boundaries:   check.lines("boundaries", f.Boundaries),
		Greetings:    check.greetings(f.Greetings),
		Interests:    check.interests(f.Interests),
		Examples:     check.examples(f.Examples),
		Sectors:      check.sectors("sectors", f.Sectors, 0, maxSector),
		Rates:        check.sectors("fading", f.Fading, model.MinRate, model.MaxRate),
		Zone:         check.zone(f.Timezone),
		Language:     check.language(f.Language),
		WithoutFacts: !f.WorldFacts,
		Sheet:        check.sheet(f),
		Adult:        check.rating(f.Rating) == ratingAdult,
	}
	if card.Description == "" && !check.Given("description") {
		check.Problemf("description", "is missing: say who the persona is, in a few sentences")
	}
	if err := check.Err(); err != nil {
		return nil, err
	}
	return card, nil
}

// cardCheck converts a file into a card and collects its problems.
type cardCheck struct {
	*strictyaml.Document
}

func (c cardCheck) name(given string) string {
	name := strings.TrimSpace(given)
	switch {
	case !c.Given("name"):
		c.Problemf("name", "is missing: how is the persona called?")
	case name == "":
		c.Problemf("name", "is empty: how is the persona called?")
	case utf8.RuneCountInString(name) > MaxName:
		c.Problemf("name", "is longer than %d letters", MaxName)
	case strings.ContainsFunc(name, unicode.IsControl):
		c.Problemf("name", "must be one line without control characters")
	}
	return name
}

// The ratings of a persona.
const (
	ratingEveryone = "everyone"
	ratingAdult    = "adult"
)

func (c cardCheck) rating(given string) string {
	if given != ratingEveryone && given != ratingAdult {
		c.Problemf("rating", "is %q: take %s or %s", given, ratingEveryone, ratingAdult)
	}
	return given
}

func (c cardCheck) prose(path, given string) string {
	if n := utf8.RuneCountInString(given); n > maxProse {
		c.Problemf(path, "is %d letters long: keep it within %d", n, maxProse)
	}
	return strings.TrimSpace(given)
}

// sheet converts what character cards have.
func (c cardCheck) sheet(f cardFile) Sheet {
	s := Sheet{
		Nickname:    strings.TrimSpace(f.Nickname),
		Personality: c.prose("personality", f.Personality), Scenario: c.prose("scenario", f.Scenario),
		FirstMessages: c.lines("first_messages", f.FirstMessages), GroupGreetings: c.lines("group_greetings", f.GroupGreetings),
		Dialogue: c.prose("example_dialogue", f.Dialogue), SystemPrompt: c.prose("system_prompt", f.SystemPrompt),
		PostHistory: c.prose("post_history_instructions", f.PostHistory),
	}
	if utf8.RuneCountInString(s.Nickname) > MaxName || strings.ContainsFunc(s.Nickname, unicode.IsControl) {
		c.Problemf("nickname", "must be one line of at most %d letters", MaxName)
	}
	for i, text := range s.FirstMessages {
		c.prose(item("first_messages", i), text)
	}
	for i, text := range s.GroupGreetings {
		c.prose(item("group_greetings", i), text)
	}
	if n := f.AuthorNote; n.Text != "" {
		c.within("author_note.depth", float64(n.Depth), 0, maxNoteDepth)
		if !slices.Contains([]string{lore.RoleSystem, lore.RoleUser, lore.RoleAssistant}, n.Role) {
			c.Problemf("author_note.role", "is %q: take system, user or assistant", n.Role)
		}
		s.Note = character.Note{Text: c.prose("author_note.text", n.Text), Depth: n.Depth, Role: n.Role}
	}
	return s
}

func (c cardCheck) traits(given strictyaml.Map[float64]) []Trait {
	var traits []Trait
	for _, t := range given {
		c.within("traits."+t.Name, t.Value, 0, 1)
		traits = append(traits, Trait{Name: t.Name, Strength: t.Value})
	}
	return traits
}

func (c cardCheck) within(path string, got, least, most float64) {
	if !(got >= least && got <= most) {
		c.Problemf(path, "is %v: take %v to %v", got, least, most)
	}
}

func (c cardCheck) lines(path string, given []string) []string {
	var lines []string
	for i, line := range given {
		line = strings.TrimSpace(line)
		if line == "" && c.Given(item(path, i)) {
			c.Problemf(item(path, i), "is empty: fill it in or remove the line")
		}
		lines = append(lines, line)
	}
	return lines
}

// maxInterest is the longest interest, in characters, maxInterests how many there are.
const maxInterest, maxInterests = 60, 50

// interests are a few words each.
func (c cardCheck) interests(given []string) []string {
	interests := c.lines("interests", given)
	if len(interests) > maxInterests {
		c.Problemf("interests", "are %d: list at most %d", len(interests), maxInterests)
	}
	for i, text := range interests {
		if utf8.RuneCountInString(text) > maxInterest {
			c.Problemf(item("interests", i), "is longer than %d characters: take a few words, such as sourdough bread", maxInterest)
		}
	}
	return interests
}

// greetings may contain {name} and no other placeholder, which would be said aloud.
func (c cardCheck) greetings(given []string) []string {
	greetings := c.lines("greetings", given)
	for i, g := range greetings {
		if strings.ContainsAny(strings.ReplaceAll(g, "{name}", ""), "{}") {
			c.Problemf(item("greetings", i), "has braces that are not {name}: only {name} is filled in")
		}
	}
	return greetings
}

func (c cardCheck) examples(given []exampleFile) []Example {
	var examples []Example
	for i, e := range given {
		path := item("examples", i)
		for _, side := range []struct{ name, text string }{{"person", e.Person}, {"persona", e.Persona}} {
			if strings.TrimSpace(side.text) == "" && c.Given(path) {
				c.Problemf(path+"."+side.name, "is missing: an example needs what the person says and what the persona answers")
			}
		}
		examples = append(examples, Example{Person: strings.TrimSpace(e.Person), Persona: strings.TrimSpace(e.Persona)})
	}
	return examples
}

// sectors converts numbers for memory sectors, from least to most.
func (c cardCheck) sectors(section string, given strictyaml.Map[float64], least, most float64) map[model.Sector]float64 {
	known := []string{
		string(model.Episodic), string(model.Semantic), string(model.Procedural),
		string(model.Emotional), string(model.Reflective),
	}
	sectors := make(map[model.Sector]float64, len(given))
	for _, s := range given {
		path := section + "." + s.Name
		if !slices.Contains(known, s.Name) {
			hint := "take one of " + strings.Join(known, ", ")
			if near := spelling.Nearest(s.Name, known); near != "" {
				hint = "did you mean " + near + "?"
			}
			c.Problemf(path, "is no sector of memory: %s", hint)
			continue
		}
		c.within(path, s.Value, least, most)
		sectors[model.Sector(s.Name)] = s.Value
	}
	return sectors
}

func (c cardCheck) zone(given string) *time.Location {
	if given == "" {
		return nil
	}
	zone, err := time.LoadLocation(given)
	if err != nil {
		c.Problemf("timezone", "%q is no timezone known here: write one such as Europe/Lisbon or UTC", given)
	}
	return zone
}

func (c cardCheck) language(given string) string {
	tag, err := language.Parse(given)
	if err != nil {
		c.Problemf("language", "%q is no language tag: write one such as en or pt-PT", given)
	}
	return tag.String()
}

// item returns the path of an item in a list.
func item(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }
