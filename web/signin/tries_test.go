package signin

import (
	"fmt"
	"testing"
	"time"
)

func TestTriesAreCountedPerNetworkAndInAll(t *testing.T) {
	now := time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)
	l := newTries(func() time.Time { return now })
	note := func(want time.Duration, remotes ...string) {
		t.Helper()
		for _, remote := range remotes {
			if got := l.note(remote); got != want {
				t.Errorf("a try from %s waits %s, want %s", remote, got, want)
			}
		}
	}
	for range triesEach {
		note(0, "203.0.113.7:1", "[2001:db8::1]:1")
	}
	note(everyEach, "203.0.113.7:2", "[::ffff:203.0.113.7]:3", "[2001:db8::ffff:2]:1")
	note(0, "203.0.113.8:1", "[2001:db8:0:1::1]:1")
	now = now.Add(everyEach)
	note(0, "203.0.113.7:1")
	note(everyEach, "203.0.113.7:1")

	now = now.Add(time.Hour)
	for i := range triesAll {
		note(0, fmt.Sprintf("198.51.%d.%d:1", i/200, i%200))
	}
	note(everyAll, "192.0.2.1:1", "192.0.2.2:1", "no address")

	for i := range 3 * maxAddresses { // whoever has many addresses takes no memory
		l.note(fmt.Sprintf("[2001:db8:%x::1]:1", i))
	}
	if n := len(l.each); n > maxAddresses+1 {
		t.Errorf("%d addresses are kept", n)
	}
}
