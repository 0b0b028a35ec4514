package machine

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestMemory(t *testing.T) {
	if m := Memory(); (runtime.GOOS == "linux" || runtime.GOOS == "darwin") && m < 16<<20 {
		t.Errorf("the machine has %d bytes of memory", m)
	}
}

func TestReadLimit(t *testing.T) {
	for text, want := range map[string]int64{"max\n": 0, "536870912\n": 512 << 20, "": 0} {
		file := filepath.Join(t.TempDir(), "memory.max")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := readLimit(file); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
	if got := readLimit(filepath.Join(t.TempDir(), "missing")); got != 0 {
		t.Errorf("without a file: got %d", got)
	}
}

func TestFreeDisk(t *testing.T) {
	if free, known := FreeDisk(t.TempDir()); known != (runtime.GOOS == "linux" || runtime.GOOS == "darwin") || free < 0 {
		t.Errorf("%d bytes are free, known: %v", free, known)
	}
	if _, known := FreeDisk(filepath.Join(t.TempDir(), "missing")); known {
		t.Error("the disk of a path that does not exist is known")
	}
}
