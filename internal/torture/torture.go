// Package torture says how often tests repeat: a short form in every run, the long one with FAMILIAR_TORTURE set (make torture).
package torture

import "os"

// On reports whether the long forms run.
func On() bool { return os.Getenv("FAMILIAR_TORTURE") != "" } //nolint:forbidigo // only tests use it

// Rounds returns how often a test repeats what it does: short, or long if the long forms run.
func Rounds(short, long int) int {
	if On() {
		return long
	}
	return short
}
