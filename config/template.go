package config

import (
	_ "embed"
	"strconv"
	"strings"

	"familiar/internal/settings"
)

//go:embed familiar.yaml
var template string

// channelsMarker is the line of the template that the channel sections replace.
const channelsMarker = "{channels}\n"

// withSections returns the template with the channel sections, each indented below channels and followed by an empty
// line. A section without a template is left out.
func withSections(sections []settings.Section) string {
	var b strings.Builder
	for _, s := range sections {
		if s.Template == "" {
			continue
		}
		for line := range strings.Lines(s.Template) {
			b.WriteString("  " + line)
		}
		b.WriteByte('\n')
	}
	return strings.Replace(template, channelsMarker, b.String(), 1)
}

// Choices are the settings that init asks for. Empty fields keep their defaults.
type Choices struct {
	Persona  string
	Provider Provider
	Model    string
	BaseURL  string
	// APIKey is a reference such as env:OPENAI_API_KEY.
	APIKey string
}

// Render returns a commented configuration file that sets the choices and lists every other setting, commented out at
// its default. sections are those of the channels.
func (ch Choices) Render(sections ...settings.Section) []byte {
	text := withSections(sections)
	for _, c := range []struct{ setting, value string }{
		{"#persona:", ch.Persona},
		{"  #provider:", string(ch.Provider)},
		{"  #model:", ch.Model},
		{"  #base_url:", ch.BaseURL},
		{"  #api_key:", ch.APIKey},
	} {
		if c.value != "" {
			text = setValue(text, c.setting, c.value)
		}
	}
	return []byte(text)
}

// setValue replaces the commented line of a setting with one that sets value.
func setValue(text, setting, value string) string {
	start := strings.Index("\n"+text, "\n"+setting)
	_, rest, _ := strings.Cut(text[start:], "\n")
	return text[:start] + strings.Replace(setting, "#", "", 1) + " " + quote(value) + "\n" + rest
}

// quote formats a value so that YAML reads back the same text. Go's escapes are valid in YAML; only a plain word that
// YAML cannot take for another type needs no quotes.
func quote(value string) string {
	switch strings.ToLower(value) {
	case "null", "true", "false":
		return strconv.Quote(value)
	}
	for _, r := range value {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '_' {
			return strconv.Quote(value)
		}
	}
	return value
}
