package doctor

import (
	"context"
	"fmt"

	"familiar/channels/all"
	"familiar/config"
	"familiar/internal/cli"
)

// mostFiles is how many loose files the doctor names one by one.
const mostFiles = 10

// checkFiles looks for files of the home that others can read or change.
func checkFiles(_ context.Context, inv *cli.Invocation) (found []Finding, _ error) {
	loose, err := inv.Loaded.Home.LooseFiles(channelNames()...)
	if err != nil {
		return nil, err
	}
	for _, l := range loose[:min(len(loose), mostFiles)] {
		found = append(found, Finding{
			"files", stateWarning, fmt.Sprintf("other users can read or change %s (mode %04o)", l.Path, l.Mode),
			fmt.Sprintf("`familiar doctor --fix` changes the mode to %04o", l.Wanted),
		})
	}
	if more := len(loose) - mostFiles; more > 0 {
		found = append(found, Finding{"files", stateWarning, fmt.Sprintf("and %d more", more), ""})
	}
	return found, nil
}

func channelNames() (names []string) {
	for _, c := range all.Channels {
		names = append(names, c.Name())
	}
	return names
}

// mendFiles restricts the files of the home and of the secrets to their owner, and says what it did. The home comes first:
// reading the configuration warns about its mode.
func mendFiles(inv *cli.Invocation) (done []Finding, _ error) {
	home, err := inv.Home()
	if err != nil {
		return nil, err
	}
	loose, err := home.LooseFiles(channelNames()...)
	if err != nil {
		return nil, err
	}
	done = restrict(loose)
	cfg, err := inv.Config()
	if err != nil {
		return done, nil //nolint:nilerr // the check of the configuration reports it
	}
	return append(done, restrict(looseSecrets(cfg))...), nil
}

// looseSecrets returns the files of secrets that others can read or change.
func looseSecrets(cfg *config.Config) (loose []config.LooseFile) {
	note := func(s config.Secret) {
		if l, ok := config.LooseSecret(s); ok {
			loose = append(loose, l)
		}
	}
	for _, s := range cfg.ModelSecrets() {
		note(s)
	}
	for _, n := range cfg.Channels.Networks {
		for _, s := range n.Value.Secrets() {
			note(s)
		}
	}
	return loose
}

func restrict(loose []config.LooseFile) (done []Finding) {
	for _, l := range loose {
		if err := l.Restrict(); err != nil {
			done = append(done, Finding{"files", stateProblem, err.Error(), "change its mode as its owner"})
			continue
		}
		done = append(done, Finding{"files", stateOK, fmt.Sprintf("changed the mode of %s from %04o to %04o", l.Path, l.Mode, l.Wanted), ""})
	}
	return done
}
