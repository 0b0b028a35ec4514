package app

import (
	"cmp"

	"familiar/config"
	"familiar/internal/speech"
	"familiar/memory/budget"
	"familiar/persona"
	"familiar/persona/modelvoice"
)

// connectSpeech creates what the persona hears and speaks with, as far as it is configured.
func (a *App) connectSpeech() error {
	if err := a.connectSpeaker(); err != nil {
		return err
	}
	t, err := NewTranscriber(a.Config)
	if t == nil || err != nil {
		return err
	}
	section := a.Config.Speech.Transcribe
	a.Transcriber = modelvoice.Hearing{Transcriber: t, Meter: a.meter(), Name: speechName(section.Model), PerMinute: budget.Dollars(section.PriceMinute)}
	return nil
}

func (a *App) connectSpeaker() error {
	s, err := NewSynthesizer(a.Config, a.Card.Key)
	if s == nil || err != nil {
		return err
	}
	section := a.Config.Speech.Speak
	if section.Engine == config.EspeakSpeech {
		a.Speaker = s // it costs nothing
		return nil
	}
	a.Speaker = modelvoice.Speaking{Synthesizer: s, Meter: a.meter(), Name: speechName(section.Model), Price: budget.PerMillion(section.Price, 0)}
	return nil
}

// NewSynthesizer creates what says the replies of a persona aloud, nil for nothing. It does not use the network.
func NewSynthesizer(cfg *config.Config, persona string) (*speech.Synthesizer, error) {
	s := cfg.Speech.Speak
	o := speech.SynthesizerOptions{Model: s.Model, Voice: cmp.Or(cfg.PersonaSettings(persona).Voice, s.Voice)}
	switch s.Engine {
	case config.EspeakSpeech:
		return speech.NewSynthesizer(nil, o), nil
	case config.ServerSpeech:
		key, err := revealed(cfg, "speech.speak.api_key", s.APIKey)
		if err != nil {
			return nil, err
		}
		return speech.NewSynthesizer(&speech.Server{BaseURL: s.BaseURL, APIKey: key, Timeout: s.Timeout}, o), nil
	}
	return nil, nil
}

var (
	_ persona.Transcriber = modelvoice.Hearing{}
	_ persona.Speaker     = modelvoice.Speaking{}
	_ persona.Speaker     = (*speech.Synthesizer)(nil)
)

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
