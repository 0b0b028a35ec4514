package whatsapp

import (
	"context"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waCommon"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
	"google.golang.org/protobuf/proto"

	"familiar/channels"
	"familiar/channels/whatsapp/whatsapptest"
)

func TestW2APersonIsTheirHiddenIDAndTheNumberIsAnAlias(t *testing.T) {
	for name, as := range map[string]whatsapptest.Addressing{
		"named by hidden id": whatsapptest.ByLID, "named by number with the hidden id beside it": whatsapptest.ByNumber,
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			ann := r.person(1)
			r.server.Address(ann.Phone, as)
			s := r.start()
			r.says(ann, ownJID, "hello")
			m := s.next(0)
			if id := ann.JID().String(); m.Author.Handle.ID != id || m.Room.ID != id || m.Author.Alias != "+"+ann.Phone {
				t.Errorf("said by %+v in %+v", m.Author, m.Room)
			}
			s.answers("k", m, "hi")
			eventually(t, "the answer is shown", func() bool { return len(ann.Shown(ownJID)) == 1 })
		})
	}
}

func TestW2AHiddenIDWithoutANumberIsAccepted(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	r.server.Address(ann.Phone, whatsapptest.ByLIDAlone)
	s := r.start()
	r.says(ann, ownJID, "hello")
	m := s.next(0)
	if m.Author.Handle.ID != ann.JID().String() || m.Author.Alias != "" {
		t.Errorf("said by %+v", m.Author)
	}
	s.answers("k", m, "hi")
	eventually(t, "the answer is shown", func() bool { return len(ann.Shown(ownJID)) == 1 })
}

func TestW2ALaterHiddenIDMovesTheRoom(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	r.server.Address(ann.Phone, whatsapptest.ByNumberAlone)
	s := r.start()
	r.says(ann, ownJID, "hello")
	m := s.next(0)
	number := "+" + ann.Phone
	if m.Author.Handle.ID != number || m.Room.ID != number {
		t.Fatalf("said by %+v in %+v, want %s", m.Author, m.Room, number)
	}
	s.answers("k", m, "hi")
	eventually(t, "the answer is shown", func() bool { return len(ann.Shown(ownJID)) == 1 })
	r.confirmed(1)
	s.stop()
	r.mu.Lock()
	r.rooms = []channels.Room{m.Room}
	r.mu.Unlock()
	r.server.Address(ann.Phone, whatsapptest.ByLID)
	s = r.start()
	r.says(ann, ownJID, "me again")
	r.says(ann, ownJID, "and again")
	hidden := ann.JID().String()
	if moved := s.next(0); moved.Action != channels.Move || moved.Room.ID != number || moved.Author.Handle.ID != number || moved.TargetID != hidden || !moved.Direct {
		t.Errorf("received %+v first", moved)
	}
	for i, text := range []string{"me again", "and again"} {
		if m := s.next(i + 1); m.Action != channels.Post || m.Text != text || m.Room.ID != hidden || m.Author.Handle.ID != hidden {
			t.Errorf("received %+v", m)
		}
	}
}

