package telegram

import (
	"encoding/json"
	"slices"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

// updateKinds are the requested updates; the network sends no reactions unless they are requested.
const updateKinds = `["message","edited_message","callback_query","message_reaction","my_chat_member"]`

// update is one element of getUpdates, with fields the library's type lacks.
type update struct {
	ID       int64                       `json:"update_id"`
	Message  *message                    `json:"message"`
	Edited   *message                    `json:"edited_message"`
	Callback *callback                   `json:"callback_query"`
	Reaction *reaction                   `json:"message_reaction"`
	Member   *tgbotapi.ChatMemberUpdated `json:"my_chat_member"`
}

// album returns the id of the update's album, or "".
func (u update) album() string {
	if u.Message == nil {
		return ""
	}
	return u.Message.MediaGroupID
}

// moves reports that a group gets another id.
func (u update) moves() bool { return u.Message != nil && u.Message.MigrateToChatID != 0 }

type message struct {
	tgbotapi.Message
	ThreadID int `json:"message_thread_id"`
	// IsTopic distinguishes a forum topic from a reply thread, which also has a ThreadID.
	IsTopic bool     `json:"is_topic_message"`
	Replied *message `json:"reply_to_message"`
	// Origin is where a forwarded message is from. Automatic reports that the network forwarded it: a channel's post in its
	// discussion group.
	Origin    *struct{} `json:"forward_origin"`
	Automatic bool      `json:"is_automatic_forward"`
	// Other is the network's name for unknown content, empty if there is none.
	Other string `json:"-"`
}

type callback struct {
	ID      string        `json:"id"`
	From    tgbotapi.User `json:"from"`
	Message *message      `json:"message"`
	Data    string        `json:"data"`
}

type reaction struct {
	Chat      tgbotapi.Chat  `json:"chat"`
	MessageID int            `json:"message_id"`
	User      *tgbotapi.User `json:"user"`
	// Actor is the chat in whose name an anonymous user reacts.
	Actor *tgbotapi.Chat `json:"actor_chat"`
	Date  int            `json:"date"`
	Old   []emoji        `json:"old_reaction"`
	New   []emoji        `json:"new_reaction"`
}

type emoji struct {
	Type  string `json:"type"`
	Emoji string `json:"emoji,omitempty"`
}

// UnmarshalJSON parses a message, even with unknown fields. A message that cannot be parsed keeps its author, chat and
// time.
func (m *message) UnmarshalJSON(data []byte) error {
	type plain message
	if json.Unmarshal(data, (*plain)(m)) != nil {
		return m.unmarshalFrame(data)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	for name := range fields {
		if !knownFields[name] && (m.Other == "" || name < m.Other) {
			m.Other = name
		}
	}
	return nil
}

func (m *message) unmarshalFrame(data []byte) error {
	var frame struct {
		ID   int            `json:"message_id"`
		Date int            `json:"date"`
		From *tgbotapi.User `json:"from"`
		Chat struct {
			ID    int64  `json:"id"`
			Type  string `json:"type"`
			Title string `json:"title"`
		} `json:"chat"`
		ThreadID int  `json:"message_thread_id"`
		IsTopic  bool `json:"is_topic_message"`
	}
	if err := json.Unmarshal(data, &frame); err != nil {
		return err
	}
	*m = message{ThreadID: frame.ThreadID, IsTopic: frame.IsTopic, Other: "unreadable message"}
	m.MessageID, m.Date, m.From = frame.ID, frame.Date, frame.From
	m.Chat = &tgbotapi.Chat{ID: frame.Chat.ID, Type: frame.Chat.Type, Title: frame.Chat.Title}
	return nil
}

// knownFields are the fields for the frame, for content that convert reads, and for service messages. Any other field
// is content of a newer kind.
var knownFields = fieldSet(frameFields, contentFields, serviceFields)

var frameFields = []string{
	"message_id", "message_thread_id", "direct_messages_topic", "from", "sender_chat", "sender_boost_count",
	"sender_business_bot", "sender_tag", "date", "business_connection_id", "chat", "forward_origin", "forward_from",
	"forward_from_chat", "forward_from_message_id", "forward_signature", "forward_sender_name", "forward_date",
	"is_topic_message", "is_automatic_forward", "reply_to_message", "external_reply", "quote", "reply_to_story",
	"reply_to_checklist_task_id", "via_bot", "edit_date", "has_protected_content", "is_from_offline", "is_paid_post",
	"media_group_id", "author_signature", "paid_star_count", "link_preview_options", "suggested_post_info", "effect_id",
	"show_caption_above_media", "has_media_spoiler", "reply_markup",
}

var contentFields = []string{
	"text", "entities", "caption", "caption_entities", "animation", "audio", "document", "photo", "sticker", "video",
	"video_note", "voice", "contact", "dice", "poll", "venue", "location",
}

var serviceFields = []string{
	"new_chat_members", "new_chat_member", "new_chat_participant", "left_chat_member", "left_chat_participant",
	"new_chat_title", "new_chat_photo", "delete_chat_photo", "group_chat_created", "supergroup_chat_created",
	"channel_chat_created", "message_auto_delete_timer_changed", "migrate_to_chat_id", "migrate_from_chat_id",
	"pinned_message", "users_shared", "chat_shared", "connected_website", "write_access_allowed", "passport_data",
	"proximity_alert_triggered", "boost_added", "chat_background_set", "forum_topic_created", "forum_topic_edited",
	"forum_topic_closed", "forum_topic_reopened", "general_forum_topic_hidden", "general_forum_topic_unhidden",
	"video_chat_scheduled", "video_chat_started", "video_chat_ended", "video_chat_participants_invited",
	"voice_chat_scheduled", "voice_chat_started", "voice_chat_ended", "voice_chat_participants_invited",
	"web_app_data", "chat_owner_left", "chat_owner_changed",
}

func fieldSet(lists ...[]string) map[string]bool {
	set := make(map[string]bool)
	for _, name := range slices.Concat(lists...) {
		set[name] = true
	}
	return set
}
