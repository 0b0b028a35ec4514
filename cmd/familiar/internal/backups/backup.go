// Package backups has the verbs that save and restore a home: `familiar backup` and `familiar recover`.
package backups

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"familiar/internal/app"
	"familiar/internal/backup"
	"familiar/internal/cli"
	"familiar/internal/settings"
)

// NewBackup returns the verb `familiar backup`.
func NewBackup(inv *cli.Invocation) *cobra.Command {
	return cli.Group("backup", "Make, check and restore backups of the home",
		"Make, check and restore backups. A backup is one file with the database, familiar.yaml, the personas and the keys of\n"+
			"WhatsApp; what people sent as files (attachments/) and the files of secrets are not in it. The job \"backup\" makes one\n"+
			"each night and keeps those of 7 days and of 4 weeks before (section backup of familiar.yaml). All commands but restore\n"+
			"work while the home is served. What people had erased does not come back with a backup.",
		newBackupCreate(inv), newBackupList(inv), newBackupVerify(inv), newBackupRestore(inv), newBackupDrill(inv), newBackupPrune(inv))
}

// backupRow is one backup in a list.
type backupRow struct {
	Name   string    `json:"name"`
	Made   time.Time `json:"made"`
	Size   string    `json:"size"`
	Schema int       `json:"schema"`
	// Reason is asked, scheduled or upgrade.
	Reason    string `json:"reason"`
	Encrypted bool   `json:"encrypted"`
	// Credentials is yes if somebody could act as the persona with it. An encrypted backup does not tell.
	Credentials bool `json:"credentials,omitempty"`
	// Problem says why it cannot be read.
	Problem string `json:"problem,omitempty" show:"below"`
}

func newBackupRow(b backup.Backup) backupRow {
	return backupRow{
		Name: filepath.Base(b.Path), Made: b.Made, Size: humanize.Bytes(uint64(b.Size)), Schema: b.Schema, Reason: string(b.Reason), //nolint:gosec // a size
		Encrypted: b.Encrypted,
	}
}

// identityFlag adds the flag for the private key of encrypted backups.
func identityFlag(cmd *cobra.Command, identity *string) {
	cmd.Flags().StringVar(identity, "identity", "", "where the private key of encrypted backups is: env:NAME, or file:/PATH with mode 0600")
}

// backups returns the home's backups with the private key that identity refers to.
func backups(cmd *cobra.Command, inv *cli.Invocation, identity string) (*backup.Set, error) {
	cfg, err := inv.Config()
	if err != nil {
		return nil, err
	}
	key := ""
	if identity != "" {
		var ref settings.Secret
		if err := ref.UnmarshalText([]byte(identity)); err != nil {
			return nil, cli.Usage(cmd, fmt.Errorf("--identity %w", err))
		}
		if key, err = ref.Within(string(cfg.Home), inv.Env).Reveal(); err != nil {
			return nil, err
		}
	}
	return app.Backups(cfg, key, inv.Now)
}

// onBackup is the RunE of a verb that works on the backup named by its argument, the newest without one.
func onBackup(inv *cli.Invocation, identity *string, do func(ctx context.Context, set *backup.Set, b backup.Backup) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		set, err := backups(cmd, inv, *identity)
		if err != nil {
			return err
		}
		name := ""
		if len(args) > 0 {
			name = args[0]
		}
		b, err := set.Find(name)
		if err != nil {
			return err
		}
		return do(cmd.Context(), set, b)
	}
}

func newBackupCreate(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "create", Short: "Make a backup now", Args: cobra.NoArgs,
		Long: "Make a backup now, also while the home is served: conversations do not wait for it. It appears in the list only when it\n" +
			"is complete and on disk. A damaged database is not backed up.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := backups(cmd, inv, "")
			if err != nil {
				return err
			}
			b, m, err := set.Create(cmd.Context(), backup.Asked)
			if err != nil {
				return err
			}
			row := newBackupRow(b)
			row.Name, row.Credentials = b.Path, m.Credentials
			if m.Credentials && !b.Encrypted {
				inv.Note("this backup holds WhatsApp's keys, with which somebody could act as the persona: keep it as safe as the home, or encrypt backups")
			}
			return cli.RenderOne(inv, row)
		},
	}
}

