package db

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrMoving reports a database into which a memory is being moved: it is not whole yet.
var ErrMoving = errors.New("a memory is being moved into this database")

// ErrNotEmpty reports a database that already has a memory.
var ErrNotEmpty = errors.New("the database already holds a memory: choose an empty one")

// Moved counts what Move did.
type Moved struct {
	// Rows is how many rows the memory has.
	Rows int64
	// Copied is how many were new or different, and Removed how many were in the other database only.
	Copied, Removed int64
}

// movingTable marks a database into which a memory is being moved. Its rows are statements that make it whole.
const movingTable = "familiar_moving"

// moveBatch is how many rows are read and compared at a time.
const moveBatch = 2000

// Mover copies a memory into another database, of either engine. It compares row by row and copies what differs, so it can be
// interrupted, and continued later with a new Mover: what was copied is not copied again.
type Mover struct {
	from *DB
	to   engine
	c    *Tx // to the other database
}

// NewMover opens the database at an address, and makes its tables. It fails with ErrNotEmpty if there is another memory in it. Until
// Finish, opening that database fails with ErrMoving.
func NewMover(ctx context.Context, from *DB, address string) (m *Mover, err error) {
	to, err := newEngine(address, Options{BusyTimeout: defaultBusyTimeout, Now: from.Now})
	if err != nil {
		return nil, fmt.Errorf("open the database to move to: %w", err)
	}
	m = &Mover{from: from, to: to}
	if err := m.open(ctx); err != nil {
		err = errors.Join(err, m.Close())
		return nil, fmt.Errorf("open the database to move to, %s: %w", to.address(), to.explain(err))
	}
	return m, nil
}

func (m *Mover) open(ctx context.Context) (err error) {
	err = m.to.prepare(ctx, copyBeside(m.to.address(), m.from.Now), releasedMigrations)
	if err != nil && !errors.Is(err, ErrMoving) {
		return err
	}
	moving := err != nil
	if m.c, err = m.to.connect(ctx, upgrading, nil); err != nil || moving {
		return err
	}
	var rows int64
	if rows, err = m.countRows(); err != nil {
		return err
	}
	if rows > 0 {
		return ErrNotEmpty
	}
	return m.to.beginMove(m.c)
}

func (m *Mover) countRows() (rows int64, err error) {
	tables, err := m.tables()
	for _, table := range tables {
		n, err := ScanID(m.c.QueryRow("SELECT count(*) FROM " + quoteName(table)))
		if err != nil {
			return 0, err
		}
		rows += n
	}
	return rows, err
}

// tables lists what is moved.
func (m *Mover) tables() ([]string, error) {
	tables, err := m.to.tables(m.c)
	return slices.DeleteFunc(tables, func(name string) bool { return name == movingTable }), err
}

// Pass copies what differs now, and tells progress of each table. The memory may be in use meanwhile: the pass sees it at one point
// in time. A pass after which nothing was copied or removed has compared every row.
func (m *Mover) Pass(ctx context.Context, progress func(table string, rows int64)) (done Moved, err error) {
	source, err := m.from.engine.connect(ctx, reading, m.from.engine.patient)
	if err != nil {
		return done, fmt.Errorf("read the memory: %w", m.from.engine.explain(err))
	}
	defer func() { err = errors.Join(err, source.close()) }()
	if err := m.from.engine.beginRead(source); err != nil {
		return done, fmt.Errorf("read the memory: %w", m.from.engine.explain(err))
	}
	tables, err := m.tables()
	if err != nil {
		return done, err
	}
	for _, table := range tables {
		t, err := newMovedTable(ctx, m, source, table)
		if err == nil {
			err = t.run()
		}
		if err != nil {
			return done, fmt.Errorf("move %s: %w", table, m.to.explain(err))
		}
		done.Rows, done.Copied, done.Removed = done.Rows+t.rows, done.Copied+t.copied, done.Removed+t.removed
		progress(table, t.rows)
	}
	return done, m.moveIDs(source, tables)
}

// moveIDs has the other database give out ids above all that this one has given out: they are never given out again.
func (m *Mover) moveIDs(source *Tx, tables []string) error {
	for _, table := range tables {
		columns, err := m.to.columns(m.c, table)
		m.c.closeRows()
		if err != nil {
			return err
		}
		if columns[0] != "id" {
			continue
		}
		last, err := source.LastID(table)
		if err == nil && last > 0 {
			err = m.c.ReserveIDs(table, last)
		}
		if err != nil {
			return fmt.Errorf("move the highest id of %s: %w", table, err)
		}
	}
	return nil
}

// Finish checks that every reference leads somewhere, and makes the other database one that can be opened.
func (m *Mover) Finish() error {
	if err := m.to.endMove(m.c); err != nil {
		return fmt.Errorf("finish the move to %s: %w", m.to.address(), m.to.explain(err))
	}
	return nil
}

// Close closes the other database.
func (m *Mover) Close() error {
	if m.c == nil {
		return nil
	}
	return m.c.close()
}

// movedTable is one table on its way.
type movedTable struct {
	ctx     context.Context
	source  *Tx
	target  *Tx
	to      engine
	name    string
	columns []string
	key     []int // the columns of the primary key; none for a table of few rows without one
	rows    int64
	copied  int64
	removed int64
}

