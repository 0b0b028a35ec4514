// Package whatsapptest is a WhatsApp server on loopback: it speaks the protocol of linked devices as far as a client
// can tell, down to the Noise handshake and the encrypted media. It links devices by QR and by phone code, passes
// messages between them, keeps what was not confirmed and hands it over again, fails where it is told to, and keeps a
// ledger of what it took and gave. The people are clients of the same SDK, so that the encryption is real on both ends.
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

// Server is one WhatsApp.
type Server struct {
	now  func() time.Time
	web  *http.Server
	addr string
	dir  string // where the people keep their keys
	done chan struct{}
	wg   sync.WaitGroup

	mu       sync.Mutex
	down     bool
	accounts []*account
	groups   map[string]*group
	unlinked map[string]*unlinked // by the reference in its QR code
	byPhone  map[string]*phoneCode
	refusals map[string]binary.Node // what a login of this phone number gets
	blobs    map[string][]byte
	links    map[*link]bool
	faults   []*Fault
	ledger   []Entry
	people   []*Person
	serial   int
}

// account is one phone number with its linked devices.
type account struct {
	phone, lid types.JID
	name       string
	addressing Addressing
	devices    []*device
}

// device is a linked device: its public keys, and what it was handed and has not confirmed.
type device struct {
	*account
	id          uint16
	identity    binary.Node
	signedKey   binary.Node
	regID       []byte
	keys        []binary.Node
	unconfirmed []binary.Node
	last        *binary.Node // the message confirmed last
	link        *link
}

type group struct {
	id, subject string
	members     []string // phone numbers
	expiration  int      // seconds, 0 when messages stay
}

// Addressing is how an account's messages name it to others.
type Addressing int

// The ways.
const (
	ByLID      Addressing = iota // the hidden id, with the number beside it
	ByLIDAlone                   // the hidden id and nothing else
	ByNumber                     // the number, with the hidden id beside it
	ByNumberAlone
)

// Entry is one thing the server saw.
type Entry struct {
	// What is "login", "linked", "unlinked", "taken", "handed", "confirmed", "retry", "read", "presence", "chatstate", "upload",
	// "download", "asked" for who is in a group, or "fault" for one that happened.
	What string
	// Phone is the account it is about, To whom or what it was addressed to, ID the message's, Note what else it said.
	Phone, To, ID, Note string
}

// Start opens a server whose clock is now. Close ends it.
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

// Close sends everybody away and ends the server.
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

// Addr is where the server listens, Key what its clients must believe: both for a client in another process, see Reach.
func (s *Server) Addr() string { return s.addr }

// Key is the public key of the server's authority, in hex.
func (s *Server) Key() string { return hex.EncodeToString(trusted().root.Pub[:]) }

// HTTP is a client that reaches this server whatever it dials. Clients of this process believe it already.
func (s *Server) HTTP() *http.Client { return dialer(s.addr) }

// Reach makes this process believe the server with that key and returns a client that reaches it at addr whatever it
// dials.
func Reach(addr, key string) (*http.Client, error) {
	raw, err := hex.DecodeString(key)
	if err != nil || len(raw) != len(whatsmeow.WACertPubKey) {
		return nil, fmt.Errorf("read the key of the server at %s: not %d bytes in hex", addr, len(whatsmeow.WACertPubKey))
	}
	whatsmeow.WACertPubKey = [32]byte(raw)
	return dialer(addr), nil
}

// dialer leaves TLS out: the Noise layer is what protects the stream.
func dialer(addr string) *http.Client {
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, addr)
	}
	return &http.Client{Transport: &http.Transport{DialContext: dial, DialTLSContext: dial, DisableKeepAlives: true}}
}

// Online says whether a device of phone's is let in and connected.
func (s *Server) Online(phone string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.account(phone)
	return a != nil && slices.ContainsFunc(a.devices, func(d *device) bool { return d.link != nil })
}

// Ledger is what the server saw, oldest first.
func (s *Server) Ledger() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.ledger)
}

// Count is how many entries of the ledger are of that kind and about that phone number.
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

// Down makes the network unreachable, or reachable again: connections are cut and none is let in.
func (s *Server) Down(down bool) {
	s.mu.Lock()
	s.down = down
	s.mu.Unlock()
	if down {
		s.cut(func(*link) bool { return true })
	}
}

// Cut cuts the connections of phone's devices; they may come again.
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

