package checkpoints

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"familiar/internal/app"
	"familiar/internal/cli"
	"familiar/memory/checkpoint"
	"familiar/persona/card"
)

// restored is what a restore did, or would do.
type restored struct {
	Restored string `json:"restored"`
	DryRun   bool   `json:"dry_run,omitempty"`
	// Before is the checkpoint of the state before, "" if nothing changed or would.
	Before string `json:"before,omitempty"`
	// MemoriesBack came back, MemoriesGone went, LeftOut could not come back, because something they rest on was erased.
	MemoriesBack int `json:"memories_back"`
	MemoriesGone int `json:"memories_gone"`
	LeftOut      int `json:"left_out"`
	// Growth is the new version of growth, 0 for none.
	Growth   int  `json:"growth_version,omitempty"`
	Sessions int  `json:"sessions"`
	Rules    int  `json:"rules"`
	Files    bool `json:"files"`
}

func newRestored(r checkpoint.Restored, dry bool) restored {
	done := restored{r.Name, dry, r.Before, r.Brought, r.Removed, r.LeftOut, r.Growth, r.Sessions, r.Rules, r.Files}
	if dry {
		done.Before = ""
	}
	return done
}

// String says in words what changed: "2 memories back, 1 gone, growth".
func (r restored) String() string {
	var parts []string
	for _, p := range []struct {
		is   bool
		what string
	}{
		{r.MemoriesBack > 0, english.Plural(r.MemoriesBack, "memory", "memories") + " back"},
		{r.MemoriesGone > 0, english.Plural(r.MemoriesGone, "memory", "memories") + " gone"},
		{r.LeftOut > 0, fmt.Sprintf("%d left out, since something they rest on was erased", r.LeftOut)},
		{r.Growth > 0, "the growth"},
		{r.Sessions > 0, "moods and practice of " + english.Plural(r.Sessions, "session", "")},
		{r.Rules > 0, english.Plural(r.Rules, "rule", "")},
		{r.Files, "the persona's files"},
	} {
		if p.is {
			parts = append(parts, p.what)
		}
	}
	return strings.Join(parts, ", ")
}

func newRestore(inv *cli.Invocation) *cobra.Command {
	var key string
	var yes, dry bool
	cmd := &cobra.Command{
		Use: "restore NAME", Short: "Make a persona what it was at a checkpoint",
		Long: "Make a persona what it was at a checkpoint: what it concluded, grew, read or was told of the world since goes, what has faded\n" +
			"away since comes back, and its file and lorebook are those of then. Nothing changes that people said. The state before is saved\n" +
			"first, so that a restore can be taken back in the same way. What it concluded from something that was erased since does not\n" +
			"come back. What was talked about since is not concluded from again. A running bot uses the restored state at once, its file within\n" +
			"seconds. If the process is killed meanwhile, either nothing has changed, or the next restore, `chat` or `run` does the rest.",
		Example: "  familiar checkpoint restore calm --dry-run\n  familiar checkpoint restore calm --yes",
		Args:    cobra.ExactArgs(1), ValidArgsFunction: complete(inv, &key),
		RunE: onPersona(inv, inv.OnStore, &key, func(cmd *cobra.Command, args []string, of chosen) error {
			if !dry {
				if _, err := of.Finish(cmd.Context()); err != nil {
					return err
				}
			}
			would, err := of.WouldRestore(cmd.Context(), args[0])
			if err != nil {
				return of.explained(cmd.Context(), args[0], err)
			}
			shown := newRestored(would, true)
			switch {
			case dry:
				return reportDry(inv, shown, would.Changes())
			case !would.Changes():
				shown.DryRun = false
				return cli.RenderDone(inv, shown, "%s is as it was at %s already%s", of.Key, args[0], leftOut(shown))
			case !yes:
				inv.Note("this would change of %s: %s", of.Key, shown)
				if err := cli.Confirm(cmd.Context(), inv, "Restore "+args[0]+"?"); err != nil {
					return err
				}
			}
			done, err := of.Restore(cmd.Context(), args[0])
			if err != nil {
				return of.explained(cmd.Context(), args[0], err)
			}
			return reportRestored(inv, of, newRestored(done, false))
		}),
	}
	cli.PersonaFlag(cmd, inv, &key, "the `KEY` of another persona")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cli.DryRunFlag(cmd, &dry)
	return cmd
}

func leftOut(r restored) string {
	if r.LeftOut == 0 {
		return ""
	}
	return fmt.Sprintf(", but for %s of which something they rest on was erased", english.Plural(r.LeftOut, "memory", "memories"))
}

func reportDry(inv *cli.Invocation, would restored, changes bool) error {
	if !changes {
		return cli.RenderDone(inv, would, "nothing would change%s", leftOut(would))
	}
	return cli.RenderDone(inv, would, "would change: %s", would)
}

func reportRestored(inv *cli.Invocation, of chosen, done restored) error {
	if err := cli.RenderDone(inv, done, "restored %s%s: %s; `familiar checkpoint restore%s %s` takes it back",
		done.Restored, cli.OfOther(of.cfg, of.Key), done, cli.ForOther(of.cfg, of.Key), done.Before); err != nil {
		return err
	}
	if done.Files && app.IsServed(of.cfg.Home.Lock()) {
		inv.Say("the running bot uses the restored files within %d seconds", int(2*card.WatchEvery.Seconds()))
	}
	return nil
}
