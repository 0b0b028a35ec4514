package discord

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/gorilla/websocket"

	"familiar/channels"
)

// The codes with which Discord closes a connection for good.
const (
	closeBadToken          = 4004
	closeInvalidShard      = 4010
	closeShardingRequired  = 4011
	closeInvalidVersion    = 4012
	closeInvalidIntents    = 4013
	closeDisallowedIntents = 4014
)

// Sentences for the operator.
const (
	saysNoContent = "Discord does not let the persona read what is said in servers without a mention: it hears mentions and direct messages only"
	doContent     = "switch on Message Content Intent in the Discord developer portal (your application, Bot, Privileged Gateway " +
		"Intents) and restart, or turn message_content off"
)

func (c *Channel) report(phase channels.Phase, says, do string) {
	c.host.Report(channels.State{Phase: phase, Problem: says, NextStep: do, Account: c.identity.user().Username})
}

// connected reports that all is well, or what is missing.
func (h *hearer) connected() {
	if h.content && !h.hearsAll() {
		h.report(channels.Connected, saysNoContent, doContent)
		return
	}
	h.report(channels.Connected, "", "")
}

// hearsAll says that the text of what is said in servers without a mention is asked for and was not refused.
func (c *Channel) hearsAll() bool { return c.content && !c.muffled.Load() }

// judge reports how a connection ended, and says with an error when no other will do better.
func (g *gateway) judge(ended error) error {
	if closeCode(ended) == closeDisallowedIntents && g.hearsAll() {
		g.muffled.Store(true)
		g.report(channels.Transient, saysNoContent, doContent)
		return nil
	}
	if says, do := fatal(closeCode(ended)); says != "" {
		g.report(channels.Refused, says, do)
		return &channels.StateError{State: channels.State{Phase: channels.Refused, Problem: says, NextStep: do}, Err: ended}
	}
	if ended != nil {
		g.report(channels.Transient, fmt.Sprintf("Discord cannot be reached: %v", ended), "nothing: it is tried again")
		return nil
	}
	g.report(channels.Transient, "the connection to Discord was lost", "nothing: it is made again")
	return nil
}

// closeCode is the code with which Discord closed the connection, or would have, had it come so far; 0 for any other end.
func closeCode(ended error) int {
	if closed, ok := errors.AsType[*websocket.CloseError](ended); ok {
		return closed.Code
	}
	if refused, ok := errors.AsType[*apiError](ended); (ok && refused.Status == http.StatusUnauthorized) || errors.Is(ended, errToken) {
		return closeBadToken
	}
	return 0
}

// fatal is what a close code says and what to do, empty for one after which it is worth connecting again.
func fatal(code int) (says, do string) {
	switch code {
	case closeBadToken:
		return "Discord does not accept the token", "put the token of the Discord developer portal (your application, Bot, Reset Token) " +
			"into the settings and restart"
	case closeInvalidShard, closeShardingRequired:
		return "the bot is in more servers than one connection can hear", "take it out of some servers and restart"
	case closeInvalidVersion:
		return "Discord does not speak the protocol of this program any more", "update Familiar"
	case closeInvalidIntents, closeDisallowedIntents:
		return "Discord refuses what the persona asks to hear", "look at Privileged Gateway Intents in the Discord developer portal " +
			"(your application, Bot) and restart"
	}
	return "", ""
}
