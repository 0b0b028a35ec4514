package command

import (
	"regexp"
	"testing"
)

// TestCommandsFitEveryNetwork checks what Telegram and Discord show natively: names of small letters, and texts of at most 100
// characters, none twice.
func TestCommandsFitEveryNetwork(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range All() {
		if !regexp.MustCompile(`^[a-z]{1,32}$`).MatchString(c.Name) || seen[c.Name] {
			t.Errorf("/%s: not a name, or twice", c.Name)
		}
		seen[c.Name] = true
		if c.Help == "" || len(c.Help) > 100 || len(c.Args) > 100 || !c.PrivateReply {
			t.Errorf("/%s: %+v", c.Name, c)
		}
	}
	for _, name := range []string{"memory", "why", "forget", "correct", "share", "private", "quiet", "pause", "language", "timezone", "link", "unlink", "persona", "help"} {
		if !seen[name] {
			t.Errorf("there is no /%s", name)
		}
	}
}
