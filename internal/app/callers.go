package app

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"familiar/channels"
	"familiar/internal/tokens"
	"familiar/memory"
	"familiar/memory/access"
	"familiar/prompts"
)

// Callers returns what channels know of the programs that ask over HTTP: their tokens are the grants of the store.
func (p *Personas) Callers() channels.Callers {
	c := channels.Callers{
		Authenticate: p.Apps[0].callerOf,
		Tokens:       tokens.Estimate,
		PersonaName: func(key string) string {
			if e := p.Engine(key); e != nil {
				return e.Card.Name
			}
			return ""
		},
	}
	if p.Apps[0].Model != nil {
		c.Answer = p.answerRaw
	}
	return c
}

// callerOf returns what the program with a token may do on a channel.
func (a *App) callerOf(ctx context.Context, channel, token string) (c channels.Caller, err error) {
	g, err := a.Store.Access.Authenticate(ctx, token)
	if errors.Is(err, access.ErrRefused) {
		return c, channels.ErrUnauthorized
	}
	if err != nil {
		return c, err
	}
	c = channels.Caller{Program: g.Client, Persona: g.Persona, ReadOnly: g.ReadOnly}
	switch g.Kind {
	case access.Operator:
		c.AnyGroup = true
	case access.Person:
		err = a.bindPerson(ctx, &c, channel, g.PersonID)
	case access.Room:
		err = a.bindRoom(ctx, &c, channel, g.RoomID)
	}
	if errors.Is(err, memory.ErrNotFound) { // erased meanwhile, and the grant with it
		err = channels.ErrUnauthorized
	}
	return c, err
}

// bindPerson binds a caller to the account of a person, which is made when it is needed first. Requests can name no account that begins
// with "~".
func (a *App) bindPerson(ctx context.Context, c *channels.Caller, channel string, person int64) error {
	who, err := a.Store.Log.Person(ctx, person)
	if err != nil {
		return err
	}
	c.Name = who.Name
	for _, h := range who.Handles {
		if h.Channel == channel {
			c.Account = h.ID
			return nil
		}
	}
	c.Account = "~" + strconv.FormatInt(person, 10)
	return a.Store.Log.AddAccount(ctx, person, channels.Handle{Channel: channel, ID: c.Account})
}

// bindRoom binds a caller to a group. The people that it names there are others than those of other callers.
func (a *App) bindRoom(ctx context.Context, c *channels.Caller, channel string, id int64) error {
	room, err := a.Store.Log.RoomByID(ctx, id)
	if err != nil {
		return err
	}
	if room.Room.Channel != channel || room.Direct {
		c.Refusal = "this token is for a room of another network, where the answers would be sent: create one for a person with --as"
		return nil
	}
	c.Group, c.Prefix = room.Room.ID, fmt.Sprintf("~room%d/", id)
	return nil
}

// rawTokens is the longest answer without the persona, in tokens, if the program does not say; maxRawTokens is the longest
// that it may ask for.
const rawTokens, maxRawTokens = 1000, 4000

// answerRaw asks the model that does a persona's own work, within its limits. Nothing is remembered.
func (p *Personas) answerRaw(ctx context.Context, persona, system string, talk []channels.TalkLine, maxTokens int) (string, error) {
	for _, a := range p.Apps {
		if a.Card.Key != persona || a.Model == nil {
			continue
		}
		q := prompts.Prompt{Name: "program", System: system, Messages: alternating(talk), MaxTokens: rawTokens}
		if maxTokens > 0 {
			q.MaxTokens = min(maxTokens, maxRawTokens)
		}
		answer, err := a.Model.Generate(ctx, q, nil)
		return answer.Text, err
	}
	return "", fmt.Errorf("persona %s has no model: %w", persona, memory.ErrNotFound)
}

// alternating joins lines of the same side, and begins with the other one's.
func alternating(talk []channels.TalkLine) (all []prompts.Message) {
	for _, line := range talk {
		role := prompts.User
		if line.Own {
			role = prompts.Assistant
		}
		if n := len(all); n > 0 && all[n-1].Role == role {
			all[n-1].Text = strings.Join([]string{all[n-1].Text, line.Text}, "\n\n")
			continue
		}
		if len(all) == 0 && line.Own {
			all = append(all, prompts.Message{Role: prompts.User, Text: "…"})
		}
		all = append(all, prompts.Message{Role: role, Text: line.Text})
	}
	return all
}
