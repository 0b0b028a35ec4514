package imports

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxValue bounds one value of a JSON file, or one line of a JSONL file, in bytes. Nothing that anybody wrote is longer.
const maxValue = 4 << 20

// errTooLong reports a value that is longer than maxValue.
var errTooLong = fmt.Errorf("a single value is longer than %d MiB: this is not what a chat program exports", maxValue>>20)

// guard checks what is read: it must be UTF-8 text, may begin with a byte order mark, and its user sets a budget for each
// value, so that one endless value does not fill the memory.
type guard struct {
	in     io.Reader
	left   int // of the budget
	free   bool
	once   bool // the budget is for everything that is read
	at     int64 // bytes checked so far
	begun  bool
	rest   []byte // the beginning of a character that is not complete
	bounds [utf8.UTFMax]byte
	bad    error // found before
}

func newGuard(in io.Reader) *guard { return &guard{in: in, left: maxValue} }

// unbounded lifts the budget, for a reader with a limit of its own.
func (g *guard) unbounded() *guard {
	g.free = true
	return g
}

// only gives one budget for everything that is read.
func (g *guard) only(budget int) *guard {
	g.left, g.once = budget, true
	return g
}

// renew begins a new value.
func (g *guard) renew() {
	if !g.once {
		g.left = maxValue
	}
}

// Read implements io.Reader. What is wrong once stays wrong.
func (g *guard) Read(p []byte) (n int, err error) {
	if g.bad != nil {
		return 0, g.bad
	}
	n, err = g.read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		g.bad = err
	}
	return n, err
}

func (g *guard) read(p []byte) (int, error) {
	if !g.begun {
		if err := g.begin(); err != nil {
			return 0, err
		}
	}
	if !g.free {
		if g.left <= 0 && g.once {
			return 0, errNoSign
		}
		if g.left <= 0 {
			return 0, errTooLong
		}
		p = p[:min(len(p), g.left)]
	}
	n, err := g.in.Read(p)
	g.left -= n
	if bad := g.check(p[:n]); bad != nil {
		return 0, bad
	}
	if errors.Is(err, io.EOF) && len(g.rest) > 0 {
		return n, g.notText()
	}
	return n, err
}

// begin skips a byte order mark and rejects other encodings.
func (g *guard) begin() error {
	g.begun = true
	head := make([]byte, 3)
	n, err := io.ReadFull(g.in, head)
	head = head[:n]
	switch {
	case n == 0:
		return errors.New("the file is empty")
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return errors.New("the file is UTF-16: save it as UTF-8")
	case bytes.HasPrefix(head, []byte("\x89PN")):
		return errCard
	case bytes.Equal(head, []byte("\ufeff")):
		g.at = int64(n)
		return nil
	}
	g.in = io.MultiReader(bytes.NewReader(bytes.Clone(head)), g.in)
	return nil
}

// check verifies that p continues UTF-8 text.
func (g *guard) check(p []byte) error {
	if len(g.rest) > 0 {
		take := 0
		for take < len(p) && !utf8.FullRune(g.rest) {
			g.rest = append(g.rest, p[take])
			take++
		}
		if !utf8.FullRune(g.rest) {
			return nil
		}
		if !utf8.Valid(g.rest) {
			return g.notText()
		}
		g.at += int64(len(g.rest))
		g.rest, p = nil, p[take:]
	}
	end := len(p)
	for back := 1; back < utf8.UTFMax && back <= len(p); back++ {
		if c := p[len(p)-back]; utf8.RuneStart(c) {
			if !utf8.FullRune(p[len(p)-back:]) {
				end = len(p) - back
			}
			break
		}
	}
	if whole := p[:end]; !utf8.Valid(whole) || bytes.IndexByte(whole, 0) >= 0 {
		for len(whole) > 0 {
			r, size := utf8.DecodeRune(whole)
			if r == 0 || r == utf8.RuneError && size == 1 {
				break
			}
			g.at, whole = g.at+int64(size), whole[size:]
		}
		return g.notText()
	}
	g.at += int64(end)
	g.rest = append(g.bounds[:0], p[end:]...)
	return nil
}

func (g *guard) notText() error {
	return fmt.Errorf("byte %d is not UTF-8 text: save the file as UTF-8", g.at+1)
}
