package cli

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"familiar/memory"
)

// RunAsOf runs the verb that args begin with, one of verbs, on the store as it was at a time, with a clock that stands still
// there. path is how the user called it.
func (inv *Invocation) RunAsOf(ctx context.Context, at time.Time, path string, args []string, verbs []func(*Invocation) *cobra.Command) error {
	then := *inv
	then.asOf, then.clock, then.Now = at, inv.Now, func() time.Time { return at }
	group := Group(inv.program, "Look at the store as it was", "", Made(&then, verbs)...)
	group.CompletionOptions.DisableDefaultCmd = true
	root := NewRoot(&then, group, nil)
	for _, c := range root.Commands() { // those that look back are the only verbs
		if c.Name() == "help" {
			root.RemoveCommand(c)
		}
	}
	root.SetHelpCommand(&cobra.Command{Hidden: true})
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: path}
	then.HomeFlag, then.JSON, then.levelFlag = inv.HomeFlag, inv.JSON, inv.levelFlag // the flags have reset them
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}

// Made returns the verbs of inv.
func Made(inv *Invocation, verbs []func(*Invocation) *cobra.Command) (made []*cobra.Command) {
	for _, verb := range verbs {
		made = append(made, verb(inv))
	}
	return made
}

// lookBack passes the store as of inv's time to do, and says what of it is approximate.
func (inv *Invocation) lookBack(ctx context.Context, store *memory.Store, do func(then *memory.Store) error) (err error) {
	since, err := store.HistorySince(ctx)
	if err != nil {
		return err
	}
	if inv.asOf.Before(since) {
		inv.Note("approximate before %s: until then, changes of tiers, pins and relationships were not recorded", since.Format(time.DateOnly))
	}
	then, err := store.AsOf(ctx, inv.asOf)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, then.Close()) }()
	if err := inv.noteBeforeAll(ctx, store, then); err != nil {
		return err
	}
	return do(then)
}

// noteBeforeAll says that nothing was stored yet by inv's time, if that is so.
func (inv *Invocation) noteBeforeAll(ctx context.Context, store, then *memory.Store) error {
	empty, err := then.Empty(ctx)
	if err != nil || !empty {
		return err
	}
	first, err := store.FirstStored(ctx)
	switch {
	case err != nil:
		return err
	case first.IsZero():
		inv.Note("nothing is stored yet")
	default:
		zone := inv.asOf.Location()
		inv.Note("nothing was stored yet at %s: what is oldest was stored at %s", inv.asOf.Format(time.DateTime), first.In(zone).Format(time.DateTime))
	}
	return nil
}
