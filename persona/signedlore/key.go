package signedlore

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"familiar/internal/lazyregexp"
)

// Key is the public key of somebody who signs lore. Its text, "name+1a2b3c4d+base64", holds a checksum, so that a mistyped key is
// refused.
type Key struct {
	text     string
	public   ed25519.PublicKey
	verifier note.Verifier
}

// keyText is the form of a key. ed25519Key is the byte before the key that names its algorithm.
var keyText = lazyregexp.New(`^([A-Za-z0-9._-]{1,40})\+[0-9a-f]{8}\+([A-Za-z0-9+/]{44})$`)

const ed25519Key = 1

// ParseKey reads a public key.
func ParseKey(text string) (Key, error) {
	text = strings.TrimSpace(text)
	parts := keyText.FindStringSubmatch(text)
	if parts == nil {
		return Key{}, errors.New("that is no key: it has the form name+1a2b3c4d+…, as `familiar lore key` prints it")
	}
	verifier, err := note.NewVerifier(text)
	if err != nil {
		return Key{}, errors.New("the key is damaged: its checksum does not fit. Copy it again")
	}
	data, err := base64.StdEncoding.Strict().DecodeString(parts[2])
	if err != nil || len(data) != 1+ed25519.PublicKeySize || data[0] != ed25519Key {
		return Key{}, errors.New("the key is not one of ed25519")
	}
	return Key{text: text, public: data[1:], verifier: verifier}, nil
}

// String returns the key as ParseKey reads it.
func (k Key) String() string { return k.text }

// Name is what the signer calls the key. It proves nothing.
func (k Key) Name() string { return k.verifier.Name() }

// fingerprintBytes is how much of the hash a fingerprint shows.
const fingerprintBytes = 10

// Fingerprint returns 80 bits of the key's hash, to be compared by people: "ABCD-EFGH-IJKL-MNOP".
func (k Key) Fingerprint() string {
	sum := sha256.Sum256(k.public)
	letters := base32.StdEncoding.EncodeToString(sum[:fingerprintBytes])
	var groups []string
	for ; letters != ""; letters = letters[4:] {
		groups = append(groups, letters[:4])
	}
	return strings.Join(groups, "-")
}

// HasFingerprint reports whether a fingerprint that somebody typed is the key's.
func (k Key) HasFingerprint(typed string) bool {
	plain := strings.NewReplacer("-", "", " ", "").Replace
	return plain(strings.ToUpper(typed)) == plain(k.Fingerprint())
}

// Secret is the private key that signs.
type Secret struct {
	signer note.Signer
	public Key
}

// GenerateSecret makes a private key. Its text is as secret as the key.
func GenerateSecret(name string) (text string, err error) {
	if !keyText.MatchString(name + "+00000000+" + strings.Repeat("A", 44)) {
		return "", fmt.Errorf("a key cannot be called %q: use up to 40 letters, digits, dots, hyphens and underscores", name)
	}
	text, _, err = note.GenerateKey(rand.Reader, name)
	return text, err
}

// ParseSecret reads a private key. Its errors show nothing of it.
func ParseSecret(text string) (*Secret, error) {
	damaged := errors.New("it holds no private key for signing lore")
	text = strings.TrimSpace(text)
	signer, err := note.NewSigner(text)
	if err != nil {
		return nil, damaged
	}
	parts := strings.SplitN(text, "+", 5)
	seed, err := base64.StdEncoding.DecodeString(parts[len(parts)-1])
	if err != nil || len(seed) != 1+ed25519.SeedSize {
		return nil, damaged
	}
	public, _ := ed25519.NewKeyFromSeed(seed[1:]).Public().(ed25519.PublicKey)
	written, err := note.NewEd25519VerifierKey(signer.Name(), public)
	if err != nil {
		return nil, damaged
	}
	key, err := ParseKey(written)
	if err != nil {
		return nil, damaged
	}
	return &Secret{signer, key}, nil
}

// Public returns the public key.
func (s *Secret) Public() Key { return s.public }
