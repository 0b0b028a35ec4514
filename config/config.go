// Package config reads the operator's settings: one file, familiar.yaml in the home directory, decoded strictly into
// one typed struct. Every setting has a default, so the file is optional. It contains references to secrets, never
// secrets. No other package reads the process's environment.
//
// The home directory holds everything: the configuration, the personas, the database and the history. See Home.
package config

import (
	"time"

	"familiar/internal/settings"
	"familiar/internal/strictyaml"
)

// Config holds all settings, in the order of the file.
type Config struct {
	// Persona is the key of the active persona.
	Persona string `yaml:"persona"`
	// Database says where the memory is.
	Database Database `yaml:"database"`
	// Timezone applies to people whose timezone is unknown, and to daily limits.
	Timezone Zone     `yaml:"timezone"`
	Model    Model    `yaml:"model"`
	Personas Personas `yaml:"personas"`
	Tools    Tools    `yaml:"tools"`
	Limits   Limits   `yaml:"limits"`
	Session  Session  `yaml:"session"`
	Greeting Greeting `yaml:"greeting"`
	Recall   Recall   `yaml:"recall"`
	Memory   Memory   `yaml:"memory"`
	Embedder Embedder `yaml:"embedder"`
	Web      Web      `yaml:"web"`
	Learning Learning `yaml:"learning"`
	Speech   Speech   `yaml:"speech"`
	Debounce Debounce `yaml:"debounce"`
	Care     Care     `yaml:"care"`
	Channels Channels `yaml:"channels"`
	Jobs     Jobs     `yaml:"jobs"`
	Backup   Backup   `yaml:"backup"`
	Log      Log      `yaml:"log"`
	// HTTP configures how browsers and other programs reach the persona and its memory.
	HTTP HTTP `yaml:"http"`
	// Operations configures what `familiar run` tells other programs of itself.
	Operations Operations `yaml:"operations"`

	// Home is the home directory of the configuration.
	Home Home
	// OnlyPersona reports that the persona alone is served, whatever the file says about others.
	OnlyPersona bool
	// Warnings describe settings that are unwise but valid, one sentence each.
	Warnings []string

	doc *strictyaml.Document
}

// Session configures sessions.
type Session struct {
	// Gap is the silence that ends a session, 1 s–24 h. Values below a few minutes are for testing by hand.
	Gap time.Duration `yaml:"gap"`
}

// Greeting configures greetings.
type Greeting struct {
	// Gap is the silence after which a returning person is greeted, 1 s–30 days.
	Gap time.Duration `yaml:"gap"`
}

// Recall limits what is recalled for one reply, and the memory that searching takes.
type Recall struct {
	// Budget is in tokens, 100–100,000.
	Budget int `yaml:"budget"`
	// Limit is the maximum number of memories, 1–200.
	Limit int `yaml:"limit"`
	// IndexMB is how much memory the search indexes may take together, 16–65,536 MB; 0 means a sixteenth of the
	// machine's memory, 64–512 MB.
	IndexMB int `yaml:"index_mb"`
}

// Memory configures the decay of memories.
type Memory struct {
	// ForgetBelow is the retention (0–1) below which a memory becomes dormant: 0.0001–0.5.
	ForgetBelow float64 `yaml:"forget_below"`
}

// Debounce configures how long the persona waits for somebody to finish writing.
type Debounce struct {
	// Quiet is the silence after which the persona replies, 0–30 s; 0 replies to each message at once.
	Quiet time.Duration `yaml:"quiet"`
	// Cap is the longest that a message waits for that silence, Quiet–2 min.
	Cap time.Duration `yaml:"cap"`
}

// Of returns the schedule of the job with that name, "" if there is no such job.
func (j Jobs) Of(name string) Schedule {
	return map[string]Schedule{
		"session-close": j.SessionClose, "refine": j.Refine, "decay": j.Decay, "link": j.Link, "consolidate": j.Consolidate,
		"embed": j.Embed, "portrait": j.Portrait, "dream": j.Dream, "reflect": j.Reflect, "curiosity": j.Curiosity, "learn": j.Learn, "goals": j.Goals, "growth": j.Growth,
		"proactive": j.Proactive, "vanish": j.Vanish, "reread": j.Reread, "prune": j.Prune,
	}[name]
}

