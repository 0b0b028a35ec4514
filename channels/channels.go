// Package channels is the vocabulary of chat: rooms, people's handles, messages heard and said, and the small
// contract every network's adapter fulfils. It knows no network, no store and no persona.
package channels

import (
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"time"
)

// Room is one place where talk happens: a direct conversation, a group, or a thread or topic inside one.
// It is comparable and travels as an argument; no part of it is ever parsed again.
type Room struct {
	// Channel is the name of the adapter that owns the room, e.g. "console".
	Channel string
	// ID is the network's own stable id of the chat.
	ID string
	// Thread is the network's id of the thread or topic inside the chat, empty when there is none.
	Thread string
}

// String tells rooms apart in logs and errors without naming them: on some networks the id is a telephone number.
func (r Room) String() string {
	h := fnv.New32a()
	fmt.Fprintf(h, "%q %q", r.ID, r.Thread)
	return fmt.Sprintf("%s-%08x", r.Channel, h.Sum32())
}

// LogValue is String for a log.
func (r Room) LogValue() slog.Value { return slog.StringValue(r.String()) }

// Handle is one account on one network. A person owns one or more handles.
type Handle struct {
	Channel string
	// ID is the network's stable account id, never a display name.
	ID string
}

// Author is who wrote a message, as the network presents them.
type Author struct {
	Handle Handle
	// Alias is another stable id of the same account, such as its phone number where Handle.ID is not, by which the
	// operator may know it; empty when there is none. A handle that had the alias for its ID is the same account, unless
	// its person is known under another one already: a telephone number passes from one to the next.
	Alias string
	// Name is the display name: for showing, never for identity.
	Name string
	// Bot says that the network marks the account as automated.
	Bot bool
}

// SameAccount says that both are one account, known by either of its ids.
func (a Author) SameAccount(b Author) bool {
	if a.Handle.Channel != b.Handle.Channel {
		return false
	}
	for _, id := range []string{a.Handle.ID, a.Alias} {
		if id != "" && (id == b.Handle.ID || id == b.Alias) {
			return true
		}
	}
	return false
}

// Attachment stands for what came with a message and is not text.
type Attachment struct {
	// Kind is "image", "voice", "video", "sticker", "file" or the network's own word for it.
	Kind string
	Name string
	// Caption is what was written or recognised about it.
	Caption string
	// Size is in bytes, 0 when unknown.
	Size int64
	// Path is where it was kept on this machine, empty when it was not fetched.
	Path string
}

// Action is what a Message does.
type Action string

// The acts. All but Says are about an earlier message of the same room, named by Message.Of.
const (
	// Post is something new.
	Post Action = ""
	// Edit gives an earlier message of the same author another Text.
	Edit Action = "edits"
	// Delete takes an earlier message back. The author is who took it back, whose message it must be; empty says that the
	// network vouches for it without a name, or that a moderator did it, whose right the channel has made sure of.
	Delete Action = "deletes"
	// React puts the emoji in Text to an earlier message, the persona's own included; an empty Text takes it away. Its
	// Room needs no Thread where the network does not name it.
	React Action = "reacts"
	// Move says that the network gave the room another id, with all its threads: Room is the old one, Of the new
	// Room.ID. Of a Direct room it is the new id of the author's Handle as well, whose ID is still the old one; else it
	// needs no author.
	Move Action = "moves"
)

// Message is one thing said in a room, as heard from the network.
type Message struct {
	// ID is the idempotency key of the event within its room: the same event delivered again has the same ID. For what
	// is said it is the network's id of the message, by which Of and ReplyTo name it later; what is done to a message
	// has an ID of its own, another for each edit.
	ID string
	// Action is what it does; Of is the network's id of the message it is about, empty for Says.
	Action   Action `json:"Act"`
	TargetID string `json:"Of"`
	Room     Room
	Author   Author
	// Direct says that the room is a conversation between one person and the persona alone.
	Direct bool
	// RoomTitle is the human name of the room, empty for direct rooms.
	RoomTitle string
	Text      string
	// Attachments become placeholders in the text the persona sees.
	Attachments []Attachment
	// ReplyTo is the network's id of the message this one answers, empty when none.
	ReplyTo string
	// At is when the message was said, by the network's clock.
	At time.Time
	// Arrival says that the author opened the room and has said nothing yet; Text is empty. The persona may greet.
	Arrival bool
	// Proactive is what the persona itself wants to bring up, in its own terms: nobody has arrived, and the author is whom it
	// wants to speak to. No channel sets it.
	Proactive string `json:"Unasked"`
	// Addressed says that the persona is spoken to and an answer is expected: a direct message, a mention, a reply
	// to the persona. What is not addressed is heard and remembered, never answered.
	Addressed bool
	// ReplyData is what the channel needs to have back with the answer, such as the token of a command. It is kept with the
	// message and handed to Send as Outgoing.Via; nobody else reads it.
	ReplyData string `json:"Via"`
	// PrivateReply says that the answer is shown to the author alone, wherever it was asked.
	PrivateReply bool `json:"Discreet"`
	// ExpiresAfter is after how long the room forgets what is said there, 0 for never.
	ExpiresAfter time.Duration `json:"Fades"`
}

