package whatsapp

import (
	"bytes"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"slices"
	"testing"
)

// notAboutPeople are the tables of the session's database that hold nothing about people. The event buffer holds messages from
// their arrival to their acknowledgement only.
var notAboutPeople = []string{
	"whatsmeow_app_state_mutation_macs", "whatsmeow_app_state_sync_keys", "whatsmeow_app_state_version", "whatsmeow_device", "whatsmeow_event_buffer",
	"whatsmeow_nct_salt", "whatsmeow_pre_keys", "whatsmeow_version",
}

// TestS13AnErasedPersonIsGoneFromTheSession talks with two people, erases one while the channel is connected, and looks for the
// remains in every byte. The other one's keys still work, and the erased one can write again.
func TestS13AnErasedPersonIsGoneFromTheSession(t *testing.T) {
	r := newRig(t)
	s := r.start()
	ann, bob := r.person(1), r.person(2)
	for i, p := range []string{"ann", "bob"} {
		who := ann
		if p == "bob" {
			who = bob
		}
		r.says(who, ownJID, "hello")
		if _, err := s.reply(p, s.next(i), "hello yourself"); err != nil {
			t.Fatal(err)
		}
	}
	r.confirmed(2)
	number, lid := ann.Phone, ann.LID
	fill(t, r.opts.Database, number, lid)
	if found := bytesOf(t, r.opts.Database, number, lid); len(found) != 2 {
		t.Fatalf("the files hold %q of the person before: the test cannot fail", found)
	}
	if err := forgetPeopleIn(t.Context(), r.opts.Database, func(account string) bool { return account == ann.LID+"@lid" }); err != nil {
		t.Fatal(err)
	}
	if found := bytesOf(t, r.opts.Database, number, lid); len(found) > 0 {
		t.Errorf("the files still hold %q", found)
	}
	if found := bytesOf(t, r.opts.Database, bob.LID, ownLID); len(found) != 2 {
		t.Errorf("of the others the files hold only %q", found)
	}
	r.says(bob, ownJID, "still there?")
	r.says(ann, ownJID, "hello, I am new here")
	s.next(3)
}

// TestEveryTableOfTheSessionIsKnown fails when an update of the library adds a table: does it hold something about people?
func TestEveryTableOfTheSessionIsKnown(t *testing.T) {
	r := newRig(t)
	db := openRaw(t, r.opts.Database)
	rows, err := db.Query(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	tables := 0
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if tables++; peopleColumns[name] == nil && !slices.Contains(notAboutPeople, name) {
			t.Errorf("the table %s is new: add it to peopleColumns or notAboutPeople", name)
		}
	}
	if err := rows.Err(); err != nil || tables < len(peopleColumns) {
		t.Errorf("%d tables, %v", tables, err)
	}
}

func openRaw(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path+pragmas)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// fill adds a row about a person to each table that may hold one, some of them deleted again: their bytes stay in free pages.
func fill(t *testing.T, path, number, lid string) {
	t.Helper()
	db := openRaw(t, path)
	var own string
	if err := db.QueryRow(`SELECT jid FROM whatsmeow_device`).Scan(&own); err != nil {
		t.Fatal(err)
	}
	key := bytes.Repeat([]byte{7}, 32)
	for _, q := range []struct {
		text string
		args []any
	}{
		{`INSERT OR REPLACE INTO whatsmeow_identity_keys VALUES (?, ?, ?)`, []any{own, lid + "_1:0", key}},
		{`INSERT OR REPLACE INTO whatsmeow_sessions VALUES (?, ?, ?)`, []any{own, number + ":3", key}},
		{`INSERT OR REPLACE INTO whatsmeow_sender_keys VALUES (?, ?, ?, ?)`, []any{own, "120363@g.us", lid + "_1:0", key}},
		{`INSERT OR REPLACE INTO whatsmeow_contacts (our_jid, their_jid, push_name) VALUES (?, ?, ?)`, []any{own, number + "@s.whatsapp.net", "name-" + lid}},
		{`INSERT OR REPLACE INTO whatsmeow_chat_settings (our_jid, chat_jid) VALUES (?, ?)`, []any{own, lid + "@lid"}},
		{`INSERT OR REPLACE INTO whatsmeow_message_secrets VALUES (?, ?, ?, ?, ?)`, []any{own, "120363@g.us", lid + ":2@lid", "M1", key}},
		{`INSERT OR REPLACE INTO whatsmeow_privacy_tokens (our_jid, their_jid, token, timestamp) VALUES (?, ?, ?, 1)`, []any{own, number + "@s.whatsapp.net", key}},
		{`INSERT OR REPLACE INTO whatsmeow_retry_buffer VALUES (?, ?, 'M2', 'f', ?, 1)`, []any{own, number + "@s.whatsapp.net", "said by " + number}},
		{`INSERT OR REPLACE INTO whatsmeow_lid_map VALUES (?, ?)`, []any{lid, number}},
		{`DELETE FROM whatsmeow_contacts WHERE their_jid = ?`, []any{number + "@s.whatsapp.net"}},
	} {
		if _, err := db.Exec(q.text, q.args...); err != nil {
			t.Fatalf("%s: %v", q.text, err)
		}
	}
}

// bytesOf returns which of the words the files of a database hold.
func bytesOf(t *testing.T, path string, words ...string) (found []string) {
	t.Helper()
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		data, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range words {
			if bytes.Contains(data, []byte(w)) && !slices.Contains(found, w) {
				found = append(found, w)
			}
		}
	}
	return found
}
