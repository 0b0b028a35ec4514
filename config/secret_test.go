package config

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

const canary = "sk-canary-0123456789"

// secret returns the secret that ref refers to.
func secret(t *testing.T, ref string) (s Secret) {
	t.Helper()
	if err := s.UnmarshalText([]byte(ref)); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSecretReveals(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "key")
	if err := os.WriteFile(file, []byte(canary+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{"env:KEY", "file:" + file, "file:key"} {
		var s Secret
		if err := s.UnmarshalText([]byte(ref)); err != nil {
			t.Fatal(err)
		}
		got, err := s.Within(dir, env("KEY", canary)).Reveal()
		if err != nil || got != canary {
			t.Errorf("%s: %q, %v", ref, got, err)
		}
	}
	if got, err := (Secret{}).Reveal(); got != "" || err != nil {
		t.Errorf("no reference: %q, %v", got, err)
	}
}

func TestLiteralSecretsAreRejectedWithoutShowingThem(t *testing.T) {
	for _, literal := range []string{canary, "env:" + canary, "file:", "", "key:" + canary, "[" + canary + "]"} {
		h := home(t, "model:\n  api_key: "+literal+"\n  api_kye: "+literal+"\n")
		_, err := Load(h, nil)
		if err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: %v", literal, err)
		}
	}
}

func TestSecretErrorsSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("open", canary, 0o644)
	write("empty", " \n", 0o600)
	write("long", strings.Repeat("canary", 16<<10), 0o600)
	for ref, want := range map[string]string{
		"env:MISSING":  "MISSING is not set",
		"env:BLANK":    "BLANK is not set",
		"file:open":    "run chmod 600 ",
		"file:empty":   "is empty",
		"file:long":    "is longer than",
		"file:missing": "no such file",
		"file:.":       "is not a regular file",
	} {
		s := secret(t, ref).Within(dir, env("BLANK", " "))
		_, err := s.Reveal()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", ref, err)
		}
	}
}

func TestPrintingASecretShowsItsReference(t *testing.T) {
	s := secret(t, "env:KEY").Within("/home", env("KEY", canary))
	model := Model{Role: Role{ModelSettings: ModelSettings{APIKey: s}}}
	asJSON, err := json.Marshal(model)
	if err != nil {
		t.Fatal(err)
	}
	asYAML, err := yaml.Marshal(model)
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", s, "model", model)
	for _, text := range []string{
		fmt.Sprintf("%v %+v %#v %s %q", s, s, s, s, s), fmt.Sprintf("%v %+v %#v", model, model, model),
		string(asJSON), string(asYAML), log.String(),
	} {
		if strings.Contains(text, "canary") || !strings.Contains(text, "KEY") {
			t.Errorf("prints %q", text)
		}
	}
}
