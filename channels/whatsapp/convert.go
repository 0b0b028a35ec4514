package whatsapp

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"go.mau.fi/whatsmeow/proto/waAdv"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/store"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
	"google.golang.org/protobuf/proto"

	"familiar/channels"
)

// decoder converts incoming messages. It knows our account and how account ids relate.
type decoder struct {
	number, hidden types.JID // ours, including the device
	// name returns our display name, empty while unknown.
	name func() string
	self bool
	// linkedAt is when the device was linked; earlier messages are ignored.
	linkedAt time.Time
	// otherID returns the hidden id of a number, or the number of a hidden id, or an empty JID if unknown.
	otherID func(types.JID) types.JID
	// nameOf returns the name of an account known under these ids, empty if none is known.
	nameOf func(ids ...types.JID) string
}

// skew is the tolerated difference between clocks.
const skew = 5 * time.Minute

func newDecoder(device *store.Device, self bool, l *connection) decoder {
	e := decoder{
		number: device.GetJID(), hidden: device.GetLID(), name: func() string { return *l.name.Load() }, self: self,
		otherID: l.otherID, nameOf: l.nameOf,
	}
	var details waAdv.ADVDeviceIdentity
	if proto.Unmarshal(device.Account.GetDetails(), &details) == nil && details.GetTimestamp() > 0 {
		e.linkedAt = time.Unix(int64(details.GetTimestamp()), 0).Add(-skew)
	}
	return e
}

// message converts evt; false if it contains nothing for us.
func (e decoder) message(evt *events.Message) (channels.Message, bool) {
	m, ok := e.envelope(evt.Info)
	if !ok {
		return m, false
	}
	body := evt.Message
	if protocol := body.GetProtocolMessage(); protocol != nil {
		return e.change(m, protocol)
	}
	if r := body.GetReactionMessage(); r != nil {
		m.Action, m.TargetID, m.Text = channels.React, r.GetKey().GetID(), r.GetText()
		return m, m.TargetID != ""
	}
	about := contextOf(body)
	a, attached := attachment(body)
	m.Text = e.said(written(body), about)
	if attached {
		a.Caption = e.withNames(a.Caption, about)
		m.Attachments = []channels.Attachment{a}
	}
	if m.Text == "" && !attached {
		return m, false // it carries only keys
	}
	if about.GetIsForwarded() && m.Text != "" {
		m.Attachments = append(m.Attachments, channels.Attachment{Kind: channels.Forwarded, Caption: m.Text})
		m.Text = ""
	}
	if about.GetQuotedMessage() != nil || about.GetParticipant() != "" {
		m.ReplyTo = about.GetStanzaID()
	}
	m.Addressed = m.Direct || e.addressesUs(about)
	m.ExpiresAfter = time.Duration(about.GetExpiration()) * time.Second
	m.ReplyData = replyData{Author: evt.Info.Sender.ToNonAD().String(), Quote: clip(e.withNames(written(body), about)), Expiration: about.GetExpiration()}.String()
	return m, true
}

// change converts an edit or a revocation; other protocol messages are between devices.
func (e decoder) change(m channels.Message, p *waE2E.ProtocolMessage) (channels.Message, bool) {
	m.TargetID = p.GetKey().GetID()
	switch p.GetType() {
	case waE2E.ProtocolMessage_MESSAGE_EDIT:
		edited := p.GetEditedMessage()
		m.Action, m.Text = channels.Edit, e.said(written(edited), contextOf(edited))
	case waE2E.ProtocolMessage_REVOKE:
		m.Action = channels.Delete
	default:
		return m, false
	}
	return m, m.TargetID != ""
}

// unreadable returns the placeholder for a message that only the phone can show. A message sent later under its id is
// another event.
func (e decoder) unreadable(info types.MessageInfo) (channels.Message, bool) {
	m, ok := e.envelope(info)
	m.ID += "/view-once"
	m.Addressed = m.Direct
	m.Attachments = []channels.Attachment{{Kind: "view-once message"}}
	return m, ok
}

// envelope returns the room, author and time of a message; false if it is not for us.
func (e decoder) envelope(info types.MessageInfo) (channels.Message, bool) {
	id, alias := e.accountOf(info.Sender, info.SenderAlt)
	m := channels.Message{
		ID: info.ID, At: info.Timestamp, Direct: !info.IsGroup,
		Room: channels.Room{Channel: Name, ID: info.Chat.String()},
		Author: channels.Author{
			Handle: channels.Handle{Channel: Name, ID: id}, Alias: alias, Name: info.PushName, Bot: info.Sender.IsBot(),
		},
	}
	if m.Direct {
		m.Room.ID = id
	}
	return m, e.isForUs(info)
}

// isForUs excludes our own messages, status posts, broadcasts, newsletters, traffic between devices, and messages from
// before the device was linked.
func (e decoder) isForUs(info types.MessageInfo) bool {
	switch info.Chat.Server {
	case types.DefaultUserServer, types.HiddenUserServer, types.BotServer:
	case types.GroupServer:
	default:
		return false
	}
	if info.Category == "peer" || info.Timestamp.Before(e.linkedAt) {
		return false
	}
	if info.IsFromMe {
		return e.self && !info.IsGroup && e.isUs(info.Chat) && info.Sender.Device != e.number.Device
	}
	return true
}

