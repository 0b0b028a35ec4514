package whatsapp

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.mau.fi/whatsmeow/types"
)

// peopleColumns are the columns of the session's database that name people, by table. The value is a JID, an address of the
// encryption protocol or a bare number: all begin with the digits of the person's number or LID.
var peopleColumns = map[string][]string{
	"whatsmeow_identity_keys":   {"their_id"},
	"whatsmeow_sessions":        {"their_id"},
	"whatsmeow_sender_keys":     {"chat_id", "sender_id"},
	"whatsmeow_contacts":        {"their_jid"},
	"whatsmeow_chat_settings":   {"chat_jid"},
	"whatsmeow_message_secrets": {"chat_jid", "sender_jid"},
	"whatsmeow_privacy_tokens":  {"their_jid"},
	"whatsmeow_retry_buffer":    {"chat_jid"},
	"whatsmeow_lid_map":         {"lid", "pn"},
}

// forgetPeople deletes what the linked account's database holds about people whose account is erased: their keys, names and
// the pairs of number and LID. A channel may be connected meanwhile; whoever writes to it again gets new keys.
func forgetPeople(ctx context.Context, home string, erased func(account string) bool) error {
	for _, path := range []string{filepath.Join(home, "whatsapp", "session.db"), filepath.Join(home, "whatsapp.db")} {
		if !exists(path) {
			continue
		}
		if err := forgetPeopleIn(ctx, path, erased); err != nil {
			return fmt.Errorf("erase people from the WhatsApp session %s: %w", path, err)
		}
	}
	return nil
}

func forgetPeopleIn(ctx context.Context, path string, erased func(account string) bool) (err error) {
	at := url.URL{Path: path}
	db, err := sql.Open("sqlite3", "file:"+at.EscapedPath()+pragmas+"&_secure_delete=on")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	gone, err := deletePeople(ctx, tx, erased)
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if err := tx.Commit(); err != nil || !gone {
		return err
	}
	// Free pages and the write-ahead log still hold the bytes.
	if _, err := db.ExecContext(ctx, `VACUUM`); err != nil {
		return err
	}
	var busy, pages, moved int
	err = db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved)
	if err == nil && busy != 0 {
		err = errors.New("its log still holds their bytes until the next start: it is in use")
	}
	return err
}

// deletePeople deletes the rows and reports whether there were any.
func deletePeople(ctx context.Context, tx *sql.Tx, erased func(account string) bool) (gone bool, err error) {
	columns, err := existingColumns(ctx, tx)
	if err != nil {
		return false, err
	}
	users, err := usersToForget(ctx, tx, columns, erased)
	if err != nil {
		return false, err
	}
	for table, names := range columns {
		for _, name := range names {
			for _, user := range users {
				done, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE `+name+` = ?1 OR `+name+` GLOB ?1 || '[^0-9]*'`, user)
				if err != nil {
					return false, err
				}
				n, err := done.RowsAffected()
				if err != nil {
					return false, err
				}
				gone = gone || n > 0
			}
		}
	}
	return gone, nil
}

// existingColumns returns those of peopleColumns that the database has: it may be of an earlier version of the library, or
// empty.
func existingColumns(ctx context.Context, tx *sql.Tx) (map[string][]string, error) {
	found := map[string][]string{}
	for table, names := range peopleColumns {
		for _, name := range names {
			var n int
			if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM pragma_table_info(?) WHERE name = ?`, table, name).Scan(&n); err != nil {
				return nil, err
			}
			if n > 0 {
				found[table] = append(found[table], name)
			}
		}
	}
	return found, nil
}

// leadingDigits is a number or the digits of a LID.
var leadingDigits = regexp.MustCompile(`^[0-9]+`)

// usersToForget returns the numbers and LIDs in the database whose account is erased, with the other half of each pair. The
// linked account itself stays.
func usersToForget(ctx context.Context, tx *sql.Tx, columns map[string][]string, erased func(account string) bool) (users []string, err error) {
	named, err := usersIn(ctx, tx, columns)
	if err != nil {
		return nil, err
	}
	own, err := ownUsers(ctx, tx)
	if err != nil {
		return nil, err
	}
	for _, user := range named {
		if !slices.Contains(own, user) && (erased(user+"@"+types.DefaultUserServer) || erased(user+"@"+types.HiddenUserServer)) {
			users = append(users, user)
		}
	}
	if len(columns["whatsmeow_lid_map"]) == 0 {
		return users, nil
	}
	for _, user := range slices.Clone(users) {
		var other string
		err := tx.QueryRowContext(ctx, `SELECT CASE lid WHEN ?1 THEN pn ELSE lid END FROM whatsmeow_lid_map WHERE lid = ?1 OR pn = ?1`, user).Scan(&other)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
		if err == nil && !slices.Contains(users, other) && !slices.Contains(own, other) {
			users = append(users, other)
		}
	}
	return users, nil
}

// usersIn returns all numbers and LIDs that the columns name.
func usersIn(ctx context.Context, tx *sql.Tx, columns map[string][]string) (users []string, err error) {
	for table, names := range columns {
		for _, name := range names {
			values, err := texts(ctx, tx, `SELECT DISTINCT `+name+` FROM `+table)
			if err != nil {
				return nil, err
			}
			for _, value := range values {
				if user := leadingDigits.FindString(value); user != "" {
					users = append(users, user)
				}
			}
		}
	}
	slices.Sort(users)
	return slices.Compact(users), nil
}

// ownUsers returns the number and the LID of the linked account.
func ownUsers(ctx context.Context, tx *sql.Tx) (users []string, err error) {
	var tables int
	err = tx.QueryRowContext(ctx, `SELECT count(*) FROM pragma_table_info('whatsmeow_device') WHERE name = 'lid'`).Scan(&tables)
	if err != nil || tables == 0 {
		return nil, err
	}
	values, err := texts(ctx, tx, `SELECT jid FROM whatsmeow_device UNION SELECT coalesce(lid, '') FROM whatsmeow_device`)
	for _, value := range values {
		users = append(users, leadingDigits.FindString(strings.TrimSpace(value)))
	}
	return users, err
}

// texts returns the values of a query for one column.
func texts(ctx context.Context, tx *sql.Tx, query string) (values []string, err error) {
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, rows.Err()
}
