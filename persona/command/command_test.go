package command

import (
	"regexp"
	"testing"
	"unicode/utf8"

	"familiar/channels"
)

// TestCommandsFitEveryNetwork checks what Telegram and Discord show natively: at most 100 commands with names of small letters,
// descriptions of at most 256 and 100 characters, and at most 25 options, the required ones first.
func TestCommandsFitEveryNetwork(t *testing.T) {
	seen := map[string]bool{}
	name := regexp.MustCompile(`^[a-z]{1,32}$`)
	for _, c := range All() {
		if !name.MatchString(c.Name) || seen[c.Name] {
			t.Errorf("/%s: not a name, or twice", c.Name)
		}
		seen[c.Name] = true
		if len(c.Options) > 25 || !c.PrivateReply || (len(c.Args) == 0) != (len(c.Options) == 0) {
			t.Errorf("/%s: %+v", c.Name, c)
		}
		described(t, c.Name, c.Help)
		options := map[string]bool{}
		for i, o := range c.Options {
			described(t, c.Name+" "+o.Name, o.Help)
			if !name.MatchString(o.Name) || options[o.Name] || len(o.Choices) > 25 || o.Required && i > 0 && !c.Options[i-1].Required {
				t.Errorf("/%s: %+v", c.Name, o)
			}
			options[o.Name] = true
		}
	}
	if len(seen) > 100 {
		t.Errorf("there are %d commands", len(seen))
	}
	for _, name := range []string{"memory", "why", "forget", "me", "correct", "share", "private", "quiet", "pause", "language", "timezone", "link", "unlink", "persona", "help"} {
		if !seen[name] {
			t.Errorf("there is no /%s", name)
		}
	}
}

// described checks that there is a short text in every language.
func described(t *testing.T, what string, text channels.Localized) {
	t.Helper()
	for tag := range tongues {
		if n := utf8.RuneCountInString(text[tag]); n < 1 || n > 100 {
			t.Errorf("%s: /%s is described in %d characters", tag, what, n)
		}
	}
}

// TestCommandsAreListedWhereTheyAreOfUse: whatever is for direct talks only is not listed in a group.
func TestCommandsAreListedWhereTheyAreOfUse(t *testing.T) {
	for _, c := range All() {
		want := channels.InDiscreetGroup
		switch c.Name {
		case "me", "export", "share", "remind", "link", "unlink", "training":
			want = channels.InDirect
		case "pause", "help":
			want = channels.InGroup
		}
		if c.Where != want {
			t.Errorf("/%s is listed in %d, not %d", c.Name, c.Where, want)
		}
	}
}
