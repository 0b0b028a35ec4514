package discord

import (
	"fmt"
	"path"
	"strings"
	"time"
	"unicode/utf16"

	"familiar/channels"
)

// convert returns m, received in p, as a message for the persona with the account self. kept holds the local paths of
// attachments by id.
func convert(m message, p chat, self user, kept map[string]string) channels.Message {
	msg := channels.Message{
		ID: m.ID, Room: p.room(), Author: m.author(), Direct: p.direct(), Server: p.Guild, RoomTitle: p.Title,
		Text: toMarkdown(withNames(m.Content, m.Mentions, self)), Attachments: m.attachments(kept),
		At: m.Timestamp.UTC(),
	}
	if m.Timestamp.IsZero() {
		msg.At = madeAt(m.ID)
	}
	if msg.Text == "" && len(msg.Attachments) == 0 && m.isSpeech() {
		msg.Attachments = []channels.Attachment{{Kind: "message", Caption: "of an unsupported kind"}}
	}
	if !m.isSpeech() {
		msg.Attachments = append(msg.Attachments, channels.Attachment{Kind: "notice", Caption: systemNotice(m.Type)})
		return msg
	}
	msg.Addressed = p.direct() || m.addresses(self)
	if m.Reference != nil && m.Reference.Type != referenceForward && m.Type == messageReply {
		msg.ReplyTo = m.Reference.MessageID
	}
	return msg
}

// convertEdit returns the edit that gives m its present text. Its id identifies the edit: it is the same at every
// redelivery.
func convertEdit(m message, p chat, self user) channels.Message {
	msg := convert(m, p, self, nil)
	msg.Action, msg.TargetID, msg.At = channels.Edit, m.ID, m.EditedAt.UTC()
	msg.ID = fmt.Sprintf("edit:%s:%d", m.ID, m.EditedAt.UnixMicro())
	return msg
}

// convertDelete returns the deletion of a message. Discord does not say who deleted it.
func convertDelete(id string, p chat, at time.Time) channels.Message {
	return channels.Message{
		ID: "delete:" + id, Action: channels.Delete, TargetID: id, Room: p.room(), Direct: p.direct(), Server: p.Guild, RoomTitle: p.Title, At: at,
	}
}

// convertReaction returns a reaction that was set or removed. Discord reports neither an id nor a time for it; event
// names the gateway event.
func convertReaction(r reaction, event string, put bool, p chat, at time.Time) channels.Message {
	msg := channels.Message{
		ID: "reaction:" + event, Action: channels.React, TargetID: r.MessageID, Room: p.room(), Direct: p.direct(), Server: p.Guild, RoomTitle: p.Title,
		Author: channels.Author{Handle: channels.Handle{Channel: name, ID: r.UserID}}, At: at,
	}
	if r.Member != nil && r.Member.User != nil {
		msg.Author = r.Member.author(*r.Member.User)
	}
	if put {
		msg.Text = r.Emoji.text()
	}
	return msg
}

// text returns the emoji, or the name of a server's custom emoji.
func (e emoji) text() string {
	if e.ID == "" {
		return e.Name
	}
	return ":" + e.Name + ":"
}

func (m *member) author(u user) channels.Author {
	a := channels.Author{Handle: channels.Handle{Channel: name, ID: u.ID}, Name: u.name(), Bot: u.Bot}
	if m != nil && m.Nick != "" {
		a.Name = m.Nick
	}
	return a
}

// author returns the author of m. Webhook messages count as written by a bot.
func (m message) author() channels.Author {
	a := m.Member.author(m.Author)
	a.Bot = a.Bot || m.WebhookID != ""
	return a
}

// isSpeech reports whether a person wrote m: Discord also sends joins, pins and similar events as messages.
func (m message) isSpeech() bool {
	switch m.Type {
	case messageDefault, messageReply, messageCommand, messageThreadStarter, messageContextMenu:
		return true
	}
	return false
}

// addresses reports whether m mentions self or replies to it. @everyone does not count.
func (m message) addresses(self user) bool {
	for _, u := range m.Mentions {
		if u.ID == self.ID {
			return true
		}
	}
	return m.Referenced != nil && m.Reference != nil && m.Reference.Type != referenceForward && m.Referenced.Author.ID == self.ID
}

// contentWithheld reports whether Discord removed the content of m. It does so in servers where the bot may not read
// messages not addressed to it.
func (m message) contentWithheld() bool {
	return m.GuildID != "" && m.isSpeech() && !m.malformed && m.Content == "" && len(m.Attachments) == 0 && len(m.Embeds) == 0 &&
		len(m.Stickers) == 0 && len(m.Forwarded) == 0 && m.Poll == nil
}

