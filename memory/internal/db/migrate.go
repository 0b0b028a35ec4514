package db

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"familiar/internal/sqlitecopy"
)

//go:embed migrations/*.sql migrations/whole/schema.sql migrations/postgres/*.sql
var migrationFiles embed.FS

// releasedMigrations are the released migrations, sorted by name: NNNN_name.sql, numbered from 0001 without gaps. A
// released migration never changes.
var releasedMigrations = func() fs.FS {
	sub, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		panic(err) // the path is a constant
	}
	return sub
}()

// applicationID marks a SQLite file as familiar's: "Fmlr" in the field that SQLite reserves for this,
// https://www.sqlite.org/pragma.html#pragma_application_id
const applicationID = 0x466d6c72

// migration is one step from version-1 to version.
type migration struct {
	version int
	name    string
	sql     string
}

// loadMigrations reads the migrations of a SQLite file in order.
func loadMigrations(fsys fs.FS) ([]migration, error) { return loadFrom(fsys, "*.sql", 1) }

// loadFrom reads the migrations that match a pattern in order. The first is numbered so.
func loadFrom(fsys fs.FS, pattern string, first int) ([]migration, error) {
	names, err := fs.Glob(fsys, pattern)
	if err != nil {
		return nil, fmt.Errorf("list the migrations: %w", err)
	}
	slices.Sort(names)
	steps := make([]migration, 0, len(names))
	for i, name := range names {
		number, _, _ := strings.Cut(path.Base(name), "_")
		version, err := strconv.Atoi(number)
		if err != nil || version != i+first {
			return nil, fmt.Errorf("migration %s: it must be numbered %04d", name, i+first)
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("read migration %s: %w", name, err)
		}
		steps = append(steps, migration{version: version, name: name, sql: string(text)})
	}
	return steps, nil
}

// wholeName is the file with the tables that the first migrations make, all at once: the migrations take twenty times as long,
// since SQLite reads all tables again for each that a migration alters. Its first line is "-- " and the last of these versions.
const wholeName = "whole/schema.sql"

// loadWhole reads the file wholeName as one migration, the zero one if there is none.
func loadWhole(fsys fs.FS) (m migration, err error) {
	text, err := fs.ReadFile(fsys, wholeName)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, fmt.Errorf("read the whole schema: %w", err)
	}
	m.name, m.sql = wholeName, string(text)
	if _, err := fmt.Sscanf(m.sql, "-- %d\n", &m.version); err != nil {
		return m, fmt.Errorf("read the version in %s: %w", wholeName, err)
	}
	return m, nil
}

// upgrade brings a file to the newest version. It leaves a current file alone, rejects a newer one or another
// program's, and calls backUp first if the file holds data. All migrations are one transaction: an interrupted upgrade has
// no effect, and whoever opens the file meanwhile finds either version, not one in between that would be backed up again.
func upgrade(ctx context.Context, file string, backUp func(ctx context.Context, version int) error, fsys fs.FS) (err error) {
	steps, err := loadMigrations(fsys)
	if err != nil {
		return err
	}
	whole, err := loadWhole(fsys)
	if err != nil {
		return err
	}
	version, err := identify(ctx, file)
	if err != nil {
		return err
	}
	if version == len(steps) {
		return nil
	}
	if version > len(steps) {
		return newerError(version, len(steps))
	}
	c, err := openConn(ctx, file, upgrading, defaultBusyTimeout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if version > 0 {
		if err := backUp(ctx, version); err != nil {
			return fmt.Errorf("back up before upgrading from version %d: %w", version, err)
		}
	}
	return applyAll(ctx, c, whole, steps)
}

// copyBeside returns the backup before an upgrade that a store makes by itself: a copy next to the file, named by version and
// time.
func copyBeside(path string, now func() time.Time) func(context.Context, int) error {
	return func(ctx context.Context, version int) error {
		return sqlitecopy.Copy(ctx, path, fmt.Sprintf("%s.backup-v%d-%s", path, version, now().UTC().Format(backupTimeLayout)), sqlitecopy.Gentle)
	}
}

// backupTimeLayout formats the time in a backup's name, UTC. It sorts as text.
const backupTimeLayout = "20060102T150405.000Z"

func newerError(version, known int) error {
	return fmt.Errorf("%w (schema %d, this one knows %d): upgrade familiar or point --home elsewhere",
		ErrNewer, version, known)
}

// identify returns the version of the file, 0 for an empty one, and rejects files of other programs. It does not switch
// the file to WAL, so a foreign file stays unchanged.
func identify(ctx context.Context, path string) (version int, err error) {
	c, err := openConn(ctx, path, inspecting, defaultBusyTimeout)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	var id, objects int
	// The order matters: when another process is creating the file, its tables and its ID appear in one commit.
	if err := c.QueryRow("SELECT count(*) FROM sqlite_master").Scan(&objects); err != nil {
		return 0, err
	}
	if err := c.QueryRow("PRAGMA application_id").Scan(&id); err != nil {
		return 0, err
	}
	if id != applicationID && (id != 0 || objects > 0) {
		return 0, fmt.Errorf("%w: it belongs to another program (application id %d)", ErrCorrupt, id)
	}
	if err := refuseMoving(c); err != nil {
		return 0, err
	}
	return c.userVersion()
}

func (c *Tx) userVersion() (v int, err error) {
	err = c.QueryRow("PRAGMA user_version").Scan(&v)
	return v, err
}

// applyAll runs the migrations that the file has not passed, in one transaction, and whole in place of the first ones for an
// empty file. Another process may have been faster.
func applyAll(ctx context.Context, c *Tx, whole migration, steps []migration) (err error) {
	if _, err := c.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		if err != nil && inTransaction(c) {
			_, undo := c.Exec("ROLLBACK")
			err = errors.Join(err, undo)
		}
	}()
	version, err := c.userVersion()
	if err != nil {
		return err
	}
	if version == 0 && 0 < whole.version && whole.version <= len(steps) {
		steps = append([]migration{whole}, steps[whole.version:]...)
	}
	for _, step := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if version >= step.version {
			continue
		}
		if err := step.run(c); err != nil {
			return fmt.Errorf("upgrade with %s: %w", step.name, err)
		}
	}
	_, err = c.Exec("COMMIT")
	return err
}

func (m migration) run(c *Tx) error {
	// A script has several statements and runs once, so it bypasses the prepared statements.
	_, err := c.c.ExecContext(context.Background(), m.sql)
	if err != nil {
		return err
	}
	if err := foreignKeyCheck(c); err != nil {
		return err
	}
	mark := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, m.version)
	_, err = c.c.ExecContext(context.Background(), mark)
	return err
}