// TestW2NumbersAreForgotten receives a message from a person known by a number again after weeks.
func TestW2NumbersAreForgotten(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	r.server.Address(ann.Phone, whatsapptest.ByNumberAlone)
	s := r.start()
	r.says(ann, ownJID, "hello")
	s.next(0)
	r.advanceClock((keepDays + 1) * 24 * time.Hour)
	r.says(ann, ownJID, "me again")
	m := s.next(1)
	l, err := s.currentConnection(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l.order.Lock()
	defer l.order.Unlock()
	if arrivals := l.numbers.arrivals; len(arrivals) != 1 || !arrivals[arrival{m.Room.ID, m.ID}] {
		t.Errorf("known are %v", arrivals)
	}
}

func TestW2AMessageRedeliveredUnderAnotherIDIsTheSame(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	r.server.Address(ann.Phone, whatsapptest.ByNumberAlone)
	s := r.start()
	s.neverAccept()
	r.says(ann, ownJID, "hello")
	first := s.next(0)
	s.stop()
	r.server.Address(ann.Phone, whatsapptest.ByLID)
	s = r.start()
	again := s.next(0)
	if again.Room != first.Room || again.ID != first.ID || again.Text != first.Text {
		t.Errorf("received %+v, then %+v", first, again)
	}
	if hidden := ann.JID().String(); again.Author.Handle != first.Author.Handle || again.Author.Alias != hidden {
		t.Errorf("said by %+v, who is %+v as well", again.Author, hidden)
	}
	s.answers("k", again, "hi")
	eventually(t, "the answer is shown", func() bool { return len(ann.Shown(ownJID)) == 1 })
	r.says(ann, ownJID, "what else?")
	if moved := s.next(1); moved.Action != channels.Move || moved.Room != first.Room {
		t.Errorf("received %+v, want that the room moves", moved)
	}
	if m := s.next(2); m.Action != channels.Post || m.Room.ID != ann.JID().String() {
		t.Errorf("received %+v", m)
	}
}

func TestW2InAGroupSomebodyIsOnePersonUnderBothIDs(t *testing.T) {
	r := newRig(t)
	ann, bob := r.person(1), r.person(2)
	g := r.server.Group("Friends", 0, ownPhone, ann.Phone, bob.Phone)
	number, hidden := "+"+ann.Phone, ann.JID().String()
	says := func(s *running, n int, as whatsapptest.Addressing) channels.Author {
		t.Helper()
		r.server.Address(ann.Phone, as)
		r.says(ann, g, "hello")
		return s.next(n).Author
	}
	r.opts.Host.Gate = func(context.Context, channels.Message) bool { return false } // the members of the group are not looked up
	s := r.start()
	if a := says(s, 0, whatsapptest.ByNumberAlone); a.Handle.ID != number || a.Alias != "" {
		t.Errorf("by the number alone said by %+v", a)
	}
	if a := says(s, 1, whatsapptest.ByNumber); a.Handle.ID != hidden || a.Alias != number {
		t.Errorf("by the number with the hidden id said by %+v", a)
	}
	r.confirmed(2)
	s.stop()
	s = r.start()
	for n, as := range []whatsapptest.Addressing{whatsapptest.ByNumberAlone, whatsapptest.ByLIDAlone, whatsapptest.ByLID} {
		if a := says(s, n, as); a.Handle.ID != hidden || a.Alias != number {
			t.Errorf("addressed the way %d, after a restart, said by %+v", as, a)
		}
	}
	r.server.Address(bob.Phone, whatsapptest.ByLIDAlone)
	r.says(bob, g, "hello")
	if a := s.next(3).Author; a.Handle.ID != bob.JID().String() || a.Alias != "" {
		t.Errorf("whose number nobody told is %+v", a)
	}
}

func TestW3OnlyIncomingMessagesAreReceived(t *testing.T) {
	linked := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	ear := decoder{
		name: func() string { return "" }, number: types.JID{User: "1555999", Server: types.DefaultUserServer, Device: 3}, hidden: types.JID{User: "90999", Server: types.HiddenUserServer, Device: 3},
		self: true, linkedAt: linked, otherID: func(types.JID) types.JID { return types.EmptyJID }, nameOf: func(...types.JID) string { return "" },
	}
	ann := types.JID{User: "90001", Server: types.HiddenUserServer, Device: 2}
	own := types.JID{User: "90999", Server: types.HiddenUserServer}
	group := types.NewJID("120363", types.GroupServer)
	from := func(chat, sender types.JID, change ...func(*types.MessageInfo)) types.MessageInfo {
		info := types.MessageInfo{
			ID: "X", Timestamp: linked.Add(time.Hour),
			MessageSource: types.MessageSource{Chat: chat, Sender: sender, IsGroup: chat.Server == types.GroupServer, IsFromMe: sender.User == own.User},
		}
		for _, c := range change {
			c(&info)
		}
		return info
	}
	phone := func(i *types.MessageInfo) { i.Sender.Device = 0 }
	tests := map[string]struct {
		info types.MessageInfo
		want bool
	}{
		"a direct message":             {from(ann.ToNonAD(), ann), true},
		"a group":                      {from(group, ann), true},
		"to oneself":                   {from(own, own, phone), true},
		"to oneself by this device":    {from(own, types.JID{User: own.User, Server: own.Server, Device: 3}), false},
		"the owner to somebody else":   {from(ann.ToNonAD(), own, phone), false},
		"the owner in a group":         {from(group, own, phone), false},
		"a status post":                {from(types.StatusBroadcastJID, ann), false},
		"a broadcast list":             {from(types.NewJID("123", types.BroadcastServer), ann), false},
		"a newsletter":                 {from(types.NewJID("123", types.NewsletterServer), types.NewJID("123", types.NewsletterServer)), false},
		"between our own devices":      {from(own, own, phone, func(i *types.MessageInfo) { i.Category = "peer" }), false},
		"before the device was linked": {from(ann.ToNonAD(), ann, func(i *types.MessageInfo) { i.Timestamp = linked.Add(-time.Hour) }), false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			evt := &events.Message{Info: test.info, Message: &waE2E.Message{Conversation: proto.String("hello")}}
			if _, ok := ear.message(evt); ok != test.want {
				t.Errorf("received: %v, want %v", ok, test.want)
			}
			history := &waE2E.Message{ProtocolMessage: &waE2E.ProtocolMessage{Type: waE2E.ProtocolMessage_HISTORY_SYNC_NOTIFICATION.Enum()}}
			keys := &waE2E.Message{SenderKeyDistributionMessage: &waE2E.SenderKeyDistributionMessage{}}
			for _, m := range []*waE2E.Message{history, keys} {
				if _, ok := ear.message(&events.Message{Info: test.info, Message: m}); ok {
					t.Errorf("received %v, which nobody said", m)
				}
			}
		})
	}
	ear.self = false
	if _, ok := ear.message(&events.Message{Info: from(own, own, phone), Message: &waE2E.Message{Conversation: proto.String("note")}}); ok {
		t.Error("received what the owner wrote to themselves without having been told to")
	}
}

