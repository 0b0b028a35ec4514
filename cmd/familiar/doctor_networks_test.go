package main

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"familiar/channels/discord/discordtest"
	"familiar/channels/telegram/telegramtest"
	"familiar/memory"
)

// doctorFindings has the doctor look at a home with this token in the environment, and expects an end and parts of what it says.
func doctorFindings(t *testing.T, home, token string, code int, want ...string) {
	t.Helper()
	r := familiar(t, home, []string{"TOKEN=" + token}, "", "doctor")
	if r.code != code {
		t.Errorf("exit code %d, want %d\n%s%s", r.code, code, r.out, r.errs)
	}
	for _, part := range want {
		if !strings.Contains(r.out+r.errs, part) {
			t.Errorf("nothing of %q in\n%s%s", part, r.out, r.errs)
		}
	}
	if strings.Contains(r.out+r.errs, token) {
		t.Errorf("the token is shown:\n%s%s", r.out, r.errs)
	}
}

// TestT9DoctorChecksTelegram checks common mistakes in the setup of a bot.
func TestT9DoctorChecksTelegram(t *testing.T) {
	t.Parallel()
	const token = "4711:canary"
	server := telegramtest.Start(telegramtest.Options{Token: token, Bot: telegramtest.Bot{ID: 4711, Username: "familiar_bot"}, Now: time.Now})
	t.Cleanup(server.Close)
	home := func(more string) string {
		return configure(t, "channels:\n  telegram: {token: env:TOKEN, base_url: '"+server.URL+"'"+more+"}\n")
	}
	doctorFindings(t, home(""), token, 0, "telegram\tok\tconnected as @familiar_bot")
	doctorFindings(t, home(", groups: {default: mention}"), token, 0, "telegram\tok\tconnected as @familiar_bot")
	doctorFindings(t, home(", groups: {-5: listen}"), token, 0, "telegram\twarning\tprivacy mode is on", "/setprivacy")
	doctorFindings(t, home(""), "4711:wrong", 1, "telegram\tproblem\tTelegram does not accept the bot's token", "@BotFather")
	doctorFindings(t, home(""), "4711 canary", 1, "telegram\tproblem\tthe bot's token does not look like one")
	server.SetWebhook("https://hooks.example.org/secret-path")
	doctorFindings(t, home(""), token, 1, "telegram\tproblem\ta webhook is set for this bot at hooks.example.org,", "deleteWebhook")
}

// TestD1DoctorChecksDiscord checks common mistakes in the setup of an application.
func TestD1DoctorChecksDiscord(t *testing.T) {
	t.Parallel()
	server := discordtest.Start()
	t.Cleanup(server.Close)
	home := func(more string) string {
		return configure(t, "channels:\n  discord: {token: env:TOKEN, base_url: '"+server.URL+"'"+more+"}\n")
	}
	doctorFindings(t, home(", groups: {7: listen}"), discordtest.Token, 0, "discord\tok\tconnected as Familiar")
	doctorFindings(t, home(""), "wrong-token", 1, "discord\tproblem\tDiscord does not accept the token", "Reset Token")
	server.WithholdContent()
	doctorFindings(t, home(", groups: {default: mention}"), discordtest.Token, 0, "discord\tok\tconnected as Familiar")
	doctorFindings(t, home(", groups: {7: listen}"), discordtest.Token, 1, "discord\tproblem\tDiscord does not let", "Message Content Intent")
}

// TestW10DoctorChecksTheWhatsAppLink checks a session before and after it is linked, and while another process has it open.
func TestW10DoctorChecksTheWhatsAppLink(t *testing.T) {
	t.Parallel()
	home := configure(t, "channels:\n  whatsapp: {enabled: true}\n")
	path := filepath.Join(home, "whatsapp", "session.db")
	doctorFindings(t, home, "canary", 1, "whatsapp\tproblem\tno WhatsApp account is linked", "familiar channel login whatsapp")
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the check created a session: %v", err)
	}
	server, _ := whatsAppServer(t)
	linkWhatsApp(t, server, home)
	doctorFindings(t, home, "canary", 0, "whatsapp\tok\tan account is linked")
	writeInto(t, path, func() { doctorFindings(t, home, "canary", 0, "whatsapp\tok\tan account is linked") })

	store, err := memory.Open(t.Context(), filepath.Join(home, "familiar.db"), memory.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close() //nolint:errcheck // a test's
	thirteen := time.Now().Add(-13 * 24 * time.Hour).Unix()
	if err := store.Log.KeyValue("whatsapp").Put(t.Context(), "phone", fmt.Sprint(thirteen)); err != nil {
		t.Fatal(err)
	}
	doctorFindings(t, home, "canary", 0, "whatsapp\twarning\tthe phone has been offline for 13 days")
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	doctorFindings(t, home, "canary", 0, "whatsapp\twarning\tothers on this machine can read", "chmod 600")
}

// writeInto calls do during a write transaction on a database.
func writeInto(t *testing.T, path string, do func()) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // a test's
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	do()
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
}
