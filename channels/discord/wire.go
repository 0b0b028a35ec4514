package discord

import (
	"encoding/json"
	"slices"
	"time"

	"familiar/channels"
)

// Discord's events and responses, as far as they are read here. The library's types are not used for messages: decoding
// there fails as a whole if a message, or the one it replies to, has an unknown component.

type user struct {
	ID         string `json:"id"`
	Username   string `json:"username"`
	GlobalName string `json:"global_name"`
	Bot        bool   `json:"bot"`
}

func (u user) name() string {
	if u.GlobalName != "" {
		return u.GlobalName
	}
	return u.Username
}

type member struct {
	Nick string `json:"nick"`
	User *user  `json:"user"`
}

// messageFrame is the author, place and time of a message.
type messageFrame struct {
	ID        string     `json:"id"`
	ChannelID string     `json:"channel_id"`
	GuildID   string     `json:"guild_id"`
	Author    user       `json:"author"`
	WebhookID string     `json:"webhook_id"`
	Timestamp time.Time  `json:"timestamp"`
	EditedAt  *time.Time `json:"edited_timestamp"`
}

type message struct {
	messageFrame
	Type        int          `json:"type"`
	Content     string       `json:"content"`
	Member      *member      `json:"member"`
	Mentions    []user       `json:"mentions"`
	Attachments []attachment `json:"attachments"`
	Embeds      []embed      `json:"embeds"`
	Stickers    []named      `json:"sticker_items"`
	Poll        *poll        `json:"poll"`
	Flags       int          `json:"flags"`
	Reference   *reference   `json:"message_reference"`
	Referenced  *struct {
		Author user `json:"author"`
	} `json:"referenced_message"`
	Forwarded []struct {
		Message struct {
			Content     string       `json:"content"`
			Attachments []attachment `json:"attachments"`
			Flags       int          `json:"flags"`
		} `json:"message"`
	} `json:"message_snapshots"`
	Reactions []struct {
		Me    bool  `json:"me"`
		Emoji emoji `json:"emoji"`
	} `json:"reactions"`
	Buttons []json.RawMessage `json:"components"`
	// malformed reports that all but the frame could not be parsed, passedOn that it is what another message forwards.
	malformed, passedOn bool
}

// UnmarshalJSON parses a message. A message that cannot be parsed keeps its frame, so that later messages do not wait
// forever.
func (m *message) UnmarshalJSON(data []byte) error {
	type plain message
	if json.Unmarshal(data, (*plain)(m)) == nil {
		return nil
	}
	*m = message{malformed: true}
	return json.Unmarshal(data, &m.messageFrame)
}

type attachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	Description string `json:"description"`
	ContentType string `json:"content_type"`
	Size        int64  `json:"size"`
	URL         string `json:"url"`
	// Duration is in seconds, 0 except for voice messages.
	Duration float64 `json:"duration_secs"`
}

type embed struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	URL         string `json:"url"`
}

type named struct {
	Name string `json:"name"`
}

type poll struct {
	Question struct {
		Text string `json:"text"`
	} `json:"question"`
}

// reference is the message that another one replies to or forwards.
type reference struct {
	Type      int    `json:"type"`
	MessageID string `json:"message_id"`
}

type emoji struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type reaction struct {
	UserID    string  `json:"user_id"`
	MessageID string  `json:"message_id"`
	ChannelID string  `json:"channel_id"`
	GuildID   string  `json:"guild_id"`
	Member    *member `json:"member"`
	Emoji     emoji   `json:"emoji"`
}

// deletion is MESSAGE_DELETE with ID, or MESSAGE_DELETE_BULK with IDs.
type deletion struct {
	ID        string   `json:"id"`
	IDs       []string `json:"ids"`
	ChannelID string   `json:"channel_id"`
	GuildID   string   `json:"guild_id"`
}

type wireChannel struct {
	ID            string `json:"id"`
	GuildID       string `json:"guild_id"`
	ParentID      string `json:"parent_id"`
	Type          int    `json:"type"`
	Name          string `json:"name"`
	LastMessageID string `json:"last_message_id"`
}

// isThread reports whether w belongs to another channel.
func (w wireChannel) isThread() bool {
	return w.Type == typeNewsThread || w.Type == typePublicThread || w.Type == typePrivateThread
}

// complete reports whether w contains everything needed to judge it.
func (w wireChannel) complete() bool { return !w.isThread() || w.ParentID != "" }

type guild struct {
	ID       string        `json:"id"`
	Channels []wireChannel `json:"channels"`
	Threads  []wireChannel `json:"threads"`
}

// channels returns the channels and threads of g.
func (g guild) channels() []wireChannel {
	all := slices.Concat(g.Channels, g.Threads)
	for i := range all {
		all[i].GuildID = g.ID
	}
	return all
}

type ready struct {
	SessionID string `json:"session_id"`
	// Shard is the number of the shard and how many there are, nil if the bot asked for none.
	Shard       *[2]int `json:"shard"`
	User        user    `json:"user"`
	Application struct {
		ID string `json:"id"`
	} `json:"application"`
}

type interaction struct {
	ID        string  `json:"id"`
	AppID     string  `json:"application_id"`
	Type      int     `json:"type"`
	Token     string  `json:"token"`
	GuildID   string  `json:"guild_id"`
	ChannelID string  `json:"channel_id"`
	Member    *member `json:"member"`
	User      *user   `json:"user"`
	Data      struct {
		Name    string   `json:"name"`
		Options []option `json:"options"`
		// Pressed is what a pressed button carries.
		Pressed string `json:"custom_id"`
	} `json:"data"`
	// Message is the message with the button.
	Message *messageFrame `json:"message"`
}

// by returns who used a command or pressed a button.
func (i interaction) by() channels.Author {
	switch {
	case i.Member != nil && i.Member.User != nil:
		return i.Member.author(*i.Member.User)
	case i.User != nil:
		return (*member)(nil).author(*i.User)
	}
	return channels.Author{}
}

// option is a part of a command that somebody filled in.
type option struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
	// Focused reports that it is being filled in; its value is what was typed so far.
	Focused bool `json:"focused"`
}

// Discord's type numbers that are handled separately.
const (
	typeDM            = 1
	typeNewsThread    = 10
	typePublicThread  = 11
	typePrivateThread = 12

	messageDefault       = 0
	messageReply         = 19
	messageCommand       = 20
	messageThreadStarter = 21
	messageContextMenu   = 23

	flagEphemeral = 1 << 6
	flagVoice     = 1 << 13

	referenceForward = 1

	interactionCommand  = 2
	interactionPress    = 3
	interactionTyping   = 4
	callbackMessage     = 4
	callbackDeferred    = 5
	callbackNothing     = 6
	callbackUpdate      = 7
	callbackSuggestions = 8

	componentRow    = 1
	componentButton = 2
	buttonGreen     = 3
	buttonGrey      = 2
)