func TestW3TheOwnerCanTalkToItByWritingToThemselves(t *testing.T) {
	r := newRig(t)
	r.opts.Self = true
	phone, err := r.server.Join(t.Context(), ownPhone, ownLID, "Familiar")
	if err != nil {
		t.Fatal(err)
	}
	ann := r.person(1)
	s := r.start()
	r.says(phone, ann.JID(), "not for the persona")
	r.says(phone, ownJID, "a note")
	m := s.next(0)
	if m.Text != "a note" || m.Room.ID != ownJID.String() || !m.Direct {
		t.Errorf("received %+v", m)
	}
}

func TestW3MessagesFromBeforeTheLinkAreIgnored(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	r.setNetworkClockBack(time.Hour)
	r.says(ann, ownJID, "an hour before")
	r.setNetworkClockBack(0)
	r.says(ann, ownJID, "now")
	if m := s.next(0); m.Text != "now" {
		t.Errorf("received %+v", m)
	}
}

func TestW3WrappedMessagesAreUnwrapped(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	wrap := func(text string) *waE2E.FutureProofMessage {
		return &waE2E.FutureProofMessage{Message: &waE2E.Message{Conversation: &text}}
	}
	for i, wrapped := range []*waE2E.Message{
		{EphemeralMessage: wrap("in a chat that fades")},
		{ViewOnceMessage: wrap("to be seen once")},
		{ViewOnceMessageV2: wrap("to be seen once, lately")},
		{ViewOnceMessageV2Extension: wrap("to be heard once")},
		{DocumentWithCaptionMessage: wrap("under a document")},
		{EphemeralMessage: &waE2E.FutureProofMessage{Message: &waE2E.Message{ViewOnceMessageV2: wrap("twice wrapped")}}},
	} {
		if _, err := ann.Send(t.Context(), ownJID, "", wrapped); err != nil {
			t.Fatal(err)
		}
		m := s.next(i)
		if m.Text == "" || len(m.Attachments) != 0 || !strings.Contains(wrapped.String(), m.Text) {
			t.Errorf("of %s received %+v", wrapped, m)
		}
	}
}

func TestW3PhoneOnlyContentIsNoted(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	s.locked(errors.New("database is locked"))
	ann.SendViewOnce(r.server, ownPhone, "3EB0ONCE")
	eventually(t, "it is tried again", func() bool { return s.attempts() >= 2 })
	s.locked(nil)
	m := s.next(0)
	if m.FullText() != "[view-once message]" || m.Room.ID != ann.JID().String() || !m.Addressed || m.ID == "3EB0ONCE" {
		t.Errorf("received %+v", m)
	}
	// The phone may send the content later, as a new event.
	if _, err := ann.Send(t.Context(), ownJID, "3EB0ONCE", &waE2E.Message{Conversation: proto.String("this")}); err != nil {
		t.Fatal(err)
	}
	if again := s.next(1); again.ID != "3EB0ONCE" || again.Text != "this" {
		t.Errorf("received %+v", again)
	}
}

