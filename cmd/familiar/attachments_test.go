package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"familiar/channels"
)

// TestForgetRemovesAttachments forgets a message with a picture while the home is being served, and expects the file to
// be deleted.
func TestForgetRemovesAttachments(t *testing.T) {
	t.Parallel()
	s := serveNetwork(t, "channels:\n  telegram: {token: env:TOKEN, direct: open, attachments: {keep: true}}\n")
	picture := filepath.Join(s.home, "attachments", "telegram", "rex.jpg")
	if err := os.MkdirAll(filepath.Dir(picture), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, picture, []byte("a picture"))
	s.network.heard <- channels.Message{
		ID: "1", Room: channels.Room{Channel: "telegram", ID: "4711"}, Direct: true, Addressed: true, At: time.Now(),
		Author: channels.Author{Handle: channels.Handle{Channel: "telegram", ID: "4711"}, Name: "Zed"}, Text: "This is Rex.",
		Attachments: []channels.Attachment{{Kind: "image", Path: picture}},
	}
	if err := <-s.network.kept; err != nil {
		t.Fatal(err)
	}
	s.hears()
	remembered := rowsOf(t, s.home, "memory", "list")
	if len(remembered) != 1 || !strings.Contains(remembered[0]["text"].(string), "Rex") {
		t.Fatalf("remembered: %v", remembered)
	}
	if _, err := os.Stat(picture); err != nil {
		t.Fatal(err)
	}
	familiar(t, s.home, nil, "", "memory", "forget", fmt.Sprint(remembered[0]["id"])).must(t)
	if _, err := os.Stat(picture); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the picture is still there: %v", err)
	}
}

// TestS12APersonsFilesAreExportedAndErased has somebody send a picture that is kept: it is in their export, and after /forget me in no
// byte of the home.
func TestS12APersonsFilesAreExportedAndErased(t *testing.T) {
	t.Parallel()
	s := serveNetwork(t, "channels:\n  telegram: {token: env:TOKEN, direct: open, attachments: {keep: true}}\n")
	picture := filepath.Join(s.home, "attachments", "telegram", "4711", "rex.jpg")
	if err := os.MkdirAll(filepath.Dir(picture), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, picture, []byte("canarypicture"))
	s.network.heard <- channels.Message{
		ID: "0", Room: channels.Room{Channel: "telegram", ID: "4711"}, Direct: true, Addressed: true, At: time.Now(),
		Author: channels.Author{Handle: channels.Handle{Channel: "telegram", ID: "4711"}, Name: "Zed"}, Text: "This is Rex.",
		Attachments: []channels.Attachment{{Kind: "image", Path: picture}},
	}
	if err := <-s.network.kept; err != nil {
		t.Fatal(err)
	}
	s.hears()
	copied := filepath.Join(t.TempDir(), "zed")
	familiar(t, s.home, nil, "", "person", "export", "Zed", "--to", copied).must(t)
	if got, err := os.ReadFile(filepath.Join(copied, "files", "telegram", "4711", "rex.jpg")); err != nil || string(got) != "canarypicture" {
		t.Errorf("the export has %q, %v", got, err)
	}
	s.says("4711", "", "/forget me")
	s.hears()
	s.says("4711", "", "/forget yes")
	s.hears()
	eventually(t, "no byte of the picture", func() bool { return holding(t, s.home, "canarypicture") == "" })
}
