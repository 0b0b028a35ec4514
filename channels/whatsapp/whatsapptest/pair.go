package whatsapptest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.mau.fi/whatsmeow"
	binary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/proto/waAdv"
	"go.mau.fi/whatsmeow/proto/waWa6"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/util/keys"
	"golang.org/x/crypto/curve25519"
	"google.golang.org/protobuf/proto"
)

// unlinked is a device that waits to be linked.
type unlinked struct {
	link *link
	keys *waWa6.ClientPayload_DevicePairingRegistrationData
}

// codesPerLogin is how many QR codes a device may show before it must reconnect.
const codesPerLogin = 6

// offer sends a new device its references for QR codes.
func (s *Server) offer(l *link, keys *waWa6.ClientPayload_DevicePairingRegistrationData) {
	l.unlinked = &unlinked{link: l, keys: keys}
	var refs []binary.Node
	s.mu.Lock()
	for range codesPerLogin {
		ref := "2@" + base64.RawStdEncoding.EncodeToString(random(24))
		s.unlinked[ref] = l.unlinked
		refs = append(refs, binary.Node{Tag: "ref", Content: []byte(ref)})
	}
	s.mu.Unlock()
	l.send(binary.Node{
		Tag: "iq", Attrs: binary.Attrs{"from": types.ServerJID, "type": "set", "id": "offer", "xmlns": "md"},
		Content: []binary.Node{{Tag: "pair-device", Content: refs}},
	})
}

// Scan acts as the phone with that number, hidden id and name: it scans a QR code and links the device.
func (s *Server) Scan(code, phone, lid, name string) error {
	_, code, _ = strings.Cut(code, "#")
	fields := strings.Split(code, ",")
	if len(fields) < 4 {
		return errors.New("scan: this is no QR code of WhatsApp")
	}
	secret, err := base64.StdEncoding.DecodeString(fields[3])
	if err != nil {
		return fmt.Errorf("scan: read the secret: %w", err)
	}
	s.mu.Lock()
	waiting := s.unlinked[fields[0]]
	s.mu.Unlock()
	if waiting == nil {
		return errors.New("scan: this code is not valid any more")
	}
	return s.admit(waiting, keys.NewKeyPair(), secret, phone, lid, name)
}

// admit links the waiting device to the account. The secret proves that the code was its own.
func (s *Server) admit(waiting *unlinked, owner *keys.KeyPair, secret []byte, phone, lid, name string) error {
	identity, err := signedIdentity(owner, secret, waiting.keys.EIdent, uint64(s.now().Unix()))
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.account(phone)
	if a == nil {
		a = &account{phone: types.NewJID(phone, types.DefaultUserServer), lid: types.NewJID(lid, types.HiddenUserServer), name: name}
		s.accounts = append(s.accounts, a)
	}
	reg := waiting.keys
	d := &device{
		account: a, id: a.next(), regID: reg.ERegid, identity: binary.Node{Tag: "identity", Content: reg.EIdent},
		signedKey: binary.Node{Tag: "skey", Content: []binary.Node{
			{Tag: "id", Content: reg.ESkeyID},
			{Tag: "value", Content: reg.ESkeyVal},
			{Tag: "signature", Content: reg.ESkeySig},
		}},
	}
	a.devices = append(a.devices, d)
	s.ledger = append(s.ledger, Entry{What: "linked", Phone: phone})
	waiting.link.send(binary.Node{
		Tag: "iq", Attrs: binary.Attrs{"from": types.ServerJID, "type": "set", "id": "linked", "t": s.clock()},
		Content: []binary.Node{{Tag: "pair-success", Content: []binary.Node{
			{Tag: "device-identity", Content: identity},
			{Tag: "device", Attrs: binary.Attrs{"jid": d.number(), "lid": d.hidden()}},
			{Tag: "platform", Attrs: binary.Attrs{"name": "android"}},
		}}},
	})
	return nil
}

func (a *account) next() uint16 {
	id := uint16(1)
	for _, d := range a.devices {
		id = max(id, d.id+1)
	}
	return id
}

// signedIdentity returns the phone's signed statement about a device it links.
func signedIdentity(owner *keys.KeyPair, secret, device []byte, at uint64) ([]byte, error) {
	details, err := proto.Marshal(&waAdv.ADVDeviceIdentity{RawID: proto.Uint32(1), Timestamp: proto.Uint64(at), KeyIndex: proto.Uint32(1)})
	if err != nil {
		return nil, err
	}
	signed, err := proto.Marshal(&waAdv.ADVSignedDeviceIdentity{
		Details: details, AccountSignatureKey: owner.Pub[:],
		AccountSignature: sign(owner, slices.Concat(whatsmeow.AdvAccountSignaturePrefix, details, device)),
	})
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write(signed)
	return proto.Marshal(&waAdv.ADVSignedDeviceIdentityHMAC{Details: signed, HMAC: mac.Sum(nil)})
}

// phoneCode is the state of linking a device by a code typed on the phone.
type phoneCode struct {
	waiting         *unlinked
	ref, wrapped    []byte
	ephemeral       *keys.KeyPair
	owner           *keys.KeyPair
	shared          []byte
	phone, lid, tag string
}

