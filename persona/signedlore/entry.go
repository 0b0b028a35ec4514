package signedlore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"familiar/internal/lazyregexp"
)

// Kind says where an entry came from.
type Kind string

// The kinds of entries.
const (
	// Book is an entry of a lorebook, Note what the operator told for everybody, Document a passage of a document, Web a sentence
	// of a web page.
	Book     Kind = "book"
	Note     Kind = "note"
	Document Kind = "document"
	Web      Kind = "web"
)

// Entry is one piece of lore.
type Entry struct {
	// ID identifies it among the entries of one persona: another text under the same ID is a new version.
	ID   string `json:"id"`
	Kind Kind   `json:"kind"`
	// Keys are names and words it is found by.
	Keys []string `json:"keys,omitempty"`
	// Title is that of the document or page. Address is where a page stands, Day when it was read, "2026-01-05".
	Title   string `json:"title,omitempty"`
	Address string `json:"address,omitempty"`
	Day     string `json:"day,omitempty"`
	Text    string `json:"text"`
}

// The bounds of an entry, in characters where they count text.
const (
	MaxText  = 4000
	MaxTitle = 200
	MaxKeys  = 12
	MaxKey   = 100
	// maxAddress is in bytes.
	maxAddress = 2000
)

var entryID = lazyregexp.New(`^[a-z0-9-]{1,64}$`)

// check returns what is wrong with an entry.
func (e Entry) check() error {
	switch {
	case !entryID.MatchString(e.ID):
		return fmt.Errorf("its id %.80q is none", e.ID)
	case e.Kind != Book && e.Kind != Note && e.Kind != Document && e.Kind != Web:
		return fmt.Errorf("its kind %.80q is not known", e.Kind)
	case strings.TrimSpace(e.Text) == "":
		return fmt.Errorf("it has no text")
	case len(e.Keys) > MaxKeys:
		return fmt.Errorf("it has %d keys: at most %d are read", len(e.Keys), MaxKeys)
	}
	for _, part := range []struct {
		what, text string
		most       int
	}{{"text", e.Text, MaxText}, {"title", e.Title, MaxTitle}} {
		if err := checkText(part.what, part.text, part.most); err != nil {
			return err
		}
	}
	for _, key := range e.Keys {
		if err := checkText("key", key, MaxKey); err != nil {
			return err
		}
	}
	return e.checkSource()
}

// checkSource checks where a sentence of a page stands; nothing else has an address or a day.
func (e Entry) checkSource() error {
	if e.Kind != Web {
		if e.Address != "" || e.Day != "" {
			return fmt.Errorf("only what was read on the web has an address and a day")
		}
		return nil
	}
	address, err := url.Parse(e.Address)
	if err != nil || len(e.Address) > maxAddress || address.Hostname() == "" || address.Scheme != "http" && address.Scheme != "https" || strings.ContainsAny(e.Address, " “”„\n") {
		return fmt.Errorf("its address %.80q is not one of the web", e.Address)
	}
	if day, err := time.Parse(time.DateOnly, e.Day); err != nil || day.Year() < 1990 {
		return fmt.Errorf("its day %.80q is none", e.Day)
	}
	return nil
}

// line returns the entry as it stands in a file, the only way it can be written.
func (e Entry) line() ([]byte, error) {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	err := enc.Encode(e)
	return line.Bytes(), err
}

func checkText(what, text string, most int) error {
	switch n := utf8.RuneCountInString(text); {
	case !utf8.ValidString(text):
		return fmt.Errorf("its %s is not UTF-8", what)
	case n > most:
		return fmt.Errorf("its %s has %d characters: at most %d are read", what, n, most)
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }):
		return fmt.Errorf("its %s holds control characters", what)
	}
	return nil
}

// Quoted returns the entry as a quotation with its source: the name of the persona that knows it, and who signed it. Whatever the
// entry says, it stays inside the quotation marks.
func (e Entry) Quoted(persona, signer string) string {
	from := "From the lore of " + inner(persona) + ", signed by " + inner(signer)
	switch title := inner(e.Title); {
	case e.Kind == Web && title != "":
		from += ": a web page (" + title + "; " + e.Address + "; read on " + e.Day + ") says"
	case e.Kind == Web:
		from += ": a web page (" + e.Address + "; read on " + e.Day + ") says"
	case title != "":
		from += " (" + title + ")"
	}
	return from + ": “" + inner(e.Text) + "”"
}

// inner returns a text in one line and without quotation marks of the outer level.
func inner(text string) string {
	return strings.Join(strings.Fields(unquoted.Replace(text)), " ")
}

var unquoted = strings.NewReplacer("“", "‘", "”", "’", "„", "‚")
