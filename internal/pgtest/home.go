package pgtest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
)

// home is a directory that a guard removes, after it has stopped the server in it, when the test process ends or closes
// the home.
type home struct {
	dir   string
	guard io.WriteCloser
}

// guardScript waits for the end of its input, which the test process holds open and the kernel closes however that
// process ends. A server that is still starting has no postmaster.pid yet. It ends when its directory is gone.
const guardScript = `
trap '' INT TERM HUP
cat >/dev/null
pid=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
if [ -n "$pid" ] && kill -QUIT "$pid" 2>/dev/null; then
	for i in $(seq 200); do kill -0 "$pid" 2>/dev/null || break; sleep 0.05; done
	kill -KILL "$pid" 2>/dev/null
fi
rm -rf "$1"
`

// newHome makes a directory and starts its guard. The path is short because that of a socket may have 107 bytes only.
func newHome() (*home, error) {
	dir, err := os.MkdirTemp(parentDirectory(), "familiar-pg-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for PostgreSQL: %w", err)
	}
	guard, err := startGuard(dir)
	if err != nil {
		_ = os.RemoveAll(dir) // it is empty
		return nil, fmt.Errorf("guard PostgreSQL's directory %s: %w", dir, err)
	}
	return &home{dir: dir, guard: guard}, nil
}

func parentDirectory() string {
	if dir := memoryDirectory(); dir != "" {
		return dir
	}
	if _, err := os.Stat("/tmp"); err == nil {
		return "/tmp"
	}
	return os.TempDir()
}

func startGuard(dir string) (io.WriteCloser, error) {
	if err := own(dir); err != nil {
		return nil, err
	}
	cmd := exec.Command("/bin/sh", "-c", guardScript, "sh", dir)
	cmd.Dir = "/"
	if err := detach(cmd); err != nil {
		return nil, err
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() { _ = cmd.Wait() }() // reaps it
	return stdin, nil
}

// close has the guard stop the server and remove the directory. It does not wait for that.
func (h *home) close() { _ = h.guard.Close() }
