// Package settings provides the types that sections of familiar.yaml consist of: secrets, choices, and the declaration of a
// section that another package adds. Package config reads the file.
package settings

import (
	"fmt"
	"strings"

	"familiar/internal/spelling"
)

// Section declares the settings of one channel, below channels in the file.
type Section struct {
	// Name is the key of the section and the name of the channel.
	Name string
	// New returns a pointer to a struct with yaml tags that holds the channel's own settings at their defaults. The
	// settings that all channels share are added by package config.
	New func() any
	// ServedBy is the key of the setting that enables the channel: a Secret that is set, or a bool that is true.
	ServedBy string
	// Validate reports invalid settings. own is a pointer of the type that New returns.
	Validate func(own any, problem Problem)
	// Group returns an error that says what to write if id is not the id of a group there. Nil accepts any id.
	Group func(id string) error
	// Template is the section as init writes it: every setting with its explanation, commented out at its default.
	// Empty leaves the section out.
	Template string
}

// Problem reports an invalid value of a key in the section. The text says what to write instead.
type Problem func(key, format string, args ...any)

// Choose sets into to the choice equal to text. Its error lists the choices and suggests the nearest one.
func Choose[T ~string](into *T, text []byte, choices ...T) error {
	names := make([]string, len(choices))
	for i, c := range choices {
		if names[i] = string(c); names[i] == string(text) {
			*into = c
			return nil
		}
	}
	all := strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
	if near := spelling.Nearest(string(text), names); near != "" {
		return fmt.Errorf("takes %s: did you mean %q?", all, near)
	}
	return fmt.Errorf("takes %s", all)
}
