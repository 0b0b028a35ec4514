package virtual_test

import (
	"testing"
	"time"

	"familiar/channels"
	"familiar/internal/lab/virtual"
)

func TestTimeNeverGoesBack(t *testing.T) {
	start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	c := virtual.NewClock(start)
	later := start.Add(time.Hour).In(time.FixedZone("elsewhere", 3600))
	for _, at := range []time.Time{later, start} {
		c.Pass(at)
		if now := c.Now(); !now.Equal(later) || now.Location() != time.UTC {
			t.Errorf("after %s it shows %s", at, now)
		}
	}
}

func TestFactsAreCollectedOnce(t *testing.T) {
	n := virtual.NewNetwork("made up")
	send := func(key, text string) {
		t.Helper()
		if receipt, err := n.Send(t.Context(), channels.Outgoing{Key: key, Text: text}); err != nil || receipt.ID != key {
			t.Errorf("send %s: %+v, %v", key, receipt, err)
		}
	}
	send("a", "Hello.")
	send("a", "Hello.")
	send("b", "Bye.")
	if said := n.Collect(); len(said) != 2 || said[0].Text != "Hello." || said[1].Text != "Bye." {
		t.Errorf("said %+v", said)
	}
	if said := n.Collect(); len(said) != 0 {
		t.Errorf("said again %+v", said)
	}
}