// isUs reports whether j is our account.
func (e decoder) isUs(j types.JID) bool {
	return j.Server == types.DefaultUserServer && j.User == e.number.User ||
		j.Server == types.HiddenUserServer && j.User == e.hidden.User && j.User != ""
}

// accountOf returns the stable id of an account: its hidden id if known, otherwise its number. If the hidden id is
// known, the number is the alias.
func (e decoder) accountOf(sender, alt types.JID) (id, alias string) {
	sender, alt = sender.ToNonAD(), alt.ToNonAD()
	if alt.IsEmpty() && (sender.Server == types.HiddenUserServer || sender.Server == types.DefaultUserServer) {
		alt = e.otherID(sender).ToNonAD()
	}
	if alt.Server == types.HiddenUserServer {
		sender, alt = alt, sender
	}
	if alt.Server == types.DefaultUserServer {
		alias = accountID(alt)
	}
	return accountID(sender), alias
}

// sameAccount reports whether two ids belong to one account.
func (e decoder) sameAccount(a, b types.JID) bool {
	one, _ := e.accountOf(a, types.EmptyJID)
	other, _ := e.accountOf(b, types.EmptyJID)
	return one == other
}

// roomIDs returns the possible room ids of a chat: the present one and, for a person known by a number, the one made
// from the number.
func (e decoder) roomIDs(chat types.JID) []string {
	if chat.Server == types.GroupServer {
		return []string{chat.String()}
	}
	id, alias := e.accountOf(chat, types.EmptyJID)
	if alias == "" || alias == id {
		return []string{id}
	}
	return []string{id, alias}
}

// accountID formats an account id: "+15550001" if only the number is known, otherwise the JID.
func accountID(j types.JID) string {
	if j.Server == types.DefaultUserServer {
		return "+" + j.User
	}
	return j.ToNonAD().String()
}

func isNumber(id string) bool { return strings.HasPrefix(id, "+") }

// chatOf returns the chat of a room id.
func chatOf(id string) (types.JID, bool) {
	if isNumber(id) {
		return types.NewJID(id[1:], types.DefaultUserServer), len(id) > 1
	}
	j, err := types.ParseJID(id)
	if err != nil || j.User == "" {
		return j, false
	}
	switch j.Server {
	case types.DefaultUserServer, types.HiddenUserServer, types.GroupServer, types.BotServer:
		return j, true
	}
	return j, false
}

// addressesUs reports whether a group message mentions us or replies to us.
func (e decoder) addressesUs(about *waE2E.ContextInfo) bool {
	for _, mentioned := range append([]string{about.GetParticipant()}, about.GetMentionedJID()...) {
		if j, err := types.ParseJID(mentioned); err == nil && e.isUs(j) {
			return true
		}
	}
	return false
}

// replyData is what a reply needs from the message it answers, stored as JSON. The keys must not change.
type replyData struct {
	// Author is the author's JID and Quote the beginning of the message, both for the quotation above a reply.
	Author string `json:"a,omitempty"`
	Quote  string `json:"q,omitempty"`
	// Expiration is after how many seconds the chat deletes messages, 0 for never.
	Expiration uint32 `json:"f,omitempty"`
}

// String returns the JSON. Encoding cannot fail.
func (v replyData) String() string {
	data, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(data)
}

func parseReplyData(s string) replyData {
	var v replyData
	if json.Unmarshal([]byte(s), &v) != nil {
		return replyData{}
	}
	return v
}

// maxQuote is how much of a message is quoted above its reply, in runes.
const maxQuote = 120

func clip(s string) string {
	if utf8.RuneCountInString(s) <= maxQuote {
		return s
	}
	return string([]rune(s)[:maxQuote]) + "…"
}

// compose returns a message with text, as a reply to the message with that id if it is not empty.
func compose(text, replyTo string, v replyData) *waE2E.Message {
	return textMessage(text, contextFor(replyTo, v))
}

// textMessage returns a message with text and a context, nil for none.
func textMessage(text string, about *waE2E.ContextInfo) *waE2E.Message {
	if about == nil {
		return &waE2E.Message{Conversation: &text}
	}
	return &waE2E.Message{ExtendedTextMessage: &waE2E.ExtendedTextMessage{Text: &text, ContextInfo: about}}
}

// contextFor returns the context of a reply to the message with that id if it is not empty, nil if there is nothing to say.
func contextFor(replyTo string, v replyData) *waE2E.ContextInfo {
	if replyTo == "" && v.Expiration == 0 {
		return nil
	}
	about := &waE2E.ContextInfo{}
	if replyTo != "" && v.Author != "" {
		about.StanzaID, about.Participant = &replyTo, &v.Author
		about.QuotedMessage = &waE2E.Message{Conversation: &v.Quote}
	}
	if v.Expiration > 0 {
		about.Expiration = &v.Expiration
	}
	return about
}
