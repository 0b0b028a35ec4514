// Package golden compares what a test made with a reviewed file.
package golden

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Updating reports whether the golden files are written anew.
func Updating() bool { return *update }

// Check reports an error if got differs from the file's content. With -update, the file is written first.
func Check(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file) //nolint:gosec // the test names the file
	if err != nil {
		t.Fatalf("read the golden file (run the test with -update to write it): %v", err)
	}
	if got != string(want) {
		t.Errorf("%s differs; if that is meant, read it and run the test with -update\n%s", file, got)
	}
}
