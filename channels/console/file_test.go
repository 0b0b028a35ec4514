package console

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"familiar/channels"
)

func TestAFileIsWrittenAndNoneReplaced(t *testing.T) {
	dir := t.TempDir()
	c := New(Options{In: strings.NewReader(""), Out: new(bytes.Buffer), As: "ann", Files: dir})
	for _, want := range []string{"copy.zip", "copy-2.zip"} {
		where, err := c.SendFile(t.Context(), c.Room(), channels.OutgoingFile{Name: "../copy.zip", Content: []byte(want)})
		if err != nil || where != filepath.Join(dir, want) {
			t.Fatalf("written to %q, %v", where, err)
		}
		info, err := os.Stat(where)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
		if content, err := os.ReadFile(where); err != nil || string(content) != want {
			t.Errorf("%s holds %q, %v", where, content, err)
		}
	}
	if _, err := c.SendFile(t.Context(), channels.Room{Channel: Name, ID: "dm/bob"}, channels.OutgoingFile{Name: "x"}); err == nil {
		t.Error("a file was written for another room")
	}
}
