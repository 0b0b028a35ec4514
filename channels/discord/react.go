package discord

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"familiar/channels"
)

// React sets emoji on a message, or removes the persona's reaction.
func (c *Channel) React(ctx context.Context, room channels.Room, of, emoji string) error {
	at := fmt.Sprintf("/channels/%s/messages/%s", target(room), of)
	if emoji != "" {
		return c.reaction(ctx, http.MethodPut, room, at, emoji)
	}
	var m message
	route := "/channels/" + target(room) + "/messages/id"
	if err := c.rest.do(ctx, call{method: http.MethodGet, path: at, route: route}, &m); err != nil {
		return sendError(err)
	}
	for _, r := range m.Reactions {
		if !r.Me {
			continue
		}
		if err := c.reaction(ctx, http.MethodDelete, room, at, r.Emoji.path()); err != nil {
			return err
		}
	}
	return nil
}

func (c *Channel) reaction(ctx context.Context, method string, room channels.Room, at, emoji string) error {
	err := c.rest.do(ctx, call{
		method: method, path: at + "/reactions/" + url.PathEscape(emoji) + "/@me", route: "/channels/" + target(room) + "/reactions",
	}, nil)
	if err != nil {
		return sendError(err)
	}
	return nil
}

// path returns the emoji as it appears in URLs.
func (e emoji) path() string {
	if e.ID == "" {
		return e.Name
	}
	return e.Name + ":" + e.ID
}
