//go:build nowhatsapp

package all

import (
	"strings"
	"testing"

	"familiar/config"
)

// TestNoWhatsAppIsReported reads configurations that name WhatsApp in a build without it.
func TestNoWhatsAppIsReported(t *testing.T) {
	env := func(string) (string, bool) { return "", false }
	_, err := config.Parse("", []byte("channels:\n  whatsapp:\n    enabled: true\n"), env, Sections()...)
	if err == nil || !strings.Contains(err.Error(), "line 3") && !strings.Contains(err.Error(), ":3:") || !strings.Contains(err.Error(), noWhatsApp) {
		t.Errorf("enabled: %v", err)
	}
	off := "channels:\n  whatsapp:\n    enabled: false\n    read_receipts: true\n    direct: allow\n"
	if _, err := config.Parse("", []byte(off), env, Sections()...); err != nil {
		t.Errorf("not enabled: %v", err)
	}
	for _, c := range Channels {
		if c.Name() == "whatsapp" && c.Section.Template != "" {
			t.Error("init writes a section that cannot be used")
		}
	}
}