func newBackupList(inv *cli.Invocation) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the backups, newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := backups(cmd, inv, "")
			if err != nil {
				return err
			}
			all, err := set.List()
			if err != nil {
				return err
			}
			return cli.RenderEach(inv, all, func(b backup.Backup) backupRow {
				row := newBackupRow(b)
				if m, err := set.Manifest(b); err == nil {
					row.Credentials = m.Credentials
				} else if !b.Encrypted && !b.IsCopy() {
					row.Problem = err.Error()
				}
				return row
			})
		},
	}
}

func newBackupVerify(inv *cli.Invocation) *cobra.Command {
	identity := ""
	cmd := &cobra.Command{
		Use: "verify [NAME]", Short: "Check that a backup is complete", Args: cobra.MaximumNArgs(1),
		Long:    "Read a whole backup, the newest without a name, and compare each file in it with its checksum. `familiar backup drill` also\nrestores it for a try.",
		Example: "  familiar backup verify\n  familiar backup verify /mnt/usb/familiar-20260105T023000.000Z-v10-scheduled.tar.zst",
		RunE: onBackup(inv, &identity, func(_ context.Context, set *backup.Set, b backup.Backup) error {
			m, err := set.Verify(b)
			if err != nil {
				return err
			}
			row := newBackupRow(b)
			row.Credentials = m.Credentials
			inv.Note("every file in it is as it was when it was made")
			return cli.RenderOne(inv, row)
		}),
	}
	identityFlag(cmd, &identity)
	return cmd
}

func newBackupDrill(inv *cli.Invocation) *cobra.Command {
	identity := ""
	cmd := &cobra.Command{
		Use: "drill [NAME]", Short: "Restore a backup for a try and check it", Args: cobra.MaximumNArgs(1),
		Long: "Restore a backup, the newest without a name, into a temporary directory: unpack it, upgrade it, apply the erasures, check\n" +
			"every page, index and reference and the number of rows, and delete it again. The home is not touched.",
		RunE: onBackup(inv, &identity, func(ctx context.Context, set *backup.Set, b backup.Backup) error {
			done, err := set.Drill(ctx, b)
			if err != nil {
				return err
			}
			inv.Note("it can be restored")
			return cli.RenderOne(inv, newDrillRow(done))
		}),
	}
	identityFlag(cmd, &identity)
	return cmd
}

// drillRow is the result of a drill.
type drillRow struct {
	Name     string    `json:"name"`
	Made     time.Time `json:"made"`
	Schema   int       `json:"schema"`
	Messages int64     `json:"messages"`
	Memories int64     `json:"memories"`
	People   int64     `json:"people"`
	Took     string    `json:"took"`
}

func newDrillRow(d backup.Drilled) drillRow {
	rows := d.Manifest.Rows
	return drillRow{
		filepath.Base(d.Backup.Path), d.Backup.Made, d.Manifest.Schema, rows["messages"], rows["memories"], rows["people"],
		d.Took.Round(time.Millisecond).String(),
	}
}

func newBackupPrune(inv *cli.Invocation) *cobra.Command {
	dry := false
	cmd := &cobra.Command{
		Use: "prune", Short: "Delete old backups", Args: cobra.NoArgs,
		Long: "Delete the backups that backup.keep_daily and backup.keep_weekly do not keep, as the job \"backup\" does. The newest is never\n" +
			"deleted. The deleted ones are listed.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := backups(cmd, inv, "")
			if err != nil {
				return err
			}
			var dropped []backup.Backup
			if dry {
				var all []backup.Backup
				all, err = set.List()
				_, dropped = app.Retention(inv.Loaded).Split(all, inv.Now())
			} else {
				dropped, err = set.Prune(cmd.Context(), app.Retention(inv.Loaded))
			}
			return errors.Join(err, cli.RenderEach(inv, dropped, newBackupRow))
		},
	}
	cli.DryRunFlag(cmd, &dry)
	return cmd
}
