package layout

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"familiar/web/wording"
)

// Every language has all texts, with the same slots, and twelve months.
func TestTheFrameSpeaksAllLanguages(t *testing.T) {
	english := tongues()[wording.English]
	for _, tag := range wording.Tags {
		words := tongues()[tag]
		if a, b := slices.Sorted(slices.Values(english.Keys())), slices.Sorted(slices.Values(words.Keys())); !slices.Equal(a, b) {
			t.Errorf("%s has %v, English %v", tag, b, a)
		}
		if n := len(strings.Fields(words.Say("months"))); n != 12 {
			t.Errorf("%s has %d months", tag, n)
		}
		for key, slots := range map[string][]string{"today": {"{time}"}, "date": {"{day}", "{month}", "{year}"}, "date.short": {"{day}", "{month}"}, "long.help": {"{size}"}, "invalid.help": {"{why}"}} {
			for _, slot := range slots {
				if !strings.Contains(words.Say(key), slot) {
					t.Errorf("%s: %s has no %s", tag, key, slot)
				}
			}
		}
	}
}

func TestTimesInLanguages(t *testing.T) {
	now := time.Date(2026, time.March, 20, 18, 0, 0, 0, time.UTC)
	for tag, want := range map[string][3]string{
		"en": {"today 09:05", "1 Mar 09:05", "1 Mar 2025 09:05"},
		"de": {"heute 09:05", "1. März 09:05", "1. März 2025 09:05"},
		"es": {"hoy 09:05", "1 mar 09:05", "1 mar 2025 09:05"},
		"fr": {"aujourd'hui 09:05", "1 mars 09:05", "1 mars 2025 09:05"},
	} {
		ctx := context.WithValue(t.Context(), frameKey{}, frame{now: now, zone: time.UTC, words: tongues()[tag]})
		for i, at := range []time.Time{
			time.Date(2026, time.March, 20, 9, 5, 0, 0, time.UTC), time.Date(2026, time.March, 1, 9, 5, 0, 0, time.UTC), time.Date(2025, time.March, 1, 9, 5, 0, 0, time.UTC),
		} {
			if got := Moment(ctx, at); got != want[i] {
				t.Errorf("%s in %s: %q, want %q", at, tag, got, want[i])
			}
		}
	}
}
