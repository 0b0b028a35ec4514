package discord

import (
	"context"
	"errors"
	"net/http"

	"familiar/channels"
)

// buttonRow is a row of buttons below a message.
type buttonRow struct {
	Type    int      `json:"type"`
	Buttons []button `json:"components"`
}

type button struct {
	Type  int    `json:"type"`
	Style int    `json:"style"`
	Label string `json:"label"`
	// Data is what the button carries when it is pressed.
	Data string `json:"custom_id"`
}

// Ask implements channels.Asker. Like any chunk, a question is shown once however often it is sent.
func (c *Channel) Ask(ctx context.Context, q channels.Question) (channels.Receipt, error) {
	press := func(style int, label string, yes bool) button {
		return button{Type: componentButton, Style: style, Label: label, Data: channels.Press{Question: q.ID, Yes: yes}.Data()}
	}
	row := buttonRow{Type: componentRow, Buttons: []button{press(buttonGreen, q.Yes, true), press(buttonGrey, q.No, false)}}
	return c.send(ctx, chunk{Outgoing: q.Outgoing, buttons: []buttonRow{row}})
}

// EndQuestion implements channels.Asker. The message that only one person sees cannot be edited so: it loses its buttons when one of
// them is pressed.
func (c *Channel) EndQuestion(ctx context.Context, room channels.Room, of string) error {
	channel := target(room)
	err := c.rest.do(ctx, call{
		method: http.MethodPatch, path: "/channels/" + channel + "/messages/" + of, route: "/channels/" + channel + "/messages/id",
		body: withoutButtons,
	}, nil)
	if refused, ok := errors.AsType[*apiError](err); ok && refused.Code == codeUnknownMessage {
		return nil
	}
	if err != nil {
		return sendError(err)
	}
	return nil
}

// withoutButtons is an edit that changes nothing else.
var withoutButtons = map[string]any{"components": []buttonRow{}, "allowed_mentions": mentions{Parse: []string{}}}

// onPress handles a pressed button. Once that is stored, Discord is told, which it must be within three seconds.
func (h *receiver) onPress(ctx context.Context, i interaction) {
	press, ok := channels.ParsePress(i.Data.Pressed)
	if !ok || i.Message == nil {
		h.callback(ctx, i.ID, i.Token, callbackNothing, nil)
		return
	}
	limited, cancel := context.WithTimeout(ctx, replyWindow)
	defer cancel()
	p, err := h.lookupChat(limited, i.ChannelID, i.GuildID, h.rest.doRetrying)
	if err != nil { // Discord tells the user that it failed
		if !contextDone(ctx) {
			h.log.Warn("check a pressed button", "interaction", i.ID, "error", err)
		}
		return
	}
	msg := channels.Message{
		ID: i.ID, Room: p.room(), Author: i.by(), Direct: p.direct(), Server: p.Guild, RoomTitle: p.Title, Press: press,
		ReplyTo: i.Message.ID, At: madeAt(i.ID), Addressed: true, Complete: true,
	}
	var not *channels.NotTaken
	stored := h.untilDone(ctx, "store a pressed button", func() error {
		err := h.accept(ctx, msg)
		if errors.As(err, &not) {
			return nil
		}
		return err
	})
	switch {
	case !stored:
	case not != nil:
		notice := newPayload(formatBody(not.Notice), "")
		notice.Flags = flagEphemeral
		h.callback(ctx, i.ID, i.Token, callbackMessage, notice)
	default:
		h.callback(ctx, i.ID, i.Token, callbackUpdate, withoutButtons)
	}
}
