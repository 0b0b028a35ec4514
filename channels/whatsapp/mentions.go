package whatsapp

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"

	"familiar/channels/markdown"
)

// mentionToken matches a mention as WhatsApp writes it into a text, "@" and the digits of a number, a hidden id or a group.
var mentionToken = regexp.MustCompile(`@([0-9]+)(?:@(?:lid|g\.us|s\.whatsapp\.net))?`)

const (
	// unknownName stands for somebody whose name is not known.
	unknownName = "someone"
	// minIDDigits is the length of the shortest id: shorter digits are an id only if the message lists them as a mention.
	minIDDigits = 7
)

// said returns a written text as Markdown in which mentions are names. A mention of us at the start, which only says to whom
// the message is addressed, is left out.
func (e decoder) said(text string, about *waE2E.ContextInfo) string {
	return e.withNames(toMarkdown(e.withoutAddress(text)), about)
}

// withoutAddress removes a mention of us at the start, unless there is nothing else: otherwise our name would be a word of
// every message.
func (e decoder) withoutAddress(text string) string {
	m := mentionToken.FindStringSubmatchIndex(text)
	if m == nil || strings.TrimSpace(text[:m[0]]) != "" || !e.isOurID(text[m[2]:m[3]]) {
		return text
	}
	if rest := strings.TrimLeft(text[m[1]:], " ,:\n"); rest != "" {
		return rest
	}
	return text
}

// withNames replaces the ids in mentions by names, as phones show them. An id names nobody to its reader, and is somebody's
// phone number or leads to it.
func (e decoder) withNames(text string, about *waE2E.ContextInfo) string {
	var out strings.Builder
	at := 0
	for _, m := range mentionToken.FindAllStringSubmatchIndex(text, -1) {
		digits := text[m[2]:m[3]]
		name, known := e.mentionName(digits, about)
		before, _ := utf8.DecodeLastRuneInString(text[at:m[0]])
		after, _ := utf8.DecodeRuneInString(text[m[1]:])
		inWord := markdown.IsWordRune(before) || markdown.IsWordRune(after) // an email address, say
		if !known && (inWord || len(digits) < minIDDigits) {
			continue
		}
		out.WriteString(text[at:m[0]] + "@" + name)
		at = m[1]
	}
	return out.String() + text[at:]
}

// mentionName returns the name for the digits of a mention, and whether the message says that they are one.
func (e decoder) mentionName(digits string, about *waE2E.ContextInfo) (name string, known bool) {
	if e.isOurID(digits) {
		return nameOr(e.name()), true
	}
	for _, mentioned := range about.GetMentionedJID() {
		j, err := types.ParseJID(mentioned)
		if err != nil {
			continue
		}
		if other := e.otherID(j.ToNonAD()); j.User == digits || other.User == digits {
			return nameOr(e.nameOf(j.ToNonAD(), other.ToNonAD())), true
		}
	}
	for _, group := range about.GetGroupMentions() {
		if user, _, _ := strings.Cut(group.GetGroupJID(), "@"); user == digits {
			return nameOr(group.GetGroupSubject()), true
		}
	}
	return unknownName, false
}

// isOurID reports whether digits are our number or hidden id.
func (e decoder) isOurID(digits string) bool {
	return digits != "" && (digits == e.number.User || digits == e.hidden.User)
}

// nameOr returns a name on one line, or the word for somebody without one.
func nameOr(name string) string {
	if name = strings.Join(strings.Fields(name), " "); name == "" {
		return unknownName
	}
	return name
}

// nameOf returns the name of an account known under these ids, empty if none is known: the one it shows to others, else
// the one in the address book.
func (l *connection) nameOf(ids ...types.JID) string {
	for _, j := range ids {
		if j.IsEmpty() {
			continue
		}
		contact, err := l.client.Store.Contacts.GetContact(l.ctx, j)
		if err != nil {
			l.log.Warn("look up the name of a WhatsApp account", "error", redacted(err))
			continue
		}
		for _, name := range []string{contact.PushName, contact.BusinessName, contact.FullName, contact.FirstName} {
			if name != "" {
				return name
			}
		}
	}
	return ""
}
