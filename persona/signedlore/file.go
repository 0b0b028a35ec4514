// Package signedlore is the file in which the lore of a persona goes from one installation to another: who signed it, when, and
// the entries.
//
//	familiar lore 1
//	key: ann+1a2b3c4d+…
//	persona: mira
//	name: Mira
//	signed: 2026-01-05T18:00:00.000Z
//	entries: 2
//	sha256: …
//
//	— ann GismTc…
//
//	{"id":"note-…","kind":"note","text":"The bar is called The Heron."}
//	{"id":"book-…","kind":"book","keys":["bar"],"text":"It opens at six."}
//
// The part above the entries is a signed note (golang.org/x/mod/sumdb/note), the format by which Go's checksum database signs:
// text with an ed25519 signature below it. The hash of the entries stands in it, so that every byte of the file is signed, and nothing
// is read of the entries before that is checked. Nothing about a file can be written in two ways. Pure.
package signedlore

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"familiar/internal/lazyregexp"
)

// The bounds of a file.
const (
	// MaxFile is its size in bytes, MaxEntries how many entries it has.
	MaxFile    = 4 << 20
	MaxEntries = 5000
	// maxHead is the size of the part above the entries, maxLine that of an entry, in bytes.
	maxHead = 4 << 10
	maxLine = 64 << 10
)

// Lore is what a file holds.
type Lore struct {
	// Key is that of the signer.
	Key Key
	// Persona is the key of the persona whose lore it is, Name what it is called.
	Persona, Name string
	// Signed is when it was signed, in milliseconds: of two files about a persona the later one is newer.
	Signed  time.Time
	Entries []Entry
	// Digest identifies the file.
	Digest string
}

// ErrUnsigned reports a file that is no signed lore. ErrAltered reports one that was changed after it was signed.
var (
	ErrUnsigned = errors.New("this is no signed lore: `familiar lore export` writes such files")
	ErrAltered  = errors.New("the file was damaged or changed after it was signed: get it again")
)

const (
	title     = "familiar lore 1"
	signature = "— "
	blank     = "\n\n"
	timeForm  = "2006-01-02T15:04:05.000Z"
)

