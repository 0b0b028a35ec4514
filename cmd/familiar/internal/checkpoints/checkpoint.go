// Package checkpoints has `familiar checkpoint`: saved states of a persona.
package checkpoints

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"familiar/config"
	"familiar/internal/cli"
	"familiar/internal/spelling"
	"familiar/memory"
	"familiar/memory/checkpoint"
	"familiar/persona/card"
)

// NewCheckpoint returns the verb `familiar checkpoint`.
func NewCheckpoint(inv *cli.Invocation) *cobra.Command {
	return cli.Group("checkpoint", "Save states of a persona and bring them back",
		"Save states of a persona and bring them back. A checkpoint holds how the persona has grown (traits, skills, moods), its file and\n"+
			"lorebook, the rules by which its memories move, what it concluded by itself (observations, dreams, lessons, notes about itself,\n"+
			"its own story, what it read on the web) and what you told it of the world with `memory add`. It holds nothing that people said:\n"+
			"messages, what is believed of people, relationships, summaries, portraits, plans and settings stay as they are. Documents and\n"+
			"signed lore stay too. What somebody has erased or forgotten is erased in checkpoints as well.",
		newCreate(inv), newList(inv), newShow(inv), newDiff(inv), newRestore(inv), newDrop(inv))
}

// chosen is the persona whose checkpoints a verb is about.
type chosen struct {
	card.Checkpoints
	cfg *config.Config
}

// onPersona is the RunE of a verb about the checkpoints of the persona that key names, "" for the configured one. open is
// inv.OnStore or inv.OnNewStore.
func onPersona(inv *cli.Invocation, open func(cli.StoreVerb) func(*cobra.Command, []string) error, key *string,
	do func(cmd *cobra.Command, args []string, of chosen) error,
) func(*cobra.Command, []string) error {
	return open(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
		of := chosen{card.Checkpoints{Store: store.Checkpoints, Dir: cfg.Home.Personas(), Key: *key, Now: inv.Now}, cfg}
		if of.Key == "" {
			of.Key = cfg.Persona
		}
		if _, err := of.Files(); errors.Is(err, card.ErrNoCard) { // unless its file is to be brought back
			if all, listed := of.Store.List(cmd.Context(), of.Key); listed != nil || len(all) == 0 {
				return errors.Join(err, listed)
			}
		}
		return do(cmd, args, of)
	})
}

// explained returns an error about a checkpoint with what to do about it.
func (of chosen) explained(ctx context.Context, name string, err error) error {
	list := "`familiar checkpoint list" + cli.ForOther(of.cfg, of.Key) + "`"
	switch {
	case errors.Is(err, memory.ErrNotFound):
		all, listed := of.Store.List(ctx, of.Key)
		if listed != nil {
			return listed
		}
		names := make([]string, len(all))
		for i, c := range all {
			names[i] = c.Name
		}
		if near := spelling.Nearest(name, names); near != "" {
			return fmt.Errorf("%w: %s has no checkpoint %q: did you mean %q? (%s lists them)", memory.ErrNotFound, of.Key, name, near, list)
		}
		return fmt.Errorf("%w: %s has no checkpoint %q (%s lists them)", memory.ErrNotFound, of.Key, name, list)
	case errors.Is(err, checkpoint.ErrNewer):
		return fmt.Errorf("%w: update familiar to use %s", err, name)
	case errors.Is(err, checkpoint.ErrExists):
		return fmt.Errorf("%w: %s; choose another name, or drop that one first", err, name)
	case errors.Is(err, checkpoint.ErrFilesDue):
		return fmt.Errorf("%w: `familiar checkpoint restore` finishes it", err)
	}
	return err
}

// Unfinished says that the restore of a checkpoint is not finished, and what finishes it.
func Unfinished(cfg *config.Config, c checkpoint.Checkpoint) (says, next string) {
	return fmt.Sprintf("the restore of %s%s is not finished: its memory is restored, its files are not written yet", c.Name, cli.OfOther(cfg, c.Persona)),
		fmt.Sprintf("make sure that %s and its directory can be written, then run `familiar checkpoint restore%s %s --yes`",
			card.CardFile(cfg.Home.Personas(), c.Persona), cli.ForOther(cfg, c.Persona), c.Name)
}

