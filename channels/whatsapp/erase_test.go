package whatsapp

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"familiar/channels/registry"
)

// The person who is erased, and somebody else.
const (
	goneNumber, goneLID = "15557770001", "808880001111"
	leftNumber, leftLID = "155577700011", "18088800011"
)

// TestS12ErasingCleansTheSession puts rows of two people into every table of the SDK, under each form of their ids, while the channel
// is running, and erases one of them by their hidden id alone.
func TestS12ErasingCleansTheSession(t *testing.T) {
	r, dir := unlinkedRig(t), t.TempDir()
	r.opts.Database = filepath.Join(dir, "whatsapp", "session.db")
	r.link()
	r.start()
	db, err := sql.Open("sqlite3", "file:"+r.opts.Database+"?_busy_timeout=30000")
	if err != nil {
		t.Fatal(err)
	}
	tables := plant(t, db, "gone", goneNumber, goneLID)
	plant(t, db, "left", leftNumber, leftLID)
	if len(tables) < 10 {
		t.Fatalf("only %v can hold something of a person", tables)
	}
	in := registry.Setup{Dir: dir, Log: slog.New(slog.DiscardHandler)}
	if err := Registration.Erase(t.Context(), in, []string{goneLID + "@lid", "4711"}); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{goneNumber, goneLID} {
		if file := holds(t, filepath.Dir(r.opts.Database), word, leftNumber, leftLID); file != "" {
			t.Errorf("%s holds %s", file, word)
		}
	}
	if file := holds(t, filepath.Dir(r.opts.Database), "canary-gone"); file != "" {
		t.Errorf("%s holds a name, a key or a text of the erased person", file)
	}
	for _, table := range tables {
		var n int
		if err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n == 0 && !slices.Contains(unsigned, table) {
			t.Errorf("%s holds nothing of the other person either", table)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestErasingWithoutASessionMakesNone(t *testing.T) {
	dir := t.TempDir()
	in := registry.Setup{Dir: dir, Log: slog.New(slog.DiscardHandler)}
	if err := Registration.Erase(t.Context(), in, []string{goneLID + "@lid"}); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("made %v, %v", files, err)
	}
}

func TestErasingEndsWithItsContext(t *testing.T) {
	r := newRig(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := eraseAccounts(ctx, r.opts, []string{goneLID + "@lid"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// plant inserts rows about somebody into every table that can name a person or hold their words, and returns the tables: one row for
// each column that can be an address, in each form that the SDK uses.
func plant(t *testing.T, db *sql.DB, who, number, lid string) (tables []string) {
	t.Helper()
	var own string
	if err := db.QueryRowContext(t.Context(), `SELECT jid FROM whatsmeow_device`).Scan(&own); err != nil {
		t.Fatal(err)
	}
	rows, err := db.QueryContext(t.Context(), `SELECT m.name, group_concat(c.name || ' ' || c.type) FROM sqlite_schema m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name LIKE 'whatsmeow_%' GROUP BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	columns := map[string][]string{}
	for rows.Next() {
		var table, all string
		if err := rows.Scan(&table, &all); err != nil {
			t.Fatal(err)
		}
		columns[table] = strings.Split(all, ",")
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		t.Fatal(err)
	}
	n := 0
	for table, all := range columns {
		if own := []string{"device", "version", "pre_keys", "app_state_sync_keys", "app_state_version", "app_state_mutation_macs", "nct_salt"}; slices.Contains(own, strings.TrimPrefix(table, "whatsmeow_")) {
			continue // of the account itself, by number
		}
		tables = append(tables, table)
		for _, address := range []string{number + "@s.whatsapp.net", lid + "@lid", number + ":0", lid + "_1:3", lid + ":7@lid"} {
			n++
			if table == "whatsmeow_lid_map" {
				address = ""
			}
			insertAbout(t, db, table, all, own, address, number, lid, fmt.Sprintf("canary-%s-%d", who, n))
		}
	}
	return tables
}

// insertAbout inserts one row in which each address in turn is the person's.
func insertAbout(t *testing.T, db *sql.DB, table string, columns []string, own, address, number, lid, word string) {
	t.Helper()
	var names, marks []string
	var args []any
	for _, c := range columns {
		name, kind, _ := strings.Cut(c, " ")
		names, marks = append(names, name), append(marks, "?")
		switch {
		case name == "our_jid":
			args = append(args, own)
		case name == "lid":
			args = append(args, lid)
		case name == "pn":
			args = append(args, number)
		case strings.HasSuffix(name, "_id") && name != "message_id", strings.HasSuffix(name, "_jid"):
			args = append(args, address)
		case kind == "bytea" && (name == "identity" || name == "ciphertext_hash"):
			args = append(args, []byte((word + strings.Repeat(".", 32))[:32]))
		case kind == "bytea":
			args = append(args, []byte(word))
		case kind == "TEXT":
			args = append(args, word)
		default:
			args = append(args, 1)
		}
	}
	if _, err := db.ExecContext(t.Context(), `INSERT OR REPLACE INTO `+table+` (`+strings.Join(names, ", ")+`) VALUES (`+strings.Join(marks, ", ")+`)`, args...); err != nil {
		t.Fatal(fmt.Errorf("%s: %w", table, err))
	}
}

// holds returns the first file of dir that contains a word other than within one of longer.
func holds(t *testing.T, dir, word string, longer ...string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range longer {
			content = bytes.ReplaceAll(content, []byte(other), nil)
		}
		if bytes.Contains(content, []byte(word)) {
			return filepath.Base(path)
		}
	}
	return ""
}
