package whatsapptest

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"github.com/coder/websocket"
	"go.mau.fi/libsignal/ecc"
	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/proto/waCert"
	"go.mau.fi/whatsmeow/proto/waWa6"
	"go.mau.fi/whatsmeow/socket"
	"go.mau.fi/whatsmeow/util/keys"
	"golang.org/x/crypto/curve25519"
	"google.golang.org/protobuf/proto"
)

// authority signs the key a server presents in the handshake. The SDK trusts one authority per process, so all servers
// of a process share it.
type authority struct{ root, intermediate, server *keys.KeyPair }

var trusted = sync.OnceValue(func() *authority {
	a := &authority{root: keys.NewKeyPair(), intermediate: keys.NewKeyPair(), server: keys.NewKeyPair()}
	whatsmeow.WACertPubKey = *a.root.Pub
	return a
})

// certificates returns the chain a client checks, valid for a day around now.
func (a *authority) certificates(now time.Time) ([]byte, error) {
	from, until := proto.Uint64(uint64(now.Add(-12*time.Hour).Unix())), proto.Uint64(uint64(now.Add(12*time.Hour).Unix()))
	intermediate, err := proto.Marshal(&waCert.CertChain_NoiseCertificate_Details{
		Serial: proto.Uint32(1), IssuerSerial: proto.Uint32(whatsmeow.WACertIssuerSerial),
		Key: a.intermediate.Pub[:], NotBefore: from, NotAfter: until,
	})
	if err != nil {
		return nil, err
	}
	leaf, err := proto.Marshal(&waCert.CertChain_NoiseCertificate_Details{
		Serial: proto.Uint32(2), IssuerSerial: proto.Uint32(1), Key: a.server.Pub[:], NotBefore: from, NotAfter: until,
	})
	if err != nil {
		return nil, err
	}
	return proto.Marshal(&waCert.CertChain{
		Intermediate: &waCert.CertChain_NoiseCertificate{Details: intermediate, Signature: sign(a.root, intermediate)},
		Leaf:         &waCert.CertChain_NoiseCertificate{Details: leaf, Signature: sign(a.intermediate, leaf)},
	})
}

func sign(k *keys.KeyPair, message []byte) []byte {
	s := ecc.CalculateSignature(ecc.NewDjbECPrivateKey(*k.Priv), message)
	return s[:]
}

// noise is the state of a Noise XX handshake (AES-GCM, SHA-256).
type noise struct {
	hash, salt []byte
	key        cipher.AEAD
	count      uint32
}

func newNoise(header []byte) (*noise, error) {
	start := []byte(socket.NoiseStartPattern)
	key, err := newAEAD(start)
	if err != nil {
		return nil, err
	}
	n := &noise{hash: start, salt: start, key: key}
	n.mix(header)
	return n, nil
}

func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

func nonce(count uint32) []byte {
	iv := make([]byte, 12)
	binary.BigEndian.PutUint32(iv[8:], count)
	return iv
}

func (n *noise) mix(data []byte) {
	sum := sha256.Sum256(append(append([]byte{}, n.hash...), data...))
	n.hash = sum[:]
}

// expand derives two keys from secret.
func (n *noise) expand(secret []byte) (first, second []byte, err error) {
	both, err := hkdf.Key(sha256.New, secret, n.salt, "", 64)
	if err != nil {
		return nil, nil, err
	}
	return both[:32], both[32:], nil
}

// agree mixes in the shared secret of a Diffie-Hellman exchange.
func (n *noise) agree(private, public []byte) error {
	shared, err := curve25519.X25519(private, public)
	if err != nil {
		return err
	}
	salt, key, err := n.expand(shared)
	if err != nil {
		return err
	}
	n.salt, n.count = salt, 0
	n.key, err = newAEAD(key)
	return err
}

func (n *noise) seal(plain []byte) []byte {
	sealed := n.key.Seal(nil, nonce(n.count), plain, n.hash)
	n.count++
	n.mix(sealed)
	return sealed
}

func (n *noise) open(sealed []byte) ([]byte, error) {
	plain, err := n.key.Open(nil, nonce(n.count), sealed, n.hash)
	n.count++
	if err == nil {
		n.mix(sealed)
	}
	return plain, err
}

// wire is a websocket that carries frames: three bytes of length, then the data, encrypted after the handshake.
type wire struct {
	ws              *websocket.Conn
	rest            []byte
	sending, taking cipher.AEAD
	sent, taken     uint32
}

