//go:build onnx

package onnx

import "testing"

func TestStripsAccents(t *testing.T) {
	for settings, want := range map[string]bool{
		`{}`:                                    false,
		`{"normalizer": null}`:                  false,
		`{"normalizer": {"type": "Lowercase"}}`: false,
		`{"normalizer": {"type": "BertNormalizer", "lowercase": true, "strip_accents": null}}`:                  true,
		`{"normalizer": {"type": "BertNormalizer", "lowercase": true}}`:                                         true,
		`{"normalizer": {"type": "BertNormalizer", "lowercase": false}}`:                                        false,
		`{"normalizer": {"type": "BertNormalizer", "lowercase": true, "strip_accents": false}}`:                 false,
		`{"normalizer": {"type": "BertNormalizer", "lowercase": false, "strip_accents": true}}`:                 true,
		`{"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]}}`:      true,
		`{"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKC"}, {"type": "Lowercase"}]}}`:        false,
		`{"normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"}, "model": {"type": "Unigram"}}`: false,
	} {
		if got, err := stripsAccents([]byte(settings)); err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", settings, got, err, want)
		}
	}
	if _, err := stripsAccents([]byte("no JSON")); err == nil {
		t.Error("a broken file is no error")
	}
}

func TestStripAccents(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain": "plain", "Café": "Cafe", "cafe\u0301": "cafe", "Ñandú, Über, garçon": "Nandu, Uber, garcon",
		"straße": "straße", "øre": "øre", "日本": "日本",
	} {
		if got := stripAccents(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
