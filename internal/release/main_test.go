package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestAnOrdinaryBuildIsNoRelease checks this test's own binary.
func TestAnOrdinaryBuildIsNoRelease(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads ELF")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	err = check(self)
	if err == nil {
		t.Fatal("it passes")
	}
	for _, word := range []string{`-buildmode=`, "position independent"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("nothing of %q in %v", word, err)
		}
	}
}

func TestNoBinary(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notes")
	if err := os.WriteFile(file, []byte("no binary"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := check(file); err == nil {
		t.Error("a text passes")
	}
}
