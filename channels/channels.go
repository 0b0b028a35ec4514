// Package channels defines the types shared by all chat networks: rooms, handles, incoming and outgoing messages, and
// the small interface every adapter implements. It knows no network, no store and no persona.
package channels

import (
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"
	"time"
)

// Room is one place where people talk: a direct conversation, a group, or a thread or topic inside a group. It is
// comparable and is passed as an argument; its parts are never parsed again.
type Room struct {
	// Channel is the name of the adapter that owns the room, e.g. "console".
	Channel string
	// ID is the network's stable id of the chat.
	ID string
	// Thread is the network's id of the thread or topic inside the chat, empty when there is none.
	Thread string
}

// String returns a label that distinguishes rooms in logs and errors without revealing the id: on some networks the id
// is a phone number.
func (r Room) String() string {
	h := fnv.New32a()
	fmt.Fprintf(h, "%q %q", r.ID, r.Thread)
	return fmt.Sprintf("%s-%08x", r.Channel, h.Sum32())
}

// LogValue returns String, for structured logs.
func (r Room) LogValue() slog.Value { return slog.StringValue(r.String()) }

// Handle is one account on one network. A person owns one or more handles.
type Handle struct {
	Channel string
	// ID is the network's stable account id, never a display name.
	ID string
}

// Named returns the account as an operator names it: "telegram:1001". It is no String, so that no log shows it by accident.
func (h Handle) Named() string { return h.Channel + ":" + h.ID }

// Author is the sender of a message, as the network presents them.
type Author struct {
	Handle Handle
	// Alias is another stable id of the same account, empty if there is none. Example: the phone number where Handle.ID
	// is a hidden id. The operator may know the account by it. A handle whose ID equals this alias is the same account,
	// unless its person already has another handle of this kind: phone numbers pass from one owner to the next.
	Alias string
	// Name is the display name. It is for display only, never for identity.
	Name string
	// Bot reports that the network marks the account as automated.
	Bot bool
}

// SameAccount reports whether a and b are one account, identified by either id.
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

// Attachment describes a part of a message that is not text.
type Attachment struct {
	// Kind is "image", "voice", "video", "sticker", "file" or the network's own term. Words that the author only passes on are
	// a Forwarded, a ViaBot or a Embedded.
	Kind string
	Name string
	// Caption is the caption, or text recognised in the attachment.
	Caption string
	// Size is in bytes, 0 if unknown.
	Size int64
	// Path is the local file, empty if the attachment was not downloaded.
	Path string
	// Ref is what the channel needs to fetch a picture or a recording that was not downloaded, empty if it is neither or
	// cannot be fetched. Nothing else reads it.
	Ref string `json:",omitzero"`
	// Speech says whose words a recording holds, NoSpeech if the attachment is none. Length is how long the network says that
	// it is, 0 if it does not.
	Speech Speech        `json:",omitzero"`
	Length time.Duration `json:",omitzero"`
	// Seen is what the persona saw in a picture, or what is said in a recording that its author only passes on. Hearing is what
	// became of a recording. Channels never set them.
	Seen    string  `json:",omitzero"`
	Hearing Hearing `json:",omitzero"`
}

// Action says what a Message does.
type Action string

// The actions. All except Post concern an earlier message of the same room, identified by Message.TargetID.
const (
	// Post is a new message.
	Post Action = ""
	// Edit replaces the Text of an earlier message by the same author.
	Edit Action = "edits"
	// Delete removes an earlier message. Author is the account that deleted it and must be its author. An empty Author
	// means that the network vouches for the deletion without naming anyone, or that a moderator did it and the channel
	// has checked the moderator's permission.
	Delete Action = "deletes"
	// React sets the emoji in Text as the author's reaction to an earlier message, including the persona's own. An
	// empty Text removes the reaction. Room needs no Thread if the network does not report it.
	React Action = "reacts"
	// Move reports that the network gave the room a new id, including all its threads. Room is the old room and
	// TargetID the new Room.ID. In a Direct room TargetID is also the new id of the author's Handle, whose ID is still
	// the old one. In a group no author is needed.
	Move Action = "moves"
)

