package db

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
)

// SalvagedTable counts what was saved of one table.
type SalvagedTable struct {
	Table string
	// Saved rows are in the new file.
	Saved int64
	// Lost rows could not be read. If Exact is false they could not be counted either, and Lost is how many there were at
	// most, by the numbers of their neighbours; -1 if nobody can tell.
	Lost  int64
	Exact bool
	// Dependent rows could be read, but what they refer to is lost, so they were left out.
	Dependent int64
}

// Salvage reads row by row what the damaged file at from, which must be a copy, still holds, skips what cannot be read, and
// writes the rows into a new file at to with the same schema. The new file passes Inspect: rows whose parent is lost are left
// out, since nothing may be known that does not lead back to who said it. It fails with ErrCorrupt if the file's first page,
// which says where its tables are, cannot be read.
func Salvage(ctx context.Context, from, to string) (all []SalvagedTable, err error) {
	version, err := identify(ctx, from)
	if err != nil {
		return nil, fmt.Errorf("nothing of it can be read: %w", damaged(err))
	}
	steps, err := loadMigrations(releasedMigrations)
	if err != nil {
		return nil, err
	}
	whole, err := loadWhole(releasedMigrations)
	if err != nil {
		return nil, err
	}
	if version < 1 || version > len(steps) {
		return nil, newerError(version, len(steps))
	}
	source, err := openConn(ctx, from, inspecting, defaultBusyTimeout)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.close()) }()
	if _, err := source.Exec("PRAGMA cell_size_check = ON"); err != nil { // finds damage that would read as nonsense
		return nil, err
	}
	saved, err := openConn(ctx, to, upgrading, defaultBusyTimeout)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, saved.close()) }()
	if err := applyAll(ctx, saved, whole, steps[:version]); err != nil {
		return nil, err
	}
	return (&salvage{ctx: ctx, from: source, to: saved}).run()
}

// salvage copies rows from a damaged file to a new one.
type salvage struct {
	ctx      context.Context
	from, to *Tx
}

func (s *salvage) run() (all []SalvagedTable, err error) {
	tables, err := tableNames(s.to)
	if err != nil {
		return nil, err
	}
	if _, err := s.to.Exec("BEGIN IMMEDIATE"); err != nil {
		return nil, err
	}
	for _, table := range tables {
		t, err := s.newTable(table)
		if err == nil {
			err = t.copyRows()
		}
		if err != nil {
			return nil, fmt.Errorf("save the rows of %s: %w", table, err)
		}
		all = append(all, t.count())
	}
	if err := s.keepSequences(); err != nil {
		return nil, err
	}
	if err := s.dropDependent(all); err != nil {
		return nil, err
	}
	_, err = s.to.Exec("COMMIT")
	return all, err
}

// keepSequences keeps the numbers of lost rows from being given to new ones.
func (s *salvage) keepSequences() error {
	rows, err := s.from.Query("SELECT name, seq FROM sqlite_sequence")
	if err != nil {
		return nil //nolint:nilerr // then the saved rows say what comes next
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var seq int64
		if rows.Scan(&name, &seq) != nil {
			continue // a damaged row
		}
		n, err := s.to.Affect("UPDATE sqlite_sequence SET seq = max(seq, ?1) WHERE name = ?2", seq, name)
		if err == nil && n == 0 {
			_, err = s.to.Exec("INSERT INTO sqlite_sequence (name, seq) SELECT ?, ? WHERE EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1)", name, seq)
		}
		if err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil && !isCorrupt(err) {
		return err
	}
	return nil
}

// dropDependent removes rows whose parent is lost, and what depends on those, and counts them.
func (s *salvage) dropDependent(all []SalvagedTable) error {
	for again := true; again; {
		again = false
		for i := range all {
			conditions, err := s.missingParents(all[i].Table)
			if err != nil {
				return err
			}
			for _, missing := range conditions {
				n, err := s.to.Affect("DELETE FROM " + quoteName(all[i].Table) + " AS child WHERE " + missing)
				if err != nil {
					return fmt.Errorf("leave out rows of %s whose parent is lost: %w", all[i].Table, err)
				}
				all[i].Saved, all[i].Dependent, again = all[i].Saved-n, all[i].Dependent+n, again || n > 0
			}
		}
	}
	return nil
}

// missingParents returns, for each foreign key of a table, the condition under which the parent of a row is missing.
func (s *salvage) missingParents(table string) (conditions []string, err error) {
	rows, err := s.to.Query(`SELECT id, k."table", k."from", coalesce(k."to", (SELECT name FROM pragma_table_info(k."table") WHERE pk = 1))
		FROM pragma_foreign_key_list(?) k ORDER BY id, seq`, table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	last := -1
	var given, same []string
	var parent string
	flush := func() {
		if last >= 0 {
			conditions = append(conditions, strings.Join(given, " AND ")+" AND NOT EXISTS (SELECT 1 FROM "+quoteName(parent)+" AS parent WHERE "+
				strings.Join(same, " AND ")+")")
		}
		given, same = nil, nil
	}
	for rows.Next() {
		var id int
		var of, from, to string
		if err := rows.Scan(&id, &of, &from, &to); err != nil {
			return nil, err
		}
		if id != last {
			flush()
			last, parent = id, of
		}
		given = append(given, "child."+quoteName(from)+" IS NOT NULL")
		same = append(same, "parent."+quoteName(to)+" = child."+quoteName(from))
	}
	flush()
	return conditions, rows.Err()
}

// unknownRows is the number of rows that nobody can tell.
const unknownRows = math.MinInt64
