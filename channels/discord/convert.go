package discord

import (
	"fmt"
	"path"
	"strings"
	"time"
	"unicode/utf16"

	"familiar/channels"
)

// convert is m as it is heard in p by self; kept says where its attachments are on this machine, by their ids.
func convert(m message, p place, self user, kept map[string]string) channels.Message {
	heard := channels.Message{
		ID: m.ID, Room: p.room(), Author: m.author(), Direct: p.direct(), RoomTitle: p.Title,
		Text: unformat(withNames(m.Content, m.Mentions, self)), Attachments: m.attachments(kept),
		At: m.Timestamp.UTC(),
	}
	if m.Timestamp.IsZero() {
		heard.At = madeAt(m.ID)
	}
	if heard.Text == "" && len(heard.Attachments) == 0 && m.spoken() {
		heard.Attachments = []channels.Attachment{{Kind: "message", Caption: "of a kind that has no text"}}
	}
	if !m.spoken() {
		heard.Attachments = append(heard.Attachments, channels.Attachment{Kind: "notice", Caption: notice(m.Type)})
		return heard
	}
	heard.Addressed = p.direct() || m.speaksTo(self)
	if m.Reference != nil && m.Reference.Type != referenceForward && m.Type == messageReply {
		heard.ReplyTo = m.Reference.MessageID
	}
	return heard
}

// convertEdit is m as it reads now. Its id is that of the edit, the same however often Discord tells it.
func convertEdit(m message, p place, self user) channels.Message {
	heard := convert(m, p, self, nil)
	heard.Action, heard.TargetID, heard.At = channels.Edit, m.ID, m.Edited.UTC()
	heard.ID = fmt.Sprintf("edit:%s:%d", m.ID, m.Edited.UnixMicro())
	return heard
}

// convertDelete is a message that was taken back. Discord does not tell by whom.
func convertDelete(id string, p place, at time.Time) channels.Message {
	return channels.Message{
		ID: "delete:" + id, Action: channels.Delete, TargetID: id, Room: p.room(), Direct: p.direct(), RoomTitle: p.Title, At: at,
	}
}

// convertReaction is an emoji put to a message, or taken away. Discord tells neither an id nor a time of it: event is the
// name of what the gateway told.
func convertReaction(r reaction, event string, put bool, p place, at time.Time) channels.Message {
	heard := channels.Message{
		ID: "reaction:" + event, Action: channels.React, TargetID: r.MessageID, Room: p.room(), Direct: p.direct(), RoomTitle: p.Title,
		Author: channels.Author{Handle: channels.Handle{Channel: name, ID: r.UserID}}, At: at,
	}
	if r.Member != nil && r.Member.User != nil {
		heard.Author = r.Member.author(*r.Member.User)
	}
	if put {
		heard.Text = r.Emoji.text()
	}
	return heard
}

// text is the emoji itself, or the name of one of a server's own.
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

// author is who wrote m. What comes through a webhook is written by a program.
func (m message) author() channels.Author {
	a := m.Member.author(m.Author)
	a.Bot = a.Bot || m.WebhookID != ""
	return a
}

// spoken says that somebody said m: Discord tells of joins, pins and the like as messages too.
func (m message) spoken() bool {
	switch m.Type {
	case messageDefault, messageReply, messageCommand, messageThreadStarter, messageContextMenu:
		return true
	}
	return false
}

// speaksTo says that m mentions self or answers it. What is for everyone is for nobody.
func (m message) speaksTo(self user) bool {
	for _, u := range m.Mentions {
		if u.ID == self.ID {
			return true
		}
	}
	return m.Referenced != nil && m.Reference != nil && m.Reference.Type != referenceForward && m.Referenced.Author.ID == self.ID
}

// withheld says that Discord took everything out of m: it does so in servers where the persona may not read what is not
// said to it.
func (m message) withheld() bool {
	return m.GuildID != "" && m.spoken() && !m.unreadable && m.Content == "" && len(m.Attachments) == 0 && len(m.Embeds) == 0 &&
		len(m.Stickers) == 0 && len(m.Forwarded) == 0 && m.Poll == nil
}

// withNames puts names where Discord writes ids, and leaves out that self is spoken to at the very start.
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

// attachments is everything in m that is not text.
func (m message) attachments(kept map[string]string) []channels.Attachment {
	var all []channels.Attachment
	for _, a := range m.Attachments {
		all = append(all, channels.Attachment{
			Kind: a.kind(m.Flags), Name: a.Filename, Caption: a.Description, Size: a.Size, Path: kept[a.ID],
		})
	}
	for _, s := range m.Stickers {
		all = append(all, channels.Attachment{Kind: "sticker", Name: s.Name})
	}
	if m.Poll != nil {
		all = append(all, channels.Attachment{Kind: "poll", Caption: m.Poll.Question.Text})
	}
	for _, f := range m.Forwarded {
		all = append(all, channels.Attachment{Kind: "forwarded", Caption: unformat(f.Message.Content)})
		all = append(all, message{Attachments: f.Message.Attachments}.attachments(nil)...)
	}
	if m.Content == "" { // with text, embeds show what its links lead to
		for _, e := range m.Embeds {
			all = append(all, channels.Attachment{Kind: "embed", Name: e.URL, Caption: strings.TrimSpace(e.Title + " " + e.Description)})
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

// notice says what a message of that type tells, for the kinds that say something of people.
func notice(kind int) string {
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
	return fmt.Sprintf("a message of Discord's kind %d", kind)
}

// payload is what is sent: text that mentions nobody.
type payload struct {
	Content  string       `json:"content"`
	Nonce    string       `json:"nonce,omitempty"`
	Enforce  bool         `json:"enforce_nonce,omitempty"`
	Flags    int          `json:"flags,omitempty"`
	Mentions mentions     `json:"allowed_mentions"`
	Answers  *replyTarget `json:"message_reference,omitempty"`
}

type mentions struct {
	Parse       []string `json:"parse"`
	RepliedUser bool     `json:"replied_user"`
}

type replyTarget struct {
	MessageID       string `json:"message_id"`
	FailIfNotExists bool   `json:"fail_if_not_exists"`
}

// takes is the most Discord takes in one message, in UTF-16 units.
const takes = 2000

// body is Markdown as Discord shows it, or as it was written where formatting would make it too long.
func body(md string) string {
	text, used := format(md), 0
	for _, r := range text {
		if used += utf16.RuneLen(r); used > takes {
			return md
		}
	}
	return text
}

// write is the payload of text, as an answer to the message replyTo when that is the id of one.
func write(text, replyTo string) payload {
	p := payload{Content: text, Mentions: mentions{Parse: []string{}}}
	if isID(replyTo) {
		p.Answers = &replyTarget{MessageID: replyTo}
	}
	return p
}
