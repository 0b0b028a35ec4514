package imports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// lineScanner splits a stream into lines in bounded memory. In JSON lines, a text that is longer than any message may be is
// left out of its value while it is read, so that a picture does not hide the words next to it.
type lineScanner struct {
	in   *bufio.Reader
	at   int64
	json bool
	line []byte
	// of a JSON line: whether the end of what was read is within a text, how much of that was kept, and whether a backslash
	// precedes.
	inText, escaped bool
	kept            int
}

// scannedLine is one line. Its text is valid until the next call.
type scannedLine struct {
	text []byte
	// at and size are where it is in the stream, in bytes, with its end.
	at, size int64
	// ended says that a line feed follows.
	ended bool
	// cut counts the texts that were left out, tooLong says that the line is too long without them.
	cut     int
	tooLong bool
}

// object reports whether the line is a complete JSON object: nothing can follow it but the line's end.
func (l scannedLine) object() bool {
	return !l.tooLong && bytes.HasPrefix(l.text, []byte("{")) && json.Valid(l.text)
}

// readAhead is how much is read at once, in bytes.
const readAhead = 256 << 10

func newLineScanner(r io.Reader, at int64, json bool) *lineScanner {
	return &lineScanner{in: bufio.NewReaderSize(r, readAhead), at: at, json: json}
}

// next returns the next line, io.EOF at the end.
func (s *lineScanner) next() (l scannedLine, err error) {
	l.at = s.at
	s.line, s.inText, s.escaped, s.kept = s.line[:0], false, false, 0
	for !l.ended {
		part, err := s.in.ReadSlice('\n')
		l.size += int64(len(part))
		l.ended = err == nil
		if s.json {
			s.appendJSON(part, &l)
		} else {
			s.append(part, &l)
		}
		switch {
		case errors.Is(err, io.EOF) && l.size == 0:
			return l, io.EOF
		case errors.Is(err, io.EOF):
			return s.whole(l), nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return l, err
		}
	}
	return s.whole(l), nil
}

// whole completes a line.
func (s *lineScanner) whole(l scannedLine) scannedLine {
	s.at += l.size
	l.text = s.line
	if l.at == 0 {
		l.text = bytes.TrimPrefix(l.text, []byte("\ufeff"))
	}
	if s.json {
		l.text = bytes.TrimSpace(l.text)
	} else {
		l.text = bytes.TrimRight(l.text, "\r\n")
	}
	return l
}

// append keeps a part of a line, unless the line is too long.
func (s *lineScanner) append(part []byte, l *scannedLine) {
	if len(s.line)+len(part) > maxValue {
		l.tooLong, s.line = true, s.line[:0]
	}
	if !l.tooLong {
		s.line = append(s.line, part...)
	}
}

// appendJSON is append without the texts that are too long. Most lines are short and kept as they are.
func (s *lineScanner) appendJSON(part []byte, l *scannedLine) {
	if l.ended && l.size <= maxLine {
		s.append(part, l)
		return
	}
	for len(part) > 0 {
		n, quote := s.run(part)
		s.appendRun(part[:n], quote, l)
		part = part[n:]
	}
}

// appendRun keeps a run: what is between texts, or a part of a text. quote says that it ends with the quote that begins or ends
// the text.
func (s *lineScanner) appendRun(run []byte, quote bool, l *scannedLine) {
	if !s.inText {
		s.append(run, l)
		s.inText, s.kept = quote, 0
		return
	}
	before := s.kept
	s.kept += len(run)
	switch {
	case s.kept <= maxLine:
		s.append(run, l)
	case before <= maxLine:
		l.cut++
		if !l.tooLong {
			s.line = s.line[:len(s.line)-before]
		}
	}
	if quote {
		if s.kept > maxLine {
			s.append([]byte{'"'}, l)
		}
		s.inText = false
	}
}

// run returns the length of the beginning of part up to and with the next quote that begins or ends a text, or of all of it if
// there is none.
func (s *lineScanner) run(part []byte) (n int, quote bool) {
	if !s.inText {
		i := bytes.IndexByte(part, '"')
		if i < 0 {
			return len(part), false
		}
		return i + 1, true
	}
	for n < len(part) {
		if s.escaped {
			s.escaped = false
			n++
			continue
		}
		i := bytes.IndexAny(part[n:], `"\\`)
		if i < 0 {
			return len(part), false
		}
		n += i + 1
		if part[n-1] == '"' {
			return n, true
		}
		s.escaped = true
	}
	return n, false
}
