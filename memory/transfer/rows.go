package transfer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// amend sets the last column of an earlier row, unless it is already set or the existing row is another version.
func (im *importer) amend(k recordKind, values map[string]any) error {
	row, set := k.columns[0].name, k.columns[len(k.columns)-1].name
	n, err := im.Affect(`UPDATE `+k.table+` SET `+set+` = ? WHERE `+row+` = ? AND `+set+` IS NULL AND `+k.amends,
		values[set], values[row])
	im.added[k.name] += int(n)
	return err
}

// store adds a row, or finds the corresponding row and updates it.
func (im *importer) store(k recordKind, values map[string]any, record map[string]any) (int64, error) {
	columns := k.storedColumns()
	if len(k.identity) == 0 {
		n, err := im.Affect(insertOf(k.table, columns)+k.unlessLater(), valuesOf(columns, values)...)
		im.added[k.name] += int(n)
		return 0, err
	}
	row, err := im.same(k, values, record)
	if err != nil {
		return 0, err
	}
	if row == 0 {
		im.added[k.name]++
		return im.Insert(insertOf(k.table, columns), valuesOf(columns, values)...)
	}
	if k.latest == "" {
		return row, nil
	}
	_, err = im.Exec(`UPDATE `+k.table+` SET `+strings.Join(columns, " = ?, ")+` = ? WHERE id = ? AND `+k.latest+` < ?`,
		append(valuesOf(columns, values), row, values[k.latest])...)
	return row, err
}

// storedColumns returns the columns to write.
func (k recordKind) storedColumns() []string {
	return append(columnNames(k.columns), slices.Sorted(maps.Keys(k.derive))...)
}

// unlessLater returns the conflict clause of an insert into a table without identity.
func (k recordKind) unlessLater() string {
	if k.latest == "" {
		return " ON CONFLICT DO NOTHING"
	}
	var set []string
	for _, c := range k.columns[2:] {
		set = append(set, c.name+" = excluded."+c.name)
	}
	return fmt.Sprintf(" ON CONFLICT (%s, %s) DO UPDATE SET %s WHERE excluded.%s > %s.%s", k.columns[0].name, k.columns[1].name,
		strings.Join(set, ", "), k.latest, k.table, k.latest)
}

func insertOf(table string, columns []string) string {
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES (?" + strings.Repeat(", ?", len(columns)-1) + ")"
}

// valuesOf returns the values of columns in their order.
func valuesOf(columns []string, values map[string]any) []any {
	out := make([]any, len(columns))
	for i, name := range columns {
		out[i] = values[name]
	}
	return out
}

// addPart adds a row of a subtable if it is missing.
func (im *importer) addPart(p subtable, values map[string]any) error {
	columns := append([]string{p.owner}, columnNames(p.columns)...)
	_, err := im.Exec(insertOf(p.table, columns)+" ON CONFLICT DO NOTHING", valuesOf(columns, values)...)
	return err
}

// advanceScopes invalidates all caches, since the import may have changed any scope.
func (im *importer) advanceScopes() error {
	_, err := im.Exec(`INSERT INTO scopes (persona, audience, ref, revision, epoch, beliefs, names, edges, loose)
		SELECT persona, audience, coalesce(audience_person, audience_room, 0), 1, 1, 1, 1, 1, 1 FROM memories
		UNION SELECT persona, audience, coalesce(audience_person, audience_room, 0), 1, 1, 1, 1, 1, 1 FROM beliefs
		UNION SELECT s.persona, CASE r.direct WHEN 1 THEN 'private' ELSE 'room' END,
			CASE r.direct WHEN 1 THEN r.person_id ELSE r.id END, 1, 1, 1, 1, 1, 1 FROM sessions s JOIN rooms r ON r.id = s.room_id
		WHERE 1 = 1 ON CONFLICT (persona, audience, ref) DO UPDATE SET revision = scopes.revision + 1, epoch = scopes.epoch + 1,
			beliefs = scopes.beliefs + 1, names = scopes.names + 1, edges = scopes.edges + 1, loose = scopes.loose + 1`)
	return err
}

// removeInvalidEdges deletes edges that no store creates itself: between memories of different audiences, and cycles of
// containment, which two valid stores can produce together.
func (im *importer) removeInvalidEdges() error {
	for _, q := range []string{
		`DELETE FROM memory_edges WHERE EXISTS (SELECT 1 FROM memories f JOIN memories t ON t.id = memory_edges.to_id
			WHERE f.id = memory_edges.from_id AND (f.persona <> t.persona OR f.audience <> t.audience
				OR coalesce(f.audience_person, f.audience_room, 0) <> coalesce(t.audience_person, t.audience_room, 0)))`,
		`DELETE FROM memory_edges WHERE kind = 'contains' AND to_id IN (
			WITH RECURSIVE up(start, above) AS (SELECT to_id, from_id FROM memory_edges WHERE kind = 'contains'
				UNION SELECT up.start, e.from_id FROM up JOIN memory_edges e ON e.to_id = up.above AND e.kind = 'contains')
			SELECT start FROM up WHERE start = above)`,
	} {
		if _, err := im.Exec(q); err != nil {
			return err
		}
	}
	return nil
}
