package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPluginForClaudeCode writes the plugin and checks what Claude Code documents of its structure: where files are, which keys
// they need, and that the commands in them work.
func TestPluginForClaudeCode(t *testing.T) {
	t.Parallel()
	home, dir := filepath.Join(t.TempDir(), "it's home"), filepath.Join(t.TempDir(), "plugin")
	familiar(t, home, nil, "", "plugin", "claude-code", dir, "--as", "Ann").must(t)

	var manifest struct{ Name, Version, Description string }
	readJSON(t, filepath.Join(dir, ".claude-plugin", "plugin.json"), &manifest)
	if !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(manifest.Name) || manifest.Version == "" || manifest.Description == "" {
		t.Errorf("plugin.json: %+v", manifest)
	}
	for _, name := range []string{"skills/familiar-memory/SKILL.md", "commands/recall.md", "commands/remember.md"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		head, body, found := strings.Cut(strings.TrimPrefix(string(text), "---\n"), "\n---\n")
		if !found || !strings.Contains("\n"+head, "\ndescription: ") || strings.TrimSpace(body) == "" {
			t.Errorf("%s has no front matter with a description: %q", name, head)
		}
		if strings.HasPrefix(name, "commands/") && !strings.Contains(body, "$ARGUMENTS") {
			t.Errorf("%s ignores its arguments", name)
		}
		if strings.HasPrefix(name, "skills/") && !strings.Contains(head, "name: familiar-memory\n") {
			t.Errorf("%s is not named like its directory: %q", name, head)
		}
	}
	checkServer(t, dir, home)
	checkHooks(t, dir, home)
	checkForeignFiles(t, dir, home)
}

// checkServer checks that the MCP server is started by absolute paths and flags that exist.
func checkServer(t *testing.T, dir, home string) {
	t.Helper()
	var file struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	readJSON(t, filepath.Join(dir, ".mcp.json"), &file)
	s, ok := file.Servers["memory"]
	if !ok || !filepath.IsAbs(s.Command) || !slices.Contains(s.Args, home) {
		t.Fatalf(".mcp.json: %+v", file)
	}
	help := familiar(t, home, nil, "", s.Args[0], "--help").must(t).out
	for _, flag := range s.Args[1:] {
		if strings.HasPrefix(flag, "--") && !strings.Contains(help, flag+" ") {
			t.Errorf("familiar %s has no flag %s:\n%s", s.Args[0], flag, help)
		}
	}
}

// checkHooks runs the command of each hook as Claude Code does.
func checkHooks(t *testing.T, dir, home string) {
	t.Helper()
	var file struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Type, Command string
				Timeout       int
			}
		}
	}
	readJSON(t, filepath.Join(dir, "hooks", "hooks.json"), &file)
	for i, event := range []string{"Stop", "PreCompact", "SessionEnd"} {
		if len(file.Hooks[event]) != 1 || len(file.Hooks[event][0].Hooks) != 1 {
			t.Fatalf("hooks.json: %+v", file)
		}
		h := file.Hooks[event][0].Hooks[0]
		if h.Type != "command" || h.Timeout == 0 {
			t.Errorf("%s: %+v", event, h)
		}
		session := filepath.Join(dir, "session.jsonl")
		appendTo(t, session, fmt.Sprintf(`{"type":"user","sessionId":"s","uuid":"u%d","timestamp":"2026-03-01T10:0%d:00Z","message":{"content":"I saw heron number %d."}}`+"\n", i, i, i))
		input, err := json.Marshal(map[string]string{"session_id": "s", "transcript_path": session, "hook_event_name": event, "cwd": dir})
		if err != nil {
			t.Fatal(err)
		}
		cmd := command(home, nil)
		shell := exec.CommandContext(t.Context(), "sh", "-c", h.Command)
		shell.Env, shell.Dir = cmd.Env, t.TempDir()
		if r := finish(t, shell, string(input)).must(t); r.out+r.errs != "" {
			t.Errorf("%s: the hook said %q", event, r.out+r.errs)
		}
		if listed := familiar(t, home, nil, "", "memory", "list").must(t).out; !strings.Contains(listed, fmt.Sprintf("I saw heron number %d.", i)) {
			t.Errorf("%s: nothing was captured:\n%s", event, listed)
		}
	}
}

// checkForeignFiles checks that nothing of somebody else is replaced unasked.
func checkForeignFiles(t *testing.T, dir, home string) {
	t.Helper()
	again := familiar(t, home, nil, "", "plugin", "claude-code", dir, "--as", "Ann").must(t)
	if strings.Count(again.out, "unchanged") != 6 {
		t.Errorf("written again:\n%s", again.out)
	}
	foreign := filepath.Join(dir, "commands", "recall.md")
	write(t, foreign, []byte("mine"))
	if r := familiar(t, home, nil, "", "plugin", "claude-code", dir, "--as", "Bob"); r.code == 0 || !strings.Contains(r.errs, "commands/recall.md") || !strings.Contains(r.errs, "--force") {
		t.Errorf("a foreign file: %+v", r)
	}
	if text, err := os.ReadFile(foreign); err != nil || string(text) != "mine" {
		t.Errorf("it became %q, %v", text, err)
	}
	familiar(t, home, nil, "", "plugin", "claude-code", dir, "--as", "Bob", "--force").must(t)
	if text, err := os.ReadFile(foreign); err != nil || string(text) == "mine" {
		t.Errorf("--force: it is still %q, %v", text, err)
	}
	outside := filepath.Join(t.TempDir(), "outside")
	linked := filepath.Join(t.TempDir(), "linked")
	if err := os.MkdirAll(linked, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(linked, "hooks")); err != nil {
		t.Fatal(err)
	}
	if r := familiar(t, home, nil, "", "plugin", "claude-code", linked, "--force"); r.code == 0 {
		t.Errorf("a link that leads outside: %+v", r)
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("something was written outside of the directory")
	}
}

// readJSON reads a JSON file.
func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}
