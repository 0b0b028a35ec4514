//go:build !unix

package pgtest

import (
	"errors"
	"os"
	"os/exec"
)

const (
	stopFast        = unsupported("fast")
	stopImmediately = unsupported("immediate")
	stopHard        = unsupported("hard")
)

// unsupported is a signal that no process receives: tests with a server are skipped on this system.
type unsupported string

func (u unsupported) String() string { return string(u) }
func (unsupported) Signal()          {}

var _ os.Signal = stopFast

func detach(*exec.Cmd) error { return errors.ErrUnsupported }
func own(string) error       { return errors.ErrUnsupported }
func killTree(int) error     { return errors.ErrUnsupported }
