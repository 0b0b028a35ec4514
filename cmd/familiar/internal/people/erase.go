package people

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"familiar/cmd/familiar/internal/find"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/backup"
	"familiar/internal/cli"
	"familiar/memory"
	"familiar/memory/erase"
	"familiar/memory/model"
)

// eraseReceipt counts what was erased with a person, or would be.
type eraseReceipt struct {
	Person   int64 `json:"person"`
	DryRun   bool  `json:"dry_run,omitempty"`
	Accounts int   `json:"accounts"`
	Rooms    int   `json:"direct_rooms"`
	Messages int   `json:"messages"`
	Replies  int   `json:"replies"`
	Memories int   `json:"memories"`
	Beliefs  int   `json:"beliefs"`
	Loops    int   `json:"open_loops"`
	Files    int   `json:"files"`
	Unsent   int   `json:"unsent"`
	// Backups counts the backups and the databases moved aside that were rewritten.
	Backups int `json:"backups"`
	// Named are the operator's own texts that still name the person, with --json.
	Named []Place `json:"named,omitempty"`
}

func newEraseReceipt(person int64, dry bool, r erase.ForgetResult) eraseReceipt {
	return eraseReceipt{person, dry, r.Accounts, r.Rooms, r.Messages, r.Replies, r.Memories, r.Beliefs, r.Loops, r.Files, r.Unsent, 0, nil}
}

func newPersonErase(inv *cli.Invocation) *cobra.Command {
	var yes, dry bool
	cmd := &cobra.Command{
		Use: "erase NAME|NUMBER", Short: "Erase a person and everything of theirs",
		Long: "Erase a person: what they said and what the persona answered them, memories, beliefs, open items, the relationship,\n" +
			"files, what is queued, their accounts and approval, and what was made of them and others together. What others said\n" +
			"stays. It shows what would go and asks once. This cannot be undone; `familiar person export` makes a copy before.\n" +
			"Backups, and databases that a restore moved aside, are rewritten without the person at once. Backups encrypted to a public\n" +
			"key stay as they are until they are pruned; a restore erases the person again. A damaged database aside is named.\n" +
			"What you wrote yourself stays: notes of the world, files of personas with their history and lorebooks, checkpoints with the\n" +
			"files and notes in them. Where a name of the person still stands in these, it is shown, with the command that removes it.",
		Example: "  familiar person erase Ann --dry-run\n  familiar person erase telegram:12345 --yes",
		Args:    cobra.ExactArgs(1),
		RunE: inv.OnStore(func(cmd *cobra.Command, args []string, cfg *config.Config, store *memory.Store) error {
			p, err := find.Person(cmd.Context(), store, cfg.Persona, args[0])
			if err != nil {
				return err
			}
			if isOperator(p) {
				return errors.New("that is you, the operator: `familiar memory forget` removes what you told")
			}
			would, err := store.Eraser.CountPerson(cmd.Context(), p.ID)
			if err != nil {
				return err
			}
			if dry {
				return cli.RenderOne(inv, newEraseReceipt(p.ID, true, would))
			}
			if !yes {
				if err := confirmErasure(inv, p, would); err != nil {
					return err
				}
			}
			return erasePerson(cmd.Context(), inv, cfg, store, p)
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only show what would go")
	return cmd
}

// confirmErasure shows what would go and fails unless the answer is yes.
func confirmErasure(inv *cli.Invocation, p model.Person, would erase.ForgetResult) error {
	fmt.Fprintf(inv.Errs, "This would go for good of %s (%s): %s.\nErase them? (yes, no) ", p.Name, strings.Join(find.HandleNames(p), ", "), would)
	answer, err := bufio.NewReader(inv.In).ReadString('\n')
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer == "yes" || answer == "y" {
		return nil
	}
	if errors.Is(err, io.EOF) { // no answer is none
		err = nil
	}
	return errors.Join(errors.New("nothing was erased: answer yes, or use --yes"), err)
}

// erasePerson erases the person and shows the receipt.
func erasePerson(ctx context.Context, inv *cli.Invocation, cfg *config.Config, store *memory.Store, p model.Person) error {
	done, err := Erase(ctx, cfg, store, inv.Now, p)
	if !done.Done {
		return err
	}
	receipt := newEraseReceipt(p.ID, false, done.Gone)
	receipt.Backups = done.Backups
	for _, a := range done.Damaged {
		inv.Note("%s, moved aside %s, is damaged and may still hold the person: delete it once you need it no more",
			a.Dir, humanize.RelTime(a.Moved, inv.Now(), "ago", "from now"))
	}
	if inv.JSON {
		receipt.Named = done.Named
	}
	shown := cli.RenderOne(inv, receipt)
	notePlaces(inv, done.Named)
	return errors.Join(shown, err)
}

// Erased is what became of the erasure of a person.
type Erased struct {
	// Done reports that the person is erased from the store, whatever else failed.
	Done bool
	Gone erase.ForgetResult
	// Backups counts the backups and the databases moved aside that were rewritten. Damaged are those aside that could not be.
	Backups int
	Damaged []backup.Aside
	// Named are the operator's own texts that still name the person.
	Named []Place
}

// Erase erases a person from the store, the files of the home and the backups. An error after the store was done is about the rest.
func Erase(ctx context.Context, cfg *config.Config, store *memory.Store, now func() time.Time, p model.Person) (done Erased, err error) {
	ids, err := store.Log.AddressesOf(ctx, p.ID)
	if err != nil {
		return done, err
	}
	search, err := searchFor(ctx, cfg, store, p)
	if err != nil {
		return done, err
	}
	// Once they are gone from the store, nobody knows whose files to tidy: a run that was killed before could not be repeated.
	if err := app.TidyErased(ctx, cfg.Home, store, ids); err != nil {
		return done, fmt.Errorf("nothing was erased from the store yet; repeat the command: %w", err)
	}
	if done.Gone, err = store.Eraser.ErasePerson(ctx, p.ID); err != nil {
		return done, err
	}
	done.Done = true
	// What they typed is forgotten once it is not stored, and another process may have logged more.
	rest := errors.Join(app.TidyErased(ctx, cfg.Home, store, ids), store.Eraser.SecureDelete(ctx))
	if done.Backups, done.Damaged, err = app.EraseInBackups(ctx, cfg, store, now); err != nil {
		err = fmt.Errorf("the person is erased here, but not yet in all backups; the nightly job tries again: %w", err)
	}
	var searched error
	done.Named, searched = search.places(ctx, cfg, store)
	return done, errors.Join(rest, err, searched)
}
