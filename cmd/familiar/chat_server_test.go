package main

import (
	"strings"
	"testing"

	"familiar/internal/pgtest"
)

// TestChatAfterAKilledOne starts a talk right after one whose process was killed, and refuses a second one beside it.
func TestChatAfterAKilledOne(t *testing.T) {
	t.Parallel()
	home := configure(t, "database: env:SERVER\n")
	env := []string{"SERVER=" + pgtest.URL(t)}
	killed := start(t, home, env, "chat", "--as", "Ann")
	killed.ask("My cat is called Tom.")
	if err := killed.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	talk := start(t, home, env, "chat", "--as", "Ann")
	if said := talk.ask("What is my cat called?"); !strings.Contains(said, "Tom") {
		t.Errorf("after the other was killed it said %q", said)
	}
	familiar(t, configure(t, "database: env:SERVER\n"), env, "Hi.\n", "chat", "--as", "Ben").fails(t, 4, "another process chats in a terminal")
	talk.leave()
}
