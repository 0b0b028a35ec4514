package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"familiar/internal/pgtest"
)

// TestServerScripts runs testdata/server/*.txtar. $SERVER is the address of an empty PostgreSQL database.
func TestServerScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/server",
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", endAtOnce)
			env.Setenv("HOME", env.WorkDir+"/me")
			env.Setenv("SERVER", pgtest.URL(t))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}
