package app

import (
	"familiar/config"
	"familiar/internal/speech"
	"familiar/memory/budget"
	"familiar/persona"
	"familiar/persona/modelvoice"
)

// connectSpeech creates what the persona hears with, nothing without a server.
func (a *App) connectSpeech() error {
	t, err := NewTranscriber(a.Config)
	if t == nil || err != nil {
		return err
	}
	section := a.Config.Speech.Transcribe
	a.Transcriber = modelvoice.Hearing{Transcriber: t, Meter: a.meter(), Name: speechName(section.Model), PerMinute: budget.Dollars(section.PriceMinute)}
	return nil
}

var _ persona.Transcriber = modelvoice.Hearing{}

// speechName is how the ledger names a model that hears or speaks.
func speechName(model string) string {
	if model == "" {
		model = "default"
	}
	return "speech/" + model
}

// NewTranscriber creates the configured transcriber, nil for none. It does not use the network.
func NewTranscriber(cfg *config.Config) (*speech.Transcriber, error) {
	t := cfg.Speech.Transcribe
	if !t.On() {
		return nil, nil
	}
	key, err := revealed(cfg, "speech.transcribe.api_key", t.APIKey)
	if err != nil {
		return nil, err
	}
	var takes []speech.Format
	for _, name := range t.Formats.List() {
		takes = append(takes, speech.Format(name))
	}
	return speech.NewTranscriber(speech.Server{BaseURL: t.BaseURL, APIKey: key, Timeout: t.Timeout}, speech.TranscriberOptions{
		Model: t.Model, Language: t.Language, Longest: t.Longest(), Takes: takes,
	}), nil
}

// revealed returns the key of a server, "" for one that needs none.
func revealed(cfg *config.Config, setting string, key config.Secret) (string, error) {
	if !key.Set() {
		return "", nil
	}
	text, err := key.Reveal()
	if err != nil {
		return "", cfg.Problem(setting, err)
	}
	return text, nil
}