// Unlink takes all devices off phone's account, as somebody does on the phone.
func (s *Server) Unlink(phone string) {
	s.tell(phone, binary.Node{
		Tag: "stream:error", Attrs: binary.Attrs{"code": "401"},
		Content: []binary.Node{{Tag: "conflict", Attrs: binary.Attrs{"type": "device_removed"}}},
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.account(phone); a != nil {
		a.devices = nil
	}
}

// Replace tells phone's devices that somebody else uses their session.
func (s *Server) Replace(phone string) {
	s.tell(phone, binary.Node{
		Tag: "stream:error", Content: []binary.Node{{Tag: "conflict", Attrs: binary.Attrs{"type": "replaced"}}},
	})
}

// Refuse lets phone's devices in no more, for that reason: 402 is a temporary ban with expire, 405 a client too old.
// A reason of 0 lets them in again.
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

// tell says node to all of phone's devices, who close their connections then.
func (s *Server) tell(phone string, node binary.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.account(phone)
	if a == nil {
		return
	}
	for _, d := range a.devices {
		if d.link != nil {
			d.link.say(node)
		}
	}
}

// Group makes a group of the people with those phone numbers, the first of whom is its admin. Its messages go after expiration seconds, if not 0.
func (s *Server) Group(subject string, expiration int, phones ...string) types.JID {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	id := fmt.Sprintf("12036300000000%04d", s.serial)
	s.groups[id] = &group{id: id, subject: subject, members: phones, expiration: expiration}
	return types.NewJID(id, types.GroupServer)
}

// Address sets how phone's messages name it, also the direct ones that nobody has confirmed yet.
func (s *Server) Address(phone string, as Addressing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.account(phone); a != nil {
		a.addressing = as
		s.signAgain(a)
	}
}

// account is that of a phone number. The caller holds s.mu.
func (s *Server) account(phone string) *account {
	for _, a := range s.accounts {
		if a.phone.User == phone {
			return a
		}
	}
	return nil
}

// owner is the account a JID names, by number or by hidden id. The caller holds s.mu.
func (s *Server) owner(j types.JID) *account {
	for _, a := range s.accounts {
		if j.Server == types.HiddenUserServer && a.lid.User == j.User || j.Server == types.DefaultUserServer && a.phone.User == j.User {
			return a
		}
	}
	return nil
}

// device is the one a JID names. The caller holds s.mu.
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

// serve is one HTTP request: a websocket, or media.
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
	if f, ok := s.fault(Dialling, ""); ok {
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
	s.attend(ws)
}

// attend serves one websocket until it closes.
func (s *Server) attend(ws *websocket.Conn) {
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

// greet lets a linked device in and hands it what it has missed; a new one gets references to show as QR codes.
func (s *Server) greet(l *link, who *waWa6.ClientPayload) bool {
	if who.DevicePairingData != nil {
		s.offer(l, who.DevicePairingData)
		return true
	}
	phone := strconv.FormatUint(who.GetUsername(), 10)
	if f, ok := s.fault(LoggingIn, phone); ok {
		if f.Do == Refuse {
			l.say(binary.Node{Tag: "failure", Attrs: binary.Attrs{"reason": strconv.Itoa(f.Code), "location": "lla"}})
			if f.Code >= http.StatusInternalServerError { // come back later; else whoever is refused hangs up
				l.say(goodbye)
			}
		}
		return f.Do == Refuse
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
		l.say(refusal)
		return true
	}
	l.device, d.link = d, l
	l.say(binary.Node{Tag: "success", Attrs: binary.Attrs{"t": s.clock(), "lid": d.hidden(), "props": "1"}})
	count := strconv.Itoa(len(d.unconfirmed))
	l.say(ib(binary.Node{Tag: "offline_preview", Attrs: binary.Attrs{"count": count, "message": count, "appdata": "0", "notification": "0", "receipt": "0"}}))
	for _, node := range d.unconfirmed {
		again := node
		again.Attrs = maps.Clone(node.Attrs)
		again.Attrs["offline"] = "0"
		l.say(again)
	}
	l.say(ib(binary.Node{Tag: "offline", Attrs: binary.Attrs{"count": count}}))
	return true
}

func ib(child binary.Node) binary.Node {
	return binary.Node{Tag: "ib", Attrs: binary.Attrs{"from": types.ServerJID}, Content: []binary.Node{child}}
}
