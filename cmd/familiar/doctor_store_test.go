package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"familiar/channels"
)

// TestDoctorReadsTheTables: a row that refers to a missing one is found, although the file opens.
func TestDoctorReadsTheTables(t *testing.T) {
	t.Parallel()
	home := configure(t, "")
	doctorFindings(t, home, "canary", 0, "tables\tok", "disk\tok", "clock\tok", "jobs\tok", "waiting\tok")
	familiar(t, home, nil, "My cat is called Tom.\n", "chat", "--as", "Ann").must(t)
	doctorFindings(t, home, "canary", 0, "tables\tok\tevery page and every reference is intact, schema ", "disk\tok", "are free, the database takes")
	execute(t, filepath.Join(home, "familiar.db"), "PRAGMA foreign_keys = off; DELETE FROM people")
	doctorFindings(t, home, "canary", 1, "tables\tproblem", "refers to a missing row of people", "familiar backup restore")
}

// TestDoctorFindsWhatWaits: nothing serves the home, a message waits, and the clock was ahead.
func TestDoctorFindsWhatWaits(t *testing.T) {
	t.Parallel()
	home := configure(t, "")
	familiar(t, home, nil, "My cat is called Tom.\n", "chat", "--as", "Ann").must(t)
	store := openStore(t, home)
	_, err := store.Log.Accept(t.Context(), "nell", channels.Message{
		ID: "1", Room: channels.Room{Channel: "webhook", ID: "r"}, Author: channels.Author{Handle: channels.Handle{Channel: "webhook", ID: "a"}}, Text: "hi", At: time.Now(),
	})
	if err != nil {
		t.Fatal(err)
	}
	execute(t, filepath.Join(home, "familiar.db"),
		"INSERT INTO job_runs (persona, job, due_at, started_at, alive_until, status, finished_at, result) VALUES ('nell', 'dream', 4e12, 4e12, 0, 'ok', 4e12, '')")
	doctorFindings(t, home, "canary", 0,
		"waiting\twarning\ton webhook 1 message waits for an answer and 0 replies wait to be sent", "start `familiar run`",
		"clock\twarning\tsomething was stored at", "NTP")
}

// TestDoctorLooksAtTheWatches: a followed directory is gone, and nothing serves the home.
func TestDoctorLooksAtTheWatches(t *testing.T) {
	t.Parallel()
	home, dir := configure(t, ""), filepath.Join(t.TempDir(), "sessions")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	familiar(t, home, nil, "", "watch", "add", dir, "--format", "jsonl").must(t)
	doctorFindings(t, home, "canary", 0, "watches\twarning\t1 directory to be followed, but nothing serves the home", "familiar watch once")
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	doctorFindings(t, home, "canary", 0, "watches\twarning\twatch 1: open "+dir, "familiar watch remove 1")
}