// Message is one event in a room, as received from the network.
type Message struct {
	// ID is the idempotency key of the event within its room: a redelivered event has the same ID. For Post it is the
	// network's message id, which TargetID and ReplyTo refer to later. Every other action has an ID of its own; each
	// edit has a different one.
	ID string
	// Action is what the message does. TargetID is the network's id of the message concerned, empty for Post. The JSON
	// keys of this struct are stored and must not change.
	Action   Action `json:"Act"`
	TargetID string `json:"Of"`
	Room     Room
	Author   Author
	// Direct reports that the room contains only one person and the persona.
	Direct bool
	// Server is the network's id of the server or community that the room belongs to, empty if there is none.
	Server string `json:",omitzero"`
	// RoomTitle is the room's display name, empty for direct rooms.
	RoomTitle string
	Text      string
	// Attachments appear as placeholders in the text the persona sees.
	Attachments []Attachment
	// ReplyTo is the network's id of the message this one replies to, empty if none.
	ReplyTo string
	// At is the time of the message by the network's clock.
	At time.Time
	// Arrival reports that the author opened the room and has written nothing yet; Text is empty. The persona may greet
	// them.
	Arrival bool
	// Proactive is the topic the persona wants to bring up, in its internal notation. Nobody has arrived; Author is the
	// person to contact. Channels never set it.
	Proactive string `json:"Unasked"`
	// Addressed reports that the message is meant for the persona and expects a reply: a direct message, a mention, or
	// a reply to the persona. Other messages are remembered but never answered.
	Addressed bool
	// For is the key of the persona that the message is for, on a channel whose users name one. Empty leaves that to the
	// configuration.
	For string `json:",omitzero"`
	// Complete reports that the author has finished: no second message is coming that belongs to the same thought.
	Complete bool `json:",omitzero"`
	// Admitted reports that the operator let the author in, by a token for example: they need no approval.
	Admitted bool `json:"-"`
	// Overheard reports that another persona of this process receives the message too and sees to its answer. Channels
	// never set it.
	Overheard bool `json:",omitzero"`
	// ReplyData is opaque data the channel needs to send the reply, such as a command token. It is stored with the
	// message and passed to Send as Outgoing.ReplyData. Nothing else reads it.
	ReplyData string `json:"Via"`
	// PrivateReply reports that only the author sees the reply, wherever they asked.
	PrivateReply bool `json:"Discreet"`
	// ExpiresAfter is the time after which the room deletes its messages, 0 for never.
	ExpiresAfter time.Duration `json:"Fades"`
	// Press is the button that the author pressed. Whoever accepts the message fills in the Text, which is what the button says.
	Press Press `json:",omitzero"`
}

// Accept takes a received message. It returns nil once the message is durable; only then may the adapter acknowledge it
// to the network. An error means the message was not stored and must be delivered again, except for a *NotTaken.
type Accept func(ctx context.Context, m Message) error

// Outgoing is one chunk to send to a room.
type Outgoing struct {
	Room Room
	// Key is the idempotency key: a network that supports such keys shows the chunk once, however often it is sent.
	Key  string
	Text string
	// ReplyTo is the network's id of the message being answered, empty if none.
	ReplyTo string
	// ReplyData is the Message.ReplyData of the message being answered.
	ReplyData string
}

// Receipt is the network's confirmation of a sent chunk.
type Receipt struct {
	// ID is the network's id of the message it created.
	ID string
}

// Channel is the adapter for one network.
type Channel interface {
	// Name returns the channel's stable name, used as Channel in its rooms and handles.
	Name() string
	// Run receives messages and passes each to accept until ctx ends or the network is gone for good.
	Run(ctx context.Context, accept Accept) error
	// Send sends one chunk. It returns a *SendError if the cause is known.
	Send(ctx context.Context, out Outgoing) (Receipt, error)
}

// Typist is a Channel that can show a typing indicator.
type Typist interface {
	// Typing shows the indicator in room until it expires, a message is sent there, or on is false.
	Typing(ctx context.Context, room Room, on bool) error
}

// Previewer is a Channel that can show a reply while it is still being written.
type Previewer interface {
	// Preview shows the text so far of the reply whose first chunk will be sent under key. Send with that key replaces
	// the preview. A preview may be dropped at any time and never needs confirmation.
	Preview(ctx context.Context, room Room, key, soFar string) error
}

// FileFetcher is a Channel that can fetch the pictures and recordings of messages when they are looked at or listened to.
type FileFetcher interface {
	// FetchFile returns the file of an attachment with a Ref. It fails if the file is larger than limit bytes.
	FetchFile(ctx context.Context, a Attachment, limit int64) ([]byte, error)
}

