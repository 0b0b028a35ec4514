package imports

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// DetectSession returns the format of a session file by its beginning: of those that NewSession reads, the first in which it has
// a message. Formats of one program come before general ones. The error wraps ErrUnknown if there is none.
func DetectSession(head []byte, now time.Time) (string, error) {
	for _, f := range sessionFormats() {
		if messagesIn(head, f.name, now) > 0 {
			return f.name, nil
		}
	}
	return "", fmt.Errorf("%w: there is no message in its beginning; name it with --format (%s)", ErrUnknown, strings.Join(SessionFormats(), ", "))
}

// messagesIn counts the messages of a text in a format.
func messagesIn(head []byte, format string, now time.Time) (n int) {
	s, err := NewSession(bytes.NewReader(head), SessionOptions{Format: format, Now: now, Whole: true})
	for err == nil {
		var c Chunk
		if c, err = s.Next(); errors.Is(err, io.EOF) {
			return n
		}
		n += len(c.Lines)
	}
	return n
}