// personaKey is the form of the keys of personas.
var personaKey = lazyregexp.New(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// Sign returns the file of lore. Key and Digest are set by it.
func Sign(l Lore, by *Secret) ([]byte, error) {
	if len(l.Entries) > MaxEntries {
		return nil, fmt.Errorf("%d entries are too many: a file has at most %d", len(l.Entries), MaxEntries)
	}
	var body bytes.Buffer
	for i, e := range l.Entries {
		if err := e.check(); err != nil {
			return nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
		line, err := e.line()
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
		body.Write(line)
	}
	l.Key, l.Name = by.public, strings.Join(strings.Fields(l.Name), " ")
	h := head{Lore: l, entries: len(l.Entries), sha256: digest(body.Bytes())}
	if err := h.check(); err != nil {
		return nil, err
	}
	signed, err := note.Sign(&note.Note{Text: h.text()}, by.signer)
	if err != nil {
		return nil, fmt.Errorf("sign the lore of %s: %w", l.Persona, err)
	}
	file := append(append(signed, '\n'), body.Bytes()...)
	if len(file) > MaxFile {
		return nil, fmt.Errorf("the lore of %s takes %d bytes: a file has at most %d", l.Persona, len(file), MaxFile)
	}
	return file, nil
}

// Open reads a file. The signature is checked first, then trusts is asked whether its key is one to believe, and only then the
// entries are read. An error of trusts is returned as it is.
func Open(file []byte, trusts func(Key) error) (Lore, error) {
	if len(file) > MaxFile {
		return Lore{}, fmt.Errorf("the file has %d bytes: at most %d are read", len(file), MaxFile)
	}
	text, signed, body, err := split(file)
	if err != nil {
		return Lore{}, err
	}
	h, err := parseHead(text)
	if err != nil {
		return Lore{}, err
	}
	if err := h.verify(signed); err != nil {
		return Lore{}, err
	}
	if digest(body) != h.sha256 {
		return Lore{}, ErrAltered
	}
	if err := trusts(h.Key); err != nil {
		return Lore{}, err
	}
	h.Digest = digest(file)
	if h.Entries, err = parseEntries(body, h.entries); err != nil {
		return Lore{}, err
	}
	return h.Lore, nil
}

// split returns the text that is signed, the same with its signature, and the entries.
func split(file []byte) (text string, signed, body []byte, err error) {
	if !bytes.HasPrefix(file, []byte(title+"\n")) {
		return "", nil, nil, ErrUnsigned
	}
	top := file[:min(len(file), maxHead)]
	end := bytes.Index(top, []byte(blank))
	if end < 0 || !bytes.HasPrefix(top[end+len(blank):], []byte(signature)) {
		return "", nil, nil, ErrUnsigned
	}
	begin := end + len(blank)
	length := bytes.Index(top[begin:], []byte(blank))
	if length < 0 {
		return "", nil, nil, ErrAltered
	}
	return string(file[:end+1]), file[:begin+length+1], file[begin+length+len(blank):], nil
}

// head is the part above the entries.
type head struct {
	Lore
	entries int
	sha256  string
}

// text returns what is signed.
func (h head) text() string {
	return fmt.Sprintf("%s\nkey: %s\npersona: %s\nname: %s\nsigned: %s\nentries: %d\nsha256: %s\n",
		title, h.Key, h.Persona, h.Name, h.Signed.UTC().Format(timeForm), h.entries, h.sha256)
}

func (h head) check() error {
	if !personaKey.MatchString(h.Persona) {
		return fmt.Errorf("%.80q is no key of a persona", h.Persona)
	}
	if h.Name == "" {
		return errors.New("the persona has no name")
	}
	return checkText("name", h.Name, MaxTitle)
}

// parseHead reads the signed text, which has one form only.
func parseHead(text string) (h head, err error) {
	lines := strings.Split(text, "\n")
	fields := []string{"", "key: ", "persona: ", "name: ", "signed: ", "entries: ", "sha256: "}
	if len(lines) != len(fields)+1 {
		return head{}, ErrAltered
	}
	for i, field := range fields {
		value, ok := strings.CutPrefix(lines[i], field)
		if !ok {
			return head{}, ErrAltered
		}
		lines[i] = value
	}
	var failed [3]error
	h.Key, failed[0] = ParseKey(lines[1])
	h.Persona, h.Name, h.sha256 = lines[2], lines[3], lines[6]
	h.Signed, failed[1] = time.Parse(timeForm, lines[4])
	h.entries, failed[2] = strconv.Atoi(lines[5])
	if errors.Join(failed[:]...) != nil || h.text() != text {
		return head{}, ErrAltered
	}
	return h, nil
}

// verify checks that the text has one signature, by the key in it.
func (h head) verify(signed []byte) error {
	opened, err := note.Open(signed, note.VerifierList(h.Key.verifier))
	if err != nil || len(opened.Sigs) != 1 {
		return ErrAltered
	}
	s := opened.Sigs[0]
	_, err = base64.StdEncoding.Strict().DecodeString(s.Base64)
	if err != nil || string(signed) != opened.Text+"\n"+signature+s.Name+" "+s.Base64+"\n" || opened.Text != h.text() {
		return ErrAltered
	}
	return h.check()
}

// parseEntries reads the entries.
func parseEntries(body []byte, count int) ([]Entry, error) {
	if count < 0 || count > MaxEntries {
		return nil, fmt.Errorf("it has %d entries: at most %d are read", count, MaxEntries)
	}
	entries := make([]Entry, 0, count)
	known := map[string]bool{}
	for line := range bytes.Lines(body) {
		number := len(entries) + 1
		if number > count {
			return nil, fmt.Errorf("it has more entries than the %d it says", count)
		}
		e, err := parseEntry(line)
		if err == nil && known[e.ID] {
			err = fmt.Errorf("its id %q was used before", e.ID)
		}
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", number, err)
		}
		known[e.ID] = true
		entries = append(entries, e)
	}
	if len(entries) != count {
		return nil, fmt.Errorf("it has %d entries and says it has %d", len(entries), count)
	}
	return entries, nil
}

func parseEntry(line []byte) (e Entry, err error) {
	if len(line) > maxLine {
		return e, fmt.Errorf("it takes %d bytes: at most %d are read", len(line), maxLine)
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return e, errors.New("it is no JSON object of an entry")
	}
	if err := e.check(); err != nil {
		return e, err
	}
	if one, err := e.line(); err != nil || !bytes.Equal(line, one) {
		return e, errors.New("it is not written as `familiar lore export` writes entries: unknown or repeated keys, another order, or spaces")
	}
	return e, nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
