package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"familiar/channels"
	"familiar/channels/all"
	"familiar/config"
	"familiar/internal/cli"
	"familiar/memory"
)

// finding is one thing the doctor has to say.
type finding struct {
	// Check is what was looked at: "memory", "telegram".
	Check string `json:"check"`
	// State is ok, warning or problem.
	State string `json:"state"`
	Text  string `json:"says" show:"below"`
	// NextStep is what the operator can do about it.
	NextStep string `json:"do,omitempty" show:"below"`
}

// isProblem says that there is something to do about it.
func (f finding) isProblem() bool { return f.State != stateOK }

// The states of a finding: what is unwise is a warning, what keeps something from working a problem.
const (
	stateOK      = "ok"
	stateWarning = "warning"
	stateProblem = "problem"
)

// checks is everything the doctor looks at, in order: one line each. A check says what it found, holds no secret, and
// returns an error only when it could not look. Those after the first run with a configuration that could be read.
var checks = []struct {
	name string
	run  func(ctx context.Context, inv *cli.Invocation) ([]finding, error)
}{
	{"configuration", checkConfiguration},
	{"memory", checkMemory},
	{"channels", checkAccess},
	{"networks", checkNetworks},
}

func newDoctor(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Look for what is wrong and say what to do about it", Args: cobra.NoArgs,
		Long: "Look for what is wrong with the configuration, its secrets, the memory and the networks, and say what to do about\n" +
			"it. Nothing is changed. It fails when something does not work.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			found := runChecks(cmd.Context(), inv)
			if err := cli.Render(inv, found); err != nil {
				return err
			}
			problems := 0
			for _, f := range found {
				if f.State == stateProblem {
					problems++
				}
			}
			if problems > 0 {
				return errors.New(english.Plural(problems, "problem", "problems"))
			}
			return nil
		},
	}
}

// runChecks runs all checks.
func runChecks(ctx context.Context, inv *cli.Invocation) (told []finding) {
	for _, c := range checks {
		found, err := c.run(ctx, inv)
		if err != nil {
			found = append(found, finding{c.name, stateProblem, err.Error(), ""})
		}
		if len(found) == 0 {
			found = []finding{{Check: c.name, State: stateOK}}
		}
		if told = append(told, found...); inv.Loaded == nil {
			break // nothing else can be looked at
		}
	}
	return told
}

// checkConfiguration looks at the file, the secrets it refers to and the persona it names.
func checkConfiguration(_ context.Context, inv *cli.Invocation) (found []finding, err error) {
	checked, err := check(inv)
	for _, p := range checked.Problems {
		found = append(found, finding{"configuration", stateProblem, p, "mend it in familiar.yaml, or `familiar config check` again"})
	}
	for _, w := range checked.Warnings {
		found = append(found, finding{"configuration", stateWarning, w, ""})
	}
	return found, err
}

// checkMemory opens the store, where there is one, and looks at what was last noted of the embedder.
func checkMemory(ctx context.Context, inv *cli.Invocation) (found []finding, _ error) {
	if _, err := os.Stat(inv.Loaded.Home.Database()); errors.Is(err, fs.ErrNotExist) {
		return []finding{{"memory", stateOK, "there is none yet", "`familiar chat` begins one"}}, nil
	}
	err := inv.WithStore(ctx, func(cfg *config.Config, store *memory.Store) error {
		e, err := store.Entries.Embedding(ctx)
		if err == nil && e.Fault != "" && cfg.Embedder.Provider != config.NoEmbedder {
			found = []finding{{"memory", stateOK, "", ""}, {"embedder", stateWarning, e.Fault, "until it answers, recall goes by words alone"}}
		}
		return err
	})
	return found, err
}

// checkAccess looks at who is heard on the networks.
func checkAccess(ctx context.Context, inv *cli.Invocation) (found []finding, err error) {
	served := inv.Loaded.Channels.Served()
	if len(served) == 0 {
		return []finding{{"channels", stateOK, "no network is configured", "give one its token under channels in familiar.yaml"}}, nil
	}
	approved, err := approved(ctx, inv)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(served)) {
		found = append(found, accessFindings(name, served[name], approved[name])...)
	}
	for _, channel := range all.Channels {
		if _, ok := served[channel.Name()]; ok {
			n := inv.Loaded.Channels.Network(channel.Name())
			found = append(found, findingsOf(channel.Name(), channel.Review(n.Own, setupFor(inv.Loaded, n, channels.Host{})))...)
		}
	}
	return found, nil
}

// approved counts the accounts that were let in, by channel.
func approved(ctx context.Context, inv *cli.Invocation) (map[string]int, error) {
	counts := map[string]int{}
	err := inv.WithStore(ctx, func(_ *config.Config, store *memory.Store) error {
		all, err := store.Log.AllowedAccounts(ctx)
		for _, one := range all {
			counts[one.Handle.Channel]++
		}
		return err
	})
	if errors.Is(err, memory.ErrNotFound) {
		return counts, nil // no memory yet
	}
	return counts, err
}

// isAccount reports whether id has the form of the network's account ids.
func isAccount(network, id string) bool {
	channel, _ := all.Find(network)
	return regexp.MustCompile(channel.AccountID).MatchString(id)
}

// accessFindings are what is to be said of who is heard on one network.
func accessFindings(name string, a config.Access, approved int) (found []finding) {
	direct := "channels." + name + ".direct"
	switch {
	case a.Direct == config.DirectOpen:
		found = append(found, finding{name, stateWarning, "anybody who finds it may talk with the persona", "set " + direct + " to pairing, or limits to what that may cost"})
	case a.Direct == config.DirectAllow && len(a.Allow)+approved == 0:
		found = append(found, finding{name, stateWarning, "nobody may talk with the persona directly", "list accounts in channels." + name + ".allow, or set " + direct + " to pairing"})
	case a.Direct == config.DirectOff && !a.Groups.AnyEnabled():
		found = append(found, finding{name, stateWarning, "nobody is heard at all", "enable a group in channels." + name + ".groups, or set " + direct})
	}
	for _, id := range a.Allow {
		if !isAccount(name, id) {
			found = append(found, finding{name, stateWarning, fmt.Sprintf("%q in channels.%s.allow is no account's number, and lets nobody in", id, name), "write it as `familiar channel pending` and `allowed` show it behind " + name + ":"})
		}
	}
	groups := a.Groups.ByID()
	for _, id := range slices.Sorted(maps.Keys(groups)) {
		g := groups[id]
		if g.Members != nil && len(g.Members) == 0 && g.Mode != config.ModeDisabled {
			found = append(found, finding{name, stateWarning, fmt.Sprintf("nobody is heard in group %s: its list of members is empty", id), "list members, or leave the list out for everybody there"})
		}
	}
	if len(found) == 0 {
		found = append(found, finding{name, stateOK, fmt.Sprintf("direct: %s, groups: %s", a.Direct, a.Groups), ""})
	}
	return found
}
