//go:build unix

package pgtest

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	stopFast        = syscall.SIGINT
	stopImmediately = syscall.SIGQUIT
	stopHard        = syscall.SIGKILL
)

// account is the user that the server runs as, nil for the user of the tests. PostgreSQL refuses to run as root.
var account = sync.OnceValues(func() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("read the ID of the user %s: %w", name, err)
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("read the group of the user %s: %w", name, err)
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, fmt.Errorf("find a user to run PostgreSQL as, which refuses root: add the user postgres or nobody")
})

// detach makes cmd run as the server's user and apart from the terminal, whose Ctrl-C must not reach it.
func detach(cmd *exec.Cmd) error {
	as, err := account()
	if err != nil {
		return err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Credential: as}
	return nil
}

// own gives a directory to the server's user.
func own(dir string) error {
	as, err := account()
	if err != nil || as == nil {
		return err
	}
	return os.Chown(dir, int(as.Uid), int(as.Gid))
}

// childTimeout is how long killed children may take to end.
const childTimeout = 10 * time.Second

// killTree kills a process and its children, and waits until the children have ended: a new server does not start beside them. It stops
// the process first, so that it starts no more of them.
func killTree(pid int) error {
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		return err
	}
	children := childrenOf(pid)
	err := syscall.Kill(pid, syscall.SIGKILL)
	for _, child := range children {
		_ = syscall.Kill(child, syscall.SIGKILL) // it may have ended by itself
	}
	for end := time.Now().Add(childTimeout); slices.ContainsFunc(children, runs) && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	return err
}

// runs reports whether a process has not ended. One that nobody has waited for has.
func runs(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	return len(fields) > 0 && fields[0] != "Z" && fields[0] != "X"
}

// childrenOf lists the child processes of pid. Without /proc it finds none: then they end by themselves soon after
// their parent.
func childrenOf(pid int) []int {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is valid
	var children []int
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// The name of the program is in parentheses and may contain spaces. The state and the parent follow it.
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(fields) < 2 || fields[1] != strconv.Itoa(pid) {
			continue
		}
		if child, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			children = append(children, child)
		}
	}
	return children
}
