package card

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"familiar/memory"
	"familiar/memory/checkpoint"
	"familiar/memory/entry"
	"familiar/memory/model"
)

const (
	cardThen = "name: Ada\ndescription: She counts.\n"
	cardNow  = "name: Ada\ndescription: She counts no more.\n"
	bookThen = `{"spec": "lorebook_v3", "data": {"entries": [{"keys": ["bar"], "content": "Fox"}]}}`
)

// TestRestoreUntilKilled is the child process of TestR5KilledWhileRestoring. It kills itself after a step.
func TestRestoreUntilKilled(t *testing.T) {
	if flag.NArg() != 2 {
		t.Skip("runs as the other process of TestR5KilledWhileRestoring")
	}
	home, last := flag.Arg(0), flag.Arg(1)
	of, _ := checkpointsIn(t, home)
	of.Step = func(done string) {
		if done == last {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	_, err := of.Restore(t.Context(), "then")
	t.Fatalf("it was to be killed after the step %s: %v", last, err)
}

// TestR5KilledWhileRestoring kills a restore after each of its steps: the state is the old or the new one, and the next restore
// brings all of it.
func TestR5KilledWhileRestoring(t *testing.T) {
	t.Parallel()
	for step, restored := range map[string]bool{"prepared": false, "restored": true, "placed": true} {
		for _, again := range []string{"restore", "finish"} {
			t.Run(step+", then "+again, func(t *testing.T) {
				t.Parallel()
				home := changedHome(t)
				child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRestoreUntilKilled$", home, step)
				said, err := child.CombinedOutput()
				if status, ok := child.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() {
					t.Fatalf("the child was not killed: %v\n%s", err, said)
				}
				of, store := checkpointsIn(t, home)
				if facts := toldOf(t, store); slices.Equal(facts, []string{"It was."}) != restored {
					t.Errorf("after %s the persona was told %q", step, facts)
				}
				if again == "finish" {
					name, err := of.Finish(t.Context())
					if err != nil || (name == "then") != restored {
						t.Fatalf("finished %q, %v", name, err)
					}
				}
				if again == "restore" || !restored {
					if _, err := of.Restore(t.Context(), "then"); err != nil {
						t.Fatal(err)
					}
				}
				checkRestored(t, of, store)
			})
		}
	}
}

func checkpointsIn(t *testing.T, home string) (Checkpoints, *memory.Store) {
	t.Helper()
	store, err := memory.Open(t.Context(), filepath.Join(home, "familiar.db"), memory.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return Checkpoints{Store: store.Checkpoints, Dir: filepath.Join(home, "personas"), Key: "ada", Now: time.Now}, store
}

// changedHome returns a home with the checkpoint "then", in which everything has changed since.
func changedHome(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	of, store := checkpointsIn(t, home)
	tell := func(text string) {
		t.Helper()
		if _, err := store.Entries.Remember(t.Context(), entry.NewMemory{
			Persona: "ada", Audience: model.Audience{Kind: model.World}, Origin: model.OriginOperator, Sector: model.Semantic, Text: text, Salience: 0.5,
		}); err != nil {
			t.Fatal(err)
		}
	}
	writeIn(t, of.Dir, "ada.yaml", cardThen)
	writeIn(t, of.Dir, "ada.lore.json", bookThen)
	tell("It was.")
	if _, err := of.Create(t.Context(), "then", ""); err != nil {
		t.Fatal(err)
	}
	tell("It is.")
	writeIn(t, of.Dir, "ada.yaml", cardNow)
	if err := os.Remove(LoreFile(of.Dir, "ada")); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return home
}

func writeIn(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// toldOf returns what ada was told of the world.
func toldOf(t *testing.T, store *memory.Store) (texts []string) {
	t.Helper()
	all, err := store.Entries.ListMemories(t.Context(), entry.MemoryFilter{Persona: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		texts = append(texts, m.Text)
	}
	return texts
}

// checkRestored checks that everything is as it was at the checkpoint, and that nothing is left to do.
func checkRestored(t *testing.T, of Checkpoints, store *memory.Store) {
	t.Helper()
	files, err := of.Files()
	if err != nil || files != (checkpoint.Files{Card: cardThen, Lorebook: bookThen}) {
		t.Errorf("the files are %+v, %v", files, err)
	}
	if left := preparedIn(t, of); len(left) > 0 {
		t.Errorf("left behind %q", left)
	}
	if facts := toldOf(t, store); !slices.Equal(facts, []string{"It was."}) {
		t.Errorf("the persona was told %q", facts)
	}
	if name, _, err := store.Checkpoints.FilesDue(t.Context(), "ada"); err != nil || name != "" {
		t.Errorf("%q is to be finished, %v", name, err)
	}
	if would, err := of.WouldRestore(t.Context(), "then"); err != nil || would.Changes() {
		t.Errorf("it would still change %+v, %v", would, err)
	}
	automatic := 0
	all, err := store.Checkpoints.List(t.Context(), "ada")
	for _, c := range all {
		if c.Automatic {
			automatic++
		}
	}
	if err != nil || automatic != 1 {
		t.Errorf("the state before was saved %d times, %v", automatic, err)
	}
	versions, err := Versions(of.Dir, "ada")
	if err != nil || len(versions) == 0 {
		t.Fatalf("versions %+v, %v", versions, err)
	}
	if text, err := versions[0].Text(); err != nil || string(text) != cardNow {
		t.Errorf("the file before was kept as %q, %v", text, err)
	}
}

// TestRestoreWhereNothingCanBeWritten restores where the files cannot be written: nothing is half-done.
func TestRestoreWhereNothingCanBeWritten(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root writes everywhere")
	}
	home := changedHome(t)
	of, store := checkpointsIn(t, home)
	if err := os.Chmod(of.Dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := of.Restore(t.Context(), "then"); err == nil || !strings.Contains(err.Error(), "prepare the file") {
		t.Errorf("restored: %v", err)
	}
	if err := os.Chmod(of.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if facts := toldOf(t, store); len(facts) != 2 {
		t.Errorf("the persona was told %q", facts)
	}
	if _, err := of.Restore(t.Context(), "then"); err != nil {
		t.Fatal(err)
	}
	checkRestored(t, of, store)
}

// TestRestoreWhosePlaceIsTaken puts a directory where the lorebook belongs: the rest is restored, the error says how to go on, and
// the next restore finishes.
func TestRestoreWhosePlaceIsTaken(t *testing.T) {
	home := changedHome(t)
	of, store := checkpointsIn(t, home)
	of.Step = func(done string) {
		if done == "restored" {
			if err := os.MkdirAll(filepath.Join(LoreFile(of.Dir, "ada"), "in the way"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := of.Restore(t.Context(), "then"); err == nil || !strings.Contains(err.Error(), "restore` again") {
		t.Errorf("restored: %v", err)
	}
	if left := preparedIn(t, of); len(left) > 0 {
		t.Errorf("the failed try left %q", left)
	}
	if err := os.RemoveAll(LoreFile(of.Dir, "ada")); err != nil {
		t.Fatal(err)
	}
	of.Step = nil
	if _, err := of.Restore(t.Context(), "then"); err != nil {
		t.Fatal(err)
	}
	checkRestored(t, of, store)
}

// TestRestoreTakesNoBrokenFile refuses a checkpoint whose file this version cannot read.
func TestRestoreTakesNoBrokenFile(t *testing.T) {
	home := t.TempDir()
	of, store := checkpointsIn(t, home)
	writeIn(t, of.Dir, "ada.yaml", "name: Ada\nfuture: yes\n")
	if _, err := of.Create(t.Context(), "broken", ""); err != nil {
		t.Fatal(err)
	}
	writeIn(t, of.Dir, "ada.yaml", cardNow)
	if _, err := of.Restore(t.Context(), "broken"); err == nil {
		t.Error("restored")
	}
	if files, err := of.Files(); err != nil || files.Card != cardNow {
		t.Errorf("the files are %+v, %v", files, err)
	}
	if all, err := store.Checkpoints.List(t.Context(), "ada"); err != nil || len(all) != 1 {
		t.Errorf("checkpoints %+v, %v", all, err)
	}
}

// TestPreparedFilesAreRemoved removes what a killed restore left behind, however young, but nothing of one that is under way.
func TestPreparedFilesAreRemoved(t *testing.T) {
	for name, do := range map[string]func(of Checkpoints) error{
		"create": func(of Checkpoints) error { _, err := of.Create(t.Context(), "more", ""); return err },
		"drop":   func(of Checkpoints) error { return of.Drop(t.Context(), "then") },
		"tidy":   Checkpoints.RemovePrepared,
	} {
		of, _ := checkpointsIn(t, changedHome(t))
		writeIn(t, of.Dir, preparedMark+"1", cardThen)
		unlock, err := lock(t.Context(), of.Dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := of.RemovePrepared(); err != nil || len(preparedIn(t, of)) != 1 {
			t.Errorf("%s: during a restore %q are left, %v", name, preparedIn(t, of), err)
		}
		if err := errors.Join(unlock(), do(of)); err != nil || len(preparedIn(t, of)) != 0 {
			t.Errorf("%s: left %q, %v", name, preparedIn(t, of), err)
		}
	}
	of, store := checkpointsIn(t, changedHome(t))
	writeIn(t, of.Dir, preparedMark+"1", cardThen)
	if _, err := of.Restore(t.Context(), "then"); err != nil {
		t.Fatal(err)
	}
	checkRestored(t, of, store)
}

func preparedIn(t *testing.T, of Checkpoints) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(of.Dir, preparedMark+"*"))
	if err != nil {
		t.Fatal(err)
	}
	return left
}