// VoiceMessage is a reply as a recording.
type VoiceMessage struct {
	// Outgoing is the reply; its text is what is said.
	Outgoing
	// Audio is an Ogg file with Opus, Length how long it is.
	Audio  []byte
	Length time.Duration
	// Waveform is how loud it is over time: up to 64 values from 0 to 100, nil if unknown.
	Waveform []byte
}

// VoiceSender is a Channel that can send voice messages, which people play where they read.
type VoiceSender interface {
	// SendVoice sends a reply as a voice message. Its key and its errors mean what those of Send do; a Permanent one says that the
	// room takes no voice message, and may take the text.
	SendVoice(ctx context.Context, v VoiceMessage) (Receipt, error)
}

// OutgoingFile is a file to send to a room.
type OutgoingFile struct {
	// Name is its name with an extension, Type its media type, Caption the text shown with it.
	Name, Type, Caption string
	Content             []byte
}

// FileSender is a Channel that can send files.
type FileSender interface {
	// SendFile sends a file to room. It returns where the person finds it if that is not the room, otherwise "". A file that is
	// sent twice is shown twice. The error is a *SendError if the cause is known.
	SendFile(ctx context.Context, room Room, f OutgoingFile) (where string, err error)
}

// PreviewCanceler is a Previewer whose previews stay visible until they are replaced or cancelled.
type PreviewCanceler interface {
	// CancelPreview removes the preview under key because no reply will follow. It does nothing if there is no preview,
	// or if Send has already replaced it.
	CancelPreview(ctx context.Context, room Room, key string) error
}

// Reactor is a Channel that can react to messages with an emoji.
type Reactor interface {
	// React sets emoji on the message with the network id of. An empty emoji removes the reaction.
	React(ctx context.Context, room Room, of, emoji string) error
}

// Commander is a Channel whose network shows people a list of commands.
type Commander interface {
	// Commands sets the list that Run publishes once connected. It is called before Run.
	Commands(all []Command)
}

// Unit is the unit in which a network measures text.
type Unit int

// The units of text length.
const (
	Runes Unit = iota
	UTF16
	Bytes
)

// Limits describes what a network accepts.
type Limits struct {
	// Text is the maximum length of a chunk in Unit, 0 for no limit.
	Text int
	Unit Unit
	// Format converts a Markdown chunk to what the network receives. Text limits the length of its result. Nil sends
	// chunks unchanged.
	Format func(md string) string
	// Idempotent reports that a chunk sent twice under one key is shown once.
	Idempotent bool
	// ResendUnknown asks that a chunk of a reply whose outcome is unknown is sent once more, although it may then be shown
	// twice. It means nothing if Idempotent.
	ResendUnknown bool
}

// Limited is a Channel with limits. A Channel that does not implement it has none and is not idempotent.
type Limited interface {
	Limits() Limits
}

// Local is a Channel that reaches only some of its rooms, such as a terminal used by one person. Messages for other
// rooms stay pending until a channel that reaches them is running.
type Local interface {
	Reaches(room Room) bool
}

// Alone is what only the one process can do that is connected with a network.
type Alone int

// What only the connected process can do.
const (
	// ReceivesAlone leaves sending to all processes.
	ReceivesAlone Alone = iota
	// SendsAlone is receiving and sending.
	SendsAlone
)

// Exclusive is a Channel with whose network one process at a time is connected. Other processes do not call Run meanwhile.
type Exclusive interface {
	Exclusive() Alone
}

// NoReplier is a Channel that must know when a message needs no reply, such as a pipe that reads the next line only
// after the last one is handled.
type NoReplier interface {
	// NoReply reports that the message with that id has been handled and gets no reply.
	NoReply(id string)
}

// Hint is an input a person can use in a room besides talking, and its effect: "/quit", "leaves".
type Hint struct {
	Input  string
	Effect Localized
}

// Hinter is a Channel with its own keys or commands to list when somebody asks for help.
type Hinter interface {
	Hints() []Hint
}

// LimitsOf returns the limits of c, or the zero Limits if it declares none.
func LimitsOf(c Channel) Limits {
	if l, ok := c.(Limited); ok {
		return l.Limits()
	}
	return Limits{}
}
