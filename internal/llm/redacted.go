package llm

import (
	"bytes"
	"io"
)

// Anthropic encrypts thoughts that its safety systems flag, in blocks that langchaingo does not know and rejects with the whole
// answer. They are read as thoughts without a text, which are not said either. Both names take the same number of bytes.
var (
	redactedThought = []byte(`"redacted_thinking"`)
	emptyThought    = []byte(`"thinking"         `)
)

// unredacted is a response body with the one name in place of the other.
type unredacted struct {
	io.ReadCloser
	// held is what was read but not passed on: it may be the beginning of the name.
	held []byte
	err  error
}

// Read implements io.Reader.
func (u *unredacted) Read(p []byte) (int, error) {
	for {
		if ready := u.ready(); ready > 0 {
			n := copy(p, u.held[:ready])
			u.held = u.held[n:]
			return n, nil
		}
		if u.err != nil {
			return 0, u.err
		}
		if len(p) == 0 {
			return 0, nil
		}
		buffer := make([]byte, max(len(p), len(redactedThought)))
		n, err := u.ReadCloser.Read(buffer)
		u.held = bytes.ReplaceAll(append(u.held, buffer[:n]...), redactedThought, emptyThought)
		u.err = err
	}
}

// ready returns how many of the held bytes may be passed on: all but a beginning of the name at their end.
func (u *unredacted) ready() int {
	if u.err != nil {
		return len(u.held)
	}
	for n := min(len(u.held), len(redactedThought)-1); n > 0; n-- {
		if bytes.HasSuffix(u.held, redactedThought[:n]) {
			return len(u.held) - n
		}
	}
	return len(u.held)
}
