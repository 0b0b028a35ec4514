// Package npmtest fetches packages of npm for tests.
package npmtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Allowed reports whether tests may fetch from npm.
func Allowed() bool { return os.Getenv("FAMILIAR_NPM") != "" }

// Need returns a function that runs npm or npx. It skips the test unless FAMILIAR_NPM is set and name, a package, can be fetched.
func Need(t testing.TB, name string) func(program string, args ...string) ([]byte, error) {
	t.Helper()
	if !Allowed() {
		t.Skip(name + " is fetched from npm only if FAMILIAR_NPM is set")
	}
	run := func(program string, args ...string) ([]byte, error) {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Env = append(os.Environ(), "npm_config_cache="+filepath.Join(os.TempDir(), "familiar-npm"))
		return cmd.CombinedOutput()
	}
	if out, err := run("npm", "view", name, "version"); err != nil {
		t.Skipf("%s cannot be fetched from npm: %v: %.200s", name, err, out)
	}
	return run
}
