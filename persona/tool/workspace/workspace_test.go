package workspace_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"familiar/persona/tool"
	"familiar/persona/tool/workspace"
)

// desk calls the tools of a workspace.
type desk struct {
	t     *testing.T
	dir   string
	tools map[string]tool.Tool
}

func open(t *testing.T) desk {
	t.Helper()
	d := desk{t, filepath.Join(t.TempDir(), "workspace"), map[string]tool.Tool{}}
	if err := os.Mkdir(d.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, one := range workspace.New(d.dir) {
		d.tools[one.Spec().Name] = one
	}
	return d
}

func (d desk) call(name string, given map[string]any) (string, error) {
	d.t.Helper()
	arguments, err := json.Marshal(given)
	if err != nil {
		d.t.Fatal(err)
	}
	r, err := d.tools["workspace_"+name].Call(d.t.Context(), tool.Use{Arguments: arguments})
	return r.Text, err
}

func TestFilesAreWrittenReadAndEdited(t *testing.T) {
	d := open(t)
	if text, err := d.call("list", nil); err != nil || text != "The workspace is empty." {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := d.call("write", map[string]any{"path": "notes/list.md", "text": "eggs\nmilk\nmilk jug\n"}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.call("edit", map[string]any{"path": "notes/list.md", "old": "eggs", "new": "six eggs"}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.call("edit", map[string]any{"path": "notes/list.md", "old": "milk", "new": "x"}); err == nil || !strings.Contains(err.Error(), "2 times") {
		t.Errorf("an ambiguous passage was replaced: %v", err)
	}
	if text, err := d.call("read", map[string]any{"path": "./notes/list.md", "from": 2}); err != nil || text != "milk\nmilk jug\n" {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := d.call("list", nil); err != nil || !strings.HasPrefix(text, "notes/list.md (23 bytes") {
		t.Errorf("%q, %v", text, err)
	}
	info, err := os.Stat(filepath.Join(d.dir, "notes/list.md"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// TestS4NothingOutsideIsReached tries every way out of the workspace.
func TestS4NothingOutsideIsReached(t *testing.T) {
	d := open(t)
	outside := filepath.Join(filepath.Dir(d.dir), "secret.txt")
	if err := os.WriteFile(outside, []byte("canary"), 0o600); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"link": outside, "up": "../secret.txt", "dir": filepath.Dir(d.dir), "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(d.dir, from)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(d.dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"../secret.txt", outside, "/etc/passwd", "link", "up", "dir/secret.txt", "loop", "pipe", "a/../../secret.txt", `..\secret.txt`, "", ".", "..", "x\x00y", "a/b/c/d/e/f/g/h/i/j",
	} {
		if text, err := d.call("read", map[string]any{"path": path}); err == nil {
			t.Errorf("read %q: %q", path, text)
		}
		if _, err := d.call("write", map[string]any{"path": path, "text": "x"}); err == nil {
			t.Errorf("wrote %q", path)
		}
		if _, err := d.call("edit", map[string]any{"path": path, "old": "canary", "new": "x"}); err == nil {
			t.Errorf("edited %q", path)
		}
	}
	if text, err := d.call("list", nil); err != nil || strings.Contains(text, "secret") {
		t.Errorf("listed %q, %v", text, err)
	}
	if plain, err := os.ReadFile(outside); err != nil || string(plain) != "canary" {
		t.Errorf("%q, %v", plain, err)
	}
}

func TestAWorkspaceIsBounded(t *testing.T) {
	d := open(t)
	if _, err := d.call("write", map[string]any{"path": "large", "text": strings.Repeat("x", workspace.MaxFile+1)}); err == nil {
		t.Error("a file that is too large was written")
	}
	if err := os.WriteFile(filepath.Join(d.dir, "large"), make([]byte, workspace.MaxFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(d.dir, "binary"), []byte{0xff, 0}, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"large", "binary"} {
		if _, err := d.call("read", map[string]any{"path": name}); err == nil {
			t.Errorf("%s was read", name)
		}
	}
	for i := range workspace.MaxFiles {
		if err := os.WriteFile(filepath.Join(d.dir, "f"+string(rune('a'+i%26))+strings.Repeat("x", i/26)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.call("write", map[string]any{"path": "another", "text": "x"}); err == nil {
		t.Error("a file too many was written")
	}
	if _, err := d.call("write", map[string]any{"path": "fa", "text": "x"}); err != nil {
		t.Errorf("a file that exists was not replaced: %v", err)
	}
	if err := os.RemoveAll(d.dir); err != nil {
		t.Fatal(err)
	}
	if _, err := d.call("list", nil); err == nil || strings.Contains(err.Error(), d.dir) {
		t.Errorf("without the directory: %v", err)
	}
}