func TestW4InAGroupOnlyAMentionOrAnAnswerIsAddressed(t *testing.T) {
	r := newRig(t)
	ann, bob := r.person(1), r.person(2)
	g := r.server.Group("Friends", 0, ownPhone, ann.Phone, bob.Phone)
	s := r.start()
	mention := func(text string, who ...string) *waE2E.Message {
		return &waE2E.Message{ExtendedTextMessage: &waE2E.ExtendedTextMessage{Text: &text, ContextInfo: &waE2E.ContextInfo{MentionedJID: who}}}
	}
	answer := func(text, id string, who types.JID) *waE2E.Message {
		return &waE2E.Message{ExtendedTextMessage: &waE2E.ExtendedTextMessage{Text: &text, ContextInfo: &waE2E.ContextInfo{
			StanzaID: &id, Participant: proto.String(who.String()), QuotedMessage: &waE2E.Message{Conversation: proto.String("x")},
		}}}
	}
	said := []struct {
		message   *waE2E.Message
		text      string
		addressed bool
	}{
		{&waE2E.Message{Conversation: proto.String("hello all")}, "hello all", false},
		{mention("@"+ownLID+" hello", ownJID.String()), "hello", true},
		{mention("😀 @"+ownPhone+" hello", ownPhone+"@s.whatsapp.net"), "😀 @Familiar hello", true},
		{mention("@"+bob.LID+" hello", bob.JID().String()), "@someone hello", false},
		{answer("yes", "3EB0AA", ownJID), "yes", true},
		{answer("no", "3EB0BB", bob.JID()), "no", false},
	}
	for i, one := range said {
		if _, err := ann.Send(t.Context(), g, "", one.message); err != nil {
			t.Fatal(err)
		}
		m := s.next(i)
		if m.Text != one.text || m.Addressed != one.addressed || m.Direct || m.RoomTitle != "Friends" || m.Room.ID != g.String() || m.Author.Handle.ID != ann.JID().String() {
			t.Errorf("received %+v", m)
		}
	}
	if m := s.next(4); m.ReplyTo != "3EB0AA" {
		t.Errorf("answers %q", m.ReplyTo)
	}
	s.answers("k", s.next(1), "hello Ann")
	eventually(t, "all see the answer", func() bool { return len(ann.Shown(g)) == 1 && len(bob.Shown(g)) == 2+len(said)-1 })
	if got := ann.Received()[len(ann.Received())-1].Message.GetExtendedTextMessage().GetContextInfo(); got.GetParticipant() != ann.JID().String() {
		t.Errorf("it quotes %s", got.GetParticipant())
	}
}

// mentioning returns the context of a message that mentions these people.
func mentioning(who ...string) *waE2E.ContextInfo { return &waE2E.ContextInfo{MentionedJID: who} }

func TestW4MentionsAreNames(t *testing.T) {
	r := newRig(t)
	ann, bob, cy := r.person(1), r.person(2), r.person(3)
	g := r.server.Group("Friends", 0, ownPhone, ann.Phone, bob.Phone, cy.Phone)
	s := r.start()
	r.says(bob, g, "hello")
	s.next(0)
	written := func(text string, about *waE2E.ContextInfo) *waE2E.Message {
		return &waE2E.Message{ExtendedTextMessage: &waE2E.ExtendedTextMessage{Text: &text, ContextInfo: about}}
	}
	bobs, us := bob.JID().String(), ownJID.String()
	for i, one := range []struct {
		message *waE2E.Message
		want    string
	}{
		{written("@"+ownLID+", ask @"+bob.LID+"!", mentioning(us, bobs)), "ask @Person 2!"},
		{written("ask @"+bob.Phone+" and @"+ownPhone, mentioning(us, bob.Phone+"@s.whatsapp.net")), "ask @Person 2 and @Familiar"},
		{written("@"+bob.Phone+"@"+bob.LID, mentioning(bobs)), "@Person 2@Person 2"},
		{written("@"+cy.LID+" is new", mentioning(cy.JID().String())), "@someone is new"},
		{written("@"+cy.LID+" is not listed", nil), "@someone is not listed"},
		{written("hi@"+bob.LID+"and @"+cy.Phone, mentioning(bobs, cy.Phone+"@s.whatsapp.net")), "hi@Person 2and @someone"},
		{written("@"+ownLID, mentioning(us)), "@Familiar"},
		{written("mail ann@1234567.example, meet @7", nil), "mail ann@1234567.example, meet @7"},
		{&waE2E.Message{ImageMessage: &waE2E.ImageMessage{Caption: proto.String("*you* and @" + bob.LID), ContextInfo: mentioning(bobs)}}, "**you** and @Person 2"},
		{written("all of @120363000000000001@g.us", &waE2E.ContextInfo{GroupMentions: []*waE2E.GroupMention{{
			GroupJID: proto.String("120363000000000001@g.us"), GroupSubject: proto.String("Rowers"),
		}}}), "all of @Rowers"},
	} {
		if _, err := ann.Send(t.Context(), g, "", one.message); err != nil {
			t.Fatal(err)
		}
		m := s.next(i + 1)
		if m.Text != one.want {
			t.Errorf("received %q, want %q", m.Text, one.want)
		}
		if quote := parseReplyData(m.ReplyData).Quote; strings.ContainsAny(one.want, "@") && longDigits.MatchString(quote) && !strings.Contains(one.want, ".example") {
			t.Errorf("an answer quotes %q", quote)
		}
	}
	edited := written("no, @"+bob.LID+" it was", mentioning(bobs))
	if _, err := ann.Send(t.Context(), g, "", ann.Client.BuildEdit(g, s.next(1).ID, edited)); err != nil {
		t.Fatal(err)
	}
	if m := s.next(11); m.Action != channels.Edit || m.Text != "no, @Person 2 it was" {
		t.Errorf("edited to %q", m.Text)
	}
}

