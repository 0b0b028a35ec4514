package discord

import (
	"context"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"familiar/channels"
)

// maxSuggestions is how many values Discord shows to somebody who types.
const maxSuggestions = 25

// suggest offers values for the option that somebody is filling in. They are in the command table: nothing is looked up, stored
// or remembered. A failure is no loss, since any value can be typed.
func (h *receiver) suggest(ctx context.Context, i interaction) {
	ctx, cancel := context.WithTimeout(ctx, callbackTimeout)
	defer cancel()
	choices := []discordgo.ApplicationCommandOptionChoice{}
	for _, value := range suggestions(i.Data.Options, h.commands.named(i.Data.Name)) {
		choices = append(choices, discordgo.ApplicationCommandOptionChoice{Name: value, Value: value})
	}
	err := h.rest.do(ctx, callbackCall(i.ID, i.Token, callbackSuggestions, map[string]any{"choices": choices}), nil)
	if err != nil {
		h.log.Debug("suggest values for a command", "interaction", i.ID, "error", err)
	}
}

// suggestions returns the values that fit what was typed so far: first those that begin with it, then those that contain it.
func suggestions(filled []option, k channels.Command) []string {
	at := slices.IndexFunc(filled, func(o option) bool { return o.Focused })
	if at < 0 {
		return nil
	}
	known := slices.IndexFunc(k.Options, func(o channels.Option) bool { return o.Name == filled[at].Name })
	if known < 0 {
		return nil
	}
	typed := strings.ToLower(strings.TrimSpace(optionText(filled[at].Value)))
	var begin, contain []string
	for _, value := range k.Options[known].Suggestions {
		switch lower := strings.ToLower(value); {
		case strings.HasPrefix(lower, typed):
			begin = append(begin, value)
		case strings.Contains(lower, typed):
			contain = append(contain, value)
		}
	}
	found := slices.Concat(begin, contain)
	return found[:min(len(found), maxSuggestions)]
}