// complete completes the names of the configured persona's checkpoints.
func complete(inv *cli.Invocation, key *string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
		err := inv.WithStore(cmd.Context(), func(cfg *config.Config, store *memory.Store) error {
			of := *key
			if of == "" {
				of = cfg.Persona
			}
			all, err := store.Checkpoints.List(cmd.Context(), of)
			for _, c := range all {
				if !slices.Contains(args, c.Name) {
					names = append(names, cobra.CompletionWithDesc(c.Name, c.Note))
				}
			}
			return err
		})
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// checkpointRow is one checkpoint.
type checkpointRow struct {
	Name      string    `json:"name"`
	At        time.Time `json:"at"`
	Automatic bool      `json:"automatic,omitempty"`
	// Memories is how many memories it holds, Erased how many it held that were erased since.
	Memories int          `json:"memories"`
	Erased   int          `json:"erased,omitempty"`
	Size     cli.FileSize `json:"size"`
	// Unfinished reports that it was restored, but for the persona's files.
	Unfinished bool   `json:"unfinished,omitempty"`
	Note       string `json:"note,omitempty"`
}

func newRow(c checkpoint.Checkpoint, cfg *config.Config) checkpointRow {
	return checkpointRow{c.Name, cli.InZone(c.Created, cfg), c.Automatic, c.Kept, c.Copied - c.Kept, cli.FileSize(c.Bytes), c.FilesDue, c.Note}
}

func newCreate(inv *cli.Invocation) *cobra.Command {
	var key, note string
	cmd := &cobra.Command{
		Use: "create [NAME]", Short: "Save the state of a persona",
		Long: "Save the state of a persona as it is now, under a name or the present time. Up to 100 are kept for each persona.",
		Example: "  familiar checkpoint create before-the-holidays\n" +
			"  familiar checkpoint create calm --note 'before trying the new card' --persona mira",
		Args: cobra.MaximumNArgs(1),
		RunE: onPersona(inv, inv.OnNewStore, &key, func(cmd *cobra.Command, args []string, of chosen) error {
			name := checkpoint.TimeName(cli.InZone(inv.Now(), of.cfg))
			if len(args) > 0 {
				name = args[0]
			}
			if err := errors.Join(checkpoint.CheckName(name), checkpoint.CheckNote(note)); err != nil {
				return cli.Usage(cmd, err)
			}
			made, err := of.Create(cmd.Context(), name, note)
			if err != nil {
				return of.explained(cmd.Context(), name, err)
			}
			return cli.RenderDone(inv, newRow(made, of.cfg), "saved %s%s with %s", name, cli.OfOther(of.cfg, of.Key), english.Plural(made.Copied, "memory", "memories"))
		}),
	}
	cli.PersonaFlag(cmd, inv, &key, "the `KEY` of another persona")
	cmd.Flags().StringVar(&note, "note", "", "a `TEXT` that the list shows")
	return cmd
}

func newList(inv *cli.Invocation) *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use: "list", Short: "List the checkpoints of a persona, oldest first", Args: cobra.NoArgs,
		Long: "List the checkpoints of a persona, oldest first. Automatic ones were made before a restore; the last 5 are kept.\n" +
			"An unfinished one was restored, but the persona's files could not be written yet.",
		RunE: onPersona(inv, inv.OnStore, &key, func(cmd *cobra.Command, _ []string, of chosen) error {
			all, err := of.Store.List(cmd.Context(), of.Key)
			if err != nil {
				return err
			}
			for _, c := range all {
				if c.FilesDue {
					says, next := Unfinished(of.cfg, c)
					inv.Note("%s: %s", says, next)
				}
			}
			return cli.RenderEach(inv, all, func(c checkpoint.Checkpoint) checkpointRow { return newRow(c, of.cfg) })
		}),
	}
	cli.PersonaFlag(cmd, inv, &key, "the `KEY` of another persona")
	return cmd
}

// dropped is what drop removed.
type dropped struct {
	Dropped string `json:"dropped"`
}

func newDrop(inv *cli.Invocation) *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use: "drop NAME", Short: "Remove a checkpoint; the persona stays as it is", Args: cobra.ExactArgs(1),
		ValidArgsFunction: complete(inv, &key),
		RunE: onPersona(inv, inv.OnStore, &key, func(cmd *cobra.Command, args []string, of chosen) error {
			if err := of.Drop(cmd.Context(), args[0]); err != nil {
				return of.explained(cmd.Context(), args[0], err)
			}
			return cli.RenderDone(inv, dropped{args[0]}, "dropped %s%s", args[0], cli.OfOther(of.cfg, of.Key))
		}),
	}
	cli.PersonaFlag(cmd, inv, &key, "the `KEY` of another persona")
	return cmd
}
