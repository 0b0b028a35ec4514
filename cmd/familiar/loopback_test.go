package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"familiar/channels/registry"
	"familiar/channels/whatsapp/whatsapptest"
	"familiar/config"
	"familiar/internal/app"
)

// whatsAppAt names the variable that leads a process of a test to a WhatsApp of its own, as the address and the key.
const whatsAppAt = "FAMILIAR_TEST_WHATSAPP"

// init makes a process reach the WhatsApp it was told of, and type fifty times as fast. This file is also what buildReal
// compiles into a binary that is real but for it, so it stands on nothing of other tests.
func init() {
	told, ok := config.OS()(whatsAppAt)
	if !ok {
		return
	}
	addr, key, _ := strings.Cut(told, " ")
	client, err := whatsapptest.Reach(addr, key)
	if err != nil {
		fmt.Fprintln(os.Stderr, whatsAppAt+":", err)
		os.Exit(1)
	}
	adjustSetup = func(name string, in registry.Setup) registry.Setup {
		if name == "whatsapp" {
			in.HTTP, in.Host.Jitter = client, func(most time.Duration) time.Duration { return app.Jitter(most / 50) }
		}
		return in
	}
}
