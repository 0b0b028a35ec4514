package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"familiar/internal/llm/llmtest"
	"familiar/internal/pgtest"
)

// smallDisk returns a file system of 4 MB.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("familiar", dir, "tmpfs", 0, "size=4m,mode=0700"); err != nil {
		t.Skip("needs the right to mount a small disk:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill fills the rest of the disk and returns a function that frees it.
func fill(t *testing.T, disk string) (free func()) {
	path := filepath.Join(disk, "ballast")
	f, err := os.Create(path)
	if err != nil {
		t.Error(err)
		return func() {}
	}
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("fill the disk: %v", err)
	}
	_ = f.Close()
	return func() {
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
	}
}

// TestR6DiskFullBeforeAMessage rejects a message that cannot be stored, and loses nothing that was stored before.
func TestR6DiskFullBeforeAMessage(t *testing.T) {
	t.Parallel()
	home := smallDisk(t)
	talk := start(t, home, nil, "chat", "--as", "Ann")
	talk.ask("My cat is called Tom.")
	free := fill(t, home)
	talk.say("My dog is called Rex.")
	code, said := talk.exit()
	if code != 1 || said != "" {
		t.Errorf("exit code %d, said %q", code, said)
	}
	for _, word := range []string{"store message", "is full, nothing was written; free some space"} {
		if !strings.Contains(talk.errs.String(), word) {
			t.Errorf("nothing of %q in:\n%s", word, talk.errs)
		}
	}
	free()
	free = fill(t, home)
	familiar(t, home, nil, "hi\n", "chat", "--as", "Ann").fails(t, 1, "no space left on device", "free some")
	familiar(t, home, nil, "", "memory", "add", "The key is under the flowerpot.").fails(t, 1, "is full")
	free()
	r := familiar(t, home, nil, "What is my cat called?\n", "chat", "--as", "Ann").must(t)
	if !strings.Contains(r.out, "Tom") {
		t.Errorf("afterwards it said %q", r.out)
	}
	checkRecord(t, home, []string{"My cat is called Tom.", "What is my cat called?"})
}

// TestR6DiskOfTheServerFull fills the disk of the server in the middle of a talk: what was answered is known afterwards.
func TestR6DiskOfTheServerFull(t *testing.T) {
	t.Parallel()
	server, disk := pgtest.StartOnDisk(t, 160)
	home := configure(t, "database: env:SERVER\n")
	env := []string{"SERVER=" + server.URL()}
	talk := start(t, home, env, "chat", "--as", "Ann")
	talk.ask("My cat is called Tom.")
	free := disk.Fill()
	const full = "the disk of the PostgreSQL server is full, nothing was written: free space there"
	for n := 0; n < 2000 && !strings.Contains(talk.errs.String(), full); n++ {
		_, err := io.WriteString(talk.in, fmt.Sprintf("Note %d: %s\n", n, strings.Repeat("I saw a heron. ", 40)))
		if err != nil {
			break // it has ended
		}
		time.Sleep(10 * time.Millisecond)
	}
	eventually(t, "word of the full disk on standard error", func() bool { return strings.Contains(talk.errs.String(), full) })
	free()
	_ = talk.in.Close()
	talk.exit()
	r := familiar(t, home, env, "What is my cat called?\n", "chat", "--as", "Ann").must(t)
	if !strings.Contains(r.out, "Tom") {
		t.Errorf("afterwards it said %q", r.out)
	}
}

// TestR6DiskFullAfterAMessage fills the disk after a message is stored and before its reply is: the process reports it,
// continues when there is space, and replies once.
func TestR6DiskFullAfterAMessage(t *testing.T) {
	t.Parallel()
	home := smallDisk(t)
	var free atomic.Pointer[func()]
	p := llmtest.Serve(t, func(w http.ResponseWriter, r *llmtest.Request) {
		if free.Load() == nil {
			giveBack := fill(t, home)
			free.Store(&giveBack)
		}
		llmtest.Says("A heron, how lovely.")(w, r)
	})
	if err := os.WriteFile(filepath.Join(home, "familiar.yaml"), []byte(read(t, filepath.Join(configHome(t, p, ""), "familiar.yaml"))), 0o600); err != nil {
		t.Fatal(err)
	}
	talk := start(t, home, keyed, "chat", "--as", "Ann")
	talk.say("I saw a heron.")
	eventually(t, "word of the full disk on standard error", func() bool {
		return strings.Contains(talk.errs.String(), "is full, nothing was written")
	})
	(*free.Load())()
	talk.hear("A heron, how lovely.")
	if said := talk.leave(); said != "" {
		t.Errorf("it said more: %q", said)
	}
	checkRecord(t, home, []string{"I saw a heron."})
}

// TestUnwritable expects the error to name the directory or file that cannot be written, and the missing permission.
func TestUnwritable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		mode func(t *testing.T, home string) error
		want []string
	}{
		{"the home", func(_ *testing.T, home string) error { return os.Chmod(home, 0o500) }, []string{"permission denied", "--home DIR"}},
		{"a new home", func(_ *testing.T, home string) error {
			return errors.Join(os.RemoveAll(filepath.Join(home, "personas")), os.Chmod(home, 0o500))
		}, []string{"create the home directory", "permission denied", "--home DIR"}},
		{"the database", func(_ *testing.T, home string) error {
			return os.Chmod(filepath.Join(home, "familiar.db"), 0o400)
		}, []string{"familiar.db", "must be readable and writable by familiar's user"}},
		{"the log", func(_ *testing.T, home string) error {
			return os.Chmod(filepath.Join(home, "familiar.log"), 0o400)
		}, []string{"open the log", "familiar.log"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := unprivilegedHome(t)
			run := func(in string, args ...string) result { return finish(t, unprivileged(t, home, args...), in) }
			run("My cat is called Tom.\n", "chat", "--as", "Ann").must(t)
			before := read(t, filepath.Join(home, "familiar.db"))
			if err := c.mode(t, home); err != nil {
				t.Fatal(err)
			}
			run("hi\n", "chat", "--as", "Ann").fails(t, 1, c.want...)
			if read(t, filepath.Join(home, "familiar.db")) != before {
				t.Error("the database was changed")
			}
		})
	}
}

const nobody = 65534

// unprivilegedHome returns a home that belongs to an unprivileged user.
func unprivilegedHome(t *testing.T) string {
	t.Helper()
	home, err := os.MkdirTemp("", "familiar") // only the current user may enter t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	if os.Geteuid() == 0 {
		if err := os.Chown(home, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// unprivileged runs familiar without special rights: file modes do not restrict root.
func unprivileged(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := command(home, nil, args...)
	if os.Geteuid() == 0 {
		bin := filepath.Dir(cmd.Path)
		if err := errors.Join(os.Chmod(bin, 0o755), os.Chmod(filepath.Dir(bin), 0o755)); err != nil {
			t.Fatal(err)
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	return cmd
}
