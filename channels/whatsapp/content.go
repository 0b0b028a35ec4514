package whatsapp

import (
	"fmt"
	"strings"
	"unicode"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"google.golang.org/protobuf/reflect/protoreflect"

	"familiar/channels"
)

// written returns the written text: the message itself, the caption of a picture, or the button pressed.
func written(m *waE2E.Message) string {
	for _, said := range []string{
		m.GetConversation(), m.GetExtendedTextMessage().GetText(),
		m.GetImageMessage().GetCaption(), m.GetVideoMessage().GetCaption(), m.GetDocumentMessage().GetCaption(),
		m.GetButtonsResponseMessage().GetSelectedDisplayText(), m.GetListResponseMessage().GetTitle(),
		m.GetTemplateButtonReplyMessage().GetSelectedDisplayText(),
	} {
		if said != "" {
			return said
		}
	}
	return ""
}

// attachment returns the part of m that is not text. Kinds without a name of our own use the network's name.
func attachment(m *waE2E.Message) (channels.Attachment, bool) {
	if file, ok := file(m); ok {
		return file, true
	}
	switch {
	case m.GetLocationMessage() != nil:
		return place(m.GetLocationMessage()), true
	case m.GetContactMessage() != nil:
		return channels.Attachment{Kind: "contact", Name: m.GetContactMessage().GetDisplayName()}, true
	case poll(m) != nil:
		return channels.Attachment{Kind: "poll", Caption: question(poll(m))}, true
	}
	if kind := kindOf(m); kind != "" {
		return channels.Attachment{Kind: kind}, true
	}
	return channels.Attachment{}, false
}

// file returns m's attached file.
func file(m *waE2E.Message) (channels.Attachment, bool) {
	a := channels.Attachment{}
	switch {
	case m.GetImageMessage() != nil:
		a.Kind = "image"
	case m.GetVideoMessage() != nil, m.GetPtvMessage() != nil:
		a.Kind = "video"
	case m.GetAudioMessage().GetPTT():
		a.Kind = "voice"
	case m.GetAudioMessage() != nil:
		a.Kind = "audio"
	case m.GetStickerMessage() != nil:
		a.Kind = "sticker"
	case m.GetDocumentMessage() != nil:
		a.Kind, a.Name = "file", m.GetDocumentMessage().GetFileName()
	default:
		return a, false
	}
	a.Ref = fileRef(m)
	a.Speech, a.Length = recording(m)
	if d, ok := downloadable(m).(interface{ GetFileLength() uint64 }); ok {
		a.Size = int64(min(d.GetFileLength(), 1<<62))
	}
	return a, true
}

// downloadable returns the part of m that can be downloaded, or nil.
func downloadable(m *waE2E.Message) whatsmeow.DownloadableMessage {
	switch {
	case m.GetImageMessage() != nil:
		return m.GetImageMessage()
	case m.GetVideoMessage() != nil:
		return m.GetVideoMessage()
	case m.GetPtvMessage() != nil:
		return m.GetPtvMessage()
	case m.GetAudioMessage() != nil:
		return m.GetAudioMessage()
	case m.GetStickerMessage() != nil:
		return m.GetStickerMessage()
	case m.GetDocumentMessage() != nil:
		return m.GetDocumentMessage()
	}
	return nil
}

func place(l *waE2E.LocationMessage) channels.Attachment {
	about := strings.TrimSpace(l.GetName() + " " + l.GetAddress())
	return channels.Attachment{
		Kind: "location", Caption: strings.TrimSpace(fmt.Sprintf("%s %.5f, %.5f", about, l.GetDegreesLatitude(), l.GetDegreesLongitude())),
	}
}

func poll(m *waE2E.Message) *waE2E.PollCreationMessage {
	for _, p := range []*waE2E.PollCreationMessage{m.GetPollCreationMessage(), m.GetPollCreationMessageV2(), m.GetPollCreationMessageV3()} {
		if p != nil {
			return p
		}
	}
	return nil
}

func question(p *waE2E.PollCreationMessage) string {
	options := make([]string, 0, len(p.GetOptions()))
	for _, o := range p.GetOptions() {
		options = append(options, o.GetOptionName())
	}
	return p.GetName() + " " + strings.Join(options, " / ")
}

// plain lists the parts of a message that are text, or not part of the conversation.
var plain = map[protoreflect.Name]bool{
	"conversation": true, "extendedTextMessage": true, "buttonsResponseMessage": true, "listResponseMessage": true,
	"templateButtonReplyMessage": true, "messageContextInfo": true, "senderKeyDistributionMessage": true,
	"fastRatchetKeySenderKeyDistributionMessage": true,
}

// kindOf returns the network's name for the kind of m, such as "poll update", or "" for text and for internal messages.
func kindOf(m *waE2E.Message) string {
	kind := ""
	m.ProtoReflect().Range(func(f protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		if !plain[f.Name()] {
			kind = words(strings.TrimSuffix(string(f.Name()), "Message"))
		}
		return kind == ""
	})
	return kind
}

// words splits a camel-case name.
func words(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// contextOf returns m's context: the message it replies to, its mentions and its expiration.
func contextOf(m *waE2E.Message) *waE2E.ContextInfo {
	var about *waE2E.ContextInfo
	m.ProtoReflect().Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if f.Message() != nil && !f.IsList() && !f.IsMap() {
			if part, ok := v.Message().Interface().(interface{ GetContextInfo() *waE2E.ContextInfo }); ok {
				about = part.GetContextInfo()
			}
		}
		return about == nil
	})
	return about
}

// expiration returns after how many seconds m's chat deletes it, 0 for never.
func expiration(m *waE2E.Message) uint32 { return contextOf(m).GetExpiration() }
