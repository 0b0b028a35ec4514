package whatsapp

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"go.mau.fi/whatsmeow/types"
)

// The SDK keeps tables of its own about everybody it met: keys, sessions, names, secrets of messages, and which number belongs to
// which hidden id. A person's rows are those in which a column names one of their ids, whatever the table: a table that a newer
// SDK adds is covered too. Keys are exchanged again with somebody who writes again.

// unsigned are the tables of texts that name no author: what was received and what was sent a moment ago, in case the network asks
// again. The channel finds such texts in the store, so they can go with anybody.
var unsigned = []string{"whatsmeow_event_buffer", "whatsmeow_retry_buffer"}

// eraseAccounts removes what the session holds of accounts, and rewrites the file, so that its bytes go too. Another process may
// be using the session.
func eraseAccounts(ctx context.Context, o Options, accounts []string) (err error) {
	path := o.existing()
	if len(accounts) == 0 || !exists(path) {
		return nil
	}
	at := url.URL{Path: path}
	db, err := sql.Open("sqlite3", "file:"+at.EscapedPath()+pragmas+"&_secure_delete=on")
	if err != nil {
		return fmt.Errorf("open the WhatsApp session to erase a person: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	if err := eraseRows(ctx, db, accounts); err != nil {
		return fmt.Errorf("erase a person from the WhatsApp session: %w", redacted(err))
	}
	if _, err := db.ExecContext(ctx, `VACUUM`); err != nil {
		return fmt.Errorf("rewrite the WhatsApp session after erasing a person: %w", err)
	}
	var busy, frames, moved int
	if err := db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &moved); err != nil {
		return fmt.Errorf("empty the log of the WhatsApp session after erasing a person: %w", err)
	}
	if busy != 0 {
		return errors.New("the log of the WhatsApp session still holds bytes of an erased person: they go when the session is next written or closed")
	}
	return nil
}

// eraseRows deletes the rows of accounts, in one transaction.
func eraseRows(ctx context.Context, db *sql.DB, accounts []string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // committed, or failed already
	tables, err := textColumns(ctx, tx)
	if err != nil {
		return err
	}
	users, err := usersOf(ctx, tx, accounts, tables["whatsmeow_lid_map"] != nil)
	if err != nil {
		return err
	}
	for _, table := range unsigned {
		if tables[table] == nil {
			continue
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+table); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	for table, columns := range tables {
		if err := eraseFrom(ctx, tx, table, columns, users); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	return tx.Commit()
}

// textColumns returns the columns that may name somebody, by table. A device is the persona's own.
func textColumns(ctx context.Context, tx *sql.Tx) (map[string][]string, error) {
	rows, err := tx.QueryContext(ctx, `SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name LIKE 'whatsmeow\_%' ESCAPE '\' AND m.name NOT IN ('whatsmeow_device', 'whatsmeow_version')
		AND c.type = 'TEXT' ORDER BY 1, 2`)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // Err below reports read errors
	tables := map[string][]string{}
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return nil, err
		}
		tables[table] = append(tables[table], column)
	}
	return tables, rows.Err()
}

// usersOf returns how the session names accounts: without the server, by number and by hidden id.
func usersOf(ctx context.Context, tx *sql.Tx, accounts []string, mapped bool) (users []string, err error) {
	for _, id := range accounts {
		if j, ok := chatOf(id); ok && j.Server != types.GroupServer && j.User != "" {
			users = append(users, j.User)
		}
	}
	if !mapped {
		return users, nil
	}
	for _, user := range slices.Clone(users) {
		var lid, number string
		err := tx.QueryRowContext(ctx, `SELECT lid, pn FROM whatsmeow_lid_map WHERE ?1 IN (lid, pn)`, user).Scan(&lid, &number)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
		for _, u := range []string{lid, number} {
			if u != "" && !slices.Contains(users, u) {
				users = append(users, u)
			}
		}
	}
	return users, nil
}

// eraseFrom deletes the rows of a table in which a column names one of users.
func eraseFrom(ctx context.Context, tx *sql.Tx, table string, columns, users []string) error {
	rows, err := tx.QueryContext(ctx, `SELECT rowid, `+strings.Join(columns, `, `)+` FROM `+table)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // read to the end below
	var theirs []int64
	values := make([]sql.NullString, len(columns))
	targets := []any{new(int64)}
	for i := range values {
		targets = append(targets, &values[i])
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		if slices.ContainsFunc(values, func(v sql.NullString) bool {
			return slices.Contains(users, userOf(v.String))
		}) {
			theirs = append(theirs, *targets[0].(*int64))
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, id := range theirs {
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE rowid = ?`, id); err != nil {
			return err
		}
	}
	return nil
}

// userOf returns the user of an address as the SDK writes it: "15550001111", "15550001111@s.whatsapp.net", "15550001111:2@lid" or, for
// a key, "15550001111_1:2".
func userOf(address string) string {
	if i := strings.IndexAny(address, "@:_."); i >= 0 {
		return address[:i]
	}
	return address
}
