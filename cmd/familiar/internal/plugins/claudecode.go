package plugins

import "strings"

// manifest is .claude-plugin/plugin.json.
type manifest struct {
	Name        string   `json:"name"`
	Version     string   `json:"version"`
	Description string   `json:"description"`
	Author      author   `json:"author"`
	Keywords    []string `json:"keywords"`
}

type author struct {
	Name string `json:"name"`
}

// server is how Claude Code starts an MCP server.
type server struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// hook is a command that Claude Code runs at an event. It gets a JSON object on its standard input.
type hook struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	// Async lets Claude Code go on meanwhile. Timeout is in seconds.
	Async   bool `json:"async,omitempty"`
	Timeout int  `json:"timeout"`
}

// hookTimeout is how long a hook may take, in seconds: a session of 100 MB that was never read takes less.
const hookTimeout = 60

// hooksFile returns hooks/hooks.json, which runs a command after each answer, before a session is shortened, and at its end. Only
// the last is waited for, since Claude Code may be gone afterwards.
func hooksFile(command []string) any {
	at := func(async bool) []map[string][]hook {
		return []map[string][]hook{{"hooks": {{Type: "command", Command: shellQuoted(command), Async: async, Timeout: hookTimeout}}}}
	}
	return map[string]any{
		"description": "Remembers what you say to Claude Code",
		"hooks":       map[string]any{"Stop": at(true), "PreCompact": at(true), "SessionEnd": at(false)},
	}
}

// shellQuoted returns a command for a POSIX shell.
func shellQuoted(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return strings.Join(quoted, " ")
}
