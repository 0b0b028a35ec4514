// Package doctor has `familiar doctor`, one check per file.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"familiar/channels"
	"familiar/channels/all"
	"familiar/cmd/familiar/internal/networks"
	"familiar/cmd/familiar/internal/setup"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/persona/card"
)

// Finding is one result of the doctor.
type Finding struct {
	// Check is what was examined: "memory", "telegram".
	Check string `json:"check"`
	// State is ok, warning or problem.
	State string `json:"state"`
	Text  string `json:"says" show:"below"`
	// NextStep is what the operator can do about it.
	NextStep string `json:"do,omitempty" show:"below"`
}

// IsProblem reports whether there is something to do.
func (f Finding) IsProblem() bool { return f.State != stateOK }

// Stops reports that something does not work.
func (f Finding) Stops() bool { return f.State == stateProblem }

// The states of a finding. A problem stops something from working; a warning is about something unwise.
const (
	stateOK      = "ok"
	stateWarning = "warning"
	stateProblem = "problem"
)

// check examines one subject.
type check struct {
	name string
	run  func(ctx context.Context, inv *cli.Invocation) ([]Finding, error)
	// costs reports that it asks other machines, uses tokens or reads the whole database.
	costs bool
}

// checks lists what the doctor examines, in order. A check returns findings without secrets, and an error only if it
// could not look. The checks after the first run only if the configuration could be read.
var checks = []check{
	{name: "configuration", run: checkConfiguration},
	{name: "files", run: checkFiles},
	{name: "memory", run: checkMemory},
	{name: "database", run: checkDatabase},
	{name: "tables", run: checkTables, costs: true},
	{name: "disk", run: checkDisk},
	{name: "clock", run: checkClock},
	{name: "waiting", run: checkWaiting},
	{name: "jobs", run: checkJobs},
	{name: "backup", run: checkBackups},
	{name: "outbox", run: checkLost},
	{name: "personas", run: checkPersonas},
	{name: "checkpoints", run: checkRestores},
	{name: "model", run: checkModels, costs: true},
	{name: "speech", run: checkSpeech, costs: true},
	{name: "limits", run: checkLimits},
	{name: "search", run: checkSearch, costs: true},
	{name: "servers", run: checkToolServers, costs: true},
	{name: "tools", run: checkTools},
	{name: "links", run: checkLinks},
	{name: "watches", run: checkWatches},
	{name: "http", run: checkHTTP},
	{name: "channels", run: checkAccess},
	{name: "networks", run: checkNetworks, costs: true},
}

// NewDoctor returns the verb `familiar doctor`.
func NewDoctor(inv *cli.Invocation) *cobra.Command {
	var fix bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "Find problems and say how to fix them", Args: cobra.NoArgs,
		Long: "Find problems of the configuration, its secrets, the files, the database with its server and its disk, the clock, what waits,\n" +
			"the jobs, the followed directories, the models and the networks, and say how to fix them. The whole database is read, a second per gigabyte. Each model is asked for a word and for JSON, which costs a few tokens, and the\n" +
			"server for speech for a second of silence. Nothing is changed, except with --fix: then\n" +
			"files that other users of the machine can read or change are restricted to you first. The exit code is 1 if something\n" +
			"does not work.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			var found []Finding
			if fix {
				mended, err := mendFiles(inv)
				if err != nil {
					return err
				}
				found = mended
			}
			found = append(found, Check(cmd.Context(), inv)...)
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
	cmd.Flags().BoolVar(&fix, "fix", false, "restrict the home's files and secrets to their owner")
	return cmd
}

// needStore are the checks that find nothing if the database cannot be opened.
var needStore = []string{"database", "tables", "clock", "waiting", "jobs", "backup", "outbox", "personas", "checkpoints", "links", "http"}

// Check runs all checks.
func Check(ctx context.Context, inv *cli.Invocation) []Finding { return run(ctx, inv, checks) }

// Glance runs the checks that cost next to nothing: they ask no other machine and read little.
func Glance(ctx context.Context, inv *cli.Invocation) []Finding {
	return run(ctx, inv, slices.DeleteFunc(slices.Clone(checks), func(c check) bool { return c.costs }))
}

func run(ctx context.Context, inv *cli.Invocation, checks []check) (told []Finding) {
	closed := false // the database cannot be opened
	for _, c := range checks {
		if closed && slices.Contains(needStore, c.name) {
			told = append(told, Finding{c.name, stateWarning, "not checked: the database cannot be opened", ""})
			continue
		}
		found, err := c.run(ctx, inv)
		if err != nil {
			closed = closed || c.name == "memory"
			found = append(found, Finding{c.name, stateProblem, err.Error(), ""})
		}
		if len(found) == 0 {
			found = []Finding{{Check: c.name, State: stateOK}}
		}
		if told = append(told, found...); inv.Loaded == nil {
			break // the other checks need the configuration
		}
	}
	return told
}

