//go:build unix

package config

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Requirement S18: reading the configuration and secrets never hangs, whatever stands in their place.

func TestS18WhatIsNoFileIsRefusedAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		put  func(path string) error
		want string
	}{
		"a directory":   {func(path string) error { return os.Mkdir(path, 0o700) }, "is a directory"},
		"a named pipe":  {func(path string) error { return syscall.Mkfifo(path, 0o600) }, "is a named pipe"},
		"a device":      {func(path string) error { return os.Symlink("/dev/zero", path) }, "is a device"},
		"a lost link":   {func(path string) error { return os.Symlink("/nowhere/at-all", path) }, "leads nowhere"},
		"a huge file":   {func(path string) error { return os.WriteFile(path, make([]byte, maxFile+1), 0o600) }, "longer than"},
		"an empty file": {func(path string) error { return os.WriteFile(path, nil, 0o600) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := Home(t.TempDir())
			if err := c.put(h.File()); err != nil {
				t.Fatal(err)
			}
			if _, err := Load(h, nil); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("the configuration: %v", err)
			}
			key := filepath.Join(string(h), "key")
			if err := c.put(key); err != nil {
				t.Fatal(err)
			}
			want := c.want
			if want == "" {
				want = "is empty"
			}
			if _, err := secret(t, "file:key").Within(string(h), nil).Reveal(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("a secret: %v", err)
			}
		})
	}
}
