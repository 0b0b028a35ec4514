package whatsapptest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	_ "github.com/mattn/go-sqlite3" // the driver for the people's key databases
	"go.mau.fi/whatsmeow"
	binary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/store/sqlstore"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"
	"google.golang.org/protobuf/proto"
)

// Person is a simulated user with a linked device.
type Person struct {
	Phone, LID string
	// Client is the device.
	Client *whatsmeow.Client

	box       *sqlstore.Container
	connected chan struct{}

	mu       sync.Mutex
	received []*events.Message
	typed    []types.ChatPresence
}

// patience is how long a person waits for the server, which is in the same process.
const patience = 45 * time.Second

// Join links a device to the account with that phone number, creating the account if needed, and connects it.
func (s *Server) Join(ctx context.Context, phone, lid, name string) (*Person, error) {
	s.mu.Lock()
	s.serial++
	file := filepath.Join(s.dir, fmt.Sprintf("%s-%d.db", phone, s.serial))
	s.mu.Unlock()
	box, err := sqlstore.New(ctx, "sqlite3", "file:"+file+"?_foreign_keys=on&_journal_mode=WAL&_synchronous=OFF&_busy_timeout=10000&_txlock=immediate", nil)
	if err != nil {
		return nil, fmt.Errorf("join: %w", err)
	}
	device, err := box.GetFirstDevice(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("join: %w", err), box.Close())
	}
	device.PushName = name
	p := &Person{Phone: phone, LID: lid, Client: whatsmeow.NewClient(device, nil), box: box, connected: make(chan struct{}, 8)}
	p.Client.ManualHistorySyncDownload = true
	p.Client.SetPreLoginHTTPClient(s.HTTP())
	p.Client.SetWebsocketHTTPClient(s.HTTP())
	p.Client.SetMediaHTTPClient(s.HTTP())
	p.Client.AddEventHandler(func(evt any) {
		if qr, ok := evt.(*events.QR); ok {
			_ = s.Scan(qr.Codes[0], phone, lid, name) // if this fails, the device never connects
		}
		p.hear(evt)
	})
	s.mu.Lock()
	s.people = append(s.people, p)
	s.mu.Unlock()
	if err := p.Reconnect(); err != nil {
		return p, err
	}
	// Without it the SDK decrypts outside a transaction, and a concurrent encryption reuses a counter: recipients take
	// the message for a duplicate. Phones do not do that.
	p.Client.EnableDecryptedEventBuffer = true
	return p, nil
}

func (p *Person) hear(evt any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := evt.(type) {
	case *events.Connected:
		p.connected <- struct{}{}
	case *events.Message:
		p.received = append(p.received, e)
	case *events.ChatPresence:
		p.typed = append(p.typed, e.State)
	}
}

// Disconnect disconnects the person; Reconnect connects them again.
func (p *Person) Disconnect() { p.Client.Disconnect() }

// Reconnect returns once the person is connected.
func (p *Person) Reconnect() error {
	if err := p.Client.Connect(); err != nil {
		return fmt.Errorf("connect %s: %w", p.LID, err)
	}
	select {
	case <-p.connected:
		return nil
	case <-time.After(patience):
		return fmt.Errorf("connect %s: not connected after %s", p.LID, patience)
	}
}

// leave closes the device permanently.
func (p *Person) leave() {
	p.Client.Disconnect()
	_ = p.box.Close()
}

// JID returns the person's hidden id.
func (p *Person) JID() types.JID { return types.NewJID(p.LID, types.HiddenUserServer) }

// Say sends text to a chat and returns the message id.
func (p *Person) Say(ctx context.Context, chat types.JID, text string) (string, error) {
	return p.Send(ctx, chat, "", &waE2E.Message{Conversation: proto.String(text)})
}

// Send sends any message, under id if that is not empty.
func (p *Person) Send(ctx context.Context, chat types.JID, id string, m *waE2E.Message) (string, error) {
	sent, err := p.Client.SendMessage(ctx, chat, m, whatsmeow.SendRequestExtra{ID: id})
	return sent.ID, err
}

// SendViewOnce notifies phone's devices of a message from p, under id, that only the phone can show.
func (p *Person) SendViewOnce(s *Server, phone, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from, to := s.device(p.Client.Store.GetJID()), s.account(phone)
	if from == nil || to == nil {
		return
	}
	stanza := &binary.Node{Attrs: binary.Attrs{"id": id, "type": "media"}}
	for _, d := range to.devices {
		s.deliver(d, from.attributes(d, stanza, s.clock()), []binary.Node{{Tag: "unavailable", Attrs: binary.Attrs{"type": "view_once"}}})
	}
}

// Received returns the messages the person received, oldest first, without those that carry only keys.
func (p *Person) Received() []*events.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.received), func(e *events.Message) bool {
		m := proto.CloneOf(e.Message)
		m.SenderKeyDistributionMessage, m.MessageContextInfo = nil, nil
		return proto.Size(m) == 0
	})
}

// Shown returns the texts the person sees in a chat, oldest first. As on every phone, one message id is shown once.
func (p *Person) Shown(chat types.JID) []string {
	var shown []string
	seen := map[string]bool{}
	for _, e := range p.Received() {
		text := Text(e.Message)
		if e.Info.Chat.User != chat.User || e.Info.IsFromMe || text == "" || seen[e.Info.ID] {
			continue
		}
		seen[e.Info.ID] = true
		shown = append(shown, text)
	}
	return shown
}

// Text returns the text of a message.
func Text(m *waE2E.Message) string {
	if extended := m.GetExtendedTextMessage(); extended != nil {
		return extended.GetText()
	}
	return m.GetConversation()
}

// TypingEvents returns the typing indicators the person received.
func (p *Person) TypingEvents() []types.ChatPresence {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.typed)
}

// Upload uploads an encrypted file.
func (p *Person) Upload(ctx context.Context, data []byte, kind whatsmeow.MediaType) (whatsmeow.UploadResponse, error) {
	return p.Client.Upload(ctx, data, kind)
}
