// Package secret makes the tokens of which a store keeps only fingerprints.
package secret

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
)

// Prefix marks tokens, so that people recognise them and pasted ones are redacted (log.Redact).
const Prefix = "fam_"

// size is how many random bytes a token has.
const size = 32

// length is how many characters a token has.
var length = len(Prefix) + base64.RawURLEncoding.EncodedLen(size)

// New returns a new token. random gives its secret.
func New(random io.Reader) (string, error) {
	bytes := make([]byte, size)
	if _, err := io.ReadFull(random, bytes); err != nil {
		return "", fmt.Errorf("make a token: %w", err)
	}
	return Prefix + base64.RawURLEncoding.EncodeToString(bytes), nil
}

// Fingerprint returns what is stored of a token: its SHA-256 hash. Nothing has the fingerprint of what cannot be a token.
func Fingerprint(token string) []byte {
	if len(token) != length {
		return nil
	}
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
