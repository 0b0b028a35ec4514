package config

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// Env looks up an environment variable. The zero Env is an empty environment.
type Env func(name string) (value string, ok bool)

// OS returns the process's environment.
func OS() Env { return os.LookupEnv }

func (e Env) lookup(name string) (string, bool) {
	if e == nil {
		return "", false
	}
	return e(name)
}

func (e Env) get(name string) string {
	value, _ := e.lookup(name)
	return value
}

// Has reports whether a variable is set and not empty.
func (e Env) Has(name string) bool { return e.get(name) != "" }

// Home returns the home directory: flag if given, otherwise $FAMILIAR_HOME, $XDG_DATA_HOME/familiar, or
// ~/.local/share/familiar.
func (e Env) Home(flag string) (Home, error) {
	for _, chosen := range []string{flag, e.get("FAMILIAR_HOME")} {
		if chosen != "" {
			path, err := filepath.Abs(chosen)
			return Home(path), err
		}
	}
	// XDG base directory specification: a relative path is ignored.
	if data := e.get("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return Home(filepath.Join(data, "familiar")), nil
	}
	if user := e.get("HOME"); filepath.IsAbs(user) {
		return Home(filepath.Join(user, ".local", "share", "familiar")), nil
	}
	return "", errors.New("find the home directory: neither FAMILIAR_HOME nor HOME is set: use --home DIR")
}

// NoColor reports whether to use no colours: NO_COLOR is set, or the terminal is dumb.
func (e Env) NoColor() bool { return e.Has("NO_COLOR") || e.get("TERM") == "dumb" }

// Editor returns the editor command with its arguments: $VISUAL, $EDITOR or vi.
func (e Env) Editor() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(e.get(name)); len(words) > 0 {
			return words
		}
	}
	return []string{"vi"}
}

// HasEditor reports whether an editor is set.
func (e Env) HasEditor() bool { return strings.TrimSpace(e.get("VISUAL")+e.get("EDITOR")) != "" }

// ollamaPort is Ollama's default port.
const ollamaPort = "11434"

// OllamaURL returns the address of this machine's Ollama: http://127.0.0.1:11434, or what Ollama's own OLLAMA_HOST
// says.
func (e Env) OllamaURL() string {
	scheme, address := "http", e.get("OLLAMA_HOST")
	if s, rest, ok := strings.Cut(address, "://"); ok {
		scheme, address = s, rest
	}
	host, port, err := net.SplitHostPort(strings.TrimRight(address, "/"))
	if err != nil {
		host, port = strings.Trim(strings.TrimRight(address, "/"), "[]"), ollamaPort
	}
	// A server that listens on all addresses is asked on this machine.
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}