// checkConfiguration checks the file, the secrets it refers to and the configured persona.
func checkConfiguration(_ context.Context, inv *cli.Invocation) (found []Finding, err error) {
	checked, err := setup.Check(inv)
	for _, p := range checked.Problems {
		next := "fix it in " + fileOf(inv.Loaded, p) + "; `familiar config check` checks it again"
		found = append(found, Finding{"configuration", stateProblem, p, next})
	}
	for _, w := range checked.Warnings {
		found = append(found, Finding{"configuration", stateWarning, w, ""})
	}
	if inv.Loaded == nil || err != nil {
		return found, err
	}
	unserved, err := brokenUnserved(inv.Loaded)
	return append(found, unserved...), err
}

// fileOf returns the file in which a problem of the configuration is fixed: a persona's if the problem names one.
func fileOf(cfg *config.Config, problem string) string {
	if cfg != nil {
		for _, key := range cfg.Served() {
			for _, file := range []string{card.CardFile(cfg.Home.Personas(), key), card.LoreFile(cfg.Home.Personas(), key)} {
				if strings.Contains(problem, file) {
					return file
				}
			}
		}
	}
	return "familiar.yaml"
}

// checkMemory opens the database, if there is one, and reports the embedder's last error.
func checkMemory(ctx context.Context, inv *cli.Invocation) (found []Finding, _ error) {
	if !app.HasMemory(inv.Loaded) {
		return []Finding{{"memory", stateOK, "there is no database yet", "`familiar chat` creates one"}}, nil
	}
	err := inv.WithStore(ctx, func(cfg *config.Config, store *memory.Store) error {
		e, err := store.Entries.Embedding(ctx)
		if err == nil && e.Fault != "" && cfg.Embedder.Provider != config.NoEmbedder {
			found = []Finding{{"memory", stateOK, "", ""}, {"embedder", stateWarning, e.Fault, "until it answers, recall searches by words only"}}
		}
		if err != nil {
			return err
		}
		for _, key := range cfg.Served() {
			failed, err := store.Turns.FailedReadings(ctx, key)
			if err != nil {
				return err
			}
			if failed > 0 {
				found = append(found, Finding{
					"filing", stateWarning, english.Plural(failed, "session", "") + cli.OfOther(cfg, key) + " could not be read by the model three times in a row",
					"they are tried again once a day; `familiar memory refine --dry-run --session N` shows what it answers",
				})
			}
		}
		return nil
	})
	return found, err
}

// checkAccess checks who may talk with the persona on each network.
func checkAccess(ctx context.Context, inv *cli.Invocation) (found []Finding, err error) {
	served := inv.Loaded.Channels.Served()
	if len(served) == 0 {
		return []Finding{{"channels", stateOK, "no network is configured", "set a network's token under channels in familiar.yaml"}}, nil
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
			found = append(found, findingsOf(channel.Name(), channel.Review(n.Own, networks.SetupFor(inv.Loaded, n, channels.Host{})))...)
		}
	}
	return found, nil
}

// approved counts the approved accounts by channel.
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

// strangeIDs finds the ids in a setting of a network that are no account ids there.
func strangeIDs(name, setting string, ids []string) (found []Finding) {
	for _, id := range ids {
		if !isAccount(name, id) {
			found = append(found, Finding{name, stateWarning, fmt.Sprintf("%q in channels.%s.%s is not an account id and matches nobody", id, name, setting), "use the id that `familiar channel pending` and `allowed` show after " + name + ":"})
		}
	}
	return found
}

// accessFindings checks the access settings of one network.
func accessFindings(name string, a config.Access, approved int) (found []Finding) {
	direct := "channels." + name + ".direct"
	switch {
	case a.Direct == config.DirectOpen:
		found = append(found, Finding{name, stateWarning, "anybody may write direct messages", "set " + direct + " to pairing, or set limits for the cost"})
	case a.Direct == config.DirectAllow && len(a.Allow)+approved == 0:
		found = append(found, Finding{name, stateWarning, "nobody may write direct messages", "list accounts in channels." + name + ".allow, or set " + direct + " to pairing"})
	case a.Direct == config.DirectOff && !a.Groups.AnyEnabled():
		found = append(found, Finding{name, stateWarning, "nobody can talk with the persona", "enable a group in channels." + name + ".groups, or set " + direct})
	}
	found = append(found, strangeIDs(name, "allow", a.Allow)...)
	groups := a.Groups.ByID()
	for _, id := range slices.Sorted(maps.Keys(groups)) {
		g := groups[id]
		found = append(found, strangeIDs(name, "groups."+id+".members", g.Members)...)
		if g.Members != nil && len(g.Members) == 0 && g.Mode != config.ModeDisabled {
			found = append(found, Finding{name, stateWarning, fmt.Sprintf("nobody can talk with the persona in group %s: its list of members is empty", id), "list members, or remove the list to allow everybody"})
		}
	}
	if len(found) == 0 {
		found = append(found, Finding{name, stateOK, fmt.Sprintf("direct: %s, groups: %s", a.Direct, a.Groups), ""})
	}
	return found
}
