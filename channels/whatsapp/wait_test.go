package whatsapp

import (
	"testing"
	"testing/synctest"
	"time"

	"familiar/channels"
)

// TestASendWaitsForAConnectionReportedEarly starts a send between WhatsApp's report of a connection and the moment it can be
// used. It used to wait five seconds and fail.
func TestASendWaitsForAConnectionReportedEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &Channel{changed: make(chan struct{}), state: channels.State{Phase: channels.Connected}}
		want, start := &connection{}, time.Now()
		time.AfterFunc(time.Second, func() { c.setConnection(want) })
		if got, err := c.currentConnection(t.Context()); got != want || err != nil {
			t.Errorf("the send got %p and %v", got, err)
		}
		if took := time.Since(start); took != time.Second {
			t.Errorf("the send waited %v", took)
		}
	})
}
