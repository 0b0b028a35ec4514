package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"familiar/internal/cli"
)

var update = flag.Bool("update", false, "write docs/cli.md instead of comparing it")

const referenceIntro = "Written by `make docs` from the program's help; `familiar help COMMAND` shows the same.\n\n" +
	"On a terminal, lists are fitted to its width. In a pipe, each row is one uncut line with tab-separated cells. `--json` works with\n" +
	"every operator command; `run` then logs one JSON object per line. An error is one JSON object on standard error, with the same\n" +
	"exit code: `{\"error\":\"read memory 99: not found; …\",\"code\":3}`.\n\n" +
	"Operator commands work while the home is being served, and the serving process notices their changes. Only `import`, `replay`,\n" +
	"`channel login` and `channel logout` need the home for themselves."

// TestCommandReference compares docs/cli.md with the commands.
func TestCommandReference(t *testing.T) {
	t.Parallel()
	want := cli.Reference(newRoot(&cli.Invocation{}), referenceIntro)
	path := filepath.Join("..", "..", "docs", "cli.md")
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("docs/cli.md is not what the commands say: run `make docs` (%v)", err)
	}
}
