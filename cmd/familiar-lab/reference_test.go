package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"familiar/internal/cli"
)

var update = flag.Bool("update", false, "write docs/cli-lab.md instead of comparing it")

const referenceIntro = "Written by `make docs` from the program's help. `make lab` builds it. The measurements are explained in [mind.md](mind.md)."

// TestCommandReference compares docs/cli-lab.md with the commands.
func TestCommandReference(t *testing.T) {
	t.Parallel()
	want := cli.Reference(newRoot(&cli.Invocation{}), referenceIntro)
	path := filepath.Join("..", "..", "docs", "cli-lab.md")
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("docs/cli-lab.md is not what the commands say: run `make docs` (%v)", err)
	}
}
