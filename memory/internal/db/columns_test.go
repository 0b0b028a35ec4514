package db

import (
	"testing"
	"time"
)

func TestTimesAsStored(t *testing.T) {
	east := time.Date(2026, 1, 5, 10, 0, 0, 123456789, time.FixedZone("", 3600))
	for _, tc := range []struct {
		in, want time.Time
	}{
		{time.Time{}, time.Time{}},
		{monday, monday},
		{east, time.Date(2026, 1, 5, 9, 0, 0, 123000000, time.UTC)},
		{time.Date(1969, 7, 20, 20, 17, 0, 0, time.UTC), time.Date(1969, 7, 20, 20, 17, 0, 0, time.UTC)},
	} {
		if got := FromMillis(Millis(tc.in)); got != tc.want {
			t.Errorf("%v came back as %v", tc.in, got)
		}
		var got time.Time
		if err := IntoTime(&got).Scan(NullMillis(tc.in)); err != nil || got != tc.want {
			t.Errorf("%v came back as %v, %v", tc.in, got, err)
		}
	}
	if NullMillis(time.Time{}) != nil {
		t.Error("the zero time is not NULL")
	}
}

func TestIDsAsStored(t *testing.T) {
	for _, id := range []int64{0, 1, 1 << 60} {
		got := int64(-1)
		if err := IntoID(&got).Scan(NullID(id)); err != nil || got != id {
			t.Errorf("%d came back as %d, %v", id, got, err)
		}
	}
}

func TestColumnsRefuseOtherTypes(t *testing.T) {
	var id int64
	var at time.Time
	if IntoID(&id).Scan("7") == nil || IntoTime(&at).Scan("yesterday") == nil {
		t.Error("a text was taken for a number")
	}
}
