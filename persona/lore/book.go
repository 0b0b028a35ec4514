// Package lore is what a persona knows of its world: a lorebook, whose entries are shown when the talk mentions them. It
// reads and writes the lorebooks of character cards and reads the world info of SillyTavern, and decides which entries
// fire. Pure.
package lore

import (
	"encoding/json"
	"fmt"

	"familiar/internal/loosejson"
)

const (
	// maxDepth is how deeply a lorebook's JSON may be nested, maxValues how many values it may have.
	maxDepth, maxValues = 100, 200_000
	// maxEntries is how many entries a book may have.
	maxEntries = 10_000
	// MaxFile is the maximum size of a lorebook in bytes.
	MaxFile = 8 << 20
)

// Book is a lorebook. What is not known here survives being read and written.
type Book struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// ScanDepth is how many of the latest messages are searched for keys, nil for DefaultScanDepth.
	ScanDepth *float64 `json:"scan_depth"`
	// TokenBudget bounds the text of all entries that fire, nil for no bound of the book's own.
	TokenBudget *float64 `json:"token_budget"`
	// Recursive reports that the text of an entry may fire others.
	Recursive bool `json:"recursive_scanning"`
	// Entries are in the order of the file.
	Entries []Entry `json:"-"`

	kept loosejson.Object
	read *Book
}

// Entry is one piece of lore.
type Entry struct {
	// Keys fire the entry: one must occur. SecondaryKeys count if Selective is set, with the logic in Extensions.
	Keys          []string `json:"keys"`
	SecondaryKeys []string `json:"secondary_keys"`
	Selective     bool     `json:"selective"`
	// Content is the text, which may begin with decorators.
	Content string `json:"content"`
	Enabled bool   `json:"enabled"`
	// Order sorts the entries that fire: lower ones come first. Of Priority, or else of Order, the lowest are left out first
	// if there is no room.
	Order    float64  `json:"insertion_order"`
	Priority *float64 `json:"priority"`
	// CaseSensitive applies to keys; nil is false.
	CaseSensitive *bool `json:"case_sensitive"`
	// Regex reports that keys are regular expressions.
	Regex bool `json:"use_regex"`
	// Constant entries always fire.
	Constant bool   `json:"constant"`
	Name     string `json:"name"`
	Comment  string `json:"comment"`
	// Position is "before_char", "after_char" or empty.
	Position string `json:"position"`
	// Extensions holds what programs added; see extensions for what is used of it.
	Extensions loosejson.Object `json:"extensions"`

	kept loosejson.Object
	read *Entry
}

// Title names the entry for people: its name, its comment, its first key, or nothing.
func (e *Entry) Title() string {
	switch {
	case e.Name != "":
		return e.Name
	case e.Comment != "":
		return e.Comment
	case len(e.Keys) > 0:
		return e.Keys[0]
	}
	return ""
}

// UnmarshalJSON reads a book as character cards have it. An entry that is no object is an error.
func (b *Book) UnmarshalJSON(data []byte) error {
	o, err := loosejson.Parse(data, maxDepth, maxValues)
	if err != nil {
		return fmt.Errorf("lorebook: %w", err)
	}
	var raw []json.RawMessage
	if list, ok := o["entries"]; ok {
		if err := json.Unmarshal(list, &raw); err != nil {
			return fmt.Errorf("lorebook: entries must be a list of objects: %w", err)
		}
	}
	if len(raw) > maxEntries {
		return fmt.Errorf("lorebook: %d entries are too many: at most %d are read", len(raw), maxEntries)
	}
	*b = Book{kept: o}
	o.Decode(b)
	before := *b
	b.read = &before
	b.Entries = make([]Entry, len(raw))
	for i, data := range raw {
		if err := b.Entries[i].UnmarshalJSON(data); err != nil {
			return fmt.Errorf("lorebook: entry %d: %w", i+1, err)
		}
	}
	return nil
}

// MarshalJSON writes the book as character cards have it.
func (b *Book) MarshalJSON() ([]byte, error) {
	before := b.read
	if before == nil {
		before = &Book{}
	}
	o, err := b.kept.Encode(before, b)
	if err != nil {
		return nil, err
	}
	if len(b.Entries) > 0 || o["entries"] == nil {
		entries := make([]*Entry, len(b.Entries))
		for i := range b.Entries {
			entries[i] = &b.Entries[i]
		}
		if o["entries"], err = loosejson.Marshal(entries); err != nil {
			return nil, err
		}
	}
	if b.kept == nil && o["extensions"] == nil {
		o["extensions"] = json.RawMessage("{}")
	}
	return loosejson.Marshal(map[string]json.RawMessage(o))
}

// UnmarshalJSON reads an entry. One that does not say is enabled.
func (e *Entry) UnmarshalJSON(data []byte) error {
	o, err := loosejson.Parse(data, maxDepth, maxValues)
	if err != nil {
		return err
	}
	*e = Entry{kept: o, Enabled: true}
	o.Decode(e)
	before := *e
	e.read = &before
	return nil
}

// MarshalJSON writes an entry with everything that every version of the format requires.
func (e *Entry) MarshalJSON() ([]byte, error) {
	before := e.read
	if before == nil {
		before = &Entry{}
	}
	if e.kept == nil {
		if e.Extensions == nil {
			e.Extensions = loosejson.Object{}
		}
		if e.Keys == nil {
			e.Keys = []string{}
		}
	}
	o, err := e.kept.Encode(before, e)
	if err != nil {
		return nil, err
	}
	if e.kept == nil {
		if o, err = o.Encode(&Entry{}, e, "keys", "content", "extensions", "enabled", "insertion_order", "use_regex"); err != nil {
			return nil, err
		}
	}
	return loosejson.Marshal(map[string]json.RawMessage(o))
}

// file is the format of a lorebook in a file of its own.
type file struct {
	Spec string `json:"spec"`
	Data *Book  `json:"data"`
}

// Write returns the book as a file in the format lorebook_v3.
func (b *Book) Write() ([]byte, error) {
	data, err := loosejson.Indent(file{Spec: "lorebook_v3", Data: b})
	if err != nil {
		return nil, fmt.Errorf("write the lorebook: %w", err)
	}
	return data, nil
}

// Read reads a lorebook from a file of its own: in the format lorebook_v3, as a card has it, or world info of SillyTavern.
func Read(data []byte) (*Book, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("read the lorebook: it has more than %d bytes", MaxFile)
	}
	o, err := loosejson.Parse(data, maxDepth, maxValues)
	if err != nil {
		return nil, fmt.Errorf("read the lorebook: %w", err)
	}
	body := data
	if inner, ok := o["data"]; ok && o["entries"] == nil {
		body = inner
		if o, err = loosejson.Parse(body, maxDepth, maxValues); err != nil {
			return nil, fmt.Errorf("read the lorebook: data: %w", err)
		}
	}
	if len(o["entries"]) == 0 {
		return nil, fmt.Errorf("read the lorebook: it has no entries: this is neither a lorebook of a card nor world info of SillyTavern")
	}
	if o["entries"][0] == '{' {
		return worldInfo(o)
	}
	var b Book
	if err := json.Unmarshal(body, &b); err != nil {
		return nil, fmt.Errorf("read the lorebook: %w", err)
	}
	return &b, nil
}
