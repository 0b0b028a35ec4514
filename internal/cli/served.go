package cli

import (
	"context"

	"github.com/spf13/cobra"

	"familiar/config"
)

// PersonaFlag adds the flag that names another persona than the configured one.
func PersonaFlag(cmd *cobra.Command, inv *Invocation, key *string, usage string) {
	cmd.Flags().StringVar(key, "persona", "", usage)
	Complete(cmd, "persona", CompleteKeys(inv))
}

// OfServed reads something of each persona that is served, the configured one first.
func OfServed[T any](ctx context.Context, cfg *config.Config, read func(ctx context.Context, key string) ([]T, error)) (all []T, _ error) {
	for _, key := range cfg.Served() {
		some, err := read(ctx, key)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// OfOther words whose something is, "" for the configured persona: " of mira".
func OfOther(cfg *config.Config, key string) string {
	if key == cfg.Persona {
		return ""
	}
	return " of " + key
}

// ForOther words the flag of a command that means the same persona, "" for the configured one.
func ForOther(cfg *config.Config, key string) string {
	if key == cfg.Persona {
		return ""
	}
	return " --persona " + key
}
