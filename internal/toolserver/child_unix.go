//go:build unix

package toolserver

import (
	"os/exec"
	"syscall"
)

// inGroup has a command run in a process group of its own, so that what it starts ends with it, and Ctrl+C in a terminal
// reaches it through familiar only.
func inGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends a command and everything that it started.
func killGroup(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
