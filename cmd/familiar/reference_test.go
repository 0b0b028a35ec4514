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
	"On a terminal lists are fitted to its width. Piped, they are one row a line, cells separated by tabs, nothing cut. `--json` works with\n" +
	"every operator command, and `run` logs with it as one object a line. What fails prints one object on standard error and ends\n" +
	"with the same exit code: `{\"error\":\"read memory 99: not found; …\",\"code\":3}`.\n\n" +
	"Operator commands work while the persona is being served, which notices what they changed. Only `replay`, `channel login` and\n" +
	"`channel logout` need the home for themselves."

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