// longDigits matches an id.
var longDigits = regexp.MustCompile(`[0-9]{7}`)

func TestA12EditsRevocationsAndReactionsAreReceived(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	s := r.start()
	id := r.says(ann, ownJID, "I live in Rome")
	m := s.next(0)
	receipt := s.answers("k", m, "how nice")
	send := func(message *waE2E.Message) string {
		t.Helper()
		id, err := ann.Send(t.Context(), ownJID, "", message)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	edit := send(ann.Client.BuildEdit(ownJID, id, &waE2E.Message{Conversation: proto.String("I live in Turin")}))
	if got := s.next(1); got.Action != channels.Edit || got.TargetID != id || got.Text != "I live in Turin" || got.ID != edit || got.Author != m.Author || got.Room != m.Room {
		t.Errorf("an edit is %+v", got)
	}
	send(ann.Client.BuildReaction(ownJID, ownJID, receipt.ID, "👍"))
	if got := s.next(2); got.Action != channels.React || got.TargetID != receipt.ID || got.Text != "👍" {
		t.Errorf("a reaction is %+v", got)
	}
	send(ann.Client.BuildReaction(ownJID, ownJID, receipt.ID, ""))
	if got := s.next(3); got.Action != channels.React || got.TargetID != receipt.ID || got.Text != "" {
		t.Errorf("a reaction taken away is %+v", got)
	}
	send(ann.Client.BuildRevoke(ownJID, types.EmptyJID, id))
	if got := s.next(4); got.Action != channels.Delete || got.TargetID != id {
		t.Errorf("a revocation is %+v", got)
	}
}

func TestItReacts(t *testing.T) {
	r := newRig(t)
	ann, bob := r.person(1), r.person(2)
	g := r.server.Group("Friends", 0, ownPhone, ann.Phone, bob.Phone)
	s := r.start()
	id := r.says(ann, g, "it is my birthday")
	m := s.next(0)
	if err := s.React(t.Context(), m.Room, m.ID, "🎂"); err != nil {
		t.Fatal(err)
	}
	var got *waE2E.ReactionMessage
	eventually(t, "the reaction is seen", func() bool {
		for _, e := range ann.Received() {
			got = e.Message.GetReactionMessage()
		}
		return got != nil
	})
	if got.GetText() != "🎂" || got.GetKey().GetID() != id || got.GetKey().GetParticipant() != ann.JID().String() {
		t.Errorf("the reaction is %+v", got)
	}
	if err := s.React(t.Context(), m.Room, "3EB0UNKNOWN", "🎂"); channels.Kind(err) != channels.Permanent {
		t.Errorf("a reaction to nobody knows what: %v", err)
	}
}

// reactions returns the keys of the reactions that p sees in a chat.
func reactions(p *whatsapptest.Person, chat types.JID) []*waCommon.MessageKey {
	var keys []*waCommon.MessageKey
	for _, e := range p.Received() {
		if reaction := e.Message.GetReactionMessage(); reaction != nil && e.Info.Chat.User == chat.User {
			keys = append(keys, reaction.GetKey())
		}
	}
	return keys
}

// TestAReactionNamesTheAuthorInItsRoom: senders choose message ids, so one id may exist in two rooms.
func TestAReactionNamesTheAuthorInItsRoom(t *testing.T) {
	r := newRig(t)
	ann, bob := r.person(1), r.person(2)
	here := r.server.Group("Here", 0, ownPhone, ann.Phone, bob.Phone)
	there := r.server.Group("There", 0, ownPhone, ann.Phone, bob.Phone)
	const id = "3EB0AAAAAAAAAAAAAAAAAA"
	s := r.start()
	for i, said := range []struct {
		by   *whatsapptest.Person
		chat types.JID
	}{{ann, here}, {bob, there}} {
		if _, err := said.by.Send(t.Context(), said.chat, id, &waE2E.Message{Conversation: proto.String("hello")}); err != nil {
			t.Fatal(err)
		}
		s.next(i)
	}
	ours := s.answers("k", s.next(0), "hello Ann")
	if _, err := bob.Send(t.Context(), there, ours.ID, &waE2E.Message{Conversation: proto.String("copied")}); err != nil {
		t.Fatal(err)
	}
	s.next(2)
	want := []struct {
		chat        types.JID
		id          string
		participant string // empty for our own
	}{
		{here, id, ann.JID().String()},
		{there, id, bob.JID().String()},
		{here, ours.ID, ""},
		{there, ours.ID, bob.JID().String()},
	}
	seen := map[types.JID]int{}
	for _, when := range []string{"at once", "after a restart"} {
		for _, w := range want {
			if err := s.React(t.Context(), channels.Room{Channel: Name, ID: w.chat.String()}, w.id, "👍"); err != nil {
				t.Fatalf("%s: %v", when, err)
			}
			seen[w.chat]++
			eventually(t, "the reaction is seen", func() bool { return len(reactions(ann, w.chat)) == seen[w.chat] })
			key := reactions(ann, w.chat)[seen[w.chat]-1]
			if key.GetID() != w.id || key.GetParticipant() != w.participant || key.GetFromMe() != (w.participant == "") {
				t.Errorf("%s the reaction to %s in %s is to %+v, want one by %q", when, w.id, w.chat, key, w.participant)
			}
		}
		s.stop()
		s = r.start()
	}
}

func TestA15NonTextMessagesAreNeverDropped(t *testing.T) {
	ear := decoder{name: func() string { return "" }, otherID: func(types.JID) types.JID { return types.EmptyJID }}
	tests := map[string]struct {
		message *waE2E.Message
		want    string
	}{
		"image":        {&waE2E.Message{ImageMessage: &waE2E.ImageMessage{Caption: proto.String("my dog")}}, "my dog [image]"},
		"video":        {&waE2E.Message{VideoMessage: &waE2E.VideoMessage{}}, "[video]"},
		"round video":  {&waE2E.Message{PtvMessage: &waE2E.VideoMessage{}}, "[video]"},
		"voice":        {&waE2E.Message{AudioMessage: &waE2E.AudioMessage{PTT: proto.Bool(true)}}, "[voice]"},
		"audio":        {&waE2E.Message{AudioMessage: &waE2E.AudioMessage{}}, "[audio]"},
		"sticker":      {&waE2E.Message{StickerMessage: &waE2E.StickerMessage{}}, "[sticker]"},
		"document":     {&waE2E.Message{DocumentMessage: &waE2E.DocumentMessage{FileName: proto.String("plan.pdf")}}, "[file: plan.pdf]"},
		"location":     {&waE2E.Message{LocationMessage: &waE2E.LocationMessage{Name: proto.String("Home"), DegreesLatitude: proto.Float64(52.1), DegreesLongitude: proto.Float64(4.5)}}, "[location: Home 52.10000, 4.50000]"},
		"contact":      {&waE2E.Message{ContactMessage: &waE2E.ContactMessage{DisplayName: proto.String("Bob")}}, "[contact: Bob]"},
		"poll":         {&waE2E.Message{PollCreationMessageV3: &waE2E.PollCreationMessage{Name: proto.String("When?"), Options: []*waE2E.PollCreationMessage_Option{{OptionName: proto.String("now")}, {OptionName: proto.String("never")}}}}, "[poll: When? now / never]"},
		"pressed":      {&waE2E.Message{ButtonsResponseMessage: &waE2E.ButtonsResponseMessage{Response: &waE2E.ButtonsResponseMessage_SelectedDisplayText{SelectedDisplayText: "Yes"}}}, "Yes"},
		"anything new": {&waE2E.Message{GroupInviteMessage: &waE2E.GroupInviteMessage{}}, "[group invite]"},
		"a vote":       {&waE2E.Message{PollUpdateMessage: &waE2E.PollUpdateMessage{PollCreationMessageKey: &waCommon.MessageKey{}}}, "[poll update]"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			evt := &events.Message{RawMessage: test.message}
			evt.Info.Chat, evt.Info.Sender = types.NewJID("9", types.HiddenUserServer), types.NewJID("9", types.HiddenUserServer)
			m, ok := ear.message(evt.UnwrapRaw())
			if !ok || m.FullText() != test.want {
				t.Errorf("received %q (%v), want %q", m.FullText(), ok, test.want)
			}
			wrapped := &events.Message{Info: evt.Info, RawMessage: &waE2E.Message{EphemeralMessage: &waE2E.FutureProofMessage{Message: test.message}}}
			if m, _ := ear.message(wrapped.UnwrapRaw()); m.FullText() != test.want {
				t.Errorf("in a chat that fades received %q", m.FullText())
			}
		})
	}
}

