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

// ear is what one must know to understand a message: who we are, and who is who.
type ear struct {
	number, hidden types.JID // ours, with the device
	// name is what we are called, empty while that is not known.
	name func() string
	self bool
	// since is when the device was linked; what was said before is not for it.
	since time.Time
	// other is the hidden id of a number, or the number of a hidden id, empty when it is not known.
	other func(types.JID) types.JID
}

// skew is how far clocks may be apart.
const skew = 5 * time.Minute

func newEar(device *store.Device, self bool, name func() string, other func(types.JID) types.JID) ear {
	e := ear{number: device.GetJID(), hidden: device.GetLID(), name: name, self: self, other: other}
	var details waAdv.ADVDeviceIdentity
	if proto.Unmarshal(device.Account.GetDetails(), &details) == nil && details.GetTimestamp() > 0 {
		e.since = time.Unix(int64(details.GetTimestamp()), 0).Add(-skew)
	}
	return e
}

// message is what evt says, if it says anything to us.
func (e ear) message(evt *events.Message) (channels.Message, bool) {
	m, ok := e.envelope(evt.Info)
	if !ok {
		return m, false
	}
	body := evt.Message
	if protocol := body.GetProtocolMessage(); protocol != nil {
		return e.changed(m, protocol)
	}
	if r := body.GetReactionMessage(); r != nil {
		m.Action, m.TargetID, m.Text = channels.React, r.GetKey().GetID(), r.GetText()
		return m, m.TargetID != ""
	}
	a, attached := attachment(body)
	m.Text = e.named(unformat(text(body)))
	if attached {
		m.Attachments = []channels.Attachment{a}
	}
	if m.Text == "" && !attached {
		return m, false // it carries keys only
	}
	about := contextOf(body)
	if about.GetQuotedMessage() != nil || about.GetParticipant() != "" {
		m.ReplyTo = about.GetStanzaID()
	}
	m.Addressed = m.Direct || e.spokenTo(about)
	m.ExpiresAfter = time.Duration(about.GetExpiration()) * time.Second
	m.ReplyData = via{Author: evt.Info.Sender.ToNonAD().String(), Quote: clip(text(body)), Fades: about.GetExpiration()}.String()
	return m, true
}

// changed is an edit or a revocation; other protocol messages are between devices.
func (e ear) changed(m channels.Message, p *waE2E.ProtocolMessage) (channels.Message, bool) {
	m.TargetID = p.GetKey().GetID()
	switch p.GetType() {
	case waE2E.ProtocolMessage_MESSAGE_EDIT:
		m.Action, m.Text = channels.Edit, e.named(unformat(text(p.GetEditedMessage())))
	case waE2E.ProtocolMessage_REVOKE:
		m.Action = channels.Delete
	default:
		return m, false
	}
	return m, m.TargetID != ""
}

// unreadable is a message that only the phone can show. What is sent later under its id is another event.
func (e ear) unreadable(info types.MessageInfo) (channels.Message, bool) {
	m, ok := e.envelope(info)
	m.ID += "/view-once"
	m.Addressed = m.Direct
	m.Attachments = []channels.Attachment{{Kind: "view-once message"}}
	return m, ok
}

// envelope is where a message was said, by whom and when; false for what is not for us.
func (e ear) envelope(info types.MessageInfo) (channels.Message, bool) {
	id, alias := e.person(info.Sender, info.SenderAlt)
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
	return m, e.forUs(info)
}

// forUs leaves out what nobody says to us: our own words, status posts, broadcasts, newsletters, what devices tell each
// other, and the time before the device was linked.
func (e ear) forUs(info types.MessageInfo) bool {
	switch info.Chat.Server {
	case types.DefaultUserServer, types.HiddenUserServer, types.BotServer:
	case types.GroupServer:
	default:
		return false
	}
	if info.Category == "peer" || info.Timestamp.Before(e.since) {
		return false
	}
	if info.IsFromMe {
		return e.self && !info.IsGroup && e.us(info.Chat) && info.Sender.Device != e.number.Device
	}
	return true
}

