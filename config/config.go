// Package config is the operator's knobs: one file, familiar.yaml in the home directory, read strictly into one typed
// struct. Everything has a default, so the file may be absent. Secrets are never in it, only references to them.
// This is the only package that looks at the process's environment.
//
// There is one place for everything: the home directory holds the configuration, the personas, the database and the
// history. See Home.
package config

import (
	"time"

	"familiar/internal/settings"
	"familiar/internal/strictyaml"
)

// Config is everything an operator may set. Its fields are in the order of the file.
type Config struct {
	// Persona is the key of the persona that speaks.
	Persona string `yaml:"persona"`
	// Timezone is the zone of people who have not told theirs, and of the days that limits are counted in.
	Timezone Zone     `yaml:"timezone"`
	Model    Model    `yaml:"model"`
	Limits   Limits   `yaml:"limits"`
	Session  Session  `yaml:"session"`
	Greeting Greeting `yaml:"greeting"`
	Recall   Recall   `yaml:"recall"`
	Memory   Memory   `yaml:"memory"`
	Embedder Embedder `yaml:"embedder"`
	Debounce Debounce `yaml:"debounce"`
	Channels Channels `yaml:"channels"`
	Jobs     Jobs     `yaml:"jobs"`
	Log      Log      `yaml:"log"`

	// Home is where the configuration was looked for.
	Home Home
	// Warnings are what is unwise but not wrong, a sentence each.
	Warnings []string

	doc *strictyaml.Document
}

// Limits bound what the model may cost in a day of Timezone. 0 means no limit.
type Limits struct {
	TokensPerPersonPerDay int `yaml:"tokens_per_person_per_day"`
	TokensPerDay          int `yaml:"tokens_per_day"`
}

// Session says what holds a session together.
type Session struct {
	// Gap is the silence that ends a session, 1 s–24 h; under a few minutes only to try things by hand.
	Gap time.Duration `yaml:"gap"`
}

// Greeting says when somebody is greeted.
type Greeting struct {
	// Gap is the silence after which somebody who comes back is greeted, 1 s–30 days.
	Gap time.Duration `yaml:"gap"`
}

// Recall bounds what is remembered for one answer.
type Recall struct {
	// Budget is in tokens, 100–100,000.
	Budget int `yaml:"budget"`
	// Limit is the most memories taken, 1–200.
	Limit int `yaml:"limit"`
}

// Memory says how memories fade.
type Memory struct {
	// ForgetBelow is what is left of a memory, 0–1, when it counts as forgotten and goes dormant: 0.0001–0.5.
	ForgetBelow float64 `yaml:"forget_below"`
}

// Debounce says how long the persona waits for somebody to finish.
type Debounce struct {
	// Quiet is the silence after which what was said is answered, 0–30 s; 0 answers each message at once.
	Quiet time.Duration `yaml:"quiet"`
	// Cap is the longest anything waits for that silence, Quiet–2 min.
	Cap time.Duration `yaml:"cap"`
}

// Of is the schedule of the job of that name, "" for a name that no job has.
func (j Jobs) Of(name string) Schedule {
	return map[string]Schedule{
		"session-close": j.SessionClose, "refine": j.Refine, "decay": j.Decay, "link": j.Link, "consolidate": j.Consolidate,
		"embed": j.Embed, "dream": j.Dream, "reflect": j.Reflect, "curiosity": j.Curiosity, "goals": j.Goals, "growth": j.Growth,
		"proactive": j.Proactive, "vanish": j.Vanish, "prune": j.Prune,
	}[name]
}

// Jobs are the schedules of what happens between conversations.
type Jobs struct {
	// SessionClose ends sessions that have been silent for Session.Gap.
	SessionClose Schedule `yaml:"session_close"`
	// Refine has the model read ended sessions a second time; without a model there is no such job.
	Refine Schedule `yaml:"refine"`
	// Decay lets memories go dormant that have faded, and removes what was dormant for as long again or has expired.
	Decay Schedule `yaml:"decay"`
	// Link joins new memories to what is alike or contradicted.
	Link Schedule `yaml:"link"`
	// Consolidate moves memories by the rules, weakens edges that are not used, and sums up what is alike.
	Consolidate Schedule `yaml:"consolidate"`
	// Reflect looks for patterns in what people said since it last ran.
	Reflect Schedule `yaml:"reflect"`
	// Dream looks over the last weeks: lessons, insights, a dream journal.
	Dream Schedule `yaml:"dream"`
	// Curiosity finds what nobody explained, to be asked when it is natural.
	Curiosity Schedule `yaml:"curiosity"`
	// Goals follows what people set out to do.
	Goals Schedule `yaml:"goals"`
	// Growth notes how the persona has grown.
	Growth Schedule `yaml:"growth"`
	// Proactive lets the persona speak first, as far as channels.quiet_hours and channels.unasked_per_day allow.
	Proactive Schedule `yaml:"proactive"`
	// Vanish forgets what was said in chats whose messages disappear, once they have.
	Vanish Schedule `yaml:"vanish"`
	// Prune removes what has served its time: old runs of jobs, keys of what was answered long ago.
	Prune Schedule `yaml:"prune"`
	// Embed gives memories the vectors they still lack, beside the serving process's own look every few seconds; without
	// an embedder there is no such job.
	Embed Schedule `yaml:"embed"`
	// TokensPerRun bounds what one run of a job may use of the model, 0 for no bound but the day's: 0–1,000,000,000.
	TokensPerRun int `yaml:"tokens_per_run"`
	// Timezone is the zone the schedules are read in; not set, it is the persona's, where its card names one, else
	// Config.Timezone.
	Timezone Zone `yaml:"timezone"`
}

// Log says what is written to the log.
type Log struct {
	Level Level `yaml:"level"`
}

// Secret refers to a secret; see settings.Secret.
type Secret = settings.Secret

// Default is the configuration of an empty file. Sections are those of the channels.
func Default(sections ...settings.Section) *Config {
	return &Config{
		Persona:  DefaultPersona,
		Timezone: Zone{time.Local},
		Model: Model{
			Provider:      NoModel,
			Timeout:       60 * time.Second,
			MaxTokens:     800,
			Temperature:   0.7,
			Retries:       2,
			ContextTokens: 8192,
		},
		Limits:   Limits{TokensPerPersonPerDay: 100_000, TokensPerDay: 1_000_000},
		Session:  Session{Gap: 30 * time.Minute},
		Greeting: Greeting{Gap: 4 * time.Hour},
		Recall:   Recall{Budget: 1000, Limit: 12},
		Memory:   Memory{ForgetBelow: 0.01},
		Debounce: Debounce{Quiet: 1500 * time.Millisecond, Cap: 8 * time.Second},
		Channels: defaultChannels(sections),
		Jobs: Jobs{
			SessionClose: "*/5 * * * *", Refine: "*/10 * * * *", Decay: "10 3 * * *", Link: "*/10 * * * *",
			Consolidate: "30 */2 * * *", Reflect: "0 4 * * *", Dream: "40 3 * * *", Curiosity: "15 */6 * * *", Goals: "25 4 * * *",
			Growth: "50 4 * * 1", Proactive: "*/10 * * * *", Vanish: "*/5 * * * *", Prune: "20 4 * * *", Embed: "*/15 * * * *",
			TokensPerRun: 200_000,
		},
		Embedder: Embedder{Provider: NoEmbedder, Timeout: 30 * time.Second, QueryTimeout: 300 * time.Millisecond, Batch: 32},
		Log:      Log{Level: "info"},
	}
}

// DefaultPersona is the key of the built-in persona that speaks when the operator chose none.
const DefaultPersona = "nell"