// Jobs holds the schedules of the jobs.
type Jobs struct {
	// SessionClose ends sessions that have been silent for Session.Gap.
	SessionClose Schedule `yaml:"session_close"`
	// Refine has the model read what was said, after a pause and when a session has ended. Without a model the job does not exist.
	Refine Schedule `yaml:"refine"`
	// Decay makes decayed memories dormant, and deletes those that were dormant for as long again or have expired.
	Decay Schedule `yaml:"decay"`
	// Link adds edges from new memories to similar and contradicted ones.
	Link Schedule `yaml:"link"`
	// Consolidate moves memories by the rules, weakens unused edges, and summarizes similar memories.
	Consolidate Schedule `yaml:"consolidate"`
	// Reflect looks for patterns in what people said since its last run.
	Reflect Schedule `yaml:"reflect"`
	// Portrait writes who somebody is, from what is known of them. Without a model the job does not exist.
	Portrait Schedule `yaml:"portrait"`
	// Dream reviews the last weeks and writes lessons, insights and a dream journal.
	Dream Schedule `yaml:"dream"`
	// Curiosity finds names that nobody explained, to ask about them at a good moment.
	Curiosity Schedule `yaml:"curiosity"`
	// Learn reads on the web about topics of Learning, if it is enabled.
	Learn Schedule `yaml:"learn"`
	// Goals tracks what people set out to do.
	Goals Schedule `yaml:"goals"`
	// Growth records how the persona has grown.
	Growth Schedule `yaml:"growth"`
	// Proactive lets the persona write first, within channels.quiet_hours and channels.unasked_per_day.
	Proactive Schedule `yaml:"proactive"`
	// Vanish forgets messages of chats with disappearing messages when their time is over.
	Vanish Schedule `yaml:"vanish"`
	// Reread analyses messages again that another version analysed, or that were imported.
	Reread Schedule `yaml:"reread"`
	// Prune deletes old data: runs of jobs, and keys of messages that were answered long ago.
	Prune Schedule `yaml:"prune"`
	// Embed computes missing vectors, in addition to the worker of the serving process that looks every few seconds.
	// Without an embedder the job does not exist.
	Embed Schedule `yaml:"embed"`
	// TokensPerRun limits the model tokens of one run, 0–1,000,000,000; 0 means only the daily limits apply.
	TokensPerRun int `yaml:"tokens_per_run"`
	// Timezone is the timezone of the schedules. The default is the persona's if its card sets one, otherwise
	// Config.Timezone.
	Timezone Zone `yaml:"timezone"`
}

// Log configures the log.
type Log struct {
	Level  Level     `yaml:"level"`
	Format LogFormat `yaml:"format"`
}

// Operations configures the metrics and the health checks of the serving process.
type Operations struct {
	// Listen is the TCP address with a port, "" for none. It must be a loopback address unless Remote.
	Listen string `yaml:"listen"`
	// Remote allows addresses that other machines reach.
	Remote bool `yaml:"remote"`
}

// Secret refers to a secret; see settings.Secret.
type Secret = settings.Secret

// Default returns the configuration of an empty file. sections are those of the channels.
func Default(sections ...settings.Section) *Config {
	return &Config{
		Persona:  DefaultPersona,
		Database: Database{Connections: defaultConnections},
		Timezone: Zone{time.Local},
		Model: Model{Role: Role{ModelSettings: ModelSettings{
			Provider:    NoModel,
			API:         "auto",
			Timeout:     60 * time.Second,
			MaxTokens:   800,
			Temperature: 0.7,
			Retries:     2,
			Tools:       UseAuto,
			Vision:      UseAuto,
		}}},
		Tools:    defaultTools(),
		Limits:   Limits{TokensPerPersonPerDay: 9_000_000, TokensPerRoomPerDay: 20_000_000, TokensPerDay: 40_000_000, AnswersPerRoomPerMinute: 20},
		Session:  Session{Gap: 30 * time.Minute},
		Greeting: Greeting{Gap: 4 * time.Hour},
		Recall:   Recall{Budget: 1000, Limit: 12},
		Memory:   Memory{ForgetBelow: 0.01},
		Debounce: Debounce{Quiet: 1500 * time.Millisecond, Cap: 8 * time.Second},
		Channels: defaultChannels(sections),
		Jobs: Jobs{
			SessionClose: "*/5 * * * *", Refine: "*/2 * * * *", Decay: "10 3 * * *", Link: "*/10 * * * *",
			Consolidate: "30 */2 * * *", Reflect: "0 4 * * *", Portrait: "15 4 * * *", Dream: "40 3 * * *", Curiosity: "15 */6 * * *", Learn: "30 5 * * *", Goals: "25 4 * * *",
			Growth: "50 4 * * 1", Proactive: "*/10 * * * *", Vanish: "*/5 * * * *", Reread: "35 3 * * *", Prune: "20 4 * * *", Embed: "*/15 * * * *",
			TokensPerRun: 200_000,
		},
		Embedder: Embedder{Provider: NoEmbedder, Timeout: 30 * time.Second, QueryTimeout: 300 * time.Millisecond, Batch: 32},
		Web:      Web{Search: Search{Engine: DuckDuckGo}},
		Learning: Learning{People: 2, PagesPerTopic: 3, TopicsPerDay: 2},
		Speech: Speech{
			Transcribe: Transcribe{Timeout: 60 * time.Second, MaxMinutes: 10},
			Speak:      Speak{Engine: NoSpeech, Timeout: 60 * time.Second, Default: "auto"},
		},
		Backup: Backup{Schedule: "30 2 * * *", KeepDaily: 7, KeepWeekly: 4},
		Log:    Log{Level: "info", Format: TextLog},
	}
}

// DefaultPersona is the key of the built-in persona that is active by default.
const DefaultPersona = "nell"
