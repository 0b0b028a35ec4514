package transfer

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"familiar/memory/internal/db"
	"familiar/memory/log"
)

const (
	// exportFormat is the format name in an export's first line, exportVersion its version.
	exportFormat  = "familiar-memory"
	exportVersion = 1
	// endKind is the kind of the last line, which contains the number of records. A truncated file lacks it.
	endKind = "end"
)

// ExportOptions narrow an export. The zero value exports everything.
type ExportOptions struct {
	// Person limits the export to one person's data: what was said in their direct rooms and by them elsewhere, what
	// was derived from it, and what the operator told about them. Of their groups it includes only that they have
	// spoken there.
	Person int64
}

// Counts is the number of records of an export or import by kind.
type Counts map[string]int

// Kinds returns the kinds with records, in export order.
func (t Counts) Kinds() []string {
	var names []string
	for _, k := range recordKinds {
		if t[k.name] > 0 {
			names = append(names, k.name)
		}
	}
	return names
}

// Export writes people, rooms, messages, memories, beliefs and everything else that belongs to people as JSON Lines to
// w, as of one point in time; docs/export.md describes the records. The same contents give the same bytes. Internal
// data is left out: pending messages, usage, job runs. It fails with ErrNotFound for an unknown person.
func (s *Store) Export(ctx context.Context, w io.Writer, o ExportOptions) (Counts, error) {
	e := exporter{out: bufio.NewWriter(w), person: o.Person, rows: map[string][]int64{}, counts: Counts{}}
	err := s.db.Read(ctx, "export the memory", func(tx *db.Tx) error {
		e.Tx = tx
		if o.Person != 0 {
			if _, err := log.Person(tx, o.Person); err != nil {
				return fmt.Errorf("person %d: %w", o.Person, err)
			}
		}
		return e.run(ctx)
	})
	return e.counts, err
}

// exporter is the state of one Export call.
type exporter struct {
	*db.Tx
	out    *bufio.Writer
	person int64
	// rows are the IDs of the rows written so far, by kind, ascending. A row's record number is its position.
	rows   map[string][]int64
	counts Counts
	total  int
}

func (e *exporter) run(ctx context.Context) error {
	if err := e.line(map[string]any{"format": exportFormat, "version": exportVersion}); err != nil {
		return err
	}
	for _, k := range recordKinds {
		if err := e.kind(ctx, k); err != nil {
			return fmt.Errorf("%s: %w", k.table, err)
		}
	}
	if err := e.line(map[string]any{"kind": endKind, "records": e.total}); err != nil {
		return err
	}
	return e.out.Flush()
}

// line writes one line. The keys are sorted, as JSON encodes maps.
func (e *exporter) line(record map[string]any) error {
	text, err := lineOf(record)
	if err == nil {
		_, err = e.out.Write(text)
	}
	return err
}

func lineOf(record map[string]any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(record)
	return b.Bytes(), err
}

// kind writes the rows of one kind, merging in the rows of its subtables, which are read in the same order.
func (e *exporter) kind(ctx context.Context, k recordKind) error {
	beside, err := e.parts(k)
	if err != nil {
		return err
	}
	rows, err := e.Tx.Query(k.selection(e.person != 0), e.args()...)
	if err != nil {
		return err
	}
	defer rows.Close()
	var late [][]byte // of a kind with sorted records
	for rows.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		record, err := e.record(k, rows, beside)
		if errors.Is(err, errNotCarried) {
			continue
		}
		if err != nil {
			return err
		}
		text, err := lineOf(record)
		if err != nil {
			return err
		}
		e.counts[k.name]++
		e.total++
		if k.sorted {
			late = append(late, text)
		} else if _, err := e.out.Write(text); err != nil {
			return err
		}
	}
	slices.SortFunc(late, bytes.Compare)
	for _, text := range late {
		if _, err := e.out.Write(text); err != nil {
			return err
		}
	}
	return rows.Err()
}

// parts opens the rows of a kind's subtables, each at its first row.
func (e *exporter) parts(k recordKind) ([]*partRows, error) {
	beside := make([]*partRows, len(k.parts))
	for i, p := range k.parts {
		rows, err := e.Tx.Query(p.selection()) //nolint:rowserrcheck // next checks Err
		if err != nil {
			return nil, err
		}
		beside[i] = &partRows{subtable: p, rows: rows}
		if err := beside[i].next(); err != nil {
			return nil, err
		}
	}
	return beside, nil
}

func (e *exporter) args() []any {
	if e.person == 0 {
		return nil
	}
	return []any{e.person}
}

