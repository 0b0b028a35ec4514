package db

import (
	"database/sql"
	"errors"
	"math"
	"strings"
)

// salvageTable copies the rows of one table.
type salvageTable struct {
	*salvage
	name string
	// columns and key list the columns for a SELECT; the key is the rowid, or the primary key of a table without one.
	columns, key string
	width        int
	hasRowID     bool
	insert       string

	saved int64
	// gaps is how many rowids were skipped, unknownRows if the end of the table cannot be reached.
	gaps int64
}

func (s *salvage) newTable(name string) (*salvageTable, error) {
	t := &salvageTable{salvage: s, name: name}
	columns, err := Collect[string](s.to.Query(`SELECT name FROM pragma_table_info(?) ORDER BY cid`, name))(ScanText)
	if err != nil {
		return nil, err
	}
	keys, err := Collect[string](s.to.Query(`SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk`, name))(ScanText)
	if err != nil {
		return nil, err
	}
	var without int
	if err := s.to.QueryRow(`SELECT wr FROM pragma_table_list WHERE name = ? AND schema = 'main'`, name).Scan(&without); err != nil {
		return nil, err
	}
	t.hasRowID, t.width = without == 0, len(columns)
	t.columns, t.key = quoteNames(columns), quoteNames(keys)
	target := t.columns
	if t.hasRowID {
		t.columns, target, t.key, t.width = "rowid, "+t.columns, "rowid, "+target, "rowid", t.width+1
	}
	t.insert = "INSERT OR IGNORE INTO " + quoteName(name) + " (" + target + ") VALUES (?" + strings.Repeat(", ?", t.width-1) + ")"
	return t, nil
}

func quoteNames(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quoteName(name)
	}
	return strings.Join(quoted, ", ")
}

// copyRows copies every row that can be read.
func (t *salvageTable) copyRows() error {
	if t.hasRowID {
		return t.copyByRowID()
	}
	// Such a table can be read from both ends, up to the damage.
	err := t.copyFrom("ORDER BY "+t.key, nil)
	if isDamage(err) {
		t.gaps = unknownRows
		err = t.copyFrom("ORDER BY "+strings.ReplaceAll(t.key, ",", " DESC,")+" DESC", nil)
	}
	if isDamage(err) {
		return nil
	}
	return err
}

// copyByRowID copies in the order of rowids and jumps over what cannot be read.
func (t *salvageTable) copyByRowID() error {
	from := int64(math.MinInt64)
	for {
		began, last := from, from-1
		if from == math.MinInt64 {
			last = from
		}
		// A comparison with > would look for the row before, which may be on the damaged page.
		err := t.copyFrom("WHERE rowid >= ? ORDER BY rowid", &last, from)
		if !isDamage(err) {
			return err
		}
		if from = last + 1; last == math.MinInt64 {
			from = 1 // no row was read; numbers begin here
		}
		next, ok, err := t.findFrom(from)
		if err != nil {
			return err
		}
		if !ok {
			t.gaps = unknownRows
			return nil
		}
		if next <= began { // it can be found and not be read
			next = began + 1
		}
		if t.gaps != unknownRows {
			t.gaps += next - from
		}
		from = next
	}
}

// errDisorder reports a tree whose rows are not in order: it is damaged without SQLite noticing.
var errDisorder = errors.New("the rows are not in order")

// isDamage reports whether an error means that something cannot be read.
func isDamage(err error) bool { return isCorrupt(err) || errors.Is(err, errDisorder) }

// copyFrom copies rows until the end or an error. last, if not nil, is set to the rowid of each copied row.
func (t *salvageTable) copyFrom(rest string, last *int64, args ...any) error {
	rows, err := t.from.c.QueryContext(t.ctx, "SELECT "+t.columns+" FROM "+quoteName(t.name)+" NOT INDEXED "+rest, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	values, into := make([]any, t.width), make([]any, t.width)
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if last != nil {
			id, ok := values[0].(int64)
			if !ok || id <= *last {
				return errDisorder
			}
			*last = id
		}
		n, err := t.to.Affect(t.insert, values...)
		if err != nil {
			return err
		}
		t.saved += n
	}
	return rows.Err()
}

// findFrom returns the first rowid from one on at which rows can be read again. It doubles its steps until a read succeeds and
// then halves the distance, since a damaged page holds a range of rowids. ok is false if nothing more can be read.
func (t *salvageTable) findFrom(from int64) (next int64, ok bool, err error) {
	bad, good := from-1, int64(0)
	try := func(at int64) (readable bool, err error) {
		id, found, err := t.probe(at)
		switch {
		case isDamage(err):
			bad = at
			return false, nil
		case err != nil:
			return false, err
		}
		if good = at; found { // otherwise it is behind the last row, and a readable row may still lie before
			next, ok = id, true
		}
		return true, nil
	}
	for at, step := from, int64(1); ; at, step = at+step, step*2 {
		if at > math.MaxInt64/4 {
			return 0, false, nil
		}
		if readable, err := try(at); err != nil {
			return 0, false, err
		} else if readable {
			break
		}
	}
	for bad+1 < good {
		if _, err := try(bad + (good-bad)/2); err != nil {
			return 0, false, err
		}
	}
	return next, ok, nil
}

// probe reads the first row from a rowid on.
func (t *salvageTable) probe(from int64) (id int64, found bool, err error) {
	values, into := make([]any, t.width), make([]any, t.width)
	for i := range values {
		into[i] = &values[i]
	}
	err = t.from.c.QueryRowContext(t.ctx, "SELECT "+t.columns+" FROM "+quoteName(t.name)+" NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT 1", from).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	id, ok := values[0].(int64)
	if !ok || id < from {
		return 0, false, errDisorder
	}
	return id, true, nil
}

// count says what was saved and lost. An index often still counts the rows of a damaged table.
func (t *salvageTable) count() SalvagedTable {
	done := SalvagedTable{Table: t.name, Saved: t.saved, Lost: -1}
	var total int64
	if err := t.from.QueryRow("SELECT count(*) FROM " + quoteName(t.name)).Scan(&total); err == nil && total >= t.saved {
		done.Lost, done.Exact = total-t.saved, true
	} else if t.gaps != unknownRows {
		done.Lost = t.gaps
	}
	return done
}
