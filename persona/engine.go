package persona

import (
	"context"
	"io"
	"log/slog"
	"time"

	"familiar/channels"
	"familiar/channels/gate"
	"familiar/memory"
	"familiar/memory/fleet"
	"familiar/memory/recall"
	"familiar/persona/card"
	"familiar/persona/care"
	"familiar/persona/modelvoice"
	"familiar/persona/route"
	"familiar/persona/scene"
	"familiar/persona/session"
	"familiar/persona/tool"
)

// Parts are the dependencies of an Engine.
type Parts struct {
	Card  *card.Card
	Store *memory.Store
	// Fleet is this process among those that answer from the same memory, nil if it is the only one.
	Fleet *fleet.Member
	Voice scene.Voice
	// Model does background work between conversations. Its calls are already charged to its caps. It is nil without a
	// model.
	Model modelvoice.Model
	// Tools is what a model may call while it answers, nil for the tools of the memory alone.
	Tools *tool.Registry
	// Transcriber listens to recordings. It is nil if nothing does.
	Transcriber Transcriber
	// Speaker says replies aloud. It is nil if nothing does.
	Speaker Speaker
	// EmbedQuery returns the query embedding of a text, or nil if it is not available in time. The function is nil
	// without an embedder.
	EmbedQuery func(ctx context.Context, text string) *recall.QueryEmbedding
	// Channels are the channels of this process. Rooms of other channels wait for the process that serves them.
	Channels []channels.Channel
	Settings Settings
	Now      func() time.Time
	// Erased removes from files outside the store what names one of the ids of somebody who was erased by their own command: their
	// accounts and direct rooms. nil for no such files.
	Erased func(ctx context.Context, ids []string) error
	// Jitter returns a duration between 0 and its argument, to spread retries.
	Jitter func(time.Duration) time.Duration
	// Random is the source of codes.
	Random io.Reader
	Log    *slog.Logger
	// Observer, if not nil, is told how long the work takes.
	Observer Observer
}

// Observer counts the engine's work. It must not block and learns nothing of what was said, or by whom.
type Observer interface {
	// Turn is called after each turn; a turn with an error is taken again.
	Turn(channel string, took time.Duration, err error)
	// Recall is called after each search for the memories of a reply.
	Recall(took time.Duration)
}

// RecentMessages is how many messages of the current conversation a voice can choose from by default: about what half the
// context of a common model holds.
const RecentMessages = 40

// Settings are the operator's settings. The defaults are in package config.
type Settings struct {
	// SessionGap is the silence after which a new session starts.
	SessionGap time.Duration
	// GreetingGap is how long a person must have been away to be greeted.
	GreetingGap time.Duration
	// Quiet is how long a room must be silent before the persona replies. Cap is the longest that this may delay a
	// reply.
	Quiet, Cap time.Duration
	// RecallBudget bounds the recalled context in tokens, RecallLimit the number of memories in it.
	RecallBudget, RecallLimit int
	// RecentMessages is how many messages of the running session a voice sees at most.
	RecentMessages int
	// PromptBudget is the size of a reply prompt in tokens; 0 uses the default of package prompts. A session that
	// approaches its share is compacted.
	PromptBudget int
	// FilingBudget is the size in tokens of a prompt about an ended session; 0 uses the default of package prompts.
	FilingBudget int
	// Room, if set, returns both budgets as they are now: the windows of the models may not be known at the start.
	Room func() (prompt, filing int)
	// AnswersPerMinute is how often one room is answered in a minute at most; what is said meanwhile is answered together. 0 is
	// no limit.
	AnswersPerMinute int
	// InOrder is for a simulation whose outcome must not depend on how fast it is: rooms that are woken together are answered one after
	// the other, and nothing is done by the clock of the machine, such as saying reminders.
	InOrder bool
	// Proactive says when the persona may write first. The zero value never allows it.
	Proactive gate.ProactivePolicy
	// Zone is used for people whose timezone is unknown.
	Zone *time.Location
	// Aloud returns in what form people are answered on a network who never said how they want it: VoiceOff, VoiceOn or VoiceAuto. nil
	// is VoiceOff everywhere.
	Aloud func(channel string) string
	// SignIn returns the address to which a token is appended for a link that signs in to the dashboard, "" if that is not served.
	// nil is never.
	SignIn func() string
	// ReadsWeb reports that the persona reads on the web without being asked: what it read it then brings up by itself.
	ReadsWeb bool
	// Contacts are whom people in danger can reach.
	Contacts care.Contacts
}

// sessions returns the settings of the session manager.
func (s Settings) sessions() session.Settings {
	return session.Settings{
		Gap: s.SessionGap, RecentMessages: s.RecentMessages, PromptBudget: s.PromptBudget, FilingBudget: s.FilingBudget, Room: s.Room, Zone: s.Zone,
	}
}

// Budgets returns the sizes of a reply prompt and of a prompt about an ended session, in tokens.
func (s Settings) Budgets() (prompt, filing int) { return s.sessions().Budgets() }

// Filing returns the size of a prompt about an ended session, in tokens.
func (s Settings) Filing() int {
	_, filing := s.Budgets()
	return filing
}

// Engine is one persona at work: its card, its voice and its settings as they are now, and the cast it belongs to. It is
// never changed: Cast.Renew replaces it, and a turn keeps the engine that it began with. All state is in the store, so
// that an engine continues after a crash where the record ends.
type Engine struct {
	Parts
	*Cast
	sessions *session.Manager
}

// New returns the engine of a persona that is alone in its process. Run starts it.
func New(p Parts) *Engine { return NewCast(route.Router{Default: p.Card.Key}, p).Engine(p.Card.Key) }

// Sessions returns the session manager.
func (e *Engine) Sessions() *session.Manager { return e.sessions }
