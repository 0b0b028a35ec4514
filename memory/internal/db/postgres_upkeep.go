package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"familiar/memory/internal/postgres"
)

// firstPostgres is the version of the first tables on PostgreSQL. Its migration makes all of them.
const firstPostgres = 35

// prepare makes or upgrades the tables in one transaction, behind the writers' lock: of two processes that come at once, the
// second finds the work done, and an interrupted upgrade has no effect. backUp is not called: it copies files.
func (p *postgresEngine) prepare(ctx context.Context, _ func(context.Context, int) error, migrations fs.FS) (err error) {
	steps, err := loadFrom(migrations, "postgres/*.sql", firstPostgres)
	if err != nil {
		return err
	}
	c, err := p.connect(ctx, upgrading, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := c.QueryRow(`SELECT current_schema()`).Scan(&p.within); err != nil {
		return fmt.Errorf("find the schema of the tables: %w; create it, or set search_path in the URL to one that exists", err)
	}
	p.lock = lockKey(p.within)
	version, err := p.identify(c)
	if err != nil {
		return err
	}
	complete := false
	if err := c.QueryRow(`SELECT to_regclass('familiar_writers') IS NOT NULL`).Scan(&complete); err != nil {
		return err
	}
	if version < p.known || !complete {
		err = p.upgrade(ctx, c, steps)
	}
	if err == nil {
		err = p.refuseMoving(c)
	}
	return err
}

// identify returns the version of the tables, 0 for an empty schema, and rejects tables of other programs.
func (p *postgresEngine) identify(c *Tx) (version int, err error) {
	var ours bool
	var others int
	if err := c.QueryRow(`SELECT to_regclass('familiar_schema') IS NOT NULL,
		(SELECT count(*) FROM pg_tables WHERE schemaname = current_schema())`).Scan(&ours, &others); err != nil {
		return 0, err
	}
	if !ours && others > 0 {
		return 0, fmt.Errorf("%w: the schema %s holds %d tables of another program; give familiar a schema of its own", ErrCorrupt, p.within, others)
	}
	if !ours {
		return 0, nil
	}
	if version, err = p.version(c); err == nil && version > p.known {
		err = newerError(version, p.known)
	}
	return version, err
}

func (p *postgresEngine) upgrade(ctx context.Context, c *Tx, steps []migration) (err error) {
	run := func(script string) error { return c.server.Run(ctx, script) }
	// An upgrade may take longer than a turn, and others wait for it.
	if err := run(fmt.Sprintf(`SET lock_timeout = 0; BEGIN; SELECT pg_advisory_xact_lock(%d)`, p.lock)); err != nil {
		return err
	}
	defer func() {
		if err != nil && p.inTransaction(c) {
			err = errors.Join(err, run(`ROLLBACK`))
		}
	}()
	version, err := p.identify(c) // another process may have been faster
	if err != nil {
		return err
	}
	if err := run(`CREATE TABLE IF NOT EXISTS familiar_schema (version bigint PRIMARY KEY, upgraded_at timestamptz NOT NULL DEFAULT now());` + "\n" + memberTables); err != nil {
		return err
	}
	for _, step := range steps {
		if version >= step.version {
			continue
		}
		if err := run(step.sql + fmt.Sprintf(";\nINSERT INTO familiar_schema (version) VALUES (%d)", step.version)); err != nil {
			return fmt.Errorf("upgrade with %s: %w", step.name, err)
		}
	}
	return run(`COMMIT`)
}

func (p *postgresEngine) version(c *Tx) (int, error) {
	version, err := One(c.QueryRow(`SELECT max(version) FROM familiar_schema`), ScanID)
	return int(version), err
}

func (p *postgresEngine) opened(*Tx) error { return nil }

// check reads all rows of all tables: the server verifies their checksums, if it keeps any. It keeps indexes and references.
func (p *postgresEngine) check(c *Tx) error {
	tables, err := p.tables(c)
	if err != nil {
		return err
	}
	counts := make([]string, len(tables))
	for i, table := range tables {
		counts[i] = "(SELECT count(*) FROM " + quoteName(table) + ")"
	}
	return p.patiently(c, func() error {
		var rows int64
		return c.c.QueryRowContext(context.Background(), "SELECT "+strings.Join(counts, " + ")).Scan(&rows)
	})
}

func (p *postgresEngine) tables(c *Tx) ([]string, error) {
	return Collect[string](c.Query(`SELECT c.relname FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = to_regnamespace(?) AND substr(c.relname, 1, 9) <> 'familiar_' ORDER BY c.oid`, p.within))(ScanText)
}

func (p *postgresEngine) columns(c *Tx, table string) ([]string, error) {
	return Collect[string](c.Query(`SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(?) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`, p.within+"."+table))(ScanText)
}

func (p *postgresEngine) delivered(c *Tx) int64 { return c.server.Delivered() }

func (p *postgresEngine) allColumns(c *Tx) (map[string][]string, error) {
	return collectColumns(c.Query(`SELECT t.relname, a.attname FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid
		WHERE t.relkind = 'r' AND t.relnamespace = to_regnamespace(?) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY t.oid, a.attnum`, p.within))
}

// lastID is what comes before the next id. In a write transaction that is one of those that were taken: what other processes have taken
// and not used is void by now.
func (p *postgresEngine) lastID(c *Tx, table string) (int64, error) {
	if c.queues {
		if err := p.confirm(c); err != nil {
			return 0, err
		}
		if err := c.ensureIDs(table); err != nil {
			return 0, err
		}
		return c.ids.free[table][0] - 1, nil // those that were taken are not given out yet
	}
	return ScanID(c.QueryRow(`SELECT coalesce(max(last_value), 0) FROM pg_sequences WHERE schemaname = ? AND sequencename = ?`, p.within, table+sequence))
}

func (p *postgresEngine) reserveIDs(c *Tx, table string, last int64) error {
	if last <= 0 {
		return nil
	}
	c.ids.void(table)
	_, err := c.Exec(`SELECT setval(to_regclass(?), max(last_value, ?)) FROM `+quoteName(table+sequence), table+sequence, last)
	return err
}

func (p *postgresEngine) bytes(c *Tx) (int64, error) {
	return ScanID(c.QueryRow(`SELECT CAST(coalesce(sum(pg_total_relation_size(c.oid)), 0) AS bigint) FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = to_regnamespace(?)`, p.within))
}

func (p *postgresEngine) size(c *Tx) (data, log int64, err error) {
	data, err = p.bytes(c)
	return data, 0, err
}

// rewrite writes the tables anew one by one. It waits for whoever uses a table, and others wait for it. Writers do so before they
// begin, as for each other: in the middle of a transaction they would fail.
func (p *postgresEngine) rewrite(c *Tx) error {
	tables, err := p.tables(c)
	if err != nil {
		return err
	}
	return p.patiently(c, func() error {
		for _, table := range tables {
			if err := p.alone(c, func() error { return c.server.Run(context.Background(), "VACUUM (FULL) "+quoteName(table)) }); err != nil {
				return err
			}
		}
		return nil
	})
}

// alone calls do, which cannot run in a transaction, while c holds the writers' lock.
func (p *postgresEngine) alone(c *Tx, do func() error) error {
	key := "(" + strconv.FormatInt(p.lock, 10) + ")"
	if err := c.server.Control(context.Background(), "SELECT pg_advisory_lock"+key); err != nil {
		return err
	}
	err := do()
	if p.lost(c) {
		return err // and so is the lock
	}
	return errors.Join(err, c.server.Control(context.Background(), "SELECT pg_advisory_unlock"+key))
}

// emptyLog has nothing to do: the server's write-ahead log goes on to its archive and its copies, and is reused in time.
func (p *postgresEngine) emptyLog(*Tx) bool { return true }

// mark is of the transactions that the server has seen.
func (p *postgresEngine) mark(c *Tx) (int64, error) {
	return ScanID(c.QueryRow(`SELECT hashtextextended(CAST(pg_current_snapshot() AS text), 0)`))
}

func (p *postgresEngine) touch(c *Tx) error {
	_, err := c.Exec(`UPDATE familiar_schema SET upgraded_at = upgraded_at WHERE version = (SELECT max(version) FROM familiar_schema)`)
	return err
}

// makeViews sends all of them in one message. They may be made on any connection, outside of transactions that only read.
func (p *postgresEngine) makeViews(c *Tx, statements []string) error {
	script, _, err := postgres.Translate(strings.Join(statements, ";\n"), nil)
	if err != nil {
		return err
	}
	return c.server.Run(context.Background(), script)
}
