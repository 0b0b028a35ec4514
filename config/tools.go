package config

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"familiar/internal/settings"
	"familiar/internal/strictyaml"
)

// Tools configures what a model may call while it answers.
type Tools struct {
	// Gates are those of all personas and rooms. Those of a persona are in its own section.
	Gates Gates `yaml:"gates"`
	// Places are the gates of a room or a server as CHANNEL/ID, of a thread as CHANNEL/ID/THREAD, or of a network by its name.
	Places PlaceGates `yaml:"places"`
	// Servers are programs that offer tools.
	Servers ToolServers `yaml:"servers"`
	// Workspaces are the directories of the workspace tools, by persona.
	Workspaces Workspaces `yaml:"workspaces"`
	// Delegate bounds the helper of the tool delegate.
	Delegate Delegate `yaml:"delegate"`
	// Rounds is how often a model may call tools before it has to answer, 1–20; Calls how many calls it may make, 1–50.
	Rounds int `yaml:"rounds"`
	Calls  int `yaml:"calls"`
	// ResultTokens is how much of one result a model sees, 100–20,000; TokensPerAnswer how much of all, up to 100,000.
	ResultTokens    int `yaml:"result_tokens"`
	TokensPerAnswer int `yaml:"tokens_per_answer"`
	// Timeout is for tools that set none of their own, 1 s–5 min.
	Timeout time.Duration `yaml:"timeout"`
	// TimePerAnswer is for all calls of one answer together, 1 s–30 min.
	TimePerAnswer time.Duration `yaml:"time_per_answer"`
	// The limits of one day, for one person and in one room; 0 is no limit. Calls of the memory's tools do not count.
	CallsPerPersonPerDay   int `yaml:"calls_per_person_per_day"`
	CallsPerRoomPerDay     int `yaml:"calls_per_room_per_day"`
	SecondsPerPersonPerDay int `yaml:"seconds_per_person_per_day"`
	SecondsPerRoomPerDay   int `yaml:"seconds_per_room_per_day"`
	TokensPerPersonPerDay  int `yaml:"tokens_per_person_per_day"`
	TokensPerRoomPerDay    int `yaml:"tokens_per_room_per_day"`
}

// Delegate bounds one side task that a model hands to a helper.
type Delegate struct {
	// Calls is how many calls of tools the helper may make, 0–50, if the answer has more left.
	Calls int `yaml:"calls"`
	// Tokens is for all its prompts and answers, 1,000–1,000,000.
	Tokens int `yaml:"tokens"`
	// Timeout is for the whole task, 1 s–5 min, if the answer has more left.
	Timeout time.Duration `yaml:"timeout"`
}

// Gate says whether a tool may be called.
type Gate string

// The gates.
const (
	GateAllow   Gate = "allow"
	GateConfirm Gate = "confirm"
	GateDeny    Gate = "deny"
)

// UnmarshalText parses allow, confirm or deny.
func (g *Gate) UnmarshalText(text []byte) error {
	return settings.Choose(g, text, GateAllow, GateConfirm, GateDeny)
}

// Gates are gates by the names of tools, or by the beginning of names with a final "*".
type Gates struct{ strictyaml.Map[Gate] }

