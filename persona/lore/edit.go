package lore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"familiar/internal/loosejson"
)

// Append returns the text of a book with more entries at its end. An empty text is that of no book.
func Append(text []byte, added ...Entry) ([]byte, error) {
	return change(text, func(b *Book) error {
		b.Entries = append(b.Entries, added...)
		return nil
	})
}

// Put returns the text of a book with another entry in the place of the one with that number, counted from 1. What the entry had
// that is not known here stays.
func Put(text []byte, number int, e Entry) ([]byte, error) {
	return change(text, func(b *Book) error {
		old, err := b.entry(number)
		if err != nil {
			return err
		}
		e.kept, e.read = old.kept, old.read
		*old = e
		return nil
	})
}

// Remove returns the text of a book without the entry with that number.
func Remove(text []byte, number int) ([]byte, error) {
	return change(text, func(b *Book) error {
		if _, err := b.entry(number); err != nil {
			return err
		}
		b.Entries = slices.Delete(b.Entries, number-1, number)
		return nil
	})
}

// entry returns the entry with a number, counted from 1.
func (b *Book) entry(number int) (*Entry, error) {
	if number < 1 || number > len(b.Entries) {
		return nil, fmt.Errorf("the lorebook has no entry %d", number)
	}
	return &b.Entries[number-1], nil
}

func change(text []byte, do func(*Book) error) ([]byte, error) {
	b := &Book{}
	if len(bytes.TrimSpace(text)) > 0 {
		var err error
		if b, err = Read(text); err != nil {
			return nil, err
		}
	}
	if err := do(b); err != nil {
		return nil, err
	}
	if len(b.Entries) == 0 && b.kept != nil { // the last one went: what was read must not come back
		b.kept["entries"] = json.RawMessage("[]")
	}
	return b.Write()
}

// Probability returns how often the entry fires when it could, in per cent; ok is false if it says nothing about that.
func (e *Entry) Probability() (percent float64, ok bool) {
	var x extensions
	e.Extensions.Decode(&x)
	if x.Probability == nil || x.UseProbability != nil && !*x.UseProbability {
		return 0, false
	}
	return *x.Probability, true
}

// SetProbability sets how often the entry fires when it could, in per cent. Without use it always does.
func (e *Entry) SetProbability(percent float64, use bool) error {
	extensions := maps.Clone(e.Extensions)
	if extensions == nil {
		extensions = loosejson.Object{}
	}
	for key, value := range map[string]any{"probability": percent, "useProbability": use} {
		raw, err := loosejson.Marshal(value)
		if err != nil {
			return fmt.Errorf("write the %s of an entry: %w", key, err)
		}
		extensions[key] = raw
	}
	e.Extensions = extensions
	return nil
}