// us says that j is our account.
func (e ear) us(j types.JID) bool {
	return j.Server == types.DefaultUserServer && j.User == e.number.User ||
		j.Server == types.HiddenUserServer && j.User == e.hidden.User && j.User != ""
}

// person is the stable id of an account: its hidden id if that is known, else its number. The number is the alias.
func (e ear) person(sender, alt types.JID) (id, alias string) {
	sender, alt = sender.ToNonAD(), alt.ToNonAD()
	if alt.IsEmpty() && (sender.Server == types.HiddenUserServer || sender.Server == types.DefaultUserServer) {
		alt = e.other(sender).ToNonAD()
	}
	if alt.Server == types.HiddenUserServer {
		sender, alt = alt, sender
	}
	if alt.Server == types.DefaultUserServer {
		alias = accountID(alt)
	}
	return accountID(sender), alias
}

// same says that two ids are of one account.
func (e ear) same(a, b types.JID) bool {
	one, _ := e.person(a, types.EmptyJID)
	other, _ := e.person(b, types.EmptyJID)
	return one == other
}

// rooms are the ids that the room of a chat may have: the one it has now and, for somebody known by a number, that.
func (e ear) rooms(chat types.JID) []string {
	if chat.Server == types.GroupServer {
		return []string{chat.String()}
	}
	id, alias := e.person(chat, types.EmptyJID)
	if alias == "" || alias == id {
		return []string{id}
	}
	return []string{id, alias}
}

// accountID is how an account is written down: "+15550001" for one that only its number is known of, else its JID.
func accountID(j types.JID) string {
	if j.Server == types.DefaultUserServer {
		return "+" + j.User
	}
	return j.ToNonAD().String()
}

func isNumber(id string) bool { return strings.HasPrefix(id, "+") }

// chatOf is the chat a room id names.
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

// spokenTo says that a message in a group mentions us or answers us.
func (e ear) spokenTo(about *waE2E.ContextInfo) bool {
	for _, mentioned := range append([]string{about.GetParticipant()}, about.GetMentionedJID()...) {
		if j, err := types.ParseJID(mentioned); err == nil && e.us(j) {
			return true
		}
	}
	return false
}

// named writes our name where a text mentions us by number or hidden id, as phones show it.
func (e ear) named(text string) string {
	name := e.name()
	if name == "" {
		return text
	}
	for _, j := range []types.JID{e.number, e.hidden} {
		if j.User != "" {
			text = strings.ReplaceAll(text, "@"+j.User, "@"+name)
		}
	}
	return text
}

// via is what an answer needs of the message it answers, kept as JSON.
type via struct {
	// Author is the JID of who said it and Quote the beginning of it, both for the quotation above an answer.
	Author string `json:"a,omitempty"`
	Quote  string `json:"q,omitempty"`
	// Fades is after how many seconds the chat forgets, 0 for never.
	Fades uint32 `json:"f,omitempty"`
}

// String is the JSON, which has no failure.
func (v via) String() string {
	data, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(data)
}

func parseVia(s string) via {
	var v via
	if json.Unmarshal([]byte(s), &v) != nil {
		return via{}
	}
	return v
}

// quoted is how much of a message is shown above its answer, in runes.
const quoted = 120

func clip(s string) string {
	if utf8.RuneCountInString(s) <= quoted {
		return s
	}
	return string([]rune(s)[:quoted]) + "…"
}

// compose is the message that says text, as an answer to the message with that id if it is not empty.
func compose(text, replyTo string, v via) *waE2E.Message {
	if replyTo == "" && v.Fades == 0 {
		return &waE2E.Message{Conversation: &text}
	}
	about := &waE2E.ContextInfo{}
	if replyTo != "" && v.Author != "" {
		about.StanzaID, about.Participant = &replyTo, &v.Author
		about.QuotedMessage = &waE2E.Message{Conversation: &v.Quote}
	}
	if v.Fades > 0 {
		about.Expiration = &v.Fades
	}
	return &waE2E.Message{ExtendedTextMessage: &waE2E.ExtendedTextMessage{Text: &text, ContextInfo: about}}
}