func (w *wire) bytes(ctx context.Context, n int) ([]byte, error) {
	for len(w.rest) < n {
		_, data, err := w.ws.Read(ctx)
		if err != nil {
			return nil, err
		}
		w.rest = append(w.rest, data...)
	}
	out := w.rest[:n:n]
	w.rest = w.rest[n:]
	return out, nil
}

func (w *wire) readPlain(ctx context.Context) ([]byte, error) {
	head, err := w.bytes(ctx, socket.FrameLengthSize)
	if err != nil {
		return nil, err
	}
	return w.bytes(ctx, int(head[0])<<16|int(head[1])<<8|int(head[2]))
}

func (w *wire) writePlain(ctx context.Context, data []byte) error {
	n := len(data)
	return w.ws.Write(ctx, websocket.MessageBinary, append([]byte{byte(n >> 16), byte(n >> 8), byte(n)}, data...))
}

func (w *wire) read(ctx context.Context) ([]byte, error) {
	sealed, err := w.readPlain(ctx)
	if err != nil {
		return nil, err
	}
	plain, err := w.taking.Open(nil, nonce(w.taken), sealed, nil)
	w.taken++
	return plain, err
}

func (w *wire) write(ctx context.Context, plain []byte) error {
	sealed := w.sending.Seal(nil, nonce(w.sent), plain, nil)
	w.sent++
	return w.writePlain(ctx, sealed)
}

// handshake performs the server's side and returns the client's identity.
func (a *authority) handshake(ctx context.Context, w *wire, now time.Time) (*waWa6.ClientPayload, error) {
	header, err := w.bytes(ctx, len(socket.WAConnHeader))
	if err != nil {
		return nil, fmt.Errorf("read the header: %w", err)
	}
	n, err := newNoise(header)
	if err != nil {
		return nil, err
	}
	ours := keys.NewKeyPair()
	if err := a.hello(ctx, w, n, ours, now); err != nil {
		return nil, fmt.Errorf("answer the hello: %w", err)
	}
	who, err := finish(ctx, w, n, ours)
	if err != nil {
		return nil, fmt.Errorf("finish the handshake: %w", err)
	}
	return who, nil
}

// hello reads the client's ephemeral key and sends the server's, with its certificate chain.
func (a *authority) hello(ctx context.Context, w *wire, n *noise, ours *keys.KeyPair, now time.Time) error {
	message, err := readHandshake(ctx, w)
	if err != nil {
		return err
	}
	theirs := message.GetClientHello().GetEphemeral()
	n.mix(theirs)
	n.mix(ours.Pub[:])
	if err := n.agree(ours.Priv[:], theirs); err != nil {
		return err
	}
	static := n.seal(a.server.Pub[:])
	if err := n.agree(a.server.Priv[:], theirs); err != nil {
		return err
	}
	chain, err := a.certificates(now)
	if err != nil {
		return err
	}
	answer, err := proto.Marshal(&waWa6.HandshakeMessage{ServerHello: &waWa6.HandshakeMessage_ServerHello{
		Ephemeral: ours.Pub[:], Static: static, Payload: n.seal(chain),
	}})
	if err != nil {
		return err
	}
	return w.writePlain(ctx, answer)
}

// finish reads the client's static key and its payload, and switches the wire to encrypted frames.
func finish(ctx context.Context, w *wire, n *noise, ours *keys.KeyPair) (*waWa6.ClientPayload, error) {
	message, err := readHandshake(ctx, w)
	if err != nil {
		return nil, err
	}
	static, err := n.open(message.GetClientFinish().GetStatic())
	if err != nil {
		return nil, fmt.Errorf("open the client's key: %w", err)
	}
	if err := n.agree(ours.Priv[:], static); err != nil {
		return nil, err
	}
	payload, err := n.open(message.GetClientFinish().GetPayload())
	if err != nil {
		return nil, fmt.Errorf("open the client's payload: %w", err)
	}
	taking, sending, err := n.expand(nil)
	if err != nil {
		return nil, err
	}
	if w.taking, err = newAEAD(taking); err != nil {
		return nil, err
	}
	if w.sending, err = newAEAD(sending); err != nil {
		return nil, err
	}
	var who waWa6.ClientPayload
	return &who, proto.Unmarshal(payload, &who)
}

func readHandshake(ctx context.Context, w *wire) (*waWa6.HandshakeMessage, error) {
	frame, err := w.readPlain(ctx)
	if err != nil {
		return nil, err
	}
	var m waWa6.HandshakeMessage
	return &m, proto.Unmarshal(frame, &m)
}
