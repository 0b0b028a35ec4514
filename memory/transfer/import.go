package transfer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"familiar/memory/internal/db"
)

// maxRecord bounds one line of an import, in bytes.
const maxRecord = 64 << 20

// byteOrderMark is what some editors put at the beginning of a UTF-8 file.
const byteOrderMark = "\ufeff"

// Import adds the contents of an export in one transaction: either all, or nothing and an error that names the line.
// What the store already has is not duplicated: people are matched by handle, messages by the network's IDs, everything
// else by content. If both have a belief, session or relationship, the later version stays; otherwise the store's row
// stays. Secrets in what people said are redacted as in log.Redact. What was forgotten in this store stays forgotten, with everything derived from it. Importing twice adds
// nothing. It fails with ErrNewer for an export of a newer familiar. name identifies the input in errors. Import reads
// r from its beginning.
func (s *Store) Import(ctx context.Context, name string, r io.ReadSeeker) (added Counts, err error) {
	err = s.db.Write(ctx, "import "+name, func(tx *db.Tx) error {
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return err
		}
		im := newImporter(tx)
		if err := im.read(ctx, name, r); err != nil {
			return err
		}
		added = im.added
		if err := im.removeInvalidEdges(); err != nil {
			return err
		}
		return im.advanceScopes()
	})
	if err != nil {
		return nil, err
	}
	return added, nil
}

// importer is the state of one Import call.
type importer struct {
	*db.Tx
	kinds map[string]recordKind
	// rows are the row IDs of each kind's records in this store, by record number; droppedRow for records that are not
	// kept.
	rows map[string][]int64
	// known are the rows that existed before, by identity, for the kinds seen so far.
	known map[string]map[identityHash][]int64
	added Counts
	total int
	ended bool
}

// droppedRow stands for a record that is not kept because its sources were forgotten in this store.
const droppedRow = -1

func newImporter(tx *db.Tx) *importer {
	im := &importer{
		Tx: tx, kinds: map[string]recordKind{}, rows: map[string][]int64{}, known: map[string]map[identityHash][]int64{},
		added: Counts{},
	}
	for _, k := range recordKinds {
		im.kinds[k.name] = k
	}
	return im
}

// read processes every line.
func (im *importer) read(ctx context.Context, name string, r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxRecord)
	n := 0
	for lines.Scan() {
		n++
		if err := ctx.Err(); err != nil {
			return err
		}
		text := lines.Bytes()
		if n == 1 {
			text = bytes.TrimPrefix(text, []byte(byteOrderMark))
		}
		if err := im.line(n, text); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%s:%d: the line is longer than %d MiB", name, n+1, maxRecord>>20)
	case err != nil:
		return fmt.Errorf("%s:%d: %w", name, n+1, err)
	case n == 0:
		return fmt.Errorf("%s: the file is empty; create an export with `familiar memory export`", name)
	case !im.ended:
		return fmt.Errorf("%s:%d: the last line is missing: the file is truncated; export again", name, n+1)
	}
	return nil
}

