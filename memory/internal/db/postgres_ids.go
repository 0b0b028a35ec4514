package db

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// ids gives rows of write transactions their ids, which were taken from the server before, so that nobody waits for the id of a
// row. What a transaction leaves over is for the next one, unless another process has begun to write meanwhile: so ids stay in the
// order of the commits.
type ids struct {
	free map[string][]int64 // by table
	// used counts the ids that the running transaction has used, and usual those of the last one that used any.
	used, usual map[string]int
	// block is how many ids to take at once at least: it grows as long as no other process writes.
	block map[string]int
	// more has what is taken at the beginning of a transaction.
	more []taking
	// voided are the tables of more whose ids must not be used.
	voided []string
	// turn is the last number that this connection took from familiar_writers.
	turn int64

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
)

// takingIDs is a query that takes ids for tables, and its arguments. Its rows have the place of the table in all, and an id. The names
// are part of the text, since finding a sequence by its name takes the server longer than the rest. They stand before the first FROM, so
// that no statement that changes the tables makes the driver forget prefetched ids.
func takingIDs(all []taking) (query string, args []any) {
	var sequences strings.Builder
	counts := make([]string, len(all))
	for i, t := range all {
		fmt.Fprintf(&sequences, " WHEN %d THEN nextval('%s%s')", i, t.table, sequence)
		counts[i] = fmt.Sprintf("SELECT %d AS place FROM generate_series(1, ?)", i)
		args = append(args, t.n)
	}
	return "SELECT place, CASE place" + sequences.String() + " END FROM (" + strings.Join(counts, " UNION ALL ") + ") t", args
}

// prefetchIDs asks, when a transaction begins, for what readIDs reads.
func (c *Tx) prefetchIDs() error {
	i := &c.ids
	if !c.alone {
		i.voidAll()
	}
	maps.Copy(i.usual, i.used)
	clear(i.used)
	i.more, i.voided = i.more[:0], i.voided[:0]
	for _, table := range slices.Sorted(maps.Keys(i.usual)) {
		if n := i.missing(table); n > 0 {
			i.more = append(i.more, taking{table, n})
		}
	}
	if len(i.more) == 0 {
		return nil
	}
	query, args := takingIDs(i.more)
	return c.server.Prefetch(context.Background(), query, args...)
}

// voidAll forgets all free ids: another process may have given out higher ones.
func (i *ids) voidAll() {
	clear(i.free)
	clear(i.block)
}

// missing is how many ids to take for a table, 0 or less if enough are free.
func (i *ids) missing(table string) int {
	usual := max(i.usual[table], i.used[table], 1)
	if len(i.free[table]) >= usual {
		return 0
	}
	return min(max(usual, i.block[table]), maxIDs) - len(i.free[table])
}

// readIDs takes ids where too few were free. turn is what the transaction took from familiar_writers: another number than before
// means that another process has begun to write.
func (c *Tx) readIDs(turn int64) error {
	i := &c.ids
	c.alone, i.turn = turn == i.turn, turn
	if !c.alone {
		i.voidAll()
	}
	if len(i.more) == 0 {
		return nil
	}
	return c.takeIDs(i.more)
}

// takeIDs takes ids for tables, and drops those that were voided since they were asked for.
func (c *Tx) takeIDs(more []taking) error {
	query, args := takingIDs(more)
	_, err := Collect[struct{}](c.Query(query, args...))(func(row Scanner) (none struct{}, err error) {
		var place, id int64
		if err := row.Scan(&place, &id); err != nil {
			return none, err
		}
		table := more[place].table
		if !slices.Contains(c.ids.voided, table) {
			c.ids.free[table] = append(c.ids.free[table], id)
		}
		return none, nil
	})
	for _, m := range more {
		c.ids.block[m.table] = min(2*max(m.n, c.ids.block[m.table]), maxIDs)
	}
	return err
}

// ensureIDs takes ids for a table if none are free.
func (c *Tx) ensureIDs(table string) error {
	if len(c.ids.free[table]) > 0 {
		return nil
	}
	c.ids.voided = c.ids.voided[:0]
	return c.takeIDs([]taking{{table, c.ids.missing(table)}})
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
		i.void(table)
	}
}

// void forgets the free ids of a table, and those that are asked for.
func (i *ids) void(table string) {
	delete(i.free, table)
	if !slices.Contains(i.voided, table) {
		i.voided = append(i.voided, table)
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
