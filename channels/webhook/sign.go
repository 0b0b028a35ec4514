package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of a signed request, as defined by the Standard Webhooks specification (standardwebhooks.com): the id of the
// event or reply, which is the same for every attempt; the time of signing in Unix seconds; and the signature.
const (
	headerID        = "Webhook-Id"
	headerTimestamp = "Webhook-Timestamp"
	headerSignature = "Webhook-Signature"
)

const (
	// scheme is the prefix of a signature: HMAC-SHA256 over "id.timestamp.body", in base64.
	scheme = "v1,"
	// keyPrefix is the prefix of a key in base64.
	keyPrefix = "whsec_"
	// minKey is the minimum length of a key in bytes; the specification asks for 24 to 64.
	minKey = 24
	// replayWindow is how far a timestamp may differ from now in either direction, as in the specification's libraries. A
	// request that is replayed within the window carries the id of an event that is already stored, and changes nothing.
	replayWindow = 5 * time.Minute
)

// parseKey reads a key: base64 after "whsec_", otherwise the bytes of secret.
func parseKey(secret string) ([]byte, error) {
	key := []byte(secret)
	if text, ok := strings.CutPrefix(secret, keyPrefix); ok {
		var err error
		if key, err = base64.StdEncoding.DecodeString(text); err != nil {
			return nil, errors.New("what follows " + keyPrefix + " in the secret is not base64") // the cause quotes the secret
		}
	}
	if len(key) < minKey {
		return nil, fmt.Errorf("the secret is shorter than %d bytes", minKey)
	}
	return key, nil
}

// sign returns the signature of a request.
func sign(key []byte, id, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", id, timestamp)
	mac.Write(body)
	return scheme + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// signHeaders signs a request: it sets the three headers.
func signHeaders(h http.Header, key []byte, id string, body []byte, now time.Time) {
	timestamp := strconv.FormatInt(now.Unix(), 10)
	h.Set(headerID, id)
	h.Set(headerTimestamp, timestamp)
	h.Set(headerSignature, sign(key, id, timestamp, body))
}

var (
	errUnsigned = errors.New("the signature is missing or wrong: sign id.timestamp.body with the shared secret")
	errStale    = fmt.Errorf("the timestamp is more than %v from now: sign the request again, and compare the clocks", replayWindow)
)

// verify checks that a request was signed with key within the replay window and returns when. A request may carry several
// signatures, separated by spaces, while its sender changes the key. The signature is checked before anything else.
func verify(h http.Header, key, body []byte, now time.Time) (at time.Time, err error) {
	timestamp := h.Get(headerTimestamp)
	want := []byte(sign(key, h.Get(headerID), timestamp, body))
	signed := false
	for given := range strings.FieldsSeq(h.Get(headerSignature)) {
		if hmac.Equal([]byte(given), want) { // in constant time
			signed = true
		}
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if !signed || err != nil {
		return time.Time{}, errUnsigned
	}
	at = time.Unix(seconds, 0)
	if at.Before(now.Add(-replayWindow)) || at.After(now.Add(replayWindow)) {
		return time.Time{}, errStale
	}
	return at, nil
}