func newMovedTable(ctx context.Context, m *Mover, source *Tx, name string) (*movedTable, error) {
	t := &movedTable{ctx: ctx, source: source, target: m.c, to: m.to, name: name}
	var err error
	if t.columns, err = m.to.columns(m.c, name); err != nil {
		return nil, err
	}
	m.c.closeRows()
	key, err := m.to.primaryKey(m.c, name)
	m.c.closeRows()
	for _, column := range key {
		t.key = append(t.key, slices.Index(t.columns, column))
	}
	return t, err
}

// run compares batch by batch in the order of the key. A batch ends with a row of this memory; the last one has no end.
func (t *movedTable) run() error {
	var after []any
	for {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		batch, err := t.read(t.source, after, nil, moveBatch)
		if err != nil {
			return fmt.Errorf("read the memory: %w", err)
		}
		var last []any
		if len(batch) == moveBatch && len(t.key) > 0 {
			last = t.keyOf(batch[len(batch)-1])
		}
		if err := t.replace(batch, after, last); err != nil {
			return err
		}
		if t.rows += int64(len(batch)); last == nil {
			return nil
		}
		after = last
	}
}

// replace makes the rows of the other database between two keys the same as batch, in one transaction.
func (t *movedTable) replace(batch [][]any, after, last []any) error {
	there, err := t.read(t.target, after, last, -1)
	if err != nil {
		return err
	}
	add, remove := t.compare(batch, there)
	if len(add) == 0 && len(remove) == 0 {
		return nil
	}
	if _, err := t.target.Exec("BEGIN"); err != nil {
		return err
	}
	err = t.apply(add, remove)
	if err == nil {
		_, err = t.target.Exec("COMMIT")
	}
	if err != nil {
		if t.to.inTransaction(t.target) {
			_, undo := t.target.Exec("ROLLBACK")
			err = errors.Join(err, undo)
		}
		return err
	}
	t.copied, t.removed = t.copied+int64(len(add)), t.removed+int64(len(remove))
	return nil
}

// compare returns the rows to add and those to remove. A row that changed is in both.
func (t *movedTable) compare(batch, there [][]any) (add, remove [][]any) {
	have := make(map[string]int, len(there))
	for i, row := range there {
		have[fingerprint(row)] = i
	}
	kept := make([]bool, len(there))
	for _, row := range batch {
		if i, ok := have[fingerprint(row)]; ok && !kept[i] {
			kept[i] = true
			continue
		}
		add = append(add, row)
	}
	for i, row := range there {
		if !kept[i] {
			remove = append(remove, row)
		}
	}
	return add, remove
}

// fingerprint is a text that only equal rows share.
func fingerprint(row []any) string {
	var b strings.Builder
	for _, v := range row {
		if text, ok := v.([]byte); ok {
			v = string(text)
		}
		fmt.Fprintf(&b, "%T %q,", v, fmt.Sprint(v))
	}
	return b.String()
}

func (t *movedTable) apply(add, remove [][]any) error {
	if len(t.key) == 0 && len(remove) > 0 {
		return errors.New("it has no primary key and holds other rows")
	}
	for _, row := range remove {
		if _, err := t.target.Exec("DELETE FROM "+quoteName(t.name)+" WHERE "+t.keyIs("="), t.keyOf(row)...); err != nil {
			return err
		}
	}
	quoted := make([]string, len(t.columns))
	for i, c := range t.columns {
		quoted[i] = quoteName(c)
	}
	return t.target.InsertRows(quoteName(t.name)+" ("+strings.Join(quoted, ", ")+")", add)
}

// read reads up to limit rows with keys above after and not above last, nil for no bound; all for a negative limit.
func (t *movedTable) read(c *Tx, after, last []any, limit int) (rows [][]any, err error) {
	var where Conditions
	if after != nil {
		where.And(t.keyIs(">"), after...)
	}
	if last != nil {
		where.And(t.keyIs("<="), last...)
	}
	quoted := make([]string, len(t.columns))
	for i, name := range t.columns {
		quoted[i] = quoteName(name)
	}
	query := "SELECT " + strings.Join(quoted, ", ") + " FROM " + quoteName(t.name) + " WHERE " + where.String()
	if len(t.key) > 0 {
		query += " ORDER BY " + strings.Join(t.keyColumns(), ", ")
	}
	args := where.Args
	if limit >= 0 && len(t.key) > 0 {
		query, args = query+" LIMIT ? + 0", append(slices.Clone(args), limit)
	}
	defer c.closeRows()
	return Collect[[]any](c.Query(query, args...))(func(row Scanner) ([]any, error) {
		values, into := make([]any, len(t.columns)), make([]any, len(t.columns))
		for i := range values {
			into[i] = &values[i]
		}
		err := row.Scan(into...)
		for i, v := range values {
			values[i] = t.to.storable(v)
		}
		return values, err
	})
}

func (t *movedTable) keyColumns() []string {
	names := make([]string, len(t.key))
	for i, column := range t.key {
		names[i] = quoteName(t.columns[column])
	}
	return names
}

// keyIs is a condition on the key, with a parameter for each of its columns.
func (t *movedTable) keyIs(relation string) string {
	return "(" + strings.Join(t.keyColumns(), ", ") + ") " + relation + " (?" + strings.Repeat(", ?", len(t.key)-1) + ")"
}

func (t *movedTable) keyOf(row []any) []any {
	key := make([]any, len(t.key))
	for i, column := range t.key {
		key[i] = row[column]
	}
	return key
}