func (im *importer) line(n int, text []byte) error {
	record, err := parseRecord(text)
	if err != nil {
		return err
	}
	if n == 1 {
		return checkHeader(record)
	}
	name, _ := record["kind"].(string)
	if im.ended {
		return errors.New("the line follows the end of the export")
	}
	if name == endKind {
		return im.end(record)
	}
	k, ok := im.kinds[name]
	if !ok {
		return fmt.Errorf("unknown kind of record %q", name)
	}
	im.total++
	if err := im.take(k, record); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// parseRecord parses one line with one JSON object.
func parseRecord(text []byte) (map[string]any, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var record map[string]any
	if err := dec.Decode(&record); err != nil || record == nil {
		return nil, errors.New("the line is not a JSON object")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more follows the JSON object")
	}
	return record, nil
}

func checkHeader(record map[string]any) error {
	version, _ := record["version"].(json.Number)
	v, err := version.Int64()
	if record["format"] != exportFormat || err != nil || v < 1 {
		return errors.New("the file is not an export; create one with `familiar memory export`")
	}
	if v > exportVersion {
		return fmt.Errorf("%w (format %d, this one knows %d): upgrade familiar", db.ErrNewer, v, exportVersion)
	}
	return nil
}

func (im *importer) end(record map[string]any) error {
	count, _ := record["records"].(json.Number)
	if n, err := count.Int64(); err != nil || n != int64(im.total) {
		return fmt.Errorf("%d records were written but %d were read: lines are missing; export again", n, im.total)
	}
	im.ended = true
	return nil
}

// take stores one record.
func (im *importer) take(k recordKind, record map[string]any) error {
	if err := k.checkKeys(record); err != nil {
		return err
	}
	if err := im.checkNumber(k, record); err != nil {
		return err
	}
	values, err := im.values(k.columns, record)
	if errors.Is(err, errNotCarried) {
		im.number(k, droppedRow)
		return nil
	}
	if err != nil {
		return err
	}
	lists, kept, err := im.lists(k, record)
	if err != nil || !kept {
		im.number(k, droppedRow)
		return err
	}
	for name, of := range k.derive {
		values[name] = of(values)
	}
	if k.amends != "" {
		return im.amend(k, values)
	}
	row, err := im.store(k, values, record)
	if err != nil {
		return err
	}
	for i, p := range k.parts {
		for _, item := range lists[i] {
			item[p.owner] = row
			if err := im.addPart(p, item); err != nil {
				return err
			}
		}
	}
	return im.numberUnlessForgotten(k, row, values)
}

// checkKeys rejects unknown keys, whose values would be lost.
func (k recordKind) checkKeys(record map[string]any) error {
	known := map[string]bool{"kind": true, "id": len(k.identity) > 0}
	for _, c := range k.columns {
		known[c.key] = true
	}
	for _, p := range k.parts {
		known[p.key] = true
	}
	return onlyKeys(record, known)
}

func onlyKeys(record map[string]any, known map[string]bool) error {
	for _, key := range slices.Sorted(maps.Keys(record)) {
		if !known[key] {
			return fmt.Errorf("unknown key %q", key)
		}
	}
	return nil
}

// checkNumber checks that a record's number is the next one.
func (im *importer) checkNumber(k recordKind, record map[string]any) error {
	if len(k.identity) == 0 {
		return nil
	}
	number, _ := record["id"].(json.Number)
	if n, err := number.Int64(); err != nil || n != int64(len(im.rows[k.name])+1) {
		return fmt.Errorf("its ID must be %d: a line is missing or out of order", len(im.rows[k.name])+1)
	}
	return nil
}

func (im *importer) number(k recordKind, row int64) {
	if len(k.identity) > 0 {
		im.rows[k.name] = append(im.rows[k.name], row)
	}
}

// numberUnlessForgotten assigns a record its row, unless the row's text was forgotten here: then nothing may be derived
// from it again.
func (im *importer) numberUnlessForgotten(k recordKind, row int64, values map[string]any) error {
	if k.emptied != "" && values[k.emptied] != "" {
		var here string
		if err := im.QueryRow(`SELECT `+k.emptied+` FROM `+k.table+` WHERE id = ?`, row).Scan(&here); err != nil {
			return err
		}
		if here == "" {
			row = droppedRow
		}
	}
	im.number(k, row)
	return nil
}

// values returns a record's columns in stored form.
func (im *importer) values(columns []column, record map[string]any) (map[string]any, error) {
	values := make(map[string]any, len(columns)+1)
	var lost error
	for _, c := range columns {
		v, err := c.decode(record[c.key], im.rowOf)
		if errors.Is(err, errNotCarried) {
			lost = err
		} else if err != nil {
			return nil, err
		} else if err := im.checkBounds(c, v); err != nil {
			return nil, err
		}
		values[c.name] = v
	}
	return values, lost
}

// rowOf returns the row of an earlier record. carried is false if that record was not kept.
func (im *importer) rowOf(of string, number int64) (row int64, carried bool, err error) {
	rows := im.rows[of]
	if number < 1 || number > int64(len(rows)) {
		return 0, false, fmt.Errorf("%s %d does not precede it", of, number)
	}
	row = rows[number-1]
	return row, row != droppedRow, nil
}

// lists returns the rows of a record's subtables. kept is false if too few of its sources are left.
func (im *importer) lists(k recordKind, record map[string]any) (lists [][]map[string]any, kept bool, err error) {
	kept = true
	left := map[string]map[any]bool{}
	for _, p := range k.parts {
		items, enough, err := im.items(p, record[p.key])
		if err != nil {
			return nil, false, fmt.Errorf("%s: %w", p.key, err)
		}
		first := p.columns[0].name
		if p.within != "" {
			items = slices.DeleteFunc(items, func(item map[string]any) bool { return !left[p.within][item[first]] })
		}
		left[p.key] = map[any]bool{}
		for _, item := range items {
			left[p.key][item[first]] = true
		}
		kept = kept && enough
		lists = append(lists, items)
	}
	return lists, kept, nil
}

// items returns the rows of one subtable that are kept. enough reports whether their owner may be kept.
func (im *importer) items(p subtable, listed any) (items []map[string]any, enough bool, err error) {
	rows, ok := listed.([]any)
	if !ok && listed != nil {
		return nil, false, errForm
	}
	var rests sourceCount
	for _, row := range rows {
		record, err := p.record(row)
		if err != nil {
			return nil, false, err
		}
		values, err := im.values(p.columns, record)
		lost := errors.Is(err, errNotCarried)
		if err != nil && !lost {
			return nil, false, err
		}
		rests.count(p, valuesOf(columnNames(p.columns), values), lost)
		if !lost {
			items = append(items, values)
		}
	}
	return items, rests.enough(p), nil
}

// record returns an item of the subtable's list as a map of its keys.
func (p subtable) record(item any) (map[string]any, error) {
	if len(p.columns) == 1 {
		return map[string]any{p.columns[0].key: item}, nil
	}
	record, ok := item.(map[string]any)
	if !ok {
		return nil, errForm
	}
	known := map[string]bool{}
	for _, c := range p.columns {
		known[c.key] = true
	}
	return record, onlyKeys(record, known)
}