// Accept takes a heard message. It returns nil once the message is durable; only then may the adapter acknowledge
// it to its network. An error means the message was not kept and must be delivered again.
type Accept func(ctx context.Context, m Message) error

// Outgoing is one chunk to be said in a room.
type Outgoing struct {
	Room Room
	// Key is the idempotency key: a network that supports one shows the chunk once however often it is sent.
	Key  string
	Text string
	// ReplyTo is the network's id of the message answered, empty when none.
	ReplyTo string
	// ReplyData is that of the message answered.
	ReplyData string
}

// Receipt is the network's word that a chunk was taken.
type Receipt struct {
	// ID is the network's id of the message that was made.
	ID string
}

// Channel is one network's adapter.
type Channel interface {
	// Name is the channel's stable name, the Channel part of its rooms and handles.
	Name() string
	// Run hears messages and hands each to accept until ctx ends or the network is gone for good.
	Run(ctx context.Context, accept Accept) error
	// Send says one chunk. Its errors are *SendError where the cause is known.
	Send(ctx context.Context, out Outgoing) (Receipt, error)
}

// Typist is a Channel that can show that the persona is writing.
type Typist interface {
	// Typing shows the indicator in room until it expires by itself, a message is sent there, or on is false.
	Typing(ctx context.Context, room Room, on bool) error
}

// Previewer is a Channel that can show a reply while it is still being written.
type Previewer interface {
	// Preview shows the text so far of the reply whose first chunk will be sent under key. Send with that key
	// settles it. A preview may be dropped at any time and never needs to be confirmed.
	Preview(ctx context.Context, room Room, key, soFar string) error
}

// PreviewCanceler is a Previewer whose previews stay on the screen until they are settled or taken back.
type PreviewCanceler interface {
	// CancelPreview takes back the preview under key, whose reply will not come. It does nothing where there is none, and none
	// of what Send has settled.
	CancelPreview(ctx context.Context, room Room, key string) error
}

// Reactor is a Channel that can put an emoji to a message.
type Reactor interface {
	// React puts emoji to the message with the network's id of; an empty one takes it away.
	React(ctx context.Context, room Room, of, emoji string) error
}

// Command is one word people can ask the persona with, such as "memory" for "/memory".
type Command struct {
	// Name is lower case letters. Args says what may follow, "" for nothing; Help says what it does, in a few words.
	Name, Args, Help string
	// PrivateReply says that its answer is for who asked alone.
	PrivateReply bool
}

// Commander is a Channel whose network lists commands to people.
type Commander interface {
	// Commands tells the network once Run has connected. It is called before Run.
	Commands(all []Command)
}

// Unit is what a network counts text in.
type Unit int

// The units networks count in.
const (
	Runes Unit = iota
	UTF16
	Bytes
)

// Limits are the figures of a network.
type Limits struct {
	// Text is the longest chunk in Unit, 0 for no limit.
	Text int
	Unit Unit
	// Format is how the network gets a chunk of Markdown: what it makes is what Text counts. Nil says as it is.
	Format func(md string) string
	// Idempotent says that a chunk sent twice under one key is shown once.
	Idempotent bool
}

// Limited is a Channel that has limits. One that does not implement it has none and is not idempotent.
type Limited interface {
	Limits() Limits
}

// Local is a Channel that reaches only some of its rooms, such as a terminal where one person sits. What is pending
// for the others waits until a channel that reaches them is served.
type Local interface {
	Reaches(room Room) bool
}

// NoReplier is a Channel that wants to know when a message it handed over needs no answer, such as a pipe that reads
// the next line only once the last is dealt with.
type NoReplier interface {
	// NoReply says that the message with that ID has been dealt with and gets no answer of its own.
	NoReply(id string)
}

// Hint is something a person can do in a room beside talking, and what it does: "/quit", "leaves".
type Hint struct{ Input, Effect string }

// Hinter is a Channel with keys or words of its own that somebody who asks for help should know.
type Hinter interface {
	Hints() []Hint
}

// LimitsOf are the limits of c, none when it names none.
func LimitsOf(c Channel) Limits {
	if l, ok := c.(Limited); ok {
		return l.Limits()
	}
	return Limits{}
}
