package rel

import "testing"

func TestIncludes(t *testing.T) {
	for _, tt := range []struct {
		kind, thing string
		want        bool
	}{
		{"jazz", "jazz", true},
		{"jazz", "old jazz records", true},
		{"jazz", "listening to jazz music", true},
		{"curry", "spicy thai curry", true},
		{"dogs", "big dogs", true},
		{"thai food", "thai food", true},
		{"jazz", "jazz dance classes", false},
		{"jazz", "old records", false},
		{"cream", "ice cream", false},
		{"dogs", "hot dogs", false},
		{"old jazz records", "jazz", false},
		{"", "jazz", false},
	} {
		if got := Includes(tt.kind, tt.thing); got != tt.want {
			t.Errorf("%q includes %q: %v, want %v", tt.kind, tt.thing, got, tt.want)
		}
	}
}
