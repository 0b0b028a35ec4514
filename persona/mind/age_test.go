package mind

import (
	"testing"
	"time"
)

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 15, 0, 0, 0, time.UTC) }

func TestAge(t *testing.T) {
	for _, tt := range []struct {
		born, now time.Time
		want      int
	}{
		{day(1990, 5, 3), day(2026, 5, 2), 35},
		{day(1990, 5, 3), day(2026, 5, 3), 36},
		{day(2000, 2, 29), day(2025, 2, 28), 24},
		{day(2000, 2, 29), day(2025, 3, 1), 25},
		{day(2030, 1, 1), day(2026, 1, 1), 0},
	} {
		if got := Age(tt.born, tt.now); got != tt.want {
			t.Errorf("born %s: %d on %s, want %d", tt.born.Format(time.DateOnly), got, tt.now.Format(time.DateOnly), tt.want)
		}
	}
}

func TestAStatedAgeGrows(t *testing.T) {
	told := day(2024, 11, 20)
	for _, tt := range []struct {
		now              time.Time
		youngest, oldest int
	}{
		{told, 34, 34},
		{day(2024, 12, 1), 34, 35},
		{day(2025, 11, 20), 35, 35},
		{day(2026, 11, 21), 36, 37},
	} {
		if y, o := Aged(34, told, tt.now); y != tt.youngest || o != tt.oldest {
			t.Errorf("on %s: %d to %d, want %d to %d", tt.now.Format(time.DateOnly), y, o, tt.youngest, tt.oldest)
		}
	}
	for _, tt := range []struct{ birthday, born time.Time }{
		{day(2000, 5, 3), day(1990, 5, 3)},
		{day(2000, 12, 24), day(1989, 12, 24)},
	} {
		if got := BornOn(tt.birthday, 34, told); got.Format(time.DateOnly) != tt.born.Format(time.DateOnly) {
			t.Errorf("with a birthday on %s: born %s, want %s", tt.birthday.Format("2 January"), got, tt.born)
		}
	}
}
