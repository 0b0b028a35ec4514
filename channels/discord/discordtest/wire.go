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

// Guild is a server.
type Guild struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Channel is a direct channel (type 1), one of a server (0) or a thread (11).
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

// Attachment is a file beside a message.
type Attachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	ContentType string `json:"content_type,omitempty"`
	Size        int64  `json:"size"`
	URL         string `json:"url"`
}

// Message is a message. Raw fields go beside the others, or instead of them.
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
	Raw         map[string]any `json:"-"`

	// Allowed and Answers are what the bot asked for with it.
	Allowed json.RawMessage `json:"-"`
	// ShownTo is who alone sees it, empty for all.
	ShownTo string `json:"-"`
}

// Reference is the message another answers.
type Reference struct {
	MessageID       string `json:"message_id"`
	ChannelID       string `json:"channel_id,omitempty"`
	FailIfNotExists *bool  `json:"fail_if_not_exists,omitempty"`
}

// Reaction is an emoji that was put to a message.
type Reaction struct {
	Me    bool  `json:"me"`
	Emoji Emoji `json:"emoji"`
}

// Emoji is one of Unicode's by its Name, or a server's own with an ID.
type Emoji struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name"`
}

// MarshalJSON puts the raw fields beside the others.
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

// Command is a command the bot has told of.
type Command struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Type        int    `json:"type"`
	Contexts    []int  `json:"contexts"`
	Options     []struct {
		Type        int    `json:"type"`
		Name        string `json:"name"`
		Description string `json:"description"`
	} `json:"options"`
}

// Interaction is a command somebody used.
type Interaction struct {
	ID, Token, Channel, User string
	// Deferred is when the bot said that an answer will come, zero while it did not.
	Deferred time.Time
	// Private says that it was deferred for who asked alone.
	Private bool
	// Removed says that the bot took the deferral back.
	Removed  bool
	original *Message
}
