package setup

import (
	"strings"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/persona/card"
)

// wizard asks for the choices of a configuration.
type wizard struct{ cli.Questions }

// interview asks for every choice in turn.
func (w wizard) interview(personas []card.CardEntry, found detected) (config.Choices, error) {
	var c config.Choices
	var err error
	if c.Persona, err = w.askPersona(personas); err != nil {
		return c, err
	}
	if c.Provider, err = w.askProvider(found); err != nil {
		return c, err
	}
	if c.Provider != config.NoModel {
		if c, err = w.askModel(c, found); err != nil {
			return c, err
		}
	}
	yes, err := w.Ask("Write the configuration? (yes, no)", "yes", cli.OneOf("yes", "no", "y", "n"))
	if err == nil && !strings.HasPrefix(yes, "y") {
		err = cli.ErrDeclined
	}
	return c, err
}

func (w wizard) askPersona(entries []card.CardEntry) (string, error) {
	w.Println("Personas:")
	var keys []string
	for _, e := range entries {
		if e.Card != nil {
			w.Println("  %-12s %s", e.Key, cli.OneLine(e.Card.Name))
			keys = append(keys, e.Key)
		}
	}
	return w.Ask("Which persona?", config.DefaultPersona, cli.OneOf(keys...))
}

func (w wizard) askProvider(found detected) (config.Provider, error) {
	if s := found.String(); s != "" {
		w.Println("\nFound %s.", s)
	} else {
		w.Println("\nFound neither Ollama on this machine nor an API key in the environment.")
	}
	var names []string
	for _, p := range config.Providers {
		names = append(names, string(p))
	}
	question := "Which provider runs the model? (" + strings.Join(names, ", ") + ")"
	answer, err := w.Ask(question, string(found.provider()), cli.OneOf(names...))
	return config.Provider(answer), err
}

// askModel asks the questions that only apply with a model.
func (w wizard) askModel(c config.Choices, found detected) (config.Choices, error) {
	var err error
	if c.Model, err = w.Ask("Which model?", found.model(c.Provider), required); err != nil {
		return c, err
	}
	if c.BaseURL, err = w.Ask("At which address? Leave empty for the default.", found.address(c.Provider), addressOrNone); err != nil {
		return c, err
	}
	if !c.Provider.NeedsKey() {
		return c, nil
	}
	suggested := ""
	if c.BaseURL == "" {
		suggested = found.keyVariable(c.Provider)
	}
	variable, err := w.Ask("Which environment variable holds the API key? Enter its name, not the key.", suggested, variableOrNone)
	if variable != "" {
		c.APIKey = "env:" + variable
	}
	return c, err
}

func addressOrNone(answer string) string {
	if answer == "" {
		return ""
	}
	if err := config.CheckAddress(answer, "model.api_key"); err != nil {
		return "It " + err.Error() + "."
	}
	return ""
}

func required(answer string) string {
	if answer == "" {
		return "This cannot be empty."
	}
	return ""
}

// variableOrNone never repeats the answer: it may be the key itself.
func variableOrNone(answer string) string {
	var ref config.Secret
	if answer != "" && ref.UnmarshalText([]byte("env:"+answer)) != nil {
		return "That is not a variable name. Put the key into a variable and enter its name here."
	}
	return ""
}
