package doctor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/persona/card"
)

// checkPersonas reports messages that wait for a persona that is not served, and personas that cannot be told apart.
func checkPersonas(ctx context.Context, inv *cli.Invocation) (found []Finding, err error) {
	err = inv.WithStore(ctx, func(cfg *config.Config, store *memory.Store) error {
		rooms, err := store.Log.PendingOfAll(ctx)
		waiting := map[string]int{}
		for _, r := range rooms {
			if !slices.Contains(cfg.Served(), r.Persona) {
				waiting[r.Persona] += r.Messages
			}
		}
		for _, key := range slices.Sorted(maps.Keys(waiting)) {
			found = append(found, Finding{
				"personas", stateWarning, fmt.Sprintf("%s for the persona %s, which is not served", english.Plural(waiting[key], "message waits", "messages wait"), key),
				"they are kept, and answered once it is served again: name it under personas in familiar.yaml, or bring back its file personas/" + key + ".yaml",
			})
		}
		return err
	})
	if errors.Is(err, memory.ErrNotFound) {
		err = nil
	}
	return append(found, namesakes(inv.Loaded)...), err
}

// namesakes reports personas that answer to the same name. What is wrong with their files is reported with the configuration.
func namesakes(cfg *config.Config) (found []Finding) {
	cards, err := app.ServedCards(cfg)
	if err != nil {
		return nil
	}
	called := map[string]string{}
	for _, c := range cards {
		if !cfg.PersonaSettings(c.Key).Mentions {
			continue
		}
		name := strings.ToLower(c.Name)
		if other := called[name]; other != "" {
			found = append(found, Finding{"personas", stateWarning, fmt.Sprintf("%s and %s are both called %s: where the name is called, %s answers", other, c.Key, c.Name, other), "rename one with `familiar persona set " + c.Key + " name=NAME`"})
			continue
		}
		called[name] = c.Key
	}
	return found
}

// brokenUnserved reports the files of personas that could not be served because they are broken. Nobody is answered by them
// now, so that is no problem yet.
func brokenUnserved(cfg *config.Config) (found []Finding, err error) {
	entries, err := card.Cards(cfg.Home.Personas())
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Err != nil && !slices.Contains(cfg.Served(), e.Key) {
			text, _, _ := strings.Cut(e.Err.Error(), "\n")
			found = append(found, Finding{"configuration", stateWarning, text, "fix " + e.File + ", or remove it; the persona is not served"})
		}
	}
	return found, nil
}
