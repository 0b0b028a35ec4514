// Package scratchpad is the tool with which a model keeps a notepad for one person, or for one group.
package scratchpad

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"familiar/memory/model"
	"familiar/memory/notepad"
	"familiar/persona/tool"
)

// Pads keeps the notepads.
type Pads interface {
	// Of returns the notepad of a room, "" if it is empty.
	Of(ctx context.Context, persona string, room model.Room) (string, error)
	// Change replaces it by what becomes of it, and returns that.
	Change(ctx context.Context, persona string, room model.Room, to func(text string) string) (string, error)
}

// Name is the name of the tool.
const Name = "scratchpad"

// New returns the tool. Without pads it can only be described.
func New(pads Pads) tool.Tool { return scratchpad{pads} }

type scratchpad struct{ pads Pads }

// Spec implements tool.Tool.
func (scratchpad) Spec() tool.Spec {
	return tool.Spec{
		Name: Name,
		Description: "Your own notepad for this person or group, 4 KB, which you are shown as \"notepad\" when it is not empty. Keep on it what you " +
			"work on with them over several messages, such as a list or a plan, and clear it when that is over. It is no memory of people: that is kept anyway.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"action":{"type":"string","enum":["read","write","append","clear"]},` +
			`"text":{"type":"string","description":"for write: the whole notepad; for append: another line"}},"required":["action"]}`),
		Aliases: []string{"notepad", "notes"}, Touches: []tool.Reach{tool.ReachNotes}, Default: tool.Deny, Changes: true,
	}
}

// Call implements tool.Tool.
func (s scratchpad) Call(ctx context.Context, u tool.Use) (tool.Result, error) {
	var given struct{ Action, Text string }
	if err := u.Decode(&given); err != nil {
		return tool.Result{}, err
	}
	text := strings.TrimSpace(given.Text)
	switch given.Action {
	case "read":
		kept, err := s.pads.Of(ctx, u.Persona, u.Room)
		if err == nil && kept == "" {
			return tool.Result{Text: "The notepad is empty.", ProgramText: true}, nil
		}
		return tool.Result{Text: kept}, failure(err)
	case "clear":
		return s.change(ctx, u, "Cleared.", func(string) string { return "" })
	}
	switch {
	case text == "":
		return tool.Result{}, errors.New(`it needs a "text"`)
	case given.Action == "append":
		return s.change(ctx, u, "Appended.", func(before string) string { return strings.TrimPrefix(before+"\n"+text, "\n") })
	}
	return s.change(ctx, u, "Written.", func(string) string { return text })
}

func (s scratchpad) change(ctx context.Context, u tool.Use, done string, to func(string) string) (tool.Result, error) {
	_, err := s.pads.Change(ctx, u.Persona, u.Room, to)
	return tool.Result{Text: done, ProgramText: true}, failure(err)
}

// failure returns an error as the model is told of it.
func failure(err error) error {
	if err == nil || errors.Is(err, notepad.ErrFull) {
		return err
	}
	return errors.New("the notepad cannot be reached now")
}
