// Package command has the commands that people give in a chat: what the persona remembers of them, and how they set, move and
// forget it. The engine hands each command to a Runner, in the order of its room. Package request reads the same wishes in
// plain words.
package command

import (
	"context"
	"io"
	"log/slog"
	"time"

	"familiar/channels"
	"familiar/memory"
	"familiar/memory/model"
	"familiar/memory/recall"
	"familiar/persona/card"
	"familiar/prompts"
)

// Runner answers the commands that are given to one persona. It has all that commands need of the process around it.
type Runner struct {
	Card     *card.Card
	Store    *memory.Store
	Channels map[string]channels.Channel
	Engine   Engine
	Outbox   Outbox
	Personas Personas
	// Proposals is what waits for a yes.
	Proposals *Proposals
	// Zone is used for people whose timezone is unknown.
	Zone *time.Location
	// RecentMessages is how many messages of the running session a voice sees at most.
	RecentMessages int
	// WithoutModel says that the persona speaks without a model.
	WithoutModel bool
	// Speaks says that the persona can answer aloud, Aloud in what form it answers on a network who never said: "off", "on" or "auto".
	Speaks bool
	Aloud  func(channel string) string
	// SignIn returns the address to which a token is appended for a link that signs in to the dashboard, "" if that is not served.
	// nil is never.
	SignIn func() string
	Now    func() time.Time
	// Random is the source of codes.
	Random io.Reader
	// Erased removes from files outside the store what names one of the ids of a person who was erased. nil for no such files.
	Erased func(ctx context.Context, ids []string) error
	Log    *slog.Logger
}

// Engine is what commands ask of the persona's engine: what it would do with a message.
type Engine interface {
	// EmbedQuery returns the query embedding of what the person called asker asks, nil if there is none.
	EmbedQuery(ctx context.Context, asker, text string) *recall.QueryEmbedding
	// PromptAgain returns the prompt that a model would get now if a person said again what they said in a room.
	PromptAgain(ctx context.Context, person model.Person, room model.Room, hearing memory.Visibility, said model.Message) (prompts.Prompt, error)
	// Reannotate analyzes a message as a turn would have done and finds the open loops that it answers. before is the
	// persona's message right before it.
	Reannotate(m channels.Message, person model.Person, before string, open []model.Loop) (model.Annotation, []int64)
	// EventKey returns a key that identifies m among all messages.
	EventKey(m channels.Message) string
}

// Outbox delivers what commands have queued.
type Outbox interface {
	// Wake tells that a message was queued for a room.
	Wake(room model.Room)
	// ReminderAdded tells that a reminder was added, which may be the next that is due.
	ReminderAdded()
	// NoReply tells the channel of m that m gets no reply.
	NoReply(m channels.Message)
}

// Personas are the personas of the process, by their keys.
type Personas interface {
	// Choices returns the personas that the direct room of m can be switched to.
	Choices(m channels.Message) []string
	// Owner returns the persona that the room of m has unless somebody chose another.
	Owner(m channels.Message) string
	// Name returns the name of a persona.
	Name(key string) string
	// Chosen tells that somebody chose another persona for their room.
	Chosen(ctx context.Context) error
}
