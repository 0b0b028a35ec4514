package discord

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/gorilla/websocket"

	"familiar/channels"
)

// The codes with which Discord closes a connection permanently.
const (
	closeBadToken          = 4004
	closeInvalidShard      = 4010
	closeShardingRequired  = 4011
	closeInvalidVersion    = 4012
	closeInvalidIntents    = 4013
	closeDisallowedIntents = 4014
)

// Texts for the operator.
const (
	problemNoContent = "Discord does not let the persona read server messages that do not mention it: it receives only mentions and direct messages"
	nextStepContent  = "switch on Message Content Intent in the Discord developer portal (your application, Bot, Privileged Gateway " +
		"Intents) and restart, or turn message_content off"
)

// connected reports that the connection works, or what is missing.
func (h *receiver) connected() {
	if h.wantContent && !h.readsContent() {
		h.report(channels.Connected, problemNoContent, nextStepContent)
		return
	}
	h.report(channels.Connected, "", "")
}

// connectionEnded reports how a connection ended. It returns an error if reconnecting is useless.
func (g *gateway) connectionEnded(ended error) error {
	if closeCode(ended) == closeDisallowedIntents && g.readsContent() {
		g.contentRefused.Store(true)
		g.report(channels.Transient, problemNoContent, nextStepContent)
		return nil
	}
	if says, do := fatal(closeCode(ended)); says != "" {
		g.report(channels.Refused, says, do)
		return &channels.StateError{State: channels.State{Phase: channels.Refused, Problem: says, NextStep: do}, Err: ended}
	}
	if ended != nil {
		g.report(channels.Transient, fmt.Sprintf("cannot reach Discord: %v", ended), "nothing: it retries automatically")
		return nil
	}
	g.report(channels.Transient, "the connection to Discord was lost", "nothing: it reconnects automatically")
	return nil
}

// closeCode returns the code with which Discord closed the connection, or would have at a later stage; 0 for any other
// end.
func closeCode(ended error) int {
	if closed, ok := errors.AsType[*websocket.CloseError](ended); ok {
		return closed.Code
	}
	if refused, ok := errors.AsType[*apiError](ended); (ok && refused.Status == http.StatusUnauthorized) || errors.Is(ended, errToken) {
		return closeBadToken
	}
	return 0
}

// fatal returns the problem and next step for a close code, empty if reconnecting may work.
func fatal(code int) (says, do string) {
	switch code {
	case closeBadToken:
		return "Discord does not accept the token", "copy the token from the Discord developer portal (your application, Bot, Reset Token) " +
			"into the settings and restart"
	case closeInvalidShard:
		return "Discord refuses the number of the shard", "check channels.discord.shards and restart"
	case closeShardingRequired:
		return "the bot is in more servers than its connections can handle", "set channels.discord.shards to a higher number and restart"
	case closeInvalidVersion:
		return "Discord no longer supports this program's protocol version", "update Familiar"
	case closeInvalidIntents, closeDisallowedIntents:
		return "Discord refuses the requested intents", "check Privileged Gateway Intents in the Discord developer portal " +
			"(your application, Bot) and restart"
	}
	return "", ""
}
