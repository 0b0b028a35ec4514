package console

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"familiar/channels"
)

// png begins a PNG file.
const png = "\x89PNG\r\n\x1a\n"

func TestPicturesAreShownByTheirPath(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	path := filepath.Join(dir, "our boat.png")
	if err := os.WriteFile(path, []byte(png+"a boat"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := New(Options{In: strings.NewReader(""), Out: &testOutput{}, Now: time.Now, NewID: counter()})
	for line, words := range map[string]string{
		"/picture '" + path + "' this is our boat":                       "this is our boat",
		`/picture "` + path + `"`:                                        "",
		"/picture " + strings.ReplaceAll(path, " ", `\ `) + "  it's new": "it's new",
		"/picture ~/our\\ boat.png look":                                 "look",
		"/picture file://" + strings.ReplaceAll(path, " ", "%20") + " x": "x",
	} {
		m, err := c.message(line)
		if err != nil || m.Text != words || m.Arrival || len(m.Attachments) != 1 || m.Attachments[0].Kind != "image" || m.Attachments[0].Name != "our boat.png" {
			t.Fatalf("%s: %+v, %v", line, m, err)
		}
		a := m.Attachments[0]
		if a.Path != "" {
			t.Errorf("%s: the file of the person would be removed with the message", line)
		}
		if file, err := c.FetchFile(t.Context(), a, 100); err != nil || string(file) != png+"a boat" {
			t.Errorf("%s: fetched %q, %v", line, file, err)
		}
		if _, err := c.FetchFile(t.Context(), a, 5); err == nil {
			t.Errorf("%s: fetched more than the limit", line)
		}
	}
	for _, line := range []string{"/pictures " + path, "see /picture " + path, "/picture\n" + path} {
		if m, err := c.message(line); err != nil || len(m.Attachments) > 0 || m.Text != line {
			t.Errorf("%q: %+v, %v", line, m, err)
		}
	}
}

// TestWhatIsNoPictureIsNotShown names what cannot be shown: the person is told why, and nothing waits.
func TestWhatIsNoPictureIsNotShown(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string, size int64) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, max(size, int64(len(content)))); err != nil {
			t.Fatal(err)
		}
		return path
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	c := New(Options{In: strings.NewReader(""), Out: &testOutput{}, Now: time.Now, NewID: counter()})
	for path, want := range map[string]string{
		"": "/picture PATH", dir: "no picture", pipe: "no picture", "/dev/zero": "no picture", filepath.Join(dir, "none.png"): "no such file",
		write("page.png", "<html>", 0): "no picture", write("large.png", png, 9<<20): "more than 8", write("empty.png", "", 0): "no picture",
	} {
		if m, err := c.message(strings.TrimSpace("/picture " + path)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v, want %q", path, m, err, want)
		}
	}
	gone := write("gone.png", png, 0)
	m, err := c.message("/picture " + gone)
	if err != nil || os.Remove(gone) != nil {
		t.Fatal(err)
	}
	if _, err := c.FetchFile(t.Context(), m.Attachments[0], 100); err == nil {
		t.Error("a file that is gone was fetched")
	}
	pipeline := New(Options{In: strings.NewReader("/picture /nowhere.png\n"), Out: &testOutput{}, Now: time.Now, NewID: counter()})
	if err := pipeline.Run(t.Context(), func(context.Context, channels.Message) error { return nil }); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a script that shows nothing ends with %v", err)
	}
}
