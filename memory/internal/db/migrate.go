package db

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// releasedMigrations are the released steps, oldest first by name: NNNN_name.sql, numbered without gaps from 0001. A
// released step is never changed.
var releasedMigrations = func() fs.FS {
	sub, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		panic(err) // the path is a constant
	}
	return sub
}()

// applicationID marks a SQLite file as familiar's: "Fmlr" in the field SQLite keeps for this,
// https://www.sqlite.org/pragma.html#pragma_application_id
const applicationID = 0x466d6c72

// migration is one step from the version before it to version.
type migration struct {
	version int
	name    string
	sql     string
}

// loadMigrations reads the steps in order.
func loadMigrations(fsys fs.FS) ([]migration, error) {
	names, err := fs.Glob(fsys, "*.sql")
	if err != nil {
		return nil, fmt.Errorf("list the migrations: %w", err)
	}
	slices.Sort(names)
	steps := make([]migration, 0, len(names))
	for i, name := range names {
		number, _, _ := strings.Cut(name, "_")
		version, err := strconv.Atoi(number)
		if err != nil || version != i+1 {
			return nil, fmt.Errorf("migration %s: it must be numbered %04d", name, i+1)
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("read migration %s: %w", name, err)
		}
		steps = append(steps, migration{version: version, name: name, sql: string(text)})
	}
	return steps, nil
}

// upgrade brings the file at path to the newest version: untouched when it is there already, refused when it is
// newer or another program's, backed up first when it holds anything. Each step is one transaction, so a step that
// is interrupted has not happened.
func upgrade(ctx context.Context, path string, now func() time.Time, fsys fs.FS) (err error) {
	steps, err := loadMigrations(fsys)
	if err != nil {
		return err
	}
	version, err := identify(ctx, path)
	if err != nil {
		return err
	}
	if version == len(steps) {
		return nil
	}
	if version > len(steps) {
		return newerError(version, len(steps))
	}
	c, err := openConn(ctx, path, upgrading, defaultBusyTimeout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if version > 0 {
		if err := vacuumInto(c, backupName(path, version, now())); err != nil {
			return fmt.Errorf("back up before upgrading from version %d: %w", version, err)
		}
	}
	for _, step := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := step.apply(c); err != nil {
			return fmt.Errorf("upgrade with %s: %w", step.name, err)
		}
	}
	return nil
}

func newerError(version, known int) error {
	return fmt.Errorf("%w (schema %d, this one knows %d): upgrade familiar or point --home elsewhere",
		ErrNewer, version, known)
}

// identify returns the version of the file, 0 for an empty one, and refuses another program's. Its connection does not
// switch the file to WAL: a foreign file stays as it is.
func identify(ctx context.Context, path string) (version int, err error) {
	c, err := openConn(ctx, path, inspecting, defaultBusyTimeout)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	var id, objects int
	// In this order: where another process is making the file, its tables come with its id, in one commit.
	if err := c.QueryRow("SELECT count(*) FROM sqlite_master").Scan(&objects); err != nil {
		return 0, err
	}
	if err := c.QueryRow("PRAGMA application_id").Scan(&id); err != nil {
		return 0, err
	}
	if id != applicationID && (id != 0 || objects > 0) {
		return 0, fmt.Errorf("%w: it belongs to another program (application id %d)", ErrCorrupt, id)
	}
	return c.version()
}

func (c *Tx) version() (v int, err error) {
	err = c.QueryRow("PRAGMA user_version").Scan(&v)
	return v, err
}

// apply runs the step in one transaction, unless the file has come past it: another process may be upgrading too.
func (m migration) apply(c *Tx) (err error) {
	if _, err := c.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		if err != nil && c.inTransaction() {
			_, undo := c.Exec("ROLLBACK")
			err = errors.Join(err, undo)
		}
	}()
	version, err := c.version()
	if err != nil {
		return err
	}
	if version < m.version {
		if err := m.run(c); err != nil {
			return err
		}
	}
	_, err = c.Exec("COMMIT")
	return err
}

func (m migration) run(c *Tx) error {
	// A script is several statements and runs once: it goes past the prepared ones.
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