// String returns the gates as YAML.
func (g Gates) String() string {
	all := make([]string, len(g.Map))
	for i, one := range g.Map {
		all[i] = quoteKey(one.Name) + ": " + string(one.Value)
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// MarshalYAML returns the gates as YAML.
func (g Gates) MarshalYAML() ([]byte, error) { return []byte(g.String()), nil }

// PlaceGates are gates by place.
type PlaceGates struct{ strictyaml.Map[Gates] }

// String returns the gates as YAML.
func (g PlaceGates) String() string {
	all := make([]string, len(g.Map))
	for i, one := range g.Map {
		all[i] = quoteKey(one.Name) + ": " + one.Value.String()
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// MarshalYAML returns the gates as YAML.
func (g PlaceGates) MarshalYAML() ([]byte, error) { return []byte(g.String()), nil }

// Workspaces are directories by persona.
type Workspaces struct{ strictyaml.Map[string] }

// String returns the directories as YAML.
func (w Workspaces) String() string {
	all := make([]string, len(w.Map))
	for i, one := range w.Map {
		all[i] = quoteKey(one.Name) + ": " + strconv.Quote(one.Value)
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// MarshalYAML returns the directories as YAML.
func (w Workspaces) MarshalYAML() ([]byte, error) { return []byte(w.String()), nil }

// Of returns the directory of a persona, "" for none.
func (w Workspaces) Of(persona string) string {
	for _, one := range w.Map {
		if one.Name == persona {
			return one.Value
		}
	}
	return ""
}

// quoteKey returns a key of a flow mapping as YAML takes it: a star would begin an alias.
func quoteKey(key string) string {
	if strings.HasPrefix(key, "*") || strings.ContainsAny(key, ":{}[],#\"' ") {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`
	}
	return key
}

// defaultTools allow no more than the persona's own memory.
func defaultTools() Tools {
	return Tools{
		Delegate: Delegate{Calls: 4, Tokens: 12_000, Timeout: 45 * time.Second},
		Rounds:   3, Calls: 8, ResultTokens: 600, TokensPerAnswer: 1500, Timeout: 20 * time.Second, TimePerAnswer: time.Minute,
		CallsPerPersonPerDay: 200, CallsPerRoomPerDay: 500, SecondsPerPersonPerDay: 1800, SecondsPerRoomPerDay: 3600,
		TokensPerPersonPerDay: 200_000, TokensPerRoomPerDay: 500_000,
	}
}

// toolName is how the names in gates look.
var toolName = regexp.MustCompile(`^([a-z][a-z0-9_]*\*?|\*)$`)

// validateTools reports gates that could never hold, and limits out of range.
func (c *Config) validateTools() {
	t := c.Tools
	c.validateGates("tools.gates", t.Gates)
	for _, place := range t.Places.Map {
		key := "tools.places." + place.Name
		if problem := c.checkPlace(place.Name); problem != "" {
			c.doc.Problemf(key, "%q %s", place.Name, problem)
		}
		c.validateGates(key, place.Value)
	}
	for _, p := range c.Personas.Map {
		c.validateGates("personas."+p.Name+".tools", p.Value.Tools)
	}
	c.validateToolServers()
	for _, w := range t.Workspaces.Map {
		if !filepath.IsAbs(w.Value) {
			c.doc.Problemf("tools.workspaces."+w.Name, "takes an absolute path, such as /srv/familiar/files")
		}
	}
	c.checkInt("tools.delegate.calls", t.Delegate.Calls, 0, 50)
	c.checkInt("tools.delegate.tokens", t.Delegate.Tokens, 1000, 1_000_000)
	c.checkDuration("tools.delegate.timeout", t.Delegate.Timeout, time.Second, 5*time.Minute)
	c.checkInt("tools.rounds", t.Rounds, 1, 20)
	c.checkInt("tools.calls", t.Calls, 1, 50)
	c.checkInt("tools.result_tokens", t.ResultTokens, 100, 20_000)
	c.checkInt("tools.tokens_per_answer", t.TokensPerAnswer, t.ResultTokens, 100_000)
	c.checkDuration("tools.timeout", t.Timeout, time.Second, 5*time.Minute)
	c.checkDuration("tools.time_per_answer", t.TimePerAnswer, time.Second, 30*time.Minute)
	for key, n := range map[string]int{
		"calls_per_person_per_day": t.CallsPerPersonPerDay, "calls_per_room_per_day": t.CallsPerRoomPerDay,
		"seconds_per_person_per_day": t.SecondsPerPersonPerDay, "seconds_per_room_per_day": t.SecondsPerRoomPerDay,
		"tokens_per_person_per_day": t.TokensPerPersonPerDay, "tokens_per_room_per_day": t.TokensPerRoomPerDay,
	} {
		c.checkInt("tools."+key, n, 0, 1_000_000_000)
	}
}

func (c *Config) validateGates(at string, g Gates) {
	for _, one := range g.Map {
		if !toolName.MatchString(one.Name) {
			c.doc.Problemf(at+"."+one.Name, "%q is no name of a tool: `familiar tool list` shows them; a final * stands for the rest of a name", one.Name)
		}
	}
}

// checkPlace reports a place that names no network.
func (c *Config) checkPlace(place string) string {
	parts := strings.Split(place, "/")
	if len(parts) > 3 || slices.Contains(parts, "") {
		return "is no place: write CHANNEL, CHANNEL/ID or CHANNEL/ID/THREAD, e.g. telegram/-1001234"
	}
	return c.checkChannel(parts[0])
}