func TestA15FilesAreStoredUpToACap(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	r.opts.Host.Files = channels.Files{Dir: t.TempDir(), MaxSize: 1000}
	s := r.start()
	picture := func(n int) *waE2E.Message {
		t.Helper()
		up, err := ann.Upload(t.Context(), make([]byte, n), whatsmeow.MediaImage)
		if err != nil {
			t.Fatal(err)
		}
		return &waE2E.Message{ImageMessage: &waE2E.ImageMessage{
			Caption: proto.String("look"), Mimetype: proto.String("image/png"), URL: &up.URL, DirectPath: &up.DirectPath,
			MediaKey: up.MediaKey, FileEncSHA256: up.FileEncSHA256, FileSHA256: up.FileSHA256, FileLength: proto.Uint64(uint64(n)),
		}}
	}
	for i, n := range []int{900, 1100} {
		if _, err := ann.Send(t.Context(), ownJID, "", picture(n)); err != nil {
			t.Fatal(err)
		}
		m := s.next(i)
		if len(m.Attachments) != 1 || m.Attachments[0].Kind != "image" || m.Text != "look" {
			t.Fatalf("received %+v", m)
		}
		a := m.Attachments[0]
		if n > 1000 {
			if a.Path != "" || a.Size != 1100 {
				t.Errorf("stored what is too large: %+v", a)
			}
			continue
		}
		if data := read(t, a.Path); len(data) != n || a.Size != int64(n) {
			t.Errorf("stored %d bytes of %d: %+v", len(data), n, a)
		}
	}
}

