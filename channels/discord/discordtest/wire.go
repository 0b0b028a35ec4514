package discordtest

import (
	"encoding/json"
	"time"
)

// User is an account.
type User struct {
	ID         string `json:"id"`
	Username   string `json:"username"`
	GlobalName string `json:"global_name,omitempty"`
	Bot        bool   `json:"bot,omitempty"`
}

// Guild is a Discord server.
type Guild struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Channel is a direct channel (type 1), a guild channel (0) or a thread (11).
type Channel struct {
	ID            string `json:"id"`
	Type          int    `json:"type"`
	GuildID       string `json:"guild_id,omitempty"`
	ParentID      string `json:"parent_id,omitempty"`
	Name          string `json:"name,omitempty"`
	LastMessageID string `json:"last_message_id,omitempty"`
	// With is the other person of a direct channel.
	With     string     `json:"-"`
	messages []*Message // oldest first
	archived bool
}

// Attachment is a file attached to a message.
type Attachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	ContentType string `json:"content_type,omitempty"`
	Size        int64  `json:"size"`
	URL         string `json:"url"`
	// Content is what the bot uploaded.
	Content []byte `json:"-"`
	// Seconds and Waveform are those of a voice message.
	Seconds  float64 `json:"duration_secs,omitempty"`
	Waveform string  `json:"waveform,omitempty"`
}

// Message is a message. Raw fields add to the others or replace them.
type Message struct {
	ID          string         `json:"id"`
	ChannelID   string         `json:"channel_id"`
	GuildID     string         `json:"guild_id,omitempty"`
	Type        int            `json:"type"`
	Content     string         `json:"content"`
	Author      User           `json:"author"`
	Timestamp   time.Time      `json:"timestamp"`
	Edited      *time.Time     `json:"edited_timestamp"`
	Mentions    []User         `json:"mentions"`
	Everyone    bool           `json:"mention_everyone"`
	Attachments []Attachment   `json:"attachments"`
	Embeds      []any          `json:"embeds"`
	Nonce       string         `json:"nonce,omitempty"`
	Flags       int            `json:"flags,omitempty"`
	Reference   *Reference     `json:"message_reference,omitempty"`
	Referenced  *Message       `json:"referenced_message,omitempty"`
	Reactions   []Reaction     `json:"reactions,omitempty"`
	Rows        []buttonRow    `json:"components,omitempty"`
	Raw         map[string]any `json:"-"`

	// Allowed is the allowed_mentions value the bot sent.
	Allowed json.RawMessage `json:"-"`
	// ShownTo is the only user who sees it, empty for everybody.
	ShownTo string `json:"-"`
}

// Reference is the message another one replies to.
type Reference struct {
	MessageID       string `json:"message_id"`
	ChannelID       string `json:"channel_id,omitempty"`
	FailIfNotExists *bool  `json:"fail_if_not_exists,omitempty"`
}

// Reaction is an emoji set on a message.
type Reaction struct {
	Me    bool  `json:"me"`
	Emoji Emoji `json:"emoji"`
}

// Emoji is a Unicode emoji with a Name, or a custom one with an ID.
type Emoji struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name"`
}

// MarshalJSON adds the raw fields to the others.
func (m Message) MarshalJSON() ([]byte, error) {
	type plain Message
	text, err := json.Marshal(plain(m))
	if err != nil || len(m.Raw) == 0 {
		return text, err
	}
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	for key, value := range m.Raw {
		all[key] = value
	}
	return json.Marshal(all)
}

// Interaction is a command used by somebody, or a button that they pressed.
type Interaction struct {
	ID, Token, Channel, User string
	// Deferred is when the bot deferred its reply, or answered the press of a button; zero if it did not.
	Deferred time.Time
	// Private reports that the deferred reply is ephemeral.
	Private bool
	// Removed reports that the bot deleted the deferred reply.
	Removed bool
	// Typing reports that somebody is still typing the command. Suggested are then the values that the bot offers, nil before it
	// answers.
	Typing    bool
	Suggested []string
	// Pressed is the message whose button was pressed, nil for a command. Told is what the bot answered to whoever pressed.
	Pressed *Message
	Told    string

	kind     int
	original *Message
}
