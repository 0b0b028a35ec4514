package lore

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"familiar/internal/loosejson"
)

// worldEntry is an entry of SillyTavern's world info, as far as a lorebook has fields for it.
type worldEntry struct {
	UID       float64  `json:"uid"`
	Key       []string `json:"key"`
	Secondary []string `json:"keysecondary"`
	Selective bool     `json:"selective"`
	Comment   string   `json:"comment"`
	Content   string   `json:"content"`
	Constant  bool     `json:"constant"`
	Order     float64  `json:"order"`
	Position  float64  `json:"position"`
	Disable   bool     `json:"disable"`
	Case      *bool    `json:"caseSensitive"`
}

// renamed are the fields that have another name among the extensions of a card's lorebook.
var renamed = map[string]string{
	"matchWholeWords": "match_whole_words", "scanDepth": "scan_depth", "excludeRecursion": "exclude_recursion",
	"preventRecursion": "prevent_recursion", "delayUntilRecursion": "delay_until_recursion", "displayIndex": "display_index",
}

// worldInfo converts SillyTavern's world info. What a lorebook has no field for is kept as extensions.
func worldInfo(o loosejson.Object) (*Book, error) {
	var byID map[string]json.RawMessage
	if err := json.Unmarshal(o["entries"], &byID); err != nil {
		return nil, fmt.Errorf("read world info: %w", err)
	}
	if len(byID) > maxEntries {
		return nil, fmt.Errorf("read world info: %d entries are too many: at most %d are read", len(byID), maxEntries)
	}
	ids := make([]string, 0, len(byID))
	for id := range byID {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		m, _ := strconv.Atoi(a)
		n, _ := strconv.Atoi(b)
		return cmp.Or(cmp.Compare(m, n), cmp.Compare(a, b))
	})
	b := &Book{}
	o.Decode(b)
	for _, id := range ids {
		raw, err := loosejson.Parse(byID[id], maxDepth, maxValues)
		if err != nil {
			return nil, fmt.Errorf("read world info: entry %s: %w", id, err)
		}
		b.Entries = append(b.Entries, worldEntryOf(raw))
	}
	return b, nil
}

func worldEntryOf(raw loosejson.Object) Entry {
	var w worldEntry
	raw.Decode(&w)
	e := Entry{
		Keys: w.Key, SecondaryKeys: w.Secondary, Selective: w.Selective && len(w.Secondary) > 0, Comment: w.Comment, Content: w.Content,
		Constant: w.Constant, Order: w.Order, Enabled: !w.Disable, CaseSensitive: w.Case, Position: "after_char", Extensions: loosejson.Object{},
	}
	if w.Position == 0 {
		e.Position = "before_char"
	}
	for _, key := range raw.Unknown(&w) {
		name := cmp.Or(renamed[key], key)
		e.Extensions[name] = raw[key]
	}
	if position, ok := raw["position"]; ok {
		e.Extensions["position"] = position
	}
	return e
}