func TestA4NothingOfAStrangerIsFetchedOrRecorded(t *testing.T) {
	r := newRig(t)
	ann := r.person(1)
	dir := t.TempDir()
	r.opts.Host.Files = channels.Files{Dir: dir, MaxSize: 1000}
	r.opts.Host.Gate = func(context.Context, channels.Message) bool { return false }
	s := r.start()
	up, err := ann.Upload(t.Context(), make([]byte, 9), whatsmeow.MediaImage)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ann.Send(t.Context(), ownJID, "", &waE2E.Message{ImageMessage: &waE2E.ImageMessage{
		Mimetype: proto.String("image/png"), URL: &up.URL, DirectPath: &up.DirectPath,
		MediaKey: up.MediaKey, FileEncSHA256: up.FileEncSHA256, FileSHA256: up.FileSHA256, FileLength: proto.Uint64(9),
	}}); err != nil {
		t.Fatal(err)
	}
	m := s.next(0)
	r.says(ann, ownJID, "hello?")
	s.next(1) // the first is handled
	r.server.Address(ann.Phone, whatsapptest.ByNumberAlone)
	r.says(ann, ownJID, "hello!")
	s.next(2)
	r.says(ann, r.server.Group("Friends", 0, ownPhone, ann.Phone), "hello, all")
	s.next(3)
	r.says(ann, ownJID, "the end")
	s.next(4)
	notes, err := r.opts.Host.Store.Keys(t.Context(), "")
	notes = slices.DeleteFunc(notes, func(key string) bool { return key == phoneKey })
	files, err2 := os.ReadDir(dir)
	if m.Attachments[0].Path != "" || len(notes)+len(files) != 0 || err != nil || err2 != nil {
		t.Errorf("received %+v, noted %q, stored %v, %v, %v", m, notes, files, err, err2)
	}
}

// TestA4NothingIsStoredOfAStrangerWithACode checks again when the room is no longer known.
func TestA4NothingIsStoredOfAStrangerWithACode(t *testing.T) {
	r := newRig(t)
	ann, bob := r.person(1), r.person(2)
	r.opts.Host.Gate = func(_ context.Context, m channels.Message) bool { return m.Author.Handle.ID != ann.JID().String() }
	s := r.start()
	r.says(ann, ownJID, "hello")
	s.answers("pairing", s.next(0), "a code")
	r.says(bob, ownJID, "hello")
	m := s.next(1)
	s.answers("reply", m, "hello, Bob")
	r.mu.Lock()
	r.rooms = []channels.Room{m.Room}
	r.mu.Unlock()
	r.advanceClock((keepDays + 1) * 24 * time.Hour)
	s.answers("another", m, "hello again")
	for who, want := range map[*whatsapptest.Person]bool{ann: false, bob: true} {
		keys, err := r.opts.Host.Store.Keys(t.Context(), "")
		if about := slices.ContainsFunc(keys, func(key string) bool { return strings.Contains(key, who.JID().User) }); about != want || err != nil {
			t.Errorf("something of %s is noted: %t, want %t (%q, %v)", who.JID(), about, want, keys, err)
		}
	}
	if !s.records.chat(t.Context(), m.Room.ID).Started {
		t.Error("of who is known it is forgotten that they were spoken with")
	}
}

