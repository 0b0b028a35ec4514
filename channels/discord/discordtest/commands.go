package discordtest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"familiar/internal/lazyregexp"
)

// Command is a published command.
type Command struct {
	Name     string `json:"name"`
	Type     int    `json:"type"`
	Contexts []int  `json:"contexts"`
	Described
	Options []Option `json:"options"`
}

// Option is a part of a command that people fill in.
type Option struct {
	Type     int    `json:"type"`
	Name     string `json:"name"`
	Required bool   `json:"required"`
	// Autocomplete reports that the bot suggests values while somebody types.
	Autocomplete bool `json:"autocomplete"`
	Described
	Choices []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"choices"`
}

// Described is a description, also by locale.
type Described struct {
	Description   string            `json:"description"`
	Localizations map[string]string `json:"description_localizations"`
}

// In returns the description that somebody reads whose app is in a locale.
func (d Described) In(locale string) string {
	if text, ok := d.Localizations[locale]; ok {
		return text
	}
	return d.Description
}

// locales are those that Discord accepts.
var locales = strings.Fields("id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th zh-CN ja zh-TW ko")

var commandName = lazyregexp.New(`^[-_\p{Ll}\p{N}]{1,32}$`)

// fits returns what Discord refuses about a name and its description, "" for nothing.
func (d Described) fits(name string) string {
	if !commandName.MatchString(name) {
		return "the name is invalid"
	}
	if n := utf8.RuneCountInString(d.Description); n < 1 || n > 100 {
		return "the description must have 1 to 100 characters"
	}
	for locale, text := range d.Localizations {
		if n := utf8.RuneCountInString(text); !slices.Contains(locales, locale) || n < 1 || n > 100 {
			return "the localization " + locale + " is invalid"
		}
	}
	return ""
}

// fits returns what Discord refuses about the command, "" for nothing.
func (k Command) fits() string {
	if wrong := k.Described.fits(k.Name); wrong != "" {
		return wrong
	}
	if len(k.Options) > 25 {
		return "too many options"
	}
	for i, o := range k.Options {
		switch wrong := o.Described.fits(o.Name); {
		case wrong != "":
			return o.Name + ": " + wrong
		case len(o.Choices) > 25:
			return o.Name + ": too many choices"
		case o.Autocomplete && len(o.Choices) > 0:
			return o.Name + ": choices and suggestions exclude each other"
		case o.Required && i > 0 && !k.Options[i-1].Required:
			return o.Name + ": required options must come first"
		}
	}
	return ""
}

func (s *Server) putCommands(w http.ResponseWriter, r *http.Request) {
	var all []Command
	if !read(w, r, &all) {
		return
	}
	if len(all) > 100 {
		fail(w, http.StatusBadRequest, 30032, "Maximum number of application commands reached (100)")
		return
	}
	for _, k := range all {
		if wrong := k.fits(); wrong != "" {
			fail(w, http.StatusBadRequest, invalidForm, "Invalid Form Body: "+k.Name+": "+wrong)
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commands = all
	reply(w, http.StatusOK, all)
}

// Commands returns the commands the bot published last.
func (s *Server) Commands() []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.commands)
}

// filled returns the options of a command as a person fills them in with text: each takes a word, and the last one the rest.
// They are in reverse, since a person may fill them in any order. A command that is not published has one option. It panics if
// the app would not let a person send that.
func (s *Server) filled(command, text string) []any {
	options := []Option{{Name: "text"}}
	if i := slices.IndexFunc(s.commands, func(k Command) bool { return k.Name == command }); i >= 0 {
		options = s.commands[i].Options
	}
	filled := []any{}
	for i, o := range options {
		value, rest, _ := strings.Cut(text, " ")
		if i == len(options)-1 {
			value, rest = text, ""
		}
		text = rest
		switch {
		case value == "" && o.Required:
			panic(fmt.Sprintf("discordtest: /%s needs %s", command, o.Name))
		case value == "":
			continue
		case len(o.Choices) > 0 && !o.offers(value):
			panic(fmt.Sprintf("discordtest: /%s %s cannot be %q", command, o.Name, value))
		}
		filled = append(filled, map[string]any{"name": o.Name, "type": 3, "value": value})
	}
	if text != "" {
		panic(fmt.Sprintf("discordtest: /%s takes nothing more: %q", command, text))
	}
	slices.Reverse(filled)
	return filled
}

// offers reports whether the value is one of the choices.
func (o Option) offers(value string) bool {
	for _, c := range o.Choices {
		if c.Value == value {
			return true
		}
	}
	return false
}
