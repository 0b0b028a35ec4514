// Package whatsapptest is a WhatsApp server on loopback. It implements the protocol of linked devices as clients see
// it, including the Noise handshake and encrypted media. It links devices by QR code and by phone code, routes
// messages, redelivers unconfirmed ones, injects faults and keeps a ledger. The simulated people are clients of the
// same SDK, so the encryption is real on both ends.
package whatsapptest

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"
	"go.mau.fi/whatsmeow"
	binary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/proto/waWa6"
	"go.mau.fi/whatsmeow/socket"
	"go.mau.fi/whatsmeow/types"
)

// Server is one WhatsApp server.
type Server struct {
	now  func() time.Time
	web  *http.Server
	addr string
	dir  string // holds the people's keys
	done chan struct{}
	wg   sync.WaitGroup

	mu       sync.Mutex
	down     bool
	accounts []*account
	groups   map[string]*group
	unlinked map[string]*unlinked // by the reference in the QR code
	byPhone  map[string]*phoneCode
	refusals map[string]binary.Node // the response to a login of this phone number
	blobs    map[string][]byte
	links    map[*link]bool
	faults   []*Fault
	ledger   []Entry
	people   []*Person
	serial   int
}

// account is a phone number with its linked devices.
type account struct {
	phone, lid types.JID
	name       string
	addressing Addressing
	devices    []*device
}

// device is a linked device: its public keys, and the messages delivered but not confirmed.
type device struct {
	*account
	id          uint16
	identity    binary.Node
	signedKey   binary.Node
	regID       []byte
	keys        []binary.Node
	unconfirmed []binary.Node
	last        *binary.Node // the last confirmed message
	link        *link
}

type group struct {
	id, subject string
	members     []string // phone numbers
	expiration  int      // seconds, 0 if messages stay
}

// Addressing is how an account's messages name their sender.
type Addressing int

// The kinds of addressing.
const (
	ByLID      Addressing = iota // the hidden id, with the number
	ByLIDAlone                   // only the hidden id
	ByNumber                     // the number, with the hidden id
	ByNumberAlone
)

// Entry is one event the server recorded.
type Entry struct {
	// What is "login", "linked", "unlinked", "received", "delivered", "confirmed", "retry", "read", "presence",
	// "chatstate", "upload", "download", "asked" for a request for a group's members, or "fault".
	What string
	// Phone is the account concerned, To the addressee, ID the message id, Note further details.
	Phone, To, ID, Note string
}

// Start starts a server with the clock now. Close stops it.
func Start(now func() time.Time) (*Server, error) {
	trusted()
	dir, err := os.MkdirTemp("", "whatsapptest")
	if err != nil {
		return nil, fmt.Errorf("make a place for keys: %w", err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen on loopback: %w", err), os.RemoveAll(dir))
	}
	s := &Server{
		now: now, addr: ln.Addr().String(), dir: dir, done: make(chan struct{}),
		groups: map[string]*group{}, unlinked: map[string]*unlinked{}, byPhone: map[string]*phoneCode{},
		refusals: map[string]binary.Node{}, blobs: map[string][]byte{}, links: map[*link]bool{},
	}
	s.web = &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: time.Minute}
	s.wg.Go(func() { _ = s.web.Serve(ln) })
	return s, nil
}

// Close disconnects everybody and stops the server.
func (s *Server) Close() {
	for _, p := range s.crowd() {
		p.leave()
	}
	close(s.done)
	_ = s.web.Close()
	s.cut(func(*link) bool { return true })
	s.wg.Wait()
	_ = os.RemoveAll(s.dir)
}

func (s *Server) crowd() []*Person {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.people)
}

// Addr returns the server's address and Key the key its clients must trust; both are for clients in other processes,
// see Reach.
func (s *Server) Addr() string { return s.addr }

// Key returns the public key of the server's authority, in hex.
func (s *Server) Key() string { return hex.EncodeToString(trusted().root.Pub[:]) }

// HTTP returns a client that reaches this server whatever it dials. Clients in this process already trust it.
func (s *Server) HTTP() *http.Client { return dialer(s.addr) }

// Reach makes this process trust the server with that key, and returns a client that reaches it at addr whatever it
// dials.
func Reach(addr, key string) (*http.Client, error) {
	raw, err := hex.DecodeString(key)
	if err != nil || len(raw) != len(whatsmeow.WACertPubKey) {
		return nil, fmt.Errorf("read the key of the server at %s: not %d bytes in hex", addr, len(whatsmeow.WACertPubKey))
	}
	whatsmeow.WACertPubKey = [32]byte(raw)
	return dialer(addr), nil
}

