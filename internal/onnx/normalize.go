//go:build onnx

package onnx

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// normalizer is the normalizer of a tokenizer.json, as far as it is about accents. A sequence has several.
type normalizer struct {
	Type        string       `json:"type"`
	Lowercase   bool         `json:"lowercase"`
	Strip       *bool        `json:"strip_accents"`
	Normalizers []normalizer `json:"normalizers"`
}

// stripsAccents reports whether the settings in a tokenizer.json strip accents. BERT's normalizer strips them by default if
// it lowercases. The tokenizer library mistakes this default for false, and strips no accent from a composed letter either,
// so that "café" would be an unknown word to a model that knows "cafe".
func stripsAccents(tokenizer []byte) (bool, error) {
	var settings struct {
		Normalizer *normalizer `json:"normalizer"`
	}
	if err := json.Unmarshal(tokenizer, &settings); err != nil {
		return false, fmt.Errorf("read its normalizer: %w", err)
	}
	return settings.Normalizer != nil && settings.Normalizer.strips(), nil
}

func (n *normalizer) strips() bool {
	switch n.Type {
	case "StripAccents":
		return true
	case "BertNormalizer":
		if n.Strip == nil {
			return n.Lowercase
		}
		return *n.Strip
	}
	for i := range n.Normalizers {
		if n.Normalizers[i].strips() {
			return true
		}
	}
	return false
}

// stripAccents returns text in decomposed form without its accents, as BERT's normalizer does.
func stripAccents(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text))
}