func TestA4NothingIsAskedOfAnIgnoredGroup(t *testing.T) {
	r := newRig(t)
	ann, bob := r.person(1), r.person(2)
	heard, not := r.server.Group("Heard", 0, ownPhone, ann.Phone, bob.Phone), r.server.Group("Not heard", 0, ownPhone, ann.Phone, bob.Phone)
	r.opts.Host.Gate = func(_ context.Context, m channels.Message) bool { return m.Room.ID != not.String() }
	s := r.start()
	id := r.says(ann, not, "hello")
	s.next(0)
	r.says(bob, not, "hello")
	if _, err := bob.Send(t.Context(), not, "", bob.Client.BuildRevoke(not, types.EmptyJID, "3EB0UNKNOWN")); err != nil {
		t.Fatal(err)
	}
	if m := s.next(2); m.Action != channels.Delete || m.RoomTitle != "" || m.Author.Handle.ID != bob.JID().String() {
		t.Errorf("received %+v", m)
	}
	r.says(ann, heard, "hello")
	if m := s.next(3); m.RoomTitle != "Heard" {
		t.Errorf("received %+v", m)
	}
	for _, e := range r.server.Ledger() {
		if e.What == "asked" && e.Phone == ownPhone && e.To != heard.String() {
			t.Errorf("asked about %s", e.To)
		}
	}
	s.stop()
	s = r.start()
	if err := s.React(t.Context(), channels.Room{Channel: Name, ID: not.String()}, id, "👍"); channels.Kind(err) != channels.Permanent {
		t.Errorf("it was noted who spoke there: %v", err)
	}
}

func TestA12AuthorIsRecognizedByEitherIDAfterARestart(t *testing.T) {
	r := newRig(t)
	ann, bob := r.person(1), r.person(2)
	g := r.server.Group("Friends", 0, ownPhone, ann.Phone, bob.Phone)
	s := r.start()
	id := r.says(ann, g, "I live in Rome")
	s.next(0)
	edit := func(p *whatsapptest.Person, text string) {
		t.Helper()
		if _, err := p.Send(t.Context(), g, "", p.Client.BuildEdit(g, id, &waE2E.Message{Conversation: &text})); err != nil {
			t.Fatal(err)
		}
	}
	r.server.Address(ann.Phone, whatsapptest.ByNumber)
	edit(ann, "I live in Turin")
	turin := s.next(1)
	if turin.Action != channels.Edit || turin.Text != "I live in Turin" {
		t.Errorf("received %+v", turin)
	}
	r.confirmed(2)
	s.stop()
	s = r.start()
	edit(bob, "put into Ann's mouth")
	edit(ann, "I live in Milan")
	m := s.next(0)
	if m.ID == turin.ID { // it was not acknowledged before the end
		m = s.next(1)
	}
	if m.Action != channels.Edit || m.Text != "I live in Milan" {
		t.Errorf("received %+v", m)
	}
}

func TestA12OnlyTheAuthorEditsAndAdminsDelete(t *testing.T) {
	r := newRig(t)
	ann, bob := r.person(1), r.person(2)
	g := r.server.Group("Friends", 0, ann.Phone, bob.Phone, ownPhone)
	s := r.start()
	revoke := func(p *whatsapptest.Person, id string) {
		t.Helper()
		if _, err := p.Send(t.Context(), g, "", p.Client.BuildRevoke(g, types.EmptyJID, id)); err != nil {
			t.Fatal(err)
		}
	}
	anns := r.says(ann, g, "said by Ann")
	s.next(0)
	bobs := r.says(bob, g, "said by Bob")
	s.next(1)
	revoke(bob, anns) // not written by him, so he may not delete it
	if _, err := bob.Send(t.Context(), g, "", bob.Client.BuildEdit(g, anns, &waE2E.Message{Conversation: proto.String("put into Ann's mouth")})); err != nil {
		t.Fatal(err)
	}
	revoke(bob, bobs)
	if m := s.next(2); m.Action != channels.Delete || m.TargetID != bobs {
		t.Errorf("received %+v, want Bob's own message deleted", m)
	}
	again := r.says(bob, g, "said by Bob again")
	s.next(3)
	revoke(ann, again)
	if m := s.next(4); m.Action != channels.Delete || m.TargetID != again || m.Author.Handle.ID != "" {
		t.Errorf("received %+v, want the admin's word to count", m)
	}
}

func TestW12AGroupNeedsTheEndOfItsID(t *testing.T) {
	for id, want := range map[string]string{
		"120363040000000000@g.us":      "",
		"4915550001-1450000000@g.us":   "",
		"120363040000000000":           `write "120363040000000000@g.us"`,
		"4915550001-1450000000":        `write "4915550001-1450000000@g.us"`,
		"+15550001":                    "familiar channel unheard",
		"90001@lid":                    "familiar channel unheard",
		"Rowers":                       "familiar channel unheard",
		"120363040000000000@g.example": "familiar channel unheard",
	} {
		err := checkGroup(id)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", id, err, want)
		}
	}
}
