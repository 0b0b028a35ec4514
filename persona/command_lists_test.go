package persona_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"familiar/channels"
	"familiar/channels/discord"
	"familiar/channels/discord/discordtest"
	"familiar/channels/telegram"
	"familiar/channels/telegram/telegramtest"
	"familiar/persona/command"
)

// connectWithCommands runs a channel that publishes every command.
func connectWithCommands(t *testing.T, c channels.Channel) {
	t.Helper()
	c.(channels.Commander).Commands(command.All())
	ended := make(chan struct{})
	t.Cleanup(func() { <-ended })
	go func() {
		defer close(ended)
		_ = c.Run(t.Context(), func(context.Context, channels.Message) error { return nil })
	}()
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(networkPatience); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

// TestT10TelegramListsTheCommandsInThePersonsLanguage registers the real commands, within the limits that the server checks.
func TestT10TelegramListsTheCommandsInThePersonsLanguage(t *testing.T) {
	const ann, group = 42, -1001
	server := telegramtest.Start(telegramtest.Options{Token: "7000:t", Bot: telegramtest.Bot{ID: 7000, Username: "tess_bot"}, Now: time.Now})
	t.Cleanup(server.Close)
	server.AddChat(telegramtest.Chat{ID: ann, Type: "private"})
	server.AddChat(telegramtest.Chat{ID: group, Type: "supergroup", Title: "Walkers"})
	host, _ := connected(t)
	connectWithCommands(t, telegram.New(telegram.Options{Token: "7000:t", Endpoint: server.URL, Host: host}))
	help := func(chat int64, language string) string {
		for _, c := range server.Commands(chat, language) {
			if c.Name == "help" {
				return c.Description
			}
		}
		return ""
	}
	eventually(t, "the lists are not registered", func() bool { return len(server.Calls("setMyCommands")) == 8 && help(group, "fr") != "" })
	for language, want := range map[string]string{
		"en": "[command] this list, or more about one command", "de": "[Befehl] diese Liste, oder mehr zu einem Befehl", "ja": "[command] this list, or more about one command",
	} {
		if alone, among := help(ann, language), help(group, language); alone != want || among != want {
			t.Errorf("%s: alone %q, in a group %q", language, alone, among)
		}
	}
	if n := len(server.Commands(ann, "es")); n != len(command.All()) {
		t.Errorf("alone, there are %d commands", n)
	}
	if all := server.Commands(group, "es"); len(all) != 2 || all[0].Name != "pause" {
		t.Errorf("a group is shown %v", all)
	}
}

// TestD8DiscordListsTheCommandsInThePersonsLanguage does the same for Discord.
func TestD8DiscordListsTheCommandsInThePersonsLanguage(t *testing.T) {
	server := discordtest.Start()
	t.Cleanup(server.Close)
	host, _ := connected(t)
	connectWithCommands(t, discord.New(discord.Options{Token: discordtest.Token, Endpoint: server.URL, Host: host}))
	eventually(t, "the commands are not registered", func() bool { return len(server.Commands()) == len(command.All()) })
	all := server.Commands()
	remind := all[slices.IndexFunc(all, func(k discordtest.Command) bool { return k.Name == "remind" })]
	for locale, want := range map[string][2]string{
		"en-US": {"remind you at a time", "a time such as tomorrow at 9, or drop"}, "ja": {"remind you at a time", "a time such as tomorrow at 9, or drop"},
		"de": {"", "eine Zeit wie morgen um 9, oder drop"}, "es-419": {"", "un momento como mañana a las 9, o drop"}, "fr": {"", "un moment comme demain à 9h, ou drop"},
	} {
		if want[0] != "" && remind.In(locale) != want[0] || remind.Options[0].In(locale) != want[1] || want[0] == "" && remind.In(locale) == remind.Description {
			t.Errorf("%s: %q and %q", locale, remind.In(locale), remind.Options[0].In(locale))
		}
	}
	if !slices.Equal(remind.Contexts, []int{1}) {
		t.Errorf("/remind is offered in %v", remind.Contexts)
	}
}
