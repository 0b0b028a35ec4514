package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"familiar/channels/registry"
	"familiar/channels/whatsapp/whatsapptest"
	"familiar/cmd/familiar/internal/networks"
	"familiar/config"
	"familiar/internal/app"
)

// whatsAppAt is the environment variable that points a test process to its own WhatsApp server, with address and key.
const whatsAppAt = "FAMILIAR_TEST_WHATSAPP"

// init points a process to the WhatsApp server that it was given, and makes typing fifty times as fast. buildReal
// compiles this file into the real binary, so it must not use other test files.
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
	networks.AdjustSetup = func(name string, in registry.Setup) registry.Setup {
		if name == "whatsapp" {
			in.HTTP, in.Host.Jitter = client, func(most time.Duration) time.Duration { return app.Jitter(most / 50) }
		}
		return in
	}
}
