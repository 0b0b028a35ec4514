package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const product = "../../cmd/familiar"

// paths are the modules linked with tags.
func paths(t *testing.T, tags ...string) (all []string) {
	t.Helper()
	modules, err := linked(product, tags...)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules {
		all = append(all, m.Path)
	}
	return all
}

// TestNoWhatsAppLinksNoGPL holds the build tag to its promise.
func TestNoWhatsAppLinksNoGPL(t *testing.T) {
	if !slices.Contains(paths(t), "go.mau.fi/libsignal") {
		t.Error("WhatsApp links go.mau.fi/libsignal no more: the tag and the paragraph on it can go")
	}
	without := paths(t, "nowhatsapp")
	if slices.Contains(without, "go.mau.fi/libsignal") || len(without) < 20 {
		t.Errorf("with nowhatsapp these are linked: %v", without)
	}
	modules, err := linked(product, "nowhatsapp")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules {
		ids, err := m.licences()
		if err != nil || slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(id, "GPL") }) {
			t.Errorf("%s is linked with nowhatsapp: %v, %v", m.Path, ids, err)
		}
	}
}

// TestAnUnknownLicenceIsReported looks at modules without a licence that is known.
func TestAnUnknownLicenceIsReported(t *testing.T) {
	mit, err := os.ReadFile("testdata/MIT")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file, text string
		want       []string
		wrong      string
	}{
		"known":          {"LICENSE.txt", string(mit), []string{"MIT"}, ""},
		"another name":   {"COPYING", string(mit), []string{"MIT"}, ""},
		"unknown":        {"LICENSE", "You may look at this on Tuesdays.", nil, "no licence that is known"},
		"none":           {"README.md", string(mit), nil, "has no licence"},
		"mostly unknown": {"LICENSE", string(mit) + strings.Repeat("But only on Tuesdays. ", 100), nil, "no licence that is known"},
	} {
		m := module{Path: "example.org/m", Dir: t.TempDir()}
		if err := os.WriteFile(filepath.Join(m.Dir, c.file), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := m.licences()
		if !slices.Equal(got, c.want) || (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if got := withoutAppendix([]string{"GPL-3.0", "GPL-3.0-or-later", "LGPL-2.1-or-later"}); !slices.Equal(got, []string{"GPL-3.0", "LGPL-2.1-or-later"}) {
		t.Errorf("%v", got)
	}
}