// dialer omits TLS: the Noise layer protects the stream.
func dialer(addr string) *http.Client {
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, addr)
	}
	return &http.Client{Transport: &http.Transport{DialContext: dial, DialTLSContext: dial, DisableKeepAlives: true}}
}

// Online reports whether a device of phone is connected and admitted.
func (s *Server) Online(phone string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.account(phone)
	return a != nil && slices.ContainsFunc(a.devices, func(d *device) bool { return d.link != nil })
}

// Ledger returns the recorded events, oldest first.
func (s *Server) Ledger() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.ledger)
}

// Count returns the number of events of a kind about a phone number.
func (s *Server) Count(what, phone string) int {
	n := 0
	for _, e := range s.Ledger() {
		if e.What == what && e.Phone == phone {
			n++
		}
	}
	return n
}

func (s *Server) note(e Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ledger = append(s.ledger, e)
}

// Down makes the network unreachable or reachable: connections are closed and refused.
func (s *Server) Down(down bool) {
	s.mu.Lock()
	s.down = down
	s.mu.Unlock()
	if down {
		s.cut(func(*link) bool { return true })
	}
}

// Cut closes the connections of phone's devices; they may reconnect.
func (s *Server) Cut(phone string) {
	s.cut(func(l *link) bool { return l.phone() == phone })
}

func (s *Server) cut(which func(*link) bool) {
	s.mu.Lock()
	links := slices.Collect(maps.Keys(s.links))
	s.mu.Unlock()
	for _, l := range links {
		if which(l) {
			l.close()
		}
	}
}

// Unlink unlinks all devices from phone's account, as the owner can do on the phone.
func (s *Server) Unlink(phone string) {
	s.sendAndClose(phone, binary.Node{
		Tag: "stream:error", Attrs: binary.Attrs{"code": "401"},
		Content: []binary.Node{{Tag: "conflict", Attrs: binary.Attrs{"type": "device_removed"}}},
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.account(phone); a != nil {
		a.devices = nil
	}
}

// Replace tells phone's devices that another client uses their session.
func (s *Server) Replace(phone string) {
	s.sendAndClose(phone, binary.Node{
		Tag: "stream:error", Content: []binary.Node{{Tag: "conflict", Attrs: binary.Attrs{"type": "replaced"}}},
	})
}

// Refuse rejects logins of phone's devices for a reason: 402 is a temporary ban with expire, 405 an outdated client.
// Reason 0 admits them again.
func (s *Server) Refuse(phone string, reason int, expire time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if reason == 0 {
		delete(s.refusals, phone)
		return
	}
	attrs := binary.Attrs{"reason": strconv.Itoa(reason), "location": "lla"}
	if expire > 0 {
		attrs["code"], attrs["expire"] = "101", strconv.Itoa(int(expire.Seconds()))
	}
	s.refusals[phone] = binary.Node{Tag: "failure", Attrs: attrs}
}

// sendAndClose sends node to all of phone's devices, which then close their connections.
func (s *Server) sendAndClose(phone string, node binary.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.account(phone)
	if a == nil {
		return
	}
	for _, d := range a.devices {
		if d.link != nil {
			d.link.send(node)
		}
	}
}

// Group creates a group of the people with those phone numbers; the first is its admin. Its messages expire after
// expiration seconds, if not 0.
func (s *Server) Group(subject string, expiration int, phones ...string) types.JID {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	id := fmt.Sprintf("12036300000000%04d", s.serial)
	s.groups[id] = &group{id: id, subject: subject, members: phones, expiration: expiration}
	return types.NewJID(id, types.GroupServer)
}

// Address sets how phone's messages name their sender, including queued direct messages.
func (s *Server) Address(phone string, as Addressing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.account(phone); a != nil {
		a.addressing = as
		s.readdress(a)
	}
}

// account returns the account with a phone number. The caller holds s.mu.
func (s *Server) account(phone string) *account {
	for _, a := range s.accounts {
		if a.phone.User == phone {
			return a
		}
	}
	return nil
}

// owner returns the account of a JID, by number or hidden id. The caller holds s.mu.
func (s *Server) owner(j types.JID) *account {
	for _, a := range s.accounts {
		if j.Server == types.HiddenUserServer && a.lid.User == j.User || j.Server == types.DefaultUserServer && a.phone.User == j.User {
			return a
		}
	}
	return nil
}

// device returns the device of a JID. The caller holds s.mu.
func (s *Server) device(j types.JID) *device {
	a := s.owner(j)
	if a == nil {
		return nil
	}
	for _, d := range a.devices {
		if d.id == j.Device {
			return d
		}
	}
	return nil
}

func (d *device) number() types.JID { return withDevice(d.phone, d.id) }
func (d *device) hidden() types.JID { return withDevice(d.lid, d.id) }

func withDevice(j types.JID, id uint16) types.JID {
	j.Device = id
	return j
}

func (s *Server) clock() string { return strconv.FormatInt(s.now().Unix(), 10) }

// serve handles one HTTP request: a websocket, or media.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	down := s.down
	s.mu.Unlock()
	if down {
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = conn.Close()
		}
		return
	}
	if r.Header.Get("Upgrade") == "" {
		s.media(w, r)
		return
	}
	if f, ok := s.fault(Dialing, ""); ok {
		http.Error(w, "not now", f.Code)
		return
	}
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return
	}
	ws.SetReadLimit(socket.FrameMaxSize)
	s.wg.Add(1)
	defer s.wg.Done()
	s.serveSocket(ws)
}

