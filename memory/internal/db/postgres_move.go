package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"familiar/internal/sqlitecopy"
)

func (p *postgresEngine) primaryKey(c *Tx, table string) ([]string, error) {
	return Collect[string](c.Query(`SELECT a.attname FROM pg_index i JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k (att, n) ON true
		JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.att
		WHERE i.indisprimary AND i.indrelid = to_regclass(?) ORDER BY k.n`, p.within+"."+table))(ScanText)
}

// beginMove takes the references away and keeps the statements that make them again.
func (p *postgresEngine) beginMove(c *Tx) error {
	return p.inOne(c, func() error {
		if err := c.server.Run(context.Background(), `CREATE TABLE `+movingTable+` (statement text NOT NULL);
			INSERT INTO `+movingTable+` SELECT 'ALTER TABLE ' || k.conrelid::regclass || ' ADD CONSTRAINT ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid)
				FROM pg_constraint k WHERE k.contype = 'f' AND k.connamespace = to_regnamespace(current_schema())`); err != nil {
			return err
		}
		drops, err := Collect[string](c.Query(`SELECT 'ALTER TABLE ' || CAST(CAST(k.conrelid AS regclass) AS text) || ' DROP CONSTRAINT ' || quote_ident(k.conname)
			FROM pg_constraint k WHERE k.contype = 'f' AND k.connamespace = to_regnamespace(current_schema())`))(ScanText)
		if err != nil {
			return err
		}
		return p.runAll(c, drops)
	})
}

// endMove makes the references again, which checks them, and has the server count what the tables hold: plans that were made
// for empty tables read all of them.
func (p *postgresEngine) endMove(c *Tx) error {
	return p.inOne(c, func() error {
		statements, err := Collect[string](c.Query(`SELECT statement FROM ` + movingTable))(ScanText)
		if err != nil {
			return err
		}
		if err := p.runAll(c, append(statements, "DROP TABLE "+movingTable)); err != nil {
			return fmt.Errorf("make the references: %w", err)
		}
		tables, err := p.tables(c)
		if err != nil {
			return err
		}
		return p.runAll(c, []string{"ANALYZE " + strings.Join(tables, ", ")})
	})
}

func (p *postgresEngine) runAll(c *Tx, statements []string) error {
	c.closeRows()
	for _, s := range statements {
		if err := c.server.Run(context.Background(), s); err != nil {
			return err
		}
	}
	return nil
}

// inOne calls do in a transaction.
func (p *postgresEngine) inOne(c *Tx, do func() error) error {
	if err := c.server.Control(context.Background(), "BEGIN"); err != nil {
		return err
	}
	if err := do(); err != nil {
		return errors.Join(err, c.server.Control(context.Background(), "ROLLBACK"))
	}
	return c.server.Control(context.Background(), "COMMIT")
}

// backUp moves what one moment holds into a file.
func (p *postgresEngine) backUp(ctx context.Context, s *DB, dest string) (err error) {
	if _, err := os.Lstat(dest); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is a file already (%w)", cmp.Or(err, fs.ErrExist))
	}
	part := dest + ".part"
	defer func() {
		if err != nil {
			err = errors.Join(err, removeFile(part))
		}
	}()
	if err := removeFile(part); err != nil {
		return err
	}
	m, err := NewMover(ctx, s, part)
	if err != nil {
		return err
	}
	_, err = m.Pass(ctx, func(string, int64) {})
	if err == nil {
		err = m.Finish()
	}
	if err = errors.Join(err, m.Close()); err != nil { // closing writes the log into the file
		return err
	}
	if err := os.Rename(part, dest); err != nil {
		return err
	}
	return sqlitecopy.SyncDir(filepath.Dir(dest))
}

// removeFile removes what is left of a file that was not finished.
func removeFile(path string) error {
	var errs []error
	for _, end := range []string{"", "-wal", "-shm"} {
		errs = append(errs, IgnoreNotExist(os.Remove(path+end)))
	}
	return errors.Join(errs...)
}

// storable is what PostgreSQL stores of a value: texts without zero bytes, in UTF-8.
func (p *postgresEngine) storable(v any) any {
	if text, ok := v.(string); ok {
		return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", "\uFFFD"), "\uFFFD")
	}
	return v
}

// refuseMoving fails with ErrMoving if a memory is being moved into the schema.
func (p *postgresEngine) refuseMoving(c *Tx) error {
	var moving bool
	err := c.QueryRow(`SELECT to_regclass(?) IS NOT NULL`, movingTable).Scan(&moving)
	if err == nil && moving {
		err = movingError()
	}
	return err
}
