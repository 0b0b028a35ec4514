package db

import (
	"context"
	"database/sql"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// ids gives rows of write transactions their ids, which were taken from the server before, so that nobody waits for the id of a
// row. What a transaction leaves over is for the next one, unless another process has taken ids meanwhile: so ids stay in the
// order of the commits.
type ids struct {
	free map[string][]int64 // by table
	// used counts the ids that the running transaction has used, and usual those of the last one that used any.
	used, usual map[string]int
	// block is how many ids to take at once at least: it grows as long as no other process takes any.
	block map[string]int
	// checked are the tables whose free ids are compared with the server's, and more has what is taken, at the beginning of a
	// transaction.
	checked []string
	more    []taking

	forms map[string]insertion // by the text of a statement
}

// taking is how many ids are taken for a table.
type taking struct {
	table string
	n     int
}

func newIDs() ids {
	return ids{free: map[string][]int64{}, used: map[string]int{}, usual: map[string]int{}, block: map[string]int{}, forms: map[string]insertion{}}
}

const (
	// maxIDs bounds the ids that are taken at once for a table.
	maxIDs = 64
	// sequence ends the name of what gives out a table's ids.
	sequence = "_id_seq"
	takeIDs  = `SELECT nextval(to_regclass(?)) FROM generate_series(1, ?)`
	lastTake = `pg_sequence_last_value(to_regclass(?))`
)

// prefetchIDs asks, when a transaction begins, what readIDs reads.
func (c *Tx) prefetchIDs() error {
	i := &c.ids
	maps.Copy(i.usual, i.used)
	clear(i.used)
	maps.DeleteFunc(i.free, func(_ string, free []int64) bool { return len(free) == 0 })
	i.checked, i.more = slices.Sorted(maps.Keys(i.free)), i.more[:0]
	ctx := context.Background()
	if len(i.checked) > 0 {
		if err := c.server.Prefetch(ctx, i.check(), i.sequences()...); err != nil {
			return err
		}
	}
	for _, table := range slices.Sorted(maps.Keys(i.usual)) {
		if n := i.missing(table); n > 0 {
			i.more = append(i.more, taking{table, n})
			if err := c.server.Prefetch(ctx, takeIDs, table+sequence, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// check is a query for the ids that were given out last.
func (i *ids) check() string {
	return "SELECT " + lastTake + strings.Repeat(", "+lastTake, len(i.checked)-1)
}

func (i *ids) sequences() (names []any) {
	for _, table := range i.checked {
		names = append(names, table+sequence)
	}
	return names
}

// missing is how many ids to take for a table, 0 or less if enough are free.
func (i *ids) missing(table string) int {
	usual := max(i.usual[table], i.used[table], 1)
	if len(i.free[table]) >= usual {
		return 0
	}
	return min(max(usual, i.block[table]), maxIDs) - len(i.free[table])
}

// readIDs forgets the ids that are free no more, and takes more where too few were free.
func (c *Tx) readIDs() error {
	i := &c.ids
	if len(i.checked) > 0 {
		last, targets := make([]sql.NullInt64, len(i.checked)), make([]any, len(i.checked))
		for n := range last {
			targets[n] = &last[n]
		}
		if err := c.QueryRow(i.check(), i.sequences()...).Scan(targets...); err != nil {
			return err
		}
		for n, table := range i.checked {
			if free := i.free[table]; free[len(free)-1] != last[n].Int64 {
				delete(i.free, table)
				i.block[table] = 0 // there is another process that writes
			}
		}
	}
	for _, m := range i.more {
		if err := c.takeIDs(m); err != nil {
			return err
		}
	}
	return nil
}

func (c *Tx) takeIDs(m taking) error {
	more, err := Collect[int64](c.Query(takeIDs, m.table+sequence, m.n))(ScanID)
	c.ids.free[m.table] = append(c.ids.free[m.table], more...)
	c.ids.block[m.table] = min(2*max(m.n, c.ids.block[m.table]), maxIDs)
	return err
}

// ensureIDs takes ids for a table if none are free.
func (c *Tx) ensureIDs(table string) error {
	if len(c.ids.free[table]) > 0 {
		return nil
	}
	return c.takeIDs(taking{table, c.ids.missing(table)})
}

// nextID returns an id for a new row of a table.
func (c *Tx) nextID(table string) (int64, error) {
	if err := c.ensureIDs(table); err != nil {
		return 0, err
	}
	c.ids.used[table]++
	id := c.ids.free[table][0]
	c.ids.free[table] = c.ids.free[table][1:]
	return id, nil
}

// spoil forgets the free ids of a table if a statement may give its rows higher ones.
func (i *ids) spoil(query string) {
	if table := i.form(query).table; table != "" {
		delete(i.free, table)
	}
}

// insertion is an INSERT: its table, and its text with a column for the id before the others, "" where that is not possible.
type insertion struct{ table, withID string }

// form returns what a statement inserts.
func (i *ids) form(query string) insertion {
	f, ok := i.forms[query]
	if !ok {
		f = readInsertion(query)
		i.forms[query] = f
	}
	return f
}

var (
	anInsert = regexp.MustCompile(`(?i)\bINSERT INTO (\w+)`)
	// oneRow is an INSERT of one row: its table, its columns and its values.
	oneRow = regexp.MustCompile(`^INSERT INTO (\w+) ?\(([\w, ]+)\) VALUES \((.*)\)$`)
)

func readInsertion(query string) insertion {
	query = strings.Join(strings.Fields(query), " ")
	table := anInsert.FindStringSubmatch(query)
	if table == nil {
		return insertion{}
	}
	m := oneRow.FindStringSubmatch(query)
	if m == nil || strings.Contains(query, " ON CONFLICT ") || strings.Contains(query, "?1") || slices.Contains(strings.Split(m[2], ", "), "id") {
		return insertion{table: table[1]}
	}
	return insertion{m[1], "INSERT INTO " + m[1] + " (id, " + m[2] + ") VALUES (?, " + m[3] + ")"}
}