// codeHello handles a device's request to be linked by a code.
func (s *Server) codeHello(l *link, iq *binary.Node, reg binary.Node) {
	phone := reg.AttrGetter().JID("jid").User
	wrapped, _ := reg.GetChildByTag("link_code_pairing_wrapped_companion_ephemeral_pub").Content.([]byte)
	code := &phoneCode{waiting: l.unlinked, ref: random(16), wrapped: wrapped, phone: phone}
	s.mu.Lock()
	s.byPhone[phone] = code
	s.mu.Unlock()
	l.send(result(iq, binary.Node{Tag: "link_code_companion_reg", Content: []binary.Node{{Tag: "link_code_pairing_ref", Content: code.ref}}}))
}

// Type acts as the phone with that number: it types the device's code.
func (s *Server) Type(code, phone, lid, name string) error {
	s.mu.Lock()
	asked := s.byPhone[phone]
	s.mu.Unlock()
	if asked == nil || len(asked.wrapped) != 80 {
		return errors.New("type: no device asked for this number")
	}
	code = strings.ReplaceAll(code, "-", "")
	theirs, err := unwrap(code, asked.wrapped)
	if err != nil {
		return fmt.Errorf("type: %w", err)
	}
	asked.ephemeral, asked.owner, asked.lid, asked.tag = keys.NewKeyPair(), keys.NewKeyPair(), lid, name
	if asked.shared, err = curve25519.X25519(asked.ephemeral.Priv[:], theirs); err != nil {
		return fmt.Errorf("type: %w", err)
	}
	wrapped, err := wrap(code, asked.ephemeral.Pub[:])
	if err != nil {
		return fmt.Errorf("type: %w", err)
	}
	asked.waiting.link.send(binary.Node{
		Tag: "notification", Attrs: binary.Attrs{"from": types.ServerJID, "type": "link_code_companion_reg", "id": "typed", "t": s.clock()},
		Content: []binary.Node{{Tag: "link_code_companion_reg", Attrs: binary.Attrs{"stage": "primary_hello"}, Content: []binary.Node{
			{Tag: "link_code_pairing_ref", Content: asked.ref},
			{Tag: "link_code_pairing_wrapped_primary_ephemeral_pub", Content: wrapped},
			{Tag: "primary_identity_pub", Content: asked.owner.Pub[:]},
		}}},
	})
	return nil
}

// codeFinish handles the last message of the exchange: the device's identity and a secret, for the phone alone.
func (s *Server) codeFinish(l *link, iq *binary.Node, reg binary.Node) {
	s.mu.Lock()
	asked := s.byPhone[reg.AttrGetter().JID("jid").User]
	s.mu.Unlock()
	bundle, _ := reg.GetChildByTag("link_code_pairing_wrapped_key_bundle").Content.([]byte)
	if asked == nil || len(bundle) < 44 {
		l.send(failure(iq, 400, "bad-request"))
		return
	}
	secret, err := asked.secret(bundle)
	if err != nil {
		l.send(failure(iq, 401, "not-authorized"))
		return
	}
	l.send(result(iq))
	if err := s.admit(asked.waiting, asked.owner, secret, asked.phone, asked.lid, asked.tag); err != nil {
		l.close()
	}
}

// secret derives the shared secret of the exchange; this requires the code.
func (c *phoneCode) secret(bundle []byte) ([]byte, error) {
	key, err := hkdf.Key(sha256.New, c.shared, bundle[:32], "link_code_pairing_key_bundle_encryption_key", 32)
	if err != nil {
		return nil, err
	}
	box, err := newAEAD(key)
	if err != nil {
		return nil, err
	}
	plain, err := box.Open(nil, bundle[32:44], bundle[44:], nil)
	if err != nil || len(plain) != 96 {
		return nil, errors.New("the key bundle does not open: the code was another")
	}
	identities, err := curve25519.X25519(c.owner.Priv[:], plain[:32])
	if err != nil {
		return nil, err
	}
	return hkdf.Key(sha256.New, slices.Concat(c.shared, identities, plain[64:]), nil, "adv_secret", 32)
}

// codeRounds is the number of key derivation rounds the SDK uses to slow down guessing.
const codeRounds = 2 << 16

func codeStream(code string, salt, iv []byte) (cipher.Stream, error) {
	key, err := pbkdf2.Key(sha256.New, code, salt, codeRounds, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewCTR(block, iv), nil
}

func unwrap(code string, wrapped []byte) ([]byte, error) {
	stream, err := codeStream(code, wrapped[:32], wrapped[32:48])
	if err != nil {
		return nil, err
	}
	plain := make([]byte, 32)
	stream.XORKeyStream(plain, wrapped[48:80])
	return plain, nil
}

func wrap(code string, plain []byte) ([]byte, error) {
	salt, iv := random(32), random(16)
	stream, err := codeStream(code, salt, iv)
	if err != nil {
		return nil, err
	}
	sealed := make([]byte, len(plain))
	stream.XORKeyStream(sealed, plain)
	return slices.Concat(salt, iv, sealed), nil
}

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}

// Expire expires the displayed codes, as after 160 seconds, and disconnects their devices.
func (s *Server) Expire() {
	s.mu.Lock()
	clear(s.unlinked)
	clear(s.byPhone)
	s.mu.Unlock()
	s.cut(func(l *link) bool { return l.unlinked != nil })
}
