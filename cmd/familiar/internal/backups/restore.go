package backups

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"familiar/channels/all"
	"familiar/config"
	"familiar/internal/app"
	"familiar/internal/backup"
	"familiar/internal/cli"
)

func newBackupRestore(inv *cli.Invocation) *cobra.Command {
	identity, o := "", backup.RestoreOptions{}
	cmd := &cobra.Command{
		Use: "restore [NAME]", Short: "Put a backup in the place of what stands in the home", Args: cobra.MaximumNArgs(1),
		Long: "Restore a backup, the newest without a name, into this home or, with --home, into another one. The home must not be served.\n" +
			"Everything is unpacked and checked first; a backup of an older version is upgraded, one of a newer version is refused. What\n" +
			"stands in the home is moved into a directory familiar.replaced-TIME there, and never deleted. What people had erased\n" +
			"since the backup was made is erased in it.",
		Example: "  familiar backup restore\n  familiar --home ~/second backup restore /mnt/usb/familiar-20260105T023000.000Z-v10-scheduled.tar.zst",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := readableConfig(inv); err != nil {
				return err
			}
			return onBackup(inv, &identity, func(ctx context.Context, set *backup.Set, b backup.Backup) error {
				return restore(ctx, inv, set, b, o)
			})(cmd, args)
		},
	}
	cmd.Flags().BoolVar(&o.DatabaseOnly, "database-only", false, "leave the configuration, the personas and WhatsApp's keys as they are")
	identityFlag(cmd, &identity)
	return cmd
}

// readableConfig reads the configuration. One that is damaged, like the rest of the home, must not prevent a restore: then
// the defaults hold, which is said.
func readableConfig(inv *cli.Invocation) error {
	home, err := inv.Home()
	if err != nil {
		return err
	}
	if _, err := inv.Config(); err != nil {
		inv.Note("the configuration cannot be used (%v): its settings for backups are at their defaults", err)
		if inv.Loaded, err = config.Parse(home, nil, inv.Env, all.Sections()...); err != nil {
			return err
		}
	}
	return nil
}

// restoredRow is the result of a restore.
type restoredRow struct {
	Made     time.Time `json:"made"`
	Restored []string  `json:"restored"`
	Schema   int       `json:"schema"`
	Messages int64     `json:"messages"`
	// Erased says what was erased in it, since people had that erased after it was made.
	Erased string `json:"erased_again,omitempty"`
	Aside  string `json:"moved_to,omitempty"`
}

// restore restores a backup while it holds the lock of the home.
func restore(ctx context.Context, inv *cli.Invocation, set *backup.Set, b backup.Backup, o backup.RestoreOptions) (err error) {
	if inv.Loaded.Database.OnServer() {
		return app.ErrOnServer
	}
	if err := set.Home.Create(); err != nil {
		return err
	}
	lock, err := app.LockHome(set.Home.Lock(), "backup restore", inv.Now())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	done, err := set.Restore(ctx, b, o)
	if err != nil {
		return err
	}
	row := restoredRow{Made: done.Made, Restored: done.Names, Schema: done.Schema, Messages: done.Rows["messages"], Aside: done.Aside}
	if done.Erased != (backup.Restored{}).Erased {
		row.Erased = done.Erased.String()
	}
	if done.Unread != nil {
		inv.Note("the database that was replaced could not be asked what people had erased in it, so only the list beside the backups was applied: %v",
			done.Unread)
	}
	return cli.RenderOne(inv, row)
}
