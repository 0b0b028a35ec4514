package discord

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"

	"github.com/bwmarrin/discordgo"

	"familiar/channels"
)

// maxDescription is Discord's limit for the description of a command or an option.
const maxDescription = 100

// commandsHashKey is the state store key of the hash of the commands last published.
const commandsHashKey = "commands"

// commands holds the commands people can use.
type commands struct {
	mu  sync.Mutex
	all []channels.Command
	set bool
}

// Commands sets the commands that Run publishes once connected, if they changed since the last publication.
func (c *Channel) Commands(all []channels.Command) {
	c.commands.mu.Lock()
	defer c.commands.mu.Unlock()
	c.commands.all, c.commands.set = all, true
}

// named returns the command with that name. The reply to an unknown one is private.
func (cs *commands) named(name string) channels.Command {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, k := range cs.all {
		if k.Name == name {
			return k
		}
	}
	return channels.Command{Name: name, PrivateReply: true}
}

// definitions returns the commands in Discord's format, and whether any were set.
func (cs *commands) definitions() (all []*discordgo.ApplicationCommand, set bool) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	all = make([]*discordgo.ApplicationCommand, 0, len(cs.all))
	for _, k := range cs.all {
		all = append(all, definition(k))
	}
	return all, cs.set
}

func definition(k channels.Command) *discordgo.ApplicationCommand {
	contexts := []discordgo.InteractionContextType{discordgo.InteractionContextGuild, discordgo.InteractionContextBotDM}
	if k.Where == channels.InDirect {
		contexts = contexts[1:]
	}
	localized := localizations(k.Help)
	d := &discordgo.ApplicationCommand{
		Name: k.Name, Description: description(k.Help), DescriptionLocalizations: &localized, Type: discordgo.ChatApplicationCommand,
		Contexts: &contexts, IntegrationTypes: &[]discordgo.ApplicationIntegrationType{discordgo.ApplicationIntegrationGuildInstall},
		Options: []*discordgo.ApplicationCommandOption{},
	}
	for _, o := range k.Options {
		part := &discordgo.ApplicationCommandOption{
			Type: discordgo.ApplicationCommandOptionString, Name: o.Name, Required: o.Required, Autocomplete: len(o.Suggestions) > 0,
			Description: description(o.Help), DescriptionLocalizations: localizations(o.Help),
		}
		for _, choice := range o.Choices {
			part.Choices = append(part.Choices, &discordgo.ApplicationCommandOptionChoice{Name: choice, Value: choice})
		}
		d.Options = append(d.Options, part)
	}
	return d
}

// description returns the text for all languages without one of their own.
func description(text channels.Localized) string {
	return channels.Shorten(text.In("en"), maxDescription)
}

// localizations returns the text by Discord's locales. Several locales may share a language: es-ES and es-419.
func localizations(text channels.Localized) map[discordgo.Locale]string {
	all := make(map[discordgo.Locale]string)
	for locale := range discordgo.Locales {
		language, _, _ := strings.Cut(string(locale), "-")
		if own := text[language]; own != "" && language != "en" {
			all[locale] = channels.Shorten(own, maxDescription)
		}
	}
	return all
}

// syncCommands publishes the commands if their definitions changed. On failure it is retried at the next READY event.
func (h *receiver) syncCommands(ctx context.Context) {
	all, set := h.commands.definitions()
	app := h.identity.application()
	if !set || app == "" {
		return
	}
	hash, err := hashOf(app, all)
	if err == nil {
		err = h.putCommands(ctx, app, hash, all)
	}
	if err != nil && ctx.Err() == nil {
		h.log.Warn("publish the Discord commands", "error", err)
	}
}

func (h *receiver) putCommands(ctx context.Context, app, hash string, all []*discordgo.ApplicationCommand) error {
	told, err := h.host.Store.Get(ctx, commandsHashKey)
	if err != nil && !errors.Is(err, channels.ErrNotFound) {
		return err
	}
	if told == hash {
		return nil
	}
	if err := h.rest.do(ctx, call{method: http.MethodPut, path: "/applications/" + app + "/commands", body: all}, nil); err != nil {
		return err
	}
	return h.host.Store.Put(ctx, commandsHashKey, hash)
}

func hashOf(app string, all []*discordgo.ApplicationCommand) (string, error) {
	text, err := json.Marshal(all)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append([]byte(app), text...))
	return hex.EncodeToString(sum[:]), nil
}