// serveSocket handles one websocket until it closes.
func (s *Server) serveSocket(ws *websocket.Conn) {
	ctx, cancel := context.WithCancel(context.Background())
	l := &link{server: s, wire: &wire{ws: ws}, ctx: ctx, cancel: cancel, wake: make(chan struct{}, 1)}
	defer l.close()
	s.mu.Lock()
	s.links[l] = true
	s.mu.Unlock()
	defer s.forget(l)
	who, err := trusted().handshake(ctx, l.wire, s.now())
	if err != nil {
		return
	}
	s.wg.Go(l.write)
	if !s.greet(l, who) {
		return
	}
	for {
		node, err := l.read()
		if err != nil {
			return
		}
		s.handle(l, node)
	}
}

func (s *Server) forget(l *link) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.links, l)
	if l.device != nil && l.device.link == l {
		l.device.link = nil
	}
}

// greet admits a linked device and delivers what it missed; a new device gets references for QR codes.
func (s *Server) greet(l *link, who *waWa6.ClientPayload) bool {
	if who.DevicePairingData != nil {
		s.offer(l, who.DevicePairingData)
		return true
	}
	phone := strconv.FormatUint(who.GetUsername(), 10)
	if f, ok := s.fault(LoggingIn, phone); ok {
		if f.Effect == Refuse {
			l.send(binary.Node{Tag: "failure", Attrs: binary.Attrs{"reason": strconv.Itoa(f.Code), "location": "lla"}})
			if f.Code >= http.StatusInternalServerError { // the client should retry later; after other refusals it disconnects
				l.send(closeNode)
			}
		}
		return f.Effect == Refuse
	}
	s.note(Entry{What: "login", Phone: phone})
	s.mu.Lock()
	defer s.mu.Unlock()
	refusal, refused := s.refusals[phone]
	d := s.device(withDevice(types.NewJID(phone, types.DefaultUserServer), uint16(who.GetDevice())))
	if d == nil && !refused {
		refusal, refused = binary.Node{Tag: "failure", Attrs: binary.Attrs{"reason": "401", "location": "lla"}}, true
	}
	if refused {
		l.send(refusal)
		return true
	}
	l.device, d.link = d, l
	l.send(binary.Node{Tag: "success", Attrs: binary.Attrs{"t": s.clock(), "lid": d.hidden(), "props": "1"}})
	count := strconv.Itoa(len(d.unconfirmed))
	l.send(ib(binary.Node{Tag: "offline_preview", Attrs: binary.Attrs{"count": count, "message": count, "appdata": "0", "notification": "0", "receipt": "0"}}))
	for _, node := range d.unconfirmed {
		again := node
		again.Attrs = maps.Clone(node.Attrs)
		again.Attrs["offline"] = "0"
		l.send(again)
	}
	l.send(ib(binary.Node{Tag: "offline", Attrs: binary.Attrs{"count": count}}))
	return true
}

func ib(child binary.Node) binary.Node {
	return binary.Node{Tag: "ib", Attrs: binary.Attrs{"from": types.ServerJID}, Content: []binary.Node{child}}
}
