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
