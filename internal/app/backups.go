package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"familiar/config"
	"familiar/internal/backup"
	"familiar/memory"
)

// Backups returns the backups of the configured home. identity is a private key that opens them, "" for none. The store of
// this process, if it has the home's open, is set by the caller.
func Backups(cfg *config.Config, identity string, now func() time.Time) (*backup.Set, error) {
	passphrase, err := cfg.Backup.Passphrase.Reveal()
	if err != nil {
		return nil, cfg.Problem("backup.passphrase", err)
	}
	keys, err := backup.NewKeys(cfg.Backup.EncryptTo, passphrase, identity)
	if err != nil {
		return nil, cfg.Problem("backup", err)
	}
	set := &backup.Set{Home: cfg.Home, Dir: cfg.BackupDir(), Keys: keys, Now: now, NewID: rand.Text}
	if cfg.Database.OnServer() {
		set.CopyMemory = func(ctx context.Context, file string) error { return copyFromServer(ctx, cfg, file, now) }
	}
	return set, nil
}

// copyFromServer writes the memory on the server into a new file, as it is at one moment.
func copyFromServer(ctx context.Context, cfg *config.Config, file string, now func() time.Time) (err error) {
	address, err := cfg.MemoryAddress()
	if err != nil {
		return err
	}
	store, err := memory.Open(ctx, address, memory.Options{Now: now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return store.Backup(ctx, file)
}

// ErrOnServer reports an act on the file of the home while the memory is on a server.
var ErrOnServer = errors.New("the memory is on a server: set database to sqlite in familiar.yaml to work on the file of this home, " +
	"and move the memory to the server afterwards with `familiar store move --to`")

// Retention returns which backups are kept.
func Retention(cfg *config.Config) backup.Retention {
	return backup.Retention{Daily: cfg.Backup.KeepDaily, Weekly: cfg.Backup.KeepWeekly, Zone: cfg.Timezone.Location}
}

// backUpBeforeUpgrade makes a backup of the home's database before it is upgraded.
func backUpBeforeUpgrade(ctx context.Context, cfg *config.Config, now func() time.Time) error {
	set, err := Backups(cfg, "", now)
	if err != nil {
		return err
	}
	_, _, err = set.Create(ctx, backup.Upgrade)
	return err
}

// inHome reports that the store is the home's database, not a copy or that of a measurement.
func (a *App) inHome() bool {
	return a.Config.Database.OnServer() || a.Store.Path() == a.Config.Home.Database()
}

// backUp is the job that makes a backup, applies erasures of people to those there are, and deletes old ones. Nothing is
// deleted if none could be made; a damaged old one keeps nothing else from being erased or deleted.
func (a *App) backUp(ctx context.Context, _ int64, _ time.Time) (string, error) {
	if !a.inHome() {
		return "", errors.New("a backup has no dry run: `familiar backup create` makes one, which changes nothing else")
	}
	set, err := Backups(a.Config, "", a.Now)
	if err != nil {
		return "", err
	}
	set.Open = a.Store
	b, _, err := set.Create(ctx, backup.Scheduled)
	if err != nil {
		return "", err
	}
	result := "backed up, " + humanize.Bytes(uint64(b.Size)) //nolint:gosec // a size
	rewritten, err := set.Rewrite(ctx)
	if rewritten > 0 {
		result += fmt.Sprintf("; erased in %s what people had erased", english.Plural(rewritten, "older one", "older ones"))
	}
	aside, _, asideFailed := set.EraseAside(ctx) // the doctor names those that are damaged
	if aside > 0 {
		result += fmt.Sprintf("; erased in %s what people had erased", english.Plural(aside, "database moved aside", "databases moved aside"))
	}
	dropped, failed := set.Prune(ctx, Retention(a.Config))
	if len(dropped) > 0 {
		result += fmt.Sprintf("; deleted %s", english.Plural(len(dropped), "old one", "old ones"))
	}
	return result, errors.Join(err, asideFailed, failed)
}

// EraseInBackups erases in the backups of the home, and in the databases that a restore moved aside there, what was erased in its
// store, which this process has open. It returns how many files were rewritten, and the databases aside that cannot be: they are
// damaged. Encrypted backups whose key is not at hand stay.
func EraseInBackups(ctx context.Context, cfg *config.Config, store *memory.Store, now func() time.Time) (rewritten int, left []backup.Aside, err error) {
	set, err := Backups(cfg, "", now)
	if err != nil {
		return 0, nil, err
	}
	set.Open = store
	if err := set.NoteErasures(ctx, store, now().Add(-noted)); err != nil {
		return 0, nil, err
	}
	rewritten, err = set.Rewrite(ctx)
	aside, left, failed := set.EraseAside(ctx)
	return rewritten + aside, left, errors.Join(err, failed)
}

// noted is how far back what was erased is added to the list beside the backups, each time that the job "vanish" erases. What
// is older was added by the nightly backup.
const noted = 48 * time.Hour

// noteErasures adds what was erased lately to the list beside the backups, for the day that the database cannot be read.
func (a *App) noteErasures(ctx context.Context, now time.Time) error {
	if !a.inHome() {
		return nil // a dry run erases nothing that is somebody's
	}
	set, err := Backups(a.Config, "", a.Now)
	if err != nil {
		return err
	}
	return set.NoteErasures(ctx, a.Store, now.Add(-noted))
}
