package gate

import (
	"fmt"
	"io"
	"time"
)

// The length and lifetime of a code, and how many may be pending per channel at a time. Of 31⁸ codes three are valid
// for ten minutes, so they cannot be guessed.
const (
	CodeLength      = 8
	CodeLifetime    = 10 * time.Minute
	MaxPendingCodes = 3
)

// codeLetters excludes characters that are easily confused when read aloud: I, L, O, 0 and 1.
const codeLetters = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"

// NewCode returns a code made from random bytes. It fails if random does.
func NewCode(random io.Reader) (string, error) {
	// Using bytes beyond the last whole multiple would favour the first letters.
	const even = 256 / len(codeLetters) * len(codeLetters)
	code := make([]byte, 0, CodeLength)
	for one := make([]byte, 1); len(code) < CodeLength; {
		if _, err := io.ReadFull(random, one); err != nil {
			return "", fmt.Errorf("create a pairing code: %w", err)
		}
		if int(one[0]) < even {
			code = append(code, codeLetters[int(one[0])%len(codeLetters)])
		}
	}
	return string(code), nil
}