// withNames replaces user ids in content by names, and drops a mention of self at the start.
func withNames(content string, mentions []user, self user) string {
	for _, form := range []string{"<@" + self.ID + ">", "<@!" + self.ID + ">"} {
		if rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(content), form)); rest != "" {
			content = rest
		}
	}
	pairs := make([]string, 0, 4*len(mentions))
	for _, u := range mentions {
		pairs = append(pairs, "<@"+u.ID+">", "@"+u.name(), "<@!"+u.ID+">", "@"+u.name())
	}
	return strings.TrimSpace(strings.NewReplacer(pairs...).Replace(content))
}

// attachments returns all parts of m that are not text.
func (m message) attachments(kept map[string]string) []channels.Attachment {
	var all []channels.Attachment
	for _, a := range m.Attachments {
		to := channels.Attachment{Kind: a.kind(m.Flags), Name: a.Filename, Caption: a.Description, Size: a.Size, Path: kept[a.ID]}
		a.fetchable(&to, m.passedOn)
		all = append(all, to)
	}
	for _, s := range m.Stickers {
		all = append(all, channels.Attachment{Kind: "sticker", Name: s.Name})
	}
	if m.Poll != nil {
		all = append(all, channels.Attachment{Kind: "poll", Caption: m.Poll.Question.Text})
	}
	for _, f := range m.Forwarded {
		all = append(all, channels.Attachment{Kind: channels.Forwarded, Caption: toMarkdown(f.Message.Content)})
		all = append(all, message{Attachments: f.Message.Attachments, Flags: f.Message.Flags, passedOn: true}.attachments(nil)...)
	}
	if m.Content == "" { // if there is text, embeds only show its links
		for _, e := range m.Embeds {
			all = append(all, channels.Attachment{Kind: channels.Embedded, Name: e.URL, Caption: strings.TrimSpace(e.Title + " " + e.Description)})
		}
	}
	return all
}

func (a attachment) kind(flags int) string {
	if flags&flagVoice != 0 {
		return "voice"
	}
	kind, _, _ := strings.Cut(a.ContentType, "/")
	switch kind {
	case "image", "video", "audio":
		return kind
	}
	switch strings.ToLower(path.Ext(a.Filename)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return "image"
	}
	return "file"
}

// systemNotice returns a description of a system message about people, or "" for other types.
func systemNotice(kind int) string {
	switch kind {
	case 6:
		return "pinned a message"
	case 7:
		return "joined the server"
	case 8, 9, 10, 11:
		return "boosted the server"
	case 18:
		return "started a thread"
	}
	return fmt.Sprintf("sent a message of Discord type %d", kind)
}

// payload is an outgoing message that mentions nobody.
type payload struct {
	Content  string       `json:"content"`
	Nonce    string       `json:"nonce,omitempty"`
	Enforce  bool         `json:"enforce_nonce,omitempty"`
	Flags    int          `json:"flags,omitempty"`
	Mentions mentions     `json:"allowed_mentions"`
	Answers  *replyTarget `json:"message_reference,omitempty"`
	// Files are what is said about the files of a form.
	Files []fileAbout `json:"attachments,omitempty"`
	// Buttons are those below the message. In an edit, nil leaves them as they are.
	Buttons *[]buttonRow `json:"components,omitempty"`
}

// fileAbout describes a file of a form, by the number in its name there.
type fileAbout struct {
	ID       string  `json:"id"`
	Filename string  `json:"filename"`
	Seconds  float64 `json:"duration_secs"`
	Waveform string  `json:"waveform"`
}

type mentions struct {
	Parse       []string `json:"parse"`
	RepliedUser bool     `json:"replied_user"`
}

type replyTarget struct {
	MessageID       string `json:"message_id"`
	FailIfNotExists bool   `json:"fail_if_not_exists"`
}

// maxLength is Discord's limit for one message, in UTF-16 units.
const maxLength = 2000

// formatBody converts Markdown to Discord's format. If the result would be too long, it only breaks the links that hide their
// address and the mentions.
func formatBody(md string) string {
	text, used := format(md), 0
	for _, r := range text {
		if used += utf16.RuneLen(r); used > maxLength {
			return breakMentions(strings.ReplaceAll(md, "](", "]"+zeroWidthSpace+"("))
		}
	}
	return text
}

// newPayload returns the payload of text, as a reply to replyTo if that is a message id.
func newPayload(text, replyTo string) payload {
	p := payload{Content: text, Mentions: mentions{Parse: []string{}}}
	if isID(replyTo) {
		p.Answers = &replyTarget{MessageID: replyTo}
	}
	return p
}
