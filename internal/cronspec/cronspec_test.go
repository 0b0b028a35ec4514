package cronspec

import (
	"errors"
	"testing"
)

func TestParse(t *testing.T) {
	for _, good := range []string{"*/5 * * * *", "@daily", "@every 1h", "0 3 * * 1-5"} {
		if s, err := Parse(good); s == nil || err != nil {
			t.Errorf("%q: %v, %v", good, s, err)
		}
	}
	for _, bad := range []string{"", "soon", "61 * * * *", "@every soon", "* * * *", "*/0 * * * *", "\x00"} {
		if s, err := Parse(bad); s != nil || err == nil || errors.Is(err, ErrZone) {
			t.Errorf("%q: %v, %v", bad, s, err)
		}
	}
	for _, zoned := range []string{"TZ=0", "CRON_TZ=UTC @daily", "TZ=UTC 0 3 * * *"} {
		if _, err := Parse(zoned); !errors.Is(err, ErrZone) {
			t.Errorf("%q: %v", zoned, err)
		}
	}
}
