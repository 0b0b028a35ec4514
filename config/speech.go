package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"familiar/internal/settings"
	"familiar/internal/strictyaml"
)

// Speech configures what the persona hears and speaks with.
type Speech struct {
	Transcribe Transcribe `yaml:"transcribe"`
	Speak      Speak      `yaml:"speak"`
}

// Speak configures what says replies aloud.
type Speak struct {
	// Engine is none, server (one that speaks OpenAI's audio API), or espeak (espeak-ng on this machine).
	Engine SpeakEngine `yaml:"engine"`
	// BaseURL is the server's address, "" for OpenAI's.
	BaseURL string `yaml:"base_url"`
	// APIKey refers to the key.
	APIKey Secret `yaml:"api_key"`
	// Model is the server's name for the model, Voice that of the voice, or espeak-ng's.
	Model string `yaml:"model"`
	Voice string `yaml:"voice"`
	// Timeout limits one attempt, 1 s–10 min.
	Timeout time.Duration `yaml:"timeout"`
	// Default is in what form people are answered who never said how they want it, Networks where that differs.
	Default  VoiceMode  `yaml:"default"`
	Networks VoiceModes `yaml:"networks"`
	// Price is in US dollars per million tokens of text, 0 if unknown.
	Price float64 `yaml:"price"`
}

// SpeakEngine is what says replies aloud.
type SpeakEngine string

// The engines.
const (
	NoSpeech     SpeakEngine = "none"
	ServerSpeech SpeakEngine = "server"
	EspeakSpeech SpeakEngine = "espeak"
)

// UnmarshalText parses none, server or espeak.
func (e *SpeakEngine) UnmarshalText(text []byte) error {
	return settings.Choose(e, text, NoSpeech, ServerSpeech, EspeakSpeech)
}

// VoiceMode is in what form people are answered: off in writing, on in voice messages, auto as they asked.
type VoiceMode string

// UnmarshalText parses off, on or auto.
func (m *VoiceMode) UnmarshalText(text []byte) error {
	return settings.Choose(m, text, "off", "on", "auto")
}

// String returns the mode as it is written.
func (m VoiceMode) String() string { return string(m) }

// VoiceModes are modes by the name of a network.
type VoiceModes struct{ strictyaml.Map[VoiceMode] }

// On returns in what form people are answered on a network who never said how they want it.
func (s Speak) On(network string) VoiceMode {
	for _, n := range s.Networks.Map {
		if n.Name == network {
			return n.Value
		}
	}
	return s.Default
}

// Transcribe configures the server that turns recordings into text, one that speaks OpenAI's audio API.
type Transcribe struct {
	// BaseURL is its address, "" for OpenAI's. Without one and without a Model nothing is listened to.
	BaseURL string `yaml:"base_url"`
	// APIKey refers to the key.
	APIKey Secret `yaml:"api_key"`
	// Model is the server's name for the model, "" for servers that have one.
	Model string `yaml:"model"`
	// Language is what is spoken, "" to let the model find out.
	Language string `yaml:"language"`
	// Timeout limits one attempt, 1 s–10 min.
	Timeout time.Duration `yaml:"timeout"`
	// MaxMinutes is the longest recording that is listened to, 1–60.
	MaxMinutes int `yaml:"max_minutes"`
	// Formats are the formats that the server takes; others are converted.
	Formats AudioFormats `yaml:"formats"`
	// PriceMinute is in US dollars, 0 if unknown.
	PriceMinute float64 `yaml:"price_minute"`
}

// On reports whether recordings are listened to.
func (t Transcribe) On() bool { return t.BaseURL != "" || t.Model != "" }

// Longest is the longest recording that is listened to.
func (t Transcribe) Longest() time.Duration { return time.Duration(t.MaxMinutes) * time.Minute }

// AudioFormats is a list of formats, separated by commas.
type AudioFormats string

// KnownAudioFormats are the formats that can be named.
var KnownAudioFormats = []string{"ogg", "wav", "mp3", "m4a", "webm", "flac", "amr", "aac"}

// UnmarshalText parses a list such as "ogg, wav", or nothing.
func (f *AudioFormats) UnmarshalText(text []byte) error {
	for _, name := range AudioFormats(text).List() {
		if !slices.Contains(KnownAudioFormats, name) {
			return fmt.Errorf("takes formats separated by commas: %s", strings.Join(KnownAudioFormats, ", "))
		}
	}
	*f = AudioFormats(text)
	return nil
}

// List returns the formats, nil for those that OpenAI's API takes.
func (f AudioFormats) List() (all []string) {
	for name := range strings.SplitSeq(string(f), ",") {
		if name = strings.TrimSpace(name); name != "" {
			all = append(all, name)
		}
	}
	return all
}

func (c *Config) validateSpeech() {
	t := c.Speech.Transcribe
	c.validateSpeechServer("speech.transcribe", t.BaseURL, t.On())
	c.checkDuration("speech.transcribe.timeout", t.Timeout, time.Second, 10*time.Minute)
	c.checkInt("speech.transcribe.max_minutes", t.MaxMinutes, 1, 60)
	c.checkFloat("speech.transcribe.price_minute", t.PriceMinute, 0, 100)
	s := c.Speech.Speak
	c.validateSpeechServer("speech.speak", s.BaseURL, s.Engine == ServerSpeech)
	c.checkDuration("speech.speak.timeout", s.Timeout, time.Second, 10*time.Minute)
	c.checkFloat("speech.speak.price", s.Price, 0, 100_000)
	for _, n := range s.Networks.Map {
		if problem := c.checkChannel(n.Name); problem != "" {
			c.doc.Problemf("speech.speak.networks", "%q %s", n.Name, problem)
		}
	}
}

// validateSpeechServer reports what keeps a server of a section from being asked.
func (c *Config) validateSpeechServer(section, baseURL string, on bool) {
	if baseURL != "" {
		if err := CheckAddress(baseURL, section+".api_key"); err != nil {
			c.doc.Problemf(section+".base_url", "%s", err)
		}
		return
	}
	if on && !c.doc.Given(section+".api_key") {
		c.doc.Problemf(section+".api_key", "is required at OpenAI's own address: write env:NAME or file:/path, or set base_url")
	}
}
