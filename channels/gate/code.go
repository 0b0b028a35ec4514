package gate

import (
	"fmt"
	"io"
	"time"
)

// What a code is, how long it is good for and how many may be pending on one channel at a time: 31⁸ codes, of which
// three are good for ten minutes, are not guessed.
const (
	CodeLength      = 8
	CodeLifetime    = 10 * time.Minute
	MaxPendingCodes = 3
)

// codeLetters are those that nobody takes for one another when they read them out: no I, L and O, no 0 and 1.
const codeLetters = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"

// NewCode makes a code of random bytes. It fails when random does.
func NewCode(random io.Reader) (string, error) {
	// Bytes past the last whole multiple of the letters would make the first ones likelier.
	const even = 256 / len(codeLetters) * len(codeLetters)
	code := make([]byte, 0, CodeLength)
	for one := make([]byte, 1); len(code) < CodeLength; {
		if _, err := io.ReadFull(random, one); err != nil {
			return "", fmt.Errorf("make a pairing code: %w", err)
		}
		if int(one[0]) < even {
			code = append(code, codeLetters[int(one[0])%len(codeLetters)])
		}
	}
	return string(code), nil
}
