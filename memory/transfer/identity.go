package transfer

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"

	"familiar/channels"
	"familiar/memory/internal/db"
)

// same returns the existing row that a record corresponds to, 0 if there is none. Each of several equal rows
// corresponds to one record.
func (im *importer) same(k recordKind, values map[string]any, record map[string]any) (int64, error) {
	if k.name == "person" {
		if handles, _ := record["handles"].([]any); len(handles) > 0 {
			return im.owner(handles)
		}
	}
	known, err := im.knownOf(k)
	if err != nil {
		return 0, err
	}
	key := hashIdentity(valuesOf(k.identity, values))
	alike := known[key]
	if len(alike) == 0 {
		return 0, nil
	}
	known[key] = alike[1:]
	return alike[0], nil
}

// owner returns the existing person who owns the handles of a record, 0 if there is none.
func (im *importer) owner(handles []any) (int64, error) {
	var owner int64
	for _, h := range handles {
		record, _ := h.(map[string]any)
		handle := channels.Handle{}
		handle.Channel, _ = record["channel"].(string)
		handle.ID, _ = record["handle"].(string)
		id, err := db.One(im.QueryRow(`SELECT person_id FROM handles WHERE channel = ? AND handle = ?`, handle.Channel, handle.ID), db.ScanID)
		switch {
		case errors.Is(err, db.ErrNotFound):
		case err != nil:
			return 0, err
		case owner != 0 && owner != id:
			return 0, fmt.Errorf("its handles belong to persons %d and %d in this store: merge them first", owner, id)
		default:
			owner = id
		}
	}
	return owner, nil
}

// identityHash is the hash of a row's identity columns.
type identityHash [sha256.Size]byte

func hashIdentity(values []any) identityHash {
	h := sha256.New()
	for _, v := range values {
		if v == nil {
			h.Write([]byte{0})
			continue
		}
		fmt.Fprintf(h, "%T %q\x00", v, fmt.Sprint(v))
	}
	return identityHash(h.Sum(nil))
}

// knownOf returns the rows of a kind that existed before its first record was imported, in order.
func (im *importer) knownOf(k recordKind) (map[identityHash][]int64, error) {
	if known, read := im.known[k.name]; read {
		return known, nil
	}
	known := map[identityHash][]int64{}
	rows, err := im.Tx.Query(`SELECT id, ` + strings.Join(k.identity, ", ") + ` FROM ` + k.table + ` ORDER BY id`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		values, err := scanValues(rows, 1+len(k.identity))
		if err != nil {
			return nil, err
		}
		key := hashIdentity(values[1:])
		known[key] = append(known[key], values[0].(int64))
	}
	im.known[k.name] = known
	return known, rows.Err()
}