// record builds the record of the current row, with its subtables.
func (e *exporter) record(k recordKind, rows *sql.Rows, beside []*partRows) (map[string]any, error) {
	names := k.selected()
	values, err := scanValues(rows, len(names))
	if err != nil {
		return nil, err
	}
	record := map[string]any{"kind": k.name}
	carried := values
	if len(k.identity) > 0 {
		carried = values[1:]
	}
	if err := e.fill(record, k.columns, carried); err != nil {
		return nil, err
	}
	if len(k.identity) == 0 {
		return record, nil
	}
	for _, b := range beside {
		if err := e.part(record, b, values[0].(int64)); err != nil {
			return nil, err
		}
	}
	e.rows[k.name] = append(e.rows[k.name], values[0].(int64))
	record["id"] = len(e.rows[k.name])
	return record, nil
}

// fill writes the values of columns to a record.
func (e *exporter) fill(record map[string]any, columns []column, values []any) error {
	for i, c := range columns {
		v, err := c.encode(values[i], e.number)
		if err != nil {
			return err
		}
		if v != nil {
			record[c.key] = v
		}
	}
	return nil
}

// number returns the record number of a row.
func (e *exporter) number(of string, id int64) (int64, bool) {
	i, found := slices.BinarySearch(e.rows[of], id)
	return int64(i + 1), found
}

// part adds the subtable's rows of one owner to the record.
func (e *exporter) part(record map[string]any, b *partRows, owner int64) error {
	var list []any
	var rests sourceCount
	for !b.done && b.owner <= owner {
		if b.owner == owner {
			item := map[string]any{}
			err := e.fill(item, b.columns, b.values)
			lost := errors.Is(err, errNotCarried)
			if err != nil && !lost {
				return err
			}
			rests.count(b.subtable, b.values, lost)
			switch {
			case lost:
			case len(b.columns) == 1:
				list = append(list, item[b.columns[0].key])
			default:
				list = append(list, item)
			}
		}
		if err := b.next(); err != nil {
			return err
		}
	}
	if !rests.enough(b.subtable) {
		return errNotCarried
	}
	if b.within != "" {
		list = within(list, record[b.within], b.columns[0].key)
	}
	if len(list) > 0 {
		record[b.key] = list
	}
	return nil
}

// within keeps the items of list whose value under key also occurs in items.
func within(list []any, items any, key string) []any {
	kept := map[any]bool{}
	rows, _ := items.([]any)
	for _, row := range rows {
		if row, ok := row.(map[string]any); ok {
			kept[row[key]] = true
		}
	}
	return slices.DeleteFunc(list, func(row any) bool { return !kept[row.(map[string]any)[key]] })
}

// partRows are the rows of a subtable, read in step with those of its kind.
type partRows struct {
	subtable
	rows   *sql.Rows
	owner  int64
	values []any
	done   bool
}

func (b *partRows) next() error {
	if !b.rows.Next() {
		b.done = true
		return b.rows.Err()
	}
	values, err := scanValues(b.rows, 1+len(b.columns))
	if err == nil {
		b.owner, b.values = values[0].(int64), values[1:]
	}
	return err
}

// scanValues reads n columns with the driver's types: int64, float64, string or nil.
func scanValues(row db.Scanner, n int) ([]any, error) {
	values := make([]any, n)
	into := make([]any, n)
	for i := range values {
		into[i] = &values[i]
	}
	return values, row.Scan(into...)
}

// selection returns the query for the subtable's rows, ordered by owner.
func (p subtable) selection() string {
	return "SELECT " + strings.Join(append([]string{p.owner}, columnNames(p.columns)...), ", ") + " FROM " + p.table +
		" ORDER BY " + p.owner + ", " + p.order
}

// selected returns the columns to read, preceded by the ID if the kind has one.
func (k recordKind) selected() []string {
	if len(k.identity) == 0 {
		return columnNames(k.columns)
	}
	return append([]string{"id"}, columnNames(k.columns)...)
}

// selection returns the query for the kind's rows in export order, of one person or of everyone.
func (k recordKind) selection(mine bool) string {
	where := "1 = 1"
	if k.amends != "" {
		where = k.columns[len(k.columns)-1].name + " IS NOT NULL"
	}
	if k.only != "" {
		where += " AND (" + k.only + ")"
	}
	if mine {
		where += " AND (" + k.mine + ")"
	}
	order := "1, 2"
	switch {
	case len(k.identity) > 0:
		order = "id"
	case len(k.columns) > 2:
		order = "1, 2, 3" // as many as a key has
	}
	return "SELECT " + strings.Join(k.selected(), ", ") + " FROM " + k.table + " WHERE " + where + " ORDER BY " + order
}

func columnNames(columns []column) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.name
	}
	return out
}
